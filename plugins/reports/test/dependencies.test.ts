/** The graph of dependencies against a traversal of the lists of cards and relations, for callers with different rights. */
import t from 'tap';
import { refusedParameters } from './support.js';
import { registerAdmin, testApp } from '../../../test/support/app.js';
import { layersOf } from '../reports/dependencies-layers.js';
import type { Answer } from '../reports/dependencies-schemas.js';
import { CALLERS, fillWorld, Seen } from './relations-landscape.js';
import { checkAround, checkOfType, type Query } from './relation-oracles.js';

const { origin, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const world = await fillWorld(admin);

for (const name of CALLERS) {
  const { api } = world[name];
  t.test(`around a card, for ${name}`, async (t) => {
    const seen = await Seen.by(world[name], admin);
    for (const start of [world.applications[1]!, world.capabilities[1]!])
      for (const direction of ['downstream', 'upstream', 'both'] as const)
        for (const [depth, types] of [
          [undefined, undefined],
          [1, undefined],
          [6, ['related', 'sits']],
        ] as const) {
          await checkAround(t, api, seen, start, direction, depth, types);
        }
  });

  // Hidden cards in the middle, and at the ends.
  if (!['admin', 'narrow', 'outsider'].includes(name)) continue;
  t.test(`of a type, for ${name}`, async (t) => {
    const seen = await Seen.by(world[name], admin);
    for (const direction of ['downstream', 'upstream', 'both'] as const)
      for (const depth of [1, 2])
        for (const filter of [{}, { 'attributes.timeModel': 'invest' }] as Query[]) {
          await checkOfType(
            t,
            api,
            seen,
            { type: 'Application', direction, depth, ...filter },
            ({ attributes }) => Object.keys(filter).length === 0 || attributes['timeModel'] === 'invest',
          );
        }
  });
}

t.test('cycles are broken in the same way each time, and end at the longest path', async (t) => {
  const ids = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id }));
  const edge = (text: string) => ({ source_id: text[0]!, target_id: text[1]! });
  const layers = (...edges: string[]) => [...layersOf(ids, edges.map(edge)).values()].join('');
  t.equal(layers(), '00000');
  t.equal(layers('ab', 'bc', 'ac', 'cd'), '01230');
  t.equal(layers('ab', 'ba'), '01000', 'the relation found first is kept');
  t.equal(layers('ba', 'ab'), '01000');
  t.equal(layers('aa', 'ab', 'ab'), '01000', 'a relation of a card to itself has no influence');
  t.equal(layers('bc', 'cb', 'ab', 'cd', 'db'), '01230');
});

t.test('at most 500 cards, the nearest ones', async (t) => {
  const hub = (await admin.api.post('/cards', { type: 'Provider', name: 'Hub' })).body.id;
  const near = Array.from({ length: 520 }, (_, n) => ({
    op: 'create',
    card: { type: 'DataObject', name: `Near ${n}` },
  }));
  const made = await admin.api.post<{ results: { id: string }[] }>('/cards/bulk', { operations: near });
  t.equal(made.status, 200, JSON.stringify(made.body).slice(0, 300));
  const related = await admin.api.post('/relations/bulk', {
    operations: made.body.results.map(({ id }) => ({ op: 'create', type: 'related', source_id: hub, target_id: id })),
  });
  t.equal(related.status, 200, JSON.stringify(related.body).slice(0, 300));
  const { body } = await admin.api.get<Answer>('/reports/dependencies', { query: { card_id: hub } });
  t.same([body.nodes.length, body.edges.length, body.truncated], [500, 499, true]);
  const ofType = await admin.api.get<Answer>('/reports/dependencies', {
    query: { type: 'DataObject', direction: 'both' },
  });
  t.same([ofType.body.nodes.length, ofType.body.total, ofType.body.truncated], [500, 520, true]);
});

t.test('invalid parameters are named together, and cards that the caller cannot see are unknown', async (t) => {
  const wrong = (query: Query, by = admin) => refusedParameters(by.api, 'dependencies', query);
  const [card_id] = world.applications;
  t.equal(await wrong({}), 'card_id');
  t.equal(await wrong({ card_id: card_id!, type: 'Nothing', relation_type: 'x' }), 'relation_type,type,type');
  t.equal(
    await wrong({ card_id: card_id!, status: 'ACTIVE', 'attributes.timeModel': 'invest' }),
    'attributes.timeModel,status',
  );
  t.equal(await wrong({ type: 'Application', depth: 7, direction: 'up' }), 'depth,direction');
  t.equal(await wrong({ card_id: 'x' }), 'card_id');
  t.equal(await wrong({ card_id: '0198f3a0-7c1e-7a52-9d3c-5f0f6b3f4e21' }), '404');
  t.equal(await wrong({ card_id: world.capabilities[0]! }, world.narrow), '404');
  t.equal(await wrong({ card_id: card_id! }, world.unrelated), '403');
  t.equal(await wrong({ type: 'Application' }, world.unrelated), '403');
});
