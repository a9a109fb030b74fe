import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of a connection that may be unanswered at a time. Browsers and most clients send one, load generators a few. */
const MOST_UNANSWERED = 64;

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Closes connections that send many requests without waiting for responses: Node.js passes on all requests of a packet in one turn of the event
 * loop, thousands of short ones, which no other client could interrupt.
 * @param handle processes a request
 */
export function limitPipelining(handle: Handle): Handle {
  const unanswered = new WeakMap<Socket, number>();
  return (request, response) => {
    const { socket } = request;
    // A response that must wait for an earlier one of the connection has no socket yet; most requests need not be counted.
    if (response.socket === null) {
      const count = (unanswered.get(socket) ?? 0) + 1;
      if (count >= MOST_UNANSWERED) socket.destroy();
      unanswered.set(socket, count);
      response.once('close', () => unanswered.set(socket, unanswered.get(socket)! - 1));
    }
    if (!socket.destroyed) handle(request, response);
  };
}
