/**
 * Every operation on a hidden card, by roles from whom its type is hidden: each response is that for a nonexistent card,
 * and does not reveal an existing one.
 */
import t from 'tap';
import { registerAdmin, testApp } from '../support/app.js';
import { HIDES_VAULT, hiddenWorld, MARK, matrixOf, stored } from '../support/hidden.js';
import { makeRoleUser } from '../support/roles.js';

const test = await testApp();
const { origin, close } = test;
t.teardown(close);
const admin = await registerAdmin(origin);
const plain = await makeRoleUser(test, admin, 'blind_plain', { like: 'architect', types: HIDES_VAULT });
const holder = await makeRoleUser(test, admin, 'blind_holder', { like: 'architect', types: HIDES_VAULT });
const inheriting = await makeRoleUser(test, admin, 'blind_inheriting', { like: 'architect', types: HIDES_VAULT });
const world = await hiddenWorld(admin, holder);
// A user has an inherited role on the visible card above the hidden one.
await world.make('/metamodel/types/Desk/stakeholder-roles', {
  key: 'head',
  label: 'Head',
  inherited: true,
  permissions: {
    'card.edit': true,
    'card.archive': true,
    'card.approve': true,
    'card.view_costs': true,
    'card.manage_relations': true,
  },
});
await world.make(`/cards/${world.desk}/stakeholders`, { user_id: inheriting.user.id, role: 'head' });
const { routes, compare, shown, ids } = await matrixOf(test, admin, world);

for (const [who, session] of [
  ['type hidden', plain],
  ['a stakeholder of the card', holder],
  ['an inherited role above it', inheriting],
] as const) {
  t.test(`${who}: every operation on a hidden card gets the response for a nonexistent one`, async (t) => {
    const before = await stored(test, world);
    for (const route of routes) await compare(t, who, session, route);
    t.equal(await stored(test, world), before, 'the hidden cards are unchanged');
    for (const path of [
      `/cards/${world.vault}`,
      `/cards/${world.vault}/history`,
      `/cards/${world.vault}/hierarchy`,
      `/cards/${world.vault}/permissions`,
      `/cards/${world.vault}/sections`,
      `/cards/${world.vault}/impact`,
      `/relations/${world.hiddenRelation}`,
    ]) {
      t.equal((await session.api.get(path)).status, 404, path);
    }
    for (const body of [{ name: 'x' }, {}])
      t.equal(
        (await session.api.patch(`/cards/${world.vault}`, body, { headers: { 'if-match': '"99"' } })).status,
        404,
        'before its version is checked',
      );
    t.equal(await stored(test, world), before, 'the hidden cards are unchanged');
  });
}

t.test('lists, counts and exports contain nothing of a hidden type', async (t) => {
  for (const session of [plain, holder, inheriting]) {
    for (const path of [
      '/cards?page_size=200',
      '/cards?status=ACTIVE,ARCHIVED&sort_by=attributes.twin',
      `/cards?search=${MARK}`,
      `/cards?ids=${world.vault},${world.inner}`,
      `/cards?external_id=${MARK}-1`,
      '/cards/facets',
      `/cards/${world.desk}/hierarchy?depth=5`,
      `/cards/${world.desk}/impact?direction=both`,
      `/cards/${world.desk}/archive-impact`,
      `/cards/${world.below}`,
      `/cards/${world.below}/history`,
      `/cards/${world.below}/permissions`,
      '/relations?page_size=200',
      `/relations?card_id=${world.inner}`,
      `/relations/${world.relation}`,
      '/todos',
      '/cards/export?format=csv',
      '/cards/export?format=ndjson',
      '/cards/export?format=json',
      `/cards/export?format=ndjson&root_id=${world.desk}`,
    ]) {
      const answer = await session.api.get(path);
      t.equal(answer.status, 200, path);
      const text = shown(answer, path);
      t.notOk(text.includes(MARK) || ids.some((id) => text.includes(id)), `${path}: ${text.slice(0, 2_000)}`);
    }
    t.equal((await session.api.get<{ total: number }>('/cards', { query: { type: 'Vault' } })).body.total, 0);
    t.equal(
      (await session.api.get<{ total: number }>('/cards', { query: { parent_id: world.vault } })).body.total,
      0,
      'no card is below a nonexistent one',
    );
    t.equal((await session.api.get<{ total: number }>('/cards', { query: { root_id: world.vault } })).body.total, 0);
    t.equal(
      (await session.api.get<{ total: number }>('/cards', { query: { 'attributes.twin': world.inner } })).body.total,
      0,
    );
    t.match((await session.api.get(`/cards/${world.desk}/archive-impact`)).body, {
      child_count: 1,
      descendant_count: 2,
      related_count: 0,
    });
  }
});
