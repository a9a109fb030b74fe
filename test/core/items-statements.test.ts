/** The number of statements for items of a card does not depend on the number of rows. */
import t from 'tap';
import { expectStatus, registerAdmin, testApp } from '../support/app.js';
import { watchStatements } from '../support/statements.js';

const watch = watchStatements();
const { origin, close } = await testApp();
t.teardown(close);
const { api } = await registerAdmin(origin);
const { id } = expectStatus(await api.post('/cards', { type: 'Application', name: 'Counted' }), 201, 'a card').body;
const group = expectStatus(
  await api.post('/metamodel/tag-groups', { name: 'Counted', mode: 'multi' }),
  201,
  'a group',
).body;
const tags: string[] = [];
for (let i = 0; i < 30; i++) {
  expectStatus(await api.post(`/cards/${id}/comments`, { body: `c ${i}` }), 201, 'a comment');
  expectStatus(
    await api.post(`/cards/${id}/documents`, { name: `d ${i}`, url: 'https://example.org' }),
    201,
    'a document',
  );
  expectStatus(await api.post(`/cards/${id}/todos`, { title: `t ${i}` }), 201, 'a to-do');
  expectStatus(
    await api.patch(`/cards/${id}`, { alias: `a ${i}`, attributes: { costTotalAnnual: i } }),
    200,
    'a change',
  );
  tags.push(
    expectStatus(await api.post(`/metamodel/tag-groups/${group.id}/tags`, { name: `t ${i}` }), 201, 'a tag').body.id,
  );
}

async function statementsOf(work: () => Promise<{ status: number }>): Promise<number> {
  const { answer, statements } = await watch.during(work);
  expectStatus(answer as never, 200, 'the request');
  return statements.length;
}

const LISTS: [path: string, statements: number][] = [
  [`/cards/${id}/history`, 1],
  [`/cards/${id}/comments`, 2],
  [`/cards/${id}/documents`, 2],
  [`/cards/${id}/todos`, 2],
  [`/cards/${id}/tags`, 2],
  ['/todos', 1],
];
for (const [path, statements] of LISTS) {
  t.test(`GET ${path.replace(id, '{id}')}: ${statements}, regardless of the length of the page`, async (t) => {
    for (const page_size of [1, 25])
      t.equal(await statementsOf(() => api.get(path, { query: { page_size } })), statements, `${page_size} rows`);
  });
}

t.test('GET permissions is one', async (t) => {
  t.equal(await statementsOf(() => api.get(`/cards/${id}/permissions`)), 1);
});

t.test('PUT tags: the same number for 30 tags as for 1', async (t) => {
  const few = await statementsOf(() => api.put(`/cards/${id}/tags`, { tag_ids: tags.slice(0, 1) }));
  t.equal(await statementsOf(() => api.put(`/cards/${id}/tags`, { tag_ids: tags })), few);
});
