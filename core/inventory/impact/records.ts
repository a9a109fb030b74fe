const HEX = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** Load factor of the index when it is created, and at which it counts as full. */
const ROOMY = 0.6;
const FULL = 0.85;
/** The largest array of 32-bit integers that every platform supports. */
const MOST_SLOTS = 2 ** 29;

/** A UUID as four 32-bit words, as stored in a record; ordered by the unsigned words. */
export type Id = readonly [number, number, number, number];

/** @throws where the text is not a UUID in lower case */
export function idOf(uuid: string): Id {
  if (!HEX.test(uuid)) throw new Error(`${JSON.stringify(uuid)} is no UUID`);
  const hex = uuid.replaceAll('-', '');
  const word = (n: number): number => Number.parseInt(hex.slice(n * 8, n * 8 + 8), 16) | 0;
  return [word(0), word(1), word(2), word(3)];
}

/**
 * Fixed-size integer records that begin with a UUID: one array, and a hash index with open addressing. A record is
 * identified by its number, from 1 on; 0 means none. The capacity is fixed: see `isFull`.
 */
export class Records {
  /** Field f of record n is at `n * stride + f`; fields 0 to 3 are the id. */
  readonly data: Int32Array;
  private readonly index: Int32Array;
  private readonly mask: number;
  private readonly shift: number;
  private readonly most: number;
  private high = 0;
  private free = 0;
  private live = 0;

  /** @param expected initial number of records; the capacity is at least two fifths more */
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
    // Memory that is never written is not allocated by the operating system.
    this.index = new Int32Array(2 ** bits);
    this.data = new Int32Array((this.most + 1) * stride);
  }

  get size(): number {
    return this.live;
  }

  /** The highest number assigned so far. */
  get last(): number {
    return this.high;
  }

  get isFull(): boolean {
    return this.free === 0 && this.high >= this.most;
  }

  /** Approximate bytes in use: the whole index, and the records up to the highest number. */
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

  /** Adds a record with a new id; all other fields are zero. @returns its number */
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

  /** Removes a record. @param isReusable whether its number may be reused */
  remove(n: number, isReusable: boolean): void {
    const { data, index, mask, stride } = this;
    const i = n * stride;
    let hole = this.home(data[i + 2]!, data[i + 3]!);
    while (index[hole] !== n) hole = (hole + 1) & mask;
    // Backward-shift deletion: following entries move into the hole unless this would put them before their home slot.
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

  /** Negative where record n has the lower id, in PostgreSQL's order. */
  compare(n: number, m: number): number {
    const { data, stride } = this;
    for (let i = n * stride, j = m * stride, end = i + 4; i < end; i++, j++) {
      if (data[i] !== data[j]) return (data[i]! >>> 0) - (data[j]! >>> 0);
    }
    return 0;
  }

  /**
   * Hash of the last two words of the id, which are random in version 7; mixed, because other versions have their
   * random bits elsewhere.
   */
  private home(c: number, d: number): number {
    return Math.imul(d ^ Math.imul(c, 0x85eb_ca6b), 0x9e37_79b1) >>> this.shift;
  }
}
