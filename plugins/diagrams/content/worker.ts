/** In a process of the platform: one order after another. */
import { answerOrders } from '@lintel/sdk/drawing';
import type { ContentAnswers, ContentOrder } from './orders.js';
import { work } from './work.js';

type Answer = ContentAnswers[ContentOrder['kind']];

answerOrders<ContentOrder, Answer>((order) => work(order));
