/** In a process of the platform: renders documents, one order after another. */
import { answerOrders } from '@lintel/sdk/drawing';
import { renderDocx } from './docx.js';
import { renderHtml } from './html.js';
import { renderMarkdown } from './markdown.js';
import type { Order } from './renderings.js';

answerOrders<Order, Uint8Array<ArrayBuffer>>(async ({ kind, doc }) => {
  if (kind === 'docx') return await renderDocx(doc);
  return new Uint8Array(new TextEncoder().encode(kind === 'md' ? renderMarkdown(doc) : renderHtml(doc)));
});
