/** Which card a record is, records that fail alone, and references between records. */
import t from 'tap';
import { expectStatus, makeUser, registerAdmin, testApp, type AnyBody } from '../support/app.js';
import { SOURCE_FOLDER, SourceServer, Synchronisation, field, landscape } from './cmdbsync-support.js';

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

const { card, make, table } = landscape(api, database, source);

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

await t.test('a conflict of costs is decided by those who see them', async (t) => {
  const fields = [field('name', 'name'), field('cost', 'attributes.costTotalAnnual')];
  source.put('psi0', { name: 'psi 0', cost: 1 }, 'psi');
  const mapping = await sync.mapping({ table_name: 'psi', fields });
  await sync.run(mapping);
  const { id } = await card('psi 0');
  expectStatus(await api.patch(`/cards/${id}`, { attributes: { costTotalAnnual: 2 } }), 200, 'here');
  source.put('psi0', { cost: 3 }, 'psi');
  const run = await sync.run(mapping);
  const [record] = await sync.records(run.id);
  const permissions = ['cards.view', 'cmdbsync.view', 'cmdbsync.apply'];
  expectStatus(await api.post('/roles', { key: 'applier', label: 'Applier', permissions }), 201, 'a role');
  const applier = (await makeUser(admin, 'applier')).api;
  const path = `/cmdbsync/records/${record!.id}/resolve`;
  for (const body of [{ take: 'cmdb' }, { take: 'value', values: { 'attributes.costTotalAnnual': 9 } }]) {
    const refused = await applier.post(path, body);
    t.match(refused, { status: 422, body: { errors: [{ field: '/fields', reason: /may not see/ }] } });
  }
  t.equal((await api.post(path, { take: 'cmdb' })).status, 200);
  t.match(await sync.ended(run.id), { state: 'done' });
  t.match((await card('psi 0')).attributes, { costTotalAnnual: 3 });
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
