import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { removeFrom } from './arrays.js';
import { UserLoad } from './http/user-load.js';

/** What its route says about a request. */
export interface RequestKind {
  readonly isRead: boolean;
  readonly readMs: number;
}

/** What a request in progress uses, and the user for whom it counts. */
export class RequestUse {
  /** Connections to the database that the request holds for more than one statement. */
  sessions = 0;
  /** Whether the request has had a connection: from then on, a write is completed even if its client disconnects. */
  hasBegun = false;
  /** Id of the user, when it is known. */
  user: string | undefined;
  /** Bytes of the body, until the response is ready. */
  bodyBytes = 0;
  /** Bytes of the response, until the client has taken them; before it is ready, of the rows that were read for it. */
  unsentBytes = 0;
  /** Maximum size of the rows of a statement in bytes: all of them are in memory. */
  mostRowBytes = 32 * 1_048_576;
  /** Of `Continuity`, when the request began. */
  generation: number | undefined;
  private isEnded = false;
  /** Whether the response stays open and limits itself, such as a stream of events. See `OpenRequests.keepOpen`. */
  isLasting = false;
  private counted: UserLoad | undefined;
  private aborting: AbortController | undefined;
  private readonly ends: (() => void)[] = [];
  private readonly afterwards: (() => void)[] = [];
  private readonly socket: Socket;

  /**
   * @param addressOf the key of the client address
   */
  constructor(
    private readonly addressOf: () => string,
    readonly response: ServerResponse,
    private readonly kind: RequestKind,
  ) {
    this.socket = response.req.socket;
  }

  /** That of the user, or of the client address while no user is known. */
  get load(): UserLoad {
    return (this.counted ??= new UserLoad(this.addressOf(), false));
  }

  set load(load: UserLoad) {
    this.counted?.add('unsentBytes', -this.unsentBytes);
    load.add('unsentBytes', this.unsentBytes);
    this.counted = load;
    this.user = load.user;
  }

  /** Whether the request changes nothing, so that it can be cancelled. */
  get isRead(): boolean {
    return this.kind.isRead;
  }

  /** Maximum time in milliseconds for which a read may hold a connection. */
  get readMs(): number {
    return this.kind.readMs;
  }

  /** Whether the client has disconnected before it had the whole response. */
  get isGone(): boolean {
    // A response that waits for an earlier one of the same connection does not notice its end.
    return this.socket.destroyed && !this.response.writableFinished;
  }

  /** Whether the request need not continue: its client has disconnected, and nothing was changed. */
  get isAbandoned(): boolean {
    return this.isGone && !this.mustEnd;
  }

  /** Whether the request must not be refused any more, because it may have changed something. */
  get mustEnd(): boolean {
    return this.hasBegun && !this.isRead;
  }

  /** Aborts when the client disconnects. Created at the first use, because few requests need it. */
  get signal(): AbortSignal {
    if (!this.aborting) {
      const aborting = (this.aborting = new AbortController());
      this.whenGone(() => aborting.abort());
    }
    this.endIfGone();
    return this.aborting.signal;
  }

  /** Counts rows that were read for the response. */
  read(bytes: number): void {
    if (this.isLasting || this.isEnded) return;
    this.unsentBytes += bytes;
    this.load.add('unsentBytes', bytes);
  }

  /** Calls a function when the client disconnects. @returns a function after which it is not called any more */
  whenGone(end: () => void): () => void {
    const { ends } = this;
    ends.push(end);
    return () => removeFrom(ends, end);
  }

  /** Calls a function when the response was sent or aborted. */
  whenEnded(afterwards: () => void): void {
    if (this.isEnded) afterwards();
    else this.afterwards.push(afterwards);
  }

  /** Called when the connection or the response is closed: nothing counts any more. */
  end(): void {
    this.isEnded = true;
    for (const afterwards of this.afterwards.splice(0)) afterwards();
    this.endIfGone();
  }

  private endIfGone(): void {
    if (this.isGone) for (const end of this.ends.splice(0)) end();
  }
}

const uses = new AsyncLocalStorage<RequestUse | undefined>();

/** The request for which the running code works; undefined for work of the service itself. */
export const currentUse = (): RequestUse | undefined => uses.getStore();

/** Maximum size of a page in bytes: a larger one would block the thread that serialises it. */
export const MOST_PAGE_BYTES = 8 * 1_048_576;

/** Runs the statement of a page for the request that is being processed: it is cancelled where its rows are larger. */
export async function readingPage<T>(read: () => Promise<T>): Promise<T> {
  const use = currentUse();
  if (!use) return await read();
  const before = use.mostRowBytes;
  use.mostRowBytes = MOST_PAGE_BYTES;
  try {
    return await read();
  } finally {
    use.mostRowBytes = before;
  }
}

/** Runs the work of a request: what it uses counts for its user. */
export const countFor = <T>(use: RequestUse, work: () => T): T => uses.run(use, work);

/**
 * Runs work that several requests share, or that continues after the request that started it: it counts for no user, and is
 * not cancelled with a request.
 */
export const asService = <T>(work: () => T): T => (uses.getStore() === undefined ? work() : uses.run(undefined, work));
