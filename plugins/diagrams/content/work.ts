/** The work on the content of diagrams in the worker, by the kind of the order. */
import { generate } from './generate.js';
import { readLabels } from './labels.js';
import type {
  ContentAnswers,
  ContentFault,
  ContentOrder,
  ReadContent,
  SentContent,
  SentRead,
  StoredContent,
} from './orders.js';
import { holdHidden, linkShapes, readForSaving } from './save.js';
import { show } from './show.js';
import type { CardShape, HeldCell } from './stored.js';

const opened = ({ shapes, held, ...rest }: SentContent): StoredContent => ({
  ...rest,
  shapes: JSON.parse(shapes) as CardShape[],
  held: JSON.parse(held) as HeldCell[],
});

const sent = (read: ReadContent | ContentFault): SentRead | ContentFault =>
  read.ok ? { ...read, held: JSON.stringify(read.held), links: JSON.stringify(read.links) } : read;

/** Does the work of one order. */
export async function work(order: ContentOrder): Promise<ContentAnswers[ContentOrder['kind']]> {
  switch (order.kind) {
    case 'save': {
      const { before, ...rest } = order;
      return sent(readForSaving({ ...rest, before: before && { ...before, stored: opened(before.stored) } }));
    }
    case 'link':
      return sent(linkShapes({ ...order, stored: opened(order.stored) }));
    case 'hold': {
      const read = holdHidden({ ...order, stored: opened(order.stored) });
      return read.ok ? { ok: true, held: JSON.stringify(read.held) } : read;
    }
    case 'labels':
      return readLabels({ ...order, stored: opened(order.stored) });
    case 'generate':
      return await generate(order);
    case 'show':
      return show({ ...order, stored: opened(order.stored) });
  }
}
