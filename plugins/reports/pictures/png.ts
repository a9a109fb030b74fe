/** SVG to PNG, with the fonts of the platform only: the same image on every machine. */
import { Resvg } from '@resvg/resvg-js';
import { FONT_FILES } from './font.js';
import type { PngOptions } from './index.js';

/** Four bytes of memory each. */
const MAX_PIXELS = 40_000_000;

/** @param svg a document of `drawPicture` @returns a PNG file in memory of its own, which can be transferred */
export function pngOf(svg: string, { width, scale = 1 }: PngOptions): Uint8Array<ArrayBuffer> {
  const height = Number(/ height="([\d.]+)"/.exec(svg)?.[1] ?? width);
  const factor = Math.min(scale, Math.sqrt(MAX_PIXELS / (width * height)));
  const image = new Resvg(svg, {
    font: { loadSystemFonts: false, fontFiles: [...FONT_FILES], defaultFontFamily: 'DejaVu Sans' },
    fitTo: { mode: 'width', value: Math.max(1, Math.floor(width * factor)) },
    logLevel: 'off',
  }).render();
  return new Uint8Array(image.asPng());
}
