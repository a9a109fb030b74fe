/** Retries of outgoing requests, against servers of this machine. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import t from 'tap';
import { Problem } from '../../core/foundation/errors.js';
import { Outbound } from '../../core/foundation/outbound/index.js';
import { retryAfter } from '../../core/foundation/outbound/retries.js';
import { until } from '../support/app.js';

/** When the requests arrived, in milliseconds. */
let at: number[] = [];
let answer: (response: ServerResponse, request: number) => void;
const sockets = new Set<Socket>();
const server = createServer((_request, response) => {
  at.push(performance.now());
  answer(response, at.length);
}).on('connection', (socket) => sockets.add(socket));
await new Promise<void>((resolve) => {
  server.listen(0, '127.0.0.1', resolve);
});
t.teardown(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
});
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
const outbound = new Outbound(['127.0.0.1']);
t.beforeEach(() => {
  at = [];
});
const statuses =
  (...all: number[]) =>
  (response: ServerResponse, request: number): void => {
    response.writeHead(all[request - 1] ?? 200).end();
  };
const codeOf = async (work: Promise<unknown>): Promise<string> =>
  await work.then(
    () => 'none',
    (error: unknown) => (error instanceof Problem ? error.code : String(error)),
  );
const gaps = (): number[] => at.slice(1).map((time, i) => time - at[i]!);

t.test('responses of an overloaded system and broken connections are retried with increasing delays', async (t) => {
  answer = (response, request) => {
    if (request === 2) response.destroy();
    else response.writeHead(request === 1 ? 503 : 200).end();
  };
  t.equal((await outbound.request(url, { retries: { attempts: 3 } })).status, 200);
  t.equal(at.length, 3);
  const [first, second] = gaps();
  t.ok(first! >= 245 && second! >= 495, `${first} ms, ${second} ms`);
});

for (const status of [429, 502, 503, 504])
  t.test(`a ${status} is returned after the last attempt`, async (t) => {
    answer = statuses(status, status, status);
    t.equal((await outbound.request(url, { method: 'PUT', body: 'x', retries: { attempts: 2 } })).status, status);
    t.equal(at.length, 2);
  });

t.test('other responses, refused addresses and unusable responses are not retried', async (t) => {
  for (const status of [200, 404, 500, 501]) {
    at = [];
    answer = statuses(status, 200);
    t.equal((await outbound.request(url, { retries: { attempts: 3 } })).status, status);
    t.equal(at.length, 1, String(status));
  }
  at = [];
  answer = (response) => response.end('x'.repeat(100));
  t.equal(await codeOf(outbound.request(url, { maxBytes: 10, retries: { attempts: 3 } })), 'outbound_failed');
  t.equal(at.length, 1);
  t.equal(await codeOf(new Outbound([]).request(url, { retries: { attempts: 3 } })), 'outbound_refused');
  t.equal(at.length, 1);
  at = [];
  answer = statuses(503);
  t.equal((await outbound.request(url)).status, 503, 'without retries');
  t.equal(at.length, 1);
});

t.test('a system that refuses the connection, or does not answer in time, is tried again', async (t) => {
  const closed = createServer();
  await new Promise<void>((resolve) => {
    closed.listen(0, '127.0.0.1', resolve);
  });
  const gone = `http://127.0.0.1:${(closed.address() as AddressInfo).port}/`;
  await new Promise((resolve) => {
    closed.close(resolve);
  });
  const began = performance.now();
  t.equal(await codeOf(outbound.request(gone, { retries: { attempts: 2 } })), 'outbound_failed');
  t.ok(performance.now() - began >= 245, 'the second attempt was delayed');
  answer = (response, request) => {
    if (request > 1) response.end('at last');
  };
  t.equal((await outbound.request(url, { timeoutMs: 200, retries: { attempts: 2 } })).text(), 'at last');
});

t.test('POST is retried only if that is allowed', async (t) => {
  answer = statuses(503, 200);
  const post = { method: 'POST', body: '{}' };
  await t.rejects(outbound.request(url, { ...post, retries: { attempts: 3 } }), /POST is not idempotent/);
  t.equal(at.length, 0);
  t.equal((await outbound.request(url, { ...post, retries: { attempts: 3, anyMethod: true } })).status, 200);
  t.equal(at.length, 2);
});

t.test('Retry-After delays the next attempt; beyond the total time the response is returned', async (t) => {
  answer = (response, request) => {
    if (request === 1) response.writeHead(429, { 'retry-after': '1' }).end();
    else if (request === 2)
      response.writeHead(503, { 'retry-after': new Date(Date.now() + 2_000).toUTCString() }).end();
    else response.end();
  };
  t.equal((await outbound.request(url, { retries: { attempts: 3 } })).status, 200);
  const [first, second] = gaps();
  // A date has whole seconds.
  t.ok(first! >= 995 && second! >= 995, `${first} ms, ${second} ms`);
  at = [];
  answer = (response) => response.writeHead(503, { 'retry-after': '3600' }).end();
  const began = performance.now();
  t.equal((await outbound.request(url, { retries: { attempts: 3 } })).status, 503);
  t.ok(performance.now() - began < 1_000);
  t.equal(at.length, 1);

  const now = Date.UTC(2026, 0, 15, 10);
  t.equal(retryAfter('120', now), 120_000);
  t.equal(retryAfter('Thu, 15 Jan 2026 10:00:05 GMT', now), 5_000);
  for (const other of [undefined, '', '-1', '1.5', 'soon', '2026-01-16', 'Thu, 15 Jan 2026 09:00:00 GMT', '1e9'])
    t.equal(retryAfter(other, now), 0, String(other));
});

t.test('the number of attempts and the total time are limited', async (t) => {
  answer = () => undefined;
  const began = performance.now();
  t.equal(
    await codeOf(outbound.request(url, { timeoutMs: 400, retries: { attempts: 100, maxTotalMs: 1_500 } })),
    'outbound_failed',
  );
  t.ok(performance.now() - began < 2_000, 'also the last attempt ends in time');
  t.ok(at.length >= 2 && at.length <= 3);
});

t.test('a delay ends when the signal is aborted', async (t) => {
  answer = (response) => response.writeHead(503, { 'retry-after': '30' }).end();
  const abort = new AbortController();
  const work = codeOf(outbound.request(url, { signal: abort.signal, retries: { attempts: 3 } }));
  await until(() => at.length === 1);
  setTimeout(() => abort.abort(), 100);
  const began = performance.now();
  t.equal(await work, 'outbound_failed');
  t.ok(performance.now() - began < 2_000);
  t.equal(at.length, 1);
  t.equal(
    await codeOf(outbound.request(url, { signal: AbortSignal.abort(), retries: { attempts: 3 } })),
    'outbound_failed',
  );
  t.equal(at.length, 1);
});
