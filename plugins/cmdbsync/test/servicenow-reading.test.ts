/** What is read of ServiceNow: fields and their types, complete pages, and which answers are none. */
import t from 'tap';
import { testApp } from '@lintel/sdk/testing';
import type { ConnectorFault } from '@lintel/sdk';
import module from '../index.js';
import { ServiceNowServer } from './simulators/servicenow.js';
import { idOf } from './simulators/servicenow-tables.js';
import { open, readAll } from './servicenow-support.js';

const instance = await ServiceNowServer.start();
const app = await testApp({ module, environment: { OUTBOUND_ALLOW: '127.0.0.1' } });
t.teardown(async () => {
  await app.close();
  await instance.close();
});
const { tables, api } = instance;
const ids = tables.fill(45).sort();
const { connector } = await open(app, instance);
const hiding = (await open(app, instance, { config: { allow_hidden_records: true } })).connector;
t.afterEach(() => {
  instance.fail();
  api.hiddenRows.clear();
  api.hiddenFields.clear();
});
const servers = { table: 'cmdb_ci_server' };
const failed = (fault: ConnectorFault, message: RegExp) => ({ fault, message });
const idsOf = (records: readonly { id: string }[]): string[] => records.map(({ id }) => id);

await t.test('tables, and fields of a table and of those that it extends', async (t) => {
  t.match(await connector.test(), { detail: /^ServiceNow with \d+ tables$/ });
  const found = await connector.tables();
  t.match(
    found.filter(({ key }) => key.startsWith('cmdb_ci_l') || key === 'cmn_department'),
    [
      { key: 'cmdb_ci_linux_server', label: 'Linux Server' },
      { key: 'cmn_department', label: 'Department' },
    ],
  );
  const fields = new Map((await connector.fields('cmdb_ci_linux_server')).map((field) => [field.key, field]));
  t.match(fields.get('name'), { label: 'Name', type: 'text', isWritable: true });
  t.match(fields.get('short_description'), { label: 'Purpose' }, 'the label of the nearest table');
  t.match(fields.get('department'), { type: 'reference', table: 'cmn_department', isWritable: true });
  t.match(fields.get('department.display_value'), { type: 'text', isWritable: false });
  t.match(fields.get('related'), { type: 'references', table: 'cmdb_ci' });
  t.match(fields.get('operational_status'), { type: 'number' });
  t.match(fields.get('operational_status.display_value'), { type: 'text' });
  t.match([fields.get('monitor')?.type, fields.get('cost')?.type], ['boolean', 'number']);
  t.match([fields.get('install_date')?.type, fields.get('warranty_expiration')?.type], ['datetime', 'date']);
  t.match([fields.get('fqdn')?.isWritable, fields.get('sys_updated_on')?.isWritable], [false, false]);
  t.notOk(fields.has('name.display_value'));
  await t.rejects(connector.fields('nothing'), failed('not_found', /no table nothing/));
  await t.rejects(connector.fields('x^NQname=cmdb_ci'), failed('not_found', /no table/));
  await t.rejects(
    connector.read({ ...servers, fields: ['nothing'], limit: 10 }),
    failed('invalid_settings', /no field nothing/),
  );
});

await t.test('values by type, paths and display values', async (t) => {
  const id = idOf('server 5');
  const fields = [
    'name',
    'department',
    'department.name',
    'department.parent.name',
    'ram',
    'monitor',
    'install_date',
    'operational_status',
    'serial_number',
    'related',
    'id',
  ];
  tables.edit('cmdb_ci_server', id, { serial_number: '', related: `${ids[0]},${ids[1]}` });
  const before = instance.requests.length;
  const [record] = await connector.get('cmdb_ci_server', [id], fields);
  const values = {
    name: 'srv-000005',
    department: idOf('department 5'),
    'department.name': 'Department 5',
    'department.parent.name': 'Department 1',
    ram: 6_144,
    monitor: false,
    install_date: '2024-03-31T23:30:00Z',
    operational_status: 1,
    serial_number: null,
    related: [ids[0], ids[1]],
  };
  t.strictSame(record, { id, values });
  t.match(instance.requests.at(-1), /sysparm_display_value=false/);
  t.ok(instance.requests.length > before);
  const shown = ['department.display_value', 'operational_status.display_value', 'install_date', 'serial_number'];
  t.strictSame(await connector.get('cmdb_ci_server', [id, 'f'.repeat(32), 'x^NQname=y'], shown), [
    {
      id,
      values: {
        'department.display_value': 'Department 5',
        'operational_status.display_value': 'Operational',
        install_date: '2024-03-31T23:30:00Z',
        serial_number: null,
      },
    },
  ]);
  api.hiddenFields.add('department');
  const [trimmed] = await connector.get('cmdb_ci_server', [id], ['name', 'department', 'department.name']);
  t.strictSame(trimmed, { id, values: { name: 'srv-000005' } }, 'hidden fields are left out');
});

await t.test('pages have each record once, while others come and go', async (t) => {
  const first = await readAll(connector, servers);
  t.strictSame(idsOf(first.records), ids);
  t.match(first, { pages: 5, total: 45 });
  t.equal(
    (await readAll(connector, { ...servers, limit: 15 })).pages,
    4,
    'a last page that is full has an empty one behind it',
  );
  let n = 0;
  instance.fail({
    after: 1,
    meanwhile: () => {
      n += 1;
      if (n === 1) tables.remove('cmdb_ci_server', ids[2]!);
      if (n === 2) tables.insert('cmdb_ci_server', { name: 'late' }, '0'.repeat(32));
    },
  });
  const busy = await readAll(connector, servers);
  t.strictSame(idsOf(busy.records), ids);
  instance.fail();
  tables.remove('cmdb_ci_server', '0'.repeat(32));
  instance.fail({ after: 2, times: 1, meanwhile: () => tables.remove('cmdb_ci_server', ids[44]!) });
  t.match(
    await readAll(connector, servers),
    { total: 43 },
    'a record that is removed before it was read is not missing',
  );
  tables.insert('cmdb_ci_server', { name: 'back' }, ids[44]);
  instance.fail({
    after: 2,
    times: 1,
    meanwhile: () => {
      tables.remove('cmdb_ci_server', ids[44]!);
      tables.clockAhead = 5_000;
      tables.insert('cmdb_ci_server', { name: 'early' }, '0'.repeat(32));
      tables.clockAhead = 0;
    },
  });
  t.match(await readAll(connector, servers), { total: 43 }, 'nor if another one was created in front meanwhile');
  tables.remove('cmdb_ci_server', '0'.repeat(32));
  ids.splice(44, 1);
  ids.splice(2, 1);
});

await t.test('the clock of the instance, and what changed since', async (t) => {
  tables.clockAhead = -7_200_000;
  t.teardown(() => (tables.clockAhead = 0));
  const { watermark } = await readAll(connector, servers);
  const behind = Date.parse(watermark!) - (Date.now() - 7_200_000);
  t.ok(behind < -290_000 && behind > -330_000, `five minutes before it: ${behind}`);
  tables.edit('cmdb_ci_server', ids[7]!, { os_version: 'new' });
  const since = new Date(Date.now() - 7_300_000).toISOString();
  for (const id of ids) if (id !== ids[7]) tables.find('cmdb_ci_server', id)!['sys_updated_on'] = '2024-01-01 00:00:00';
  const changed = await readAll(connector, { ...servers, since, filter: 'monitor=true^NQmonitor=false' });
  t.strictSame(idsOf(changed.records), [ids[7]]);
  t.match(changed, { pages: 1, total: 1 });
});

await t.test('a filter over a field that is gone does not show all records', async (t) => {
  const filter = 'department.nameLIKEdepartment 1^ORname=srv-000004';
  const wanted = ids.filter((id) => {
    const n = Number(tables.find('cmdb_ci_server', id)!['name']!.slice(4));
    return n === 4 || String(n % 20).startsWith('1');
  });
  t.strictSame(idsOf((await readAll(connector, { ...servers, filter })).records), wanted);
  await t.rejects(
    readAll(connector, { ...servers, filter: 'monitor=true^gone=1' }),
    failed('invalid_settings', /names gone/),
  );
  await t.rejects(
    readAll(connector, { ...servers, filter: 'department.gone=1' }),
    failed('invalid_settings', /department\.gone/),
  );
});

await t.test('hidden records are not absent', async (t) => {
  for (const id of ids.slice(5, 30)) api.hiddenRows.add(id);
  await t.rejects(readAll(connector, servers), failed('forbidden', /counts 43 records in cmdb_ci_server and shows 18/));
  const shown = [...ids.slice(0, 5), ...ids.slice(30)];
  const read = await readAll(hiding, servers);
  t.strictSame(idsOf(read.records), shown, 'pages without a record are passed');
  t.equal(read.total, shown.length);
  for (const id of ids) api.hiddenRows.add(id);
  t.match(await readAll(hiding, servers), { records: [], total: 0 });
  api.hiddenRows.clear();
  for (const id of ids.slice(30)) api.hiddenRows.add(id);
  t.strictSame(idsOf((await readAll(hiding, servers)).records), ids.slice(0, 30));
  await t.rejects(connector.get('cmdb_ci_server', ids, ['name']), failed('forbidden', /hide/));
});

await t.test('a count that disagrees', async (t) => {
  instance.fail({ total: 50 });
  await t.rejects(readAll(connector, servers), failed('forbidden', /counts 50 .* shows 43/));
  instance.fail({ total: 3 });
  t.equal((await readAll(connector, servers)).records.length, 43, 'fewer than there are');
});

await t.test('answers that are none', async (t) => {
  const page = (await connector.read({ ...servers, fields: ['name'], limit: 10 })).records;
  const rows = page.map(({ id }) => ({ sys_id: id, name: 'x' }));
  const json = (body: unknown): { body: string } => ({ body: JSON.stringify(body) });
  const error = { message: 'Transaction cancelled: maximum execution time exceeded', detail: 'x' };
  for (const [what, fault, code, message] of [
    ['a page to log in', { body: '<html><form action="login.do">' }, 'invalid_answer', /page to log in/],
    ['a hibernating instance', { body: '<html><h1>Your instance is hibernating</h1>' }, 'unreachable', /hibernates/],
    [
      'an error with records',
      json({ result: rows, error, status: 'failure' }),
      'invalid_answer',
      /error: Transaction cancelled/,
    ],
    ['a list', json([]), 'invalid_answer', /something else than JSON/],
    ['no result', json({}), 'invalid_answer', /without a result/],
    ['no list', json({ result: {} }), 'invalid_answer', /list/],
    ['a record that is a text', json({ result: ['x'] }), 'invalid_answer', /object/],
    ['a record without id', json({ result: [{ name: 'x' }] }), 'invalid_answer', /sys_id/],
    ['an id that would leave the query', json({ result: [{ sys_id: 'x^NQa=1' }] }), 'invalid_answer', /sys_id/],
    ['a record twice', json({ result: [rows[0], rows[0]] }), 'invalid_answer', /sort/],
    ['another order', json({ result: rows.toReversed() }), 'invalid_answer', /sort/],
    ['too many', json({ result: [...rows, ...rows] }), 'invalid_answer', /more than 10/],
    ['half of the JSON', { body: '{"result":[{"sys_id":' }, 'invalid_answer', /JSON/],
    ['500', { status: 500 }, 'unreachable', /500/],
    ['403', { status: 403 }, 'forbidden', /403.*Fault/],
    ['400', { status: 400 }, 'refused', /400: Fault/],
    ['a delay that is too long', { status: 429, headers: { 'retry-after': '86400' } }, 'rate_limited', /429/],
  ] as const) {
    instance.fail({ ...fault, times: 1 });
    await t.rejects(connector.read({ ...servers, fields: ['name'], limit: 10 }), failed(code, message), what);
  }
});

await t.test('what passes by itself is repeated', async (t) => {
  instance.fail({ times: 1, status: 429, headers: { 'retry-after': '1' } });
  const start = performance.now();
  t.equal((await readAll(connector, servers)).records.length, 43);
  t.ok(performance.now() - start >= 900, 'not before the time that ServiceNow tells');
  for (const fault of [{ status: 503 }, { cutOff: true }, { lost: true }]) {
    instance.fail({ ...fault, times: 1 });
    t.equal((await readAll(connector, servers)).records.length, 43, JSON.stringify(fault));
  }
});

await t.test('a slow answer ends with the work', async (t) => {
  const ended = new AbortController();
  const slow = (await open(app, instance, {}, ended.signal)).connector;
  await slow.fields('cmdb_ci_server');
  instance.fail({ delayMs: 5_000, meanwhile: () => undefined });
  const read = readAll(slow, servers);
  setImmediate(() => ended.abort());
  const start = performance.now();
  await t.rejects(read);
  t.ok(performance.now() - start < 3_000);
});

await t.test('an account that may not read the dictionary', async (t) => {
  instance.fail({ on: /sys_dictionary/, body: '{"result":[]}', headers: { 'x-total-count': '0' } });
  const { connector: other } = await open(app, instance);
  await t.rejects(other.fields('cmdb_ci_server'), failed('forbidden', /sys_dictionary/));
  await t.rejects(readAll(other, servers), failed('forbidden', /sys_dictionary/));
  instance.fail();
  t.ok((await other.fields('cmdb_ci_server')).length > 10, 'and may so later');
});
