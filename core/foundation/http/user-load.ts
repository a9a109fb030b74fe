import { problem } from '../errors.js';

/** Maximum number of open requests of a user on a node. */
const MOST_REQUESTS = 1_000;
/** Bytes of responses that a user has not taken yet, and of bodies in progress, from which further requests wait. */
const MOST_BYTES = 16 * 1_048_576;
/** Maximum wait for other requests of the user, in milliseconds. */
const WAIT_MS = 30_000;

type Kind = 'bodyBytes' | 'unsentBytes';

const REFUSALS = {
  bodyBytes: 'The bodies of the open requests of the caller are too large together.',
  unsentBytes: 'The client has not read the responses to earlier requests.',
} as const satisfies Record<Kind, string>;

const refusal = (detail: string, seconds: number): Error =>
  problem('rate_limited', { detail, headers: { 'retry-after': String(seconds) } });

/** What the open requests of a user, or of a client address without one, use on a node. */
export class UserLoad {
  private requests = 0;
  private readonly bytes: Record<Kind, number> = { bodyBytes: 0, unsentBytes: 0 };
  private readonly waiting: Record<Kind, Set<() => void>> = { bodyBytes: new Set(), unsentBytes: new Set() };

  /**
   * @param user id of the user, or key of the client address
   * @param isUser false for an address, which many clients may share: only a user can be told to wait for what the user did before
   */
  constructor(
    readonly user: string,
    readonly isUser: boolean,
  ) {}

  get isIdle(): boolean {
    return this.requests === 0;
  }

  /** Counts a further request. @throws rate_limited when too many are open */
  begin(): void {
    if (this.isUser && this.requests >= MOST_REQUESTS)
      throw refusal(`A user has at most ${MOST_REQUESTS} open requests.`, 1);
    this.requests++;
  }

  end(): void {
    this.requests--;
  }

  /** @param bytes less than zero when they are not used any more */
  add(kind: Kind, bytes: number): void {
    this.bytes[kind] += bytes;
    if (bytes >= 0) return;
    for (const resume of this.waiting[kind]) {
      if (this.bytes[kind] >= MOST_BYTES) return;
      resume();
    }
  }

  hasRoom(kind: Kind): boolean {
    return !this.isUser || this.bytes[kind] < MOST_BYTES;
  }

  /**
   * Waits, in the order of the calls, until the requests of the user that are in progress need less memory.
   * @param gone ends the wait; the caller notices by itself that the client has disconnected
   * @param take counts what the request needs. It is called as soon as there is room: if it were counted later, all waiting requests
   *   would find the same room
   * @throws rate_limited when it takes too long
   */
  async room(kind: Kind, gone: AbortSignal, take: () => void = () => undefined): Promise<void> {
    if (gone.aborted) return;
    if (this.hasRoom(kind)) {
      take();
      return;
    }
    const { [kind]: waiting } = this.waiting;
    await new Promise<void>((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        gone.removeEventListener('abort', leave);
        waiting.delete(resume);
      };
      const leave = (): void => {
        end();
        resolve();
      };
      const resume = (): void => {
        leave();
        take();
      };
      const timer = setTimeout(() => {
        end();
        reject(refusal(REFUSALS[kind], 10));
      }, WAIT_MS);
      gone.addEventListener('abort', leave);
      waiting.add(resume);
    });
  }
}
