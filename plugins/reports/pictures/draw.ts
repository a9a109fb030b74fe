/** A picture as an SVG document. */
import type { Picture, SinglePicture } from '@lintel/sdk';
import { drawBars } from './bars.js';
import { canvasOf, type Canvas, type Drawn } from './canvas.js';
import { drawFigures } from './figures.js';
import { contentWidth, frame } from './frame.js';
import { drawGraph } from './graph.js';
import { drawGrid } from './grid.js';
import type { DrawOptions } from './index.js';
import { drawLines } from './lines.js';
import { drawNested } from './nested.js';
import { drawPanels } from './panels.js';
import { drawTimeline } from './timeline.js';
import { drawTreeMap } from './treemap.js';

/** Draws a content other than panels. @param width of the content, in units of the picture */
export function drawSingle(content: SinglePicture, width: number, canvas: Canvas): Drawn | Promise<Drawn> {
  switch (content.kind) {
    case 'bars':
      return drawBars(content, width, canvas);
    case 'lines':
      return drawLines(content, width, canvas);
    case 'grid':
      return drawGrid(content, width, canvas);
    case 'timeline':
      return drawTimeline(content, width, canvas);
    case 'nested':
      return drawNested(content, width, canvas);
    case 'treemap':
      return drawTreeMap(content, width, canvas);
    case 'graph':
      return drawGraph(content, width, canvas);
    case 'figures':
      return drawFigures(content, width, canvas);
  }
}

/** @returns an SVG document: the same one for the same picture and options */
export async function drawPicture(picture: Picture, options: DrawOptions): Promise<string> {
  const canvas = canvasOf(options, JSON.stringify([picture, options.width, options.theme]));
  const { content } = contentWidth(options.width);
  const drawn =
    picture.content.kind === 'panels'
      ? await drawPanels(picture.content, content, canvas, drawSingle)
      : await drawSingle(picture.content, content, canvas);
  return frame(picture, drawn, options.width, canvas);
}
