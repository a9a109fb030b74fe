import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { removeFrom } from '../arrays.js';
import { RequestUse, type RequestKind } from '../request-use.js';
import { UserLoad } from './user-load.js';

const STEP_MS = 10;
const CHECK_MS = 500;
/** The least rate at which a client must take a response, and the time for which it may be behind. */
const LEAST_BYTES_PER_SECOND = 16 * 1_024;
const BEHIND_MS = 15_000;

/** A connection, how far its client has taken what was written to it, and its open requests. */
interface Connection {
  taken: number;
  behindMs: number;
  /** Few, in no order. An array, because the memory of a set that changes all the time keeps requests after their end. */
  readonly uses: RequestUse[];
}

/** Bytes that the operating system has accepted from a connection. The handle knows how much of a large buffer it has written. */
function takenOf(socket: Socket): number {
  const { _handle: handle } = socket as unknown as { _handle?: { writeQueueSize?: number } | null };
  return socket.bytesWritten - (handle?.writeQueueSize ?? socket.writableLength);
}

/**
 * The requests that are in progress on a node, by user; shared by all app instances of the node. A client that takes its responses too slowly is
 * disconnected, so that responses do not stay in memory.
 */
export class OpenRequests {
  private readonly loads = new Map<string, UserLoad>();
  private readonly connections = new Map<Socket, Connection>();
  private timer: NodeJS.Timeout | undefined;

  /** Watches how fast the client of a connection takes responses, whatever answers its requests. */
  connected(socket: Socket): void {
    this.connectionOf(socket);
    this.timer ??= setInterval(() => this.check(), CHECK_MS).unref();
  }

  /**
   * Follows a request until its response is sent or aborted.
   * @param addressOf the key of the client address
   */
  begin(addressOf: () => string, response: ServerResponse, kind: RequestKind): RequestUse {
    const use = new RequestUse(addressOf, response, kind);
    const { socket } = response.req;
    const connection = this.connectionOf(socket);
    // A response that stays open is the last one of its connection.
    if (connection.uses.some(({ isLasting }) => isLasting)) socket.destroy();
    connection.uses.push(use);
    response.once('close', () => {
      if (removeFrom(connection.uses, use)) this.end(use);
    });
    return use;
  }

  /** The request counts for a user from now on. @throws rate_limited when too many requests of the user are open */
  identify(use: RequestUse, user: string): void {
    // Before its body is read, and nothing is counted for the address.
    if (use.user === undefined && !use.isGone) use.load = this.enter(user);
  }

  /**
   * Lets a response stay open: it limits itself, as a stream of events does, and its request does not count for its user any more. It
   * must be the only one of its connection: responses to requests after it could never be sent, and would stay in memory.
   */
  keepOpen(use: RequestUse): void {
    const { socket } = use.response.req;
    if (use.isGone || this.connectionOf(socket).uses.length > 1) {
      // A response that waits for an earlier one does not notice the end of the connection.
      use.response.destroy();
      socket.destroy();
      return;
    }
    this.count(use, 'unsentBytes', 0);
    use.isLasting = true;
    if (use.user !== undefined) this.leave(use.load);
  }

  /** Sets the bytes that a request needs in memory. */
  count(use: RequestUse, kind: 'bodyBytes' | 'unsentBytes', bytes: number): void {
    const change = bytes - use[kind];
    if (change === 0) return;
    use[kind] = bytes;
    use.load.add(kind, change);
  }

  /**
   * Waits for responses that are written but not completely sent: when a Node.js server closes, it treats their
   * connections as idle and closes them.
   * @param ms maximum wait
   */
  async sent(ms: number): Promise<void> {
    const isUnsent = ({ response }: RequestUse): boolean =>
      response.writableEnded && !response.writableFinished && !response.destroyed;
    const end = performance.now() + ms;
    const isSending = (): boolean => [...this.connections.values()].some(({ uses }) => uses.some(isUnsent));
    while (isSending() && performance.now() < end) await delay(STEP_MS);
  }

  private connectionOf(socket: Socket): Connection {
    const known = this.connections.get(socket);
    if (known) return known;
    const connection = { taken: 0, behindMs: 0, uses: [] };
    this.connections.set(socket, connection);
    socket.once('close', () => this.disconnected(socket, connection));
    return connection;
  }

  /** Ends the requests whose response waits for an earlier one, too: they end with the connection only. */
  private disconnected(socket: Socket, { uses }: Connection): void {
    this.connections.delete(socket);
    for (const use of uses.splice(0)) this.end(use);
  }

  private end(use: RequestUse): void {
    this.count(use, 'bodyBytes', 0);
    this.count(use, 'unsentBytes', 0);
    if (use.user !== undefined && !use.isLasting) this.leave(use.load);
    use.end();
  }

  private enter(user: string): UserLoad {
    const known = this.loads.get(user);
    const load = known ?? new UserLoad(user, true);
    load.begin();
    if (!known) this.loads.set(user, load);
    return load;
  }

  private leave(load: UserLoad): void {
    load.end();
    if (load.isIdle && this.loads.get(load.user) === load) this.loads.delete(load.user);
  }

  /** Disconnects clients that are behind. Time counts only while data waits for the client. */
  private check(): void {
    if (this.connections.size === 0) {
      clearInterval(this.timer);
      this.timer = undefined;
    }
    for (const [socket, last] of this.connections) {
      if (socket.writableLength === 0 || last.uses.some(({ isLasting }) => isLasting)) {
        last.behindMs = 0;
        continue;
      }
      const taken = takenOf(socket);
      const earned = ((taken - last.taken) / LEAST_BYTES_PER_SECOND) * 1_000;
      last.behindMs = Math.max(0, last.behindMs + CHECK_MS - earned);
      last.taken = taken;
      if (last.behindMs > BEHIND_MS) socket.destroy();
    }
  }
}
