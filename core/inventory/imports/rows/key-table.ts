import { hash } from 'node:crypto';

const FIRST_SLOTS = 1024;
/** Words of a digest that are compared: 128 bits, so that no two keys are ever equal by chance. */
const WORDS = 4;
/** Digest of the key that was given last. */
const digest = new Int32Array(WORDS);

function readDigest(key: string): void {
  const bytes = hash('sha256', key, 'binary');
  for (let word = 0; word < WORDS; word++) {
    const at = 4 * word;
    digest[word] =
      bytes.charCodeAt(at) |
      (bytes.charCodeAt(at + 1) << 8) |
      (bytes.charCodeAt(at + 2) << 16) |
      (bytes.charCodeAt(at + 3) << 24);
  }
}

/**
 * Numbers of rows by key. It takes 20 to 60 bytes a key, of any length, where a Map of strings takes a hundred and more: a
 * file may have three million keys.
 */
export class KeyTable {
  private size = 0;
  private digests = new Int32Array(WORDS * FIRST_SLOTS);
  /** 0 where the slot is free. */
  private rows = new Int32Array(FIRST_SLOTS);

  /** @returns 0 where the key is absent */
  get(key: string): number {
    readDigest(key);
    return this.rows[this.slot()]!;
  }

  /** @param row any number except 0 @returns the number that the key had before; 0 where it was absent */
  set(key: string, row: number): number {
    if (3 * this.size >= 2 * this.rows.length) this.grow();
    readDigest(key);
    const before = this.put(row);
    if (before === 0) this.size++;
    return before;
  }

  /** Stores a row with the digest. @returns as `set` */
  private put(row: number): number {
    const slot = this.slot();
    const before = this.rows[slot]!;
    if (before === 0) for (let word = 0; word < WORDS; word++) this.digests[WORDS * slot + word] = digest[word]!;
    this.rows[slot] = row;
    return before;
  }

  /** The slot of the digest, or the free one where it belongs. */
  private slot(): number {
    const { digests, rows } = this;
    const last = rows.length - 1;
    let slot = digest[0]! & last;
    while (rows[slot] !== 0) {
      const at = WORDS * slot;
      if (
        digests[at] === digest[0] &&
        digests[at + 1] === digest[1] &&
        digests[at + 2] === digest[2] &&
        digests[at + 3] === digest[3]
      )
        break;
      slot = (slot + 1) & last;
    }
    return slot;
  }

  private grow(): void {
    const { digests, rows } = this;
    this.digests = new Int32Array(2 * digests.length);
    this.rows = new Int32Array(2 * rows.length);
    for (let before = 0; before < rows.length; before++) {
      const row = rows[before]!;
      if (row === 0) continue;
      for (let word = 0; word < WORDS; word++) digest[word] = digests[WORDS * before + word]!;
      this.put(row);
    }
  }
}
