import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

const STEP_MS = 10;

/**
 * How far a node is on its way out. At first it serves as before, but says that it is not ready and closes connections
 * after each answer, so that balancers and clients go elsewhere before anything is refused; then it refuses what still
 * comes, and finishes what it has. One for all apps of a node.
 */
export class Draining {
  private state: 'serving' | 'leaving' | 'refusing' = 'serving';
  private readonly answers = new Set<ServerResponse>();

  /** Whether callers shall go elsewhere. */
  get isOn(): boolean {
    return this.state !== 'serving';
  }

  /** Whether new requests are refused. */
  get refuses(): boolean {
    return this.state === 'refusing';
  }

  /** Once begun it does not end: the node stops. */
  begin(): void {
    if (this.state === 'serving') this.state = 'leaving';
  }

  refuse(): void {
    this.state = 'refusing';
  }

  /** Takes note of an answer, until it is sent or cut off. */
  follow(answer: ServerResponse): void {
    this.answers.add(answer);
    answer.once('close', () => this.answers.delete(answer));
  }

  /**
   * Waits for answers that are written and not yet sent whole: a server of Node's that is closed takes their
   * connections for idle ones, and cuts them.
   * @param ms the longest wait
   */
  async sent(ms: number): Promise<void> {
    const isUnsent = (answer: ServerResponse): boolean =>
      answer.writableEnded && !answer.writableFinished && !answer.destroyed;
    const end = performance.now() + ms;
    while ([...this.answers].some(isUnsent) && performance.now() < end) await delay(STEP_MS);
  }
}
