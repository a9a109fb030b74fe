import type { Inventory, InventoryField, InventorySql } from '@lintel/sdk';

/**
 * The names of suppliers of the current run as the caller sees them, and what depends on the suppliers: common table expressions for all
 * queries over suppliers. A name is seen by those who see its card. Decisions of people hold at once, also for runs before them.
 *
 * - `seen`: supplier_id, card_id, field, key, name, member, is_supplier
 * - `hanging`: supplier_id, card_id: cards with a relation to a card of the supplier, and cards with an attribute that names it
 * - `given`: supplier_id: those of which the caller sees all names, to whom names given by people are shown
 * - `weighed`: supplier_id, card_id, cost: `hanging` with costs; null where the caller may not see them
 * @param options.only ids of the suppliers to read; without them all, which shares need
 */
export function supplierTables(
  inventory: Inventory,
  sql: InventorySql,
  { types, spend, only }: { types: readonly string[]; spend: readonly string[]; only?: readonly string[] },
): string {
  const { cards, relations, bind } = sql;
  const fields = spend
    .map((key) => inventory.field(`attributes.${key}`))
    .filter((field): field is InventoryField => field?.isCost === true);
  const columns = Object.fromEntries(fields.map((field, i) => [`cost_${i}`, field]));
  const all = fields.map((_, i) => `c.cost_${i}`);
  const cost =
    all.length === 0
      ? 'null::numeric'
      : `case when num_nonnulls(${all.join(', ')}) > 0 then ${all.map((one) => `coalesce(${one}, 0)`).join(' + ')} end`;
  const supplierTypes = bind([...types]);
  const current = "select u.id from insightlens_runs u where u.is_current and u.kind = 'suppliers'";
  const related =
    inventory.relatedTypes.length === 0
      ? ''
      : `union select s.supplier_id, r.target_id from seen s join ${relations()} r on r.source_id = s.card_id where s.is_supplier
         union select s.supplier_id, r.source_id from seen s join ${relations()} r on r.target_id = s.card_id where s.is_supplier`;
  return `mentioned as materialized (
      select coalesce(d.supplier_id, m.supplier_id) as supplier_id, m.card_id, m.field, m.key, m.name, m.member
        from insightlens_supplier_mentions m left join insightlens_supplier_decisions d on d.member = m.member
        where m.run_id = (${current})${only ? ` and coalesce(d.supplier_id, m.supplier_id) = any(${bind([...only])}::uuid[])` : ''}
    ), seen as materialized (
      select m.supplier_id, m.card_id, m.field, m.key, m.member, m.field = '' as is_supplier, case when m.field = '' then c.name else m.name end as name
        from mentioned m join ${cards({}, {}, ['id', 'name'])} c on c.id = m.card_id
    ), hanging as materialized (
      select h.supplier_id, h.card_id from (
        select s.supplier_id, s.card_id from seen s where not s.is_supplier ${related}
      ) h join cards k on k.id = h.card_id and k.type <> all(${supplierTypes}::text[])
    ), given as (
      select m.supplier_id from mentioned m join cards k on k.id = m.card_id and k.status = 'ACTIVE'
        left join seen s on s.card_id = m.card_id and s.field = m.field and s.key = m.key
        group by m.supplier_id having count(*) = count(s.card_id)
    ), weighed as materialized (
      select h.supplier_id, h.card_id, ${cost} as cost from hanging h join ${cards({}, columns, ['id', 'costs_visible'])} c on c.id = h.card_id
    )`;
}

/**
 * SELECT of the suppliers that the caller sees, with their figures.
 * @param card placeholder of the id of a card: `has_card` is whether it belongs to the supplier or depends on it
 */
export function supplierRows(tables: string, card?: string): string {
  return `with ${tables}, figures as (
      select w.supplier_id, count(*)::int as dependants, sum(w.cost) as spend from weighed w group by w.supplier_id
    ), spellings as (
      select s.supplier_id, s.name, count(*) as n, bool_or(s.is_supplier) as is_card from seen s group by s.supplier_id, s.name
    ), named as (
      select distinct on (p.supplier_id) p.supplier_id, p.name from spellings p order by p.supplier_id, p.is_card desc, p.n desc, p.name collate "C"
    ), counted as (
      select s.supplier_id, count(distinct s.card_id) filter (where s.is_supplier)::int as cards, count(distinct s.name)::int as spellings,
        array_agg(distinct s.key) as keys,
        string_agg(distinct s.name, chr(10)) as names from seen s group by s.supplier_id
    )
    select p.id, p.version, p.state, p.decided_by, p.decided_at, case when g.supplier_id is null then n.name else coalesce(p.name, n.name) end as name,
      ${
        card === undefined
          ? 'true'
          : `exists (select from seen s where s.supplier_id = k.supplier_id and s.card_id = ${card}::uuid)
            or exists (select from hanging h where h.supplier_id = k.supplier_id and h.card_id = ${card}::uuid)`
      } as has_card, k.cards, k.spellings, k.keys, k.names, coalesce(f.dependants, 0) as dependants, f.spend, f.spend / nullif(sum(f.spend) over (), 0) as share
    from counted k join insightlens_suppliers p on p.id = k.supplier_id join named n on n.supplier_id = k.supplier_id
      left join figures f on f.supplier_id = k.supplier_id left join given g on g.supplier_id = k.supplier_id`;
}
