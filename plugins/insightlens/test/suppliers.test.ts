/** Suppliers and duplicates over HTTP: what is found, what each reader sees of it, and decisions that outlive runs and changes of names. */
import t from 'tap';
import { testApp, until, type AnyBody } from '@lintel/sdk/testing';
import module from '../index.js';

const app = await testApp({ module });
t.teardown(app.close);
const { admin } = app;
const PATH = app.prefix;
const [architect, viewer] = await Promise.all([app.asUser('architect'), app.asUser('viewer')]);
type Caller = typeof viewer;

const make = async (type: string, name: string, more = {}): Promise<string> => {
  const { status, body } = await admin.post('/cards', { type, name, ...more });
  t.equal(status, 201, JSON.stringify(body));
  return String(body.id);
};
const relate = async (type: string, source_id: string, target_id: string): Promise<void> => {
  t.equal((await admin.post('/relations', { type, source_id, target_id })).status, 201);
};
const analyse = async (kind: string): Promise<void> => {
  const { body, status } = await architect.post(`${PATH}/${kind}/analyse`);
  t.equal(status, 201, JSON.stringify(body));
  const run = await until(async () => {
    const { body: one } = await viewer.get(`${PATH}/runs/${body.id}`);
    return ['done', 'failed', 'cancelled'].includes(String(one['state'])) && one;
  }, 30_000);
  t.match(run, { state: 'done', percent: 100 });
};
const suppliers = async (who: Caller = viewer, query = {}): Promise<AnyBody[]> => {
  const { body, status } = await who.get(`${PATH}/suppliers`, { query: { page_size: 200, sort_by: 'name', sort_dir: 'asc', ...query } });
  t.equal(status, 200, JSON.stringify(body));
  t.equal(body.total, body.items.length);
  return body.items;
};
const names = async (who: Caller = viewer, query = {}): Promise<string[]> =>
  (await suppliers(who, query)).map((one) => String(one['name']));
const named = async (name: string, who: Caller = viewer): Promise<AnyBody> => {
  const found = (await suppliers(who)).find((one) => one['name'] === name);
  t.ok(found, `${name} is a supplier`);
  return (await who.get(`${PATH}/suppliers/${found!['id']}`)).body;
};
const change = async (name: string, body: object): Promise<AnyBody> => {
  const { id } = await named(name, architect);
  const answer = await architect.patch(`${PATH}/suppliers/${id}`, body);
  t.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
};

const model = await admin.get('/metamodel/types/Application');
const fields = (model.body['sections'] as { key: string; fields: object[] }[] | undefined) ?? [];
t.comment(JSON.stringify(model.status), fields.length);
