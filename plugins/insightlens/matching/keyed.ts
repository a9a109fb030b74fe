/** 32-bit hash (FNV-1a) of a text. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** Of a digit by which keys are sorted. */
const DIGIT = 2 ** 16;

/** Values by a numeric key, sorted by it, in flat arrays: tuples would take several times the memory. */
export class Keyed {
  private keys = new Float64Array(1 << 12);
  private values = new Uint32Array(1 << 12);
  private count = 0;

  push(key: number, value: number): void {
    if (this.count === this.keys.length) {
      const [keys, values] = [new Float64Array(this.count * 2), new Uint32Array(this.count * 2)];
      keys.set(this.keys);
      values.set(this.values);
      [this.keys, this.values] = [keys, values];
    }
    this.keys[this.count] = key;
    this.values[this.count++] = value;
  }

  /**
   * Sorts by key, in linear time: by digits of 16 bits from the lowest one. Keys are integers from 0. Values of one key stay in the order in
   * which they came. Call it once, after all were pushed.
   */
  sort(): this {
    let most = 0;
    for (let i = 0; i < this.count; i++) most = Math.max(most, this.keys[i]!);
    for (let unit = 1; unit <= most; unit *= DIGIT) this.sortBy(unit);
    return this;
  }

  private sortBy(unit: number): void {
    const { keys, values, count } = this;
    const digitOf = (i: number): number => Math.floor(keys[i]! / unit) % DIGIT;
    const places = new Uint32Array(DIGIT + 1);
    for (let i = 0; i < count; i++) places[digitOf(i) + 1]!++;
    for (let digit = 1; digit <= DIGIT; digit++) places[digit]! += places[digit - 1]!;
    [this.keys, this.values] = [new Float64Array(count), new Uint32Array(count)];
    for (let i = 0; i < count; i++) {
      const at = places[digitOf(i)]!++;
      this.keys[at] = keys[i]!;
      this.values[at] = values[i]!;
    }
  }

  /** The values of a key, none if there are more than `most`; after `sort`. */
  at(key: number, most = Number.POSITIVE_INFINITY): Uint32Array {
    const from = this.lowerBound(key);
    let to = from;
    while (to < this.count && to - from <= most && this.keys[to] === key) to++;
    return to - from > most ? this.values.subarray(0, 0) : this.values.subarray(from, to);
  }

  /** The values of each key; after `sort`. */
  *groups(): Generator<Uint32Array, void> {
    for (let from = 0; from < this.count; ) {
      let to = from + 1;
      while (to < this.count && this.keys[to] === this.keys[from]) to++;
      yield this.values.subarray(from, to);
      from = to;
    }
  }

  private lowerBound(key: number): number {
    let [low, high] = [0, this.count];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.keys[middle]! < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
