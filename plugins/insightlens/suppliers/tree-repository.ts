import type { Inventory } from '@lintel/sdk';
import type { Settings } from '../settings.js';
import { supplierRows, supplierTables } from './visible-repository.js';

type Row<T> = T & Record<string, unknown>;

export interface TreeRow {
  id: string;
  name: string;
  keys: string[];
  dependants: number;
  spend: number | null;
  share: number | null;
}
export interface Totals {
  total_spend: number | null;
  /** Herfindahl index: Σ spend² / (Σ spend)². */
  spend_hhi: number | null;
  spend_largest: number | null;
  dependants_hhi: number | null;
  dependants_largest: number | null;
}

type Figures = Pick<Settings, 'supplier_types' | 'spend_fields'>;
const optionsOf = ({ supplier_types, spend_fields }: Figures) => ({ types: supplier_types, spend: spend_fields });

/** Over all rows, also those beyond the limit. */
const index = (column: string): string =>
  `round((sum(${column}::numeric * ${column}) over () / nullif((sum(${column}) over ())::numeric ^ 2, 0)), 6)::float8`;
const largest = (column: string): string =>
  `round(max(${column}) over () / nullif((sum(${column}) over ())::numeric, 0), 6)::float8`;

/** The suppliers that the caller sees, those with the most dependent cards first, each with sums and concentration over all of them. */
export async function readTreeRows(
  inventory: Inventory,
  settings: Figures,
  limit: number,
): Promise<(TreeRow & Totals)[]> {
  return await inventory.query<Row<TreeRow & Totals>>(
    'insightlens-suppliers-tree',
    (sql) =>
      `select l.id::text as id, l.name, l.keys, l.dependants, l.spend::float8 as spend, round(l.share, 6)::float8 as share,
          (sum(l.spend) over ())::float8 as total_spend, ${index('l.spend')} as spend_hhi, ${largest('l.spend')} as spend_largest,
          ${index('l.dependants')} as dependants_hhi, ${largest('l.dependants')} as dependants_largest
        from (${supplierRows(supplierTables(inventory, sql, optionsOf(settings)))}) l order by l.dependants desc, l.id limit ${sql.bind(limit)}`,
  );
}

/** Pairs of suppliers of which a card of one is directly above a card of the other. */
export async function readHierarchy(
  inventory: Inventory,
  settings: Figures,
): Promise<{ child: string; parent: string }[]> {
  return await inventory.query(
    'insightlens-suppliers-hierarchy',
    (sql) => `with ${supplierTables(inventory, sql, optionsOf(settings))}
      select distinct s.supplier_id::text as child, p.supplier_id::text as parent from seen s
        join ${sql.cards({}, {}, ['id', 'parent_id'])} c on c.id = s.card_id
        join seen p on p.card_id = c.parent_id and p.is_supplier
        where s.is_supplier and p.supplier_id <> s.supplier_id order by 1, 2`,
  );
}

/** Those of the pairs of suppliers on which one card depends. */
export async function readSharing(
  inventory: Inventory,
  settings: Figures,
  pairs: readonly { child: string; parent: string }[],
): Promise<{ child: string; parent: string }[]> {
  if (pairs.length === 0) return [];
  return await inventory.query(
    'insightlens-suppliers-sharing',
    (sql) => `with ${supplierTables(inventory, sql, optionsOf(settings))}
      select g.child::text as child, g.parent::text as parent from jsonb_to_recordset(${sql.bind(JSON.stringify(pairs))}::jsonb) as g(child uuid, parent uuid)
        where exists (select from hanging x join hanging y on y.card_id = x.card_id and y.supplier_id = g.parent where x.supplier_id = g.child)
        order by 1, 2`,
  );
}
