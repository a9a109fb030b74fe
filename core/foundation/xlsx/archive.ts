import { once } from 'node:events';
import { crc32, createDeflateRaw, type DeflateRaw } from 'node:zlib';
import type { AsyncFlateStreamHandler, Zip, ZipInputFile } from 'fflate';

const DEFLATE = 8;
/** Level 1 takes a third of the time of the default level, for files that are a fifth larger. */
const LEVEL = 1;
/** Without ZIP64, which fflate does not write, sizes and positions are numbers of 32 bits. */
const MAX_BYTES = 0xffffffff;
const NOTHING = new Uint8Array(0);

/** A file of the archive. It is compressed by zlib outside of the event loop, which fflate would do inside of it. */
class Entry implements ZipInputFile {
  readonly compression = DEFLATE;
  crc = 0;
  size = 0;
  ondata!: AsyncFlateStreamHandler;
  private readonly deflate: DeflateRaw = createDeflateRaw({ level: LEVEL });

  constructor(readonly filename: string) {
    this.deflate.on('data', (bytes: Buffer) => this.ondata(null, bytes as Uint8Array<ArrayBuffer>, false));
  }

  async write(text: string): Promise<void> {
    const bytes = Buffer.from(text);
    this.crc = crc32(bytes, this.crc);
    this.size += bytes.length;
    if (this.size > MAX_BYTES) throw new RangeError('a file of the archive has more than 4 GiB');
    if (!this.deflate.write(bytes)) await once(this.deflate, 'drain');
  }

  async end(): Promise<void> {
    this.deflate.end();
    await once(this.deflate, 'end');
    this.ondata(null, NOTHING, true);
  }

  destroy(): void {
    this.deflate.destroy();
  }
}

/** A ZIP archive that is written file by file. Its bytes are collected until they are taken. */
export class Archive {
  private readonly zip: Zip;
  private ready: Uint8Array[] = [];
  private bytes = 0;

  /** @param ZipClass that of fflate, which is loaded only when it is used */
  constructor(ZipClass: typeof Zip) {
    this.zip = new ZipClass((error, bytes) => {
      if (error) throw error;
      this.bytes += bytes.length;
      this.ready.push(bytes);
    });
  }

  /**
   * Adds a file.
   * @param pieces its text
   * @returns an iteration that yields bytes of the archive, and returns what `pieces` returns
   * @throws RangeError where it becomes too large for an archive
   */
  async *file<R>(
    name: string,
    pieces: AsyncGenerator<string, R> | Generator<string, R>,
  ): AsyncGenerator<Uint8Array, R> {
    const entry = new Entry(name);
    try {
      this.zip.add(entry);
      let next = await pieces.next();
      for (; !next.done; next = await pieces.next()) {
        await entry.write(next.value);
        yield* this.take();
      }
      await entry.end();
      if (this.bytes > MAX_BYTES) throw new RangeError('the archive has more than 4 GiB');
      yield* this.take();
      return next.value;
    } finally {
      entry.destroy();
      // Ends the reading of the rows where the archive is not read to its end.
      await pieces.return(undefined as R);
    }
  }

  /** Ends the archive. @returns its last bytes */
  end(): Uint8Array[] {
    this.zip.end();
    return this.take();
  }

  private take(): Uint8Array[] {
    const { ready } = this;
    this.ready = [];
    return ready;
  }
}
