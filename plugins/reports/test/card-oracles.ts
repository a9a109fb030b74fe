/** What reports about cards must answer, computed over the lists as the same caller. */
import type { Test } from 'tap';
import type { Client } from '../../../test/support/app.js';
import type { Answer as Lifecycle } from '../reports/lifecycle-schemas.js';
import { counted, wrongLinks, type Card, type Relation } from './support.js';

export type Query = Readonly<Record<string, string | number | boolean>>;

/** The inventory as a caller sees it, and how many links of a report are followed. */
export interface Known {
  api: Client;
  cards: readonly Card[];
  relations: readonly Relation[];
  /** Default: all. */
  links?: number;
}

interface Counted {
  key: string | null;
  type?: string;
  count: number;
  sum?: number | null;
  children?: Counted[];
}
interface TypeRow extends Counted {
  complete: number;
  partial: number;
  minimal: number;
  average: number;
}
interface RoleRow extends Counted {
  role: string;
  vacant: Counted;
}
interface Bucket extends Counted {
  x: string | null;
  y: string | null;
  group: string | null;
  colors: Counted[];
}
/** Members of the reports; each report has some of them. */
export interface Report {
  total: number;
  count: number;
  trend: unknown;
  by_type: TypeRow[];
  by_approval: Counted[];
  by_quality: Counted[];
  by_lifecycle: Counted[];
  by_role: RoleRow[];
  by_user: { user: { id: string }; count: number; roles: RoleRow[] }[];
  recent: { id: string; updated_at: string }[];
  worst: { data_quality: number }[];
  missing: (Counted & { field: string })[];
  orphans: Counted;
  without: Counted;
  buckets: Bucket[];
  groups: Counted[];
  truncated?: boolean;
}

const by = (rows: readonly Counted[]): Map<string | null, number> =>
  new Map(rows.filter(({ count }) => count > 0).map((row) => [row.type ?? row.key, row.count]));
const sorted = (map: ReadonlyMap<string | null, number>) =>
  [...map].sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
const band = ({ data_quality: score }: Card): string =>
  score >= 80 ? 'complete' : score >= 40 ? 'partial' : 'minimal';
/** The sum of amounts without errors of rounding; null of none. */
export const cents = (values: readonly unknown[]): number | null =>
  values.length === 0 ? null : values.reduce<number>((sum, value) => sum + Math.round(Number(value) * 100), 0) / 100;
const COST = 'costTotalAnnual';
export const costOf = (card: Card): unknown => card.attributes[COST];
/** The only value of a field. */
const valueOf = (card: Card, field: string): string | null => {
  const key = field.replace('attributes.', '');
  const own = ['type', 'subtype', 'approval_status', 'lifecycle_phase'].includes(key)
    ? (card as unknown as Record<string, string | null>)[key]
    : (card.attributes[key] as string | undefined);
  return own ?? null;
};

async function answerOf<A = Report>({ api }: Known, t: Test, report: string, query: Query): Promise<A> {
  const { status, body } = await api.get<A>(`/reports/${report}`, { query });
  t.equal(status, 200, `${report} ${JSON.stringify(query)} ${status === 200 ? '' : JSON.stringify(body)}`);
  return body;
}
async function checkLinks(known: Known, t: Test, body: unknown, at: string, most = known.links): Promise<void> {
  t.same((await wrongLinks(known.api, body, most)).slice(0, 3), [], `links of ${at}`);
}

/** @param isListed whether the query has the card */
export async function checkDashboard(
  t: Test,
  known: Known,
  query: Query = {},
  isListed: (card: Card) => boolean = () => true,
): Promise<void> {
  const body = await answerOf(known, t, 'dashboard', query);
  const cards = known.cards.filter(isListed);
  t.equal(body.total, cards.length);
  t.same(sorted(by(body.by_type)), sorted(counted(cards, ({ type }) => [type])));
  t.same(sorted(by(body.by_approval)), sorted(counted(cards, (card) => [card.approval_status])));
  t.same(sorted(by(body.by_quality)), sorted(counted(cards, (card) => [band(card)])));
  t.same(sorted(by(body.by_lifecycle)), sorted(counted(cards, (card) => [card.lifecycle_phase])));
  // Cards of one transaction have the same time, so that only the times are compared.
  const latest = cards.map(({ updated_at }) => updated_at).sort();
  t.same(
    body.recent.map(({ updated_at }) => updated_at),
    latest.slice(-10).reverse(),
  );
  await checkLinks(known, t, body, 'the dashboard');
}

/** @param type a card type whose missing values are compared */
export async function checkQuality(t: Test, known: Known, type: string): Promise<Report> {
  const body = await answerOf(known, t, 'data-quality', {});
  const { cards } = known;
  const related = new Set(known.relations.flatMap(({ source_id, target_id }) => [source_id, target_id]));
  t.equal(body.orphans.count, cards.filter(({ id }) => !related.has(id)).length);
  for (const row of body.by_type) {
    const own = cards.filter((card) => card.type === row.type);
    t.equal(row.count, own.length);
    const bands = counted(own, (card) => [band(card)]);
    for (const key of ['complete', 'partial', 'minimal'] as const) t.equal(row[key], bands.get(key) ?? 0, key);
    const mean = own.reduce((sum, card) => sum + card.data_quality, 0) / own.length;
    t.ok(Math.abs(row.average - mean) < 0.051, `${row.average} is ${mean}`);
  }
  const scores = cards.map((card) => card.data_quality).sort((a, b) => a - b);
  t.same(
    body.worst.map((card) => card.data_quality),
    scores.slice(0, 20),
  );
  await checkLinks(known, t, body, 'data quality');
  const one = await answerOf(known, t, 'data-quality', { type });
  const own = cards.filter((card) => card.type === type);
  for (const { field, count } of one.missing) {
    const key = field.replace('attributes.', '');
    t.equal(count, own.filter(({ attributes }) => attributes[key] == null).length, field);
  }
  await checkLinks(known, t, one, `data quality of ${type}`);
  return one;
}

/** Fields with one value each. @param size a number that is summed */
export interface PortfolioQuery {
  type: string;
  x: string;
  y: string;
  color: string;
  group_by: string;
  size?: string | undefined;
}

export async function checkPortfolio(t: Test, known: Known, query: PortfolioQuery): Promise<void> {
  const { type, x: column, y: row, color, group_by, size } = query;
  const given = { type, x: column, y: row, color, group_by, ...(size !== undefined && { size }) };
  const body = await answerOf(known, t, 'portfolio', given);
  const cards = known.cards.filter((card) => card.type === type);
  t.equal(body.total, cards.length);
  const places = new Map<string, Card[]>();
  for (const card of cards) {
    const place = JSON.stringify([column, row, group_by].map((field) => valueOf(card, field)));
    places.set(place, [...(places.get(place) ?? []), card]);
  }
  t.equal(body.buckets.length, places.size);
  for (const { x, y, group, count, sum, colors } of body.buckets) {
    const own = places.get(JSON.stringify([x, y, group])) ?? [];
    t.equal(count, own.length);
    const values = own.map(({ attributes }) => attributes[size ?? '']).filter((value) => value != null);
    if (size !== undefined) t.equal(sum, cents(values));
    t.same(sorted(by(colors)), sorted(counted(own, (card) => [valueOf(card, color)])));
  }
  await checkLinks(known, t, body, 'the portfolio', Math.min(known.links ?? 60, 60));
}

/** The portfolio by ranges of numbers: each card is in one, and each link leads to its cards. */
export async function checkRanges(t: Test, known: Known, type: string, fields: readonly string[]): Promise<void> {
  for (const x of fields) {
    const { buckets } = await answerOf(known, t, 'portfolio', { type, x, y: 'subtype' });
    const sums = buckets.reduce((all, { count }) => all + count, 0);
    t.equal(sums, known.cards.filter((card) => card.type === type).length, x);
    await checkLinks(known, t, { buckets }, `the portfolio by ${x}`, Math.min(known.links ?? 40, 40));
  }
}

/** @param group_by a field with one value, `parent`, or `applicationToBusinessCapability` */
export async function checkCosts(t: Test, known: Known, group_by: string): Promise<void> {
  const body = await answerOf(known, t, 'cost', { field: COST, group_by });
  const all = known.cards.filter((card) => costOf(card) !== undefined);
  const isRelated = group_by.startsWith('application');
  const cards = isRelated ? all.filter(({ type }) => type === 'Application') : all;
  t.equal(body.count, cards.length, group_by);
  t.equal(body.total, cents(cards.map(costOf)), group_by);
  await checkLinks(known, t, body, `costs by ${group_by}`, Math.min(known.links ?? 60, 60));
  const flat = (groups: readonly Counted[]): Counted[] => groups.flatMap((g) => [g, ...flat(g.children ?? [])]);
  const groups = flat(body.groups);
  const above = new Map(known.cards.map((card) => [card.id, card.parent_id]));
  const line = (id: string | null | undefined): string[] => (id ? [id, ...line(above.get(id))] : []);
  const of = (card: Card): (string | null)[] => {
    if (group_by === 'parent') return line(card.id);
    if (!isRelated) return [valueOf(card, group_by)];
    const targets = known.relations
      .filter(({ type, source_id }) => type === group_by && source_id === card.id)
      .flatMap(({ target_id }) => line(target_id));
    return targets.length === 0 ? [null] : [...new Set(targets)];
  };
  const expected = new Map<string | null, Card[]>();
  for (const card of cards) for (const key of of(card)) expected.set(key, [...(expected.get(key) ?? []), card]);
  t.same(new Set(groups.map(({ key }) => key)), new Set(expected.keys()), group_by);
  for (const { key, count, sum } of groups) {
    const own = expected.get(key) ?? [];
    t.equal(count, own.length, `${group_by} ${key}`);
    t.equal(sum, cents(own.map(costOf)), `${group_by} ${key}`);
  }
}

export async function checkStakeholders(t: Test, known: Known): Promise<void> {
  const body = await answerOf(known, t, 'stakeholders', {});
  const { cards } = known;
  const of = (card: Card, role?: string, user?: string) =>
    (card.stakeholders ?? []).some(
      (s) => (role === undefined || s.role === role) && (user === undefined || s.user_id === user),
    );
  t.equal(body.total, cards.length);
  t.equal(body.without.count, cards.filter((card) => !of(card)).length);
  for (const row of body.by_role) {
    const own = cards.filter(({ type }) => type === row.type);
    const held = own.filter((card) => of(card, row.role)).length;
    t.same([row.count, row.vacant.count], [held, own.length - held], `${row.type} ${row.role}`);
  }
  for (const { user, count, roles } of body.by_user) {
    t.equal(count, cards.filter((card) => of(card, undefined, user.id)).length);
    for (const { role, count: n } of roles) t.equal(n, cards.filter((card) => of(card, role, user.id)).length);
  }
  await checkLinks(known, t, body, 'stakeholders');
}

const ORDER = ['plan', 'phaseIn', 'active', 'phaseOut', 'endOfLife'];
/** The phase on a day, computed from the dates alone. */
const phaseOn = (lifecycle: Readonly<Record<string, string>>, day: string): string | undefined =>
  ORDER.filter((phase) => lifecycle[phase] !== undefined && lifecycle[phase] <= day).at(-1);

/** @param isListed whether the query has the card, besides its type */
export async function checkLifecycle(
  t: Test,
  known: Known,
  query: Query & { type: string },
  isListed: (card: Card) => boolean = () => true,
): Promise<void> {
  const at = JSON.stringify(query);
  const body = await answerOf<Lifecycle>(known, t, 'lifecycle', query);
  const all = known.cards.filter((card) => card.type === query.type && isListed(card));
  const dated = all.filter(({ lifecycle }) => Object.keys(lifecycle).length > 0);
  t.equal(body.total, dated.length, at);
  t.equal(body.without.count, all.length - dated.length, at);
  const ids = new Set(dated.map(({ id }) => id));
  t.equal(body.items.length, Math.min(500, ids.size));
  t.equal(body.items.filter(({ id }) => !ids.has(id)).length, 0);
  t.equal(
    body.groups.reduce((sum, { count }) => sum + count, 0),
    query['group_by'] === undefined ? 0 : dated.length,
  );
  if (query['group_by'] === 'businessCriticality')
    t.same(
      new Map(body.groups.map(({ key, count }) => [key, count])),
      counted(dated, (card) => [valueOf(card, 'businessCriticality')]),
    );
  const places = body.groups.map(({ key }) => key);
  const order = body.items.map(({ group }) => places.indexOf(group));
  t.same(
    order,
    [...order].sort((a, b) => a - b),
    'items are in the order of the groups',
  );
  const byId = new Map(all.map((card) => [card.id, card]));
  for (const item of body.items)
    for (const day of [body.from, body.today, body.to, '2020-06-01', '2022-01-01']) {
      if (day < body.from || day > body.to) continue;
      const shown = item.phases.find(({ from, to }) => from <= day && (to === null || day < to));
      const phase = phaseOn(byId.get(item.id)!.lifecycle, day);
      if (shown?.phase !== phase) t.fail(`${item.name} on ${day} is ${shown?.phase}, not ${phase}`);
    }
  await checkLinks(known, t, body, at);
}
