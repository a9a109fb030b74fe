/** Renders documents in another process, so that no other request waits for it. */
import { WorkerQueue, WorkerQueueError, type OrderedBy } from '@lintel/sdk/drawing';
import type { RenderedDocument } from './model.js';

export { WorkerQueueError };

/** The formats of a rendition. */
export type RenditionKind = 'docx' | 'md' | 'html';

/** What the process is asked for. */
export interface Order {
  kind: RenditionKind;
  doc: RenderedDocument;
}

/** Time for one document in milliseconds; the largest ones take a fraction of it. */
const LIMIT_MS = 30_000;

/** Renders documents. */
export class Renderings {
  readonly #queue: WorkerQueue<Order, Uint8Array<ArrayBuffer>>;

  constructor(options: { limitMs?: number } = {}) {
    const script = new URL('./worker.js', import.meta.url);
    this.#queue = new WorkerQueue({ script, limitMs: LIMIT_MS, ...options });
  }

  /**
   * The bytes of a document as a file; the same for the same document.
   * @throws WorkerQueueError `timeout` and `failed` are the fault of the document; the others may succeed later
   */
  async render(kind: RenditionKind, doc: RenderedDocument, by?: OrderedBy): Promise<Buffer> {
    const { buffer, byteOffset, byteLength } = await this.#queue.run({ kind, doc }, by);
    return Buffer.from(buffer, byteOffset, byteLength);
  }

  /** Ends the processes; orders that are under way fail. */
  async close(): Promise<void> {
    await this.#queue.close();
  }
}
