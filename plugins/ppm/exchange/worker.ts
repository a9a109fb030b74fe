/** In a process of the platform: reads one file after another. */
import { answerOrders } from '@lintel/sdk/drawing';
import type { ReadPlan } from './file-plan.js';
import { readPlan } from './read.js';

/** A file to be read. */
export interface Order {
  bytes: Uint8Array;
  format: 'csv' | 'mspdi';
}

answerOrders<Order, ReadPlan>(({ bytes, format }) => readPlan(bytes, format));
