/** The worker thread of the module: one order after another. */
import { answerOrders } from '@lintel/sdk/drawing';
import type { ContentAnswers, ContentOrder } from './orders.js';
import { work } from './work.js';

type Answer = ContentAnswers[ContentOrder['kind']];

/** The large parts of an answer, which are moved instead of copied. */
const buffersOf = (answer: Answer): ArrayBuffer[] => {
  const { bytes, content } = answer as { bytes?: unknown; content?: Uint8Array<ArrayBuffer> };
  return [bytes, content].flatMap((part) => (part instanceof Uint8Array ? [part.buffer as ArrayBuffer] : []));
};

answerOrders<ContentOrder, Answer>((order) => work(order), buffersOf);
