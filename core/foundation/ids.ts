import { randomFillSync } from 'node:crypto';

const POOL = Buffer.alloc(4096);
let used = POOL.length;
let lastMs = 0;
let counter = 0;

const HEX = Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, '0'));
const hex = (n: number): string => HEX[n & 255]!;

/**
 * A UUID version 7 (RFC 9562, section 5.7): 48 bits of Unix milliseconds, then a 12-bit counter (method 1 of
 * section 6.2) so that ids made by one process within a millisecond keep their order, then 62 random bits.
 */
export function uuidv7(): string {
  const now = Date.now();
  if (now > lastMs) {
    lastMs = now;
    counter = 0;
  } else if (++counter > 0xfff) {
    lastMs++;
    counter = 0;
  }
  if (used + 8 > POOL.length) {
    randomFillSync(POOL);
    used = 0;
  }
  const r = used;
  used += 8;
  const high = Math.floor(lastMs / 0x1_0000);
  const low = lastMs & 0xffff;
  return (
    hex(high >>> 24) +
    hex(high >>> 16) +
    hex(high >>> 8) +
    hex(high) +
    '-' +
    hex(low >>> 8) +
    hex(low) +
    '-7' +
    (counter >>> 8).toString(16) +
    hex(counter) +
    '-' +
    hex((POOL[r]! & 0x3f) | 0x80) +
    hex(POOL[r + 1]!) +
    '-' +
    hex(POOL[r + 2]!) +
    hex(POOL[r + 3]!) +
    hex(POOL[r + 4]!) +
    hex(POOL[r + 5]!) +
    hex(POOL[r + 6]!) +
    hex(POOL[r + 7]!)
  );
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text is a UUID of any version. */
export const isUuid = (text: string): boolean => UUID.test(text);
