/** 32-bit hash (FNV-1a) of a text. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

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

  /** Sorts by key; values of one key stay in the order in which they came. Call it once, after all were pushed. */
  sort(): this {
    const { keys, values, count } = this;
    const order = Uint32Array.from({ length: count }, (_, i) => i).sort((x, y) => keys[x]! - keys[y]! || x - y);
    this.keys = Float64Array.from(order, (i) => keys[i]!);
    this.values = Uint32Array.from(order, (i) => values[i]!);
    return this;
  }

  /** The values of a key, none if there are more than `most`; after `sort`. */
  at(key: number, most = Number.POSITIVE_INFINITY): Uint32Array {
    const from = this.lowerBound(key);
    let to = from;
    while (to < this.count && to - from <= most && this.keys[to] === key) to++;
    return to - from > most ? this.values.subarray(0, 0) : this.values.subarray(from, to);
  }

  /** Calls for the values of each key; after `sort`. */
  forEach(each: (values: Uint32Array) => void): void {
    for (let from = 0; from < this.count; ) {
      let to = from + 1;
      while (to < this.count && this.keys[to] === this.keys[from]) to++;
      each(this.values.subarray(from, to));
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
