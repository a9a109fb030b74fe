/** SVG to PNG, with the fonts of the platform and of its operator, none of the machine: the same image on every one. */
import { createRequire } from 'node:module';
import type * as Library from '@resvg/resvg-js';
import { withinBudget } from './image-budget.js';
import { withFonts } from './image-fonts.js';

const require = createRequire(import.meta.url);

/** Eight bytes of memory each: four drawn, and four while the file is written. */
const MAX_PIXELS = 12_000_000;

/** The size of an image. */
export interface PngSize {
  /** Width in px. */
  width: number;
  /** Pixels of the image per px of the width; fewer where the image would have more than 12 million pixels. Default: 1. */
  scale?: 1 | 2 | undefined;
}

/**
 * Draws an SVG document as an image. It takes seconds for large ones: call it in the script of a `WorkerQueue`, which can end it.
 * Embedded images are drawn as long as they have no more than 10 million pixels in all, and only PNG and JPEG in Base64.
 * @param svg a document whose root element states its height; references to other files are not followed
 * @returns a PNG file in memory of its own
 * @throws Error if the document cannot be read, or its image would have more than 12 million pixels in spite of its stated height
 */
export function pngOf(svg: string, { width, scale = 1 }: PngSize): Uint8Array<ArrayBuffer> {
  // Loaded with the first image: who only orders work of another process draws none.
  const { Resvg } = require('@resvg/resvg-js') as typeof Library;
  const bounded = withinBudget(svg);
  const height = Number(/ height="([\d.]+)"/.exec(bounded)?.[1] ?? width);
  const factor = Math.min(scale, Math.sqrt(MAX_PIXELS / (width * height)));
  const drawnWidth = Math.max(1, Math.floor(width * factor));
  const image = withFonts(bounded, (fontFiles) => {
    const drawing = new Resvg(bounded, {
      font: { loadSystemFonts: false, fontFiles, defaultFontFamily: 'DejaVu Sans' },
      fitTo: { mode: 'width', value: drawnWidth },
      logLevel: 'off',
    });
    // The size that the library has read, before it takes memory for the pixels.
    const pixels = drawnWidth * drawnWidth * (drawing.height / drawing.width);
    if (!(pixels <= 2 * MAX_PIXELS)) throw new Error(`The image would have ${Math.round(pixels)} pixels.`);
    return drawing.render();
  });
  return new Uint8Array(image.asPng());
}
