import type { Picture, RequestContext } from '@lintel/sdk';
import { laterProblem, WorkerQueueError } from '@lintel/sdk/drawing';
import type { ReportsHost } from './host.js';
import { drawings, type Drawings, type DrawOptions } from './pictures/index.js';

/** Draws pictures while the module is enabled. */
export class PictureServer {
  private drawings: Drawings | undefined;

  constructor(private readonly host: ReportsHost) {}

  /**
   * A picture as a file.
   * @throws rate_limited where too many of the user wait; unavailable where too many of all users do, or one needs too much time or memory
   */
  async draw(
    ctx: RequestContext,
    format: 'svg' | 'png',
    picture: Picture,
    options: Omit<DrawOptions, 'publicUrl'>,
  ): Promise<Buffer> {
    const to = (this.drawings ??= drawings());
    const { publicUrl } = this.host.workspace();
    try {
      const all = { ...options, publicUrl };
      return format === 'svg' ? Buffer.from(await to.svg(picture, all, ctx)) : await to.png(picture, all, ctx);
    } catch (error) {
      const later = laterProblem(this.host, error);
      if (later) throw later;
      if (error instanceof WorkerQueueError && error.cause === undefined)
        throw this.host.problem('unavailable', { detail: error.message, headers: { 'retry-after': '5' } });
      throw error;
    }
  }

  /** Ends what is drawn; a later drawing begins anew. */
  async close(): Promise<void> {
    const ended = this.drawings;
    this.drawings = undefined;
    await ended?.close();
  }
}
