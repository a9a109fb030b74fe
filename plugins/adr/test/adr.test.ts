import pg from 'pg';
import t from 'tap';
import { makeUser, registerAdmin, sql, testApp, until, type AnyBody, type Session } from '../../../test/support/app.js';
import adr from '../index.js';

interface Adr {
  id: string;
  number: string;
  status: string;
  title: string;
  card_ids: string[];
  version: number;
  updated_at: string;
  created_by: string;
}
interface Page {
  items: Adr[];
  total: number;
  next_cursor: string | null;
}

const { app, origin, database, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const [viewer, member, architect] = await Promise.all([
  makeUser(admin, 'viewer'),
  makeUser(admin, 'member'),
  makeUser(admin, 'architect'),
]);
const card = async (name: string) => (await admin.api.post('/cards', { type: 'Application', name })).body.id;
const shop = await card('Shop');
const ledger = await card('Ledger');
const NOWHERE = '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b';

const create = async (body: object, by: Session = member) => (await by.api.post<Adr>('/adr', body)).body;
const titles = async (query: Record<string, string | number>) =>
  (await viewer.api.get<Page>('/adr', { query })).body.items.map((a) => a.title);
const fields = (body: AnyBody) => body.errors.map((e) => e.field).sort();

t.test('a decision is begun, read, changed and deleted', async (t) => {
  const body = {
    title: ' Use PostgreSQL ',
    context: 'Orders need *transactions*.',
    drivers: ['known'],
    options: [{ title: 'PostgreSQL', pros: ['safe'], cons: [] }],
    card_ids: [shop],
  };
  const created = await member.api.post<Adr>('/adr', body);
  t.match(created, {
    status: 201,
    body: {
      number: 'ADR-0001',
      status: 'draft',
      title: 'Use PostgreSQL',
      drivers: ['known'],
      options: [{ pros: ['safe'] }],
      decision: null,
      card_ids: [shop],
      created_by: member.user.id,
      version: 1,
    },
  });
  const path = `/adr/${created.body.id}`;
  t.equal(created.headers.get('location'), `/api/v1${path}`);
  t.equal(created.headers.get('etag'), '"1"');
  t.strictSame((await viewer.api.get(path)).body, created.body);
  t.equal((await viewer.api.get(path, { headers: { 'if-none-match': '"1"' } })).status, 304);
  const changed = await member.api.patch<Adr>(
    path,
    { decision: 'PostgreSQL.', card_ids: [ledger, shop], context: null },
    { headers: { 'if-match': '"1"' } },
  );
  t.match(changed, { status: 200, body: { decision: 'PostgreSQL.', context: null, version: 2 } });
  t.strictSame(changed.body.card_ids, [shop, ledger].sort());
  t.ok(changed.body.updated_at > created.body.updated_at);
  t.match((await member.api.patch(path, { decision: 'PostgreSQL.' })).body, { version: 2 }, 'nothing changed');
  t.match(
    await member.api.patch(path, { decision: 'MySQL.', title: 'Use PostgreSQL' }, { headers: { 'if-match': '"1"' } }),
    { status: 412, body: { current_version: 2, changed_fields: ['decision'] } },
  );
  t.match(await architect.api.del(path, { headers: { 'if-match': '"1"' } }), { status: 412 });
  t.equal((await architect.api.del(path, { headers: { 'if-match': '"2"' } })).status, 204);
  for (const answer of [
    await member.api.get(path),
    await member.api.patch(path, { title: 'x' }),
    await architect.api.del(path),
    await member.api.get('/adr/1'),
  ])
    t.equal(answer.status, 404);
  const events = (await admin.api.get('/events', { query: { type: 'adr.' } })).body.items;
  t.strictSame(
    events.map((e) => e.type),
    ['adr.deleted', 'adr.updated', 'adr.created'],
  );
  t.match(events[1], {
    subject: { kind: 'adr', id: created.body.id, name: 'Use PostgreSQL' },
    actor: { id: member.user.id },
  });
  t.strictSame((events[1]!['data'] as { changes: { field: string }[] }).changes.map((c) => c.field).sort(), [
    'card_ids',
    'context',
    'decision',
  ]);
});

t.test('numbers have no gaps, with failures and concurrent requests', async (t) => {
  const next = async () => (await sql<{ last: number }>(database, 'select last from adr_counter'))[0]!.last;
  const from = await next();
  const all = await Promise.all(
    Array.from({ length: 30 }, (_, i) =>
      member.api.post<Adr>('/adr', { title: `Parallel ${i}`, card_ids: i % 3 === 0 ? [NOWHERE] : [] }),
    ),
  );
  const made = all
    .filter((a) => a.status === 201)
    .map((a) => Number(a.body.number.slice(4)))
    .sort((x, y) => x - y);
  t.equal(all.filter((a) => a.status === 422).length, 10);
  t.strictSame(
    made,
    Array.from({ length: 20 }, (_, i) => from + 1 + i),
  );
  const tries = await Promise.all(
    Array.from({ length: 10 }, () =>
      member.api.post<Adr>('/adr', { title: 'Once' }, { headers: { 'idempotency-key': 'once' } }),
    ),
  );
  for (const { status } of tries) t.ok(status === 201 || status === 409, String(status));
  t.equal(new Set(tries.filter((a) => a.status === 201).map((a) => a.body.id)).size, 1);
  t.equal(await next(), from + 21);
  t.equal((await member.api.post('/adr', { title: 'Other' }, { headers: { 'idempotency-key': 'once' } })).status, 422);
});

t.test('of parallel changes under one version, one wins', async (t) => {
  const { id } = await create({ title: 'Contested' });
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, i) =>
      member.api.patch(`/adr/${id}`, { decision: `Take ${i}` }, { headers: { 'if-match': '"1"' } }),
    ),
  );
  t.equal(answers.filter((a) => a.status === 200).length, 1);
  t.equal(answers.filter((a) => a.status === 412).length, 9);
});

t.test('every fault is named, and nothing is coerced', async (t) => {
  const wrong = await member.api.post('/adr', {
    title: ' ',
    context: 5,
    drivers: 'x',
    options: [{ title: 'A', pros: [], cons: [], votes: 1 }],
    status: 'signed',
    number: 'ADR-9999',
    card_ids: ['x'],
  });
  t.equal(wrong.status, 422);
  t.strictSame(fields(wrong.body), [
    '/card_ids/0',
    '/context',
    '/drivers',
    '/number',
    '/options/0/votes',
    '/status',
    '/title',
  ]);
  t.strictSame(fields((await member.api.post('/adr', { title: 'x', card_ids: [shop, NOWHERE] })).body), [
    '/card_ids/1',
  ]);
  t.strictSame(
    fields((await member.api.patch(`/adr/${(await create({ title: 'x' })).id}`, { title: null, drivers: null })).body),
    ['/drivers', '/title'],
  );
  t.equal((await member.api.patch(`/adr/${NOWHERE}`, {})).status, 422);
  t.strictSame(
    fields(
      (
        await viewer.api.get('/adr', {
          query: { page: 0, sort_by: 'search_text', status: 'open', card_id: 'x', nothing: 1 },
        })
      ).body,
    ),
    ['card_id', 'nothing', 'page', 'sort_by', 'status'],
  );
});

t.test('permissions', async (t) => {
  const { id } = await create({ title: 'Guarded' });
  const path = `/adr/${id}`;
  t.equal((await fetch(`${origin}/api/v1/adr`)).status, 401);
  t.match(await viewer.api.post('/adr', { title: 'x' }), { status: 403, body: { required_permission: 'adr.manage' } });
  t.match(await viewer.api.patch(path, { title: 'x' }), { status: 403, body: { required_permission: 'adr.manage' } });
  t.match(await member.api.del(path), { status: 403, body: { required_permission: 'adr.delete' } });
  t.equal((await viewer.api.get(`/cards/${shop}/adrs`)).status, 200);
  t.match((await viewer.api.get(path)).body, { title: 'Guarded', version: 1 });
});

t.test('only drafts can be changed or deleted', async (t) => {
  for (const status of ['in_review', 'signed', 'superseded']) {
    const { id } = await create({ title: `Settled ${status}` });
    await sql(database, `update adr_decisions set status = $2, content_hash = 'x' where id = $1`, [id, status]);
    t.match(await architect.api.patch(`/adr/${id}`, { title: 'Changed' }), {
      status: 409,
      body: { code: 'invalid_state', document_status: status },
    });
    t.match(await architect.api.del(`/adr/${id}`), { status: 409, body: { code: 'invalid_state' } });
    t.match((await viewer.api.get(`/adr/${id}`)).body, { title: `Settled ${status}`, status });
  }
});

t.test('the list is filtered, sorted, searched and paged', async (t) => {
  await create({ title: 'Zebra crossing', context: 'Über die Straße', card_ids: [ledger] });
  await create({ title: 'aardvark first', decision: 'Straßenbahn', card_ids: [ledger, shop] });
  t.strictSame(await titles({ search: 'ÜBER strasse' }), ['Zebra crossing']);
  t.strictSame(await titles({ search: 'strasse', sort_by: 'title' }), ['aardvark first', 'Zebra crossing']);
  t.strictSame(await titles({ search: 'strasse', sort_by: 'title', sort_dir: 'desc' }), [
    'Zebra crossing',
    'aardvark first',
  ]);
  t.strictSame(await titles({ search: '100% _' }), []);
  t.strictSame(await titles({ card_id: ledger, sort_by: 'number' }), ['Zebra crossing', 'aardvark first']);
  t.strictSame((await titles({ status: 'signed,superseded' })).sort(), ['Settled signed', 'Settled superseded']);
  const { number } = (await viewer.api.get<Page>('/adr', { query: { card_id: ledger } })).body.items[0]!;
  t.strictSame(await titles({ search: number }), ['Zebra crossing']);
  for (const sort_by of ['number', 'title', 'created_at', 'updated_at']) {
    const seen: string[] = [];
    let query: Record<string, string | number> = { sort_by, page_size: 7, sort_dir: 'desc' };
    for (;;) {
      const { body } = await viewer.api.get<Page>('/adr', { query });
      seen.push(...body.items.map((a) => a.id));
      if (body.next_cursor === null) {
        t.equal(seen.length, body.total, sort_by);
        break;
      }
      query = { sort_by, page_size: 7, sort_dir: 'desc', cursor: body.next_cursor };
    }
    t.equal(new Set(seen).size, seen.length, 'each once');
  }
});

t.test('decisions of a card; a card that is deleted leaves them', async (t) => {
  const gone = await card('Soon gone');
  const { id } = await create({ title: 'About what goes', card_ids: [gone, shop] });
  t.match((await viewer.api.get<Page>(`/cards/${gone}/adrs`)).body, { total: 1, items: [{ id }], page: 1 });
  t.equal((await viewer.api.get(`/cards/${NOWHERE}/adrs`)).status, 404);
  t.equal((await viewer.api.get('/cards/x/adrs')).status, 404);
  t.equal((await viewer.api.get(`/cards/${shop}/adrs`, { query: { card_id: gone } })).status, 422);
  await sql(database, 'delete from cards where id = $1', [gone]);
  t.strictSame((await viewer.api.get<Adr>(`/adr/${id}`)).body.card_ids, [shop]);
});

t.test('a change that waits for another one is compared with its result', async (t) => {
  const { id } = await create({ title: 'Awaited', card_ids: [shop] });
  const other = new pg.Client(database);
  await other.connect();
  try {
    await other.query('begin');
    await other.query('select from adr_decisions where id = $1 for no key update', [id]);
    await other.query('insert into adr_cards (adr_id, card_id) values ($1, $2)', [id, ledger]);
    const patched = member.api.patch<Adr>(`/adr/${id}`, { card_ids: [shop] });
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%adr_decisions%'`;
    await until(async () => (await sql(database, waiting)).length > 0);
    await other.query('commit');
    t.match((await patched).body, { card_ids: [shop], version: 2 });
  } finally {
    await other.end();
  }
});

t.test('a stale draft is reported once, by a job, and again after a change', async (t) => {
  const { id } = await create({ title: 'Forgotten' });
  await create({ title: 'Fresh' });
  const age = () =>
    sql(
      database,
      `update adr_decisions set updated_at = now() - interval '31 days', reported_at = reported_at - interval '32 days' where id = $1`,
      [id],
    );
  const run = async () => {
    const { host } = app.services.modules.get('adr')!;
    const job = await host.transactions.run(host.systemContext('test'), (uow) =>
      host.jobs.enqueue(uow, 'adr.stale_drafts', {}),
    );
    return await until(
      async () =>
        (
          await sql<{ result: { reported: number } }>(
            database,
            `select result from jobs where id = $1 and state = 'done'`,
            [job],
          )
        )[0]?.result,
    );
  };
  await age();
  t.strictSame(await run(), { reported: 1 });
  t.strictSame(await run(), { reported: 0 });
  t.match((await viewer.api.get(`/adr/${id}`)).body, { version: 1 }, 'a report is no change');
  t.equal((await admin.api.patch('/settings/modules/adr', { settings: { stale_after_days: 40 } })).status, 200);
  await age();
  t.strictSame(await run(), { reported: 0 });
  await admin.api.patch('/settings/modules/adr', { settings: { stale_after_days: null } });
  t.strictSame(await run(), { reported: 1 });
  const events = (await admin.api.get('/events', { query: { type: 'adr.draft_stale' } })).body.items;
  t.equal(events.length, 2);
  t.match(events[0], { actor: null, subject: { id, name: 'Forgotten' } });
});

t.test('the prefix of numbers is a setting', async (t) => {
  const set = (number_prefix: string | null) =>
    admin.api.patch('/settings/modules/adr', { settings: { number_prefix } });
  t.strictSame(fields((await set('lower case')).body), ['/settings/number_prefix']);
  t.equal((await set('DEC')).status, 200);
  t.match((await create({ title: 'Prefixed' })).number, /^DEC-\d{4}$/);
  t.equal((await set(null)).status, 200);
  t.match((await viewer.api.get<Page>('/adr', { query: { search: 'prefixed' } })).body.items[0]!.number, /^ADR-\d{4}$/);
});

t.test('its migrations go up, down and up again', async (t) => {
  const tables = async () =>
    (
      await sql<{ n: number }>(
        database,
        `select count(*)::int as n from pg_tables where tablename in ('adr_decisions', 'adr_cards', 'adr_counter', 'adr_related', 'adr_signatures')`,
      )
    )[0]!.n;
  const shape = async () =>
    await sql(
      database,
      `select table_name, column_name, data_type from information_schema.columns where table_name like 'adr_%' order by 1, 2`,
    );
  const before = await shape();
  t.equal(await tables(), 5);
  const names = Object.keys(adr.migrations!).sort();
  for (const name of names.toReversed()) await adr.migrations![name]!.down(app.services.db.knex);
  t.equal(await tables(), 0);
  for (const name of names) await adr.migrations![name]!.up(app.services.db.knex);
  t.strictSame(await shape(), before);
  t.match(await create({ title: 'First again' }), { number: 'ADR-0001' });
});
