/** Runs that also write to the other system: what they change there, and what they leave. */
import t, { type Test } from 'tap';
import { expectStatus, registerAdmin, sql, testApp, type AnyBody } from '../support/app.js';
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
const { card, cards, edit, make, table, changes } = landscape(api, database, source);
const BOTH = { direction: 'both', fields: [field('name', 'name'), field('note', 'description', 'ea')] };
const remote = (name: string, id: string): AnyBody => source.table(name).get(id)!.values as AnyBody;
const resolve = async (record: AnyBody, body: object): Promise<unknown> =>
  expectStatus(await api.post(`/cmdbsync/records/${String(record['id'])}/resolve`, body), 200, 'decided');
const conflictOf = async (run: AnyBody): Promise<AnyBody> =>
  (await sync.records(run.id)).find(({ state }) => state === 'pending')!;

/** Three further runs of different kinds change neither cards nor the other system. */
async function isQuiet(t: Test, mapping: string, name: string): Promise<void> {
  const [before, written] = [await changes(), source.writtenTo(name).length];
  for (const body of [{ direction: 'both' }, { direction: 'both', full: true }, { direction: 'push', full: true }]) {
    const run = await sync.run(mapping, body);
    t.match(run, { state: 'done' });
    for (const key of ['update', 'create', 'conflict', 'remote_update', 'remote_create', 'error', 'failed'])
      t.notOk((run['counts'] as Record<string, number>)[key], `${JSON.stringify(body)}: ${key}`);
  }
  t.strictSame([await changes(), source.writtenTo(name).length], [before, written], 'nothing was written');
}

await t.test('each side gets what the other one owns, and neither gets its own changes back', async (t) => {
  const mapping = await sync.mapping({ ...BOTH, table_name: table('alpha', 8) });
  t.match(await sync.run(mapping), { state: 'done', counts: { create: 8, applied: 8 } });
  const id = async (i: number): Promise<string> => (await card(`alpha ${i}`)).id;
  const ids = await Promise.all(Array.from({ length: 8 }, async (_, i) => await id(i)));
  await edit(ids[0]!, { description: 'ours' });
  source.put('alpha1', { name: 'alpha one' }, 'alpha');
  source.put('alpha2', { note: 'not theirs' }, 'alpha');
  await edit(ids[3]!, { name: 'alpha not ours' });
  await edit(ids[4]!, { description: 'ours' });
  source.put('alpha4', { name: 'alpha four' }, 'alpha');
  await edit(ids[5]!, { description: 'the same' });
  source.put('alpha5', { note: 'the same' }, 'alpha');
  await edit(ids[6]!, { description: null });
  const run = await sync.run(mapping);
  t.match(run, { state: 'done', counts: { update: 3, remote_update: 4, applied: 3, pushed: 4, unchanged: 2 } });
  t.strictSame(
    source
      .writtenTo('alpha')
      .map(({ method, id, values }) => [method, id, values])
      .sort(),
    [
      ['PATCH', 'alpha0', { note: 'ours' }],
      ['PATCH', 'alpha2', { note: 'note 2' }],
      ['PATCH', 'alpha4', { note: 'ours' }],
      ['PATCH', 'alpha6', { note: null }],
    ],
    'only what differs, and nothing that the other system has already',
  );
  for (const [i, name] of ['alpha 0', 'alpha one', 'alpha 2', 'alpha 3', 'alpha four'].entries())
    t.match((await api.get(`/cards/${ids[i]}`)).body, { name, description: remote('alpha', `alpha${i}`).note });
  const sides = (await sync.records(run.id)).map(({ external_id, side, state }) => [external_id, side, state].join());
  t.ok(sides.includes('alpha4,card,applied') && sides.includes('alpha4,cmdb,applied'), 'a record for each side');
  const report: AnyBody[] = (await api.get(`/cmdbsync/runs/${run.id}/report`)).body['records'] as AnyBody[];
  t.match(
    report.find(({ side }) => side === 'cmdb'),
    { action: 'update', state: 'applied', count: 4 },
  );
  await isQuiet(t, mapping, 'alpha');
});

await t.test('an incremental run and a push find changed cards whose records were not read', async (t) => {
  const mapping = await sync.mapping({ ...BOTH, table_name: table('beta', 250) });
  await sync.run(mapping);
  const changed = (await cards('beta')).slice(0, 150);
  for (const { id } of changed.slice(0, 149)) await edit(id, { description: 'ours' });
  await edit(changed[149]!.id, { alias: 'a field that is not mapped' });
  const before = source.requests;
  const run = await sync.run(mapping, {});
  t.match(run, { is_full: false, counts: { read: 150, remote_update: 149, unchanged: 1, pushed: 149 } });
  t.equal(source.requests - before, 1 + 2 + 2 + 149, 'a read, two of 100 ids, two to compare again, and the changes');
  await edit(changed[7]!.id, { description: 'once more' });
  source.put('beta200', { name: 'beta of the other system' }, 'beta');
  const push = await sync.run(mapping, { direction: 'push' });
  t.match(push, { state: 'done', pages: 0, counts: { read: 1, remote_update: 1, pushed: 1 } });
  t.ok(await card('beta 200'), 'a push writes no card');
  t.match(await sync.run(mapping, {}), { counts: { update: 1 } }, 'what it did not take is read later');
  await isQuiet(t, mapping, 'beta');
});

await t.test('conflicts are decided each way', async (t) => {
  const mapping = await sync.mapping({ ...BOTH, table_name: table('gamma', 4) });
  await sync.run(mapping);
  const ids = await Promise.all([0, 1, 2, 3].map(async (i) => (await card(`gamma ${i}`)).id));
  for (const [i, id] of ids.entries()) {
    await edit(id, { description: 'here', ...(i === 3 && { name: 'gamma here' }) });
    source.put(`gamma${i}`, { note: 'yonder', ...(i === 3 && { name: 'gamma there' }) }, 'gamma');
  }
  const run = await sync.run(mapping);
  t.match(run, { state: 'review', counts: { conflict: 4 } });
  t.strictSame(source.writtenTo('gamma'), []);
  const records = new Map((await sync.records(run.id)).map((record) => [record['external_id'], record]));
  await resolve(records.get('gamma0')!, { take: 'ea' });
  await resolve(records.get('gamma1')!, { take: 'cmdb' });
  await resolve(records.get('gamma2')!, { take: 'value', values: { description: 'agreed' } });
  // A field that the other system owns too.
  await resolve(records.get('gamma3')!, { take: 'ea' });
  t.match(await sync.ended(run.id), { state: 'done', counts: { applied: 4, remote_update: 3, pushed: 3 } });
  const both = async (i: number) => [
    (await api.get(`/cards/${ids[i]}`)).body.description,
    remote('gamma', `gamma${i}`).note,
  ];
  t.strictSame(await both(0), ['here', 'here']);
  t.strictSame(await both(1), ['yonder', 'yonder']);
  t.strictSame(await both(2), ['agreed', 'agreed']);
  t.match(remote('gamma', 'gamma3'), { name: 'gamma here', note: 'here' });
  await isQuiet(t, mapping, 'gamma');
});

await t.test('decisions for the card that this run cannot write are remembered', async (t) => {
  const label = { ...field('label', 'alias'), transform: { kind: 'template', template: '{label}' } };
  source.put('nu0', { name: 'nu 0', note: 'note 0', label: 'old' }, 'nu');
  const mapping = await sync.mapping({ ...BOTH, fields: [...BOTH.fields, label], table_name: 'nu' });
  await sync.run(mapping);
  const { id } = await card('nu 0');
  await edit(id, { alias: 'here', description: 'here' });
  source.put('nu0', { label: 'yonder', note: 'yonder' }, 'nu');
  const run = await sync.run(mapping, { full: true, direction: 'pull' });
  t.match(run, { state: 'review', counts: { conflict: 1 } });
  await resolve(await conflictOf(run), { take: 'ea' });
  t.match(await sync.ended(run.id), { state: 'done' });
  t.strictSame(source.writtenTo('nu'), [], 'a run that reads writes nothing');
  t.match(await sync.run(mapping, {}), { state: 'done', counts: { pushed: 1 } });
  t.match(remote('nu', 'nu0'), { note: 'here', label: 'yonder' }, 'only what the card owns and can be inverted');
  t.match((await api.get(`/cards/${id}`)).body, { alias: 'here', description: 'here' });
  await isQuiet(t, mapping, 'nu');
});

await t.test('both sides are compared again before the other system is written', async (t) => {
  const mapping = await sync.mapping({ ...BOTH, table_name: table('delta', 4) });
  await sync.run(mapping);
  const ids = await Promise.all([0, 1, 2, 3].map(async (i) => (await card(`delta ${i}`)).id));
  for (const id of ids) await edit(id, { description: 'first' });
  // Between the read and the push, before the records are read again.
  source.before = async (url) => {
    if (!url.searchParams.has('ids')) return false;
    source.before = () => false;
    await edit(ids[0]!, { description: 'second' });
    source.put('delta1', { note: 'first' }, 'delta');
    source.put('delta2', { note: 'theirs' }, 'delta');
    await edit(ids[3]!, { description: 'note 3' });
    return false;
  };
  const run = await sync.run(mapping);
  t.match(run, { state: 'review', counts: { remote_update: 4, pushed: 3, conflict: 1 } });
  t.match(
    source.writtenTo('delta').map(({ id, values }) => [id, values]),
    [['delta0', { note: 'second' }]],
  );
  const conflict = await conflictOf(run);
  t.match(conflict, {
    external_id: 'delta2',
    side: 'card',
    action: 'conflict',
    diff: [{ cmdb: 'theirs', ea: 'first' }],
  });
  await resolve(conflict, { take: 'cmdb' });
  t.match(await sync.ended(run.id), { state: 'done' });
  t.equal((await api.get(`/cards/${ids[2]}`)).body.description, 'theirs');
  await isQuiet(t, mapping, 'delta');
});

await t.test('values that the other system refuses or does not take over are errors of their record', async (t) => {
  const flag = { kind: 'value_map', values: { '1': 'yes', '2': 'no' }, otherwise: 'other' };
  const fields = [...BOTH.fields, { ...field('flag', 'alias', 'ea'), transform: flag }];
  for (let i = 0; i < 5; i++)
    source.put(`epsilon${i}`, { name: `epsilon ${i}`, note: `note ${i}`, flag: '1' }, 'epsilon');
  const mapping = await sync.mapping({ ...BOTH, fields, table_name: 'epsilon' });
  await sync.run(mapping);
  const ids = await Promise.all([0, 1, 2, 3, 4].map(async (i) => (await card(`epsilon ${i}`)).id));
  await edit(ids[0]!, { description: 'refused' });
  await edit(ids[1]!, { alias: 'no' });
  await edit(ids[2]!, { alias: 'without counterpart' });
  // One that also changes its card, and whose other change is to be reverted there.
  source.put('epsilon4', { name: 'epsilon four', note: 'theirs' }, 'epsilon');
  source.refused = ['note'];
  let run = await sync.run(mapping);
  t.match(run, { state: 'done', counts: { update: 1, applied: 1, remote_update: 4, pushed: 1, failed: 3 } });
  t.equal(remote('epsilon', 'epsilon1').flag, '2', 'the others go on');
  const reasons = (await sync.records(run.id)).filter(({ state }) => state === 'failed').map(({ reason }) => reason);
  t.match(reasons.sort(), [/422: note cannot/, /422: note cannot be written/, /alias: the value has no counterpart/]);
  source.refused = [];
  source.ignored = ['note'];
  run = await sync.run(mapping, {});
  t.match(run, { counts: { remote_update: 3, failed: 3 } }, 'they are offered again');
  t.ok((await sync.records(run.id)).some(({ reason }) => /description: .* not taken over/.test(String(reason))));
  source.ignored = [];
  await edit(ids[2]!, { alias: 'yes' });
  t.match(await sync.run(mapping, {}), { state: 'done', counts: { pushed: 2, unchanged: 2 } });
  t.equal(remote('epsilon', 'epsilon0').note, 'refused');
  t.equal(remote('epsilon', 'epsilon4').note, 'note 4');
  await isQuiet(t, mapping, 'epsilon');
});

await t.test('temporary errors are repeated, a system that is down fails the run', async (t) => {
  const mapping = await sync.mapping({ ...BOTH, table_name: table('zeta', 3) });
  await sync.run(mapping);
  for (const { id } of await cards('zeta')) await edit(id, { description: 'ours' });
  let left = [503, 429];
  source.before = (_url, response, method) => {
    const status = method === 'PATCH' ? left.shift() : undefined;
    if (status !== undefined) response.writeHead(status).end();
    return status !== undefined;
  };
  t.match(await sync.run(mapping), { state: 'done', counts: { pushed: 3 } });
  for (const { id } of await cards('zeta')) await edit(id, { description: 'again' });
  left = [401];
  t.match(await sync.run(mapping), { state: 'failed', error: { code: 'authentication' } });
  source.before = () => false;
  await sync.run(mapping);
  t.ok([0, 1, 2].every((i) => remote('zeta', `zeta${i}`).note === 'again'));
  await isQuiet(t, mapping, 'zeta');
});

await t.test('with review and in dry runs nothing is written before it is approved', async (t) => {
  const mapping = await sync.mapping({ ...BOTH, table_name: table('eta', 3), creates_remote: true });
  await sync.run(mapping);
  const known = (await sql(database, 'select from cmdbsync_identities where mapping_id = $1', [mapping])).length;
  const written = source.writtenTo('eta').length;
  await make('eta new', { description: 'new' });
  await edit((await card('eta 0')).id, { description: 'ours' });
  const dry = await sync.run(mapping, { full: true, dry_run: true });
  t.match(dry, { state: 'done', counts: { remote_update: 1, remote_create: 1 } });
  t.ok((await sync.records(dry.id)).every(({ state, side }) => state === 'reported' && side === 'cmdb'));
  const run = await sync.run(mapping, { auto_apply: false });
  t.match(run, { state: 'review', counts: { remote_update: 1, remote_create: 1 } });
  t.equal(source.writtenTo('eta').length, written);
  t.equal((await sql(database, 'select from cmdbsync_identities where mapping_id = $1', [mapping])).length, known);
  const [update] = (await sync.records(run.id)).filter(({ action }) => action === 'update');
  await resolve(update!, { take: 'skip' });
  expectStatus(
    await api.post(`/cmdbsync/runs/${run.id}/apply`, { all: true }, { headers: { 'if-match': '*' } }),
    200,
    'applied',
  );
  t.match(await sync.ended(run.id), { state: 'done', counts: { pushed: 1 } });
  t.match(source.writtenTo('eta').slice(written), [{ method: 'POST', values: { name: 'eta new', note: 'new' } }]);
  t.match(await sync.run(mapping, {}), { state: 'done', counts: { pushed: 1 } }, 'what was skipped is offered again');
  await isQuiet(t, mapping, 'eta');
});

await t.test('a run that is cancelled keeps what was written, and the next one goes on', async (t) => {
  const mapping = await sync.mapping({ ...BOTH, table_name: table('theta', 30) });
  await sync.run(mapping);
  for (const { id } of await cards('theta')) await edit(id, { description: 'ours' });
  let n = 0;
  let run = '';
  const cancel = async (): Promise<void> => {
    const cancelled = await api.post(`/cmdbsync/runs/${run}/cancel`, undefined, { headers: { 'if-match': '*' } });
    expectStatus(cancelled, 200, 'cancelled');
  };
  let cancelling: Promise<void> | undefined;
  source.before = async (_url, _response, method) => {
    // All further requests wait, so that the run cannot end before it is cancelled.
    if (method === 'PATCH' && ++n >= 10) await (cancelling ??= cancel());
    return false;
  };
  run = await sync.start(mapping, { full: true });
  t.match(await sync.ended(run), { state: 'cancelled' });
  source.before = () => false;
  const first = source.writtenTo('theta').length;
  t.ok(first >= 9 && first < 30, `${first} were written`);
  t.match(await sync.run(mapping, {}), { state: 'done' });
  t.ok(
    [...source.table('theta').values()].every(({ values }) => values['note'] === 'ours'),
    'all have arrived',
  );
  t.ok(source.writtenTo('theta').length <= 30, 'none was written twice');
  await isQuiet(t, mapping, 'theta');
});

await t.test('a decision while the run writes is taken by the same run', async (t) => {
  const mapping = await sync.mapping({ ...BOTH, table_name: table('lambda', 6) });
  await sync.run(mapping);
  for (const { id } of await cards('lambda')) await edit(id, { description: 'ours' });
  source.put('lambda0', { note: 'theirs' }, 'lambda');
  let run = '';
  source.before = async (_url, _response, method) => {
    if (method !== 'PATCH') return false;
    source.before = () => false;
    await resolve((await conflictOf({ id: run } as AnyBody))!, { take: 'ea' });
    return false;
  };
  run = await sync.start(mapping, { full: true });
  t.match(await sync.ended(run), { state: 'done', counts: { conflict: 1, pushed: 6 } });
  t.ok([...source.table('lambda').values()].every(({ values }) => values['note'] === 'ours'));
  await isQuiet(t, mapping, 'lambda');
});

await t.test('a connector that cannot write fails the run, one that reads no single records reads all', async (t) => {
  const blind = await Synchronisation.make(database, admin, source.url, ['update']);
  const mapping = await blind.mapping({ ...BOTH, table_name: table('iota', 2) });
  t.match(await blind.run(mapping), { state: 'failed', error: { code: 'invalid_settings', detail: /cannot change/ } });
  t.match(await blind.run(mapping, { direction: 'pull' }), { state: 'done', counts: { create: 2 } });
  const other = await Synchronisation.make(database, admin, source.url, ['get']);
  const second = await other.mapping({ ...BOTH, table_name: table('kappa', 2) });
  await other.run(second);
  await edit((await card('kappa 0')).id, { description: 'ours' });
  t.match(await other.run(second, {}), { is_full: true, state: 'done', counts: { read: 2, pushed: 1 } });
  t.equal(remote('kappa', 'kappa0').note, 'ours');
  t.match(await other.run(second, { direction: 'push' }), { state: 'failed', error: { detail: /no single records/ } });
});

await t.test('metrics count what was written', async (t) => {
  const text = await (await fetch(`${origin}/api/metrics`)).text();
  t.match(text, /lintel_cmdbsync_writes_total\{.*operation="update".*outcome="ok".*\} \d+/);
  t.match(text, /lintel_cmdbsync_runs_total\{direction="both",state="done"\} \d+/);
  t.match(text, /lintel_cmdbsync_records_total\{outcome="pushed"\} \d+/);
});
