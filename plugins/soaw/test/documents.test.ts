import t from 'tap';
import {
  expectStatus,
  makeUser,
  registerAdmin,
  sql,
  testApp,
  until,
  type Answer,
  type AnyBody,
  type Session,
} from '../../../test/support/app.js';
import { HOSTILE } from './hostile.js';
import { FAULTS, wrongSections } from './wrong-sections.js';

interface Section {
  key: string;
  title: string;
  text: string;
  entries: Record<string, string>[];
  tables: { id: string; filter?: Record<string, string> }[];
  guidance: string;
}
interface Soaw {
  id: string;
  number: string;
  title: string;
  status: string;
  template_id: string | null;
  sections: Section[];
  cards: { card_id: string; role: string }[];
  version: number;
}
interface List {
  items: Soaw[];
  total: number;
}

const { origin, database, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const [viewer, member, architect, other] = await Promise.all(
  ['viewer', 'member', 'architect', 'member'].map((role) => makeUser(admin, role)),
);
const [reader, writer, lead, colleague] = [viewer!, member!, architect!, other!];
const card = async (type: string, name: string, more = {}) =>
  expectStatus(await admin.api.post('/cards', { type, name, ...more }), 201, name).body.id;
const project = await card('Initiative', 'Leave the cellar');
const hidden = await card('ITComponent', 'Secret Server');
const NOWHERE = '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b';

const create = async (body: object, by = writer) =>
  expectStatus(await by.api.post<Soaw>('/soaw', body), 201, 'a document').body;
const read = async (id: string, by = reader) => (await by.api.get<Soaw>(`/soaw/${id}`)).body;
const fields = ({ body }: Answer) => body.errors.map((error) => error.field).sort();

t.test('a document begins with the sections of TOGAF', async (t) => {
  const made = await create({ title: '  Leave the cellar ' });
  t.match(made, { number: 'SOAW-0001', title: 'Leave the cellar', status: 'draft', version: 1, template_id: null });
  t.strictSame(
    made.sections.map(({ key }) => key),
    'request_and_background description_and_scope overview change_of_scope_procedures managers_and_stakeholders deliverables acceptance_criteria plan risks_and_mitigations approvals'.split(
      ' ',
    ),
  );
  t.ok(made.sections.every(({ guidance, text }) => guidance !== '' && text === ''));
  const builtIn = await reader.api.get<{ sections: Section[] }>('/soaw/templates/built-in');
  t.strictSame(builtIn.body.sections, made.sections);
  t.equal((await writer.api.patch(`/soaw/${made.id}`, { title: 'Leave the cellar' })).body.version, 1, 'no change');
  const section = { title: 'Deliverables', entries: [{ deliverable: 'Target', due_date: '2026-09-30' }] };
  const set = await writer.api.put<Soaw>(`/soaw/${made.id}/sections/deliverables`, section, {
    headers: { 'if-match': '"1"' },
  });
  t.match(set, { status: 200, body: { version: 2 } });
  t.match((await read(made.id)).sections[5], { key: 'deliverables', ...section, text: '' });
  t.match(await writer.api.put(`/soaw/${made.id}/sections/x`, { title: 'X' }, { headers: { 'if-match': '"1"' } }), {
    status: 412,
    body: { current_version: 2 },
  });
  t.match(await writer.api.put(`/soaw/${made.id}/sections/more`, { title: 'More' }), { status: 200 });
  t.equal((await read(made.id)).sections.at(-1)!.key, 'more', 'an own section is added at the end');
  t.match((await reader.api.get<List>('/soaw', { query: { search: 'target soaw-0001' } })).body, { total: 1 });
  t.match((await reader.api.get<List>('/soaw', { query: { search: 'nowhere' } })).body, { total: 0 });
  const { body: list } = await reader.api.get<{ items: object[] }>('/soaw');
  t.ok(list.items.length > 0 && list.items.every((one) => !('sections' in one)), 'lists have no sections');
  const filled = (key: string) => ({ key, title: key, text: '€'.repeat(50_000) });
  const most = await writer.api.post<Soaw>('/soaw', { title: 'Long', sections: ['a', 'b'].map(filled) });
  t.equal(most.status, 201);
  t.match((await reader.api.get(`/soaw/${made.id}/history`)).body, { total: 3 });
});

t.test('everything that is wrong is named at once, and nothing is stored', async (t) => {
  const table = (more: object) => ({ id: 'a', kind: 'cards', title: 'A', ...more });
  const [{ n }] = (await sql<{ n: number }>(database, 'select count(*)::int as n from soaw_documents')) as [
    { n: number },
  ];
  const answer = await writer.api.post('/soaw', {
    title: 'Wrong',
    sections: wrongSections(writer.user.id),
  });
  t.equal(answer.status, 422);
  t.strictSame(fields(answer), [...FAULTS].sort());
  const bounds = await writer.api.post('/soaw', {
    title: ' ',
    sections: [
      { key: 'A b', title: '', text: 'x'.repeat(50_001), tables: [table({ id: '1', kind: 'all', limit: 501 })] },
    ],
    cards: [{ card_id: project, role: 'boss' }],
    more: 1,
  });
  t.match(bounds, { status: 422 });
  t.ok(fields(bounds).length >= 8, fields(bounds).join());
  const many = (count: number) => Array.from({ length: count }, (_, i) => table({ id: `t${i}` }));
  const tables = await writer.api.post('/soaw', {
    title: 'Many',
    sections: [
      { key: 'a', title: 'A', tables: many(20) },
      { key: 'b', title: 'B', tables: [table({ id: 'z' })] },
    ],
  });
  t.match(tables, { status: 422, body: { errors: [{ field: '/sections', reason: /more than 20/ }] } });
  t.equal((await sql<{ n: number }>(database, 'select count(*)::int as n from soaw_documents'))[0]!.n, n);
  const { id } = await create({ title: 'Right', sections: [{ key: 'a', title: 'A', tables: many(2) }] });
  t.match(await writer.api.put(`/soaw/${id}/sections/b`, { title: 'B', tables: [table({ id: 't1' })] }), {
    status: 422,
    body: { errors: [{ field: '/tables/0/id' }] },
  });
  t.match(await writer.api.put(`/soaw/${id}/sections/b`, { title: 'B', tables: [table({ filter: { no: 'x' } })] }), {
    status: 422,
    body: { errors: [{ field: '/tables/0/filter/no' }] },
  });
  t.equal((await read(id)).version, 1);
});

t.test('templates of the workspace', async (t) => {
  const sections = [
    {
      key: 'own',
      title: 'Own',
      guidance: 'Write it down.',
      text: 'Initial.',
      tables: [{ id: 'a', kind: 'cards', title: 'A' }],
    },
    { key: 'approvals', title: 'Approval' },
  ];
  t.equal((await reader.api.post('/soaw/templates/own', { name: 'Cloud', sections })).status, 403);
  t.match(await writer.api.post('/soaw/templates/own', { name: 'Cloud', sections: [...sections, sections[0]] }), {
    status: 422,
    body: { errors: [{ field: '/sections/2/key' }, { field: '/sections/2/tables/0/id' }] },
  });
  const template = expectStatus(
    await writer.api.post('/soaw/templates/own', { name: 'Cloud', sections }),
    201,
    'x',
  ).body;
  t.match(await writer.api.post('/soaw/templates/own', { name: 'CLOUD', sections }), { status: 409 });
  const made = await create({ title: 'By template', template_id: template.id });
  t.match(made.sections, sections);
  t.match(await writer.api.post('/soaw', { title: 'x', template_id: NOWHERE }), {
    status: 422,
    body: { errors: [{ field: '/template_id' }] },
  });
  t.match((await reader.api.get<List>('/soaw', { query: { template_id: template.id } })).body, { total: 1 });
  const all = await reader.api.get<{ items: AnyBody[] }>('/soaw/templates');
  t.strictSame(
    all.body.items.map(({ sections: own, ...item }) => [item, (own as unknown[])[0]]),
    [
      [
        { key: template.id, id: template.id, is_built_in: false, name: 'Cloud', description: null },
        { key: 'own', title: 'Own' },
      ],
      [
        {
          key: 'togaf',
          id: null,
          is_built_in: true,
          name: 'TOGAF statement of architecture work',
          description: 'The sections of TOGAF, in their order.',
        },
        { key: 'request_and_background', title: 'Architecture project request and background' },
      ],
    ],
    'built-in ones and those of the workspace in one list',
  );
  for (const [query, found] of [
    [{ search: 'togaf' }, ['togaf']],
    [{ is_built_in: 'false' }, [template.id]],
    [{ sort_dir: 'desc', page_size: '1' }, ['togaf']],
  ] as const)
    t.strictSame(
      (await reader.api.get<{ items: { key: string }[] }>('/soaw/templates', { query })).body.items.map(
        ({ key }) => key,
      ),
      found,
      JSON.stringify(query),
    );
  expectStatus(await writer.api.patch(`/soaw/templates/own/${template.id}`, { description: 'Changed' }), 200, 'x');
  t.match((await read(made.id)).sections, sections, 'a document does not change with its template');
  t.equal((await writer.api.del(`/soaw/templates/own/${template.id}`)).status, 204);
  t.match(await read(made.id), { template_id: null, version: 1 });
});

t.test('comments', async (t) => {
  const { id } = await create({ title: 'Commented', sections: [{ key: 'overview', title: 'Overview' }] });
  const at = `/soaw/${id}/comments`;
  t.match(await reader.api.post(at, { section: 'plan', text: 'x' }), {
    status: 422,
    body: { errors: [{ field: '/section' }] },
  });
  const first = expectStatus(await reader.api.post(at, { section: 'overview', text: 'Too short.' }), 201, 'x').body;
  t.match(first, { document_id: id, section: 'overview', resolved: false, created_by: reader.user.id });
  expectStatus(await colleague.api.post(at, { section: 'overview', text: 'I agree.' }), 201, 'x');
  expectStatus(await colleague.api.post(at, { text: 'About all of it.' }), 201, 'x');
  const notices = async (by: Session) =>
    (await by.api.get<{ items: { kind: string; count: number }[] }>('/notifications')).body.items.filter(
      ({ kind }) => kind === 'soaw.comment_added',
    );
  t.match(await until(async () => (await notices(writer))[0]?.count === 3 && (await notices(writer))), [{ count: 3 }]);
  t.match(await until(async () => (await notices(reader)).length > 0 && (await notices(reader))), [{ count: 1 }]);
  t.strictSame(await notices(colleague), [], 'not about own comments');
  t.equal((await reader.api.patch(`${at}/${first.id}`, { text: 'Much too short.' })).status, 200, 'the author');
  const own = (await colleague.api.get<{ items: { id: string; section: string | null }[] }>(at)).body.items.filter(
    ({ section }) => section === null,
  );
  t.match(own, [{ text: 'About all of it.' }]);
  t.match(await reader.api.patch(`${at}/${own[0]!.id}`, { resolved: true }), { status: 403 }, 'not the author');
  t.equal((await reader.api.del(`${at}/${own[0]!.id}`)).status, 403);
  t.equal((await lead.api.patch(`${at}/${own[0]!.id}`, { resolved: true })).status, 200, 'who manages documents');
  t.match((await reader.api.get(at, { query: { resolved: true } })).body, { total: 1 });
  t.equal((await reader.api.get(`/soaw/${NOWHERE}/comments`)).status, 404);
  const elsewhere = await create({ title: 'Elsewhere' });
  t.equal((await reader.api.get(`/soaw/${elsewhere.id}/comments/${first.id}`)).status, 404);
  expectStatus(await writer.api.post(`/soaw/${id}/request-signatures`, { user_ids: [lead.user.id] }), 200, 'x');
  t.equal((await lead.api.post(at, { text: 'In review.' })).status, 201);
  expectStatus(await lead.api.post(`/soaw/${id}/sign`), 200, 'x');
  t.match(await lead.api.post(at, { text: 'Too late.' }), { status: 409, body: { document_status: 'signed' } });
  t.match(await lead.api.del(`/soaw/${id}`), { status: 409 });
});

t.test('cards hidden from the reader, and stakeholder roles on cards', async (t) => {
  const permissions = ['cards.view', 'relations.view', 'soaw.view', 'soaw.manage', 'costs.view'];
  const types = { ITComponent: { 'cards.view': false } };
  expectStatus(await admin.api.post('/roles', { key: 'narrow', label: 'Narrow', permissions, types }), 201, 'x');
  const narrow = await makeUser(admin, 'narrow');
  const table = { id: 'a', kind: 'cards', title: 'A', filter: { related_to: `${hidden},${project}` } };
  const made = await create({
    title: 'Linked',
    sections: [{ key: 'a', title: 'A', tables: [table] }],
    cards: [
      { card_id: project, role: 'initiative' },
      { card_id: hidden, role: 'affected' },
    ],
  });
  const seen = await read(made.id, narrow);
  t.match(seen.cards, [{ card_id: project, role: 'initiative', card: { name: 'Leave the cellar' } }]);
  t.equal(seen.cards.length, 1);
  t.notMatch(JSON.stringify(seen), hidden);
  t.match(seen.sections[0]!.tables[0]!.filter!['related_to'], project);
  t.notMatch(JSON.stringify((await narrow.api.get(`/soaw/${made.id}/history`)).body), hidden);
  t.notMatch(JSON.stringify((await narrow.api.get('/soaw')).body), hidden);
  t.equal((await narrow.api.get<List>('/soaw', { query: { card_id: hidden } })).body.total, 0);
  t.equal((await narrow.api.get(`/cards/${hidden}/soaws`)).status, 404);
  t.equal((await reader.api.get<List>(`/cards/${hidden}/soaws`)).body.total, 1);
  t.equal((await reader.api.get<List>(`/cards/${project}/soaws`, { query: { card_role: 'affected' } })).body.total, 0);
  expectStatus(await narrow.api.patch(`/soaw/${made.id}`, { cards: [] }), 200, 'unlinking what is seen');
  t.match((await read(made.id)).cards, [{ card_id: hidden }], 'the others are kept');
  t.match(await narrow.api.patch(`/soaw/${made.id}`, { cards: [{ card_id: hidden, role: 'affected' }] }), {
    status: 422,
  });

  const key = 'soaw_writer';
  const roles = `/metamodel/types/Initiative/stakeholder-roles`;
  expectStatus(await admin.api.post(roles, { key, label: 'Writer', permissions: ['card.soaw_manage'] }), 201, 'a role');
  const owner = await makeUser(admin, 'viewer');
  expectStatus(
    await admin.api.post(`/cards/${project}/stakeholders`, { user_id: owner.user.id, role: key }),
    201,
    'a stakeholder',
  );
  t.equal((await owner.api.post('/soaw', { title: 'No card' })).status, 403);
  const own = await create({ title: 'Own', cards: [{ card_id: project, role: 'initiative' }] }, owner);
  t.equal((await owner.api.patch(`/soaw/${own.id}`, { title: 'Renamed' })).status, 200);
  t.equal((await owner.api.put(`/soaw/${own.id}/sections/x`, { title: 'X' })).status, 200);
  t.equal((await owner.api.patch(`/soaw/${made.id}`, { title: 'Renamed' })).status, 403, 'of another card');
  t.equal((await owner.api.post(`/soaw/${made.id}/request-signatures`, { user_ids: [lead.user.id] })).status, 403);
  t.equal((await owner.api.post(`/soaw/${own.id}/request-signatures`, { user_ids: [lead.user.id] })).status, 200);
  t.equal((await owner.api.post(`/soaw/${own.id}/recall`)).status, 200);
  t.equal((await lead.api.del(`/soaw/${own.id}`)).status, 204);
  t.equal((await writer.api.del(`/soaw/${made.id}`)).status, 403);
});

t.test('gaps: ends without a successor, and relations that the metamodel requires', async (t) => {
  const ended = { active: '2015-01-01', endOfLife: '2020-12-31' };
  const [old, , fresh] = [
    await card('Application', 'Gap old', { lifecycle: ended }),
    await card('Application', 'Gap lone', { lifecycle: ended }),
    await card('Application', 'Gap fresh', { lifecycle: { active: '2020-01-01', phaseOut: '2029-01-01' } }),
  ];
  const relate = async (type: string, source_id: string, target_id: string) =>
    expectStatus(await admin.api.post('/relations', { type, source_id, target_id }), 201, type);
  await relate('applicationSuccessor', fresh, old);
  const tables = [
    { id: 'now', kind: 'gaps', title: 'Now', filter: { search: 'Gap' } },
    { id: 'later', kind: 'gaps', title: 'Later', filter: { search: 'Gap' }, target_date: '2029-01-01' },
  ];
  const { id } = await create({ title: 'Gaps', sections: [{ key: 'a', title: 'A', tables }] });
  const gaps = async () =>
    (await reader.api.get<{ tables: { rows: { cells: unknown[] }[] }[] }>(`/soaw/${id}/tables`)).body.tables.map(
      ({ rows }) => rows.map(({ cells }) => [cells[0], cells[2], cells[4]]),
    );
  const [END, OUT, LACK] = [
    'End of life without a successor',
    'Phased out before the target date',
    'Required relation is missing',
  ];
  t.strictSame(await gaps(), [
    [['Gap lone', END, null]],
    [
      ['Gap fresh', OUT, null],
      ['Gap lone', END, null],
    ],
  ]);
  const type = 'applicationToBusinessCapability';
  const required = await admin.api.patch(`/metamodel/relation-types/${type}`, { source_mandatory: true });
  expectStatus(required, 200, 'a required relation');
  await relate(type, fresh, await card('BusinessCapability', 'Selling'));
  const [now] = await until(async () => {
    const found = await gaps();
    return found[0]!.length === 3 && found;
  });
  t.strictSame(
    now!.map(([name, gap]) => [name, gap]),
    [
      ['Gap lone', END],
      ['Gap lone', LACK],
      ['Gap old', LACK],
    ],
  );
  t.type(now![1]![2], 'string', 'with the label of the relation');
});

t.test('hostile texts stay texts', async (t) => {
  for (const [i, text] of HOSTILE.entries()) {
    const line = text.replace(/\p{Cc}/gu, ' ');
    const made = await create({
      title: line,
      sections: [
        { key: 'plan', title: line, text, entries: [{ work_item: line, owner: line, effort: line }] },
        { key: 'constructor', title: line, text, tables: [{ id: 'constructor', kind: 'roadmap', title: line }] },
      ],
    });
    t.equal((await read(made.id)).sections[0]!.text, text, text);
    const html = (await reader.api.get<string>(`/soaw/${made.id}.html`)).body;
    t.notMatch(html, /<script|<img|<iframe|<svg|<[a-z]+ [^>]*\son\w+=|javascript:alert\(1\)["']|<style>\*/i, text);
    for (const kind of ['md', 'docx'])
      t.equal((await reader.api.get<AnyBody>(`/soaw/${made.id}.${kind}`)).status, 200, `${kind} ${i}`);
    t.equal((await reader.api.get(`/soaw/${made.id}/tables`)).status, 200);
    t.equal((await reader.api.get('/soaw', { query: { search: line.slice(0, 200) } })).status, 200);
  }
  t.match(
    await writer.api.post('/soaw', {
      title: 'x',
      sections: [{ key: 'constructor', title: 'x', entries: [{ role: 'x' }] }],
    }),
    {
      status: 422,
    },
  );
  t.equal(
    (await writer.api.post('/soaw', { title: 'x', sections: [{ key: 'a', title: 'x', text: '\u0000' }] })).status,
    422,
  );
});

t.test('the contract of HTTP', async (t) => {
  const headers = { 'idempotency-key': 'soaw-once' };
  const [one, two] = [
    await writer.api.post<Soaw>('/soaw', { title: 'Once' }, { headers }),
    await writer.api.post<Soaw>('/soaw', { title: 'Once' }, { headers }),
  ];
  t.equal(one.body.id, two.body.id);
  const page = await reader.api.get<List & { next_cursor: string }>('/soaw', {
    query: { page_size: 2, sort_by: 'number' },
  });
  t.equal(page.body.items.length, 2);
  t.not(
    (await reader.api.get<List>('/soaw', { query: { cursor: page.body.next_cursor } })).body.items[0]!.id,
    page.body.items[0]!.id,
  );
  t.equal((await reader.api.get('/soaw', { query: { sort_by: 'words' } })).status, 422);
  t.equal((await reader.api.get('/soaw/x')).status, 404);
  t.equal((await reader.api.get(`/soaw/${one.body.id}/diff`)).status, 422);
  t.match(await reader.api.get(`/soaw/${one.body.id}/diff`, { query: { with: NOWHERE } }), {
    status: 422,
    body: { errors: [{ field: 'with', in: 'query' }] },
  });
  for (const path of ['', '/tables', '/diff?with=' + one.body.id, '.md', '.docx', '.html', '/revisions'])
    t.equal((await reader.api.get(`/soaw/${NOWHERE}${path}`)).status, 404, path);
  const { headers: sent, status } = await reader.api.get(`/soaw/${one.body.id}/tables`);
  t.equal(status, 200);
  t.equal(
    (await reader.api.get(`/soaw/${one.body.id}/tables`, { headers: { 'if-none-match': sent.get('etag')! } })).status,
    304,
  );
});
