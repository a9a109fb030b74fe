/** Bounds the memory that the images in a drawing take once they are decoded. */
import { imageHeader } from './image-size.js';

/**
 * Pixels of all images of a drawing, of which each use counts, since each is decoded: an image of 4,096 × 2,160, or as many small ones.
 * Decoded, a pixel has four bytes.
 */
export const MAX_IMAGE_PIXELS = 10_000_000;

/** Which images of one drawing are decoded. */
export class ImageBudget {
  private left = MAX_IMAGE_PIXELS;

  /** @returns whether an image is drawn; it then counts */
  takes({ width, height }: { width: number; height: number }): boolean {
    if (width * height > this.left) return false;
    this.left -= width * height;
    return true;
  }
}

/** Any prefix may stand for XLink. */
const HREF = /([\s:'"]href\s*=\s*)(?:"([^"]*)"|'([^']*)')/gi;
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const unescaped = (text: string): string =>
  text.replace(
    /&(?:#x([\da-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/gi,
    (all, hex?: string, digits?: string, name?: string) => {
      if (name !== undefined) return NAMED[name.toLowerCase()] ?? all;
      const code = hex === undefined ? Number(digits) : Number.parseInt(hex, 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : '';
    },
  );

/** The bytes of an embedded image; undefined for the address of anything else. */
function embedded(address: string): Buffer | undefined {
  const [, encoding, content] = /^data:[^,]*?(;base64)?,([^]*)$/i.exec(address) ?? [];
  if (content === undefined) return undefined;
  return encoding === undefined ? Buffer.alloc(0) : Buffer.from(content, 'base64');
}

/**
 * Leaves out the images of an SVG document that are neither PNG nor JPEG in Base64 (SVG in SVG could hold any number of others), and
 * those beyond `MAX_IMAGE_PIXELS`, in the order of the document.
 * @throws if the document defines entities, which could hold images
 */
export function withinBudget(svg: string): string {
  if (/<!ENTITY/i.test(svg)) throw new Error('A drawing must not define entities.');
  const budget = new ImageBudget();
  return svg.replace(HREF, (all, name: string, double?: string, single?: string) => {
    const address = unescaped(double ?? single ?? '').trim();
    if (!/^data:/i.test(address)) return all;
    const header = imageHeader(embedded(address) ?? Buffer.alloc(0));
    return header && budget.takes(header) ? all : `${name}""`;
  });
}
