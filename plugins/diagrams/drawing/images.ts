/** Images inside of drawings: only those embedded in the file, and only what their bytes say they are. */

/** Characters of Base64 of one image, and px of a side. */
const MAX_LENGTH = 7_000_000;
const MAX_SIDE = 10_000;

const u16 = (bytes: Buffer, at: number): number => (at + 2 <= bytes.length ? bytes.readUInt16BE(at) : 0);

/** Width and height of a PNG by its first chunk. */
function pngSize(bytes: Buffer): [number, number] | undefined {
  const isPng = bytes.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]));
  return isPng && bytes.length > 33 ? [bytes.readUInt32BE(16), bytes.readUInt32BE(20)] : undefined;
}

/** Width and height of a JPEG by its start of frame. */
function jpegSize(bytes: Buffer): [number, number] | undefined {
  if (u16(bytes, 0) !== 0xffd8) return undefined;
  for (let at = 2, steps = 0; at + 9 < bytes.length && steps < 1_000; steps++) {
    if (bytes[at] !== 0xff) return undefined;
    const kind = bytes[at + 1]!;
    const isFrame = kind >= 0xc0 && kind <= 0xcf && kind !== 0xc4 && kind !== 0xc8 && kind !== 0xcc;
    if (isFrame) return [u16(bytes, at + 7), u16(bytes, at + 5)];
    at += 2 + u16(bytes, at + 2);
  }
  return undefined;
}

const isReasonable = (size: [number, number] | undefined): boolean =>
  size !== undefined && size.every((side) => side > 0 && side <= MAX_SIDE);

/**
 * The address of an embedded PNG or JPEG as SVG understands it.
 * @param address `data:image/png,<Base64>` as draw.io writes it, or with `;base64`
 * @returns undefined for any other image, and where the bytes are not what the address says
 */
export function embeddedImage(address: string | undefined): string | undefined {
  const [, content] =
    /^\s*data:image\/(?:png|jpe?g|gif|webp|bmp)(?:;base64)?,([A-Za-z0-9+/=%\s]*)$/i.exec(address ?? '') ?? [];
  if (content === undefined || content.length > MAX_LENGTH) return undefined;
  const base64 = content.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  const bytes = Buffer.from(base64, 'base64');
  if (isReasonable(pngSize(bytes))) return `data:image/png;base64,${bytes.toString('base64')}`;
  if (isReasonable(jpegSize(bytes))) return `data:image/jpeg;base64,${bytes.toString('base64')}`;
  return undefined;
}
