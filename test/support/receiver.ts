import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { until } from './app.js';

/** A CloudEvent sent to a webhook. */
export interface SentEvent {
  id: string;
  type: string;
  source: string;
  time: string;
  subject: string;
  specversion: string;
  datacontenttype: string;
  data: Record<string, unknown> & {
    actor: { id: string } | null;
    subject: { kind: string; id: string; name: string | null };
    changes?: { field: string; old: unknown; new: unknown }[];
  };
}

/** One received request. */
export interface Received {
  path: string;
  method: string;
  headers: IncomingHttpHeaders;
  body: string;
  event: SentEvent;
  /** The header `webhook-id`. */
  id: string;
  /** Time of arrival by `performance.now()`, in ms. */
  at: number;
  /** Time of the answer; undefined before. */
  answeredAt: number | undefined;
}

/** Answers one request: returns a status, or uses the response itself. @param nth number of the request, from 1 */
export type Answering = (
  received: Received,
  nth: number,
  response: ServerResponse,
) => number | undefined | void | Promise<number | undefined | void>;

export interface Receiver {
  /** Such as `http://127.0.0.1:40123/hook`. */
  url: string;
  port: number;
  requests: Received[];
  /** Answers the next requests; by default with 204. */
  answering: Answering;
  /** Requests answered with a 2xx, in the order of the answers. */
  accepted: Received[];
  /** Waits until so many requests have been accepted. */
  untilAccepted(n: number, ms?: number): Promise<Received[]>;
  close(): Promise<void>;
}

/** Starts a receiver of webhooks on 127.0.0.1. */
export async function startReceiver(answering: Answering = () => 204): Promise<Receiver> {
  const requests: Received[] = [];
  const accepted: Received[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    response.on('error', () => undefined);
    void (async () => {
      const body = await readText(request);
      const received: Received = {
        path: request.url!,
        method: request.method!,
        headers: request.headers,
        body,
        event: JSON.parse(body) as SentEvent,
        id: String(request.headers['webhook-id']),
        at: performance.now(),
        answeredAt: undefined,
      };
      requests.push(received);
      response.once('finish', () => {
        received.answeredAt = performance.now();
        if (response.statusCode >= 200 && response.statusCode < 300) accepted.push(received);
      });
      const status = await receiver.answering(received, requests.length, response);
      if (status !== undefined) response.writeHead(status).end();
    })().catch(() => request.socket.destroy());
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    requests,
    answering,
    accepted,
    untilAccepted: async (n, ms = 10_000) =>
      await until(() => accepted.length >= n && accepted, ms).catch(() => {
        throw new Error(
          `${accepted.length} of ${n} were accepted, ${requests.length} received: ${requests
            .map((r) => `${r.event.type} ${r.id}`)
            .slice(-20)
            .join(', ')}`,
        );
      }),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
  return receiver;
}
