import { svgFault } from './svg.js';

/** Media types of a logo; determined by its bytes, not by the declared type. */
export const LOGO_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/svg+xml'] as const;
export type LogoType = (typeof LOGO_TYPES)[number];

const begins = (bytes: Buffer, hex: string, at = 0): boolean => {
  const wanted = Buffer.from(hex, 'hex');
  return bytes.length >= at + wanted.length && bytes.subarray(at, at + wanted.length).equals(wanted);
};

/** PNG, RFC 2083, 3; JPEG, ITU-T T.81, B; GIF89a, 17; WebP, RFC 9649, 2.4. */
const SIGNATURES: readonly [LogoType, (bytes: Buffer) => boolean][] = [
  ['image/png', (bytes) => begins(bytes, '89504e470d0a1a0a0000000d49484452')],
  ['image/jpeg', (bytes) => begins(bytes, 'ffd8ff')],
  ['image/gif', (bytes) => begins(bytes, '474946383961') || begins(bytes, '474946383761')],
  ['image/webp', (bytes) => begins(bytes, '52494646') && begins(bytes, '57454250', 8)],
];

/**
 * Determines the image type of a file by its bytes.
 * @returns its media type, or the reason why it cannot be the logo
 */
export function readImage(bytes: Buffer): { type: LogoType } | { fault: string } {
  for (const [type, is] of SIGNATURES) if (is(bytes)) return { type };
  // After an optional byte order mark and whitespace.
  if (!/^(?:\xef\xbb\xbf)?[\t\n\r ]*</.test(bytes.subarray(0, 1_000).toString('latin1')))
    return { fault: 'is no PNG, JPEG, WebP, GIF or SVG' };
  const fault = svgFault(bytes);
  return fault === undefined ? { type: 'image/svg+xml' } : { fault };
}
