/** Receivers at the end of the log: the steps between an event and its delivery. */
import type { LogEvent } from '@lintel/sdk';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { LiveStreams } from '../../core/messaging/events/live.js';
import { SessionWatch } from '../../core/messaging/events/session-watch.js';
import { Stream } from '../../core/messaging/events/stream.js';
import type { Identity } from '../../core/identity/identity.js';
import { makeUser, registerAdmin, sql, testApp, until, type Session } from '../support/app.js';

const { app, origin, database, close } = await testApp();
t.teardown(close);
const { visibility, sessions } = app.services;
const admin = await registerAdmin(origin);
const member = await makeUser(admin, 'member');
const colleague = await makeUser(admin, 'member');
const viewer = await makeUser(admin, 'viewer');

const responses: ServerResponse[] = [];
const server = createServer((_request, response) => {
  response.writeHead(200).flushHeaders();
  responses.push(response);
});
await new Promise<void>((resolve) => {
  server.listen(0, '127.0.0.1', resolve);
});
t.teardown(() => {
  server.closeAllConnections();
  server.close();
});

async function identityOf({ user }: Session): Promise<Identity> {
  const [row] = await sql<{ id: string }>(database, 'select id from sessions where user_id = $1', [user.id]);
  return (await sessions.get(row!.id))!;
}

interface Receiver {
  stream: Stream;
  ids: number[];
  response: IncomingMessage;
}
const log = { head: 0 };
const all = new Set<Stream>();
const rights = new SessionWatch(all, sessions, app.log);
const leftBehind: { stream: Stream; cursor: number }[] = [];
const live = new LiveStreams(log, visibility, rights, (stream) => leftBehind.push({ stream, cursor: stream.cursor }));
const far = Date.now() + 3_600_000;

/** Opens a stream at the end of the log that is not live yet. */
async function receiver(user: Session, types?: string[]): Promise<Receiver> {
  const response = await new Promise<IncomingMessage>((resolve) => {
    get(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { agent: false }, resolve);
  });
  const stream = new Stream(responses.at(-1)!, await identityOf(user), { types, subject_id: undefined }, far, 0);
  all.add(stream);
  stream.cursor = log.head;
  await rights.settle(stream);
  const ids: number[] = [];
  let text = '';
  response
    .setEncoding('utf8')
    .on('error', () => undefined)
    .on('data', (part: string) => {
      const frames = (text + part).split('\n\n');
      text = frames.pop()!;
      for (const frame of frames) ids.push(Number(/^id: (\d+)/.exec(frame)![1]));
    });
  return { stream, ids, response };
}

/** Appends an event to the log. @returns its position */
function append(kind = 'card', id = 'x', text = ''): number {
  const event: LogEvent = {
    position: ++log.head,
    type: `${kind}.tested`,
    occurred_at: new Date().toISOString(),
    actor: null,
    origin: 'test',
    request_id: null,
    change_id: null,
    subject: { kind, id, type: null, name: null },
    data: { text },
  };
  live.deliver(event);
  return event.position;
}

await t.test(
  'a receiver that joins during the delivery of an event it already has does not get it again; no other misses it',
  async (t) => {
    const first = await receiver(member);
    const second = await receiver(colleague);
    live.join(first.stream);
    const next = append();
    // Before the event is delivered.
    second.stream.cursor = log.head;
    live.join(second.stream);
    const last = append();
    await until(() => second.ids.length > 0);
    t.strictSame(second.ids, [last]);
    await until(() => first.ids.length > 1);
    t.strictSame(first.ids, [next, last]);
    t.equal(first.stream.channel, second.stream.channel, 'they are served together');
    t.equal(first.stream.cursor, last);
    for (const { stream, response } of [first, second]) {
      live.leave(stream);
      response.destroy();
    }
  },
);

await t.test('a personal event is delivered in order to its receiver only', async (t) => {
  const [his, other] = [await receiver(member), await receiver(colleague)];
  for (const { stream } of [his, other]) live.join(stream);
  const before = append();
  const own = append('user', member.user.id);
  const after = append();
  await until(() => his.ids.length === 3 && other.ids.length === 2);
  t.strictSame(his.ids, [before, own, after]);
  t.strictSame(other.ids, [before, after]);
  t.equal(other.stream.cursor, after, 'the resume point moves past it');
  for (const { stream, response } of [his, other]) {
    live.leave(stream);
    response.destroy();
  }
});

await t.test(
  'a change of permissions moves a receiver to another channel without loss; an unchecked receiver gets nothing',
  async (t) => {
    const [moved, stays, unseen] = [await receiver(member), await receiver(colleague), await receiver(member)];
    for (const { stream } of [moved, stays, unseen]) live.join(stream);
    const before = append();
    rights.check();
    moved.stream.identity = await identityOf(viewer);
    await Promise.all([rights.settle(moved.stream), rights.settle(stays.stream)]);
    // As if the permissions of this receiver had not been checked yet.
    unseen.stream.checkedIn = -1;
    leftBehind.splice(0);
    const after = append();
    t.not(moved.stream.channel, stays.stream.channel, 'with other permissions, another channel');
    t.strictSame(
      leftBehind.map(({ stream, cursor }) => [stream === unseen.stream, cursor]),
      [[true, before]],
      'it continues from its position in the log',
    );
    await until(() => moved.ids.length === 2 && stays.ids.length === 2);
    t.strictSame(moved.ids, [before, after]);
    t.strictSame(stays.ids, [before, after]);
    unseen.stream.flush();
    await until(() => unseen.ids.length === 1);
    t.strictSame(unseen.ids, [before]);
    for (const { stream, response } of [moved, stays, unseen]) {
      live.leave(stream);
      response.destroy();
    }
  },
);

await t.test('a connection that does not read stops at its last position; others continue', async (t) => {
  const [stuck, reads] = [await receiver(member), await receiver(colleague)];
  stuck.response.pause();
  for (const { stream } of [stuck, reads]) live.join(stream);
  leftBehind.splice(0);
  const start = log.head;
  for (let n = 0; n < 400 && leftBehind.length === 0; n++) {
    const position = append('card', 'x', 'x'.repeat(100_000));
    await until(() => reads.ids.at(-1) === position);
  }
  t.equal(leftBehind.length, 1);
  t.equal(leftBehind[0]!.stream, stuck.stream);
  stuck.stream.flush();
  stuck.response.resume();
  await until(() => stuck.ids.at(-1) === leftBehind[0]!.cursor);
  t.strictSame(
    stuck.ids,
    Array.from({ length: leftBehind[0]!.cursor - start }, (_, i) => start + 1 + i),
    'it has all up to there, and nothing after',
  );
  t.strictSame(
    reads.ids,
    Array.from({ length: log.head - start }, (_, i) => start + 1 + i),
  );
  for (const { response } of [stuck, reads]) response.destroy();
});
