/** What is remembered of records between runs: decisions, and what still has to be read. */
import t from 'tap';
import { expectStatus, registerAdmin, testApp, type AnyBody } from '../support/app.js';
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
const { cards, card, edit, table } = landscape(api, database, source);

const WITH_ALIAS = [field('name', 'name'), field('note', 'description'), field('label', 'alias')];
const conflictOf = async (run: AnyBody): Promise<string> =>
  String((await sync.records(run.id)).find(({ action }) => action === 'conflict')!['id']);
const resolve = async (run: AnyBody, body: object): Promise<AnyBody> => {
  expectStatus(await api.post(`/cmdbsync/records/${await conflictOf(run)}/resolve`, body), 200, 'decided');
  return await sync.ended(run.id);
};
/** A card whose description a person has kept against the other system. */
async function decided(name: string): Promise<string> {
  const mapping = await sync.mapping({ table_name: table(name, 1), fields: WITH_ALIAS });
  await sync.run(mapping);
  await edit((await card(`${name} 0`)).id, { description: 'here' });
  source.put(`${name}0`, { note: 'yonder' }, name);
  t.match(await resolve(await sync.run(mapping), { take: 'ea' }), { state: 'done' });
  return mapping;
}

await t.test('a decision outlasts a record that does not show the field', async (t) => {
  const mapping = await decided('alpha');
  source.table('alpha').set('alpha0', { values: { name: 'alpha 0', label: 'other' }, changed: 1_000 });
  t.match(await sync.run(mapping), { state: 'done', counts: { update: 1 } });
  source.put('alpha0', { note: 'yonder' }, 'alpha');
  t.match(await sync.run(mapping), { state: 'done', counts: { unchanged: 1 } });
  t.match(await card('alpha 0'), { description: 'here', alias: 'other' });
});

await t.test('a value that was refused is offered again when the other system had another one since', async (t) => {
  const mapping = await decided('beta');
  source.put('beta0', { note: 'here' }, 'beta');
  await sync.run(mapping);
  source.put('beta0', { note: 'yonder' }, 'beta');
  await sync.run(mapping);
  t.match(await card('beta 0'), { description: 'yonder' });
});

await t.test('cards that are archived already do not raise the number that a run may archive', async (t) => {
  const options = { delete_policy: 'archive', delete_ratio: 0.5 };
  const mapping = await sync.mapping({ table_name: table('gamma', 8), ...options });
  await sync.run(mapping);
  for (let i = 0; i < 4; i++) source.remove(`gamma${i}`, 'gamma');
  t.match(await sync.run(mapping), { state: 'done', counts: { archive: 4 } });
  for (let i = 4; i < 8; i++) source.remove(`gamma${i}`, 'gamma');
  t.match(await sync.run(mapping), { state: 'review', guard_tripped: true });
  t.equal((await cards('gamma')).filter(({ status }) => status === 'ACTIVE').length, 4);
});

await t.test('after a change of the mapping while records wait, the next run reads all records', async (t) => {
  const mapping = await sync.mapping({ table_name: table('delta', 2), auto_apply: false });
  source.put('delta0', { label: 'short' }, 'delta');
  const run = await sync.run(mapping);
  const path = `/cmdbsync/mappings/${mapping}`;
  expectStatus(await api.patch(path, { fields: WITH_ALIAS }, { headers: { 'if-match': '*' } }), 200, 'a field');
  const apply = async (id: string): Promise<AnyBody> => {
    const headers = { 'if-match': '*' };
    expectStatus(await api.post(`/cmdbsync/runs/${id}/apply`, { all: true }, { headers }), 200, 'applied');
    return await sync.ended(id);
  };
  t.match(await apply(run.id), { state: 'done' });
  const next = await sync.run(mapping, {});
  t.match(next, { is_full: true, counts: { read: 2, update: 1 } });
  const { items } = (await api.get('/cmdbsync/identities', { query: { mapping_id: mapping } })).body;
  const id = String(items[0]!['id']);
  expectStatus(await api.del(`/cmdbsync/identities/${id}`), 204, 'forgotten');
  t.match(await apply(next.id), { state: 'done' });
  t.match(await sync.run(mapping, {}), { is_full: true }, 'also of an identity');
});

await t.test('fields that agree when a person links a record are compared with that later', async (t) => {
  for (const name of ['epsilon  one of all', 'epsilon one of al'])
    if (name.includes('  ')) await api.post('/cards', { type: 'ITComponent', name, description: 'same' });
    else source.put('e', { name, note: 'same' }, 'epsilon');
  const mapping = await sync.mapping({ table_name: 'epsilon', proposes_matches: true });
  const run = await sync.run(mapping);
  const [record] = await sync.records(run.id);
  const card_id = (record!['proposals'] as AnyBody[])[0]!['card_id'];
  expectStatus(
    await api.post(`/cmdbsync/records/${String(record!['id'])}/resolve`, { take: 'link', card_id }),
    200,
    'linked',
  );
  t.match(await sync.ended(run.id), { state: 'done' });
  await edit(String(card_id), { description: 'here' });
  source.put('e', { note: 'yonder' }, 'epsilon');
  t.match(await sync.run(mapping), { state: 'review', counts: { conflict: 1 } });
});

await t.test('texts that cannot be stored end no run', async (t) => {
  source.put('a', { name: `${'z'.repeat(499)}😀`, note: 'long' }, 'zeta');
  source.put('b', { name: 'zeta b', note: 'x\u0000y' }, 'zeta');
  source.put('c', { name: 'zeta c', note: 'fine' }, 'zeta');
  const expression = {
    ...field('note', 'description'),
    transform: { kind: 'expression', expression: 'record[value]' },
  };
  for (const fields of [undefined, [field('name', 'name'), expression]]) {
    const mapping = await sync.mapping({ table_name: 'zeta', ...(fields && { fields }) });
    t.match(await sync.run(mapping), { state: 'done' }, fields ? 'in an expression' : 'in a name');
  }
});

await t.test('after a change of the source the next run reads all records', async (t) => {
  const mapping = await sync.mapping({ table_name: table('eta', 2) });
  await sync.run(mapping);
  t.match(await sync.run(mapping, {}), { is_full: false });
  const { connection_id } = (await api.get(`/cmdbsync/mappings/${mapping}`)).body;
  const config = { url: `${source.url}?moved`, without: [] };
  const path = `/cmdbsync/connections/${String(connection_id)}`;
  expectStatus(await api.patch(path, { config }, { headers: { 'if-match': '*' } }), 200, 'moved');
  t.match(await sync.run(mapping, {}), { is_full: true });
});

await t.test('a relation that another reference asks for too stays', async (t) => {
  const map = (key: string) => ({
    key,
    source: key,
    target_table: 'theta',
    relation_type: 'related',
    card_end: 'source',
  });
  source.put('t0', { name: 'theta 0', one: 't1', two: 't1' }, 'theta');
  source.put('t1', { name: 'theta 1', one: null, two: null }, 'theta');
  const mapping = await sync.mapping({ table_name: 'theta', relations: [map('one'), map('two')] });
  await sync.run(mapping);
  const { id } = await card('theta 0');
  const related = async (): Promise<number> =>
    (await api.get('/relations', { query: { card_id: id, type: 'related' } })).body.items.length;
  t.equal(await related(), 1);
  for (const [gone, left] of [
    ['one', 1],
    ['two', 0],
  ] as const) {
    source.put('t0', { [gone]: null }, 'theta');
    await sync.run(mapping);
    t.equal(await related(), left, `without ${gone}`);
  }
});

await t.test('a run of which nothing waits any more is done', async (t) => {
  const mapping = await sync.mapping({ table_name: table('iota', 1) });
  await sync.run(mapping);
  await edit((await card('iota 0')).id, { description: 'here' });
  source.put('iota0', { note: 'yonder' }, 'iota');
  const run = await sync.run(mapping);
  await resolve(run, { take: 'skip' });
  t.match(await sync.ended(run.id), { state: 'done' });
});
