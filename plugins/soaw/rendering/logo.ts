/** The logo of the organisation, in a format that Word shows. */
import { pngOf } from '@lintel/sdk/drawing';
import type { RenderedDocument } from './model.js';

/** An image for Word. */
export interface WordImage {
  extension: 'png' | 'jpeg';
  bytes: Uint8Array;
  /** Pixels. */
  width: number;
  height: number;
}

/** Pixels of the width of a drawing. */
const DRAWN_WIDTH = 800;
/** Pixels of one side: a file that states more is damaged. */
const LONGEST_SIDE = 20_000;

/** The image for Word; undefined for formats that Word does not show (WebP) and for damaged files. */
export function wordImage(logo: RenderedDocument['logo']): WordImage | undefined {
  if (!logo || logo.type === 'image/webp') return undefined;
  const isJpeg = logo.type === 'image/jpeg';
  const bytes = logo.type === 'image/svg+xml' ? drawn(logo.bytes) : logo.bytes;
  const size = bytes && (isJpeg ? jpegSize(bytes) : pngSize(bytes));
  if (!bytes || !size || Math.min(...size) < 1 || Math.max(...size) > LONGEST_SIDE) return undefined;
  return { extension: isJpeg ? 'jpeg' : 'png', bytes, width: size[0], height: size[1] };
}

/** A drawing whose file the library cannot read is left out, as any other damaged file. */
function drawn(svg: Uint8Array): Uint8Array | undefined {
  try {
    return pngOf(new TextDecoder().decode(svg), { width: DRAWN_WIDTH });
  } catch {
    return undefined;
  }
}

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** PNG, third edition, 11.2.1: the first chunk states the size. */
function pngSize(bytes: Uint8Array): [width: number, height: number] | undefined {
  const view = viewOf(bytes);
  if (bytes.length < 33 || view.getUint32(0) !== 0x89504e47 || view.getUint32(12) !== 0x49484452) return undefined;
  return [view.getUint32(16), view.getUint32(20)];
}

/** ITU-T T.81, B.2.2: the header of the frame states the size. */
function jpegSize(bytes: Uint8Array): [width: number, height: number] | undefined {
  const view = viewOf(bytes);
  if (bytes.length < 4 || view.getUint16(0) !== 0xffd8) return undefined;
  let at = 2;
  while (at + 9 < bytes.length) {
    const marker = view.getUint16(at);
    if (marker < 0xff01 || marker > 0xfffe) return undefined;
    const isFrame = marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker);
    if (isFrame) return [view.getUint16(at + 7), view.getUint16(at + 5)];
    at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}
