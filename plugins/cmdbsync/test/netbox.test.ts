/** The mappings for NetBox that the module has, with real objects: first load, repetition, changes on one and on both sides. */
import t from 'tap';
import { dataAbsent, DATA_DIR, expectStatus, registerAdmin, sql, testApp } from '../../../test/support/app.js';
import { NetBoxServer } from './simulators/netbox.js';
import { ended, recordsOf, serviceAccount, sync, type Run, type RunRecord } from './support/runs.js';

const withData = { skip: dataAbsent };
const netbox = await NetBoxServer.start(`${DATA_DIR}/cmdb-netbox-demo/netbox-objects.json`);
const { origin, database, close } = await testApp({ config: { outboundAllow: ['127.0.0.1'] } });
t.teardown(async () => {
  await close();
  await netbox.close();
});
const admin = await registerAdmin(origin);
const { api } = admin;
const runs_as = await serviceAccount(admin, 'architect');
const connection = expectStatus(
  await api.post('/cmdbsync/connections', {
    name: 'NetBox',
    connector: 'netbox',
    config: { url: netbox.origin },
    secrets: { token: 'token' },
    max_requests_per_second: 1_000,
  }),
  201,
  'a connection',
).body.id;
const made = expectStatus(
  await api.post(`/cmdbsync/connections/${connection}/mappings/from-template`, {
    template: 'netbox',
    runs_as,
    auto_apply: true,
  }),
  201,
  'mappings',
).body.ids as string[];
const mappings = new Map<string, string>();
for (const id of made) mappings.set(String((await api.get(`/cmdbsync/mappings/${id}`)).body['table']), id);
/** Objects of a table as they arrive. */
const MODELS: Record<string, string> = {
  'tenancy.tenants': 'tenancy.tenant',
  'dcim.sites': 'dcim.site',
  'circuits.providers': 'circuits.provider',
  'dcim.racks': 'dcim.rack',
  'virtualization.clusters': 'virtualization.cluster',
  'dcim.devices': 'dcim.device',
  'virtualization.virtual-machines': 'virtualization.virtualmachine',
};
const vms = mappings.get('virtualization.virtual-machines')!;
const all = async (): Promise<Run[]> => {
  const found: Run[] = [];
  for (const id of made) found.push(await sync(admin, id, { full: true }));
  return found;
};
const cardOf = async (mapping: string, external_id: string): Promise<string> => {
  const card = (await api.get('/cmdbsync/identities', { query: { mapping_id: mapping, external_id } })).body.items[0]![
    'card'
  ] as { id: string };
  return card.id;
};

await t.test(
  'the first run of each mapping makes a card for each object and relations for its references',
  withData,
  async (t) => {
    for (const run of await all()) t.match(run, { state: 'done', error: null, is_full: true }, run.mapping);
    for (const [table, id] of mappings) {
      const { body } = await api.get('/cmdbsync/identities', { query: { mapping_id: id, page_size: 1 } });
      t.equal(body.total, netbox.table(MODELS[table]!).size, `${table}: a card for each object`);
    }
    const clusters = netbox.table('virtualization.cluster');
    let children = 0;
    for (const { cluster } of netbox.table('virtualization.virtualmachine').values())
      if (clusters.has(cluster as number)) children += 1;
    const [{ n }] = (await sql<{ n: number }>(
      database,
      `select count(*)::int as n from cards c join cmdbsync_identities i on i.card_id = c.id where i.mapping_id = $1 and c.parent_id is not null`,
      [vms],
    )) as [{ n: number }];
    t.equal(n, children, 'the parent of a virtual machine is its cluster, as far as the dump has it');
  },
);

await t.test('a second run changes nothing', withData, async (t) => {
  const position = (await api.get('/events', { query: { page_size: 1 } })).body.items[0]!['id'] as unknown as number;
  for (const run of await all()) {
    t.match(run, { state: 'done' });
    t.equal(run.counts.unchanged, run.counts.read, `${run.mapping}: all unchanged`);
  }
  const { body } = await api.get('/events', { query: { page_size: 200 } });
  const changed = body.items.filter(({ id, type }) => Number(id) > position && /^(card|relation)\./.test(String(type)));
  t.strictSame(changed, [], 'no event of a card or relation');
});

await t.test('what changed at the source changes here, and nothing else', withData, async (t) => {
  const ids = [...netbox.table('virtualization.virtualmachine').keys()].sort((a, b) => a - b).slice(0, 50);
  for (const id of ids) netbox.edit('virtualization.virtualmachine', id, { description: `Changed ${id}` });
  const run = await sync(admin, vms);
  t.match(run, { state: 'done', is_full: false, counts: { update: 50, applied: 50 } });
  for (const id of ids.slice(0, 3))
    t.equal((await api.get(`/cards/${await cardOf(vms, String(id))}`)).body.description, `Changed ${id}`);
  t.notMatch(await sync(admin, vms), { counts: { update: Number } }, 'an incremental run afterwards has nothing to do');
});

await t.test('what changed on both sides is a conflict only where the values differ', withData, async (t) => {
  const ids = [...netbox.table('virtualization.virtualmachine').keys()].sort((a, b) => a - b).slice(50, 70);
  for (const [i, id] of ids.entries()) {
    netbox.edit('virtualization.virtualmachine', id, { description: `There ${id}` });
    const card = await cardOf(vms, String(id));
    const description = i < 5 ? `There ${id}` : `Here ${id}`;
    expectStatus(await api.patch(`/cards/${card}`, { description }), 200, 'an edit');
  }
  const run = await sync(admin, vms);
  t.match(run, { state: 'review', counts: { conflict: 15 } });
  const conflicts = await recordsOf(admin, run.id, { action: 'conflict' });
  t.strictSame(
    conflicts.map(({ external_id }) => Number(external_id)).sort((a, b) => a - b),
    ids.slice(5),
    'exactly those that differ',
  );
  const take = async (record: RunRecord, body: object) =>
    expectStatus(await api.post(`/cmdbsync/records/${record.id}/resolve`, body), 200, 'a decision');
  const [theirs, ours, other] = [conflicts.slice(0, 5), conflicts.slice(5, 10), conflicts.slice(10)];
  for (const record of theirs) await take(record, { take: 'cmdb' });
  for (const record of ours) await take(record, { take: 'ea' });
  for (const record of other) await take(record, { take: 'value', values: { description: 'Agreed' } });
  t.match(await ended(admin, run.id), { state: 'done' });
  const description = async (record: RunRecord): Promise<string> =>
    String((await api.get(`/cards/${record.card_id}`)).body['description']);
  for (const record of theirs) t.match(await description(record), /^There/);
  for (const record of ours) t.match(await description(record), /^Here/);
  for (const record of other) t.equal(await description(record), 'Agreed');
  const again = await sync(admin, vms, { full: true });
  t.match(again, { state: 'done' });
  t.equal(again.counts.unchanged, again.counts.read, 'decided once, and not offered again');
});

await t.test('a source that fails after the first pages changes nothing', withData, async (t) => {
  expectStatus(await api.patch('/settings/modules/cmdbsync', { settings: { page_size: 20 } }), 200, 'small pages');
  for (const id of netbox.table('virtualization.virtualmachine').keys())
    netbox.edit('virtualization.virtualmachine', id, { description: 'Everywhere' });
  netbox.failAfter(2);
  t.match(await sync(admin, vms, { full: true }), { state: 'failed', error: { code: 'unreachable' } });
  netbox.faults = {};
  const [{ n }] = (await sql<{ n: number }>(
    database,
    `select count(*)::int as n from cards where description = 'Everywhere'`,
  )) as [{ n: number }];
  t.equal(n, 0);
  t.match(await sync(admin, vms, { full: true }), {
    state: 'review',
    counts: { update: netbox.table('virtualization.virtualmachine').size - 10, conflict: 10 },
  });
});
