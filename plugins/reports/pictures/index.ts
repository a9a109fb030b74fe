/**
 * Draws pictures as SVG and PNG in a worker thread. Only the worker loads the libraries, so that they delay neither the
 * start of the service nor, while they draw, its answers.
 */
import type { Picture } from '@lintel/sdk';
import { Drawer } from './drawer.js';

export { DrawingError } from './drawer.js';

export interface DrawOptions {
  /** Width in px, 400 to 4,000. */
  width: number;
  theme: 'light' | 'dark';
  /** The language of numbers and dates (BCP 47), such as `en` or `de-CH`; English where it is unknown. */
  lang: string;
  /** The public address of the platform, as prefix of the addresses in the picture; without it there are no links. */
  publicUrl?: string | undefined;
}

export interface PngOptions extends DrawOptions {
  /** Pixels of the image per px of the width; fewer where the image would have more than 40 million pixels. */
  scale?: 1 | 2 | undefined;
}

export interface Drawings {
  /** @returns an SVG document @throws DrawingError */
  svg(picture: Picture, options: DrawOptions): Promise<string>;
  /** @returns a PNG file @throws DrawingError */
  png(picture: Picture, options: PngOptions): Promise<Buffer>;
  /** Ends the worker; drawings that are under way or waiting fail, later ones too. */
  close(): Promise<void>;
}

/** Starts nothing: the worker starts with the first drawing, and ends after a minute without one. */
export function drawings(): Drawings {
  const drawer = new Drawer();
  return {
    svg: async (picture, options) => {
      const { svg } = await drawer.draw({ format: 'svg', picture, options });
      return svg!;
    },
    png: async (picture, options) => {
      const { png } = await drawer.draw({ format: 'png', picture, options });
      return Buffer.from(png!.buffer, png!.byteOffset, png!.byteLength);
    },
    close: () => drawer.close(),
  };
}
