/** Streams as HTTP: for browsers, proxies, old clients, and with unusual texts in events. */
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import t from 'tap';
import type { LogEvent } from '@lintel/sdk';
import { eventFrame, resetFrame } from '../../core/messaging/events/frames.js';
import { openStream, registerAdmin, sql, testApp, until, type Session } from '../support/app.js';
import { requestText } from '../support/raw.js';
import { dataFolder, startService } from '../support/service.js';

const ALLOWED = 'https://ea.example.org';
const one = await testApp({ config: { allowedOrigins: [ALLOWED] } });
t.teardown(one.close);
const admin = await registerAdmin(one.origin);
const ticketOf = async (user: Session): Promise<string> =>
  (await user.api.post<{ ticket: string }>('/events/stream-ticket')).body.ticket;

/** Sends a request as text and reads until the answer matches. @returns the text read */
async function rawUntil(text: string, holds: RegExp, act?: () => Promise<unknown>): Promise<string> {
  const { hostname, port } = new URL(one.origin);
  const socket = connect(Number(port), hostname, () => socket.write(text));
  let got = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    got += chunk;
  });
  socket.on('error', () => undefined);
  try {
    await until(() => got.includes('\n\n'));
    await act?.();
    await until(() => holds.test(got));
    return got;
  } finally {
    socket.destroy();
  }
}

await t.test('a stream is the only request of its connection, which is closed if others are open', async (t) => {
  const { hostname, port } = new URL(one.origin);
  const { streams } = one.app.services;
  const stream = `GET /api/v1/events/stream HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer ${admin.token}\r\n\r\n`;
  const socket = connect(Number(port), hostname, () => socket.write(stream)).on('error', () => undefined);
  await until(() => streams.size === 1);
  socket.resume().write('GET /api/health HTTP/1.1\r\nHost: test\r\n\r\n');
  await once(socket, 'close');
  await until(() => streams.size === 0);
  const unread = connect(Number(port), hostname).on('error', () => undefined);
  const closed = once(unread, 'close');
  unread.pause().write('GET /api/openapi.json HTTP/1.1\r\nHost: test\r\n\r\n'.repeat(10) + stream);
  await once(unread, 'readable');
  await until(async () => {
    unread.read();
    return unread.closed || unread.destroyed;
  });
  await closed;
  t.equal(streams.size, 0);
});

await t.test('a page of an allowed origin opens a stream by its ticket; others get no CORS header', async (t) => {
  const from = async (origin: string) => {
    const stop = new AbortController();
    const answer = await fetch(`${one.origin}/api/v1/events/stream?ticket=${await ticketOf(admin)}`, {
      headers: { origin, accept: 'text/event-stream', 'cache-control': 'no-cache' },
      signal: stop.signal,
    });
    stop.abort();
    return [answer.status, answer.headers.get('access-control-allow-origin'), answer.headers.get('content-type')];
  };
  t.strictSame(await from(ALLOWED), [200, ALLOWED, 'text/event-stream; charset=utf-8']);
  t.strictSame(await from('https://elsewhere.example.org'), [200, null, 'text/event-stream; charset=utf-8']);
  const preflight = await fetch(`${one.origin}/api/v1/events/stream-ticket`, {
    method: 'OPTIONS',
    headers: {
      origin: ALLOWED,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization',
    },
  });
  t.match(
    [
      preflight.status,
      preflight.headers.get('access-control-allow-origin'),
      preflight.headers.get('access-control-allow-headers')?.toLowerCase(),
    ],
    [204, ALLOWED, /authorization.*last-event-id/],
  );
});

await t.test('with any Accept headers the answer is a stream without compression and buffering', async (t) => {
  const authorization = `Bearer ${admin.token}`;
  for (const accept of ['text/event-stream', '*/*', 'application/json', undefined]) {
    const text = requestText('GET', '/api/v1/events/stream', {
      Authorization: authorization,
      'Accept-Encoding': 'gzip, br, deflate',
      ...(accept !== undefined && { Accept: accept }),
    });
    const name = `Accepted as ${accept}`;
    const answer = await rawUntil(text, new RegExp(name.replace(/[*/]/g, '.')), () =>
      admin.api.post('/cards', { type: 'Application', name }),
    );
    t.match(answer, /^HTTP\/1\.1 200 OK\r\n/, name);
    t.match(answer, /\r\ncontent-type: text\/event-stream; charset=utf-8\r\n/i, name);
    t.notMatch(answer, /content-encoding|transfer-encoding|content-length/i, name);
  }
});

await t.test('a client of HTTP/1.0 gets the same', async (t) => {
  const text = requestText('GET', '/api/v1/events/stream?types=card.', {
    Authorization: `Bearer ${admin.token}`,
  }).replace('HTTP/1.1', 'HTTP/1.0');
  const answer = await rawUntil(text, /event: card\.created\ndata: \{.*For 1\.0.*\}\n\n/, () =>
    admin.api.post('/cards', { type: 'Application', name: 'For 1.0' }),
  );
  t.match(answer, /\r\nconnection: close\r\n/i);
  t.notMatch(answer, /transfer-encoding/i);
});

await t.test('other methods are refused, with the allowed ones', async (t) => {
  t.equal((await admin.api.send('HEAD', '/events/stream')).status, 405, 'HEAD is another method');
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
    const { status, headers } = await admin.api.send(method, '/events/stream');
    t.equal(status, 405, method);
    t.match(headers.get('allow'), /GET/, method);
  }
  t.equal(one.app.services.streams.size, 0, 'none was opened');
});

await t.test('names with any characters do not break their event', async (t) => {
  const stream = await openStream(one.origin, admin.token, { query: { types: 'card.' } });
  t.teardown(stream.close);
  const names = [
    'line\u2028separator',
    'paragraph\u2029separator',
    'data: x',
    'id: 1',
    '\u{1F525} \u202Eright to left',
    ': comment',
    '\uFEFFmark',
  ];
  for (const name of names)
    t.equal((await admin.api.post('/cards', { type: 'Application', name })).status, 201, JSON.stringify(name));
  await until(() => stream.events.length >= names.length);
  t.strictSame(
    stream.events.map((e) => (e.data as { data: { subject: { name: string } } }).data.subject.name),
    names,
  );
  const put = `insert into event_outbox (type, occurred_at, origin, subject_kind, subject_id, subject_name, data) values ($1, clock_timestamp(), 'test', 'card', $2, $3, $4)`;
  await sql(one.database, put, [
    'card.\r\ndata: forged\r\r\nevent: x',
    'id\r\n\r\nevent: y',
    'n\n\nid: 9',
    JSON.stringify({ 'key\r\ndata: z': '\r\r' }),
  ]);
  await until(() => stream.events.length > names.length);
  t.equal(stream.events.length, names.length + 1);
  t.equal(Number(stream.events.at(-1)!.id), Number(stream.events.at(-2)!.id) + 1);
  const made = (type: string) =>
    String(
      eventFrame({
        position: 1,
        type,
        occurred_at: '',
        actor: null,
        origin: '',
        request_id: null,
        change_id: null,
        subject: { kind: 'card', id: 'x', type: null, name: null },
        data: {},
      } as unknown as LogEvent),
    );
  for (const type of ['a\0b', 'a\rb', 'a\nb', 'a\r\n\r\nb'])
    t.match(made(type), /^id: 1\nevent: ab\ndata: [^\n\r]*\n\n$/, JSON.stringify(type));
  t.equal(
    String(resetFrame({ head: 7, oldest: 3, fault: 'lost' })),
    'id: 7\nevent: reset\ndata: {"position":7,"oldest":3,"reason":"lost"}\n\n',
  );
});

await t.test('an event is serialised once for all receivers with the same view', async (t) => {
  const [event] = (await one.app.services.events.read(0, 1)).events;
  t.equal(eventFrame(event!), eventFrame(event!), 'the very same bytes');
  const { visibility, sessions } = one.app.services;
  const stored = await sql<{ id: string }>(one.database, 'select id from sessions');
  const identity = (await sessions.get(stored[0]!.id))!;
  const costly = {
    ...event!,
    subject: { kind: 'card', id: 'x', type: 'Application', name: null },
    data: { attributes: { costTotalAnnual: 1 } },
  } as unknown as LogEvent;
  const less = {
    ...identity,
    permissions: { has: (key: string) => key === 'cards.view' || key === 'stakeholders.view', list: () => [] },
  };
  t.equal(visibility.see(costly, identity), costly);
  t.equal(visibility.see(costly, less), visibility.see(costly, { ...less }), 'it is redacted once');
  t.strictSame(visibility.see(costly, less)!.data, { attributes: {} });
});

await t.test('a hundred connections that end before their answer leak nothing', async (t) => {
  await Promise.all(
    Array.from(
      { length: 100 },
      (_, i) =>
        new Promise<void>((resolve) => {
          const call = request(`${one.origin}/api/v1/events/stream`, {
            headers: { authorization: `Bearer ${admin.token}` },
            agent: false,
          });
          call.once('error', () => undefined);
          call.once('close', () => resolve());
          call.once('response', (response) => response.destroy());
          call.end();
          setTimeout(() => call.destroy(), i);
        }),
    ),
  );
  await until(() => one.app.services.streams.size === 0);
  const stream = await openStream(one.origin, admin.token);
  t.equal(stream.status, 200, 'the user has all of his streams again');
  stream.close();
});

await t.test('a ticket is not logged', async (t) => {
  const folder = await dataFolder();
  const service = await startService({ dataDir: folder.path, env: { LOG_LEVEL: 'trace' } });
  t.teardown(async () => {
    await service.stop();
    await folder.remove();
  });
  const user = await registerAdmin(service.origin);
  const ticket = await ticketOf(user);
  const stream = await openStream(service.origin, undefined, { query: { ticket } });
  t.equal(stream.status, 200);
  stream.close();
  await openStream(service.origin, undefined, { query: { ticket } });
  await until(() => (service.output().match(/\/api\/v1\/events\/stream"/g) ?? []).length >= 2);
  t.notOk(service.output().includes(ticket));
});
