const UUID_LENGTH = 36;
/** Length of a UUID in quotation marks. */
export const QUOTED = UUID_LENGTH + 2;
const QUOTE = 34;
const HYPHEN = 45;
const WORD = 4;
/** The two hexadecimal digits of each byte as one number, the first digit in the lower byte. */
const HEX = Uint16Array.from({ length: 256 }, (_, byte) => {
  const digits = byte.toString(16).padStart(2, '0');
  return digits.charCodeAt(0) | (digits.charCodeAt(1) << 8);
});

/** A frequently written text as 32-bit words; the last one may be padded. */
export class Piece {
  readonly length: number;
  readonly words: Int32Array;

  /** @param texts parts to concatenate */
  constructor(...texts: (string | Buffer)[]) {
    const bytes = Buffer.concat(texts.map((text) => (typeof text === 'string' ? Buffer.from(text) : text)));
    this.length = bytes.length;
    const padded = Buffer.alloc(Math.ceil(bytes.length / WORD) * WORD);
    padded.set(bytes);
    this.words = Int32Array.from({ length: padded.length / WORD }, (_, i) => padded.readInt32LE(i * WORD));
  }
}

/**
 * Builds a response in one buffer, writing 32-bit words: the pieces are too short for memcpy calls, and too many for
 * single bytes.
 */
export class Writer {
  private readonly view: DataView;
  private readonly bytes: Buffer;
  at = 0;

  /** @param size maximum number of bytes */
  constructor(size: number) {
    // Whole words may be written beyond the end.
    this.bytes = Buffer.allocUnsafeSlow(size + WORD);
    this.view = new DataView(this.bytes.buffer, this.bytes.byteOffset, this.bytes.length);
  }

  byte(value: number): void {
    this.view.setUint8(this.at++, value);
  }

  put({ words, length }: Piece): void {
    const { view, at } = this;
    // The padding of the last word is overwritten by the next write.
    for (let i = 0; i < words.length; i++) view.setInt32(at + i * WORD, words[i]!, true);
    this.at = at + length;
  }

  /** Copies a range of other bytes. */
  copy(source: DataView, from: number, length: number): void {
    const { view, at } = this;
    const whole = length - (length % WORD);
    for (let i = 0; i < whole; i += WORD) view.setInt32(at + i, source.getInt32(from + i, true), true);
    for (let i = whole; i < length; i++) view.setUint8(at + i, source.getUint8(from + i));
    this.at = at + length;
  }

  /** Repeats a range that was written before. */
  again(from: number, length: number): void {
    this.bytes.copyWithin(this.at, from, from + length);
    this.at += length;
  }

  /** The id at the beginning of a record, in quotes. */
  uuid(data: Int32Array, i: number): void {
    const { view, at } = this;
    const [a, b, c, d] = [data[i]!, data[i + 1]!, data[i + 2]!, data[i + 3]!];
    view.setUint8(at, QUOTE);
    view.setInt32(at + 1, half(a >>> 16), true);
    view.setInt32(at + 5, half(a & 0xffff), true);
    view.setUint8(at + 9, HYPHEN);
    view.setInt32(at + 10, half(b >>> 16), true);
    view.setUint8(at + 14, HYPHEN);
    view.setInt32(at + 15, half(b & 0xffff), true);
    view.setUint8(at + 19, HYPHEN);
    view.setInt32(at + 20, half(c >>> 16), true);
    view.setUint8(at + 24, HYPHEN);
    view.setInt32(at + 25, half(c & 0xffff), true);
    view.setInt32(at + 29, half(d >>> 16), true);
    view.setInt32(at + 33, half(d & 0xffff), true);
    view.setUint8(at + 37, QUOTE);
    this.at = at + QUOTED;
  }

  /** The bytes written. */
  end(): Buffer {
    return this.bytes.subarray(0, this.at);
  }
}

/** 16 bits as four hexadecimal digits. */
function half(value: number): number {
  return HEX[value >>> 8]! | (HEX[value & 0xff]! << 16);
}
