/** The graph of dependencies against a traversal of the lists of cards and relations, for callers with different rights. */
import t, { type Test } from 'tap';
import { registerAdmin, testApp } from '../../../test/support/app.js';
import { layersOf } from '../reports/dependencies-layers.js';
import type { Answer } from '../reports/dependencies-schemas.js';
import { CALLERS, fillWorld, Seen } from './relations-landscape.js';
import { wrongLinks, type Relation } from './support.js';

const { origin, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const world = await fillWorld(admin);

type Query = Record<string, string | number | boolean>;
type Direction = 'downstream' | 'upstream' | 'both';
const TODAY = new Date().toISOString().slice(0, 10);

const valid = (seen: Seen, types?: readonly string[]): Relation[] =>
  seen.relations.filter(
    ({ type, valid_to }) => (types?.includes(type) ?? true) && (valid_to === null || valid_to >= TODAY),
  );

/** Distances by a traversal of all relations. */
function distances(
  relations: readonly Relation[],
  start: string,
  depth: number,
  direction: Direction,
): Map<string, number> {
  const found = new Map([[start, 0]]);
  for (let level = 1; level <= depth; level++) {
    const add = (from: string, to: string): void => {
      if (found.get(from) === level - 1 && !found.has(to)) found.set(to, level);
    };
    for (const { source_id, target_id } of relations) {
      if (direction !== 'upstream') add(source_id, target_id);
      if (direction !== 'downstream') add(target_id, source_id);
    }
  }
  return found;
}

function checkLayers(t: Test, { nodes, edges, layers }: Answer): void {
  const at = new Map(nodes.map(({ id, layer }) => [id, layer]));
  t.same(layers.flatMap(({ layer, ids }) => ids.map((id) => [id, layer])).sort(), [...at].sort());
  t.ok(edges.every(({ source_id, target_id }) => at.has(source_id) && at.has(target_id)));
  const followed = nodes.every(
    ({ id, layer }) =>
      layer === 0 || edges.some((edge) => edge.target_id === id && at.get(edge.source_id) === layer - 1),
  );
  t.ok(followed, 'a card is in the layer after one with a relation to it');
}

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
          const query = {
            card_id: start.toUpperCase(),
            direction,
            ...(depth !== undefined && { depth }),
            ...(types && { relation_type: types.join(',') }),
          };
          const { status, body } = await api.get<Answer>('/reports/dependencies', { query });
          t.equal(status, seen.cards.has(start) ? 200 : 404);
          if (status !== 200) continue;
          const relations = valid(seen, types);
          const near = distances(relations, start, depth ?? 3, direction);
          t.same(body.nodes.map((node) => [node.id, node.depth]).sort(), [...near].sort(), JSON.stringify(query));
          t.same(body.nodes[0], { ...body.nodes[0], id: start, depth: 0 });
          const isFollowed = ({ source_id, target_id }: Relation): boolean =>
            (direction !== 'upstream' && (near.get(source_id) ?? 99) < (depth ?? 3)) ||
            (direction !== 'downstream' && (near.get(target_id) ?? 99) < (depth ?? 3));
          t.same(
            body.edges.map(({ id }) => id).sort(),
            relations
              .filter(isFollowed)
              .map(({ id }) => id)
              .sort(),
          );
          t.equal(body.truncated, false);
          t.ok(body.nodes.every((node) => seen.cards.get(node.id)!.name === node.name));
          checkLayers(t, body);
        }
  });

  // Hidden cards in the middle, and at the ends.
  if (!['admin', 'narrow', 'outsider'].includes(name)) continue;
  t.test(`of a type, for ${name}`, async (t) => {
    const seen = await Seen.by(world[name], admin);
    for (const direction of ['downstream', 'upstream', 'both'] as const)
      for (const depth of [1, 2])
        for (const filter of [{}, { 'attributes.timeModel': 'invest' }] as Query[]) {
          const query = { type: 'Application', direction, depth, ...filter };
          const { status, body } = await api.get<Answer>('/reports/dependencies', { query });
          t.equal(status, 200, JSON.stringify(query));
          const cards = new Set(
            seen
              .ofType('Application')
              .filter(({ attributes }) => Object.keys(filter).length === 0 || attributes['timeModel'] === 'invest')
              .map(({ id }) => id),
          );
          const edges = valid(seen).filter(({ source_id, target_id }) => {
            if (cards.has(source_id) && cards.has(target_id)) return true;
            if (depth === 1) return false;
            return (
              (direction !== 'upstream' && cards.has(source_id)) || (direction !== 'downstream' && cards.has(target_id))
            );
          });
          const nodes = new Set([...cards, ...edges.flatMap(({ source_id, target_id }) => [source_id, target_id])]);
          t.same(body.nodes.map(({ id }) => id).sort(), [...nodes].sort(), JSON.stringify(query));
          t.same(body.edges.map(({ id }) => id).sort(), edges.map(({ id }) => id).sort());
          t.ok(body.nodes.every((node) => node.depth === (cards.has(node.id) ? 0 : 1)));
          t.equal(body.total, cards.size);
          t.same(await wrongLinks(api, body), []);
          checkLayers(t, body);
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
  const wrong = async (query: Query, by = admin): Promise<string> => {
    const { status, body } = await by.api.get('/reports/dependencies', { query });
    return status === 422
      ? body.errors
          .map(({ field }) => field)
          .sort()
          .join()
      : String(status);
  };
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
