/** Receivers that read slowly, or not at all, and those without events. */
import { get, type IncomingMessage } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import t from 'tap';
import {
  makeUser,
  openStream,
  registerAdmin,
  sql,
  testApp,
  until,
  type EventStream,
  type Session,
} from '../support/app.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const { app, origin, database, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const viewer = await makeUser(admin, 'viewer');
const idle = await openStream(origin, admin.token, { query: { types: 'nothing.' } });
t.teardown(idle.close);

const ids = (stream: EventStream) => stream.events.map((e) => Number(e.id));
const head = async (): Promise<number> =>
  Number((await sql<{ position: string }>(database, 'select position from event_head'))[0]!.position);
const OUTBOX = `insert into event_outbox (type, occurred_at, origin, subject_kind, subject_id, subject_type, subject_name, data)
  select $1, clock_timestamp(), 'test', $2, $3, 'Application', $4, $5::jsonb from generate_series(1, $6)`;
const put = (type: string, kind: string, id: string, data: unknown = {}, times = 1, name = 'Test') =>
  sql(database, OUTBOX, [type, kind, id, name, JSON.stringify(data), times]);

/** Opens a stream without reading its body. */
async function rawStream(user: Session, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  return await new Promise((resolve, reject) => {
    const request = get(
      `${origin}/api/v1/events/stream`,
      { agent: false, headers: { authorization: `Bearer ${user.token}`, ...headers } },
      resolve,
    );
    request.once('error', reject);
  });
}

await t.test(
  'a client that does not read is disconnected and delays no other; one that reads slowly is not disconnected',
  async (t) => {
    const before = 1;
    await until(() => app.services.streams.size === before);
    const stuck = await rawStream(admin);
    stuck.pause();
    const slow = await rawStream(admin);
    slow.pause();
    const stuckClosed = new Promise<void>((resolve) => {
      stuck.socket.once('close', () => resolve());
      stuck.once('error', () => undefined);
    });
    const fast = await openStream(origin, admin.token);
    const big = { text: 'x'.repeat(20_000) };
    for (let i = 0; i < 5; i++) await put('card.big', 'card', `big-${i}`, big, 200);
    await put('card.last', 'card', 'last');
    await fast.waitFor((e) => e.event === 'card.last', 20_000);
    t.equal(fast.events.length, 1_001, 'the fast reader received everything');
    t.equal(app.services.streams.size, before + 3);

    const received: number[] = [];
    let rest = '';
    const reading = setInterval(() => {
      const text = slow.read() as Buffer | null;
      rest += text?.toString() ?? '';
      const lines = rest.split('\n');
      rest = lines.pop()!;
      for (const line of lines) if (line.startsWith('id: ')) received.push(Number(line.slice(4)));
    }, 5);
    t.teardown(() => clearInterval(reading));
    await until(() => received.includes(Number(fast.events.at(-1)!.id)), 20_000);
    const tail = received.slice(received.indexOf(Number(fast.events[0]!.id)));
    t.strictSame(
      [...new Set(tail)].filter((id) => id <= Number(fast.events.at(-1)!.id)),
      ids(fast),
      'the slow reader received everything',
    );

    await until(() => app.services.streams.size === before + 2, 30_000);
    stuck.resume();
    await stuckClosed;
    slow.destroy();
    fast.close();
  },
);

await t.test(
  'permissions revoked while a slow receiver catches up apply to events that it has not received yet',
  async (t) => {
    await until(() => app.services.streams.size === 1);
    const mark = await openStream(origin, admin.token);
    const first = await head();
    // More than the buffers of a connection, and less than one page read from the database.
    await put('card.bigger', 'card', 'bigger', { text: 'x'.repeat(60_000) }, 350);
    await until(() => app.services.events.head === first + 350);
    const slow = await rawStream(viewer, { 'last-event-id': String(first) });
    slow.pause();
    await until(() => slow.readableLength > 10_000);
    const set = async (permissions: string) => {
      await sql(database, `update roles set permissions = ${permissions} where key = 'viewer'`);
      await sql(database, `update revisions set revision = revision + 1 where kind = 'permissions'`);
    };
    await set(`permissions - 'cards.view'`);
    await until(async () => (await viewer.api.get('/cards')).status === 403);
    await put('user.noticed', 'user', viewer.user.id, {}, 1, 'after the loss');
    await mark.waitFor((e) => e.event === 'user.noticed');
    let text = '';
    slow.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    slow.resume();
    await until(() => text.includes('after the loss'), 20_000);
    const got = text.split('event: card.bigger').length - 1;
    t.ok(got > 0 && got < 350, `${got} of 350: later events are not sent`);
    await set(`permissions || '["cards.view"]'`);
    await until(async () => (await viewer.api.get('/cards')).status === 200);
    slow.destroy();
    mark.close();
  },
);

await t.test('many connections that never read take little memory', async (t) => {
  await until(() => app.services.streams.size === 1);
  const users = await Promise.all([makeUser(admin, 'viewer'), makeUser(admin, 'viewer'), makeUser(admin, 'viewer')]);
  const unread = await Promise.all(users.flatMap((user) => Array.from({ length: 20 }, () => rawStream(user))));
  for (const response of unread) response.on('error', () => undefined).pause();
  const fast = await openStream(origin, admin.token, { query: { types: 'card.flood,card.over' } });
  t.teardown(() => {
    fast.close();
    unread.forEach((response) => response.destroy());
  });
  const used = (): number => {
    collectGarbage();
    const { heapUsed, external, arrayBuffers } = process.memoryUsage();
    return heapUsed + external + arrayBuffers;
  };
  const before = used();
  for (let i = 0; i < 20; i++) {
    await put('card.flood', 'card', `flood-${i}`, { text: 'x'.repeat(20_000) }, 50);
    await until(() => fast.events.length >= 50 * (i + 1), 20_000);
    fast.events.fill({ id: '', event: '', data: '' });
  }
  // Buffering all events for 60 connections would take 1.2 GB.
  const grown = (used() - before) / 1_048_576;
  t.ok(grown < 150, `${grown.toFixed(0)} MB more`);
});

await t.test('an idle stream has heartbeats with the position', async (t) => {
  await until(() => idle.comments.length >= 2, 20_000);
  const at = Number(/^ ?position (\d+)$/.exec(idle.comments.at(-1)!)?.[1]);
  t.ok(at > 0 && at <= (await head()), `position ${at}`);
  t.equal(idle.events.length, 0);
});
