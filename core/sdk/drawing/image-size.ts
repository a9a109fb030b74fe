/** Width and height of images by their first bytes, before anything is decoded. */

/** Pixels of a side: a file that states more is damaged. */
const MAX_SIDE = 10_000;
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const IHDR = Buffer.from('\0\0\0\rIHDR', 'latin1');

/** PNG, third edition, 11.2.1: the first chunk states the size. */
function pngSize(bytes: Buffer): [number, number] | undefined {
  const isPng = bytes.length > 33 && bytes.subarray(0, 8).equals(SIGNATURE) && bytes.subarray(8, 16).equals(IHDR);
  return isPng ? [bytes.readUInt32BE(16), bytes.readUInt32BE(20)] : undefined;
}

/**
 * ITU-T T.81, B.2.2: the header of the frame states the size. Anything before it that is not a segment with a length is refused: a decoder
 * may skip it in another way, and find another header.
 */
function jpegSize(bytes: Buffer): [number, number] | undefined {
  const u16 = (at: number): number => bytes.readUInt16BE(at);
  if (bytes.length < 4 || u16(0) !== 0xffd8) return undefined;
  for (let at = 2; at + 9 < bytes.length; at += 2 + u16(at + 2)) {
    const kind = bytes[at + 1]!;
    const isSegment = bytes[at] === 0xff && kind >= 0xc0 && kind !== 0xff && (kind < 0xd0 || kind > 0xda);
    if (!isSegment || u16(at + 2) < 2) return undefined;
    const isFrame = kind <= 0xcf && kind !== 0xc4 && kind !== 0xc8 && kind !== 0xcc;
    if (isFrame) return [u16(at + 7), u16(at + 5)];
  }
  return undefined;
}

/** An image that can be drawn. */
export interface ImageHeader {
  type: 'png' | 'jpeg';
  /** Pixels. */
  width: number;
  height: number;
}

/** The type and size of an image by its header; undefined for anything but PNG and JPEG, and where a side has no or more than 10,000 pixels. */
export function imageHeader({ buffer, byteOffset, byteLength }: Uint8Array): ImageHeader | undefined {
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  const png = pngSize(bytes);
  const [width, height] = png ?? jpegSize(bytes) ?? [0, 0];
  const isReasonable = Math.min(width, height) >= 1 && Math.max(width, height) <= MAX_SIDE;
  return isReasonable ? { type: png ? 'png' : 'jpeg', width, height } : undefined;
}
