/** Moving a card below another gives permissions by inherited roles: only what the one who moves it may give. */
import t from 'tap';
import { expectStatus, makeUser, registerAdmin, testApp, type AnyBody, type Client } from '../support/app.js';
import { ApiTokens } from '../support/api-tokens.js';

const { origin, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const { api } = admin;
const tokens = new ApiTokens(origin);

const MANAGES = 'card.manage_stakeholders';
const PRICE = 4711;
type Results = { results: { outcome: string }[] };
let n = 0;
const make = async (path: string, body: object, by: Client = api): Promise<string> =>
  expectStatus(await by.post(path, body), 201, path).body.id;
const card = (parent_id: string | null = null) =>
  make('/cards', { type: 'Domain', name: `Card ${++n}`, parent_id, attributes: { fee: PRICE } });
const name = (id: string, user_id: string, role: string, by: Client = api) =>
  by.post(`/cards/${id}/stakeholders`, { user_id, role });
const move = (by: Client, id: string, parent_id: string | null) => by.patch(`/cards/${id}`, { parent_id });
const moveInBulk = async (by: Client, id: string, parent_id: string) => {
  const operations = [{ op: 'update', id, card: { parent_id } }];
  const body = { mode: 'per_row', operations };
  return expectStatus(await by.post<Results>('/cards/bulk', body), 200, 'a bulk request').body.results[0]!.outcome;
};
const seesCosts = async (by: Client, id: string) =>
  (await by.get<{ attributes: AnyBody }>(`/cards/${id}`)).body.attributes['fee'] === PRICE;

await make('/metamodel/types', {
  key: 'Domain',
  label: 'Domain',
  has_hierarchy: true,
  allowed_parent_types: ['Domain'],
  sections: [{ key: 's', label: 'S', fields: [{ key: 'fee', label: 'Fee', kind: 'cost' }] }],
  stakeholder_roles: [
    { key: 'governor', permissions: ['card.edit', 'card.archive', 'card.view_costs', MANAGES], inherited: true },
    { key: 'editor', permissions: ['card.edit'], inherited: true },
    { key: 'mayor', permissions: [MANAGES] },
  ],
});
const EDIT = ['cards.view', 'cards.edit', 'cards.bulk'];
await make('/roles', { key: 'editors', label: 'Editors', permissions: [...EDIT, 'stakeholders.view'] });

t.test('a token with fewer permissions gives its account nothing that the session is refused', async (t) => {
  const editor = await makeUser(admin, 'editors');
  const [own, wanted] = [await card(), await card()];
  expectStatus(await name(own, editor.user.id, 'governor'), 201, 'a role');
  t.equal((await move(editor.api, wanted, own)).status, 403, 'the session');
  for (const permissions of [EDIT, [...EDIT, 'card.view_costs'], [...EDIT, 'stakeholders.view'], ['*']]) {
    const token = await tokens.of(editor, permissions);
    t.equal((await move(token, wanted, own)).status, 403, permissions.join());
    t.equal(await moveInBulk(token, wanted, own), 'failed', permissions.join());
  }
  t.notOk(await seesCosts(editor.api, wanted));
});

t.test('a token does not give others a role that manages by moving a card below theirs', async (t) => {
  const other = await makeUser(admin, 'viewer');
  const [theirs, edited, wanted] = [await card(), await card(), await card()];
  expectStatus(await name(theirs, other.user.id, 'governor'), 201, 'a role that manages');
  expectStatus(await name(edited, other.user.id, 'editor'), 201, 'one that does not');
  const below = await card(theirs);
  for (const owner of [admin, await makeUser(admin, 'architect')]) {
    const token = await tokens.of(owner, owner === admin ? ['*'] : ['cards.view', 'cards.edit', 'cards.bulk']);
    for (const parent of [theirs, below]) {
      t.match(await move(token, wanted, parent), { status: 403, body: { code: 'session_required' } });
      t.equal(await moveInBulk(token, wanted, parent), 'failed');
    }
    t.equal((await move(token, wanted, edited)).status, 200, 'below a card with another role');
    t.equal((await move(token, wanted, null)).status, 200);
    const inside = await card(theirs);
    t.equal((await move(token, inside, below)).status, 200, 'within the tree nothing is given');
    t.equal((await token.patch(`/cards/${inside}`, { parent_id: below, description: 'x' })).status, 200);
  }
  t.notOk(await seesCosts(other.api, wanted));
  t.equal((await move(api, wanted, theirs)).status, 200, 'a session may');
  t.ok(await seesCosts(other.api, wanted));
});

t.test('managing the stakeholders of a card does not excuse what is gained on the cards below it', async (t) => {
  const editor = await makeUser(admin, 'editors');
  const [own, wanted] = [await card(), await card()];
  expectStatus(await name(own, editor.user.id, 'governor'), 201, 'a role');
  const step = await card(own);
  expectStatus(await name(step, editor.user.id, 'mayor', editor.api), 201, 'on a card below the own one');
  t.equal((await move(editor.api, step, null)).status, 200);
  t.equal((await move(editor.api, wanted, step)).status, 200, 'nothing is gained there');
  t.match(await move(editor.api, step, own), { status: 403, body: { required_permission: 'stakeholders.manage' } });
  t.notOk(await seesCosts(editor.api, wanted));
  expectStatus(await name(step, editor.user.id, 'governor'), 201, 'an inherited role that manages');
  t.equal((await move(editor.api, step, own)).status, 200, 'covers the cards below');
});

t.test('nor does managing them for the type of the card alone', async (t) => {
  await make('/metamodel/types', {
    key: 'Town',
    label: 'Town',
    has_hierarchy: true,
    allowed_parent_types: ['Domain'],
  });
  const permissions = [...EDIT, 'stakeholders.view'];
  const types = { Domain: { 'stakeholders.manage': true } };
  await make('/roles', { key: 'narrow', label: 'Narrow', permissions, types });
  const editor = await makeUser(admin, 'narrow');
  const [own, wanted] = [await card(), await card()];
  expectStatus(await name(own, editor.user.id, 'governor'), 201, 'a role');
  t.equal((await move(editor.api, wanted, own)).status, 403);
  const both = { Domain: { 'stakeholders.manage': true }, Town: { 'stakeholders.manage': true } };
  expectStatus(await api.patch('/roles/narrow', { types: both }), 200, 'for all types below');
  t.equal((await move(editor.api, wanted, own)).status, 200);
});
