/** The audit trail: read permissions, and that it cannot be changed by any role of the database. */
import pg from 'pg';
import t from 'tap';
import { createDatabase, makeUser, registerAdmin, sql, testApp, until } from '../support/app.js';
import { logOf } from '../support/partitions.js';

const { origin, database, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const make = async (path: string, body: object): Promise<string> => {
  const answer = await admin.api.post(path, body);
  if (answer.status !== 201) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
  return answer.body.id;
};
await make('/roles', {
  key: 'auditor',
  label: 'Auditor',
  permissions: ['events.audit', 'cards.view', 'relations.view'],
});
const auditor = await makeUser(admin, 'auditor');
const member = await makeUser(admin, 'member');

await t.test('an auditor reads every kind of event, and costs only with the permission', async (t) => {
  const [card, peer] = [
    await make('/cards', { type: 'Application', name: 'Audited', attributes: { costTotalAnnual: 123454321 } }),
    await make('/cards', { type: 'ITComponent', name: 'Peer' }),
  ];
  await make('/relations', {
    type: 'applicationToITComponent',
    source_id: card,
    target_id: peer,
    attributes: { costTotalAnnual: 123454321 },
  });
  await admin.api.patch(`/cards/${card}`, {
    attributes: { costTotalAnnual: 123454322, businessCriticality: 'administrative' },
  });
  const trail = await until(async () => {
    const { body } = await auditor.api.get('/events', { query: { page_size: 200 } });
    return body.items.some((e) => e.type === 'card.updated') && body;
  });
  t.notMatch(JSON.stringify(trail), /12345432/);
  t.match(JSON.stringify((await admin.api.get('/events', { query: { page_size: 200 } })).body), /12345432/);
  const kinds = new Set(trail.items.map((e) => (e['subject'] as { kind: string }).kind));
  for (const kind of ['role', 'user', 'session', 'card', 'relation']) t.ok(kinds.has(kind), kind);
  t.equal(trail.items.length, trail.total, 'pages are complete');
  for (const { id, type } of trail.items.filter((e) => /card|relation/.test(e.type)))
    t.notMatch(JSON.stringify((await auditor.api.get(`/events/${id}`)).body), /12345432/, type);
  for (const path of ['/events', '/events/1'])
    t.match(await member.api.get(path), { status: 403, body: { required_permission: 'events.audit' } }, path);
});

await t.test(
  'filters can be combined, totals are exact, and a cursor reads everything during concurrent writes',
  async (t) => {
    const cards = await Promise.all(
      Array.from({ length: 25 }, (_, i) => make('/cards', { type: 'Provider', name: `Filtered ${i}` })),
    );
    await until(
      async () => (await admin.api.get('/events', { query: { type: 'card.created', page_size: 1 } })).body.total === 27,
    );
    const total = async (query: Record<string, string>) => (await admin.api.get('/events', { query })).body.total;
    const times = await sql<{ at: string }>(
      database,
      `select to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at from events where type = 'card.created' order by position`,
    );
    const cut = times[10]!.at;
    const [expected] = await sql<{ before: number; after: number; admins: number; none: number }>(
      database,
      `select count(*) filter (where occurred_at < $1)::int as before, count(*) filter (where occurred_at >= $1)::int as after,
    count(*) filter (where actor_id = $2)::int as admins, count(*) filter (where origin = 'start')::int as none from events`,
      [cut, admin.user.id],
    );
    t.strictSame(
      [
        await total({ until: cut }),
        await total({ since: cut }),
        await total({ actor_id: admin.user.id }),
        await total({ origin: 'start' }),
      ],
      [expected!.before, expected!.after, expected!.admins, expected!.none],
    );
    t.equal(await total({ since: cut, until: cut }), 0, 'since is in it, until is not');
    t.equal(await total({ subject_id: cards[3]!, type: 'card.', origin: 'api', actor_id: admin.user.id }), 1);
    t.equal(await total({ type: 'card.,role.' }), (await total({ type: 'card.' })) + (await total({ type: 'role.' })));

    const seen: number[] = [];
    let cursor: string | null = null;
    do {
      const answer: { body: { items: { id: unknown }[]; next_cursor: string | null; total: number } } =
        await admin.api.get('/events', {
          query: { page_size: 7, type: 'card.created', ...(cursor !== null && { cursor }) },
        });
      seen.push(...answer.body.items.map((e) => Number(e.id)));
      cursor = answer.body.next_cursor;
      await make('/cards', { type: 'Provider', name: `Meanwhile ${seen.length}` });
    } while (cursor);
    const created = (
      await sql<{ position: string }>(
        database,
        `select position from events where type = 'card.created' and position <= $1 order by position desc`,
        [seen[0]],
      )
    ).map(({ position }) => Number(position));
    t.strictSame(seen, created, 'each of those that were there, once, the latest first');
  },
);

await t.test(
  'the log cannot be changed: not by its owner, a superuser or in the replica role, in no partition',
  async (t) => {
    const at = await logOf([40]);
    const client = new pg.Client({ ...at });
    await client.connect();
    t.teardown(() => client.end());
    const {
      rows: [me],
    } = await client.query<{ super: boolean }>('select rolsuper as super from pg_roles where rolname = current_user');
    t.equal(me!.super, true, 'the user is a superuser');
    const tables = [
      'events',
      ...(
        await sql<{ name: string }>(
          at,
          `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'events'::regclass`,
        )
      ).map(({ name }) => name),
    ];
    t.equal(tables.length, 3);
    await client.query(
      `insert into event_outbox (type, occurred_at, origin, subject_kind, subject_id) values ('card.created', now(), 'test', 'card', 'waiting')`,
    );
    const before = (
      await client.query('select md5(string_agg(e::text, chr(10) order by position)) as sum from events e')
    ).rows;
    // UPDATE and DELETE are only refused for an existing row: the last partition gets one, which is rolled back.
    for (const role of ['origin', 'replica', 'local']) {
      await client.query(`set session_replication_role = ${role}`);
      for (const table of tables) {
        await client.query('begin');
        await client.query(
          `insert into events select 1001, type, occurred_at, actor_id, actor_name, origin, request_id, change_id, subject_kind, subject_id, subject_type, subject_name, data from events limit 1`,
        );
        for (const statement of [
          `update ${table} set type = 'forged'`,
          `delete from ${table}`,
          `truncate ${table}`,
          `truncate ${table} cascade`,
          `merge into ${table} e using (select 1) x on true when matched then delete`,
          `insert into events select * from ${table} on conflict (position) do update set type = 'forged'`,
        ]) {
          await client.query('savepoint s');
          await t.rejects(client.query(statement), { code: '42501' }, `${role}: ${statement}`);
          await client.query('rollback to s');
        }
        await client.query('rollback');
      }
      for (const statement of [
        `update event_outbox set data = '{"forged": true}'`,
        'delete from event_outbox',
        'truncate event_outbox',
        'truncate event_outbox cascade',
      ]) {
        await t.rejects(client.query(statement), { code: '42501' }, `${role}: ${statement}`);
      }
    }
    t.strictSame(
      (await client.query('select md5(string_agg(e::text, chr(10) order by position)) as sum from events e')).rows,
      before,
    );
    t.equal((await client.query('select from event_outbox')).rows.length, 1, 'the waiting event is unchanged');
  },
);

await t.test('a role of the database that may only read and write changes nothing either', async (t) => {
  const at = await createDatabase();
  const role = `lintel_clerk_${process.pid}`;
  await sql(at, `create role ${role}; grant all on all tables in schema public to ${role}`);
  t.teardown(() => sql(at, `drop owned by ${role}; drop role ${role}`));
  await sql(
    at,
    `insert into events (position, type, occurred_at, origin, subject_kind, subject_id, data) values (1, 'card.created', now(), 'test', 'card', 'x', '{}')`,
  );
  for (const statement of [
    `update events set type = 'x'`,
    'delete from events',
    'truncate events',
    'alter table events disable trigger all',
    `set session_replication_role = replica`,
  ]) {
    await t.rejects(sql(at, `set role ${role}; ${statement}`), { code: '42501' }, statement);
  }
});
