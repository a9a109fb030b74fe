/** A picture that takes longer to draw than any limit, in the place of one that never ends. */
import type { Picture } from '@lintel/sdk';
import { WorkerQueueError } from '@lintel/sdk/drawing';
import type { DrawOptions, Drawings } from '../pictures/index.js';
import { picture, treemap } from './picture-samples.js';

const OPTIONS: DrawOptions = { width: 4_000, theme: 'light', lang: 'en' };

/** They take about 36 s. */
const panel = { title: 'Tree map', picture: treemap(150, 9), isWide: true } as const;
const endless = picture({ kind: 'panels', panels: Array.from({ length: 48 }, () => panel) } as Picture['content']);

/**
 * Draws the picture, which is expected to be stopped.
 * @returns the reason, and the time until then in ms
 */
export async function stoppedDrawing(drawer: Drawings): Promise<{ reason: string; ms: number }> {
  const began = performance.now();
  const reason = await drawer.svg(endless, OPTIONS).then(
    () => 'it was drawn',
    (error: unknown) => (error instanceof WorkerQueueError ? error.reason : String(error)),
  );
  return { reason, ms: performance.now() - began };
}
