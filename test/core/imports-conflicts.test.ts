import pg from 'pg';
import t from 'tap';
import { boundKnex } from '../../core/foundation/db/bound-knex.js';
import * as migration from '../../migrations/0009_imports.js';
import { createDatabase, makeUser, registerAdmin, sql, testApp, until, type AnyBody } from '../support/app.js';
import { applied, brief, filler, lines, previewer, rowsOf, staged } from '../support/imports.js';

const days = 30;
const { app, origin, database, close } = await testApp({ config: { importRetentionDays: days } });
t.teardown(close);
const admin = await registerAdmin(origin);
const { api } = admin;
const { make } = previewer(api);
const { body: role } = await api.post<{ key: string }>('/roles', {
  key: 'no_costs',
  label: 'No costs',
  permissions: ['cards.view', 'cards.import'],
});
const reader = await makeUser(admin, role.key);
const bare = await createDatabase();
const read = async (id: string): Promise<AnyBody> => (await api.get(`/cards/${id}`)).body;

t.test('changes by others since the preview are kept, card by card', async (t) => {
  const [a, b, c, d, e, f] = await Promise.all(
    ['a', 'b', 'c', 'd', 'e', 'f'].map((key) =>
      make({
        type: 'Application',
        name: `Conflict ${key}`,
        external_id: `conflict-${key}`,
        attributes: { numberOfUsers: 1, costTotalAnnual: 10 },
      }),
    ),
  );
  const parent = await make({ type: 'Application', name: 'Parent of conflicts' });
  const row = (key: string, more: Record<string, unknown> = {}) => ({
    type: 'Application',
    external_id: `conflict-${key}`,
    description: 'From the file',
    attributes: { numberOfUsers: 2, costTotalAnnual: 20 },
    ...more,
  });
  const preview = await staged(
    api,
    'ndjson',
    lines([
      row('a'),
      row('b'),
      row('c'),
      row('d', { parent_id: parent.id }),
      row('e'),
      row('f'),
      { type: 'Application', name: 'Below a', parent: { type: 'Application', external_id: 'conflict-a' } },
    ]),
  );
  t.strictSame(preview.counts.card, { update: 6, create: 1 });
  t.equal((await api.patch(`/cards/${a!.id}`, { attributes: { numberOfUsers: 3, costTotalAnnual: 30 } })).status, 200);
  t.equal(
    (await api.patch(`/cards/${b!.id}`, { alias: 'Elsewhere', lifecycle: { active: '2024-01-01' } })).status,
    200,
  );
  t.equal((await api.patch(`/cards/${c!.id}`, { attributes: { numberOfUsers: 2 } })).status, 200);
  t.equal((await api.patch(`/cards/${d!.id}`, { parent_id: b!.id })).status, 200);
  t.equal((await api.del(`/cards/${e!.id}`)).status, 204);
  t.equal((await api.patch(`/cards/${f!.id}`, { description: 'for a while' })).status, 200);
  t.equal((await api.patch(`/cards/${f!.id}`, { description: null })).status, 200);
  const done = await applied(api, preview.id);
  t.strictSame(done.counts.card, { conflict: 2, update: 3, create: 1, failed: 1 });
  t.equal(done.progress.done, 7);
  const rows = await rowsOf(api, preview.id);
  t.strictSame(brief(rows), [
    'conflict attributes.numberOfUsers attributes.costTotalAnnual',
    'update',
    'update',
    'conflict parent_id',
    'failed id',
    'update',
    'create',
  ]);
  t.strictSame(rows[0]!.errors[0], {
    field: 'attributes.numberOfUsers',
    reason: 'was changed by another user since the preview',
  });
  t.match(rows[0]!, { applied: true, id: a!.id });
  t.match(
    await read(a!.id),
    { description: null, attributes: { numberOfUsers: 3 }, version: 2 },
    'nothing of it was written',
  );
  t.match(
    await read(b!.id),
    {
      description: 'From the file',
      alias: 'Elsewhere',
      lifecycle: { active: '2024-01-01' },
      attributes: { numberOfUsers: 2 },
    },
    'changes of other fields are kept',
  );
  t.match(
    await read(c!.id),
    { description: 'From the file', attributes: { numberOfUsers: 2 } },
    'the same value set by another user is no conflict',
  );
  t.match(await read(d!.id), { parent_id: b!.id, description: null });
  t.match(await read(f!.id), { description: 'From the file' }, 'a value that was restored is no conflict');
  t.strictSame(
    (await rowsOf(reader.api, preview.id))[0]!.errors.map(({ field }) => field),
    ['attributes.numberOfUsers'],
    'a conflict of a cost is shown only to users who see costs',
  );
  t.strictSame((await rowsOf(api, preview.id, { verdict: 'conflict' })).length, 2);
  const again = await staged(api, 'ndjson', lines([row('a')]));
  t.match(
    (await applied(api, again.id)).counts.card,
    { update: 1 },
    'a new preview shows the current values, and applying it overwrites them',
  );
  t.match(await read(a!.id), { attributes: { numberOfUsers: 2 } });
});

t.test('conflicts of relations', async (t) => {
  const [x, y] = [await make({ type: 'Application', name: 'X' }), await make({ type: 'Application', name: 'Y' })];
  const relate = async (source_id: string, target_id: string) =>
    (await api.post<{ id: string }>('/relations', { type: 'related', source_id, target_id, description: 'old' })).body
      .id;
  const [one, two] = [await relate(x.id, y.id), await relate(y.id, x.id)];
  const preview = await staged(
    api,
    'ndjson',
    lines([
      { relation: { id: one, type: 'related', description: 'new' } },
      { relation: { id: two, type: 'related', description: 'new' } },
    ]),
  );
  t.strictSame(preview.counts.relation, { update: 2 });
  t.equal((await api.patch(`/relations/${one}`, { description: 'other' })).status, 200);
  t.equal((await api.patch(`/relations/${two}`, { valid_from: '2024-01-01' })).status, 200);
  t.strictSame((await applied(api, preview.id)).counts.relation, { conflict: 1, update: 1 });
  t.match((await api.get(`/relations/${one}`)).body, { description: 'other', version: 2 });
  t.match((await api.get(`/relations/${two}`)).body, { description: 'new', valid_from: '2024-01-01', version: 3 });
});

t.test('changes made while rows are written are not lost', async (t) => {
  const n = 400;
  const made = await api.post<{ results: { id: string }[] }>('/cards/bulk', {
    mode: 'all_or_nothing',
    operations: Array.from({ length: n }, (_, i) => ({
      op: 'create',
      card: { type: 'Provider', name: `Raced ${i}`, external_id: `raced-${i}` },
    })),
  });
  t.equal(made.status, 200, JSON.stringify(made.body).slice(0, 200));
  const rows = Array.from({ length: n }, (_, i) => ({
    type: 'Provider',
    external_id: `raced-${i}`,
    description: 'From the file',
  }));
  const preview = await staged(api, 'ndjson', lines([...filler(2_001, 'Before'), ...rows]));
  t.strictSame(preview.counts.card, { create: 2_001, update: n });
  const ids = made.body.results.map(({ id }) => id);
  const applying = applied(api, preview.id);
  const writes: { id: string; field: string; status: number }[] = [];
  for (let i = 0; i < n; i += 4) {
    const [id, field] = [ids[i]!, i % 8 === 0 ? 'description' : 'alias'];
    writes.push({ id, field, status: (await api.patch(`/cards/${id}`, { [field]: 'By hand' })).status });
  }
  const done = await applying;
  t.equal(done.counts.card['failed'] ?? 0, 0);
  t.equal(done.progress.done, done.progress.total, 'each row was processed');
  const verdicts = new Map(
    (await rowsOf(api, preview.id, { verdict: 'update,conflict' })).map(({ id, verdict }) => [id, verdict]),
  );
  t.equal(verdicts.size, n);
  for (const { id, field, status } of writes) {
    t.equal(status, 200);
    const card = await read(id);
    // The other field is changed by the import; a field that was changed before the import wrote the row is a conflict.
    if (field === 'alias') t.match(card, { alias: 'By hand', description: 'From the file' });
    else t.equal(card['description'], 'By hand', verdicts.get(id) ?? '');
  }
  const [versions] = await sql<{ n: number }>(
    database,
    `select count(*)::int as n from card_rows c where c.name like 'Raced %' and c.version <> (select count(*) from card_versions v where v.id = c.id)`,
  );
  t.equal(versions!.n, 0);
});

t.test('finished imports are deleted after their retention', async (t) => {
  const upload = async (name: string): Promise<string> =>
    (await staged(api, 'csv', `type,name\nProvider,${name}\n`)).id;
  const [abandoned, done, recent, working] = [
    await upload('Abandoned'),
    await upload('Done'),
    await upload('Recent'),
    await upload('Working'),
  ];
  t.equal((await applied(api, done)).state, 'applied');
  const failed = (await staged(api, 'csv', 'nothing\nx\n')).id;
  const old = [abandoned, done, failed, working];
  await sql(
    database,
    `update imports set updated_at = clock_timestamp() - make_interval(days => $2, hours => 1) where id = any($1)`,
    [old, days],
  );
  await sql(
    database,
    `update imports set updated_at = clock_timestamp() - make_interval(days => $2, hours => -1) where id = $1`,
    [recent, days],
  );
  await sql(database, `update imports set state = 'applying', job_id = null where id = $1`, [working]);
  const { systemContext } = await import('../../core/foundation/context.js');
  const id = await app.services.jobs.submit(systemContext('test'), 'imports.purge', {});
  const job = await until(
    async () =>
      (
        await sql<{ state: string; result: unknown }>(
          database,
          `select state, result from jobs where id = $1 and state not in ('queued', 'running')`,
          [id],
        )
      )[0],
    20_000,
  );
  t.match(job, { state: 'done', result: { deleted: 3 } });
  for (const gone of [abandoned, done, failed]) t.equal((await api.get(`/imports/${gone}`)).status, 404);
  for (const kept of [recent, working]) t.equal((await api.get(`/imports/${kept}`)).status, 200);
  t.equal(
    (await sql(database, 'select from import_rows where import_id = any($1)', [[abandoned, done, failed]])).length,
    0,
  );
  const events = await until(async () => {
    const { items } = (
      await api.get<{ items: { subject: { id: string }; actor: unknown; data: unknown }[] }>('/events', {
        query: { type: 'import.deleted' },
      })
    ).body;
    return items.length === 3 && items;
  });
  t.match(
    events.find(({ subject }) => subject.id === done),
    { actor: null, data: { state: 'applied', retention_days: days } },
  );
  t.equal((await api.get('/cards', { query: { search: 'Done' } })).body['total'], 1, 'what it wrote stays');
});

t.test('the migration can be reverted and run again with existing data', async (t) => {
  const connection = new pg.Client({ ...bare });
  await connection.connect();
  t.teardown(() => connection.end());
  const objects = () =>
    sql<{ name: string }>(
      bare,
      `select indexname as name from pg_indexes where tablename in ('imports', 'import_rows')
    union all select attname from pg_attribute where attrelid = 'import_rows'::regclass and attnum > 0 and not attisdropped order by 1`,
    );
  const whole = await objects();
  const id = '01900000-0000-7000-8000-000000000001';
  await sql(
    bare,
    `insert into imports (id, state, format, file_name, size) values ($1, 'applied', 'csv', 'old.csv', 1)`,
    [id],
  );
  await sql(
    bare,
    `insert into import_rows (import_id, n, kind, line, doc, verdict, base_version, grp) values ($1, 1, 'card', 2, '{}', 'conflict', 3, 1)`,
    [id],
  );
  await migration.down(await boundKnex(connection));
  t.equal((await objects()).length, whole.length - 7);
  t.strictSame(
    await sql(bare, 'select verdict from import_rows'),
    [{ verdict: 'failed' }],
    'the previous release can read it',
  );
  await migration.up(await boundKnex(connection));
  t.strictSame(await objects(), whole);
});
