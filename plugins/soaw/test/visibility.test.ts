/** What could be concluded from filters, events and files about amounts and hidden cards. */
import { unzipSync } from 'fflate';
import t from 'tap';
import {
  expectStatus,
  lockWaiters,
  makeUser,
  openStream,
  registerAdmin,
  sql,
  testApp,
  until,
  type AnyBody,
  type Session,
} from '../../../test/support/app.js';

interface Table {
  id: string;
  columns: { title: string }[];
  rows: { cells: unknown[] }[];
  note: string | null;
  withheld: boolean;
}
interface Soaw extends AnyBody {
  id: string;
  sections: { key: string; text: string; tables: { filter?: Record<string, string> }[] }[];
}

const { origin, database, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const seen = ['cards.view', 'relations.view', 'soaw.view', 'adr.view'];
const role = async (key: string, permissions: string[], types = {}) =>
  expectStatus(await admin.api.post('/roles', { key, label: key, permissions, types }), 201, key);
await role('blind', [...seen, 'risks.view', 'costs.view', 'soaw.manage'], { ITComponent: { 'cards.view': false } });
await role('half', [...seen, 'risks.view', 'costs.view'], { Application: { 'costs.view': false } });
await role('lonely', ['cards.view', 'soaw.view', 'costs.view', 'risks.view', 'adr.view']);
await role('careless', [...seen, 'costs.view']);
const [member, viewer, architect, ...others] = await Promise.all(
  ['member', 'viewer', 'architect', 'blind', 'half', 'lonely', 'careless'].map((key) => makeUser(admin, key)),
);
const [writer, reader, signer] = [member!, viewer!, architect!];
const [blind, half, lonely, careless] = others as [Session, Session, Session, Session];

const card = async (type: string, name: string, cost: number, more = {}) =>
  expectStatus(
    await admin.api.post('/cards', { type, name, attributes: { costTotalAnnual: cost }, ...more }),
    201,
    name,
  ).body.id;
const shop = await card('Application', 'Shop', 48261735, { lifecycle: { endOfLife: '2020-12-31' } });
await card('Application', 'Kiosk', 5);
const server = await card('ITComponent', 'Secret Server', 61837452);
const relation = { type: 'applicationToITComponent', source_id: shop, target_id: server };
expectStatus(await admin.api.post('/relations', relation), 201, 'a relation');

const create = async (tables: object[], more = {}) =>
  expectStatus(
    await writer.api.post<Soaw>('/soaw', {
      title: 'Leave the cellar',
      sections: [{ key: 'overview', title: 'Overview', text: 'It is left.', tables }],
      ...more,
    }),
    201,
    'a document',
  ).body.id;
const table = (id: string, filter: object, more = {}) => ({ id, kind: 'cards', title: `Of ${id}`, filter, ...more });
const request = async (id: string) =>
  expectStatus(
    await writer.api.post(`/soaw/${id}/request-signatures`, { user_ids: [signer.user.id] }),
    200,
    'requesting',
  );
const signed = async (id: string) => {
  await request(id);
  expectStatus(await signer.api.post(`/soaw/${id}/sign`), 200, 'signing');
  await until(
    async () => (await sql(database, 'select from soaw_renditions where document_id = $1', [id])).length === 6,
  );
};
const tableOf = async (by: Session, id: string, key: string) => {
  const { tables } = expectStatus(await by.api.get<{ tables: Table[] }>(`/soaw/${id}/tables`), 200, 'tables').body;
  const found = tables.find((one) => one.id === key)!;
  return { ...found, names: found.rows.map(({ cells }) => cells[0]).join() || 'none' };
};
const fetched = async (by: Session, path: string) => {
  const answer = await fetch(`${origin}/api/v1${path}`, { headers: { authorization: `Bearer ${by.token}` } });
  if (answer.status !== 200) throw new Error(`${path} gave ${answer.status}`);
  const bytes = Buffer.from(await answer.arrayBuffer());
  return path.endsWith('.docx')
    ? Object.values(unzipSync(bytes))
        .map((part) => new TextDecoder().decode(part))
        .join('')
    : bytes.toString();
};
const FILES = ['docx', 'md', 'html'];

t.test('rows found by their costs, relations and stakeholders are frozen for those who see these', async (t) => {
  const dear = { type: 'Application', 'attributes.costTotalAnnual[gte]': '1000' };
  const id = await create([
    table('dear', dear),
    table('none', { ...dear, 'attributes.costTotalAnnual[gte]': '99999999' }),
    table('related', { has_relation: 'applicationToITComponent' }),
    table('near', { type: 'Application', related_to: server }),
    table('unowned', { type: 'Application', 'stakeholder_role[empty]': 'any' }),
    table('gaps', { type: 'Application' }, { kind: 'gaps' }),
  ]);
  const drafts = await tableOf(reader, id, 'dear');
  t.match(drafts, { names: 'none', note: 'not_permitted', withheld: true });
  await signed(id);
  t.match(await tableOf(writer, id, 'dear'), { names: 'Shop', withheld: false });
  t.strictSame(await tableOf(reader, id, 'dear'), drafts, 'the same as of the draft');
  t.match(await tableOf(half, id, 'dear'), { names: 'none', withheld: true });
  t.match(await tableOf(reader, id, 'none'), { names: 'none', withheld: true }, 'not that there is none either');
  t.match(await tableOf(writer, id, 'near'), { names: 'Shop', note: null });
  t.match(await tableOf(lonely, id, 'near'), { names: 'none' });
  t.match(await tableOf(blind, id, 'near'), { names: 'none', note: 'not_permitted' }, 'the filter names a hidden card');
  t.equal((await tableOf(writer, id, 'related')).names, 'Secret Server,Shop');
  t.equal((await tableOf(lonely, id, 'related')).names, 'none');
  t.equal((await tableOf(writer, id, 'unowned')).names, 'Kiosk,Shop');
  t.equal((await tableOf(lonely, id, 'unowned')).names, 'none');
  t.equal((await tableOf(writer, id, 'gaps')).names, 'Shop');
  t.equal((await tableOf(lonely, id, 'gaps')).names, 'none', 'whether it has a successor');
  for (const kind of FILES) {
    const [whole, less] = [await fetched(writer, `/soaw/${id}.${kind}`), await fetched(reader, `/soaw/${id}.${kind}`)];
    t.ok(whole.split('Shop').length > less.split('Shop').length, `${kind} has fewer rows`);
    await sql(database, 'delete from soaw_renditions where document_id = $1 and kind = $2', [id, kind]);
    t.equal(await fetched(reader, `/soaw/${id}.${kind}`), less, `${kind}: stored and rendered are the same`);
  }
});

t.test('the event about stored files has nothing by which their content could be found', async (t) => {
  const id = await create([table('costs', { type: 'Application' }, { kind: 'costs' })]);
  await signed(id);
  const told = await until(
    async () =>
      (
        await sql<{ data: { files: object[] } }>(
          database,
          `select data from events where subject_id = $1 and type = 'soaw.files_stored'`,
          [id],
        )
      )[0],
  );
  const { files } = told.data;
  t.strictSame(
    files,
    [false, true].flatMap((withheld) => FILES.map((kind) => ({ kind, withheld }))),
  );
});

t.test('a table that is refused is not shown to be empty', async (t) => {
  const id = await create([table('risks', { type: 'BusinessCapability' }, { kind: 'risks' })]);
  await signed(id);
  for (const kind of ['md', 'html'])
    t.match(await fetched(careless, `/soaw/${id}.${kind}`), 'a permission is missing', kind);
  t.match((await careless.api.get(`/soaw/${id}/tables`)).body, { nonce: null });
});

t.test('ids of hidden cards in filters, however they are separated', async (t) => {
  const values = [`${shop}, ${server}`, `${server},`, ` ${server}`, `${server.toUpperCase()} ,${shop}`, server];
  const tables = values.map((value, i) => table(`t${i}`, { ids: value, related_to: value }));
  const id = await create(tables);
  const hidden = new RegExp(server, 'i');
  for (const path of ['', '/history', `/diff?with=${id}`])
    t.notMatch(await fetched(blind, `/soaw/${id}${path}`), hidden, path);
  const stream = await openStream(origin, blind.token, { lastEventId: 0 });
  const { data } = await stream.waitFor(
    ({ event, data: sent }) => event === 'soaw.created' && JSON.stringify(sent).includes(id),
  );
  t.notMatch(JSON.stringify(data), hidden);
  stream.close();
  t.equal((await tableOf(writer, id, 't0')).names, 'Secret Server,Shop', 'filters find what they found');
});

t.test('who reads a document and sends it back keeps the hidden cards of its filters', async (t) => {
  const id = await create([table('a', { related_to: `${server},${shop}` })]);
  const filterOf = async () =>
    (await writer.api.get<Soaw>(`/soaw/${id}`)).body.sections[0]!.tables[0]!.filter!['related_to'];
  const { sections } = (await blind.api.get<Soaw>(`/soaw/${id}`)).body;
  const changed = sections.map((section) => ({ ...section, text: 'Changed.' }));
  t.match(await blind.api.patch(`/soaw/${id}`, { sections: changed }), {
    status: 200,
    body: { sections: [{ text: 'Changed.' }] },
  });
  t.equal(await filterOf(), `${server},${shop}`);
  const { key, ...section } = changed[0]!;
  const answer = expectStatus(await blind.api.put(`/soaw/${id}/sections/${key}`, section), 200, 'a section');
  t.notMatch(JSON.stringify(answer.body), server);
  t.equal(await filterOf(), `${server},${shop}`);
  const other = { ...section, tables: [table('a', { related_to: shop })] };
  expectStatus(await blind.api.put(`/soaw/${id}/sections/${key}`, other), 200, 'another filter');
  t.equal(await filterOf(), shop);
});

t.test('card types of a filter are separated as in the list of cards', async (t) => {
  const id = await create([table('costs', { type: 'Objective, Application' }, { kind: 'costs' })]);
  const { columns, names } = await tableOf(writer, id, 'costs');
  t.ok(columns.length > 2, 'the costs of applications');
  t.equal(names, 'Kiosk,Shop');
});

t.test('links that are changed at the same time as the request are frozen as they are stored', async (t) => {
  const id = await create([], { cards: [{ card_id: shop, role: 'affected' }] });
  // The lock is held until the request has read the draft and waits.
  const change = sql(
    database,
    `do $$ begin
      perform from soaw_documents where id = '${id}' for update;
      for i in 1..200 loop
        exit when exists (select from pg_locks where not granted);
        perform pg_sleep(0.05);
      end loop;
      update soaw_cards set role = 'in_scope' where document_id = '${id}';
    end $$`,
  );
  await until(
    async () =>
      (
        await sql(
          database,
          `select from pg_locks where relation = 'soaw_documents'::regclass and mode = 'RowShareLock'`,
        )
      ).length > 0,
  );
  const asked = await writer.api.post(`/soaw/${id}/request-signatures`, { user_ids: [signer.user.id] });
  await change;
  t.equal(await lockWaiters(database), 0);
  const [row] = await sql<{ frozen: unknown }>(database, 'select frozen from soaw_documents where id = $1', [id]);
  t.match({ status: asked.status, frozen: row!.frozen }, { status: 409, frozen: null });
});

t.test('fields that only hidden card types have are no columns', async (t) => {
  const path = '/metamodel/types/ITComponent';
  const { sections } = expectStatus(
    await admin.api.get<AnyBody & { sections: { fields: object[] }[] }>(path),
    200,
    'a type',
  ).body;
  sections[0]!.fields.push({ key: 'vaultFee', label: 'Fee of the vault', kind: 'cost' });
  expectStatus(await admin.api.patch(path, { sections }), 200, 'a field');
  expectStatus(await admin.api.patch(`/cards/${server}`, { attributes: { vaultFee: 17 } }), 200, 'a fee');
  const id = await create([{ id: 'all', kind: 'costs', title: 'Costs', filter: {} }]);
  for (const isFrozen of [false, true]) {
    if (isFrozen) await signed(id);
    const { columns, rows } = await tableOf(blind, id, 'all');
    t.notMatch(JSON.stringify(columns), 'vault', isFrozen ? 'frozen' : 'of a draft');
    t.match(columns.map(({ title }) => title).join(), /^Card,Type,.*Total annual cost/);
    for (const { cells } of rows) t.equal(cells.length, columns.length);
    for (const kind of FILES) t.notMatch(await fetched(blind, `/soaw/${id}.${kind}`), /vault/, kind);
  }
  t.match(
    (await tableOf(admin, id, 'all')).columns.map(({ title }) => title),
    /Fee of the vault/,
  );
  t.match(await fetched(reader, `/soaw/${id}.md`), /Fee of the vault/);
});
