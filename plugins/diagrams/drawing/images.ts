/** Images inside of drawings: only those embedded in the file, only what their bytes say they are, and only so many of them. */
import { ImageBudget, imageHeader, type ImageHeader } from '@lintel/sdk/drawing';

/** Characters of Base64 of one image, and of all images of a drawing, of which each use counts. */
const MAX_LENGTH = 7_000_000;
const MAX_LENGTHS = 20_000_000;

/** An image as it is written into the drawing. */
interface EmbeddedImage extends ImageHeader {
  /** `data:image/png;base64,…`. */
  address: string;
}

/**
 * An embedded PNG or JPEG as SVG understands it.
 * @param address `data:image/png,<Base64>` as draw.io writes it, or with `;base64`
 * @returns undefined for any other image, and where the bytes are not what the address says
 */
function embeddedImage(address: string): EmbeddedImage | undefined {
  const [, content] =
    /^\s*data:image\/(?:png|jpe?g|gif|webp|bmp)(?:;base64)?,([A-Za-z0-9+/=%\s]*)$/i.exec(address) ?? [];
  if (content === undefined || content.length > MAX_LENGTH) return undefined;
  const base64 = content.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  const bytes = Buffer.from(base64, 'base64');
  const header = imageHeader(bytes);
  return header && { ...header, address: `data:image/${header.type};base64,${bytes.toString('base64')}` };
}

/** The images of one drawing. */
export class DrawnImages {
  private readonly known = new Map<string, EmbeddedImage | undefined>();
  private readonly budget = new ImageBudget();
  private lengthLeft = MAX_LENGTHS;

  /**
   * An image, each time that it is drawn.
   * @returns its address in the drawing; undefined where it cannot be drawn, or the drawing has too many pixels or bytes of images already
   */
  use(address: string | undefined): string | undefined {
    if (address === undefined) return undefined;
    if (!this.known.has(address)) this.known.set(address, embeddedImage(address));
    const image = this.known.get(address);
    if (!image || image.address.length > this.lengthLeft || !this.budget.takes(image)) return undefined;
    this.lengthLeft -= image.address.length;
    return image.address;
  }
}
