/** Bytes in memory of their own, which can be moved to another thread. */
export function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const own = new Uint8Array(bytes.length);
  own.set(bytes);
  return own;
}
