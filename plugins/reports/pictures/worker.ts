/** In a process of the platform: draws what it is sent, one picture after another. */
import type { Picture } from '@lintel/sdk';
import { answerOrders, pngOf } from '@lintel/sdk/drawing';
import { drawPicture } from './draw.js';
import type { PngOptions } from './index.js';

export interface Order {
  format: 'svg' | 'png';
  picture: Picture;
  options: PngOptions;
}

/** The drawn picture in the format of the order. */
export interface Answer {
  svg?: string;
  png?: Uint8Array<ArrayBuffer>;
}

answerOrders<Order, Answer>(async ({ format, picture, options }) => {
  // An image has no links, and its text is drawn with the same fonts that have measured it.
  if (format === 'svg') return { svg: await drawPicture(picture, options) };
  return { png: pngOf(await drawPicture(picture, { ...options, publicUrl: undefined }), options) };
});
