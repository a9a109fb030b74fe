import t from 'tap';
import { migrationContract, resourceContract, testApp } from '@lintel/sdk/testing';
import module from '../index.js';

const app = await testApp({ module, settings: { keep_days: 30 } });
t.teardown(app.close);
const architect = await app.asUser('architect');
const { body: card } = await architect.post('/cards', { type: 'Application', name: 'Shop' });
const path = `${app.prefix}/items`;

const checks = [
  ...resourceContract({
    app,
    path,
    kind: 'starter_item',
    create: (n) => ({ card_id: card.id, title: `Item ${n}`, note: 'Soon.' }),
    update: { note: 'Later.' },
    nullable: 'note',
    text: 'note',
    invalid: [{ body: { title: ' ', done: 'no' }, fields: ['/card_id', '/done', '/title'] }],
  }),
  ...migrationContract({ module }),
];
for (const { name, run } of checks) t.test(name, (t) => t.resolves(run()));

t.test('a card has no two items of one title', async (t) => {
  t.equal((await architect.post(path, { card_id: card.id, title: 'Twice' })).status, 201);
  t.equal((await architect.post(path, { card_id: card.id, title: 'TWICE' })).body.code, 'starter_item_taken');
  const ofCard = `/cards/${card.id}${app.cardPrefix('starter-items')}`;
  t.equal((await architect.get(ofCard, { query: { search: 'twice' } })).body.total, 1);
});

t.test('items that are done do not stay for ever', async (t) => {
  const { body: old } = await architect.post(path, { card_id: card.id, title: 'Old', done: true });
  await app.query("update starter_items set updated_at = now() - interval '31 days' where id = $1", [old.id]);
  t.strictSame(await app.runJob('starter.sweep'), { deleted: 1 });
  t.equal((await architect.get(`${path}/${old.id}`)).status, 404);
});
