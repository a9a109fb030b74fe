import type { Picture } from '@lintel/sdk';
import { WorkerQueueError } from '@lintel/sdk/drawing';
import type { ReportsHost } from './host.js';
import { drawings, type Drawings, type DrawOptions } from './pictures/index.js';

/** Draws pictures while the module is enabled. */
export class PictureServer {
  private drawings: Drawings | undefined;

  constructor(private readonly host: ReportsHost) {}

  /**
   * A picture as a file.
   * @throws unavailable where too many wait, or one takes too long to be drawn
   */
  async draw(format: 'svg' | 'png', picture: Picture, options: Omit<DrawOptions, 'publicUrl'>): Promise<Buffer> {
    const to = (this.drawings ??= drawings());
    const { publicUrl } = this.host.workspace();
    try {
      const all = { ...options, publicUrl };
      return format === 'svg' ? Buffer.from(await to.svg(picture, all)) : await to.png(picture, all);
    } catch (error) {
      if (error instanceof WorkerQueueError && error.reason !== 'failed')
        throw this.host.problem('unavailable', { detail: error.message, headers: { 'retry-after': '5' } });
      throw error;
    }
  }

  /** Ends the thread that draws; a later drawing starts another one. */
  async close(): Promise<void> {
    const ended = this.drawings;
    this.drawings = undefined;
    await ended?.close();
  }
}
