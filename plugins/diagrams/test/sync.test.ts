/** Diagrams follow their cards, and show each reader only the cards that the reader sees. */
import t from 'tap';
import { makeUser, registerAdmin, testApp, until, type AnyBody } from '../../../test/support/app.js';
import { textOf } from '../drawio/index.js';
import { cellsIn, drawing, shapeIn } from './drawings.js';

interface Diagram {
  id: string;
  version: number;
  card_count: number;
  cards: { card: { id: string; name: string; status: string }; shapes: number }[];
}
interface Shape {
  cell_id: string;
  card: { id: string; name: string; status: string };
  is_renamed: boolean;
  is_recoloured: boolean;
}

const { origin, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
await admin.api.post('/roles', {
  key: 'narrow',
  label: 'Narrow',
  permissions: ['cards.view', 'relations.view', 'diagrams.view', 'diagrams.manage'],
  types: { Provider: { 'cards.view': false } },
});
const [viewer, member, narrow] = await Promise.all([
  makeUser(admin, 'viewer'),
  makeUser(admin, 'member'),
  makeUser(admin, 'narrow'),
]);
const card = async (name: string, type = 'Application') => (await admin.api.post('/cards', { type, name })).body.id;
const create = async (content: string, more: object = {}) => {
  const answer = await member.api.post<Diagram>('/diagrams', { name: 'Synchronised', content, ...more });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body;
};
const file = async (id: string, by = viewer, suffix = '') =>
  (await by.api.get<string>(`/diagrams/${id}${suffix}.drawio`)).body;
/** The ids that masked shapes have in a file. */
const maskedIds = (xml: string): string[] =>
  [...cellsIn(xml)].flatMap(([id, cell]) => (textOf(cell) === 'Not visible' ? [id] : []));
const ICON = 'shape=image;image=data:image/png,iVBORw0KGgo=;fillColor=#123456;html=1;';

t.test('a shape has the current name of its card, unless its label was another text', async (t) => {
  const shop = await card('Shop & "Co" <1>');
  const html = '<b>Shop &amp; "Co" &lt;1&gt;</b>';
  const { id } = await create(
    drawing([
      { id: 'a', label: html, card: shop },
      { id: 'b', label: 'The shop', card: shop },
      { id: 'c', label: 'Shop & "Co" <1>', style: 'whiteSpace=wrap;', more: { card_id: shop.toUpperCase() } },
      { id: 'd', label: html, more: { link: `/api/v1/cards/${shop}` } },
    ]),
  );
  const before = await viewer.api.get(`/diagrams/${id}.drawio`);
  await admin.api.patch(`/cards/${shop}`, { name: 'Store <img src=x onerror=alert(1)>' });
  const after = await viewer.api.get<string>(`/diagrams/${id}.drawio`, {
    headers: { 'if-none-match': before.headers.get('etag')! },
  });
  t.equal(after.status, 200, 'another ETag');
  const texts = ['a', 'b', 'c', 'd'].map((cell) => shapeIn(after.body, cell)?.text);
  const renamed = 'Store <img src=x onerror=alert(1)>';
  t.strictSame(texts, [renamed, 'The shop', renamed, renamed]);
  t.match(cellsIn(after.body).get('a')!.label, /^<b>Store &lt;img/, 'the formatting stays, and the name is text');
  t.match((await viewer.api.get<Diagram>(`/diagrams/${id}`)).body, {
    card_count: 1,
    cards: [{ card: { name: renamed }, shapes: 4 }],
  });
  const { body: shapes } = await viewer.api.get<{ items: Shape[] }>(`/diagrams/${id}/cards`);
  t.strictSame(
    shapes.items.map(({ cell_id, is_renamed }) => [cell_id, is_renamed]),
    [
      ['a', true],
      ['b', false],
      ['c', true],
      ['d', true],
    ],
  );
  // Saved as it was read, it is the same shape, and follows the card again.
  t.match((await member.api.patch(`/diagrams/${id}`, { content: after.body })).body, {
    version: 2,
    content_version: 2,
  });
  await admin.api.patch(`/cards/${shop}`, { name: 'Third' });
  t.equal(shapeIn(await file(id), 'a')?.text, 'Third');
  t.equal(shapeIn(await file(id, viewer, '/versions/1'), 'c')?.text, 'Third', 'also in earlier versions');
});

t.test('a shape in the colour of its type follows it; archived and deleted cards are marked', async (t) => {
  const { body: type } = await admin.api.get<{ color: string }>('/metamodel/types/ITComponent');
  const box = await card('Box', 'ITComponent');
  const { id } = await create(
    drawing([
      { id: 'a', label: 'Box', card: box, style: `rounded=1;fillColor=${type.color.toUpperCase()};` },
      { id: 'b', label: 'Box', card: box, style: 'fillColor=#00ff00;dashed=0;' },
    ]),
  );
  const recoloured = await admin.api.patch('/metamodel/types/ITComponent', { color: '#abcdef' });
  t.equal(recoloured.status, 200, JSON.stringify(recoloured.body));
  const xml = await file(id);
  t.match(shapeIn(xml, 'a')?.style, /fillColor=#abcdef/);
  t.match(shapeIn(xml, 'b')?.style, /fillColor=#00ff00/);
  t.match((await viewer.api.get<{ items: Shape[] }>(`/diagrams/${id}/cards`)).body.items, [
    { is_recoloured: true },
    { is_recoloured: false },
  ]);
  t.equal((await admin.api.post(`/cards/${box}/archive`)).status, 200);
  const archived = await file(id);
  t.match(shapeIn(archived, 'a')?.style, /dashed=1;opacity=40/);
  t.match((await viewer.api.get<Diagram>(`/diagrams/${id}`)).body.cards, [{ card: { status: 'ARCHIVED' } }]);
  // The marks are not stored when a user saves what the user has read.
  await member.api.patch(`/diagrams/${id}`, { content: archived });
  t.equal((await admin.api.post(`/cards/${box}/restore`)).status, 200);
  const restored = await file(id);
  t.notMatch(shapeIn(restored, 'a')?.style, /dashed|opacity/);
  t.match(shapeIn(restored, 'b')?.style, /dashed=0/);
  t.notMatch(restored, /cardMark/);
  await admin.api.post(`/cards/${box}/archive`);
  t.equal((await admin.api.del(`/cards/${box}`)).status, 204);
  const deleted = await file(id);
  t.match(shapeIn(deleted, 'a'), { text: 'Box', card: undefined, style: /dashed=1/ });
  t.match((await viewer.api.get(`/diagrams/${id}`)).body, { card_count: 0, cards: [] });
  t.equal(maskedIds(await file(id, narrow)).length, 2, 'whether it was hidden cannot be told any more');
  const saved = await narrow.api.patch(`/diagrams/${id}`, { content: await file(id, narrow) });
  t.equal(saved.status, 200, JSON.stringify(saved.body));
  t.equal(shapeIn(await file(id), 'a')?.text, 'Box');
});

t.test('hidden cards do not exist in a diagram, and are not lost when it is saved', async (t) => {
  const [shop, oak] = [await card('Kiosk'), await card('Oak Ltd', 'Provider')];
  const { id } = await create(
    drawing([
      { id: 'a', label: 'Kiosk', card: shop },
      {
        id: 'h',
        label: '<i>Oak Ltd</i>',
        card: oak,
        style: ICON,
        more: { tooltip: 'Secret tip', link: 'https://oak.example' },
      },
      { id: 'e', label: 'pays secretly', ends: ['a', 'h'], more: { relationType: 'secret_type' } },
      { id: 'el', label: 'edge text', parent: 'e', style: 'edgeLabel;html=1;' },
      { id: 'i', label: 'secret detail', parent: 'h' },
      { id: 'j', label: 'Kiosk', card: shop, parent: 'h' },
      { id: 'n', label: 'A note', style: 'shape=note;' },
    ]),
    { card_ids: [oak] },
  );
  const seen = await file(id, narrow);
  t.notMatch(seen, /Oak|oak|secret|Secret|data:image|edge text|123456/i);
  t.notMatch(seen, new RegExp(oak));
  const [masked, ...others] = maskedIds(seen);
  t.strictSame(others, []);
  t.match(shapeIn(seen, masked!), { text: 'Not visible', card: undefined });
  t.equal(cellsIn(seen).has('h'), false, 'ids may tell something, too');
  t.equal(cellsIn(seen).get('j')?.parent, masked);
  const [line] = [...cellsIn(seen).values()].flatMap((cell) => (cell.edge ? [cell.id] : []));
  const drawn = async (by: typeof viewer) => (await by.api.get<string>(`/diagrams/${id}.svg`)).body;
  t.match(await drawn(narrow), /Not visible/);
  t.notMatch(await drawn(narrow), /Oak|oak|secret|Secret|edge text|123456/i);
  t.match(await drawn(viewer), /Oak Ltd/);
  t.match([shapeIn(seen, 'a')?.text, shapeIn(seen, 'j')?.text, shapeIn(seen, 'n')?.text], ['Kiosk', 'Kiosk', 'A note']);
  t.match(await file(id), /Secret tip/);
  t.match((await narrow.api.get<Diagram>(`/diagrams/${id}`)).body, {
    card_count: 1,
    cards: [{ card: { name: 'Kiosk' }, shapes: 2 }],
  });
  t.equal((await narrow.api.get(`/diagrams/${id}/cards`)).body.total, 2);
  t.equal((await narrow.api.get('/diagrams', { query: { card_id: oak } })).body.total, 0);
  t.equal((await viewer.api.get('/diagrams', { query: { card_id: oak } })).body.total, 1);
  t.equal((await narrow.api.get(`/cards/${oak}/diagrams`)).status, 404);
  t.notMatch(JSON.stringify((await narrow.api.get(`/diagrams/${id}/history`)).body), new RegExp(oak));
  // Saved with the hidden shape moved, its edge removed, and another shape added.
  const moved = seen
    .replace(new RegExp(`(<mxCell id="${masked}"[^>]*>\\s*<mxGeometry )x="10"`), '$1x="333"')
    .replace(new RegExp(`<mxCell id="${line}"[\\s\\S]*?</mxCell>`), '')
    .replace('</root>', '<mxCell id="z" value="New" vertex="1" parent="1"/></root>');
  t.not(moved, seen);
  const saved = await narrow.api.patch<Diagram>(`/diagrams/${id}`, { content: moved, card_ids: [shop] });
  t.match(saved, { status: 200, body: { version: 2, card_count: 1 } });
  const stored = await file(id);
  t.match(shapeIn(stored, 'h'), { text: 'Oak Ltd', card: oak, style: ICON.slice(0, 20) });
  t.match(stored, /Secret tip/);
  t.match(cellsIn(stored).get('h')!.geometry?.attributes.get('x'), '333');
  t.match([shapeIn(stored, 'z')?.text, shapeIn(stored, 'i')?.text], ['New', 'secret detail']);
  t.equal(cellsIn(stored).has('e'), false);
  t.strictSame(
    (await viewer.api.get<Diagram>(`/diagrams/${id}`)).body.cards.map(({ card }) => card.name),
    ['Kiosk', 'Oak Ltd'],
  );
  // Saved without the hidden shape, and even without its page.
  for (const content of [
    drawing([{ id: 'q', label: 'Only this' }]),
    '<mxGraphModel><root><mxCell id="0"/></root></mxGraphModel>',
  ]) {
    t.equal((await narrow.api.patch(`/diagrams/${id}`, { content })).status, 200);
    t.match(shapeIn(await file(id), 'h'), { text: 'Oak Ltd', card: oak });
    t.match(shapeIn(await file(id), 'i')?.text, 'secret detail');
  }
  t.match(
    (await member.api.patch(`/diagrams/${id}`, { content: drawing([{ id: 'q', label: 'Only this' }]) })).body,
    { card_count: 2 },
    'who sees it may remove it; both are still linked',
  );
  t.equal(cellsIn(await file(id)).has('h'), false);
});

t.test('references to cards that the caller does not see are not stored', async (t) => {
  const oak = await card('Elm Ltd', 'Provider');
  const content = (id: string) => drawing([{ id: 'a', label: 'Elm Ltd', card: id }]);
  const NOWHERE = '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b';
  const answers: AnyBody[] = [];
  for (const unknown of [oak, NOWHERE]) {
    const made = await narrow.api.post('/diagrams', { name: 'Guess', content: content(unknown) });
    t.equal(made.status, 201);
    t.match(made.body, { card_count: 0 });
    answers.push((await narrow.api.get(`/diagrams/${made.body.id}/versions/1`)).body);
    t.equal(shapeIn(await file(made.body.id, admin), 'a')?.card, undefined);
    t.match((await narrow.api.post('/diagrams', { name: 'x', card_ids: [unknown] })).body.errors, [
      { field: '/card_ids/0', reason: 'names no card' },
    ]);
  }
  t.match(answers[0], { removed: [{ cell_id: 'a', what: 'card: it does not exist' }] });
  t.strictSame(answers[0]!['removed'], answers[1]!['removed'], 'hidden and unknown cards cannot be told apart');
  await admin.api.patch('/settings/modules/diagrams', { settings: { unknown_cards: 'refuse' } });
  for (const unknown of [oak, NOWHERE])
    t.match(await narrow.api.post('/diagrams', { name: 'Guess', content: content(unknown) }), {
      status: 422,
      body: { errors: [{ field: '/content', reason: 'the shape "a" on page 1 names no card' }] },
    });
  await admin.api.patch('/settings/modules/diagrams', { settings: { unknown_cards: null } });
});

t.test('a stakeholder of a card writes its diagrams', async (t) => {
  const [own, other] = [await card('Own'), await card('Alien')];
  const { body: type } = await admin.api.get<{ stakeholder_roles: { key: string }[] }>('/metamodel/types/Application');
  const key = type.stakeholder_roles[0]!.key;
  const roles = type.stakeholder_roles.map((role) =>
    role.key === key ? { ...role, permissions: { 'card.diagrams_manage': true } } : role,
  );
  const set = await admin.api.patch('/metamodel/types/Application', { stakeholder_roles: roles });
  t.equal(set.status, 200, JSON.stringify(set.body));
  t.equal((await admin.api.post(`/cards/${own}/stakeholders`, { user_id: viewer.user.id, role: key })).status, 201);
  const { id } = await create(drawing([{ id: 'a', label: 'Own', card: own }]));
  const foreign = await create(drawing([{ id: 'a', label: 'Alien', card: other }]));
  t.equal((await viewer.api.patch(`/diagrams/${id}`, { name: 'By the stakeholder' })).status, 200);
  t.equal((await viewer.api.patch(`/diagrams/${foreign.id}`, { name: 'x' })).status, 403);
  t.equal((await viewer.api.patch(`/diagrams/${id}`, { card_ids: [other] })).status, 403);
  t.equal((await viewer.api.patch(`/diagrams/${id}`, { card_ids: [own] })).status, 200);
  t.equal((await viewer.api.post('/diagrams', { name: 'x' })).status, 403);
  t.equal((await viewer.api.post('/diagrams', { name: 'x', card_ids: [other, own] })).status, 403);
  t.equal((await viewer.api.post('/diagrams', { name: 'x', card_ids: [own] })).status, 201);
  t.equal((await viewer.api.del(`/diagrams/${foreign.id}`)).status, 403);
  t.equal((await viewer.api.post(`/diagrams/${foreign.id}/versions/1/restore`)).status, 403);
  t.equal((await viewer.api.del(`/diagrams/${id}`)).status, 204);
});

t.test('events tell which diagrams show changed cards, to those who see the cards', async (t) => {
  const [shop, oak] = [await card('Told'), await card('Told too', 'Provider')];
  const { id } = await create(
    drawing([
      { id: 'a', label: 'Told', card: shop },
      { id: 'b', card: oak },
    ]),
  );
  const told = async (by = admin) =>
    (await by.api.get('/events', { query: { type: 'diagrams.cards_changed', subject_id: id } })).body.items.map(
      ({ data }) => data as { changed_card_ids: string[]; change: string },
    );
  await admin.api.patch(`/cards/${shop}`, { description: 'Not its name.' });
  await admin.api.patch(`/cards/${shop}`, { name: 'Told again' });
  await admin.api.patch(`/cards/${oak}`, { name: 'Told again too' });
  await admin.api.post(`/cards/${shop}/archive`);
  await until(async () => (await told()).length >= 2);
  const all = await told();
  t.ok(all.every(({ change }) => change === 'changed'));
  t.strictSame([...new Set(all.flatMap(({ changed_card_ids }) => changed_card_ids))].sort(), [shop, oak].sort());
  t.equal((await admin.api.del(`/cards/${shop}`)).status, 204);
  await until(async () => (await told()).some(({ change }) => change === 'deleted'));
  const history = (await narrow.api.get(`/diagrams/${id}/history`)).body.items;
  t.notMatch(JSON.stringify(history), new RegExp(oak));
});

t.test('what is masked for a user is in no other answer either', async (t) => {
  const [seen, secret] = [await card('Seen'), await card('Secret supplier', 'Provider')];
  const { id } = await create(
    drawing([
      { id: 'a', label: 'Seen', card: seen },
      { id: 'b', label: 'Secret supplier', card: secret, more: { link: 'javascript:secretCall()' } },
      { id: 'inside', label: 'Seen', parent: 'b', more: { link: 'javascript:secretInside()' } },
      { id: 'free', label: 'Seen' },
    ]),
  );
  type Matched = { proposals: { cell_id: string }[] };
  const cellsFor = async (by: typeof member) =>
    (await by.api.post<Matched>(`/diagrams/${id}/match-cards`, {})).body.proposals.map(({ cell_id }) => cell_id);
  t.strictSame(await cellsFor(member), ['inside', 'free']);
  t.strictSame(await cellsFor(narrow), ['free']);
  type Version = { pages: { shapes: number }[]; removed: { cell_id: string }[] };
  for (const path of ['', '/versions/1']) {
    const pagesFor = async (by: typeof member) => (await by.api.get<Version>(`/diagrams/${id}${path}`)).body.pages;
    t.match(await pagesFor(viewer), [{ shapes: 2 }], path);
    t.match(await pagesFor(narrow), [{ shapes: 1 }], path);
  }
  const removedFor = async (by: typeof member) =>
    (await by.api.get<Version>(`/diagrams/${id}/versions/1`)).body.removed;
  t.strictSame((await removedFor(viewer)).map(({ cell_id }) => cell_id).sort(), ['b', 'inside']);
  t.strictSame(await removedFor(narrow), []);
});

t.test('characters that are cut are stored', async (t) => {
  const [from, to] = [await card('From'), await card('To')];
  const { id } = await create(
    drawing([
      { id: 'a', label: 'From', card: from },
      { id: 'b', label: 'To', card: to },
      { id: 'e', label: `${'x'.repeat(999)}😀`, ends: ['a', 'b'] },
    ]),
  );
  t.equal((await viewer.api.get(`/diagrams/${id}`)).status, 200);
});
