/** The mappings for ServiceNow that the module has: routes, first load, what changes, and runs that fail without an effect. */
import t from 'tap';
import { expectStatus, registerAdmin, sql, testApp } from '../../../test/support/app.js';
import { ServiceNowServer } from './simulators/servicenow.js';
import { idOf } from './simulators/servicenow-tables.js';
import { recordsOf, serviceAccount, sync } from './support/runs.js';
import { clientSecrets, connectionTo } from './servicenow-support.js';

const SERVERS = 60;
const instance = await ServiceNowServer.start();
const { tables, api: access, oauth } = instance;
const ids = tables.fill(SERVERS);
for (let i = 0; i < 5; i++)
  tables.insert('cmdb_ci_appl', { name: `App ${i}`, department: idOf(`department ${i}`) }, idOf(`application ${i}`));
const { origin, database, close } = await testApp({ config: { outboundAllow: ['127.0.0.1'] } });
t.teardown(async () => {
  await close();
  await instance.close();
});
t.afterEach(() => instance.fail());
const admin = await registerAdmin(origin);
const { api } = admin;
const connection = expectStatus(
  await api.post(
    '/cmdbsync/connections',
    connectionTo(instance, { config: { authentication: 'client_credentials' }, secrets: clientSecrets(instance) }),
  ),
  201,
  'a connection',
).body.id;
const runs_as = await serviceAccount(admin, 'architect');
const made = expectStatus(
  await api.post(`/cmdbsync/connections/${connection}/mappings/from-template`, {
    template: 'servicenow',
    runs_as,
    auto_apply: true,
  }),
  201,
  'mappings',
).body.ids as string[];
const [departments, servers, applications] = made as [string, string, string];
expectStatus(await api.patch('/settings/modules/cmdbsync', { settings: { page_size: 10 } }), 200, 'small pages');
expectStatus(
  await api.patch(`/cmdbsync/mappings/${servers}`, { delete_policy: 'archive', delete_ratio: 0.5 }),
  200,
  'a policy for records that are gone',
);

interface Card {
  id: string;
  name: string;
  description: string | null;
  alias: string | null;
  status: string;
  version: number;
  parent_id: string | null;
  attributes: Record<string, unknown>;
}
async function cardOf(mapping: string, external_id: string): Promise<Card> {
  const query = { mapping_id: mapping, external_id };
  const { id } = (await api.get('/cmdbsync/identities', { query })).body.items[0]!['card'] as { id: string };
  return expectStatus(await api.get<Card>(`/cards/${id}`), 200, 'a card').body;
}
const number = async (text: string): Promise<number> => (await sql<{ n: number }>(database, text))[0]!.n;
const active = (): Promise<number> =>
  number(`select count(*)::int as n from cards where type = 'ITComponent' and status = 'ACTIVE'`);
const relations = (): Promise<number> =>
  number(
    `select count(*)::int as n from relations where type in ('organizationToITComponent', 'organizationToApplication')`,
  );

await t.test('the routes of a connection', async (t) => {
  const path = `/cmdbsync/connections/${connection}`;
  t.match(await api.post(`${path}/test`), { status: 200, body: { ok: true, detail: /^ServiceNow with \d+ tables/ } });
  t.match((await api.get(`${path}/tables`, { query: { search: 'linux' } })).body, {
    total: 1,
    items: [{ key: 'cmdb_ci_linux_server', label: 'Linux Server', mapped_by: [] }],
  });
  const query = { search: 'department', mapping_id: servers };
  t.match((await api.get(`${path}/tables/cmdb_ci_server/fields`, { query })).body.items, [
    { key: 'department', type: 'reference', references: 'cmn_department', mapped_to: ['organizationToITComponent'] },
    { key: 'department.display_value', type: 'text', is_writable: false },
  ]);
  const { body } = await api.post(`/cmdbsync/mappings/${servers}/preview`, { limit: 2 });
  const [first] = ids.toSorted();
  t.match(body, {
    items: [
      {
        external_id: first,
        raw: { sys_id: first },
        values: { external_id: `servicenow:${first}`, subtype: 'hardware' },
        errors: [],
      },
      {},
    ],
  });
  instance.fail({ status: 403 });
  t.match(await api.post(`/cmdbsync/mappings/${servers}/preview`, { limit: 2 }), {
    status: 422,
    body: { code: 'cmdbsync_source_failed', fault: 'forbidden', detail: /^ServiceNow denies access \(403\): Fault/ },
  });
});

await t.test('the first runs make a card for each record and relations for its references', async (t) => {
  for (const mapping of [departments, servers, applications])
    t.match(await sync(admin, mapping), { state: 'done', error: null, is_full: true });
  t.match(await cardOf(servers, ids[5]!), {
    name: 'srv-000005',
    description: 'Server 5',
    alias: 'SN5',
    attributes: { version: '5.1' },
  });
  t.equal(await active(), SERVERS);
  t.equal(await relations(), SERVERS + 5);
  const parent = await cardOf(departments, idOf('department 2'));
  t.equal(
    (await cardOf(departments, idOf('department 9'))).parent_id,
    parent.id,
    'departments are below their parents',
  );
  for (const mapping of [departments, servers, applications]) {
    const run = await sync(admin, mapping, { full: true });
    t.equal(run.counts.unchanged, run.counts.read, 'a second run changes nothing');
  }
});

await t.test('an incremental run reads what changed and nothing else', async (t) => {
  for (const id of ids) tables.find('cmdb_ci_server', id)!['sys_updated_on'] = '2024-01-01 00:00:00';
  tables.edit('cmdb_ci_server', ids[1]!, { os_version: '22', serial_number: '', department: '' });
  tables.insert('cmdb_ci_linux_server', { name: 'added', department: idOf('department 1') }, idOf('added'));
  const before = await relations();
  const run = await sync(admin, servers);
  t.match(run, { state: 'done', is_full: false, counts: { read: 2, update: 1, create: 1, applied: 2 } });
  t.match(await cardOf(servers, ids[1]!), { alias: null, attributes: { version: '22' } });
  t.equal(await relations(), before, 'one reference is gone, and another one is new');
});

await t.test('half of the pages and then 500: nothing happens, and the next run is complete', async (t) => {
  tables.remove('cmdb_ci_server', ids[2]!);
  for (const id of ids.slice(3, 9)) tables.edit('cmdb_ci_server', id, { short_description: 'Changed' });
  const changes = 'select count(*)::int as n from events';
  const before = await number(`${changes} where type ~ '^(card|relation)\\.'`);
  for (const fault of [{ after: 3, status: 500 }, { after: 3, body: '{"result":[]}' }, { total: SERVERS + 40 }]) {
    instance.fail(fault);
    const run = await sync(admin, servers, { full: true });
    t.equal(run.state, 'failed', JSON.stringify(fault));
    t.match(run.error?.detail, /500|does not tell the number|shows 60/);
    t.equal(await number(`${changes} where type ~ '^(card|relation)\\.'`), before);
    t.equal(await active(), SERVERS + 1, 'nothing is archived');
  }
  instance.fail();
  const run = await sync(admin, servers, { full: true });
  t.match(run, { state: 'done', counts: { read: SERVERS, update: 6, archive: 1, applied: 7 } });
  t.match(await cardOf(servers, ids[2]!), { status: 'ARCHIVED' });
});

await t.test('tokens that end in the middle of a read', async (t) => {
  const before = oauth.issued['client_credentials']!;
  instance.fail({ after: 2, times: 1, expireTokens: true });
  t.match(await sync(admin, servers, { full: true }), { state: 'done', counts: { read: SERVERS, unchanged: SERVERS } });
  t.equal(oauth.issued['client_credentials'], before + 2, 'one for the run and one instead');
});

await t.test('fields that access rules hide change nothing on the card', async (t) => {
  t.teardown(() => access.hiddenFields.clear());
  for (const field of ['serial_number', 'short_description', 'department', 'os_version'])
    access.hiddenFields.add(field);
  const card = await cardOf(servers, ids[7]!);
  const before = await relations();
  tables.edit('cmdb_ci_server', ids[7]!, { name: 'renamed' });
  t.match(await sync(admin, servers, { full: true }), { state: 'done', counts: { read: SERVERS } });
  t.match(await cardOf(servers, ids[7]!), { ...card, name: 'renamed', version: Number, updated_at: String });
  t.equal(await number(`select count(*)::int as n from cards where alias is not null and type = 'ITComponent'`), 59);
  t.equal(await relations(), before);
  access.hiddenFields.clear();
  t.match(await sync(admin, servers, { full: true }), { state: 'done', counts: { read: SERVERS } });
  t.strictSame((await cardOf(servers, ids[7]!)).alias, card.alias);
  t.equal(await relations(), before);
});

await t.test('records that access rules hide are not archived', async (t) => {
  t.teardown(() => access.hiddenRows.clear());
  access.hiddenRows.add(ids[10]!).add(ids[20]!);
  t.match(await sync(admin, servers, { full: true }), {
    state: 'failed',
    error: { code: 'forbidden', detail: /counts 60 records in cmdb_ci_server and shows 58/ },
  });
  t.equal(await active(), SERVERS);
});

await t.test('a field that the table has no more fails the run, and one of another type its records', async (t) => {
  tables.edit('cmdb_ci_server', ids[11]!, { short_description: 'Not taken' });
  tables.alter('cmdb_ci_computer', 'os_version');
  t.match(await sync(admin, servers, { full: true }), {
    state: 'failed',
    error: { code: 'invalid_settings', detail: /no field os_version/ },
  });
  t.match(await cardOf(servers, ids[11]!), { description: 'Server 11', attributes: { version: /./ } });

  tables.alter('cmdb_ci', 'serial_number', 'glide_list');
  const { fields } = (await api.get(`/cmdbsync/mappings/${servers}`)).body as unknown as {
    fields: { source: string }[];
  };
  const left = fields.filter(({ source }) => source !== 'os_version');
  expectStatus(await api.patch(`/cmdbsync/mappings/${servers}`, { fields: left }), 200, 'the mapping');
  const run = await sync(admin, servers, { full: true });
  t.match(run, { state: 'done', counts: { error: SERVERS - 2 } });
  const [record] = await recordsOf(admin, run.id, { action: 'error' });
  t.match(record, { action: 'error', reason: /^alias: is a list/ });
  t.match(await cardOf(servers, ids[11]!), { description: 'Server 11', alias: 'SN11' });
});
