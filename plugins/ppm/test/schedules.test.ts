import t from 'tap';
import { testApp } from '@lintel/sdk/testing';
import module from '../index.js';

const app = await testApp({ module });
t.teardown(app.close);

t.test('x', async (t) => {
  const { body: card } = await app.admin.post('/cards', { type: 'Initiative', name: 'Move' });
  const a = await app.admin.get(`${app.prefix}/initiatives/${card.id}/schedule`);
  t.equal(a.status, 200, JSON.stringify(a.body));
});
