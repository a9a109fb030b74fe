const HEX = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** Share of the index that is in use where it is made, and where it counts as full. */
const ROOMY = 0.6;
const FULL = 0.85;
/** The largest array of 4-byte numbers that every platform gives. */
const MOST_SLOTS = 2 ** 29;

/** A UUID as four words, as they stand in a record: its order is that of the words taken as unsigned. */
export type Id = readonly [number, number, number, number];

/** @throws where the text is no UUID in lower case */
export function idOf(uuid: string): Id {
  if (!HEX.test(uuid)) throw new Error(`${JSON.stringify(uuid)} is no UUID`);
  const hex = uuid.replaceAll('-', '');
  const word = (n: number): number => Number.parseInt(hex.slice(n * 8, n * 8 + 8), 16) | 0;
  return [word(0), word(1), word(2), word(3)];
}

/**
 * Records of numbers that begin with a UUID, found by it: one array, and an index by open addressing beside it. A
 * record is told by its number, from 1 on, so that 0 can mean none. Nothing grows: `isFull` says when there is no room.
 */
export class Records {
  /** Field f of record n stands at `n * stride + f`; fields 0 to 3 are the id. */
  readonly data: Int32Array;
  private readonly index: Int32Array;
  private readonly mask: number;
  private readonly shift: number;
  private readonly most: number;
  private high = 0;
  private free = 0;
  private live = 0;

  /** @param expected how many records there are to begin with; there is room for at least two fifths more */
  constructor(
    readonly stride: number,
    expected: number,
    least: number,
  ) {
    let bits = 4;
    while (2 ** bits * ROOMY < Math.max(expected, least)) bits++;
    this.mask = 2 ** bits - 1;
    this.shift = 32 - bits;
    this.most = Math.floor(2 ** bits * FULL);
    if (this.most * stride > MOST_SLOTS) throw new RangeError(`${expected} records are too many`);
    // Memory that is never touched is never taken from the system.
    this.index = new Int32Array(2 ** bits);
    this.data = new Int32Array((this.most + 1) * stride);
  }

  get size(): number {
    return this.live;
  }

  /** The highest number given so far. */
  get last(): number {
    return this.high;
  }

  get isFull(): boolean {
    return this.free === 0 && this.high >= this.most;
  }

  /** Bytes in use, about: the index is touched everywhere, the records as far as they go. */
  get bytes(): number {
    return 4 * (this.index.length + (this.high + 1) * this.stride);
  }

  /** @returns the number of the record; 0 where there is none */
  find(a: number, b: number, c: number, d: number): number {
    const { data, index, mask, stride } = this;
    for (let at = this.home(c, d); ; at = (at + 1) & mask) {
      const n = index[at]!;
      if (n === 0) return 0;
      const i = n * stride;
      if (data[i + 3] === d && data[i + 2] === c && data[i + 1] === b && data[i] === a) return n;
    }
  }

  /** Makes a record, all zero beside its id, which no other has. @returns its number */
  add(a: number, b: number, c: number, d: number): number {
    const { data, index, mask, stride } = this;
    if (this.isFull) throw new RangeError('there is no room for another record');
    let n = this.free;
    if (n === 0) n = ++this.high;
    else this.free = data[n * stride]!;
    const i = n * stride;
    data[i] = a;
    data[i + 1] = b;
    data[i + 2] = c;
    data[i + 3] = d;
    let at = this.home(c, d);
    while (index[at] !== 0) at = (at + 1) & mask;
    index[at] = n;
    this.live++;
    return n;
  }

  /** Takes a record out. @param isReusable whether its number may be given to another */
  remove(n: number, isReusable: boolean): void {
    const { data, index, mask, stride } = this;
    const i = n * stride;
    let hole = this.home(data[i + 2]!, data[i + 3]!);
    while (index[hole] !== n) hole = (hole + 1) & mask;
    // What stands behind the hole moves into it, unless it would come before its home.
    for (let at = (hole + 1) & mask; index[at] !== 0; at = (at + 1) & mask) {
      const other = index[at]! * stride;
      if (((at - this.home(data[other + 2]!, data[other + 3]!)) & mask) < ((at - hole) & mask)) continue;
      index[hole] = index[at]!;
      hole = at;
    }
    index[hole] = 0;
    this.live--;
    data.fill(0, i, i + stride);
    if (!isReusable) return;
    data[i] = this.free;
    this.free = n;
  }

  /** Less than 0 where record n has the lower id, as PostgreSQL sorts them. */
  compare(n: number, m: number): number {
    const { data, stride } = this;
    for (let i = n * stride, j = m * stride, end = i + 4; i < end; i++, j++) {
      if (data[i] !== data[j]) return (data[i]! >>> 0) - (data[j]! >>> 0);
    }
    return 0;
  }

  /** The random part of an id is all that is needed; mixed, since other versions of UUIDs are random elsewhere. */
  private home(c: number, d: number): number {
    return Math.imul(d ^ Math.imul(c, 0x85eb_ca6b), 0x9e37_79b1) >>> this.shift;
  }
}
