/** A node that has not read the latest metamodel yet, because the notification of a change may take a moment or be lost. */
import t from 'tap';
import { login, registerAdmin, testApp, type Session } from '../../support/app.js';
import { makeRoleUser } from '../../support/roles.js';

const one = await testApp();
const two = await testApp({ database: one.database });
t.teardown(() => Promise.all([one.close(), two.close()]));
const admin = await registerAdmin(one.origin);
const stale = await login(two.origin, admin.user.email);
const reader = await makeRoleUser(one, admin, 'editor', { like: 'architect', without: ['costs.view'] });
const editor = await login(two.origin, reader.user.email);
// It then reads the revisions only where it no longer trusts its caches, after a second, or where a write demands it.
await two.app.services.notifier.close();
two.app.services.revisions.close();

let types = 0;

interface Objects {
  type: string;
  feeds: string;
  card: string;
  child: string;
  relation: string;
}

/** Cards and a relation of types that the other node does not know. */
async function objects({ api }: Session): Promise<Objects> {
  const n = ++types;
  const [type, feeds] = [`Unknown${n}`, `feeds${n}`];
  const make = async (path: string, body: object): Promise<string> => {
    const answer = await api.post<{ id: string }>(path, body);
    if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body.id;
  };
  await make('/metamodel/types', {
    key: type,
    label: type,
    has_hierarchy: true,
    allowed_parent_types: [type],
    sections: [{ key: 'main', label: 'Main', fields: [{ key: 'fee', kind: 'cost' }] }],
  });
  await make('/metamodel/relation-types', {
    key: feeds,
    label: feeds,
    source_type: type,
    target_type: type,
    fields: [{ key: 'note', kind: 'text' }],
  });
  const card = await make('/cards', { type, name: `Card ${n}`, attributes: { fee: 1 } });
  const child = await make('/cards', { type, name: `Child ${n}`, parent_id: card });
  const relation = await make('/relations', { type: feeds, source_id: card, target_id: child });
  return { type, feeds, card, child, relation };
}

type Call = [method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object];

const writes: Record<string, (o: Objects) => Call> = {
  'a card is changed': ({ card }) => ['PATCH', `/cards/${card}`, { attributes: { fee: 2 } }],
  'a card is moved': ({ child }) => ['PATCH', `/cards/${child}`, { parent_id: null }],
  'a card is created': ({ type, card }) => ['POST', '/cards', { type, name: `New ${types}`, parent_id: card }],
  'a card is approved': ({ card }) => ['POST', `/cards/${card}/approval`, { action: 'approve' }],
  'a card is archived': ({ child }) => ['POST', `/cards/${child}/archive`],
  'a card is deleted': ({ child }) => ['DELETE', `/cards/${child}`],
  'cards are changed together': ({ card, child }) => [
    'POST',
    '/cards/bulk',
    { operations: [card, child].map((id) => ({ op: 'update', id, card: { description: 'Changed' } })) },
  ],
  'a relation is changed': ({ relation }) => ['PATCH', `/relations/${relation}`, { attributes: { note: 'Changed' } }],
  'a relation is deleted': ({ relation }) => ['DELETE', `/relations/${relation}`],
  'a relation is upserted': ({ feeds, card, child }) => [
    'POST',
    '/relations/bulk',
    { operations: [{ op: 'upsert', type: feeds, source_id: card, target_id: child, attributes: { note: 'Changed' } }] },
  ],
};

for (const [what, callOf] of Object.entries(writes))
  await t.test(what, async (t) => {
    const [method, path, body] = callOf(await objects(admin));
    const answer = await stale.api.send(method, path, body);
    t.ok(answer.status < 300, `${answer.status} ${JSON.stringify(answer.body)}`);
  });

await t.test('costs of a type that the node does not know are hidden and refused', async (t) => {
  const { card } = await objects(admin);
  const changed = await editor.api.patch<{ attributes: object }>(`/cards/${card}`, { description: 'Changed' });
  t.equal(changed.status, 200);
  t.notOk('fee' in changed.body.attributes, 'in the response of a change');
  const other = await objects(admin);
  const refused = await editor.api.patch(`/cards/${other.card}`, { attributes: { fee: 2 } });
  t.equal(refused.status, 403, JSON.stringify(refused.body));
});

await t.test('reads are no errors of the service', async (t) => {
  const { type, card, relation } = await objects(admin);
  for (const path of [
    `/cards/${card}`,
    `/cards?type=${type}`,
    '/cards?sort_by=updated_at&sort_dir=desc',
    '/cards/facets',
    `/cards/${card}/hierarchy`,
    `/cards/${card}/history`,
    `/cards/${card}/permissions`,
    `/cards/${card}/impact`,
    '/cards/export?format=ndjson',
    '/cards/export?format=csv',
    `/relations/${relation}`,
    `/relations?card_id=${card}`,
  ]) {
    const { status, body } = await stale.api.get(path);
    t.ok(status < 500, `${path}: ${status} ${JSON.stringify(body).slice(0, 200)}`);
  }
});
