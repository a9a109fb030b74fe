import t from 'tap';
import { login, registerAdmin, testApp } from '../support/app.js';

const first = await testApp();
t.teardown(first.close);
const { api, user } = await registerAdmin(first.origin);
await api.post('/cards/bulk', {
  operations: ['Order intake', 'Order archive', 'Intake of orders'].map((name) => ({
    op: 'create',
    card: { type: 'Application', name },
  })),
});
// A second node, which has no cards in its cache.
const second = await testApp({ database: first.database });
t.teardown(second.close);
const cold = await login(second.origin, user.email);

t.test('several words by relevance, on a node that has read no card yet', async (t) => {
  for (const page_size of [1, 50]) {
    const { status, body } = await cold.api.get('/cards', {
      query: { search: 'order intake', sort_by: 'relevance', page_size },
    });
    t.equal(status, 200, JSON.stringify(body));
    t.equal(body.total, 2);
    t.equal(body.items[0]?.name, 'Order intake', 'the closest first');
  }
});

await t.test(
  'words of digits and letters are found whole and by their beginning, and long ones do no harm',
  async (t) => {
    const id = '7f3a9c12-77aa-4bcd-9e11-4e7fa1b2c3d4';
    const answer = await api.post('/cards', {
      type: 'Application',
      name: 'Hashed',
      external_id: id,
      description: `${'൰'.repeat(3)} 12e4abc ${'x'.repeat(9_000)} ${'😀漢'.repeat(1_500)}`,
    });
    t.equal(answer.status, 201, JSON.stringify(answer.body));
    for (const search of [id, '4e7fa1b2', '4e7fa1b2c3d4', '12e4', '൰൰', 'x'.repeat(200)]) {
      for (const query of [{ search }, { search, sort_by: 'relevance' }] as Record<string, string>[]) {
        const { body } = await api.get('/cards', { query });
        t.strictSame(
          [body.total, body.items.map((c) => c.name)],
          search === '൰൰' ? [0, []] : [1, ['Hashed']],
          JSON.stringify(query).slice(0, 80),
        );
      }
    }
  },
);
