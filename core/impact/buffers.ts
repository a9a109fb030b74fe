/** Smaller ones cost nothing to make. */
const LEAST_BYTES = 256 * 1024;
/** Together kept for later, at most. */
const MOST_BYTES = 32 * 1024 * 1024;

/**
 * Memory of large answers, used again: to make megabytes for each has the garbage collector run every few answers,
 * and the system find new pages.
 */
export class Buffers {
  private readonly spare: Buffer[] = [];
  private kept = 0;

  /** Bytes kept for later. */
  get size(): number {
    return this.kept;
  }

  /** @returns a buffer of at least so many bytes, with anything in it */
  take(bytes: number): Buffer {
    if (bytes < LEAST_BYTES) return Buffer.allocUnsafeSlow(bytes);
    const found = this.spare.findIndex((buffer) => buffer.length >= bytes);
    if (found < 0) return Buffer.allocUnsafeSlow(2 ** Math.ceil(Math.log2(bytes)));
    const [buffer] = this.spare.splice(found, 1);
    this.kept -= buffer!.length;
    return buffer!;
  }

  /** Takes a buffer back that nobody looks at any more; it may be given once. */
  give(buffer: Buffer): void {
    if (buffer.length < LEAST_BYTES || this.kept + buffer.length > MOST_BYTES) return;
    this.spare.push(buffer);
    this.kept += buffer.length;
  }
}
