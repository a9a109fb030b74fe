/** Runs that read another system and write cards: what they change, and what they leave when the other system fails. */
import { EventEmitter, once } from 'node:events';
import t from 'tap';
import { expectStatus, registerAdmin, sql, testApp } from '../support/app.js';
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

const { cards, card, edit, table, changes } = landscape(api, database, source);

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
  source.put('gamma1', { note: 'yonder' }, 'gamma');
  source.put('gamma2', { note: 'agreed' }, 'gamma');
  const run = await sync.run(mapping);
  t.match(run, { state: 'review', counts: { update: 1, conflict: 1, unchanged: 1 } });
  t.match(await card('gamma 0'), { description: 'note 0' });
  t.match(await card('gamma 1'), { description: 'here' }, 'waits for a person');
  const conflict = (await sync.records(run.id)).find(({ action }) => action === 'conflict')!;
  t.match(conflict, {
    state: 'pending',
    diff: [{ field: 'description', base: 'note 1', cmdb: 'yonder', ea: 'here', take: 'conflict' }],
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
