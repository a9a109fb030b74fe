/** Renders documents in a thread, so that no other request waits for it. */
import { WorkerQueue, WorkerQueueError } from '@lintel/sdk/drawing';
import type { RenderedDocument } from './model.js';

export { WorkerQueueError };

/** The formats of a rendition. */
export type RenditionKind = 'docx' | 'md' | 'html';

/** What the thread is asked for. */
export interface Order {
  kind: RenditionKind;
  doc: RenderedDocument;
}

/** Time for one document in milliseconds; the largest ones take a fraction of it. */
const LIMIT_MS = 30_000;

/** The thread that renders documents. */
export class Renderings {
  readonly #queue: WorkerQueue<Order, Uint8Array<ArrayBuffer>>;

  constructor(options: { limitMs?: number } = {}) {
    const script = new URL('./worker.js', import.meta.url);
    this.#queue = new WorkerQueue({ script, limitMs: LIMIT_MS, ...options });
  }

  /**
   * The bytes of a document as a file; the same for the same document.
   * @throws WorkerQueueError `busy` and `closed` may succeed later; `timeout` and `failed` are the fault of the document
   */
  async render(kind: RenditionKind, doc: RenderedDocument): Promise<Buffer> {
    const { buffer, byteOffset, byteLength } = await this.#queue.run({
      kind,
      doc: { ...doc, logo: ownLogo(doc.logo) },
    });
    return Buffer.from(buffer, byteOffset, byteLength);
  }

  /** Ends the thread; orders that are under way fail. */
  async close(): Promise<void> {
    await this.#queue.close();
  }
}

/** A buffer of Node.js can be a part of a much larger one, all of which would be copied to the thread. */
const ownLogo = (logo: RenderedDocument['logo']): RenderedDocument['logo'] =>
  logo && { ...logo, bytes: new Uint8Array(logo.bytes) };
