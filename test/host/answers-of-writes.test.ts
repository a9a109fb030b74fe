/** The answer to a write is what it wrote, also where another request deletes it before the answer is sent. */
import pg from 'pg';
import t from 'tap';
import { inProcess, nodeTag } from '../../plugins/bpm/test/samples.js';
import { registerAdmin, sql, testApp, until } from '../support/app.js';

const { origin, database, close } = await testApp();
t.teardown(close);
const { api } = await registerAdmin(origin);
for (const id of ['adr', 'bpm', 'diagrams', 'ppm', 'reports', 'risks', 'soaw'])
  await api.patch(`/settings/modules/${id}`, { enabled: true });

/** @returns the id of what is created */
async function make(path: string, body: Record<string, unknown>): Promise<string> {
  const made = await api.post(path, body);
  t.equal(made.status, 201, JSON.stringify(made.body));
  return made.body['id'] as string;
}
const initiative = await make('/cards', { type: 'Initiative', name: 'Move' });
const PLAN = `/ppm/initiatives/${initiative}`;

async function session(): Promise<pg.Client> {
  const client = new pg.Client(database);
  await client.connect();
  t.teardown(() => client.end());
  return client;
}
const [holder, deleter] = [await session(), await session()];
const pidOf = async (client: pg.Client) =>
  (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]!.pid;
const [holderPid, deleterPid] = [await pidOf(holder), await pidOf(deleter)];
/** Waits until sessions wait for locks. */
const waiting = async (count: number, condition: string): Promise<unknown> =>
  await until(
    async () =>
      (
        await sql(
          database,
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and ${condition}`,
        )
      ).length >= count,
  );

/**
 * Sends a write while its row is locked. Before it ends, another session waits for the table, and deletes the row as soon as the transaction of the
 * write has ended: nobody can read the row in between.
 */
async function race<T>(write: () => Promise<T>, table: string, id: string, key: string): Promise<T> {
  await holder.query(`begin; select from ${table} where ${key} = '${id}' for update`);
  const answer = write();
  await waiting(1, `pid <> ${deleterPid} and ${holderPid} = any(pg_blocking_pids(pid))`);
  await deleter.query('begin');
  const deleted = deleter.query(
    `lock table ${table} in access exclusive mode; delete from ${table} where ${key} = '${id}'; commit`,
  );
  await waiting(1, `pid = ${deleterPid}`);
  await holder.query('commit');
  await deleted;
  return await answer;
}

const CASES: [
  what: string,
  path: string,
  table: string,
  body: Record<string, unknown>,
  patch: Record<string, unknown>,
][] = [
  ['a resource of the SDK', '/risks', 'risks_register', { title: 'Fire', category: 'operational' }, { title: 'Flood' }],
  ['a decision', '/adr', 'adr_decisions', { title: 'Use it' }, { title: 'Avoid it' }],
  ['a diagram', '/diagrams', 'diagrams_diagrams', { name: 'Now' }, { name: 'Then' }],
  ['an item of a plan', `${PLAN}/wbs`, 'ppm_wbs', { title: 'One' }, { title: 'Two' }],
];
for (const [what, path, table, body, patch] of CASES)
  await t.test(`${what} that is deleted right after it was changed`, async (t) => {
    const id = await make(path, body);
    const answer = await race(() => api.patch(`${path}/${id}`, patch), table, id, 'id');
    t.match(answer, { status: 200, body: { id, version: 2, ...patch } });
    t.equal((await api.get(`${path}/${id}`)).status, 404);
  });

await t.test('the start of a plan', async (t) => {
  await api.patch(`${PLAN}/plan`, { start_date: '2031-01-01' });
  const patch = { start_date: '2031-02-03', calendar: { working_days: [1] } };
  const answer = await race(() => api.patch(`${PLAN}/plan`, patch), 'ppm_plans', initiative, 'card_id');
  t.match(answer, {
    status: 200,
    body: { ...patch, version: 3, wbs_count: 0, effective_calendar: { working_days: [1] } },
  });
  t.match((await api.get(`${PLAN}/plan`)).body, { start_date: null, version: 1 });
});

await t.test('a task that was moved', async (t) => {
  const id = await make(`${PLAN}/tasks`, { title: 'Do' });
  const answer = await race(() => api.post(`${PLAN}/tasks/${id}/move`, { status: 'done' }), 'ppm_tasks', id, 'id');
  t.match(answer, { status: 200, body: { id, status: 'done', version: 2 } });
  t.equal((await api.get(`${PLAN}/tasks/${id}`)).status, 404);
});

await t.test('a risk that was promoted', async (t) => {
  const id = await make(`${PLAN}/risks`, { title: 'Late', probability: 3, impact: 3 });
  const answer = await race(() => api.post(`${PLAN}/risks/${id}/promote`, {}), 'ppm_risks', id, 'id');
  t.match(answer, { status: 200, body: { id, promoted_reference: /^R-/, version: 2 } });
  t.equal((await api.get(`${PLAN}/risks/${id}`)).status, 404);
});

await t.test('a card that was linked with a risk', async (t) => {
  for (const isNew of [true, false]) {
    const id = await make('/risks', { title: 'Theft', category: 'security' });
    const write = () =>
      isNew
        ? api.post(`/risks/${id}/cards`, { card_id: initiative, role: 'affected' })
        : api.put(`/risks/${id}/cards/${initiative}`, { role: 'affected' });
    const answer = await race(write, 'risks_register', id, 'id');
    const body = { risk_id: id, card_id: initiative, role: 'affected', version: 2, card: { name: 'Move' } };
    t.match(answer, { status: isNew ? 201 : 200, body });
    t.equal((await api.get(`/risks/${id}/cards/${initiative}`)).status, 404);
  }
});

await t.test('the files that were added to a risk', async (t) => {
  const id = await make('/risks', { title: 'Audit', category: 'operational' });
  // The transaction deletes the file when it is committed: nobody can read it in between.
  await sql(
    database,
    `create function delete_added() returns trigger language plpgsql as 'begin delete from risks_files where id = new.id; return null; end';
    create constraint trigger delete_added after insert on risks_files deferrable initially deferred for each row execute function delete_added()`,
  );
  const form = `--part\r\ncontent-disposition: form-data; name="files"; filename="a.txt"\r\n\r\nChecked.\r\n--part--\r\n`;
  const headers = { 'content-type': 'multipart/form-data; boundary=part' };
  const answer = await api.post(`/risks/${id}/files`, form, { headers });
  t.match(answer, { status: 201, body: { items: [{ name: 'a.txt', size: 8, created_by: /./ }] } });
  t.match((await api.get(`/risks/${id}/files`)).body, { total: 0 });
});

await t.test('an element of a flow that was linked', async (t) => {
  const process = await make('/cards', { type: 'BusinessProcess', name: 'Order' });
  const application = await make('/cards', { type: 'Application', name: 'Shop' });
  await make(`/bpm/processes/${process}/flow/versions`, { from: 'nothing' });
  const elements = `/bpm/processes/${process}/elements`;
  const [element] = (await api.get(elements)).body['items'] as { id: string }[];
  const { id } = element!;
  const links = [{ card_id: application }];
  const answer = await race(() => api.put(`${elements}/${id}/links`, { links }), 'bpm_elements', id, 'id');
  t.match(answer, { status: 200, body: { id, version: 2, links: [{ card_id: application, name: 'Shop' }] } });
  t.equal((await api.get(`${elements}/${id}`)).status, 404);
});

await t.test('the file of a template', async (t) => {
  const id = await make('/bpm/templates', { name: 'Approval' });
  const xml = inProcess(nodeTag('a'));
  const write = () => api.put(`/bpm/templates/${id}.bpmn`, xml, { headers: { 'content-type': 'application/xml' } });
  const answer = await race(write, 'bpm_templates', id, 'id');
  t.match(answer, { status: 200, body: { id, element_count: 1, version: 2 } });
  t.equal((await api.get(`/bpm/templates/${id}`)).status, 404);
});

await t.test('a section of a document', async (t) => {
  const id = await make('/soaw', { title: 'Work' });
  const answer = await race(() => api.put(`/soaw/${id}/sections/own`, { title: 'Own' }), 'soaw_documents', id, 'id');
  t.match(answer, { status: 200, body: { id, version: 2 } });
  t.equal((await api.get(`/soaw/${id}`)).status, 404);
});
