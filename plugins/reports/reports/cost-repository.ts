import type { Inventory, InventoryField, InventoryFilters, InventorySql } from '@lintel/sdk';
import type { Grouping } from '../groups.js';
import { rollUp } from '../roll-up-repository.js';

/** A sum, over the cards with a value that the caller may see. */
export interface SumRow extends Record<string, unknown> {
  count: number;
  /** Decimal text; null without a value. */
  sum: string | null;
}

const SUM = 'count(*)::int as count, sum(cost) as cost';
const TEXT = 'trim_scale(cost)::text as sum';

export interface FieldRow extends SumRow {
  key: string | null;
}

/**
 * Sums by a field, and over all matching cards.
 * @param most maximum number of groups, those with the highest sums
 */
export async function readByField(
  inventory: Inventory,
  filters: InventoryFilters,
  cost: InventoryField,
  grouping: Grouping,
  most: number,
): Promise<{ total: SumRow; rows: FieldRow[] }> {
  const rows = await inventory.query<FieldRow & { is_total: boolean }>('report-cost-field', ({ cards, bind }) => {
    const { join, key } = grouping.sql('c.grouped', 'grouped_of');
    // The groups add up to the total, unless a card is in several.
    const total =
      join === ''
        ? `select coalesce(sum(count), 0)::int as count, sum(cost) as cost from groups`
        : `select ${SUM} from ${cards(filters, { cost }, [])} c where cost is not null`;
    return `with groups as materialized (select ${key} as key, ${SUM} from ${cards(filters, { cost, grouped: grouping.field }, [])} c ${join}
        where cost is not null group by 1)
      select is_total, key, count, ${TEXT} from (select true as is_total, null as key, t.* from (${total}) t
        union all (select false, g.* from groups g order by cost desc, key limit ${bind(most)})) f
      order by is_total desc, cost desc, key`;
  });
  return { total: rows[0]!, rows: rows.slice(1) };
}

/** A card by which costs are grouped, with those of the cards below it. */
export interface NodeRow extends SumRow {
  id: string;
  name: string;
  type: string;
  parent_id: string | null;
}

/** A relation type, and the end at which the cards with the costs are. */
export interface Related {
  relationType: string;
  side: 'source' | 'target';
  /** The type of the cards at the other end; undefined where they may be of any type. */
  farType: string | undefined;
}

/** CTE `sums` of the cards in `costs` by those to which they are related, `far`, and above these. */
function byRelated({ relationType, side, farType }: Related, { cards, relations }: InventorySql): string {
  const [own, other] = side === 'target' ? ['target_id', 'source_id'] : ['source_id', 'target_id'];
  return `pairs as materialized (select c.id as card, r.${other} as far, c.cost as value from ${relations([relationType])} r join costs c on c.id = r.${own}),
      far as materialized (select t.id, t.path_ids || t.id as path from ${cards(farType === undefined ? {} : { type: farType }, {}, ['id', 'path_ids'])} t
        where t.id in (select far from pairs)),
      ${rollUp('pairs', 'far')}`;
}

/**
 * CTE `visible` of the cards in `costs` by themselves and by those above them. Cards with the same ones above them are added up first,
 * because most cards have none below them.
 */
const byHierarchy = ({ cards }: InventorySql): string =>
  `own as materialized (select t.id, t.path_ids, c.cost from costs c join ${cards({}, {}, ['id', 'path_ids'])} t on t.id = c.id),
      above as materialized (select g.id, sum(p.count)::int as count, sum(p.value) as value
        from (select path_ids, count(*) as count, sum(cost) as value from own group by 1) p cross join lateral unnest(p.path_ids) g(id) group by 1),
      visible as (select o.id, 1 + coalesce(a.count, 0) as count, o.cost + coalesce(a.value, 0) as value from own o left join above a on a.id = o.id
        union all select a.* from above a join ${cards({}, {}, ['id'])} n on n.id = a.id where not exists (select from own o where o.id = a.id))`;

/** CTE `visible`: those of `sums` by cards that the caller may see, as all in `far` are. */
const visible = ({ cards }: InventorySql): string =>
  `visible as (select s.* from sums s join far f on f.id = s.id
        union all select s.* from sums s join ${cards({}, {}, ['id'])} n on n.id = s.id where not exists (select from far f where f.id = s.id))`;

/** The cost of the cards without a relation of the type, among those whose relations the caller may see. */
const unrelated = ({ relatedTypes }: Inventory, { bind }: InventorySql): string =>
  `union all select 'without', null, null, null, null, ${SUM} from costs c
      where c.type = any(${bind(relatedTypes)}::text[]) and not exists (select from pairs p where p.card = c.id)`;

/**
 * Sums by the cards to which cards are related, or by the cards above them, rolled up: each card counts once for each group, and for
 * those above it. And the sum over all matching cards.
 * @param by undefined: by the hierarchy of the cards themselves
 * @param most maximum number of groups, those with the highest sums
 * @returns `without`: the sum over cards without a relation of the type to a card that the caller may see
 */
export async function readByCards(
  inventory: Inventory,
  filters: InventoryFilters,
  cost: InventoryField,
  by: Related | undefined,
  most: number,
): Promise<{ total: SumRow; without: SumRow | undefined; rows: NodeRow[] }> {
  const rows = await inventory.query<NodeRow & { part: 'total' | 'without' | 'group' }>('report-cost-cards', (sql) => {
    const { cards, bind } = sql;
    const limit = bind(most);
    // Names are read of the groups with the highest sums only; those with the sum of the last one are ordered by name.
    return `with costs as materialized (select id, type, cost from ${cards(filters, { cost }, ['id', 'type'])} c where cost is not null),
      ${by ? `${byRelated(by, sql)}, ${visible(sql)}` : byHierarchy(sql)},
      highest as materialized (select * from visible order by value desc fetch first (${limit}) rows with ties),
      groups as materialized (select h.id, n.name, n.type, n.parent_id, h.count, h.value as cost
        from highest h join ${cards({}, {}, ['id', 'name', 'type', 'parent_id'])} n on n.id = h.id order by h.value desc, n.name, n.id limit ${limit})
      select part, id, name, type, parent_id, count, ${TEXT} from (
        select 'total' as part, null::uuid as id, null as name, null as type, null::uuid as parent_id, ${SUM} from costs
        ${by ? unrelated(inventory, sql) : ''} union all select 'group', * from groups) f order by f.cost desc, f.name, f.id`;
  });
  const of = (part: string): NodeRow[] => rows.filter((row) => row.part === part);
  return { total: of('total')[0]!, without: of('without')[0], rows: of('group') };
}
