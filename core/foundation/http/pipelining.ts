import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { beginFairly, beginLater } from '../loop-queue.js';
import { addressOf, clientKey } from './client-address.js';

/** Requests of a connection that may be unanswered at a time. Browsers and most clients send one, load generators a few. */
const MOST_UNANSWERED = 32;

/** The requests of a connection that wait for responses to earlier ones. */
interface Backlog {
  unanswered: number;
  /** Begin those that have not begun. */
  readonly waiting: (() => void)[];
}

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Closes connections that send many requests without waiting for responses, and lets those that arrive together begin in several turns of the event
 * loop, fair between client addresses: Node.js passes on all requests of all connections in one turn, which no other client could interrupt.
 * A connection begins one request at a time, so that it is not served more than others of the same address.
 * @param handle processes a request
 * @param proxies see `addressOf`
 */
export function limitPipelining(handle: Handle, proxies: number): Handle {
  const backlogs = new WeakMap<Socket, Backlog>();
  return (request, response) => {
    const { socket } = request;
    // The rest of the packet that closed the connection.
    if (socket.destroyed) return;
    const caller = (): string => clientKey(addressOf(request, proxies));
    const begin = (): void => {
      if (!socket.destroyed) handle(request, response);
    };
    // A response that must wait for an earlier one of the connection has no socket yet; most requests need not be counted.
    if (response.socket !== null) {
      beginFairly(caller, begin);
      return;
    }
    const backlog = backlogs.get(socket) ?? { unanswered: 0, waiting: [] };
    backlogs.set(socket, backlog);
    if (++backlog.unanswered >= MOST_UNANSWERED) socket.destroy();
    response.once('close', () => backlog.unanswered--);
    backlog.waiting.push(begin);
    // Not at once: the promises of the request before it continue only after the whole packet.
    if (backlog.waiting.length === 1) beginNext(caller(), backlog);
  };
}

function beginNext(caller: string, backlog: Backlog): void {
  beginLater(caller, () => {
    backlog.waiting.shift()!();
    if (backlog.waiting.length > 0) beginNext(caller, backlog);
  });
}
