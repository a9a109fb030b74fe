const FIRST_BYTES = 64 * 1024;
const GROWTH = 1.5;
/** Names that were changed leave their old bytes behind: all are moved together when these are the greater part. */
const WASTE_SHARE = 0.5;
const QUOTE = 34;
const BACKSLASH = 92;
const FIRST_PRINTABLE = 32;

const viewOf = ({ buffer, byteOffset, length }: Buffer): DataView => new DataView(buffer, byteOffset, length);

/** Names as JSON texts in UTF-8, without their quotes, one behind the other. */
export class Names {
  bytes = Buffer.allocUnsafeSlow(FIRST_BYTES);
  /** The same bytes, to be read as numbers. */
  view = viewOf(this.bytes);
  private end = 0;
  private wasted = 0;

  get size(): number {
    return this.bytes.length;
  }

  /** Whether it is worth while to copy what is in use into new ones. */
  get isWasteful(): boolean {
    return this.wasted > FIRST_BYTES && this.wasted > this.end * WASTE_SHARE;
  }

  /** @returns where it begins */
  add(name: string): number {
    return this.addJson(Buffer.from(JSON.stringify(name).slice(1, -1)));
  }

  /** The same of UTF-8. @returns where it begins */
  addRaw(source: Buffer, from: number, to: number): number {
    for (let i = from; i < to; i++) {
      const byte = source[i]!;
      if (byte < FIRST_PRINTABLE || byte === QUOTE || byte === BACKSLASH)
        return this.add(source.toString('utf8', from, to));
    }
    return this.addJson(source.subarray(from, to));
  }

  /** Bytes of the name added last, where that began at `start`. */
  lengthFrom(start: number): number {
    return this.end - start;
  }

  /** A name is used no more. @param length its bytes */
  drop(length: number): void {
    this.wasted += length;
  }

  /** The same of what is JSON text already. @returns where it begins */
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
