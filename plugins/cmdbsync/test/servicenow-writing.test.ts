/** What is written to ServiceNow, and that records that were created are found again. */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { testApp } from '@lintel/sdk/testing';
import type { ConnectorFault } from '@lintel/sdk';
import module from '../index.js';
import { ServiceNowServer } from './simulators/servicenow.js';
import { idOf } from './simulators/servicenow-tables.js';
import { open } from './servicenow-support.js';

const instance = await ServiceNowServer.start();
const app = await testApp({ module, environment: { OUTBOUND_ALLOW: '127.0.0.1' } });
t.teardown(async () => {
  await app.close();
  await instance.close();
});
const { tables, api } = instance;
tables.fill(5);
const { connector } = await open(app, instance);
t.afterEach(() => {
  instance.fail();
  api.protectedFields.clear();
  api.hiddenRows.clear();
  tables.rule = () => undefined;
});
const table = 'cmdb_ci_server';
const id = idOf('server 1');
const failed = (fault: ConnectorFault, message: RegExp) => ({ fault, message });
const stored = (key: string): string => tables.find(table, id)![key] ?? '';

await t.test('a change has the forms of ServiceNow and returns the record as it is', async (t) => {
  const record = await connector.update(table, id, {
    short_description: null,
    monitor: true,
    ram: 2_048,
    install_date: '2026-03-29T03:30:00+02:00',
    warranty_expiration: '2027-01-01',
    department: { id: idOf('department 3') },
    related: [idOf('server 2'), idOf('server 3')],
  });
  t.strictSame(
    ['short_description', 'monitor', 'ram', 'install_date', 'warranty_expiration', 'department'].map(stored),
    ['', 'true', '2048', '2026-03-29 01:30:00', '2027-01-01', idOf('department 3')],
  );
  t.equal(record.id, id);
  t.match(record.values, {
    name: 'srv-000001',
    short_description: null,
    monitor: true,
    ram: 2_048,
    install_date: '2026-03-29T01:30:00Z',
    warranty_expiration: '2027-01-01',
    department: idOf('department 3'),
    'department.display_value': 'Department 3',
    related: [idOf('server 2'), idOf('server 3')],
    sys_mod_count: 1,
  });
  t.match(await connector.get(table, [id], ['ram', 'department.name']), [
    { id, values: { ram: 2_048, 'department.name': 'Department 3' } },
  ]);
});

await t.test('what ServiceNow makes of a value is returned', async (t) => {
  tables.rule = (_table, row) => (row['name'] = (row['name'] ?? '').toUpperCase());
  t.match((await connector.update(table, id, { name: 'Renamed' })).values, { name: 'RENAMED' });
  api.protectedFields.add('ram');
  t.match((await connector.update(table, id, { ram: 1 })).values, { ram: 2_048 }, 'ignored by an access rule');
});

await t.test('what ServiceNow would ignore is refused', async (t) => {
  const before = instance.count('PATCH');
  for (const values of [
    { fqdn: 'x' },
    { sys_updated_on: 'x' },
    { nothing: 1 },
    { 'department.name': 'x' },
    { 'department.display_value': 'x' },
  ])
    await t.rejects(
      connector.update(table, id, values),
      failed('refused', /cannot be written/),
      JSON.stringify(values),
    );
  await t.rejects(connector.update(table, id, { name: { a: 1 } }), failed('refused', /list or an object/));
  await t.rejects(connector.update(table, 'f'.repeat(32), { name: 'x' }), failed('not_found', /404.*No Record found/));
  await t.rejects(connector.update(table, '../cmdb_ci', { name: 'x' }), failed('not_found', /sys_id/));
  await t.rejects(connector.update('nothing', id, {}), failed('not_found', /nothing/));
  t.equal(instance.count('PATCH'), before + 1, 'only the one that is about no record was sent');
});

await t.test('a change is sent once', async (t) => {
  for (const [fault, code] of [
    [{ status: 503 }, 'unreachable'],
    [{ status: 429 }, 'rate_limited'],
    [{ lost: true }, 'unreachable'],
    [{ cutOff: true }, 'unreachable'],
    [{ status: 403 }, 'forbidden'],
  ] as const) {
    instance.fail({ ...fault, on: /^PATCH/, times: 1 });
    const before = instance.count('PATCH');
    const changes = Number(stored('sys_mod_count'));
    await t.rejects(
      connector.update(table, id, { os_version: randomUUID() }),
      failed(code, /./),
      JSON.stringify(fault),
    );
    t.ok(instance.count('PATCH') - before <= 1 && Number(stored('sys_mod_count')) - changes <= 1);
  }
});

await t.test('a record that was created is found by its correlation id, also if the response was lost', async (t) => {
  const [first, second] = [randomUUID(), randomUUID()];
  t.equal(await connector.findCreated(table, first), undefined);
  const made = await connector.create(table, { name: 'made', ram: 512 }, first);
  t.match(made.values, { name: 'made', ram: 512, correlation_id: first });
  t.match(await connector.findCreated(table, first), { id: made.id, values: { name: 'made', ram: 512 } });
  for (const fault of [{ lost: true }, { cutOff: true }]) {
    const correlation = randomUUID();
    instance.fail({ ...fault, on: /^POST/, times: 1 });
    await t.rejects(connector.create(table, { name: 'lost' }, correlation), failed('unreachable', /./));
    instance.fail();
    t.match(await connector.findCreated(table, correlation), { values: { name: 'lost' } });
    t.equal(api.inserts.get(correlation), 1);
  }
  instance.fail({ on: /^POST/, status: 500, times: 1 });
  await t.rejects(connector.create(table, { name: 'never' }, second), failed('unreachable', /500/));
  t.equal(await connector.findCreated(table, second), undefined);
});

await t.test('what cannot be found again is not created', async (t) => {
  const correlation = randomUUID();
  await t.rejects(
    connector.create('cmn_department', { name: 'x' }, correlation),
    failed('invalid_settings', /no field correlation_id/),
  );
  await t.rejects(
    connector.findCreated('cmn_department', correlation),
    failed('invalid_settings', /no field correlation_id/),
  );
  await t.rejects(connector.create(table, { name: 'x' }, 'a^NQb=1'), failed('refused', /characters/));
  api.protectedFields.add('correlation_id');
  const { connector: other } = await open(app, instance);
  const made = await other.create(table, { name: 'unmarked' }, correlation);
  t.equal(made.values['correlation_id'], null);
  await t.rejects(
    other.create(table, { name: 'next' }, randomUUID()),
    failed('refused', /does not keep correlation_id/),
  );
});

await t.test('a lookup that is not one tells no other record', async (t) => {
  const correlation = randomUUID();
  const row = { sys_id: idOf('server 2'), correlation_id: '' };
  instance.fail({
    on: /^GET .*correlation_id=/,
    body: JSON.stringify({ result: [row] }),
    headers: { 'x-total-count': '1' },
  });
  await t.rejects(connector.findCreated(table, correlation), failed('invalid_answer', /does not look up/));
  instance.fail();
  for (const name of ['one', 'two']) tables.insert(table, { name, correlation_id: correlation });
  await t.rejects(connector.findCreated(table, correlation), failed('invalid_answer', /2 records/));
  const hidden = randomUUID();
  const { connector: hiding } = await open(app, instance, { config: { allow_hidden_records: true } });
  api.hiddenRows.add((await hiding.create(table, { name: 'hidden' }, hidden)).id);
  await t.rejects(hiding.findCreated(table, hidden), failed('forbidden', /hide/));
});

await t.test('another correlation field', async (t) => {
  const { connector: other } = await open(app, instance, { config: { correlation_field: 'serial_number' } });
  const correlation = randomUUID();
  const made = await other.create(table, { name: 'x', serial_number: 'overwritten' }, correlation);
  t.equal(made.values['serial_number'], correlation);
  t.match(await other.findCreated(table, correlation), { id: made.id });
});
