/** In a process of the platform: reads, compares and draws files, one order after another. */
import { answerOrders } from '@lintel/sdk/drawing';
import { answer, type Answer, type Order } from './orders.js';

answerOrders<Order, Answer>(answer);
