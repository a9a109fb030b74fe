/**
 * A stakeholder of a card writes the diagrams with the card. The right is that of the moment at which the diagram is written: not
 * of the one at which the request came, while another user was changing the cards of the diagram.
 */
import t from 'tap';
import pg from 'pg';
import { drawing } from '../../plugins/diagrams/test/drawings.js';
import { expectStatus, makeUser, registerAdmin, testApp, until, type Answer } from '../support/app.js';
import { lockWaiters } from '../support/database.js';

const { database, origin, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const holder = await makeUser(admin, 'viewer');
const card = async (name: string): Promise<string> =>
  expectStatus(await admin.api.post('/cards', { type: 'Application', name }), 201, name).body.id;
const [own, other] = [await card('Own'), await card('Other')];
const type = await admin.api.get<{ stakeholder_roles: { key: string }[] }>('/metamodel/types/Application');
const [first, ...rest] = type.body.stakeholder_roles;
expectStatus(
  await admin.api.patch('/metamodel/types/Application', {
    stakeholder_roles: [{ ...first, permissions: { 'card.diagrams_manage': true } }, ...rest],
  }),
  200,
  'a stakeholder role',
);
expectStatus(
  await admin.api.post(`/cards/${own}/stakeholders`, { user_id: holder.user.id, role: first!.key }),
  201,
  'a stakeholder',
);
const make = async (card_ids: string[]): Promise<string> =>
  expectStatus(await admin.api.post('/diagrams', { name: 'Contested', card_ids }), 201, 'a diagram').body.id;

/** Runs two writes of a diagram, of which the first one gets its lock first while the second one waits for it. */
async function inOrder(id: string, before: () => Promise<Answer>, after: () => Promise<Answer>): Promise<Answer[]> {
  const client = new pg.Client(database);
  await client.connect();
  try {
    await client.query('begin');
    await client.query('select id from diagrams_diagrams where id = $1 for update', [id]);
    const one = before();
    await until(async () => (await lockWaiters(database)) >= 1);
    const two = after();
    await until(async () => (await lockWaiters(database)) >= 2);
    await client.query('commit');
    return await Promise.all([one, two]);
  } finally {
    await client.end();
  }
}

const CONTENT = drawing([{ id: 'a', label: 'By the stakeholder' }]);
const WRITES: Record<string, (id: string) => Promise<Answer>> = {
  rename: (id) => holder.api.patch(`/diagrams/${id}`, { name: 'By the stakeholder' }),
  save: (id) => holder.api.patch(`/diagrams/${id}`, { content: CONTENT }),
  restore: (id) => holder.api.post(`/diagrams/${id}/versions/1/restore`),
  delete: (id) => holder.api.del(`/diagrams/${id}`),
};

for (const [what, write] of Object.entries(WRITES))
  t.test(`${what} after the card of the stakeholder was removed`, async (t) => {
    const id = await make([own]);
    expectStatus(await admin.api.patch(`/diagrams/${id}`, { content: drawing([{ id: 'a', label: 'New' }]) }), 200, '2');
    const [removed, late] = await inOrder(
      id,
      () => admin.api.patch(`/diagrams/${id}`, { card_ids: [other] }),
      () => write(id),
    );
    t.match([removed!.status, late!.status], [200, 403], JSON.stringify(late!.body));
    t.match((await admin.api.get(`/diagrams/${id}`)).body, { name: 'Contested', version: 3, content_version: 2 });
  });

t.test('delete after another card was added', async (t) => {
  const id = await make([own]);
  const more = (): Promise<Answer> => admin.api.patch(`/diagrams/${id}`, { card_ids: [own, other] });
  const [added, late] = await inOrder(id, more, () => holder.api.del(`/diagrams/${id}`));
  t.match([added!.status, late!.status], [200, 403], JSON.stringify(late!.body));
  t.equal((await admin.api.get(`/diagrams/${id}`)).status, 200);
});

t.test('a link that another user has removed is not added again', async (t) => {
  const id = await make([own, other]);
  const less = (): Promise<Answer> => admin.api.patch(`/diagrams/${id}`, { card_ids: [own] });
  const [removed, late] = await inOrder(id, less, () =>
    holder.api.patch(`/diagrams/${id}`, { name: 'Renamed', card_ids: [own, other] }),
  );
  t.match([removed!.status, late!.status], [200, 403], JSON.stringify(late!.body));
});

t.test('writes whose right has not changed wait and succeed', async (t) => {
  for (const what of ['rename', 'save', 'restore', 'delete']) {
    const id = await make([own]);
    const [, late] = await inOrder(
      id,
      () => admin.api.patch(`/diagrams/${id}`, { description: 'x' }),
      () => WRITES[what]!(id),
    );
    t.ok(late!.status < 300, `${what}: ${late!.status} ${JSON.stringify(late!.body)}`);
  }
});
