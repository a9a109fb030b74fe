import { createHash } from 'node:crypto';
import type { Database } from '../db/database.js';
import type { UnitOfWork } from '../db/unit-of-work.js';
import type { Storage } from '../db/storage.js';
import { problem } from '../errors.js';
import { uuidv7 } from '../ids.js';
import { cleanFiles, completeFile, deleteFile, insertChunk, insertFile, keepFile, readChunk } from './repository.js';

export interface StoredFile {
  id: string;
  /** Bytes. */
  size: number;
  sha256: Buffer;
}

export interface WriteOptions {
  /** A longer file is refused. */
  maxBytes: number;
  createdBy: string | null;
  /** After so many hours it may be cleaned up; never when absent. */
  keepHours?: number | undefined;
  /** The module that stores it, which alone may read and remove it; the core when absent. */
  module?: string | undefined;
}

/** Small enough to hold a few of them for every upload, large enough that round trips do not count. */
const CHUNK_BYTES = 1_048_576;

/** Files in the database, in chunks, so that every node has them and none is ever in memory whole. */
export class FileStore {
  constructor(
    private readonly db: Database,
    private readonly storage: Pick<Storage, 'demand' | 'failed'>,
  ) {}

  /**
   * Stores a stream as it arrives; nothing of it stays where it fails.
   * @throws payload_too_large past `maxBytes`, storage_full; what the stream throws
   */
  async write(
    stream: AsyncIterable<Buffer>,
    { maxBytes, createdBy, keepHours, module }: WriteOptions,
  ): Promise<StoredFile> {
    const id = uuidv7();
    const hash = createHash('sha256');
    let size = 0;
    let n = 0;
    let held: Buffer[] = [];
    let heldBytes = 0;
    const flush = async (): Promise<void> => {
      if (heldBytes === 0) return;
      this.storage.demand({});
      await insertChunk(this.db, id, n++, Buffer.concat(held, heldBytes));
      held = [];
      heldBytes = 0;
    };
    this.storage.demand({});
    await insertFile(this.db, id, createdBy, keepHours ?? null, module ?? null);
    try {
      for await (const bytes of stream) {
        size += bytes.length;
        if (size > maxBytes)
          throw problem('payload_too_large', { detail: `The file has more than ${maxBytes} bytes.` });
        hash.update(bytes);
        held.push(bytes);
        heldBytes += bytes.length;
        if (heldBytes >= CHUNK_BYTES) await flush();
      }
      await flush();
      const sha256 = hash.digest();
      await completeFile(this.db, id, size, sha256);
      return { id, size, sha256 };
    } catch (error) {
      this.storage.failed(error);
      // Where the database is away it expires instead.
      await this.remove(id, undefined, module).catch(() => undefined);
      throw error;
    }
  }

  /** The bytes of a file, chunk by chunk; none where it is gone. @param module whose it is; the core's when absent */
  async *read(id: string, module?: string): AsyncGenerator<Buffer> {
    for (let n = 0; ; n++) {
      const bytes = await readChunk(this.db, id, n, module ?? null);
      if (!bytes) return;
      yield bytes;
    }
  }

  /** Has a file that was to expire stay, once the transaction that makes use of it commits. */
  async keep(id: string, uow: UnitOfWork): Promise<void> {
    await keepFile(uow, id);
  }

  /** Deletes a file; one that is gone already is no fault. @param uow deletes it as part of this @param module whose it is; the core's when absent */
  async remove(id: string, uow?: UnitOfWork, module?: string): Promise<void> {
    await deleteFile(uow ?? this.db, id, module ?? null);
  }

  /** Deletes what is past its time. @returns how many */
  async clean(): Promise<number> {
    return await cleanFiles(this.db);
  }
}
