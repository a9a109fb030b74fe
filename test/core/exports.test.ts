/** Exports of cards: their content, omitted data, and that they match the list and the card. */
import { parse } from 'csv-parse/sync';
import t from 'tap';
import { unguardedCell } from '@lintel/sdk';
import { expectStatus, makeUser, registerAdmin, sql, testApp, type AnyBody, type Session } from '../support/app.js';
import { makeRoleUser } from '../support/roles.js';

const node = await testApp();
const { app, origin, database, close } = node;
t.teardown(close);
const admin = await registerAdmin(origin);
const viewer = await makeUser(admin, 'viewer');
const blind = await makeRoleUser(node, admin, 'blind', {
  like: 'viewer',
  types: { Provider: { 'cards.view': false } },
});
const { api } = admin;

type Row = Record<string, string>;
const create = async (card: object): Promise<AnyBody> =>
  expectStatus(await api.post('/cards', card), 201, 'creating').body;
const download = async (query: Record<string, string>, by: Session = admin): Promise<string> => {
  const answer = await by.api.get<unknown>('/cards/export', { query });
  if (answer.status !== 200) throw new Error(`the export gave ${answer.status}: ${JSON.stringify(answer.body)}`);
  return typeof answer.body === 'string' ? answer.body : answer.body === undefined ? '' : JSON.stringify(answer.body);
};
const csv = async (query: Record<string, string> = {}, by?: Session): Promise<Row[]> =>
  parse(await download({ format: 'csv', ...query }, by), { columns: true });
const cards = async (query: Record<string, string> = {}, by?: Session): Promise<AnyBody[]> =>
  JSON.parse(await download({ format: 'json', ...query }, by)) as AnyBody[];
const lines = async (query: Record<string, string> = {}, by?: Session): Promise<AnyBody[]> =>
  (await download({ format: 'ndjson', ...query }, by))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as AnyBody);
const ids = (items: { id?: unknown }[]): string[] => items.map((item) => String(item.id)).sort();

const HOSTILE = [
  '=1+1',
  '+SUM(A1)',
  '-2+3',
  '@cmd',
  '\tTAB',
  '\rCR',
  `'=1`,
  `''=1`,
  `'`,
  `'plain`,
  '-',
  '-5',
  'a,b',
  'say "no"',
  'two\nlines',
  'two\r\nlines',
  '\\.',
  '\\N',
  '\\n',
  'ß İ Ünï 日本語 🚀',
  ' lead',
  '<b>',
  '$1',
  '%s',
  `'); drop table cards; --`,
];
const hostile: AnyBody[] = [];
for (const [i, text] of HOSTILE.entries())
  hostile.push(
    await create({
      type: 'DataObject',
      name: `${text.replaceAll(/[\r\n]+/g, ' ')} ${i}`,
      description: text,
      alias: text,
      external_id: `${text} ${i}`,
    }),
  );
const numbers = await create({
  type: 'ITComponent',
  name: 'Numbers',
  attributes: { version: '-5', licenseType: '=A1', hasAiFeatures: false },
});
await sql(database, `update card_contents set attributes = attributes || '{"costTotalAnnual": -5.25}' where id = $1`, [
  numbers.id,
]);

const root = await create({
  type: 'Application',
  subtype: 'microservice',
  name: 'Root',
  lifecycle: { plan: '2019-01-01', active: '2020-02-29', endOfLife: '2999-12-31' },
  attributes: { costTotalAnnual: 918273, businessCriticality: 'missionCritical', numberOfUsers: 7 },
});
const child = await create({
  type: 'Application',
  name: 'Child',
  parent_id: root.id,
  attributes: { costTotalAnnual: 827364 },
});
const grandchild = await create({ type: 'Application', name: 'Grand = child', parent_id: child.id });
const own = await create({ type: 'Application', name: 'Own', attributes: { costTotalAnnual: 546372 } });
const archived = await create({ type: 'Provider', name: 'Gone', attributes: { website: 'https://example.org/' } });
await api.post(`/cards/${archived.id}/archive`);
const provider = await create({ type: 'Provider', name: 'Visible to most' });
await sql(
  database,
  `insert into tag_groups (id, name, name_key, mode) values ('01900000-0000-7000-8000-0000000000a1', 'G', 'g', 'multi')`,
);
await sql(
  database,
  `insert into tags (id, group_id, name, name_key, color) values ('01900000-0000-7000-8000-0000000000b1', '01900000-0000-7000-8000-0000000000a1', 'Blue "sky"', 'b', '#00f'),
  ('01900000-0000-7000-8000-0000000000b2', '01900000-0000-7000-8000-0000000000a1', 'Azure', 'a', null)`,
);
await sql(database, `insert into card_tags select $1, id from tags`, [root.id]);
expectStatus(
  await api.post(`/cards/${root.id}/stakeholders`, { user_id: admin.user.id, role: 'observer' }),
  201,
  'a stakeholder',
);
expectStatus(
  await api.post(`/cards/${own.id}/stakeholders`, { user_id: viewer.user.id, role: 'responsible' }),
  201,
  'a stakeholder',
);
const COSTS = ['918273', '827364', '546372', '-5.25'];

t.test('CSV: a header, a column per field of the types that occur, a line per card', async (t) => {
  const answer = await api.get<string>('/cards/export', { query: { format: 'csv', type: 'Application' } });
  t.equal(answer.headers.get('content-type'), 'text/csv; charset=utf-8; header=present');
  t.match(answer.headers.get('content-disposition'), /^attachment; filename="cards-\d{4}-\d\d-\d\d\.csv"$/);
  const [header, ...rows] = parse(answer.body) as string[][];
  t.same(header!.slice(0, 21), [
    'id',
    'type',
    'subtype',
    'name',
    'description',
    'parent_id',
    'path',
    'lifecycle.plan',
    'lifecycle.phaseIn',
    'lifecycle.active',
    'lifecycle.phaseOut',
    'lifecycle.endOfLife',
    'status',
    'approval_status',
    'data_quality',
    'external_id',
    'alias',
    'tags',
    'created_at',
    'updated_at',
    'version',
  ]);
  const fields = app.services.metamodel.current.types
    .get('Application')!
    .fields.fields.map((f) => `attributes.${f.key}`);
  t.same(header!.slice(21), fields);
  t.ok(rows.length === 4 && rows.every((row) => row.length === header!.length));
  const row = (await csv({ ids: root.id }))[0]!;
  const stored = (await api.get(`/cards/${root.id}`)).body;
  t.match(row, {
    id: root.id,
    type: 'Application',
    subtype: 'microservice',
    name: 'Root',
    description: '',
    parent_id: '',
    path: '',
    'lifecycle.plan': '2019-01-01',
    'lifecycle.phaseIn': '',
    'lifecycle.active': '2020-02-29',
    status: 'ACTIVE',
    approval_status: 'DRAFT',
    data_quality: String(stored['data_quality']),
    tags: '["Azure", "Blue \\"sky\\""]',
    created_at: stored['created_at'],
    updated_at: stored['updated_at'],
    version: String(stored.version),
    'attributes.costTotalAnnual': '918273',
    'attributes.businessCriticality': 'missionCritical',
    'attributes.numberOfUsers': '7',
    'attributes.timeModel': '',
  });
  t.equal((await csv({ ids: grandchild.id }))[0]!['path'], 'Root / Child');
  const all = Object.keys((await csv())[0]!);
  for (const field of ['attributes.isPersonalData', 'attributes.licenseType', 'attributes.website', ...fields])
    t.ok(all.includes(field), field);
  t.notOk(all.includes('attributes.headCount'), 'no Organization, no column of one');
});

t.test('CSV: no text starts a formula, numbers stay numbers, and an import has every text back', async (t) => {
  const rows = await csv({ type: 'DataObject' });
  t.equal(rows.length, HOSTILE.length);
  for (const [i, text] of HOSTILE.entries()) {
    const row = rows.find((r) => r['id'] === hostile[i]!.id)!;
    const stored = (await api.get(`/cards/${hostile[i]!.id}`)).body;
    for (const key of ['name', 'description', 'alias', 'external_id']) {
      t.notMatch(row[key], /^[=+@\t\r-]/, `${key} of ${JSON.stringify(text)}`);
      t.equal(unguardedCell(row[key]!), stored[key], `${key} of ${JSON.stringify(text)} is restored`);
    }
  }
  const [row] = await csv({ ids: numbers.id });
  t.match(row, {
    'attributes.costTotalAnnual': '-5.25',
    'attributes.version': `'-5`,
    'attributes.licenseType': `'=A1`,
    'attributes.hasAiFeatures': 'false',
  });
});

t.test('CSV: a byte order mark if it is requested', async (t) => {
  const bytes = async (bom: string) =>
    Buffer.from(
      await (
        await fetch(`${origin}/api/v1/cards/export?format=csv&bom=${bom}`, {
          headers: { authorization: `Bearer ${admin.token}` },
        })
      ).arrayBuffer(),
    );
  t.same((await bytes('true')).subarray(0, 5), Buffer.from('\uFEFFid'));
  t.same((await bytes('false')).subarray(0, 2), Buffer.from('id'));
});

t.test('NDJSON and JSON: each card as in a single GET of the same reader', async (t) => {
  for (const by of [admin, viewer]) {
    const found = await lines({ status: 'ACTIVE,ARCHIVED' }, by);
    t.equal(found.length, HOSTILE.length + 7);
    for (const card of found) t.same(card, (await by.api.get(`/cards/${card.id}`)).body, card.name);
    t.same(await cards({ status: 'ACTIVE,ARCHIVED' }, by), found);
  }
  t.same(
    ((await lines({ ids: root.id }))[0]!['tags'] as AnyBody[]).map((tag) => tag.name),
    ['Azure', 'Blue "sky"'],
  );
});

t.test('nothing found: a header, no line, an empty array', async (t) => {
  const query = { type: 'Organization' };
  t.match(await download({ format: 'csv', ...query }), /^id,type,.*attributes\.headCount,[^\n]*\n$/);
  t.equal(await download({ format: 'ndjson', ...query }), '');
  t.same(await cards(query), []);
  t.match(await download({ format: 'csv', search: 'nothingofthekind' }), /^id,type,[^\n]*,version\n$/);
});

t.test('costs: not for a viewer, except on cards where a role shows them', async (t) => {
  for (const format of ['csv', 'ndjson', 'json']) {
    const text = await download({ format }, viewer);
    for (const cost of COSTS) t.equal(text.includes(cost), cost === '546372', `${cost} in ${format}`);
    const everything = await download({ format });
    for (const cost of COSTS) t.ok(everything.includes(cost), `${cost} in ${format} for an administrator`);
  }
  t.same(
    (await csv({}, viewer)).filter((row) => row['attributes.costTotalAnnual'] !== '').map((row) => row['id']),
    [own.id],
  );
  t.same(
    (await cards({}, viewer))
      .filter((card) => 'costTotalAnnual' in (card['attributes'] as object))
      .map((card) => card.id),
    [own.id],
  );
});

t.test('cards of a type the role does not show are in no file', async (t) => {
  for (const by of [admin, blind]) {
    const [asCsv, asJson, asLines] = [await csv({}, by), await cards({}, by), await lines({}, by)];
    for (const found of [asCsv, asJson, asLines]) {
      t.equal(found.length, HOSTILE.length + (by === blind ? 5 : 6));
      t.equal(ids(found).includes(provider.id), by !== blind);
    }
    t.equal(Object.keys(asCsv[0]!).includes('attributes.website'), by !== blind, 'its columns are absent');
  }
  t.equal(await download({ format: 'ndjson', type: 'Provider' }, blind), '');
});

t.test('the filters are those of the list', async (t) => {
  const queries: Record<string, string>[] = [
    {},
    { type: 'Application' },
    { type: 'Application,Provider' },
    { subtype: 'microservice' },
    { status: 'ARCHIVED' },
    { status: 'ACTIVE,ARCHIVED' },
    { approval_status: 'DRAFT' },
    { approval_status: 'APPROVED,BROKEN' },
    { parent_id: 'null' },
    { parent_id: root.id },
    { parent_id: `${root.id},${child.id}` },
    { root_id: root.id },
    { tag: '01900000-0000-7000-8000-0000000000b1' },
    { stakeholder_id: 'me' },
    { stakeholder_id: viewer.user.id },
    { ids: `${root.id},${own.id}` },
    { updated_since: child['created_at'] as string },
    { search: 'grand child' },
    { search: 'x' },
    { search: '日本' },
    { search: `'); drop table cards; --` },
    { search: `\\` },
    ...HOSTILE.flatMap((text, i): Record<string, string>[] => [{ external_id: `${text} ${i}` }, { search: text }]),
    { 'attributes.businessCriticality': 'missionCritical' },
    { 'attributes.businessCriticality[ne]': 'missionCritical', type: 'Application' },
    { 'attributes.numberOfUsers[gte]': '7' },
    { 'attributes.numberOfUsers': '7,8' },
    { 'attributes.hasAiFeatures': 'false' },
    { 'attributes.licenseType[contains]': '=a1' },
    { 'attributes.licenseType': `x'); drop table cards; --` },
    { 'attributes.version': `\\,-5,'` },
    { 'attributes.productName[empty]': 'true', type: 'Application' },
    { 'attributes.costTotalAnnual[gt]': '0' },
    { 'attributes.costTotalAnnual[lt]': '600000' },
    { 'attributes.costTotalAnnual[empty]': 'false' },
    { 'attributes.costTotalAnnual[ne]': '5' },
    { 'attributes.costTotalAnnual': '918273,546372' },
    { subtype: `a'b,"c",{d},\\,NULL` },
    { external_id: HOSTILE.map((text, i) => `${text} ${i}`).join(',') },
  ];
  for (const query of queries) {
    for (const by of [admin, viewer]) {
      const list = await by.api.get('/cards', { query: { ...query, page_size: 200 } });
      t.equal(list.status, 200, JSON.stringify(query));
      for (const format of ['csv', 'ndjson'] as const)
        t.same(
          ids(format === 'csv' ? await csv(query, by) : await lines(query, by)),
          ids(list.body.items),
          `${format} ${JSON.stringify(query)}`,
        );
    }
  }
});

t.test('the export refuses the same parameters as the list, before anything is sent', async (t) => {
  const refused: Record<string, string>[] = [
    { format: 'ods' },
    { format: 'pdf' },
    { format: '' },
    { bogus: '1' },
    { bom: 'yes' },
    { type: 'Nope' },
    { status: 'LOST' },
    { ids: 'x' },
    { updated_since: 'yesterday' },
    { page: '1' },
    { sort_by: 'name' },
    { fields: 'name' },
    { cursor: 'x' },
    { total: 'exact' },
    { 'attributes.nope': '1' },
    { 'attributes.numberOfUsers[gt]': 'x' },
    { 'attributes.numberOfUsers[or]': '1' },
  ];
  for (const query of refused) {
    const { status, body } = await api.get('/cards/export', { query });
    t.match({ status, code: body.code }, { status: 422, code: 'validation_failed' }, JSON.stringify(query));
  }
  // More refused requests than connections and places, so that they must release both.
  for (let i = 0; i < 25; i++) {
    const query = { updated_since: '0000-01-01T00:00:00Z' };
    t.equal(
      (await api.get('/cards/export', { query })).status,
      (await api.get('/cards', { query })).status,
      'a time PostgreSQL does not know',
    );
  }
  t.equal((await api.get('/cards/export', { query: { format: 'ndjson' } })).status, 200);
});

t.test('compressed if the client accepts it', async (t) => {
  const answer = await fetch(`${origin}/api/v1/cards/export?format=json`, {
    headers: { authorization: `Bearer ${admin.token}`, 'accept-encoding': 'gzip' },
  });
  t.equal(answer.headers.get('content-encoding'), 'gzip');
  t.equal(((await answer.json()) as unknown[]).length, (await cards()).length);
});
