/** The work on the content of diagrams in the worker, by the kind of the order. */
import { generate } from './generate.js';
import { readLabels } from './labels.js';
import type { ContentAnswers, ContentOrder } from './orders.js';
import { holdHidden, linkShapes, readForSaving } from './save.js';
import { show } from './show.js';

/** Does the work of one order. */
export async function work(order: ContentOrder): Promise<ContentAnswers[ContentOrder['kind']]> {
  switch (order.kind) {
    case 'save':
      return readForSaving(order);
    case 'link':
      return linkShapes(order);
    case 'hold':
      return holdHidden(order);
    case 'labels':
      return readLabels(order);
    case 'generate':
      return await generate(order);
    case 'show':
      return show(order);
  }
}
