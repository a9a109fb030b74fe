/** The worker thread: draws what it is sent, one picture after another. */
import { parentPort } from 'node:worker_threads';
import type { Picture } from '@lintel/sdk';
import { drawPicture } from './draw.js';
import type { PngOptions } from './index.js';
import { pngOf } from './png.js';

export interface Order {
  format: 'svg' | 'png';
  picture: Picture;
  options: PngOptions;
}

/** The drawn picture in the format of the order, or the error. */
export interface Answer {
  svg?: string;
  png?: Uint8Array<ArrayBuffer>;
  error?: unknown;
}

async function draw({ format, picture, options }: Order): Promise<void> {
  // An image has no links, and its text is drawn with the same fonts that have measured it.
  if (format === 'svg') return parentPort!.postMessage({ svg: await drawPicture(picture, options) } satisfies Answer);
  const png = pngOf(await drawPicture(picture, { ...options, publicUrl: undefined }), options);
  parentPort!.postMessage({ png } satisfies Answer, [png.buffer]);
}

parentPort!.on('message', (order: Order) => {
  draw(order).catch((error: unknown) => parentPort!.postMessage({ error } satisfies Answer));
});
