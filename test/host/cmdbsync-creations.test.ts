/** Records that runs create in the other system: each once, whatever becomes of the request. */
import pg from 'pg';
import t, { type Test } from 'tap';
import { expectStatus, lockWaiters, registerAdmin, sql, testApp, until, type AnyBody } from '../support/app.js';
import { SOURCE_FOLDER, SourceServer, Synchronisation, field, landscape } from './cmdbsync-support.js';

const source = await new SourceServer().listen();
source.columns = ['name', 'note', 'cost'];
const { origin, database, close } = await testApp({
  config: { pluginsDir: SOURCE_FOLDER, outboundAllow: ['127.0.0.1'], logLevel: 'fatal' },
});
t.teardown(async () => {
  await close();
  await source.close();
});
const admin = await registerAdmin(origin);
const { api } = admin;
const sync = await Synchronisation.make(database, admin, source.url);
const blind = await Synchronisation.make(database, admin, source.url, ['findCreated']);
const { edit, make, changes } = landscape(api, database, source);
const FIELDS = [field('name', 'name'), field('note', 'description', 'ea')];

/** A mapping of cards of its own: the cards of a test are those of a type that the test has. */
async function mappingOf(of: Synchronisation, table: string, options: object = {}): Promise<string> {
  // The cards of the tests before are no candidates.
  const { body } = await api.get('/cards', { query: { type: 'ITComponent', status: 'ACTIVE', page_size: 200 } });
  const operations = (body.items as AnyBody[]).map(({ id }) => ({ op: 'archive', id }));
  if (operations.length > 0) expectStatus(await api.post('/cards/bulk', { operations }), 200, 'archived');
  return await of.mapping({ direction: 'both', fields: FIELDS, table_name: table, creates_remote: true, ...options });
}

const names = (table: string): unknown[] =>
  [...source.table(table).values()].map(({ values }) => values['name']).sort();

async function isQuiet(t: Test, of: Synchronisation, mapping: string, table: string): Promise<void> {
  const [before, written] = [await changes(), source.writtenTo(table).length];
  for (const body of [{}, { full: true }, { direction: 'push' }]) {
    const run = await of.run(mapping, body);
    t.match(run, { state: 'done' });
    for (const key of ['update', 'create', 'remote_update', 'remote_create', 'failed'])
      t.notOk((run['counts'] as Record<string, number>)[key], key);
  }
  t.strictSame([await changes(), source.writtenTo(table).length], [before, written]);
}

await t.test('cards without a record get one, those that match a record do not', async (t) => {
  const mapping = await mappingOf(sync, 'alpha', { proposes_matches: true });
  await make('alpha new', { description: 'ours' });
  await make('alpha known');
  await make('alpha of the landscape 1');
  await make('alpha invalid');
  source.put('a', { name: 'alpha known' }, 'alpha');
  source.put('b', { name: 'alpha of the landscape 2' }, 'alpha');
  source.put('c', { name: 'alpha invalid', note: { not: 'a text' } }, 'alpha');
  const run = await sync.run(mapping, {});
  t.match(run, { state: 'review', counts: { remote_create: 1, update: 1, create: 1, error: 1, pushed: 1 } });
  t.strictSame(names('alpha'), ['alpha invalid', 'alpha known', 'alpha new', 'alpha of the landscape 2']);
  const created = (await sync.records(run.id)).find(({ side }) => side === 'cmdb')!;
  t.match(created, { action: 'create', state: 'applied', external_id: 'new1', name: 'alpha new' });
  t.match(source.writtenTo('alpha'), [{ correlation: created.id, values: { name: 'alpha new', note: 'ours' } }]);
  source.put('c', { note: 'a text' }, 'alpha');
  const proposed = (await sync.records(run.id)).find(({ state }) => state === 'pending')!;
  expectStatus(await api.post(`/cmdbsync/records/${proposed.id}/resolve`, { take: 'create' }), 200, 'another card');
  await sync.ended(run.id);
  const next = await sync.run(mapping);
  t.match(next, { state: 'done', counts: { remote_create: 1, update: 1, unchanged: 3 } });
  await isQuiet(t, sync, mapping, 'alpha');
});

await t.test('a response that is lost, and errors before and after the creation', async (t) => {
  const mapping = await mappingOf(sync, 'beta');
  for (let i = 0; i < 12; i++) await make(`beta ${i}`);
  const before = source.writtenTo('beta').length;
  const statuses = [500, 503, 429];
  source.before = (_url, response, method) => {
    const status = method === 'POST' ? statuses.shift() : undefined;
    if (status !== undefined) response.writeHead(status).end();
    return status !== undefined;
  };
  let lost = 3;
  source.after = (method, response) => {
    if (method !== 'POST' || lost-- <= 0) return false;
    if (lost === 2) response.writeHead(502).end();
    else response.destroy();
    return true;
  };
  t.match(await sync.run(mapping, {}), { state: 'done', counts: { remote_create: 12, pushed: 12 } });
  [source.before, source.after] = [() => false, () => false];
  t.equal(source.writtenTo('beta').length - before, 12, 'each is created once');
  t.equal(new Set(names('beta')).size, 12);
  await isQuiet(t, sync, mapping, 'beta');
});

await t.test('what was sent before the run ended is looked up before the next one reads', async (t) => {
  // Without identity keys, a record that is not known would become another card.
  const mapping = await mappingOf(sync, 'gamma', { identity: [] });
  for (let i = 0; i < 6; i++) await make(`gamma ${i}`);
  let run = '';
  source.after = async (method) => {
    if (method !== 'POST') return false;
    const { body } = await api.get(`/cmdbsync/runs/${run}`);
    if (body.state === 'applying')
      await api.post(`/cmdbsync/runs/${run}/cancel`, undefined, { headers: { 'if-match': '*' } });
    // The connection is closed by the client, which does not get the response.
    await new Promise((resolve) => setImmediate(resolve));
    return false;
  };
  run = await sync.start(mapping);
  t.match(await sync.ended(run), { state: 'cancelled' });
  source.after = () => false;
  t.match(await sync.run(mapping), { state: 'done' });
  t.strictSame(names('gamma'), ['gamma 0', 'gamma 1', 'gamma 2', 'gamma 3', 'gamma 4', 'gamma 5']);
  t.equal((await api.get('/cards', { query: { type: 'ITComponent', search: 'gamma' } })).body.total, 6);
  await isQuiet(t, sync, mapping, 'gamma');
});

await t.test('a cancelled run that ends late does not give up what the next one has taken over', async (t) => {
  const mapping = await mappingOf(sync, 'omega', { identity: [] });
  const all = Array.from({ length: 6 }, (_, i) => `omega ${i}`);
  for (const name of all) await make(name);
  const [first, second] = [new pg.Client(database), new pg.Client(database)];
  t.teardown(() => Promise.all([first.end(), second.end()]));
  await Promise.all([first.connect(), second.connect()]);
  let run = '';
  const hold = (client: pg.Client) => client.query('select from cmdbsync_runs where id = $1 for update', [run]);
  const waiting = (n: number) => until(async () => (await lockWaiters(database)) === n);
  // The run is locked again after it was cancelled, before its job stores what became of the requests.
  const cancel = async (): Promise<void> => {
    await first.query('begin');
    await hold(first);
    const cancelled = api.post(`/cmdbsync/runs/${run}/cancel`, undefined, { headers: { 'if-match': '*' } });
    await waiting(1);
    await second.query('begin');
    const held = hold(second);
    await waiting(2);
    await first.query('commit');
    expectStatus(await cancelled, 200, 'cancelled');
    await held;
  };
  let cancelling: Promise<void> | undefined;
  source.after = async (method) => {
    if (method === 'POST') await (cancelling ??= cancel());
    return false;
  };
  run = await sync.start(mapping);
  t.match(await sync.ended(run), { state: 'cancelled' });
  await cancelling;
  await waiting(1);
  source.after = () => false;
  const next = await sync.run(mapping);
  t.match(next, { state: 'done' });
  await second.query('commit');
  await until(async () => (await sql(database, `select from jobs where state = 'running'`)).length === 0);
  t.strictSame(names('omega'), all);
  const states = (await sync.records(String(next.id))).filter(({ side }) => side === 'cmdb').map(({ state }) => state);
  t.ok(states.length > 0 && states.every((state) => ['applied', 'resolved'].includes(String(state))), states.join());
  await isQuiet(t, sync, mapping, 'omega');
});

await t.test('without a way to look it up, a person decides', async (t) => {
  const mapping = await mappingOf(blind, 'delta');
  for (let i = 0; i < 3; i++) await make(`delta ${i}`);
  let faults = [(): boolean => true, (): boolean => false];
  source.after = (method, response) => {
    if (method !== 'POST' || !(faults.shift()?.() ?? false)) return false;
    response.destroy();
    return true;
  };
  source.before = (_url, response, method) => {
    if (method !== 'POST' || faults.length !== 1) return false;
    faults = [];
    response.writeHead(500).end();
    return true;
  };
  const run = await blind.run(mapping, {});
  [source.before, source.after] = [() => false, () => false];
  t.match(run, { state: 'review', counts: { remote_create: 3, pushed: 1 } });
  const sent = (await blind.records(run.id)).filter(({ state }) => state === 'sent');
  t.match(
    sent.map(({ reason }) => reason),
    [/not known whether/, /not known whether/],
  );
  const written = names('delta');
  t.equal(written.length, 2, 'one of the two exists');
  for (const { id, name } of sent) {
    t.match(await api.post(`/cmdbsync/records/${id}/resolve`, { take: 'cmdb' }), { status: 422 });
    const take = written.includes(name) ? 'skip' : 'create';
    expectStatus(await api.post(`/cmdbsync/records/${id}/resolve`, { take }), 200, take);
    await blind.ended(run.id);
  }
  t.strictSame(names('delta'), ['delta 0', 'delta 1', 'delta 2']);
  t.match(await blind.run(mapping, {}), { state: 'done' }, 'what exists is linked by its name');
  await isQuiet(t, blind, mapping, 'delta');
});

await t.test('a creation whose outcome is not known is carried to the next run and not repeated', async (t) => {
  const mapping = await mappingOf(blind, 'epsilon', { identity: [{ target: 'external_id' }] });
  await make('epsilon');
  source.before = (_url, response, method) => {
    if (method === 'POST') response.destroy();
    return method === 'POST';
  };
  const first = await blind.run(mapping, {});
  t.match(first, { state: 'review' });
  source.before = () => false;
  const second = await blind.run(mapping, {});
  t.match(second, { state: 'review' });
  t.match(await blind.records(second.id), [{ action: 'create', state: 'sent', side: 'cmdb' }]);
  t.match(await blind.records(first.id), { length: 0 });
  t.match(await blind.run(mapping, { full: true, dry_run: true }), {
    state: 'done',
    counts: { remote_create: undefined },
  });
  t.strictSame(names('epsilon'), []);
});

await t.test('refused creations are errors of their record', async (t) => {
  const mapping = await mappingOf(sync, 'zeta');
  await make('zeta 0', { description: 'refused' });
  await make('zeta 1');
  source.refused = ['note'];
  const run = await sync.run(mapping, {});
  t.match(run, { state: 'done', counts: { remote_create: 2, pushed: 1, failed: 1 } });
  t.match(
    (await sync.records(run.id)).filter(({ state }) => state === 'failed'),
    [{ name: 'zeta 0', reason: /422: note cannot be written/ }],
  );
  source.refused = [];
  t.match(await sync.run(mapping, {}), { state: 'done', counts: { remote_create: 1, pushed: 1 } });
  await isQuiet(t, sync, mapping, 'zeta');
});

await t.test('a mapping that only writes', async (t) => {
  const mapping = await mappingOf(sync, 'eta', { direction: 'push' });
  source.put('other', { name: 'eta of the other system' }, 'eta');
  const id = await make('eta 0');
  t.match(await sync.run(mapping, {}), { state: 'done', pages: 0, counts: { remote_create: 1, pushed: 1 } });
  await edit(id, { description: 'ours' });
  t.match(await sync.run(mapping, {}), { state: 'done', counts: { remote_update: 1, pushed: 1 } });
  t.strictSame(names('eta'), ['eta 0', 'eta of the other system']);
  t.match(await sync.run(mapping, {}), { state: 'done', counts: { remote_update: undefined } });
  t.equal((await api.get('/cards', { query: { type: 'ITComponent', search: 'eta of' } })).body.total, 0);
});

await t.test('costs that the service account may not see are not written', async (t) => {
  const fields = [...FIELDS, field('cost', 'attributes.costTotalAnnual', 'ea')];
  const mapping = await mappingOf(sync, 'theta', { fields });
  await make('theta 0', { attributes: { costTotalAnnual: 12 } });
  const permissions = ['cards.view', 'cards.create', 'cards.edit'];
  expectStatus(await api.post('/roles', { key: 'narrow', label: 'Narrow', permissions }), 201, 'a role');
  const act = async (role: string): Promise<void> =>
    void expectStatus(await api.patch(`/users/${sync.account}`, { role }), 200, role);
  await act('narrow');
  t.match(await sync.run(mapping, {}), { state: 'done', counts: { pushed: 1 } });
  const values = (): unknown => [...source.table('theta').values()][0]!.values;
  t.strictSame(values(), { name: 'theta 0' });
  await isQuiet(t, sync, mapping, 'theta');
  await act('admin');
  t.match(await sync.run(mapping), { state: 'done', counts: { pushed: 1 } });
  t.strictSame(values(), { name: 'theta 0', cost: 12 });
  await isQuiet(t, sync, mapping, 'theta');
});

await t.test('a module that is switched off while it creates goes on when it is switched on', async (t) => {
  const mapping = await mappingOf(sync, 'iota');
  for (let i = 0; i < 10; i++) await make(`iota ${i}`);
  const enable = async (enabled: boolean): Promise<void> =>
    void expectStatus(await api.patch('/settings/modules/cmdbsync', { enabled }), 200, 'switched');
  let n = 0;
  source.after = async (method) => {
    if (method === 'POST' && ++n === 5) await enable(false);
    return false;
  };
  const run = await sync.start(mapping, {});
  await until(async () => (await api.get('/cmdbsync/runs')).status === 404, 20_000);
  source.after = () => false;
  await enable(true);
  t.match(await sync.ended(run), { state: 'done', counts: { remote_create: 10, pushed: 10 } });
  t.strictSame(
    names('iota'),
    Array.from({ length: 10 }, (_, i) => `iota ${i}`),
  );
  await isQuiet(t, sync, mapping, 'iota');
});
