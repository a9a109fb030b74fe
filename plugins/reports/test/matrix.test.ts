/** The matrix against an independent computation over the lists of cards and relations, for callers with different rights. */
import t from 'tap';
import { registerAdmin, testApp } from '../../../test/support/app.js';
import type { Answer } from '../reports/matrix-schemas.js';
import { CALLERS, fillWorld, Seen } from './relations-landscape.js';
import { checkMatrix, countedHeaders, countsOf, expectedMatrix, type Query } from './relation-oracles.js';
import { refusedParameters, wrongLinks } from './support.js';

const { origin, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const world = await fillWorld(admin);

const QUERIES: Query[] = [
  { row_type: 'Application', col_type: 'BusinessCapability', relation_type: 'applicationToBusinessCapability' },
  {
    row_type: 'BusinessCapability',
    col_type: 'Application',
    relation_type: 'applicationToBusinessCapability',
    direction: 'incoming',
  },
  {
    row_type: 'Application',
    col_type: 'BusinessCapability',
    relation_type: 'applicationToBusinessCapability',
    row_level: 1,
    col_level: 2,
  },
  { row_type: 'Application', col_type: 'Desk', relation_type: 'sits', col_level: 1 },
  { row_type: 'Application', col_type: 'Desk', relation_type: 'sits', col_level: 2 },
  { row_type: 'Application', col_type: 'Desk', relation_type: 'sits', col_level: 2, empty: true, row_level: 1 },
  { row_type: 'Application', col_type: 'BusinessCapability', relation_type: 'related', direction: 'incoming' },
  { row_type: 'Application', col_type: 'Application', relation_type: 'related' },
];

for (const name of CALLERS) {
  const { api } = world[name];
  t.test(`figures of ${name}`, async (t) => {
    const seen = await Seen.by(world[name], admin);
    for (const query of QUERIES) {
      const hidden = [query['row_type'], query['col_type']].some(
        (type) => name === 'narrow' && type === 'BusinessCapability',
      );
      if (hidden) t.equal((await api.get('/reports/matrix', { query })).status, 422, JSON.stringify(query));
      else await checkMatrix(t, api, seen, query);
    }
  });
}

t.test('filters of cards narrow the rows, and figures that no list expresses have no link', async (t) => {
  const seen = await Seen.by(admin, admin);
  const query = {
    ...QUERIES[0]!,
    'attributes.businessCriticality': 'missionCritical',
    'lifecycle.active[gte]': '2013-01-01',
  };
  const rows = seen
    .ofType('Application')
    .filter(
      ({ attributes, lifecycle }) =>
        attributes['businessCriticality'] === 'missionCritical' && (lifecycle['active'] ?? '') >= '2013-01-01',
    );
  const right = expectedMatrix(seen, query, new Set(rows.map(({ id }) => id)));
  const { body } = await admin.api.get<Answer>('/reports/matrix', { query });
  t.ok(right.total > 0);
  t.equal(body.total, right.total);
  t.same(countedHeaders(body.rows), countsOf(right.rows));
  t.same(countedHeaders(body.cols), countsOf(right.columns));
  t.same((await wrongLinks(admin.api, body, 40)).slice(0, 3), []);
  t.ok(body.cells.every(({ href }) => href !== null));
  t.ok(body.href === null && body.cols.every(({ href }) => href === null), 'the columns count only some rows');
  const { body: rolled } = await admin.api.get<Answer>('/reports/matrix', { query: { ...query, row_level: 1 } });
  t.equal(rolled.total, right.total);
  t.same((await wrongLinks(admin.api, rolled, 40)).slice(0, 3), []);
});

t.test('attributes of relations are summed or counted', async (t) => {
  const of = async (query: Query) => (await admin.api.get<Answer>('/reports/matrix', { query })).body;
  const sits = { row_type: 'Application', col_type: 'Desk', relation_type: 'sits' };
  const weights = await of({ ...sits, measure: 'weight', col_level: 1 });
  const cell = ({ cells, rows }: Answer, row: number, column: string) => {
    const id = world.applications[row];
    t.ok(rows.some((one) => one.id === id));
    return cells.find((one) => one.row_id === id && one.col_id === column);
  };
  t.match(cell(weights, 1, world.desks.root), { count: 2, value: 1.7 });
  t.match(cell(weights, 3, world.desks.root), { count: 2, value: -4 });
  t.equal(weights.sum, 19.8, 'sums are exact');
  t.equal(weights.cols.find(({ id }) => id === world.desks.alone)!.sum, 7);
  const modes = await of({ ...sits, measure: 'attributes.modes', col_level: 1 });
  t.match(cell(modes, 1, world.desks.root), {
    count: 2,
    value: null,
    values: [
      { key: 'day', label: 'By day', count: 1 },
      { key: 'night', label: 'By night', count: 1 },
      { key: null, count: 1 },
    ],
  });
  t.equal(cell(modes, 44, world.desks.alone)!.value, 'By day');
  t.same((await wrongLinks(admin.api, modes, 40)).slice(0, 3), []);
  const sure = await of({ ...sits, measure: 'sure' });
  t.equal(cell(sure, 4, world.desks.leaf)!.value, 'Yes');
  t.same((await wrongLinks(admin.api, sure, 40)).slice(0, 3), []);
  const support = await of({ ...QUERIES[0]!, measure: 'supportType', row_level: 1, col_level: 1 });
  t.ok(support.cells.some(({ values }) => values!.length > 1));
  t.same((await wrongLinks(admin.api, support, 40)).slice(0, 3), []);
});

t.test('costs of relations are summed where the caller may see them', async (t) => {
  const query = {
    row_type: 'Application',
    col_type: 'ITComponent',
    relation_type: 'applicationToITComponent',
    measure: 'costTotalAnnual',
  };
  for (const name of ['admin', 'member', 'owner'] as const) {
    const seen = await Seen.by(world[name], admin);
    const { body } = await world[name].api.get<Answer>('/reports/matrix', { query });
    const values = seen.relations.flatMap(({ type, attributes }) =>
      type === query.relation_type && typeof attributes['costTotalAnnual'] === 'number'
        ? [attributes['costTotalAnnual']]
        : [],
    );
    t.equal(body.sum, values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0), name);
    t.equal(body.measure.unit, 'EUR');
  }
  const refused = await world.viewer.api.get('/reports/matrix', { query });
  t.equal(refused.status, 422);
  t.same(
    refused.body.errors.map(({ field }) => field),
    ['measure'],
  );
  t.equal((await world.unrelated.api.get('/reports/matrix', { query })).status, 403);
});

t.test('all invalid parameters are named', async (t) => {
  const wrong = (query: Query) => refusedParameters(admin.api, 'matrix', query);
  t.equal(await wrong({}), 'col_type,relation_type,row_type');
  t.equal(
    await wrong({ row_type: 'X', col_type: 'Y', relation_type: 'Z', type: 'Application' }),
    'col_type,relation_type,row_type,type',
  );
  t.equal(await wrong({ ...QUERIES[0]!, col_type: 'Provider', measure: 'x' }), 'measure,relation_type');
  t.equal(await wrong({ ...QUERIES[0]!, direction: 'incoming' }), 'direction');
  t.equal(await wrong({ ...QUERIES[3]!, measure: 'note' }), 'measure');
  t.equal(await wrong({ ...QUERIES[0]!, row_level: 0, col_level: 11 }), 'col_level,row_level');
  t.equal(await wrong({ ...QUERIES[0]!, 'attributes.nothing': 'x' }), 'attributes.nothing');
});

t.test('as CSV: one line per cell', async (t) => {
  const { body, headers } = await admin.api.get<string>('/reports/matrix', {
    query: { ...QUERIES[3]!, measure: 'weight', format: 'csv' },
  });
  t.match(headers.get('content-type'), /^text\/csv/);
  const lines = body.trimEnd().split('\r\n');
  t.equal(lines[0], 'Application,Desk,Relations,weight');
  t.equal(lines.length, 7, 'a header and six cells');
});
