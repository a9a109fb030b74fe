/** The simulated instance does what the documentation of the Table API says, on which the tests of the connector rely. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { ServiceNowServer } from './simulators/servicenow.js';
import { idOf } from './simulators/servicenow-tables.js';

const instance = await ServiceNowServer.start();
t.teardown(() => instance.close());
const { tables, oauth, api } = instance;
tables.fill(30);
const { name, password } = oauth.user;
const authorization = `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
type Body = { result: Record<string, unknown>[] & Record<string, unknown>; error?: { message: string } };

async function call(path: string, query: Record<string, string> = {}, init: RequestInit = {}) {
  const url = `${instance.origin}/api/now/table/${path}?${new URLSearchParams(query).toString()}`;
  const response = await fetch(url, { headers: { authorization }, ...init });
  const body = (response.status === 204 ? {} : await response.json()) as Body;
  return { status: response.status, headers: response.headers, body };
}
const named = async (sysparm_query: string, table = 'cmdb_ci_server'): Promise<string[]> =>
  (await call(table, { sysparm_query, sysparm_fields: 'name' })).body.result.map((row) => String(row['name']));

await t.test('queries', async (t) => {
  const all = await named('ORDERBYname');
  t.equal(all.length, 30);
  t.strictSame(await named('ORDERBYDESCname'), all.toReversed());
  t.strictSame(await named('name=srv-000003'), ['srv-000003']);
  t.equal((await named('name!=srv-000003')).length, 29);
  t.strictSame(await named('nameINsrv-000001,srv-000002^ORDERBYname'), all.slice(1, 3));
  t.equal((await named('nameSTARTSWITHSRV-00001')).length, 10, 'in either case');
  t.equal((await named('name>=srv-000010^name<srv-000015')).length, 5);
  t.equal((await named('ram>=10240')).length, 21, 'numbers as numbers');
  t.equal((await named('ramISEMPTY')).length + (await named('departmentISNOTEMPTY')).length, 30);
  t.strictSame(await named('department.name=Department 4^ORDERBYname'), ['srv-000004', 'srv-000024']);
  t.strictSame(
    await named('name=srv-000001^ORname=srv-000002^ram=3072'),
    ['srv-000002'],
    'OR belongs to the condition before it',
  );
  t.equal((await named('name=srv-000001^ram=1^NQname=srv-000002')).length, 1, 'NQ begins another query');
  t.equal((await named('nothing=1')).length, 30, 'a condition over no field is ignored');
  t.equal((await named('', 'cmdb_ci')).length, 30, 'tables have the records of those that extend them');
  t.equal((await named('', 'cmdb_ci_linux_server')).length, 10);
});

await t.test('pages', async (t) => {
  const page = await call('cmdb_ci_server', { sysparm_limit: '10', sysparm_offset: '10', sysparm_fields: 'sys_id' });
  t.equal(page.body.result.length, 10);
  t.equal(page.headers.get('x-total-count'), '30');
  for (const rel of ['first', 'prev', 'next', 'last']) t.match(page.headers.get('link'), `rel="${rel}"`);
  const last = await call('cmdb_ci_server', { sysparm_limit: '10', sysparm_offset: '20', sysparm_no_count: 'true' });
  t.notMatch(last.headers.get('link'), 'rel="next"');
  t.equal(last.headers.get('x-total-count'), null);
  api.hiddenRows.add(idOf('server 3')).add(idOf('server 4'));
  t.teardown(() => api.hiddenRows.clear());
  const trimmed = await call('cmdb_ci_server', { sysparm_limit: '10', sysparm_query: 'ORDERBYname' });
  t.equal(trimmed.body.result.length, 8, 'hidden rows make a page shorter');
  t.equal(trimmed.headers.get('x-total-count'), '30', 'and are counted');
});

await t.test('values, display values and links', async (t) => {
  const one = `cmdb_ci_server/${idOf('server 5')}`;
  const fields = { sysparm_fields: 'department,department.name,operational_status,install_date,nothing' };
  const plain = await call(one, fields);
  const link = `${instance.origin}/api/now/table/cmn_department/${idOf('department 5')}`;
  t.strictSame(plain.body.result, {
    department: { link, value: idOf('department 5') },
    'department.name': 'Department 5',
    operational_status: '1',
    install_date: '2024-03-31 23:30:00',
  });
  const shown = await call(one, { ...fields, sysparm_display_value: 'true', sysparm_exclude_reference_link: 'true' });
  t.match(shown.body.result, {
    department: 'Department 5',
    operational_status: 'Operational',
    install_date: '2024-03-31 15:30:00',
  });
  const both = await call(one, { ...fields, sysparm_display_value: 'all' });
  t.match(both.body.result, {
    department: { display_value: 'Department 5', value: idOf('department 5'), link },
    operational_status: { display_value: 'Operational', value: '1' },
  });
  api.hiddenFields.add('department');
  t.teardown(() => api.hiddenFields.clear());
  t.strictSame(Object.keys((await call(one, fields)).body.result), ['operational_status', 'install_date']);
});

await t.test('writes', async (t) => {
  const write = (method: string, path: string, body: object) =>
    call(path, {}, { method, headers: { authorization }, body: JSON.stringify(body) });
  const made = await write('POST', 'cmdb_ci_server', {
    name: 'new',
    fqdn: 'x',
    nothing: 1,
    sys_id: 'mine',
    correlation_id: 'c1',
  });
  t.equal(made.status, 201);
  t.match(made.body.result, { name: 'new', fqdn: '', sys_class_name: 'cmdb_ci_server', sys_mod_count: '0' });
  t.equal(api.inserts.get('c1'), 1);
  const id = String(made.body.result['sys_id']);
  t.not(id, 'mine');
  t.match((await write('PATCH', `cmdb_ci/${id}`, { name: 'newer', fqdn: 'x' })).body.result, {
    name: 'newer',
    fqdn: '',
    sys_mod_count: '1',
  });
  t.match(
    (await write('PUT', `cmdb_ci/${id}`, { name: 'newer' })).body.result,
    { sys_mod_count: '1' },
    'the same is no update',
  );
  tables.rule = (_table, row) => (row['name'] = String(row['name']).toUpperCase());
  t.teardown(() => (tables.rule = () => undefined));
  t.match((await write('PATCH', `cmdb_ci/${id}`, { name: 'Newest' })).body.result, { name: 'NEWEST' });
  t.equal((await write('DELETE', `cmdb_ci/${id}`, {})).status, 204);
  t.match(await call(`cmdb_ci/${id}`), {
    status: 404,
    body: { error: { message: 'No Record found' }, status: 'failure' },
  });
  t.match(await call('nothing'), { status: 400, body: { error: { message: 'Invalid table nothing' } } });
  t.match(await call('cmdb_ci', {}, { headers: {} }), {
    status: 401,
    body: { error: { message: 'User Not Authenticated' } },
  });
});

await t.test('as a process of its own', async (t) => {
  const script = fileURLToPath(new URL('simulators/servicenow-process.js', import.meta.url));
  const child = spawn(process.execPath, [script, '0', '10000'], { stdio: ['pipe', 'pipe', 'inherit'] });
  t.teardown(() => child.kill());
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const { origin, control } = JSON.parse(line) as { origin: string; control: string };
  const list = (): Promise<Response> =>
    fetch(`${origin}/api/now/table/cmdb_ci_server?sysparm_limit=1`, { headers: { authorization } });
  t.equal((await list()).headers.get('x-total-count'), '10000');
  await fetch(control, { method: 'PUT', body: JSON.stringify({ after: 1, status: 503 }) });
  t.strictSame([(await list()).status, (await list()).status], [200, 503]);
  t.match(await (await fetch(control)).json(), { requests: 3, inserts: {} });
  child.stdin.end();
  await once(child, 'exit');
});
