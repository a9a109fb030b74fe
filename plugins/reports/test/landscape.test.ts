/** The landscape against an independent computation over the lists of cards and relations, for callers with different rights. */
import t from 'tap';
import { expectStatus, makeUser, registerAdmin, testApp } from '../../../test/support/app.js';
import type { Answer } from '../reports/landscape-schemas.js';
import { CALLERS, fillWorld, Seen } from './relations-landscape.js';
import { checkLandscape, flat, partners, type LandscapeQuery, type Query } from './relation-oracles.js';
import { refusedParameters, wrongLinks } from './support.js';

const { origin, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const world = await fillWorld(admin);

const CRITICAL = { type: 'Application', parent_type: 'BusinessCapability', color_by: 'businessCriticality' };
const QUERIES: LandscapeQuery[] = [
  { ...CRITICAL, relation: 'applicationToBusinessCapability' },
  { ...CRITICAL, relation: 'applicationToBusinessCapability', level: 2 },
  { ...CRITICAL, relation: 'related', relation_type: 'related' },
  { type: 'Application', parent_type: 'Desk', relation: 'sits', color_by: 'numberOfUsers' },
  { type: 'Application', parent_type: 'Desk', relation: 'sits', level: 2 },
  { type: 'Application', parent_type: 'Desk', relation: 'sits', level: 1, color_by: 'lifecycle_phase' },
];

for (const name of CALLERS) {
  const { api } = world[name];
  t.test(`figures of ${name}`, async (t) => {
    const seen = await Seen.by(world[name], admin);
    for (const query of QUERIES) {
      const isHidden = name === 'narrow' && query.parent_type === 'BusinessCapability';
      const { relation: _relation, ...given } = query;
      if (isHidden) t.equal((await api.get('/reports/landscape', { query: given })).status, 422);
      else await checkLandscape(t, api, seen, query);
    }
  });
}

t.test('filters of cards narrow the cards, and filters by relations leave boxes without a link', async (t) => {
  const query = { ...CRITICAL, 'attributes.timeModel': 'invest,migrate' };
  const { body } = await admin.api.get<Answer>('/reports/landscape', { query });
  const seen = await Seen.by(admin, admin);
  const cards = seen
    .ofType('Application')
    .filter(({ attributes }) => ['invest', 'migrate'].includes(String(attributes['timeModel'])));
  const far = partners(seen, cards, 'applicationToBusinessCapability');
  t.equal(body.total, cards.length);
  t.equal(body.unassigned.count, [...far.values()].filter(({ length }) => length === 0).length);
  for (const box of flat(body.boxes))
    t.equal(box.count, [...far.values()].filter((all) => all.some((id) => seen.isIn(id, box.id))).length);
  t.same((await wrongLinks(admin.api, body, 40)).slice(0, 3), []);
  const { body: related } = await admin.api.get<Answer>('/reports/landscape', {
    query: { ...CRITICAL, has_relation: 'applicationToITComponent' },
  });
  t.ok(flat(related.boxes).every(({ href }) => href === null));
  t.ok(related.total > 0 && related.total < seen.ofType('Application').length);
  t.same((await wrongLinks(admin.api, related, 40)).slice(0, 3), []);
});

t.test('cards whose relations are hidden from the caller are not counted as being in no box', async (t) => {
  const role = {
    key: 'blind',
    label: 'Blind',
    permissions: ['cards.view', 'relations.view', 'reports.view'],
    types: { Application: { 'relations.view': false } },
  };
  expectStatus(await admin.api.post('/roles', role), 201, 'making a role');
  const { api } = await makeUser(admin, 'blind');
  const { body } = await api.get<Answer>('/reports/landscape', { query: CRITICAL });
  t.ok(body.total > 0);
  t.equal(body.unassigned.count, 0);
  t.ok(flat(body.boxes).every(({ count, cards }) => count === 0 && cards.length === 0));
  t.same((await wrongLinks(api, body, 40)).slice(0, 3), []);
});

t.test('invalid parameters are named together', async (t) => {
  const wrong = (query: Query) => refusedParameters(admin.api, 'landscape', query);
  t.equal(await wrong({}), 'parent_type,type');
  t.equal(await wrong({ type: 'X', parent_type: 'Y' }), 'parent_type,type');
  t.equal(await wrong({ ...CRITICAL, relation_type: 'sits', color_by: 'nothing' }), 'color_by,relation_type');
  t.equal(
    await wrong({ type: 'Organization', parent_type: 'Provider' }),
    '200',
    'the general relation type is the only one',
  );
  t.equal(
    await wrong({ type: 'BusinessProcess', parent_type: 'BusinessProcess' }),
    'relation_type',
    'there are several',
  );
  const { status } = await world.unrelated.api.get('/reports/landscape', { query: CRITICAL });
  t.equal(status, 403);
});

t.test('as CSV: one line per card in a box', async (t) => {
  const { body: answer } = await admin.api.get<Answer>('/reports/landscape', { query: CRITICAL });
  const { body } = await admin.api.get<string>('/reports/landscape', { query: { ...CRITICAL, format: 'csv' } });
  const placed = flat(answer.boxes).reduce((sum, { cards }) => sum + cards.length, 0);
  t.equal(body.trimEnd().split('\r\n').length, placed + 1);
  t.match(body, /^Capability 0 \/ Capability 1 \/ Capability 2,/m);
});
