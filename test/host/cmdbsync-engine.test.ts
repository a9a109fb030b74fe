/** Runs that read another system and write cards: what they change, and what they leave when the other system fails. */
import { EventEmitter, once } from 'node:events';
import t from 'tap';
import { expectStatus, registerAdmin, sql, testApp, type AnyBody } from '../support/app.js';
import { SOURCE_FOLDER, SourceServer, Synchronisation, field } from './cmdbsync-support.js';

const source = await new SourceServer().listen();
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
expectStatus(await api.patch('/settings/modules/cmdbsync', { settings: { page_size: 10 } }), 200, 'small pages');

const TYPE = 'ITComponent';
const cards = async (name: string): Promise<AnyBody[]> =>
  (await api.get('/cards', { query: { type: TYPE, search: name, page_size: 200 } })).body.items;
const card = async (name: string): Promise<AnyBody> => (await cards(name)).find((found) => found.name === name)!;
const edit = async (id: string, changes: object): Promise<AnyBody> =>
  expectStatus(await api.patch(`/cards/${id}`, changes), 200, 'a change').body;
const make = async (name: string, more: object = {}): Promise<string> =>
  expectStatus(await api.post('/cards', { type: TYPE, name, ...more }), 201, 'a card').body.id;
/** Gives a test its own table. */
const table = (name: string, n: number): string => {
  for (let i = 0; i < n; i++) source.put(`${name}${i}`, { name: `${name} ${i}`, note: `note ${i}` }, name);
  return name;
};
/** Number of events about cards. */
const changes = async (): Promise<number> =>
  (await sql<{ n: number }>(database, `select count(*)::int as n from events where type like 'card.%'`))[0]!.n;

await t.test('records become cards, and a second run changes nothing', async (t) => {
  const mapping = await sync.mapping({ table_name: table('alpha', 25) });
  const first = await sync.run(mapping, { full: true });
  t.match(first, { state: 'done', pages: 3, total: 25, counts: { read: 25, create: 25, applied: 25 } });
  const found = await card('alpha 7');
  t.match(found, { description: 'note 7', status: 'ACTIVE' });
  const before = await changes();
  const second = await sync.run(mapping);
  t.match(second, { state: 'done', counts: { read: 25, unchanged: 25 } });
  t.equal(await changes(), before, 'no card was written');
  const [event] = (await api.get('/events', { query: { subject_id: found.id } })).body.items;
  t.match(event, { type: 'card.created', origin: 'cmdbsync', actor: { id: sync.account } });
});

await t.test('only changed records are written, in an incremental run only these are read', async (t) => {
  const mapping = await sync.mapping({ table_name: table('beta', 12) });
  await sync.run(mapping);
  source.put('beta3', { note: 'changed' }, 'beta');
  const run = await sync.run(mapping, {});
  t.match(run, { state: 'done', is_full: false, counts: { read: 1, update: 1, applied: 1 } });
  t.match(await card('beta 3'), { description: 'changed', version: 2 });
  const after = await sync.run(mapping);
  t.match(after, { counts: { read: 12, unchanged: 12 } }, 'its own change is no difference');
});

await t.test('a change of the card alone is reverted, one on both sides is a conflict', async (t) => {
  const mapping = await sync.mapping({ table_name: table('gamma', 3) });
  await sync.run(mapping);
  const [first, second, third] = [await card('gamma 0'), await card('gamma 1'), await card('gamma 2')];
  await edit(first.id, { description: 'here' });
  await edit(second.id, { description: 'here' });
  await edit(third.id, { description: 'agreed' });
  source.put('gamma1', { note: 'there' }, 'gamma');
  source.put('gamma2', { note: 'agreed' }, 'gamma');
  const run = await sync.run(mapping);
  t.match(run, { state: 'review', counts: { update: 1, conflict: 1, unchanged: 1 } });
  t.match(await card('gamma 0'), { description: 'note 0' });
  t.match(await card('gamma 1'), { description: 'here' }, 'waits for a person');
  const conflict = (await sync.records(run.id)).find(({ action }) => action === 'conflict')!;
  t.match(conflict, {
    state: 'pending',
    diff: [{ field: 'description', base: 'note 1', cmdb: 'there', ea: 'here', take: 'conflict' }],
  });
  expectStatus(await api.post(`/cmdbsync/records/${conflict.id}/resolve`, { take: 'ea' }), 200, 'decided');
  t.match(await sync.ended(run.id), { state: 'done' });
  t.match(await card('gamma 1'), { description: 'here' });
  t.match(await sync.run(mapping), { state: 'done', counts: { unchanged: 3 } }, 'the decision is remembered');
  source.put('gamma1', { note: 'elsewhere' }, 'gamma');
  t.match(await sync.run(mapping), { state: 'review', counts: { conflict: 1 } }, 'until the other system changes');
});

await t.test('an error in the middle of a read changes nothing', async (t) => {
  const mapping = await sync.mapping({ table_name: table('delta', 30) });
  source.before = (url, response) => {
    if (url.searchParams.get('cursor') !== '20') return false;
    response.writeHead(500).end();
    return true;
  };
  const before = await changes();
  const run = await sync.run(mapping);
  t.match(run, { state: 'failed', error: { code: 'invalid_answer' } });
  t.equal(await changes(), before);
  source.before = () => false;
  t.match(await sync.run(mapping), { state: 'done', counts: { create: 30, applied: 30 } });
});

await t.test('a read of fewer records than there are changes nothing', async (t) => {
  const mapping = await sync.mapping({ table_name: table('epsilon', 12), delete_policy: 'archive', delete_ratio: 1 });
  await sync.run(mapping);
  for (let i = 0; i < 6; i++) source.remove(`epsilon${i}`, 'epsilon');
  source.put('epsilon7', { note: 'changed' }, 'epsilon');
  source.total = 12;
  const before = await changes();
  t.match(await sync.run(mapping), { state: 'failed', error: { code: 'invalid_answer' } });
  t.equal(await changes(), before);
  source.total = undefined;
});

await t.test('cards of records that are gone are archived below the ratio, and wait above it', async (t) => {
  const mapping = await sync.mapping({ table_name: table('zeta', 10), delete_policy: 'archive', delete_ratio: 0.2 });
  await sync.run(mapping);
  source.remove('zeta0', 'zeta');
  t.match(await sync.run(mapping), { state: 'done', guard_tripped: false, counts: { archive: 1 } });
  const active = async () => (await cards('zeta')).filter(({ status }) => status === 'ACTIVE').length;
  t.equal(await active(), 9);
  for (let i = 1; i < 5; i++) source.remove(`zeta${i}`, 'zeta');
  const run = await sync.run(mapping);
  t.match(run, { state: 'review', guard_tripped: true, counts: { archive: 4 } });
  t.equal(await active(), 9, 'a person decides');
  expectStatus(
    await api.post(`/cmdbsync/runs/${run.id}/apply`, { all: true }, { headers: { 'if-match': '*' } }),
    200,
    'applied',
  );
  t.match(await sync.ended(run.id), { state: 'done' });
  t.equal(await active(), 5);
  for (let i = 5; i < 10; i++) source.remove(`zeta${i}`, 'zeta');
  t.match(await sync.run(mapping), { guard_tripped: true }, 'an empty table archives nothing by itself');
  t.equal(await active(), 5);
});

await t.test('a card archived here stays archived', async (t) => {
  const mapping = await sync.mapping({ table_name: table('eta', 2) });
  await sync.run(mapping);
  const { id } = await card('eta 0');
  expectStatus(await api.post('/cards/bulk', { operations: [{ op: 'archive', id }] }), 200, 'archived');
  source.put('eta0', { note: 'changed' }, 'eta');
  const run = await sync.run(mapping);
  t.match(run, { state: 'done', counts: { skip: 1, unchanged: 1 } });
  t.match(await sync.records(run.id), [{ action: 'skip', state: 'reported', reason: 'The card is archived.' }]);
  t.match((await api.get(`/cards/${id}`)).body, { status: 'ARCHIVED', description: 'note 0' });
});

await t.test('cards that exist are adopted once, several or similar ones are proposed', async (t) => {
  const alone = await make('theta 0', { description: 'before' });
  for (const parent of [await make('theta above'), await make('theta beside')])
    await make('theta 1', { parent_id: parent });
  await make('theta  number 2 of all');
  source.put('a', { name: 'theta 0', note: 'new' }, 'theta');
  source.put('b', { name: 'theta 1' }, 'theta');
  source.put('c', { name: 'theta number 2 of al' }, 'theta');
  const mapping = await sync.mapping({ table_name: 'theta', proposes_matches: true });
  const run = await sync.run(mapping);
  t.match(run, { state: 'review', counts: { update: 1, create: 2 } });
  t.match((await api.get(`/cards/${alone}`)).body, { description: 'new', name: 'theta 0' });
  const records = await sync.records(run.id);
  const proposals = (id: string): number =>
    (records.find(({ external_id }) => external_id === id)?.['proposals'] as unknown[]).length;
  t.equal(proposals('b'), 2);
  t.ok(proposals('c') > 0);
  t.ok(records.every(({ external_id, state }) => state === (external_id === 'a' ? 'applied' : 'pending')));
});

await t.test('two records that match one card: one is linked, the other one fails alone', async (t) => {
  await make('iota');
  source.put('first', { name: 'iota' }, 'iota');
  for (let i = 0; i < 15; i++) source.put(`other${i}`, { name: `iota ${i}` }, 'iota');
  source.put('last', { name: 'iota' }, 'iota');
  const mapping = await sync.mapping({ table_name: 'iota' });
  const run = await sync.run(mapping);
  t.match(run, { state: 'done', counts: { create: 15, update: 2, applied: 16, failed: 1 } });
  const failed = (await sync.records(run.id)).filter(({ state }) => state === 'failed');
  t.match(failed, [{ external_id: 'last', reason: 'The card is linked to another record.' }]);
});

await t.test('invalid values are errors of their record, refused cards fail alone', async (t) => {
  source.put('a', { name: 'kappa 0', note: { not: 'a text' } }, 'kappa');
  source.put('b', { name: 'kappa 1', note: 'fine' }, 'kappa');
  source.put('c', { name: '', note: 'no name' }, 'kappa');
  const run = await sync.run(await sync.mapping({ table_name: 'kappa' }));
  t.match(run, { state: 'done', counts: { error: 1, create: 2, applied: 1, failed: 1 } });
  const records = await sync.records(run.id);
  t.match(
    records.find(({ external_id }) => external_id === 'a'),
    { action: 'error', state: 'reported', reason: /description/ },
  );
  t.match(
    records.find(({ external_id }) => external_id === 'c'),
    { state: 'failed', reason: /name/ },
  );
  t.ok(await card('kappa 1'));
});

await t.test(
  'references become relations and parents, also of targets that arrive later, and are removed',
  async (t) => {
    const relations = [
      { key: 'above', source: 'above', target_table: 'lambda', relation_type: 'parent', card_end: 'source' },
      { key: 'peer', source: 'peers', target_table: 'lambda', relation_type: 'related', card_end: 'source' },
    ];
    source.put('l0', { name: 'lambda 0', above: { id: 'l1' }, peers: ['l2', 'l9'] }, 'lambda');
    source.put('l1', { name: 'lambda 1', above: 'l2' }, 'lambda');
    source.put('l2', { name: 'lambda 2' }, 'lambda');
    const mapping = await sync.mapping({ table_name: 'lambda', relations });
    t.match(await sync.run(mapping), { state: 'done', counts: { create: 3, linked: 3, unresolved: 1 } });
    const [zero, one, two] = [await card('lambda 0'), await card('lambda 1'), await card('lambda 2')];
    t.equal(zero.parent_id, one.id);
    t.equal(one.parent_id, two.id);
    const related = async (): Promise<string[]> =>
      (await api.get('/relations', { query: { card_id: zero.id, type: 'related' } })).body.items
        .map((relation: AnyBody) => String(relation['target_id']))
        .sort();
    t.strictSame(await related(), [two.id]);
    t.match(await sync.run(mapping), { counts: { unchanged: 3 } }, 'links are no difference');
    source.put('l9', { name: 'lambda 9' }, 'lambda');
    t.match(await sync.run(mapping), { state: 'done', counts: { linked: 1, unresolved: 0 } });
    t.strictSame(await related(), [two.id, (await card('lambda 9')).id].sort());
    source.put('l0', { peers: [] }, 'lambda');
    await sync.run(mapping);
    t.strictSame(await related(), []);
    t.equal((await card('lambda 0')).parent_id, one.id);
    const own = { type: 'related', source_id: zero.id, target_id: two.id };
    expectStatus(await api.post('/relations', own), 201, 'a relation of a user');
    source.put('l0', { peers: ['l2'], above: null }, 'lambda');
    await sync.run(mapping);
    t.equal((await api.get(`/cards/${zero.id}`)).body['parent_id'], null, 'a parent is removed with its reference');
    source.put('l0', { peers: [] }, 'lambda');
    await sync.run(mapping);
    t.strictSame(await related(), [two.id], 'a relation that was there before stays');
  },
);

await t.test('a dry run reports and changes nothing', async (t) => {
  const mapping = await sync.mapping({ table_name: table('mu', 3) });
  const before = await changes();
  const run = await sync.run(mapping, { full: true, dry_run: true });
  t.match(run, { state: 'done', counts: { create: 3 } });
  t.equal(await changes(), before);
  t.ok((await sync.records(run.id)).every(({ state }) => state === 'reported'));
  t.strictSame(await sql(database, 'select from cmdbsync_identities where mapping_id = $1', [mapping]), []);
});

await t.test('a run that is cancelled stops within a page', async (t) => {
  const mapping = await sync.mapping({ table_name: table('nu', 40) });
  const steps = new EventEmitter();
  const asked = once(steps, 'asked');
  source.before = async (url) => {
    if (url.searchParams.get('cursor') === '20') {
      const resumed = once(steps, 'resumed');
      steps.emit('asked');
      await resumed;
    }
    return false;
  };
  const before = await changes();
  const run = await sync.start(mapping, { full: true });
  await asked;
  expectStatus(
    await api.post(`/cmdbsync/runs/${run}/cancel`, undefined, { headers: { 'if-match': '*' } }),
    200,
    'cancelled',
  );
  steps.emit('resumed');
  source.before = () => false;
  t.match(await sync.ended(run), { state: 'cancelled' });
  t.match(await sync.run(mapping), { state: 'done', counts: { create: 40 } }, 'the next run can start');
  t.ok((await changes()) >= before + 40);
});

await t.test('fields of the card stay as they are when it is read', async (t) => {
  const fields = [field('name', 'name'), field('note', 'description', 'ea')];
  const mapping = await sync.mapping({ table_name: table('xi', 2), fields });
  await sync.run(mapping);
  const { id } = await card('xi 0');
  await edit(id, { description: 'ours' });
  source.put('xi0', { note: 'theirs', name: 'xi zero' }, 'xi');
  t.match(await sync.run(mapping), { state: 'done', counts: { update: 1 } });
  t.match((await api.get(`/cards/${id}`)).body, { name: 'xi zero', description: 'ours' });
});

await t.test(
  'a run ends with its job if the service account is switched off, and the next one can start',
  async (t) => {
    const steps = new EventEmitter();
    const asked = once(steps, 'asked');
    const resumed = once(steps, 'resumed');
    source.before = async () => {
      steps.emit('asked');
      await resumed;
      return false;
    };
    const other = await Synchronisation.make(database, admin, source.url);
    const mapping = await other.mapping({ table_name: table('omicron', 3) });
    const run = await other.start(mapping, { full: true });
    await asked;
    expectStatus(await api.patch(`/users/${other.account}`, { is_active: false }), 200, 'switched off');
    steps.emit('resumed');
    source.before = () => false;
    t.match(await other.ended(run), { state: 'failed', error: { code: 'job_failed' } });
    t.strictSame(await cards('omicron'), []);
    t.match(await api.post(`/cmdbsync/mappings/${mapping}/runs`, {}), {
      status: 409,
      body: { code: 'cmdbsync_no_account' },
    });
    await sql(database, 'update cmdbsync_mappings set runs_as = $2 where id = $1', [mapping, sync.account]);
    t.match(await other.run(mapping), { state: 'done', counts: { applied: 3 } });
  },
);
