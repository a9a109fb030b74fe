/**
 * Draws pictures as SVG and PNG in another process. Only that loads the libraries, so that they delay neither the
 * start of the service nor, while they draw, its answers.
 */
import type { Picture } from '@lintel/sdk';
import { WorkerQueue, type OrderedBy } from '@lintel/sdk/drawing';
import type { Answer, Order } from './worker.js';

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
  /** Pixels of the image per px of the width; fewer where the image would have more than 12 million pixels. */
  scale?: 1 | 2 | undefined;
}

/** @throws WorkerQueueError as `WorkerQueue.run` does; RangeError for a width outside 400 to 4,000 */
export interface Drawings {
  /** @returns an SVG document */
  svg(picture: Picture, options: DrawOptions, by?: OrderedBy): Promise<string>;
  /** @returns a PNG file */
  png(picture: Picture, options: PngOptions, by?: OrderedBy): Promise<Buffer>;
  /** Ends the processes; drawings that are under way or waiting fail, later ones too. */
  close(): Promise<void>;
}

/**
 * Starts nothing: a process starts with the first drawing, and ends after a minute without one.
 * @param limitMs time for one drawing in ms, including the start of the process; ten seconds if absent
 */
export function drawings({ limitMs }: { limitMs?: number } = {}): Drawings {
  const queue = new WorkerQueue<Order, Answer>({ script: new URL('./worker.js', import.meta.url), limitMs });
  const draw = async (order: Order, by: OrderedBy | undefined): Promise<Answer> => {
    const { width } = order.options;
    if (!(Number.isFinite(width) && width >= 400 && width <= 4_000))
      throw new RangeError('A picture is 400 to 4,000 px wide.');
    return queue.run(order, by);
  };
  return {
    svg: async (picture, options, by) => {
      const { svg } = await draw({ format: 'svg', picture, options }, by);
      return svg!;
    },
    png: async (picture, options, by) => {
      const { png } = await draw({ format: 'png', picture, options }, by);
      return Buffer.from(png!.buffer, png!.byteOffset, png!.byteLength);
    },
    close: () => queue.close(),
  };
}
