/** Statements for inherited roles: whether the caller holds one above a card is read by the statement that reads the card. */
import t from 'tap';
import { makeUser, registerAdmin, testApp, type AnyBody, type Client } from '../support/app.js';
import { noJobs } from '../support/jobs.js';
import { watchStatements } from '../support/statements.js';

const watch = watchStatements();
const { origin, database, close } = await testApp();
t.teardown(async () => {
  watch.stop();
  await close();
});
const admin = await registerAdmin(origin);
const { api } = admin;
const must = async (status: number, answer: Promise<{ status: number; body: AnyBody }>): Promise<AnyBody> => {
  const { status: got, body } = await answer;
  if (got !== status) throw new Error(JSON.stringify(body));
  return body;
};
await must(
  201,
  api.post('/roles', {
    key: 'clerk',
    label: 'Clerk',
    permissions: ['cards.view', 'cards.bulk', 'relations.view', 'stakeholders.view'],
  }),
);
await must(
  201,
  api.post('/metamodel/types/Application/stakeholder-roles', {
    key: 'steward',
    inherited: true,
    permissions: ['card.edit', 'card.view_costs', 'card.manage_relations'],
  }),
);
const [heir, clerk] = [await makeUser(admin, 'clerk'), await makeUser(admin, 'clerk')];
const root = await must(201, api.post('/cards', { type: 'Application', name: 'Root' }));
await must(
  200,
  api.post('/cards/bulk', {
    operations: Array.from({ length: 300 }, (_, i) => ({
      op: 'create',
      card: { type: 'Application', name: `Card ${i}`, parent: { id: root.id }, attributes: { costTotalAnnual: i } },
    })),
  }),
);
const cards = (await api.get('/cards', { query: { parent_id: root.id, page_size: 200 } })).body.items;
await must(201, api.post(`/cards/${root.id}/stakeholders`, { user_id: heir.user.id, role: 'steward' }));
for (let i = 0; i < 20; i++)
  await must(201, api.post('/relations', { type: 'related', source_id: cards[i]!.id, target_id: root.id }));
// The change of the type queued a job that updates scores: a concurrent bulk request on the same rows may have to be repeated.
await noJobs(database);

/** Runs once to warm the caches, then counts. */
async function statementsOf(work: () => Promise<{ status: number }>): Promise<number> {
  await work();
  const { answer, statements } = await watch.during(work);
  t.equal(answer.status, 200);
  return statements.length;
}

await t.test('a list, a card, facets: one statement, with and without such a role', async (t) => {
  for (const { api: by } of [heir, clerk]) {
    for (const page_size of [1, 50, 200])
      t.equal(
        await statementsOf(() => by.get('/cards', { query: { page_size, sort_by: 'attributes.costTotalAnnual' } })),
        1,
        `${page_size} rows`,
      );
    t.equal(
      await statementsOf(() =>
        by.get('/cards', { query: { type: 'Application', 'attributes.costTotalAnnual[gt]': '5', search: 'card' } }),
      ),
      1,
      'filtered, searched',
    );
    t.equal(await statementsOf(() => by.get(`/cards/${cards[0]!.id}`)), 1);
    t.equal(await statementsOf(() => by.get('/cards/facets')), 1);
    t.equal(await statementsOf(() => by.get(`/cards/${cards[0]!.id}/permissions`)), 1);
  }
});

await t.test('relations and bulk do not grow with the rows', async (t) => {
  const list = (page_size: number) => statementsOf(() => heir.api.get('/relations', { query: { page_size } }));
  t.equal(await list(1), await list(20));
  let n = 0;
  const bulk = (by: Client, count: number) =>
    statementsOf(() =>
      by.post('/cards/bulk', {
        operations: cards.slice(0, count).map(({ id }) => ({
          op: 'update',
          id,
          card: { parent_id: root.id, description: `d${++n}`, attributes: { costTotalAnnual: n } },
        })),
      }),
    );
  t.equal(await bulk(heir.api, 3), await bulk(heir.api, 200));
  const relate = (count: number) =>
    statementsOf(() =>
      heir.api.post('/relations/bulk', {
        operations: cards.slice(0, count).map(({ id }) => ({
          op: 'upsert',
          type: 'related',
          source_id: id,
          target_id: root.id,
          description: `d${++n}`,
        })),
      }),
    );
  t.equal(await relate(3), await relate(20));
});
