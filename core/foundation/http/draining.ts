import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

const STEP_MS = 10;

/**
 * The shutdown state of a node. In the first phase it still serves requests but reports that it is not ready and closes
 * connections after each response, so that load balancers and clients move to other nodes; in the second it rejects new
 * requests and completes the running ones. Shared by all app instances of a node.
 */
export class Draining {
  private state: 'serving' | 'leaving' | 'refusing' = 'serving';
  private readonly answers = new Set<ServerResponse>();

  /** Whether clients should use another node. */
  get isOn(): boolean {
    return this.state !== 'serving';
  }

  /** Whether new requests are rejected. */
  get refuses(): boolean {
    return this.state === 'refusing';
  }

  /** Cannot be undone: the node is going to stop. */
  begin(): void {
    if (this.state === 'serving') this.state = 'leaving';
  }

  refuse(): void {
    this.state = 'refusing';
  }

  /** Tracks a response until it is sent or aborted. */
  follow(answer: ServerResponse): void {
    this.answers.add(answer);
    answer.once('close', () => this.answers.delete(answer));
  }

  /**
   * Waits for responses that are written but not completely sent: when a Node.js server closes, it treats their
   * connections as idle and closes them.
   * @param ms maximum wait
   */
  async sent(ms: number): Promise<void> {
    const isUnsent = (answer: ServerResponse): boolean =>
      answer.writableEnded && !answer.writableFinished && !answer.destroyed;
    const end = performance.now() + ms;
    while ([...this.answers].some(isUnsent) && performance.now() < end) await delay(STEP_MS);
  }
}
