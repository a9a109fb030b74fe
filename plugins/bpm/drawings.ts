/** Reads, compares and draws files in another process, so that no other request waits for it. */
import { WorkerQueue, WorkerQueueError, type OrderedBy } from '@lintel/sdk/drawing';
import type { Answer, DiffAnswer, DrawnFacts, DrawOptions, Order, ReadAnswer } from './orders.js';

export type { DiffAnswer, DrawOptions, ReadAnswer } from './orders.js';

/**
 * Time for one order in milliseconds; a file that needs more is refused. An image of 5,000 labels takes 1 s of processor time, 3 s
 * with a script that is set with the whole font, and other work may share the machine.
 */
const LIMIT_MS = 20_000;
/** Memory for JavaScript in MB: what files of 50,000 elements need. */
const MEMORY_MB = 512;
/** Changes of each kind in an answer. */
const MOST_CHANGES = 1_000;

/** A drawing as a file. */
export interface Drawn extends DrawnFacts {
  /** SVG in UTF-8, or PNG. */
  content: Buffer;
}

/**
 * What is done with the bytes of files. All methods throw a `WorkerQueueError`: `timeout` and `failed` are the fault of
 * the file; the others may succeed later.
 */
export class Drawings {
  readonly #queue: WorkerQueue<Order, Answer>;

  constructor(options: { limitMs?: number } = {}) {
    const script = new URL('./worker.js', import.meta.url);
    this.#queue = new WorkerQueue({ script, limitMs: LIMIT_MS, memoryMb: MEMORY_MB, ...options });
  }

  /** The content and the problems of a file, or why it is refused. */
  async read(file: Uint8Array, by?: OrderedBy): Promise<ReadAnswer> {
    return (await this.#run({ kind: 'read', file }, by)).read!;
  }

  /** What has become different between two files that were read before; a thousand changes of each kind at most. */
  async diff(before: Uint8Array, after: Uint8Array, by?: OrderedBy): Promise<DiffAnswer> {
    return (await this.#run({ kind: 'diff', before, after, limit: MOST_CHANGES }, by)).diff!;
  }

  /** A diagram of a file that was read before, as SVG or PNG; undefined if the file has no such diagram. */
  async draw(file: Uint8Array, options: DrawOptions, by?: OrderedBy): Promise<Drawn | undefined> {
    const { content, drawn } = await this.#run({ kind: 'draw', file, options }, by);
    return content && drawn && { ...drawn, content: asBuffer(content) };
  }

  /** The file of a process of which only the name is known. */
  async blank(name: string, by?: OrderedBy): Promise<Buffer> {
    return asBuffer((await this.#run({ kind: 'blank', name }, by)).content!);
  }

  /** Ends the processes; orders that are under way fail. */
  async close(): Promise<void> {
    await this.#queue.close();
  }

  async #run(order: Order, by: OrderedBy | undefined): Promise<Answer> {
    return await this.#queue.run(order, by);
  }
}

export { WorkerQueueError };

const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);
