const FIRST_BYTES = 64 * 1024;
const GROWTH = 1.5;
/** Changed names leave unused bytes: the buffer is compacted when these are the larger part. */
const WASTE_SHARE = 0.5;
const QUOTE = 34;
const BACKSLASH = 92;
const FIRST_PRINTABLE = 32;

const viewOf = ({ buffer, byteOffset, length }: Buffer): DataView => new DataView(buffer, byteOffset, length);

/** Names as JSON texts in UTF-8, without quotes, stored consecutively. */
export class Names {
  bytes = Buffer.allocUnsafeSlow(FIRST_BYTES);
  /** A view of the same bytes, for reading as integers. */
  view = viewOf(this.bytes);
  private end = 0;
  private wasted = 0;

  get size(): number {
    return this.bytes.length;
  }

  /** Whether compacting is worthwhile. */
  get isWasteful(): boolean {
    return this.wasted > FIRST_BYTES && this.wasted > this.end * WASTE_SHARE;
  }

  /** @returns offset of the name */
  add(name: string): number {
    return this.addJson(Buffer.from(JSON.stringify(name).slice(1, -1)));
  }

  /** The same for UTF-8 bytes. @returns offset of the name */
  addRaw(source: Buffer, from: number, to: number): number {
    for (let i = from; i < to; i++) {
      const byte = source[i]!;
      if (byte < FIRST_PRINTABLE || byte === QUOTE || byte === BACKSLASH)
        return this.add(source.toString('utf8', from, to));
    }
    return this.addJson(source.subarray(from, to));
  }

  /** Length in bytes of the last name, which begins at `start`. */
  lengthFrom(start: number): number {
    return this.end - start;
  }

  /** Marks a name as unused. @param length its length in bytes */
  drop(length: number): void {
    this.wasted += length;
  }

  /** The same for text that is already JSON. @returns offset of the name */
  addJson(name: Uint8Array): number {
    const start = this.end;
    if (start + name.length > this.bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.ceil((start + name.length) * GROWTH));
      larger.set(this.bytes.subarray(0, start));
      this.bytes = larger;
      this.view = viewOf(larger);
    }
    this.bytes.set(name, start);
    this.end = start + name.length;
    return start;
  }
}
