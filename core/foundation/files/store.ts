import { createHash } from 'node:crypto';
import type { Database } from '../db/database.js';
import type { UnitOfWork } from '../db/unit-of-work.js';
import type { Storage } from '../db/storage.js';
import { problem } from '../errors.js';
import { uuidv7 } from '../ids.js';
import { cleanFiles, completeFile, deleteFile, insertChunk, insertFile, keepFiles, readChunk } from './repository.js';

export interface StoredFile {
  id: string;
  /** In bytes. */
  size: number;
  sha256: Buffer;
}

interface WriteOptions {
  /** A longer file is rejected. */
  maxBytes: number;
  createdBy: string | null;
  /** Hours after which the file may be deleted; never when absent. */
  keepHours?: number | undefined;
  /** The module that stores the file, and which alone may read and delete it; the core when absent. */
  module?: string | undefined;
}

/** Small enough to keep a few chunks in memory per upload, large enough that round trips do not dominate. */
const CHUNK_BYTES = 1_048_576;

/** Stores files in the database, in chunks: every node can read them, and none is held in memory as a whole. */
export class FileStore {
  constructor(
    private readonly db: Database,
    private readonly storage: Pick<Storage, 'demand' | 'failed'>,
  ) {}

  /**
   * Stores a stream as it arrives; deletes the stored part when the upload fails.
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
      // If the database is not reachable, the file is deleted when it expires.
      await this.remove(id, undefined, module).catch(() => undefined);
      throw error;
    }
  }

  /**
   * The bytes of a file, chunk by chunk; none where it does not exist. @param module the file's owner; the core when
   * absent
   */
  async *read(id: string, module?: string): AsyncGenerator<Buffer> {
    for (let n = 0; ; n++) {
      const bytes = await readChunk(this.db, id, n, module ?? null);
      if (!bytes) return;
      yield bytes;
    }
  }

  /**
   * Removes the expiry time of files once the transaction that uses them commits. @param module the files' owner; the
   * core when absent
   */
  async keep(ids: readonly string[], uow: UnitOfWork, module?: string): Promise<void> {
    await keepFiles(uow, ids, module ?? null);
  }

  /**
   * Deletes a file; a missing file is not an error. @param uow deletes it within this transaction @param module the
   * file's owner; the core when absent
   */
  async remove(id: string, uow?: UnitOfWork, module?: string): Promise<void> {
    await deleteFile(uow ?? this.db, id, module ?? null);
  }

  /** Deletes expired files. @returns their number */
  async clean(): Promise<number> {
    return await cleanFiles(this.db);
  }
}
