/**
 * For modules that draw: texts measured with the font of the platform, elements of SVG, images, and processes for
 * parsing, layout and drawing. Reports need none of it: they describe a `Picture`, which the reports module draws.
 */
export { contrast, mix } from './color.js';
export { ImageBudget } from './image-budget.js';
export { imageHeader, type ImageHeader } from './image-size.js';
export { FONT_FILES, measure, type Font } from './font.js';
export { pngOf, type PngSize } from './png.js';
export {
  ascent,
  at,
  element,
  line,
  lineHeight,
  rect,
  rounded,
  text,
  textBlock,
  textHeight,
  title,
  titled,
  type Attributes,
  type TextStyle,
} from './svg.js';
export { clean, escapeXml, shorten, widthOf, wrap, type Block } from './text.js';
export { answerOrders } from '../workers/answer.js';
export { laterProblem, WorkerQueueError, type WorkerQueueReason } from '../workers/errors.js';
export { WorkerQueue, type OrderedBy, type WorkerQueueOptions } from '../workers/queue.js';
