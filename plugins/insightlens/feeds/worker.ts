/** In a process of the platform: reads the files of a feed. */
import { answerOrders } from '@lintel/sdk/drawing';
import { FeedFaults, type FeedContent } from './definition.js';
import { readEndOfLife } from './endoflife.js';
import { readKev } from './kev.js';
import type { Answer, Order } from './orders.js';
import { FeedReader } from './reading.js';

/** @throws FeedFaults */
function read({ feed, files }: Order): FeedContent {
  const reader = new FeedReader();
  if (feed === 'endoflife') return readEndOfLife(reader, files);
  if (files.length !== 1) throw new FeedFaults([{ field: '/files', reason: 'must be one file' }]);
  return readKev(reader, files[0]!.bytes, '/files/0');
}

answerOrders<Order, Answer>((order) => {
  try {
    return { content: read(order) };
  } catch (error) {
    if (error instanceof FeedFaults) return { faults: error.faults };
    throw error;
  }
});
