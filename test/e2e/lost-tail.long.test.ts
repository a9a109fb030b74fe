/**
 * Failovers to an asynchronous standby that lacks the last writes: afterwards what each receiver has seen is what the database has, except for
 * events that were announced as lost. LOST_TAIL_ROUNDS is the number of failovers.
 */
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import {
  client,
  openStream,
  registerAdmin,
  sql,
  until,
  type AnyBody,
  type Client,
  type EventStream,
} from '../support/app.js';
import { urlOf } from '../support/database.js';
import { databaseProxy } from '../support/database-proxy.js';
import { makeUser } from '../support/app.js';
import { startReceiver } from '../support/receiver.js';
import { dataFolder, startService } from '../support/service.js';
import { startReplicated } from '../support/standby.js';

const ROUNDS = Number(process.env['LOST_TAIL_ROUNDS'] ?? 2);
const WRITERS = 20;
const STREAMS = 5;
const KEY = Buffer.alloc(32, 'failover').toString('base64');

interface Lost {
  from: number;
  to: number;
}
interface Seen {
  id: number;
  /** Type and subject. */
  what: string;
}

/** @returns what contradicts that a receiver has seen every event of the log after a position, and others only where they are lost */
function faultsOf(
  seen: readonly Seen[],
  log: readonly Seen[],
  lost: readonly Lost[],
  skipped: readonly Lost[],
): string[] {
  const stored = new Map(log.map(({ id, what }) => [id, what]));
  const had = new Map(seen.map(({ id, what }) => [id, what]));
  const within = (ranges: readonly Lost[], id: number): boolean =>
    ranges.some(({ from, to }) => from <= id && id <= to);
  return [
    ...seen.flatMap(({ id, what }) => {
      if (stored.get(id) === what) return [];
      if (stored.has(id)) return [`${id} is ${stored.get(id)}, and was ${what}`];
      return within(lost, id) ? [] : [`${id}, ${what}, is neither stored nor lost`];
    }),
    ...log.filter(({ id }) => !had.has(id) && !within(skipped, id)).map(({ id, what }) => `${id}, ${what}, was missed`),
  ];
}

/** A client that keeps a position and reads everything again at a reset. */
class Follower {
  readonly seen: Seen[] = [];
  readonly skipped: Lost[] = [];
  last: number;
  resets = 0;
  private stream: EventStream | undefined;
  private isOver = false;
  private readonly working: Promise<void>;

  constructor(
    private readonly origins: readonly string[],
    private readonly token: string,
    from: number,
    n: number,
  ) {
    this.last = from;
    this.working = this.follow(n);
  }

  async close(): Promise<void> {
    this.isOver = true;
    this.stream?.close();
    await this.working;
  }

  private async follow(n: number): Promise<void> {
    for (let turn = n; !this.isOver; turn++) {
      const origin = this.origins[turn % this.origins.length]!;
      this.stream = await openStream(origin, this.token, { lastEventId: this.last, query: { types: 'card.' } }).catch(
        () => undefined,
      );
      if (this.stream?.status !== 200) {
        await delay(100);
        continue;
      }
      const { stream } = this;
      let read = 0;
      const take = (): void => {
        for (; read < stream.events.length; read++) this.take(stream.events[read]!);
      };
      let isEnded = false;
      void stream.ended.then(() => (isEnded = true));
      // Now and then the client connects to another node.
      const until = performance.now() + 3_000 + 2_000 * Math.random();
      while (!this.isOver && !isEnded && performance.now() < until) {
        take();
        await delay(20);
      }
      stream.close();
      take();
    }
  }

  private take({ id, event, data }: EventStream['events'][number]): void {
    if (event === '' || id === '') return;
    const position = Number(id);
    if (event === 'reset') {
      this.resets++;
      this.skipped.push({ from: 0, to: position });
    } else this.seen.push({ id: position, what: `${event} ${(data as AnyBody).subject}` });
    this.last = position;
  }
}

/** Writes of many kinds, one after the other, until stopped. */
async function write(apis: readonly Client[], n: number, isOver: () => boolean): Promise<void> {
  const own: string[] = [];
  for (let turn = 0; !isOver(); turn++) {
    const api = apis[(n + turn) % apis.length]!;
    const name = `W${n} ${turn} ${Math.random()}`;
    const kind = (n + turn) % 7;
    const done = await (kind < 3 || own.length === 0
      ? api.post<AnyBody>('/cards', { type: 'Application', name })
      : kind < 5
        ? api.patch<AnyBody>(`/cards/${own.at(-1)}`, { description: name })
        : kind === 5
          ? api.post<AnyBody>('/risks', { title: name, category: 'security' })
          : n % 2 === 0
            ? api.post<AnyBody>('/metamodel/tag-groups', { name, mode: 'multi' })
            : api.patch<AnyBody>('/settings', { currency: turn % 2 === 0 ? 'CHF' : 'EUR' })
    ).catch(() => undefined);
    if (done?.status === 201 && kind < 3) own.push(done.body.id);
    if (done === undefined || done.status >= 500) await delay(100);
    else await delay(20);
  }
}

t.test('the checker finds what is missing, doubled or not announced', async (t) => {
  const log = [1, 2, 9].map((id) => ({ id, what: `w${id}` }));
  const lost = [{ from: 3, to: 5 }];
  t.same(faultsOf([...log, { id: 4, what: 'x' }], log, lost, []), []);
  t.equal(faultsOf(log.slice(1), log, lost, []).length, 1);
  t.equal(faultsOf([...log, { id: 6, what: 'x' }], log, lost, []).length, 1);
  t.equal(faultsOf([log[0]!, { id: 2, what: 'other' }, log[2]!], log, lost, []).length, 1);
});

for (let round = 1; round <= ROUNDS; round++)
  await t.test(`failover ${round}`, async (t) => {
    const cluster = await startReplicated();
    t.teardown(() => cluster.stop());
    await cluster.standby.start();
    const server = { ...cluster.primary };
    const proxy = await databaseProxy(server);
    t.teardown(() => proxy.close());
    const folder = await dataFolder();
    t.teardown(() => folder.remove());
    const env = {
      DATABASE_URL: urlOf(proxy.connection),
      LINTEL_SECRET_KEY: KEY,
      OUTBOUND_ALLOW: '127.0.0.1/32',
    };
    const nodes = [
      await startService({ dataDir: folder.path, env }),
      await startService({ dataDir: folder.path, env }),
    ];
    t.teardown(async () => await Promise.all(nodes.map((node) => node.kill9())));
    const origins = nodes.map(({ origin }) => origin);
    const admin = await registerAdmin(origins[0]!);
    const { token } = admin;
    const apis = origins.map((origin) => client(origin, token));
    const [api] = apis as [Client];
    const member = await makeUser(admin, 'member');
    const receivers = [await startReceiver(), await startReceiver()];
    t.teardown(async () => await Promise.all(receivers.map((receiver) => receiver.close())));
    for (const { url } of receivers)
      t.equal((await api.post('/webhooks', { url, types: ['card.', 'log.'] })).status, 201);
    const mentioned = (await api.post<AnyBody>('/cards', { type: 'Application', name: 'Mentioned' })).body.id;
    const head = Number(
      (await sql<{ position: string }>(cluster.primary, 'select position from event_head'))[0]!.position,
    );
    const followers = Array.from({ length: STREAMS }, (_, n) => new Follower(origins, token, head, n));

    let isOver = false;
    const writers = Array.from({ length: WRITERS }, (_, n) => write(apis, n, () => isOver));
    const mention = async (): Promise<unknown> =>
      await api.post(`/cards/${mentioned}/comments`, { body: `@[M](${member.user.id}) look` });
    await mention();
    await delay(1_500);
    // From here on everything is lost.
    await cluster.standby.kill();
    await delay(200 + Math.random() * 800);
    await mention();
    proxy.cut();
    await cluster.stopPrimary();
    await cluster.standby.start();
    await cluster.standby.promote();
    Object.assign(server, cluster.standby.connection);
    proxy.restore();
    const promoted = performance.now();
    await until(
      async () =>
        (await api.post('/cards', { type: 'Application', name: `First ${round}` }).catch(() => undefined))?.status ===
        201,
    );
    const firstMs = performance.now() - promoted;
    await mention();
    await delay(1_500);
    isOver = true;
    await Promise.all(writers);

    const database = cluster.standby.connection;
    const logOf = async (): Promise<Seen[]> =>
      (
        await sql<{ id: string; what: string }>(
          database,
          `select position as id, type || ' ' || subject_id as what from events where type like 'card.%' and position > $1 order by position`,
          [head],
        )
      ).map(({ id, what }) => ({ id: Number(id), what }));
    await until(
      async () => (await sql<{ n: number }>(database, 'select count(*)::int as n from event_outbox'))[0]!.n === 0,
    );
    const last = (await logOf()).at(-1)!.id;
    await until(() => followers.every((follower) => follower.last >= last), 30_000);
    await until(
      async () =>
        (
          await sql<{ n: number }>(
            database,
            `select count(*)::int as n from webhook_deliveries where state = 'pending'`,
          )
        )[0]!.n === 0,
      120_000,
    );
    await until(
      async () =>
        (
          await sql<{ n: number }>(
            database,
            'select count(*)::int as n from subscriptions, event_head h where events_between(subscriptions.position, h.position) > 0',
          )
        )[0]!.n === 0,
      30_000,
    );
    for (const follower of followers) await follower.close();
    const log = await logOf();
    const lost = (await sql<{ data: Lost }>(database, `select data from events where type = 'log.truncated'`)).map(
      ({ data }) => data,
    );
    const gaps = await sql(database, 'select sure, ended, resumed, epoch, reason, lost_to from event_gaps');
    t.comment(
      JSON.stringify({
        round,
        events: log.length,
        lost,
        gaps,
        resets: followers.map(({ resets }) => resets),
        firstMs: Math.round(firstMs),
      }),
    );
    for (const [n, { seen, skipped }] of followers.entries())
      t.same(faultsOf(seen, log, lost, skipped), [], `stream ${n}`);
    for (const [n, { accepted }] of receivers.entries()) {
      const seen = accepted
        .filter(({ event }) => event.type.startsWith('card.') && Number(event.id) > head)
        .map(({ event }) => ({ id: Number(event.id), what: `${event.type} ${event.subject}` }));
      t.same(faultsOf(seen, log, lost, []), [], `webhook ${n}`);
      t.ok(
        accepted.some(({ event }) => event.type === 'log.truncated'),
        'the loss is announced to webhooks',
      );
    }
    const comments = (await sql<{ n: number }>(database, 'select count(*)::int as n from card_comments'))[0]!.n;
    const notified = (
      await sql<{ n: number }>(
        database,
        `select coalesce(sum(count) filter (where kind = 'mention'), 0)::int as n from notifications where user_id = $1`,
        [member.user.id],
      )
    )[0]!.n;
    t.equal(notified, comments, 'a notification for each mention');
    const stored = await sql<{ id: string; name: string; version: number }>(
      database,
      'select id, name, version from card_rows order by id',
    );
    for (const node of apis) {
      const found: AnyBody[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const path = `/cards?page_size=200&sort_by=created_at${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
        const page: { items: AnyBody[]; next_cursor: string | null } = (await node.get<typeof page>(path)).body;
        found.push(...page.items);
        cursor = page.next_cursor;
      }
      t.same(
        new Map(found.map(({ id, name, version }) => [id, `${name} ${version}`])),
        new Map(stored.map(({ id, name, version }) => [id, `${name} ${version}`])),
        'cards',
      );
      const groups = await sql<{ name: string }>(database, 'select name from tag_groups order by name');
      const shown = (await node.get<{ items: AnyBody[]; total: number }>('/metamodel/tag-groups?page_size=200')).body;
      t.equal(shown.total, groups.length, 'the metamodel');
      t.equal(
        (await node.get('/settings')).body.currency,
        (await sql<{ value: AnyBody }>(database, `select value from settings where key = 'general'`))[0]?.value[
          'currency'
        ] ?? 'EUR',
        'settings',
      );
    }
    t.ok(firstMs < 3_000, `first write after ${Math.round(firstMs)} ms`);
  });
