/** Diagrams, their versions and groups. */
import t from 'tap';
import { makeUser, registerAdmin, sql, testApp, type AnyBody, type Session } from '../../../test/support/app.js';
import { drawing, shapeIn } from './drawings.js';

interface Diagram {
  id: string;
  name: string;
  version: number;
  content_version: number;
  card_count: number;
  is_favourite: boolean;
  cards: { card: { id: string; name: string }; is_linked: boolean; shapes: number }[];
}
interface Page<T> {
  items: T[];
  total: number;
}

const { origin, database, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const [viewer, member] = await Promise.all([makeUser(admin, 'viewer'), makeUser(admin, 'member')]);
const card = async (name: string, type = 'Application') => (await admin.api.post('/cards', { type, name })).body.id;
const [shop, ledger] = [await card('Shop'), await card('Ledger')];
const NOWHERE = '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b';

const create = async (body: object, by: Session = member) => {
  const answer = await by.api.post<Diagram>('/diagrams', body);
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body;
};
const names = async (query: Record<string, string | number | boolean>, by: Session = viewer) =>
  (await by.api.get<Page<Diagram>>('/diagrams', { query })).body.items.map(({ name }) => name);
const fields = (body: AnyBody) => body.errors.map(({ field }) => field).sort();
const file = async (id: string, by: Session = viewer) => (await by.api.get<string>(`/diagrams/${id}.drawio`)).body;
const form = (...contents: [name: string, content: string][]) => {
  const data = new FormData();
  for (const [name, content] of contents) data.append('files', new Blob([content]), name);
  return data;
};
const upload = (
  method: string,
  path: string,
  body: FormData,
  by: Session = member,
  headers: Record<string, string> = {},
) => fetch(`${origin}/api/v1${path}`, { method, body, headers: { authorization: `Bearer ${by.token}`, ...headers } });

t.test('a diagram is created, read, changed and deleted', async (t) => {
  const created = await member.api.post<Diagram>('/diagrams', {
    name: ' Landscape ',
    description: 'All of it.',
    card_ids: [ledger],
    content: drawing([
      { id: 'a', label: 'Shop', card: shop },
      { id: 'b', label: 'Shop', card: shop },
    ]),
  });
  t.match(created, {
    status: 201,
    body: {
      name: 'Landscape',
      version: 1,
      content_version: 1,
      card_count: 2,
      cell_count: 2,
      page_count: 1,
      created_by: member.user.id,
    },
  });
  t.strictSame(
    created.body.cards.map(({ card, is_linked, shapes }) => [card.name, is_linked, shapes]),
    [
      ['Ledger', true, 0],
      ['Shop', false, 2],
    ],
  );
  const path = `/diagrams/${created.body.id}`;
  t.equal(created.headers.get('location'), `/api/v1${path}`);
  const etag = created.headers.get('etag')!;
  t.match(etag, /^"1\.[\w-]{10}"$/);
  t.strictSame((await viewer.api.get(path)).body, created.body);
  t.equal((await viewer.api.get(path, { headers: { 'if-none-match': etag } })).status, 304);
  const changed = await member.api.patch<Diagram>(
    path,
    { description: null, card_ids: [] },
    { headers: { 'if-match': etag } },
  );
  t.match(changed, { status: 200, body: { description: null, version: 2, content_version: 1, card_count: 1 } });
  t.match((await member.api.patch(path, { name: 'Landscape' })).body, { version: 2 }, 'nothing changed');
  t.match((await member.api.patch(path, {})).body, { version: 2 }, 'an empty patch changes nothing');
  t.match(await member.api.patch(path, { name: 'Other' }, { headers: { 'if-match': '"1"' } }), {
    status: 412,
    body: { current_version: 2, changed_fields: ['name'] },
  });
  t.equal((await member.api.del(path, { headers: { 'if-match': '"1"' } })).status, 412);
  t.equal((await member.api.del(path, { headers: { 'if-match': '"2"' } })).status, 204);
  for (const answer of [
    await member.api.get(path),
    await member.api.get(`${path}.drawio`),
    await member.api.get(`${path}/versions`),
    await member.api.get(`${path}/history`),
    await member.api.get(`${path}/cards`),
    await member.api.patch(path, { name: 'x' }),
    await member.api.del(path),
    await member.api.put(`${path}/favourite`, undefined),
    await member.api.get('/diagrams/1'),
  ])
    t.equal(answer.status, 404);
  t.strictSame(await sql(database, `select 1 from diagrams_versions where diagram_id = $1`, [created.body.id]), []);
  const events = (await admin.api.get('/events', { query: { type: 'diagrams.' } })).body.items;
  t.strictSame(
    events.map(({ type }) => type),
    ['diagrams.deleted', 'diagrams.updated', 'diagrams.created'],
  );
});

t.test('content is a new version; a version can be read and restored', async (t) => {
  const { id } = await create({ name: 'Versioned', content: drawing([{ id: 'a', label: 'One' }]) });
  const path = `/diagrams/${id}`;
  const two = drawing([{ id: 'a', label: 'Two', card: ledger }], [{ id: 'x', label: 'Second page' }]);
  t.match((await member.api.patch(path, { content: two }, { headers: { 'if-match': '"1"' } })).body, {
    version: 2,
    content_version: 2,
    page_count: 2,
    card_count: 1,
  });
  t.match((await member.api.patch(path, { content: two })).body, { version: 2, content_version: 2 }, 'equal content');
  const put = await upload(
    'PUT',
    `${path}.drawio`,
    form(['a.drawio', drawing([{ id: 'a', label: 'Three' }])]),
    member,
    {
      'if-match': '"2"',
    },
  );
  t.match(await put.json(), { version: 3, content_version: 3, card_count: 0 });
  t.equal((await upload('PUT', `${path}.drawio`, form(['a', drawing([])]), member, { 'if-match': '"2"' })).status, 412);
  const versions = await viewer.api.get(`${path}/versions`);
  t.match(versions.body, {
    total: 3,
    items: [{ number: 3 }, { number: 2, page_count: 2 }, { number: 1, created_by: member.user.id }],
  });
  t.match((await viewer.api.get(`${path}/versions/2`)).body, { number: 2, pages: [{ shapes: 1 }, { name: 'Page 2' }] });
  t.equal((await viewer.api.get(`${path}/versions/4`)).status, 404);
  t.equal((await viewer.api.get(`${path}/versions/x`)).status, 404);
  t.equal(shapeIn((await viewer.api.get<string>(`${path}/versions/1.drawio`)).body, 'a')?.text, 'One');
  const answer = await viewer.api.get<string>(`${path}/versions/2.drawio`);
  t.match([...answer.headers], [['content-type', 'application/vnd.jgraph.mxfile']].slice(1));
  t.match(answer.headers.get('content-disposition'), /^attachment; filename\*=UTF-8''Versioned\.drawio$/);
  t.equal(
    (await viewer.api.get(`${path}/versions/2.drawio`, { headers: { 'if-none-match': answer.headers.get('etag')! } }))
      .status,
    304,
  );
  t.match(await member.api.post(`${path}/versions/2/restore`, undefined, { headers: { 'if-match': '"2"' } }), {
    status: 412,
  });
  t.match((await member.api.post(`${path}/versions/2/restore`)).body, {
    version: 4,
    content_version: 4,
    card_count: 1,
  });
  t.match((await viewer.api.get(`${path}/versions/4`)).body, { restored_from: 2 });
  t.equal(shapeIn(await file(id), 'a')?.text, 'Two');
  t.equal((await member.api.post(`${path}/versions/9/restore`)).status, 404);
  t.match((await viewer.api.get(`${path}/history`)).body.items[0], {
    type: 'diagrams.updated',
    version: 4,
    changes: [{ field: 'content_version', old: 3, new: 4 }],
  });
  const compressed = (await viewer.api.get<string>(`${path}.drawio`, { query: { compressed: true } })).body;
  t.notMatch(compressed, /mxCell/);
  t.equal(shapeIn(compressed, 'a')?.text, 'Two');
});

t.test('pages are drawn as SVG and PNG', async (t) => {
  const { id } = await create({
    name: 'Drawn',
    content: drawing(
      [{ id: 'a', label: 'First' }],
      [{ id: 'b', label: 'Second', style: 'shape=mxgraph.nothing.known;' }],
    ),
  });
  const get = (path: string, query = {}, headers = {}) =>
    viewer.api.get<string>(`/diagrams/${id}${path}`, { query, headers });
  const svg = await get('.svg');
  t.match(svg.body, /^<svg[^>]*>[\s\S]*First/);
  t.match(svg.headers.get('content-type'), 'image/svg+xml');
  t.match(svg.headers.get('content-security-policy'), /default-src 'none'.*sandbox/);
  t.equal((await get('.svg', {}, { 'if-none-match': svg.headers.get('etag')! })).status, 304);
  t.match((await get('.svg', { page: 2, theme: 'dark', width: 300 })).body, /<svg[^>]* width="300"[\s\S]*Second/);
  t.match((await get('/versions/1.svg')).body, /First/);
  const png = await fetch(`${origin}/api/v1/diagrams/${id}.png?width=200`, {
    headers: { authorization: `Bearer ${viewer.token}` },
  });
  t.strictSame([...new Uint8Array(await png.arrayBuffer()).slice(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
  t.match((await get('/drawing', { page: 2 })).body, { page: 2, name: 'Page 2', not_drawable: [{ cell_id: 'b' }] });
  t.match(await get('.svg', { page: 3 }), { status: 422, body: { errors: [{ field: 'page', in: 'query' }] } });
  t.match(await get('.png', { width: 9 }), { status: 422 });
});

t.test('of two writers with one version, one is refused; of 100 parallel ones, too', async (t) => {
  const { id } = await create({ name: 'Contested' });
  const save = (i: number, headers: Record<string, string>) =>
    member.api.patch(`/diagrams/${id}`, { content: drawing([{ id: 'a', label: `By ${i}` }]) }, { headers });
  const answers = await Promise.all(Array.from({ length: 100 }, (_, i) => save(i, { 'if-match': '"1"' })));
  t.strictSame(
    [200, 412].map((status) => answers.filter((answer) => answer.status === status).length),
    [1, 99],
  );
  const free = await Promise.all(Array.from({ length: 9 }, (_, i) => save(i + 100, {})));
  t.ok(
    free.every(({ status }) => status === 200),
    'without a version each is stored',
  );
  t.match((await viewer.api.get(`/diagrams/${id}`)).body, { version: 11, content_version: 11 });
  t.equal((await viewer.api.get(`/diagrams/${id}/versions`)).body.total, 11);
  const key = { 'idempotency-key': 'once' };
  const [first, second] = [
    await save(900, { ...key, 'if-match': '"11"' }),
    await save(900, { ...key, 'if-match': '"11"' }),
  ];
  t.strictSame([first.status, second.status, second.headers.get('idempotent-replayed')], [200, 200, 'true']);
});

t.test('files that cannot be stored are refused, and what is dangerous is removed', async (t) => {
  const refused = async (content: string, reason: string) =>
    t.match(
      await member.api.post('/diagrams', { name: 'x', content }),
      { status: 422, body: { code: 'diagrams_file_refused', reason } },
      reason,
    );
  await refused('<mxfile><diagram>', 'not_well_formed');
  await refused('<!DOCTYPE a [<!ENTITY x "y">]><mxfile/>', 'doctype');
  await refused('<svg xmlns="http://www.w3.org/2000/svg"/>', 'not_drawio');
  await refused('<mxfile><diagram>garbage</diagram></mxfile>', 'not_compressed');
  const { id } = await create({
    name: 'Disarmed',
    content: drawing([
      { id: 'a', label: '<img src=x onerror=alert(1)>Hello<script>alert(1)</script>' },
      { id: 'b', label: 'b', more: { link: 'javascript:alert(1)' } },
    ]),
  });
  const xml = await file(id);
  t.notMatch(xml, /onerror|script/i);
  t.equal(shapeIn(xml, 'a')?.text, 'Hello');
  const { body: version } = await viewer.api.get(`/diagrams/${id}/versions/1`);
  t.ok((version['removed_count'] as number) >= 3, JSON.stringify(version['removed']));
  t.ok((version['removed'] as { cell_id: string }[]).some(({ cell_id }) => cell_id === 'b'));
  for (const name of ['Robert"); drop table diagrams_diagrams;--', '../../etc/passwd', '<script>', '𝓤𝓷𝓲', 'a\u202eb']) {
    const { id: hostile } = await create({ name, description: name });
    const answer = await viewer.api.get<string>(`/diagrams/${hostile}.drawio`);
    t.equal(answer.status, 200, name);
    t.notMatch(answer.headers.get('content-disposition'), /[\r\n"/]|\.\.\//);
  }
});

t.test('the oldest versions are deleted where the setting says how many are kept', async (t) => {
  const { id } = await create({ name: 'Kept', content: drawing([{ id: 'a', label: 'Version 1' }]) });
  const other = await create({ name: 'Not changed', content: drawing([]) });
  const save = async (n: number) =>
    t.equal(
      (await member.api.patch(`/diagrams/${id}`, { content: drawing([{ id: 'a', label: `Version ${n}` }]) })).status,
      200,
    );
  const numbers = async (of = id) =>
    (await viewer.api.get<Page<{ number: number }>>(`/diagrams/${of}/versions`)).body.items.map(({ number }) => number);
  const keep = (keep_versions: number) =>
    admin.api.patch('/settings/modules/diagrams', { settings: { keep_versions } });
  for (const n of [2, 3, 4]) await save(n);
  t.strictSame(await numbers(), [4, 3, 2, 1], 'all, by default');
  t.equal((await keep(-1)).status, 422);
  t.equal((await keep(2)).status, 200);
  t.strictSame(await numbers(), [4, 3, 2, 1], 'a setting alone deletes nothing');
  t.equal((await member.api.patch(`/diagrams/${id}`, { name: 'Kept too' })).status, 200);
  t.strictSame(await numbers(), [4, 3, 2, 1], 'nor does a change without content');
  await save(5);
  t.strictSame(await numbers(), [5, 4]);
  t.equal((await viewer.api.get(`/diagrams/${id}/versions/3.drawio`)).status, 404);
  t.match(await viewer.api.get(`/diagrams/${id}/diff?with=3`), { status: 422, body: { errors: [{ field: 'with' }] } });
  t.match((await viewer.api.post(`/diagrams/${id}/versions/4/restore`)).status, 403);
  t.equal((await member.api.post(`/diagrams/${id}/versions/4/restore`)).status, 200);
  t.strictSame(await numbers(), [6, 5]);
  t.match(await file(id), /Version 4/);
  t.equal((await member.api.post(`/diagrams/${id}/versions/4/restore`)).status, 404, 'deleted by its own restoration');
  await keep(1);
  await save(7);
  t.strictSame(await numbers(), [7], 'never the current one');
  t.match(await file(id), /Version 7/);
  t.strictSame(await numbers(other.id), [1]);
  const told = (await admin.api.get<Page<{ data: object }>>('/events', { query: { subject_id: id, page_size: 200 } }))
    .body;
  t.strictSame(
    told.items.flatMap(({ data }) => (data as { removed_versions?: number }).removed_versions ?? []),
    [2, 1, 3],
  );
  await keep(0);
});

t.test('every fault is named', async (t) => {
  t.strictSame(
    fields(
      (await member.api.post('/diagrams', { name: ' ', content: 1, card_ids: ['x'], group_id: 'y', owner: 1 })).body,
    ),
    ['/card_ids/0', '/content', '/group_id', '/name', '/owner'],
  );
  t.strictSame(
    fields((await member.api.post('/diagrams', { name: 'x', card_ids: [shop, NOWHERE], group_id: NOWHERE })).body),
    ['/card_ids/1', '/group_id'],
  );
  t.strictSame(
    fields(
      (
        await viewer.api.get('/diagrams', {
          query: { sort_by: 'bytes', group_id: 'x', favourite: 'maybe', nothing: 1 },
        })
      ).body,
    ),
    ['favourite', 'group_id', 'nothing', 'sort_by'],
  );
  const { id } = await create({ name: 'Faulty' });
  t.strictSame(fields((await viewer.api.get(`/diagrams/${id}.drawio`, { query: { compressed: 2, page: 1 } })).body), [
    'compressed',
    'page',
  ]);
});

t.test('the list is filtered, sorted, searched and paged; favourites are of each user', async (t) => {
  const group = (await member.api.post('/diagrams/library/groups', { name: 'Finance' })).body;
  const { id } = await create({ name: 'Zürich offices', group_id: group.id, card_ids: [shop] });
  await create({ name: 'aardvark zurich', content: drawing([{ id: 'a', card: shop }]) });
  t.strictSame(await names({ search: 'ZURICH', sort_by: 'name' }), ['aardvark zurich', 'Zürich offices']);
  t.strictSame(await names({ search: 'zurich', sort_by: 'name', sort_dir: 'desc' }), [
    'Zürich offices',
    'aardvark zurich',
  ]);
  t.strictSame(await names({ group_id: group.id }), ['Zürich offices']);
  t.ok((await names({ group_id: 'none', page_size: 200 })).includes('aardvark zurich'));
  t.strictSame(await names({ card_id: shop, sort_by: 'name' }), ['aardvark zurich', 'Zürich offices']);
  t.strictSame(await names({ card_id: NOWHERE }), []);
  t.strictSame(await names({ created_by: viewer.user.id }), []);
  t.strictSame(await names({ updated_to: '2020-01-01' }), []);
  const ofCard = await viewer.api.get<Page<Diagram>>(`/cards/${shop}/diagrams`, { query: { search: 'zurich' } });
  t.match(ofCard.body, { total: 2 });
  t.equal((await viewer.api.get(`/cards/${NOWHERE}/diagrams`)).status, 404);
  t.equal((await viewer.api.put(`/diagrams/${id}/favourite`, undefined)).status, 204);
  t.equal((await viewer.api.put(`/diagrams/${id}/favourite`, undefined)).status, 204);
  t.strictSame(await names({ favourite: true }), ['Zürich offices']);
  t.strictSame(await names({ favourite: true }, member), []);
  t.match((await viewer.api.get(`/diagrams/${id}`)).body, { is_favourite: true, version: 1 });
  t.equal((await viewer.api.del(`/diagrams/${id}/favourite`)).status, 204);
  t.strictSame(await names({ favourite: true }), []);
  for (const sort_by of ['name', 'created_at', 'updated_at']) {
    const seen: string[] = [];
    let query: Record<string, string | number> = { sort_by, page_size: 4 };
    for (;;) {
      const { body } = await viewer.api.get('/diagrams', { query });
      seen.push(...body.items.map((one) => one.id));
      if (body.next_cursor === null) {
        t.equal(seen.length, body.total, sort_by);
        break;
      }
      query = { sort_by, page_size: 4, cursor: body.next_cursor };
    }
    t.equal(new Set(seen).size, seen.length);
  }
});

t.test('groups form a hierarchy without cycles, and are deleted when they are empty', async (t) => {
  const make = async (name: string, parent_id: string | null = null) =>
    (await member.api.post('/diagrams/library/groups', { name, parent_id })).body;
  const [top, below] = [await make('Top'), await make('Other')];
  const move = (id: string, parent_id: string | null) =>
    member.api.patch(`/diagrams/library/groups/${id}`, { parent_id });
  t.match(await move(below.id, top.id), { status: 200, body: { parent_id: top.id, version: 2 } });
  t.match(await move(top.id, below.id), { status: 409, body: { code: 'diagrams_group_cycle' } });
  t.match(await move(top.id, top.id), { status: 409 });
  t.match(await member.api.post('/diagrams/library/groups', { name: 'TOP' }), {
    status: 409,
    body: { code: 'diagrams_group_name_taken' },
  });
  t.match(await member.api.del(`/diagrams/library/groups/${top.id}`), {
    status: 409,
    body: { code: 'diagrams_group_in_use' },
  });
  const { id } = await create({ name: 'Inside', group_id: below.id });
  t.match(await member.api.del(`/diagrams/library/groups/${below.id}`), { status: 409 });
  t.equal((await member.api.patch(`/diagrams/${id}`, { group_id: null })).status, 200);
  t.equal((await member.api.del(`/diagrams/library/groups/${below.id}`)).status, 204);
  t.equal((await member.api.del(`/diagrams/library/groups/${top.id}`)).status, 204);
  t.match(await viewer.api.post('/diagrams/library/groups', { name: 'x' }), { status: 403 });
});

t.test('files are imported, all or none', async (t) => {
  const before = (await viewer.api.get('/diagrams')).body.total;
  const wrong = await upload('POST', '/diagrams/import', form(['a.drawio', drawing([])], ['b.xml', '<x/>']));
  t.match([wrong.status, await wrong.json()], [422, { code: 'diagrams_file_refused', field: '/files/1' }]);
  t.equal((await viewer.api.get('/diagrams')).body.total, before);
  const made = await upload(
    'POST',
    '/diagrams/import',
    form(['Sales map.drawio', drawing([])], ['x/y.xml', drawing([])]),
  );
  t.equal(made.status, 200);
  const { diagrams } = (await made.json()) as { diagrams: Diagram[] };
  t.strictSame(
    diagrams.map(({ name }) => name),
    ['Sales map', 'y'],
  );
  t.equal((await upload('POST', '/diagrams/import', form(['a', drawing([])]), viewer)).status, 403);
});

t.test('permissions', async (t) => {
  const { id } = await create({ name: 'Guarded', content: drawing([{ id: 'a', card: shop }]) });
  t.equal((await fetch(`${origin}/api/v1/diagrams`)).status, 401);
  for (const answer of [
    await viewer.api.post('/diagrams', { name: 'x' }),
    await viewer.api.patch(`/diagrams/${id}`, { name: 'x' }),
    await viewer.api.del(`/diagrams/${id}`),
    await viewer.api.post(`/diagrams/${id}/versions/1/restore`),
  ])
    t.match(answer, { status: 403, body: { required_permission: 'diagrams.manage' } });
});

t.test('its migrations go up, down and up again', async (t) => {
  const module = (await import('../index.js')).default;
  const { migrationContract } = await import('@lintel/sdk/testing');
  for (const { name, run } of migrationContract({ module })) await t.resolves(run(), name);
});
