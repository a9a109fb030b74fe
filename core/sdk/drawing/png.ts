/** SVG to PNG, with the fonts of the platform and of its operator, none of the machine: the same image on every one. */
import { createRequire } from 'node:module';
import type * as Library from '@resvg/resvg-js';
import { withFonts } from './image-fonts.js';

const require = createRequire(import.meta.url);

/** Four bytes of memory each. */
const MAX_PIXELS = 40_000_000;

/** The size of an image. */
export interface PngSize {
  /** Width in px. */
  width: number;
  /** Pixels of the image per px of the width; fewer where the image would have more than 40 million pixels. Default: 1. */
  scale?: 1 | 2 | undefined;
}

/**
 * Draws an SVG document as an image. It takes seconds for large ones: call it in a worker thread.
 * @param svg a document whose root element states its height; references to other files are not followed
 * @returns a PNG file in memory of its own, which can be transferred
 */
export function pngOf(svg: string, { width, scale = 1 }: PngSize): Uint8Array<ArrayBuffer> {
  // Loaded with the first image: who only queues work for a thread draws none.
  const { Resvg } = require('@resvg/resvg-js') as typeof Library;
  const height = Number(/ height="([\d.]+)"/.exec(svg)?.[1] ?? width);
  const factor = Math.min(scale, Math.sqrt(MAX_PIXELS / (width * height)));
  const image = withFonts(svg, (fontFiles) =>
    new Resvg(svg, {
      font: { loadSystemFonts: false, fontFiles, defaultFontFamily: 'DejaVu Sans' },
      fitTo: { mode: 'width', value: Math.max(1, Math.floor(width * factor)) },
      logLevel: 'off',
    }).render(),
  );
  return new Uint8Array(image.asPng());
}
