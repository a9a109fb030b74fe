import type { Inventory, InventoryField } from '@lintel/sdk';
import type { TextCard } from './matching.js';

/** Cards of one statement. */
const PAGE = 2_000;
/** Characters of a description that are compared. */
const MOST_TEXT = 2_000;
/** Existing relations between matched cards that are read. */
const MOST_RELATIONS = 2_000;
const ZERO = '00000000-0000-0000-0000-000000000000';

/** The texts of the active cards that the caller sees, page by page. */
export async function* visibleTexts(inventory: Inventory): AsyncGenerator<TextCard[], void> {
  let after = ZERO;
  for (let n = PAGE; n === PAGE; ) {
    const position = after;
    const page = await inventory.query<TextCard & Record<string, unknown>>('insightlens-texts', (sql) => {
      const cards = sql.cards({}, {}, ['id', 'type', 'name']);
      return `select c.id, c.type, c.name, left(d.description, ${MOST_TEXT}) as text from ${cards} c join cards d on d.id = c.id
        where c.id > ${sql.bind(position)}::uuid order by c.id limit ${PAGE}`;
    });
    n = page.length;
    after = page.at(-1)?.id ?? after;
    yield page;
  }
}

/** What is known about a card that matches; costs as far as the caller sees them. */
export interface CardFacts {
  id: string;
  phase: string | null;
  costs: Record<string, number>;
}

/** Facts of cards that the caller sees. @param costs fields */
export async function factsOf(
  inventory: Inventory,
  ids: readonly string[],
  costs: readonly InventoryField[],
): Promise<Map<string, CardFacts>> {
  const fields = Object.fromEntries(costs.map((field, i) => [`cost_${i}`, field]));
  const rows = await inventory.query<{ id: string; phase: string | null } & Record<string, unknown>>(
    'insightlens-facts',
    (sql) => {
      const cards = sql.cards({}, fields, ['id', 'lifecycle_phase', 'costs_visible']);
      const amounts = costs
        .map((_, i) => `, case when c.costs_visible then c.cost_${i}::float8 end as cost_${i}`)
        .join('');
      return `select c.id, c.lifecycle_phase as phase${amounts} from ${cards} c where c.id = any(${sql.bind([...ids])}::uuid[])`;
    },
  );
  return new Map(
    rows.map((row) => {
      const amounts = costs.flatMap(({ key }, i): [string, number][] => {
        const amount = row[`cost_${i}`];
        return typeof amount === 'number' ? [[key, amount]] : [];
      });
      return [row.id, { id: row.id, phase: row.phase, costs: Object.fromEntries(amounts) }];
    }),
  );
}

/** The versions of active cards that the caller sees, by id. */
export async function versionsOf(inventory: Inventory, ids: readonly string[]): Promise<Record<string, number>> {
  if (ids.length === 0) return {};
  const rows = await inventory.query<{ id: string; version: number }>(
    'insightlens-versions',
    ({ cards, bind }) =>
      `select c.id, v.version from ${cards({}, {}, ['id'])} c join card_rows v on v.id = c.id where c.id = any(${bind([...ids])}::uuid[])`,
  );
  return Object.fromEntries(rows.map(({ id, version }) => [id, version]));
}

/** The relations between cards of two lists that the caller sees. */
export async function relationsBetween(
  inventory: Inventory,
  ids: readonly string[],
  others: readonly string[],
): Promise<{ source_id: string; target_id: string }[]> {
  if (inventory.relatedTypes.length === 0 || ids.length === 0 || others.length === 0) return [];
  return await inventory.query('insightlens-between', (sql) => {
    const [a, b] = [`${sql.bind([...ids])}::uuid[]`, `${sql.bind([...others])}::uuid[]`];
    return `select r.source_id, r.target_id from ${sql.relations()} r
      where r.source_id = any(${a}) and r.target_id = any(${b}) or r.source_id = any(${b}) and r.target_id = any(${a})
      order by r.source_id, r.target_id limit ${MOST_RELATIONS}`;
  });
}

/** By card, the number of its relations that the caller sees. */
export async function relationCounts(inventory: Inventory, ids: readonly string[]): Promise<Map<string, number>> {
  if (inventory.relatedTypes.length === 0 || ids.length === 0) return new Map();
  const rows = await inventory.query<{ id: string; n: number }>('insightlens-load', (sql) => {
    const some = `${sql.bind([...ids])}::uuid[]`;
    const relations = sql.relations();
    return `select e.id, count(*)::int as n from ${relations} r cross join lateral (values (r.source_id), (r.target_id)) e(id)
      where (r.source_id = any(${some}) or r.target_id = any(${some})) and e.id = any(${some}) group by e.id`;
  });
  return new Map(rows.map(({ id, n }) => [id, n]));
}
