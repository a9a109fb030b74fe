/** The number of statements for diagrams does not depend on the number of shapes, cards and rows. */
import t from 'tap';
import { expectStatus, registerAdmin, testApp } from '../support/app.js';
import { watchStatements } from '../support/statements.js';

const watch = watchStatements();
const { origin, app, close } = await testApp();
t.teardown(close);
const { api, token } = await registerAdmin(origin);
const { body: bulk } = expectStatus(
  await api.post<{ results: { id: string }[] }>('/cards/bulk', {
    operations: Array.from({ length: 40 }, (_, i) => ({
      op: 'create',
      card: { type: 'Application', name: `App ${i}` },
    })),
  }),
  200,
  'cards',
);
const cards = bulk.results.map(({ id }) => id);
const file = (shapes: number, text = '') =>
  `<mxfile><diagram id="p" name="Page"><mxGraphModel><root><mxCell id="0"/><mxCell id="1" parent="0"/>${Array.from(
    { length: shapes },
    (_, i) =>
      `<object id="s${i}" label="App ${i}${text}" cardId="${cards[i]}"><mxCell vertex="1" parent="1"><mxGeometry width="9" height="9" as="geometry"/></mxCell></object>
      <mxCell id="e${i}" edge="1" parent="1" source="s0" target="s${i}"/><mxCell id="n${i}" value="App ${i}" vertex="1" parent="1"/>`,
  ).join('')}</root></mxGraphModel></diagram></mxfile>`;
const make = async (shapes: number) =>
  expectStatus(
    await api.post('/diagrams', { name: `Diagram ${shapes}`, content: file(shapes), card_ids: cards.slice(0, shapes) }),
    201,
    'a diagram',
  ).body.id;
const [few, many] = [await make(2), await make(40)];
for (let i = 0; i < 5; i++)
  expectStatus(await api.patch(`/diagrams/${many}`, { content: file(40, ` ${i}`) }), 200, 'a version');
expectStatus(await api.patch(`/diagrams/${few}`, { content: file(2, ' x') }), 200, 'a version');

async function importForm(body: FormData, group: string) {
  const answer = await fetch(`${origin}/api/v1/diagrams/import?group_id=${group}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body,
  });
  const { diagrams } = (await answer.json()) as { diagrams: { file: string; id: string; name: string }[] };
  return { status: answer.status, diagrams };
}

async function statementsOf(work: () => Promise<{ status: number }>): Promise<number> {
  const { answer, statements } = await watch.during(work);
  if (answer.status >= 300) throw new Error(`the request gave ${answer.status}`);
  return statements.length;
}
/** Of a repeated request, because the first one may fill caches. */
async function repeated(work: () => Promise<{ status: number }>): Promise<number> {
  await work();
  return await statementsOf(work);
}

for (const path of ['/diagrams', `/cards/${cards[0]}/diagrams`])
  t.test(`GET ${path.replace(/[0-9a-f-]{36}/, '{id}')}: independent of the length of the page`, async (t) => {
    const get = (page_size: number) => repeated(() => api.get(path, { query: { page_size } }));
    t.equal(await get(1), await get(100));
  });

for (const path of ['', '.drawio', '.svg', '/cards', '/versions', '/versions/1', '/history', '/diff?with=1'])
  t.test(`GET /diagrams/{id}${path}: independent of the number of shapes`, async (t) => {
    const [a, b] = [few, many].map((id) => () => api.get(`/diagrams/${id}${path}`));
    const count = await repeated(a!);
    t.equal(await repeated(b!), count);
    t.ok(count <= 12, String(count));
  });

t.test('saving, proposing and matching: independent of the number of shapes', async (t) => {
  let n = 0;
  const save = (id: string, shapes: number) =>
    repeated(() => api.patch(`/diagrams/${id}`, { content: file(shapes, ` ${++n}`) }));
  t.equal(await save(few, 2), await save(many, 40));
  for (const path of ['propose-relations', 'match-cards']) {
    const post = (id: string) => repeated(() => api.post(`/diagrams/${id}/${path}`, {}));
    t.equal(await post(few), await post(many), path);
  }
});

t.test('POST /diagrams/import: independent of the number of files and shapes', async (t) => {
  let n = 0;
  const group = expectStatus(await api.post('/diagrams/library/groups', { name: 'Imported' }), 201, 'a group').body.id;
  const send = (files: number, shapes: number) => () => {
    const form = new FormData();
    for (let i = 0; i < files; i++) form.append('files', new Blob([file(shapes, ` ${++n}`)]), `file ${i}.drawio`);
    return importForm(form, group);
  };
  const one = await repeated(send(1, 2));
  t.equal(await repeated(send(20, 40)), one);
  t.ok(one <= 12, String(one));
  const { status, diagrams } = await send(3, 2)();
  t.equal(status, 200);
  t.strictSame(
    diagrams.map(({ file, name }) => [file, name]),
    [0, 1, 2].map((i) => [`file ${i}.drawio`, `file ${i}`]),
  );
  const shown = await Promise.all(diagrams.map(({ id }) => api.get<{ pages: unknown[] }>(`/diagrams/${id}`)));
  for (const { body } of shown)
    t.match(body, { group_id: group, content_version: 1, card_count: 2, pages: [{ shapes: 2 }] });
});

t.test('names are found in one statement, for the caller', async (t) => {
  const { host } = app.services.modules.get('diagrams')!;
  const ctx = host.systemContext('test');
  const found = await host.cards.findByName(ctx, ['app 7', 'ÁPP  8', 'Nothing', '→', '']);
  t.match(found[0]![0], { id: cards[7], name: 'App 7', type: 'Application', status: 'ACTIVE', score: 1 });
  t.match(found[1]![0], { id: cards[8], score: 1 });
  t.ok(found[0]!.length <= 5 && found[0]!.slice(1).every(({ score }) => score < 1));
  t.strictSame(found.slice(2), [[], [], []]);
  t.equal((await host.cards.findByName(ctx, ['App 7'], { most: 1 }))[0]!.length, 1);
  t.strictSame(await host.cards.findByName(ctx, ['App 7'], { types: ['Provider'] }), [[]]);
  await t.rejects(host.cards.findByName(ctx, Array.from({ length: 201 }, String)), /at most 200/);
  await t.rejects(host.cards.findByName(ctx, ['x'], { most: 0 }), /1 to 20/);
});
