/** Diagrams compared, generated, matched and turned into relations. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { DATA_DIR, dataAbsent, makeUser, registerAdmin, testApp } from '../../../test/support/app.js';
import { cellsIn, drawing, shapeIn } from './drawings.js';
import { overlapsIn } from './overlaps.js';

interface Ref {
  id: string;
  name: string;
}
interface Diff {
  cards: { added: Ref[]; removed: Ref[] };
  relations: { added: { source: Ref; target: Ref; cell_ids: string[] }[]; removed: { source: Ref; target: Ref }[] };
  counts: { from: object; to: object };
}
interface Proposals {
  proposals: {
    source: Ref;
    target: Ref;
    label: string;
    edges: object[];
    candidates: { type: string; source_id: string; target_id: string; is_reverse: boolean }[];
  }[];
  created: { id: string }[];
}
interface Matches {
  proposals: { page: number; cell_id: string; text: string; candidates: { card: Ref; score: number }[] }[];
  applied: number;
  version: number;
}
interface Generated {
  diagram: { id: string; cards: { card: Ref }[]; version: number } | null;
  content: string | null;
  card_count: number;
  relation_count: number;
  truncated: boolean;
}

const { origin, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
await admin.api.post('/roles', {
  key: 'narrow',
  label: 'Narrow',
  permissions: ['cards.view', 'relations.view', 'diagrams.view', 'diagrams.manage'],
  types: { ITComponent: { 'cards.view': false } },
});
const [viewer, member, narrow] = await Promise.all([
  makeUser(admin, 'viewer'),
  makeUser(admin, 'member'),
  makeUser(admin, 'narrow'),
]);
const card = async (name: string, type = 'Application') => (await admin.api.post('/cards', { type, name })).body.id;
const create = async (content: string, name = 'A landscape') => {
  const answer = await member.api.post('/diagrams', { name, content });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body.id;
};
const [shop, ledger, box] = [await card('Web shop'), await card('Ledger'), await card('PostgreSQL 18', 'ITComponent')];
const { body: metamodel } = await admin.api.get<{
  items: { key: string; source_type: string; target_type: string; label: string }[];
}>('/metamodel/relation-types', { query: { page_size: 200 } });
const uses = metamodel.items.find(
  ({ source_type, target_type }) => source_type === 'Application' && target_type === 'ITComponent',
)!;
const edge = (id: string, from: string, to: string, label = '') => ({
  id,
  ends: [from, to] as [string, string],
  label,
});
const LANDSCAPE = [
  { id: 'a', label: 'Web shop', card: shop },
  { id: 'b', label: 'Ledger', card: ledger },
  { id: 'c', label: 'PostgreSQL 18', card: box },
];

t.test('versions are compared in terms of cards and relations', async (t) => {
  const id = await create(drawing([...LANDSCAPE.slice(0, 2), edge('e', 'a', 'b')]));
  await member.api.patch(`/diagrams/${id}`, {
    content: drawing([
      LANDSCAPE[0]!,
      LANDSCAPE[2]!,
      { id: 'in', label: 'inner', parent: 'c' },
      edge('f', 'a', 'in'),
      edge('g', 'a', 'c'),
    ]),
  });
  const diff = async (query: object, by = viewer) =>
    (await by.api.get<Diff>(`/diagrams/${id}/diff`, { query: query as Record<string, number> })).body;
  const found = await diff({ with: 1 });
  t.match(found, {
    from: 1,
    to: 2,
    cards: { added: [{ name: 'PostgreSQL 18' }], removed: [{ name: 'Ledger' }] },
    relations: {
      added: [{ source: { id: shop }, target: { id: box }, cell_ids: ['f', 'g'] }],
      removed: [{ source: { id: shop }, target: { id: ledger } }],
    },
    counts: { from: { pages: 1, cells: 3, shapes: 2 }, to: { pages: 1, cells: 5, shapes: 2 } },
  });
  t.equal(found.relations.added.length, 1, 'edges that say the same are one relation');
  t.match(await diff({ with: 2, version: 1 }), {
    cards: { added: [{ name: 'Ledger' }], removed: [{ name: 'PostgreSQL 18' }] },
  });
  const hidden = await diff({ with: 1 }, narrow);
  t.strictSame([hidden.cards.added, hidden.relations.added], [[], []]);
  t.match(hidden.counts.to, { shapes: 1 });
  t.match(await viewer.api.get(`/diagrams/${id}/diff`, { query: { with: 9 } }), {
    status: 422,
    body: { errors: [{ field: 'with', in: 'query' }] },
  });
  t.equal((await viewer.api.get(`/diagrams/${id}/diff`, { query: { with: 1, version: 9 } })).status, 404);
});

t.test('relations are proposed for edges, and created with the rights of the caller', async (t) => {
  const id = await create(
    drawing([...LANDSCAPE, edge('e', 'c', 'a', uses.label), edge('f', 'a', 'c'), edge('g', 'a', 'b')]),
  );
  const propose = (body: object, by = member) => by.api.post<Proposals>(`/diagrams/${id}/propose-relations`, body);
  const { body } = await propose({});
  t.equal(body.proposals.length, 2);
  const proposal = body.proposals.find(({ edges }) => edges.length === 2)!;
  t.match(proposal, { source: { id: box }, target: { id: shop }, label: uses.label });
  const best = proposal.candidates.find(({ type }) => type === uses.key)!;
  t.match(best, { type: uses.key, source_id: shop, target_id: box, is_reverse: true });
  t.match((await propose({}, narrow)).body.proposals, [{ source: { id: shop }, target: { id: ledger } }]);
  const wanted = { type: uses.key, source_id: shop, target_id: box };
  t.match(await propose({ relations: [wanted] }, viewer), { status: 403 });
  t.match(await propose({ relations: [{ ...wanted, target_id: ledger, source_id: box }] }), {
    status: 422,
    body: { errors: [{ field: '/relations/0' }] },
  });
  const created = await propose({ relations: [wanted] });
  t.match(created, {
    status: 200,
    body: {
      created: [{ type: uses.key, source_id: shop }],
      proposals: [{ source: { id: shop }, target: { id: ledger } }],
    },
  });
  t.equal(created.body.proposals.length, 1);
  const relations = await viewer.api.get('/relations', { query: { type: uses.key, source_id: shop } });
  t.match(relations.body, { total: 1, items: [{ id: created.body.created[0]!.id }] });
  t.match(await propose({ relations: [wanted] }), { status: 409 }, 'it exists now');
});

t.test('the shapes of a drawing without references are matched with cards by name', async (t) => {
  const id = await create(
    drawing([
      { id: 'a', label: '<b>WEB SHOP</b>' },
      { id: 'b', label: 'Lédger' },
      { id: 'c', label: 'PostgresQL18' },
      { id: 'd', label: 'Nothing like it' },
      { id: 'e', label: 'Ledger', ends: ['a', 'b'] },
      { id: 'f', label: 'Ledger', card: ledger },
    ]),
  );
  const match = (body: object, by = member, headers = {}) =>
    by.api.post<Matches>(`/diagrams/${id}/match-cards`, body, { headers });
  const { body } = await match({});
  t.strictSame(
    body.proposals.map(({ cell_id, candidates: [first] }) => [cell_id, first!.card.name, first!.score === 1]),
    [
      ['a', 'Web shop', true],
      ['b', 'Ledger', true],
      ['c', 'PostgreSQL 18', false],
    ],
  );
  t.strictSame(
    (await match({}, narrow)).body.proposals.map(({ cell_id }) => cell_id),
    ['a', 'b'],
    'hidden cards are not proposed',
  );
  t.strictSame(
    (await match({ types: ['ITComponent'] })).body.proposals.map(({ cell_id }) => cell_id),
    ['c'],
  );
  const accept = [
    { page: 0, cell_id: 'a', card_id: shop },
    { page: 0, cell_id: 'c', card_id: box },
  ];
  t.match(
    await match({
      matches: [
        { page: 0, cell_id: 'x', card_id: shop },
        { page: 0, cell_id: 'f', card_id: shop },
      ],
    }),
    {
      status: 422,
      body: { errors: [{ field: '/matches/0' }, { field: '/matches/1' }] },
    },
  );
  t.match(await match({ matches: accept }, narrow), {
    status: 422,
    body: { errors: [{ field: '/matches/1/card_id', reason: 'names no card' }] },
  });
  t.match(await match({ matches: accept }, member, { 'if-match': '"7"' }), { status: 412 });
  t.match(await match({ matches: accept }, viewer), { status: 403 });
  const applied = await match({ matches: accept });
  t.match(applied, {
    status: 200,
    body: { applied: 2, version: 2, content_version: 2, proposals: [{ cell_id: 'b' }] },
  });
  t.equal(applied.body.proposals.length, 1);
  const xml = (await viewer.api.get<string>(`/diagrams/${id}.drawio`)).body;
  t.match(
    [shapeIn(xml, 'a'), shapeIn(xml, 'c')],
    [
      { card: shop, text: 'WEB SHOP' },
      { card: box, text: 'PostgresQL18' },
    ],
  );
  t.match((await viewer.api.get(`/diagrams/${id}`)).body, { card_count: 3 });
});

t.test('a public drawing is matched', { skip: dataAbsent }, async (t) => {
  const content = readFileSync(join(DATA_DIR, 'drawio/templates__cloud__aws_1.xml'), 'utf8');
  const id = await create(content);
  const name = [...cellsIn(content).values()].find(
    ({ vertex, label }) => vertex && /^[A-Z][a-z]{4,}/.test(label ?? ''),
  )!;
  const { text } = shapeIn(content, name.id)!;
  const made = await card(text.toUpperCase());
  const { body } = await member.api.post<Matches>(`/diagrams/${id}/match-cards`, { min_score: 1 });
  t.match(
    body.proposals.find(({ cell_id }) => cell_id === name.id),
    { candidates: [{ card: { id: made }, score: 1 }] },
  );
});

t.test('a diagram of the cards around a card is generated', async (t) => {
  const root = await card('Root & <Branch>', 'BusinessCapability');
  const type = metamodel.items.find(
    ({ source_type, target_type }) => [source_type, target_type].sort().join() === 'Application,BusinessCapability',
  )!;
  const isSource = type.source_type === 'Application';
  const long = 'An application with a very long name that needs several lines in its shape, and even then ends';
  const apps: string[] = [];
  for (let i = 0; i < 6; i++) apps.push(await card(i === 0 ? long : `Application ${i}`));
  for (const app of apps) {
    const [source_id, target_id] = isSource ? [app, root] : [root, app];
    const made = await admin.api.post('/relations', { type: type.key, source_id, target_id });
    if (made.status !== 201) throw new Error(JSON.stringify(made.body));
  }
  for (const app of apps.slice(0, 3))
    await admin.api.post('/relations', { type: uses.key, source_id: app, target_id: box });
  const generate = (body: object, by = member) =>
    by.api.post<Generated>('/diagrams/generate', { root_card_id: root, ...body });
  const made = await generate({ name: 'Around' });
  t.match(made, { status: 201, body: { card_count: 8, relation_count: 9, truncated: false, content: null } });
  t.equal(made.headers.get('location'), `/api/v1/diagrams/${made.body.diagram!.id}`);
  t.equal(made.body.diagram!.cards.length, 8);
  const xml = (await viewer.api.get<string>(`/diagrams/${made.body.diagram!.id}.drawio`)).body;
  t.match(shapeIn(xml, `card-${root}`), { text: 'Root & <Branch>', card: root, style: /fillColor=#[0-9a-f]{6}/ });
  t.strictSame(overlapsIn(xml), [], 'no shapes and labels overlap');
  for (const layout of ['right', 'down']) {
    const shown = await generate({ save: false, layout, depth: 1 });
    t.match(shown, { status: 200, body: { diagram: null, card_count: 7, relation_count: 6 } });
    t.strictSame(overlapsIn(shown.body.content!), [], layout);
  }
  t.match(
    (await generate({ save: false, types: ['ITComponent'] })).body,
    { card_count: 1 },
    'what is only reached over other types is left out',
  );
  t.match((await generate({ save: false }, narrow)).body, { card_count: 7 });
  t.match((await generate({ save: false, relation_types: [type.key] })).body, { card_count: 7 });
  t.match(await generate({ types: ['Nothing'], relation_types: ['x'], depth: 9 }), {
    status: 422,
    body: { errors: [{ field: '/depth' }] },
  });
  t.match(await generate({ types: ['Nothing'], relation_types: ['x'] }), {
    status: 422,
    body: { errors: [{ field: '/types/0' }, { field: '/relation_types/0' }] },
  });
  t.match(await generate({ root_card_id: box }, narrow), {
    status: 422,
    body: { errors: [{ field: '/root_card_id', reason: 'names no card' }] },
  });
  t.equal((await generate({}, viewer)).status, 403);
  t.equal((await viewer.api.get(`/cards/${root}/diagrams`)).body.total, 1);
  // The generated shapes follow their cards.
  await admin.api.patch(`/cards/${root}`, { name: 'Renamed' });
  const renamed = (await viewer.api.get<string>(`/diagrams/${made.body.diagram!.id}.drawio`)).body;
  t.equal(shapeIn(renamed, `card-${root}`)?.text, 'Renamed');
  t.match(
    (await member.api.post<Proposals>(`/diagrams/${made.body.diagram!.id}/propose-relations`, {})).body,
    { proposals: [] },
    'all its edges are relations',
  );
});
