import type { LogEvent } from '@lintel/sdk';
import t from 'tap';
import type { UnitOfWork } from '../../core/foundation/db/unit-of-work.js';
import { registerAdmin, sql, testApp, until } from '../support/app.js';

const a = await testApp({ config: { logLevel: 'silent' } });
const b = await testApp({ config: { logLevel: 'silent' }, database: a.database });
t.teardown(() => Promise.all([a.close(), b.close()]));
const admin = await registerAdmin(a.origin);
await sql(
  a.database,
  'create table fed (feed text not null, node text not null, position bigint not null, nth bigint generated always as identity)',
);

const INSERT = { name: 'test-fed', text: 'insert into fed (feed, node, position) select $1, $2, unnest($3::bigint[])' };
const write =
  (feed: string, node: string) =>
  async (uow: UnitOfWork, events: readonly LogEvent[]): Promise<void> => {
    await uow.query(INSERT, [feed, node, events.map(({ position }) => position)]);
  };
const fed = async (feed: string) =>
  (await sql<{ position: string }>(a.database, 'select position from fed where feed = $1 order by nth', [feed])).map(
    ({ position }) => Number(position),
  );
const logged = async (after: number) =>
  (
    await sql<{ position: string }>(a.database, 'select position from events where position > $1 order by position', [
      after,
    ])
  ).map(({ position }) => Number(position));
const began = async (name: string) =>
  await until(
    async () =>
      (
        await sql<{ position: string }>(
          a.database,
          `select position from subscriptions where module = 'core' and name = $1`,
          [name],
        )
      )[0],
    5_000,
  );
let made = 0;
const create = async (n: number) => {
  const operations = Array.from({ length: n }, () => ({
    op: 'create',
    card: { type: 'Application', name: `Fed ${++made}` },
  }));
  await admin.api.post('/cards/bulk', { mode: 'all_or_nothing', operations });
};
/** Waits until the feed has reached the end of the log. */
const through = async (name: string, start: number) =>
  await until(async () => {
    // Events that wait for their positions are not in the log yet.
    if ((await sql(a.database, 'select id from event_outbox limit 1')).length > 0) return undefined;
    const positions = await logged(start);
    return (await fed(name)).length >= positions.length && positions;
  }, 20_000);

t.test('two nodes process each event once and in the order of the log', async (t) => {
  const ends = [a, b].map(({ app }, i) => app.services.feed.begin({ name: 'both', handle: write('both', String(i)) }));
  t.teardown(async () => {
    for (const end of ends) await end();
  });
  const start = Number((await began('both')).position);
  await Promise.all(Array.from({ length: 12 }, () => create(100)));
  t.strictSame(await through('both', start), await fed('both'));
  t.ok((await fed('both')).length >= 1_200);
  t.equal(await a.app.services.feed.behind('both'), 0);
});

t.test('writes of a failed transaction are rolled back, and repeated by the next one', async (t) => {
  let failures = 3;
  const end = a.app.services.feed.begin({
    name: 'stumbling',
    handle: async (uow, events) => {
      await write('stumbling', 'a')(uow, events);
      if (failures-- > 0) throw new Error('stumbles');
    },
  });
  t.teardown(end);
  const start = Number((await began('stumbling')).position);
  await create(40);
  t.strictSame(await through('stumbling', start), await fed('stumbling'));
});

t.test('an event that fails repeatedly is parked, and the others are processed', async (t) => {
  const bad = new Set<number>();
  const end = b.app.services.feed.begin({
    name: 'picky',
    handle: async (uow, events) => {
      const archived = events.find(({ type }) => type === 'card.archived');
      if (archived) {
        bad.add(archived.position);
        // PostgreSQL cannot store U+0000.
        throw new Error('not that one\0');
      }
      await write('picky', 'b')(uow, events);
    },
  });
  t.teardown(end);
  const start = Number((await began('picky')).position);
  const { body } = await admin.api.post<{ id: string }>('/cards', { type: 'Application', name: 'To archive' });
  await admin.api.post(`/cards/${body.id}/archive`, {});
  await create(5);
  const parked = await until(async () => {
    const rows = await sql(
      a.database,
      `select position::int, error, attempts from parked_events where module = 'core' and subscription = 'picky'`,
    );
    return rows.length > 0 && rows;
  }, 20_000);
  const expected = await until(async () => {
    const positions = (await logged(start)).filter((position) => !bad.has(position));
    // The log is written after the answers: all six cards that were created must be in it.
    return positions.length >= 6 && (await fed('picky')).length >= positions.length && positions;
  }, 20_000);
  t.strictSame(await fed('picky'), expected);
  t.match(parked, [{ position: [...bad][0], error: 'not that one', attempts: 5 }]);
  t.equal(parked.length, 1);
});

t.test('a feed further behind than the events in the memory of its node', async (t) => {
  const start = (await logged(0)).at(-1)!;
  await create(1_200);
  await until(async () => (await logged(start)).length >= 1_200, 20_000);
  const late = await testApp({ config: { logLevel: 'silent' }, database: a.database });
  t.teardown(() => late.close());
  t.equal(late.app.services.events.recent(start, 1), undefined);
  await sql(a.database, `insert into subscriptions (module, name, position) values ('core', 'late', $1)`, [start]);
  const end = late.app.services.feed.begin({ name: 'late', handle: write('late', 'c') });
  await create(50);
  t.strictSame(await through('late', start), await fed('late'));
  await end();
});

t.test('the feed of a killed node is continued by the other one', async (t) => {
  let free!: () => void;
  const hold = new Promise<void>((resolve) => {
    free = resolve;
  });
  let stuck = 0;
  const dying = await testApp({ config: { logLevel: 'silent' }, database: a.database });
  const endDying = dying.app.services.feed.begin({
    name: 'left',
    handle: async () => {
      stuck++;
      await hold;
    },
  });
  const start = Number((await began('left')).position);
  await create(3);
  await until(() => stuck === 1);
  const end = b.app.services.feed.begin({ name: 'left', handle: write('left', 'b') });
  t.teardown(end);
  await create(3);
  t.strictSame(await fed('left'), [], 'while the other has it');
  // Like a killed node: its connections are closed.
  await sql(
    a.database,
    `select pg_terminate_backend(l.pid) from pg_locks l join pg_class c on c.oid = l.relation
    where c.relname = 'subscriptions' and l.mode = 'RowShareLock' and l.pid <> pg_backend_pid()`,
  );
  t.strictSame(await through('left', start), await fed('left'));
  free();
  await endDying();
  await dying.close();
});
