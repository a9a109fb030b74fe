/** What reports about relations must answer, computed over the lists as the same caller. */
import type { Test } from 'tap';
import type { Client } from '../../../test/support/app.js';
import type { Answer as Dependencies } from '../reports/dependencies-schemas.js';
import type { Answer as EndOfLife } from '../reports/end-of-life-schemas.js';
import type { Answer as Landscape, Box } from '../reports/landscape-schemas.js';
import type { Answer as Matrix } from '../reports/matrix-schemas.js';
import type { Seen } from './relations-landscape.js';
import { counted, wrongLinks, type Card, type Relation } from './support.js';

export type Query = Record<string, string | number | boolean>;
const TODAY = new Date().toISOString().slice(0, 10);
export const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** The relations of a matrix by cell, row and column. @param rowCards only these rows */
export function expectedMatrix(seen: Seen, query: Query, rowCards?: ReadonlySet<string>) {
  const { row_type, col_type, relation_type, row_level, col_level } = query;
  const isOutgoing = query['direction'] !== 'incoming' && relation_type !== 'businessProcessToBusinessCapability';
  const bucket = (id: string, level: unknown): string =>
    typeof level === 'number' ? (seen.path(id)[level - 1] ?? id) : id;
  const found = seen.relations.flatMap((relation) => {
    const { type, source_id, target_id } = relation;
    const [row, column] = isOutgoing ? [source_id, target_id] : [target_id, source_id];
    const fits = seen.cards.get(row)?.type === row_type && seen.cards.get(column)?.type === col_type;
    return type === relation_type && fits && (rowCards?.has(row) ?? true)
      ? [{ relation, row: bucket(row, row_level), column: bucket(column, col_level) }]
      : [];
  });
  const by = (key: (one: (typeof found)[number]) => string): Map<string, Relation[]> => {
    const groups = new Map<string, Relation[]>();
    for (const one of found) groups.set(key(one), [...(groups.get(key(one)) ?? []), one.relation]);
    return groups;
  };
  return {
    total: found.length,
    cells: by(({ row, column }) => `${row} ${column}`),
    rows: by(({ row }) => row),
    columns: by(({ column }) => column),
  };
}
export const countsOf = (groups: ReadonlyMap<string, Relation[]>) =>
  [...groups].map(([key, { length }]) => [key, length]).sort();
export const countedHeaders = (headers: Matrix['rows']) =>
  headers
    .filter(({ total }) => total > 0)
    .map(({ id, total }) => [id, total])
    .sort();

/** Compares a matrix that is not truncated. @param links how many are followed */
export async function checkMatrix(t: Test, api: Client, seen: Seen, query: Query, links = 40): Promise<void> {
  const at = JSON.stringify(query);
  const { status, body } = await api.get<Matrix>('/reports/matrix', { query });
  t.equal(status, 200, at);
  const right = expectedMatrix(seen, query);
  t.equal(body.total, right.total, at);
  if (body.truncated) {
    // The rest of a large matrix is in the totals only.
    for (const cell of body.cells) t.equal(cell.count, right.cells.get(`${cell.row_id} ${cell.col_id}`)?.length, at);
    for (const { id, total } of body.rows) t.equal(total, right.rows.get(id)?.length ?? 0, at);
    for (const { id, total } of body.cols) t.equal(total, right.columns.get(id)?.length ?? 0, at);
  } else {
    t.same(body.cells.map((cell) => [`${cell.row_id} ${cell.col_id}`, cell.count]).sort(), countsOf(right.cells), at);
    t.same(countedHeaders(body.rows), countsOf(right.rows), at);
    t.same(countedHeaders(body.cols), countsOf(right.columns), at);
  }
  t.same((await wrongLinks(api, body, links)).slice(0, 3), [], at);
  for (const [headers, type, level] of [
    [body.rows, query['row_type'], query['row_level']],
    [body.cols, query['col_type'], query['col_level']],
  ] as const) {
    for (const { id, parent_id, level: n, name: text } of headers) {
      t.equal(text, seen.cards.get(id)!.name);
      t.equal(parent_id, seen.path(id).at(-1) ?? null, 'each header is preceded by those above it');
      t.equal(n, seen.path(id).length + 1);
    }
    const places = new Map(headers.map(({ id }, place) => [id, place]));
    t.ok(headers.every(({ parent_id }, place) => parent_id === null || places.get(parent_id)! < place));
    const all = seen
      .ofType(String(type))
      .filter(({ id }) => level === undefined || seen.path(id).length < Number(level));
    if (query['empty'] === true) t.equal(headers.length, all.length, 'cards without relations are included');
  }
}

/** For each card of a type, the cards at the other ends of its relations. */
export function partners(seen: Seen, cards: readonly Card[], relationType: string): Map<string, string[]> {
  const found = new Map(cards.map(({ id }) => [id, [] as string[]]));
  for (const { type, source_id, target_id } of seen.relations) {
    if (type !== relationType) continue;
    found.get(source_id)?.push(target_id);
    found.get(target_id)?.push(source_id);
  }
  return found;
}

export const flat = (boxes: readonly Box[]): Box[] => boxes.flatMap((box) => [box, ...flat(box.children)]);

export type LandscapeQuery = Query & { type: string; parent_type: string; relation: string; level?: number };

/** @param links how many are followed */
export async function checkLandscape(
  t: Test,
  api: Client,
  seen: Seen,
  { relation, ...query }: LandscapeQuery,
  links = 40,
): Promise<void> {
  const at = JSON.stringify(query);
  const { status, body } = await api.get<Landscape>('/reports/landscape', { query });
  t.equal(status, 200, at);
  const cards = seen.ofType(query.type);
  const far = partners(seen, cards, relation);
  const boxes = flat(body.boxes);
  const shown = seen.ofType(query.parent_type).filter(({ id }) => seen.path(id).length < (query.level ?? 99));
  t.same(boxes.map(({ id }) => id).sort(), shown.map(({ id }) => id).sort(), at);
  for (const box of boxes) {
    const within = cards.filter(({ id }) => far.get(id)!.some((other) => seen.isIn(other, box.id)));
    t.equal(box.count, within.length, `${at} ${box.name}`);
    t.equal(box.level, seen.path(box.id).length + 1);
    t.ok(box.children.every(({ id }) => seen.path(id).at(-1) === box.id));
    const own = cards.filter(({ id }) =>
      far.get(id)!.some((other) => {
        if (seen.cards.get(other)?.type !== query.parent_type) return false;
        const path = [...seen.path(other), other];
        return path[Math.min(path.length, query.level ?? 99) - 1] === box.id;
      }),
    );
    // A relation of any type may end below a box at a card that is no box.
    if (relation !== 'related') t.same(box.cards.map(({ id }) => id).sort(), own.map(({ id }) => id).sort());
  }
  const isBox = (id: string): boolean => seen.cards.get(id)?.type === query.parent_type;
  t.equal(body.unassigned.count, cards.filter(({ id }) => !far.get(id)!.some(isBox)).length, at);
  t.equal(body.total, cards.length);
  t.equal(
    body.legend.reduce((sum, { count }) => sum + count, 0),
    query.color_by === undefined ? 0 : cards.length,
  );
  if (query.color_by === 'businessCriticality') {
    const right = counted(cards, ({ attributes }) => [
      (attributes['businessCriticality'] as string | undefined) ?? null,
    ]);
    t.same(new Map(body.legend.map(({ key, count }) => [key, count])), right);
    for (const { id, color_key } of boxes.flatMap((box) => box.cards))
      t.equal(color_key, seen.cards.get(id)!.attributes['businessCriticality'] ?? null);
  }
  t.ok(body.legend.every(({ color }) => /^#[0-9a-f]{6}$/i.test(color)));
  t.equal(body.truncated, false);
  t.same((await wrongLinks(api, body, links)).slice(0, 3), [], at);
}

export type Direction = 'downstream' | 'upstream' | 'both';

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

function checkLayers(t: Test, { nodes, edges, layers }: Dependencies): void {
  const at = new Map(nodes.map(({ id, layer }) => [id, layer]));
  t.same(layers.flatMap(({ layer, ids }) => ids.map((id) => [id, layer])).sort(), [...at].sort());
  t.ok(edges.every(({ source_id, target_id }) => at.has(source_id) && at.has(target_id)));
  const followed = nodes.every(
    ({ id, layer }) =>
      layer === 0 || edges.some((edge) => edge.target_id === id && at.get(edge.source_id) === layer - 1),
  );
  t.ok(followed, 'a card is in the layer after one with a relation to it');
}

/** The graph around a card. @param start id of a card that the caller may see, or not */
export async function checkAround(
  t: Test,
  api: Client,
  seen: Seen,
  start: string,
  direction: Direction,
  depth?: number,
  types?: readonly string[],
): Promise<void> {
  const query = {
    card_id: start.toUpperCase(),
    direction,
    ...(depth !== undefined && { depth }),
    ...(types && { relation_type: types.join(',') }),
  };
  const { status, body } = await api.get<Dependencies>('/reports/dependencies', { query });
  t.equal(status, seen.cards.has(start) ? 200 : 404);
  if (status !== 200) return;
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

/** The graph of a type. @param isListed whether the filter has the card */
export async function checkOfType(
  t: Test,
  api: Client,
  seen: Seen,
  given: Query & { type: string; direction: Direction; depth: number },
  isListed: (card: Card) => boolean = () => true,
): Promise<void> {
  const { type, direction, depth, relation_type } = given;
  const query = given;
  const { status, body } = await api.get<Dependencies>('/reports/dependencies', { query });
  t.equal(status, 200, JSON.stringify(query));
  const cards = new Set(
    seen
      .ofType(type)
      .filter(isListed)
      .map(({ id }) => id),
  );
  const edges = valid(seen, relation_type === undefined ? undefined : [String(relation_type)]).filter(
    ({ source_id, target_id }) => {
      if (cards.has(source_id) && cards.has(target_id)) return true;
      if (depth === 1) return false;
      return (direction !== 'upstream' && cards.has(source_id)) || (direction !== 'downstream' && cards.has(target_id));
    },
  );
  const nodes = new Set([...cards, ...edges.flatMap(({ source_id, target_id }) => [source_id, target_id])]);
  t.same(body.nodes.map(({ id }) => id).sort(), [...nodes].sort(), JSON.stringify(query));
  t.same(body.edges.map(({ id }) => id).sort(), edges.map(({ id }) => id).sort());
  t.ok(body.nodes.every((node) => node.depth === (cards.has(node.id) ? 0 : 1)));
  t.equal(body.total, cards.size);
  t.same(await wrongLinks(api, body), []);
  checkLayers(t, body);
}

/** @param links how many are followed */
export async function checkEndOfLife(t: Test, api: Client, seen: Seen, query: Query, links = 80): Promise<void> {
  const at = JSON.stringify(query);
  const { status, body } = await api.get<EndOfLife>('/reports/end-of-life', { query });
  t.equal(status, 200, at);
  const until = inDays(Number(query['horizon_days'] ?? 365));
  t.match(body, { today: TODAY, until });
  const types = String(query['type'] ?? '')
    .split(',')
    .filter(Boolean);
  const from = String(query['lifecycle.endOfLife[gte]'] ?? '');
  const cards = [...seen.cards.values()].filter(
    ({ type, lifecycle: { endOfLife } }) =>
      endOfLife !== undefined &&
      endOfLife >= from &&
      endOfLife <= until &&
      (types.length === 0 || types.includes(type)),
  );
  const past = cards.filter(({ lifecycle }) => lifecycle['endOfLife']! <= TODAY);
  t.same([body.past.count, body.soon.count], [past.length, cards.length - past.length], at);
  t.ok(past.every(({ lifecycle_phase }) => lifecycle_phase === 'endOfLife'));
  t.same(body.items.map(({ id }) => id).sort(), cards.map(({ id }) => id).sort());
  const others = new Map<string, Set<string>>(cards.map(({ id }) => [id, new Set()]));
  const isDependent = (id: string): boolean =>
    query['dependent_type'] === undefined || seen.cards.get(id)?.type === query['dependent_type'];
  for (const { source_id, target_id } of seen.relations) {
    if (isDependent(target_id)) others.get(source_id)?.add(target_id);
    if (isDependent(source_id)) others.get(target_id)?.add(source_id);
  }
  for (const { id, state, days, end_of_life, dependents } of body.items) {
    t.equal(dependents.count, others.get(id)!.size, at);
    t.equal(end_of_life, seen.cards.get(id)!.lifecycle['endOfLife']);
    t.equal(state, end_of_life <= TODAY ? 'past' : 'soon');
    t.equal(inDays(days), end_of_life);
  }
  const uses = new Map<string, number>();
  for (const set of others.values()) for (const id of set) uses.set(id, (uses.get(id) ?? 0) + 1);
  t.equal(body.affected.length, Math.min(uses.size, 50), at);
  for (const { id, components } of body.affected) t.equal(components.count, uses.get(id), at);
  const sum = (figures: readonly { count: number }[]): number => figures.reduce((n, { count }) => n + count, 0);
  t.equal(sum(body.by_period), cards.length, at);
  t.equal(sum(body.by_period.flatMap((period) => period.types)), cards.length, at);
  t.equal(sum(body.by_type.flatMap((one) => [one.past, one.soon])), cards.length, at);
  t.same((await wrongLinks(api, body, links)).slice(0, 3), [], at);
}
