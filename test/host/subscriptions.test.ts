import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { makeUser, registerAdmin, sql, testApp, until } from '../support/app.js';

interface Trace {
  given: number[];
  all: string[];
  attempts: number;
  failing: boolean;
  hold: Promise<void> | undefined;
}
interface Subscription {
  name: string;
  position: number;
  behind: number;
  parked: number;
}
interface Parked {
  subscription: string;
  position: number;
  type: string;
  error: string;
  attempts: number;
  is_due: boolean;
}

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const config = { pluginsDir: join(root, 'test/fixtures/modules/listening'), logLevel: 'silent' as const };
const a = await testApp({ config });
const b = await testApp({ config, database: a.database });
t.teardown(() => Promise.all([a.close(), b.close()]));
const admin = await registerAdmin(a.origin);
const viewer = await makeUser(admin, 'viewer');
const trace = (globalThis as unknown as Record<symbol, Trace>)[Symbol.for('lintel.test.listening')]!;
let made = 0;
const create = async (n = 1) => {
  const operations = Array.from({ length: n }, () => ({
    op: 'create',
    card: { type: 'Application', name: `Heard ${++made}` },
  }));
  return (
    await admin.api.post<{ results: { id: string }[] }>('/cards/bulk', { mode: 'all_or_nothing', operations })
  ).body.results.map(({ id }) => id);
};
const positions = async (type: string) =>
  (
    await sql<{ position: string }>(a.database, 'select position from events where type = $1 order by position', [type])
  ).map(({ position }) => Number(position));
const subscription = async (name: string) =>
  (await admin.api.get<{ items: Subscription[] }>('/settings/modules/listening/subscriptions')).body.items.find(
    (s) => s.name === name,
  )!;
const parked = async () =>
  (await admin.api.get<{ items: Parked[]; total: number }>('/settings/modules/listening/parked-events')).body;
const set = (enabled: boolean) => admin.api.patch('/settings/modules/listening', { enabled });

t.test('two nodes deliver each event once, in order', async (t) => {
  await Promise.all(Array.from({ length: 10 }, () => create(30)));
  await until(() => trace.given.length >= 300, 20_000);
  t.strictSame(trace.given, await positions('card.created'));
  await until(() => trace.all.length >= 300, 20_000);
  t.equal(trace.all.length, 300);
});

t.test('events that happen while the module is disabled are delivered when it is enabled again', async (t) => {
  t.equal((await set(false)).status, 200);
  const before = trace.given.length;
  await create(5);
  t.equal(trace.given.length, before);
  t.equal((await set(true)).status, 200);
  await until(() => trace.given.length >= before + 5, 10_000);
  t.strictSame(trace.given, await positions('card.created'));
});

t.test(
  'an event that cannot be delivered is parked after its attempts, shown, and delivered again on request',
  async (t) => {
    const [first, second] = await create(2);
    trace.failing = true;
    await admin.api.post(`/cards/${first}/archive`, {});
    const page = await until(async () => {
      const now = await parked();
      return now.total === 1 && now;
    }, 10_000);
    t.match(page.items[0], {
      subscription: 'fragile',
      type: 'card.archived',
      error: 'cannot now, without the character that PostgreSQL cannot store',
      attempts: 2,
      is_due: false,
    });
    t.equal(trace.attempts, 2);
    t.match(await subscription('fragile'), { parked: 1 });
    trace.failing = false;
    await admin.api.post(`/cards/${second}/archive`, {});
    await until(() => trace.attempts === 3);
    t.equal((await parked()).total, 1, 'later events are delivered');
    const path = `/settings/modules/listening/parked-events/fragile/${page.items[0]!.position}/retry`;
    t.match(await viewer.api.post(path), { status: 403 });
    t.equal((await admin.api.post(path)).status, 204);
    await until(async () => (await parked()).total === 0, 10_000);
    t.equal(trace.attempts, 4);
    t.equal((await admin.api.post(path)).status, 404);
    t.equal((await admin.api.post('/settings/modules/listening/parked-events/fragile/x/retry')).status, 404);
  },
);

t.test('a lost holder is replaced after its lease, and cannot move the position any more', async (t) => {
  await until(async () => (await subscription('created')).behind === 0, 10_000);
  const stale = '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b';
  await sql(
    a.database,
    `update subscriptions set holder = $1, lease_until = clock_timestamp() + interval '1500 ms' where name = 'created'`,
    [stale],
  );
  const before = trace.given.length;
  await create(3);
  t.equal(trace.given.length, before, 'the other holder has the lease');
  await until(() => trace.given.length >= before + 3, 10_000);
  t.strictSame(trace.given, await positions('card.created'));
  t.strictSame(await sql(a.database, 'select from subscriptions where holder = $1', [stale]), []);
});

t.test('subscriptions need settings.manage', async (t) => {
  for (const path of ['subscriptions', 'parked-events']) {
    t.equal((await viewer.api.get(`/settings/modules/listening/${path}`)).status, 403);
    t.equal((await admin.api.get(`/settings/modules/nobody/${path}`)).status, 404);
    t.equal((await admin.api.get(`/settings/modules/listening/${path}`, { query: { bogus: 1 } })).status, 422);
  }
});
