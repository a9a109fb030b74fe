/** The number of statements for statements of architecture work does not depend on the number of rows of their tables. */
import t from 'tap';
import { expectStatus, registerAdmin, testApp } from '../support/app.js';
import { watchStatements } from '../support/statements.js';

const watch = watchStatements();
const { origin, close } = await testApp();
t.teardown(close);
const { api, user } = await registerAdmin(origin);
const bulk = async (type: string, count: number) =>
  expectStatus(
    await api.post<{ results: { id: string }[] }>('/cards/bulk', {
      operations: Array.from({ length: count }, (_, i) => ({
        op: 'create',
        card: {
          type,
          name: `${type} ${i}`,
          attributes: { costTotalAnnual: 100 },
          lifecycle: { active: '2020-01-01', endOfLife: '2020-06-01' },
        },
      })),
    }),
    200,
    'cards',
  ).body.results.map(({ id }) => id);
const [one, many] = [await bulk('ITComponent', 1), await bulk('Application', 60)];
for (const ids of [one, many])
  for (const card_id of ids.slice(0, 20)) {
    const cards = [{ card_id, role: 'affected' }];
    expectStatus(await api.post('/risks', { title: 'Fire', category: 'technology', cards }), 201, 'a risk');
    expectStatus(await api.post('/adr', { title: 'Water', card_ids: [card_id] }), 201, 'a decision');
  }
const KINDS = ['cards', 'gaps', 'costs', 'risks', 'decisions', 'roadmap'];
const make = async (type: string, ids: readonly string[]) =>
  expectStatus(
    await api.post('/soaw', {
      title: type,
      sections: [
        {
          key: 'overview',
          title: 'Overview',
          tables: KINDS.map((kind) => ({ id: kind, kind, title: kind, filter: { type } })),
        },
      ],
      cards: ids.map((card_id) => ({ card_id, role: 'affected' })),
    }),
    201,
    'a document',
  ).body.id;
const [few, long] = [await make('ITComponent', one), await make('Application', many)];
for (let i = 0; i < 30; i++)
  expectStatus(await api.post(`/soaw/${long}/comments`, { text: `Comment ${i}` }), 201, 'a comment');
expectStatus(await api.post(`/soaw/${few}/comments`, { text: 'Comment' }), 201, 'a comment');

/** Of a repeated request, because the first one may fill caches. */
async function repeated(work: () => Promise<{ status: number }>): Promise<number> {
  await work();
  const { answer, statements } = await watch.during(work);
  if (answer.status >= 300) throw new Error(`the request gave ${answer.status}`);
  return statements.length;
}

for (const path of ['/soaw', `/cards/${one[0]}/soaws`, `/soaw/${long}/comments`])
  t.test(`GET ${path.replace(/[0-9a-f-]{36}/, '{id}')}: independent of the length of the page`, async (t) => {
    const get = (page_size: number) => repeated(() => api.get(path, { query: { page_size } }));
    t.equal(await get(1), await get(100));
  });

for (const path of ['', '/tables', '.md', '.html', '.docx', '/history', `/diff?with=${few}`])
  t.test(`GET /soaw/{id}${path.split('=')[0]}: independent of the number of rows`, async (t) => {
    const [a, b] = [few, long].map((id) => () => api.get(`/soaw/${id}${path}`));
    const count = await repeated(a!);
    t.equal(await repeated(b!), count);
    // Two for each of the six tables at most.
    t.ok(count <= 24, String(count));
  });

t.test('requesting signatures, withdrawing and signing: independent of the number of rows', async (t) => {
  const post = async (id: string, action: string, body?: object) => {
    const { answer, statements } = await watch.during(() => api.post(`/soaw/${id}/${action}`, body));
    t.equal(answer.status, 200, JSON.stringify(answer.body));
    return statements.length;
  };
  for (const [action, body] of [
    ['request-signatures', { user_ids: [user.id] }],
    ['recall', undefined],
    ['request-signatures', { user_ids: [user.id] }],
    ['sign', {}],
  ] as const)
    t.equal(await post(few, action, body), await post(long, action, body), action);
  const [a, b] = [few, long].map((id) => () => api.get(`/soaw/${id}/tables`));
  t.equal(await repeated(a!), await repeated(b!), 'frozen tables');
});
