/** Every file that is accepted can be read again, whatever its pages have at the limits of what is accepted. */
import t from 'tap';
import { deflateRawSync } from 'node:zlib';
import { makeUser, registerAdmin, testApp } from '../../../test/support/app.js';

const { origin, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
await admin.api.post('/roles', {
  key: 'narrow',
  label: 'Narrow',
  permissions: ['cards.view', 'relations.view', 'diagrams.view', 'diagrams.manage'],
  types: { Provider: { 'cards.view': false } },
});
const narrow = await makeUser(admin, 'narrow');
const card = async (type: string) => (await admin.api.post('/cards', { type, name: `A ${type}` })).body.id;
const [provider, application] = [await card('Provider'), await card('Application')];

const page = (cells: string): string =>
  `<mxGraphModel><root><mxCell id="0"/><mxCell id="1" parent="0"/>${cells}</root></mxGraphModel>`;
const compressed = (...pages: string[]): string =>
  `<mxfile>${pages
    .map((one, i) => {
      const data = deflateRawSync(encodeURIComponent(one)).toString('base64');
      return `<diagram id="p${i}" name="P${i}">${data}</diagram>`;
    })
    .join('')}</mxfile>`;
/** So many elements inside each other. */
const deep = (depth: number): string =>
  page(`<mxCell id="d" vertex="1" parent="1">${'<x>'.repeat(depth - 3)}${'</x>'.repeat(depth - 3)}</mxCell>`);
const points = (count: number, around = '1', more = ''): string =>
  page(
    `${more}<mxCell id="e" edge="1" parent="${around}"><mxGeometry as="geometry"><Array as="points">${'<mxPoint/>'.repeat(count)}</Array></mxGeometry></mxCell>`,
  );
const create = (content: string) => admin.api.post('/diagrams', { name: 'A diagram', content });
const TOO = { status: 422, body: { code: 'diagrams_file_refused' } };

t.test('elements inside each other', async (t) => {
  t.match(await create(compressed(deep(31))), TOO);
  t.match(await create(deep(33)), TOO);
  for (const content of [compressed(deep(30)), deep(32)]) {
    const { status, body } = await create(content);
    t.equal(status, 201);
    const file = await admin.api.get<string>(`/diagrams/${body.id}.drawio`);
    t.equal(file.status, 200);
    t.equal(
      (await admin.api.patch(`/diagrams/${body.id}`, { content: file.body })).status,
      200,
      'it can be saved again',
    );
  }
});

t.test('attributes, with the one that names a card', async (t) => {
  const attributes = Array.from({ length: 998 }, (_, i) => `a${i}="x"`).join(' ');
  const { status, body } = await create(
    page(`<UserObject id="w" label="Label" ${attributes}><mxCell vertex="1" parent="1"/></UserObject>`),
  );
  t.equal(status, 201);
  const matches = [{ page: 0, cell_id: 'w', card_id: application }];
  t.equal((await admin.api.post(`/diagrams/${body.id}/match-cards`, { matches })).status, 200);
  t.equal((await admin.api.get(`/diagrams/${body.id}.drawio`)).status, 200);
});

t.test('elements of all pages together, with those that a user does not see', async (t) => {
  t.match(await create(compressed(points(201_000), points(201_000))), TOO);
  const hidden = `<UserObject id="h" label="x" cardId="${provider}"><mxCell vertex="1" parent="1"/></UserObject>`;
  const { status, body } = await create(compressed(points(240_000, 'h', hidden)));
  t.equal(status, 201);
  const content = compressed(points(240_000).replace('id="e"', 'id="own"'));
  t.match(await narrow.api.patch(`/diagrams/${body.id}`, { content }), TOO);
  t.equal((await admin.api.get(`/diagrams/${body.id}.drawio`)).status, 200);
});
