import type { Inventory, ListParams, PageResult } from '@lintel/sdk';
import type { Settings } from '../settings.js';
import type { SupplierQuery, SupplierRow } from './schemas.js';
import { supplierRows, supplierTables } from './visible-repository.js';

type Row<T> = T & Record<string, unknown>;
type Figures = Pick<Settings, 'supplier_types' | 'spend_fields' | 'capability_types' | 'criticality_field'>;

const SPEC = {
  id: 'l.id',
  idType: 'uuid',
  sorts: {
    spend: { sql: 'l.spend', type: 'numeric', nullable: true },
    dependants: { sql: 'l.dependants', type: 'integer' },
    name: { sql: 'l.name', type: 'text' },
  },
  defaultSort: 'dependants',
  defaultDir: 'desc',
} as const;
const COLUMNS = `l.id, l.version, l.state, l.decided_by, l.decided_at, l.name, l.cards, l.spellings, l.keys, l.dependants,
  l.spend::float8 as spend, round(l.share, 6)::float8 as share`;

interface Stored extends Omit<SupplierRow, 'decided_at'> {
  decided_at: Date | null;
  keys: string[];
}
/** A supplier with the keys of its names. */
export interface FoundSupplier {
  row: SupplierRow;
  keys: string[];
}
const foundOf = ({ keys, decided_at, ...row }: Stored): FoundSupplier => ({
  row: { ...row, decided_at: decided_at?.toISOString() ?? null },
  keys,
});
const optionsOf = ({ supplier_types, spend_fields }: Figures) => ({ types: supplier_types, spend: spend_fields });

/** One page of the suppliers that the caller sees. */
export async function listSuppliers(
  inventory: Inventory,
  settings: Figures,
  { state, search, card_id, ...params }: Omit<SupplierQuery, keyof ListParams> & ListParams,
): Promise<PageResult<SupplierRow>> {
  const page = await inventory.readPage<Row<Stored>>('insightlens-suppliers', (sql) => {
    const where: string[] = [];
    if (state !== undefined) where.push(`l.state = ${sql.bind(state)}`);
    if (search !== undefined)
      where.push(`l.names ilike ${sql.bind(`%${search.replaceAll(/[\\%_]/g, (letter) => `\\${letter}`)}%`)}`);
    if (card_id !== undefined) where.push('l.has_card');
    return {
      source: supplierRows(
        supplierTables(inventory, sql, optionsOf(settings)),
        card_id === undefined ? undefined : sql.bind(card_id),
      ),
      spec: SPEC,
      params,
      where,
      columns: COLUMNS,
      scope: JSON.stringify(['suppliers', state, search, card_id]),
    };
  });
  return { ...page, items: page.items.map((row) => foundOf(row).row) };
}

/** Suppliers with these ids, as the caller sees them; others are left out. */
export async function findSuppliers(
  inventory: Inventory,
  settings: Figures,
  ids: readonly string[],
): Promise<FoundSupplier[]> {
  const rows = await inventory.query<Row<Stored>>(
    'insightlens-suppliers-found',
    (sql) =>
      `select ${COLUMNS} from (${supplierRows(supplierTables(inventory, sql, optionsOf(settings)))}) l
        where l.id = any(${sql.bind([...ids])}::uuid[]) order by l.id`,
  );
  return rows.map(foundOf);
}

/** A name as the caller sees it. */
export interface SeenName {
  supplier_id: string;
  member: string;
  /** Of a member that is a card. */
  card_id: string | null;
  /** Some of the cards with the name. */
  cards: string[];
  key: string;
  spellings: string[];
  count: number;
}

/** The members and names of suppliers that the caller sees, the most frequent ones first, at most `limit`; a card is a member of its own. */
export async function readSeen(
  inventory: Inventory,
  settings: Figures,
  ids: readonly string[],
  limit: number,
): Promise<SeenName[]> {
  return await inventory.query<Row<SeenName>>(
    'insightlens-suppliers-seen',
    (sql) => `with ${supplierTables(inventory, sql, { ...optionsOf(settings), only: ids })}
      select s.supplier_id::text as supplier_id, s.member, s.key, case when bool_or(s.is_supplier) then min(s.card_id::text) end as card_id,
        (array_agg(distinct s.card_id::text))[1:20] as cards, (array_agg(distinct s.name order by s.name))[1:20] as spellings, count(distinct s.card_id)::int as count
      from seen s where s.supplier_id = any(${sql.bind([...ids])}::uuid[]) group by s.supplier_id, s.member, s.key
      order by count(distinct s.card_id) desc, s.key, s.member limit ${sql.bind(limit)}`,
  );
}

/** Cards that are a supplier. */
export async function readSupplierCards(
  inventory: Inventory,
  ids: readonly string[],
): Promise<{ id: string; name: string; type: string }[]> {
  return await inventory.query(
    'insightlens-suppliers-cards',
    ({
      cards,
      bind,
    }) => `select c.id::text as id, c.name, c.type from ${cards({}, {}, ['id', 'name', 'name_key', 'type'])} c
      where c.id = any(${bind(ids.slice(0, 200))}::uuid[]) order by c.name_key, c.id`,
  );
}

/** A card that depends on a supplier. */
export interface Dependant {
  id: string;
  name: string;
  type: string;
  criticality: string | null;
  /** Share of its capabilities that a card of no or another supplier supports too. */
  replaceable: number;
  cost: number | null;
}

/** Table expressions: by card of a supplier, the share of its capabilities that other cards support. Supplier and capability types are placeholders. */
function replaced(supplier: string, relations: string, capabilities: string): string {
  const own = `select h.card_id from hanging h where h.supplier_id = ${supplier}::uuid`;
  return `supported as materialized (
      select r.source_id as card_id, r.source_type as type, r.target_id as capability from ${relations} r where r.target_type = any(${capabilities}::text[])
      union select r.target_id, r.target_type, r.source_id from ${relations} r where r.source_type = any(${capabilities}::text[])
    ), replaced as (
      select s.card_id, avg(case when exists (select from supported o where o.capability = s.capability and o.type = s.type
          and o.card_id not in (${own})) then 1 else 0 end)::float8 as share
        from supported s where s.card_id in (${own}) group by s.card_id)`;
}

/** The cards that depend on a supplier, those with the most costs first, at most `limit`. */
export async function readDependants(
  inventory: Inventory,
  settings: Figures,
  id: string,
  limit: number,
): Promise<Dependant[]> {
  const criticality = inventory.field(`attributes.${settings.criticality_field}`);
  return await inventory.query<Row<Dependant>>('insightlens-suppliers-dependants', (sql) => {
    const tables = supplierTables(inventory, sql, { ...optionsOf(settings), only: [id] });
    const supplier = sql.bind(id);
    const isRelated = inventory.relatedTypes.length > 0;
    const replaceable = isRelated
      ? `, ${replaced(supplier, sql.relations(), sql.bind([...settings.capability_types]))}`
      : '';
    return `with ${tables}${replaceable}
      select c.id::text as id, c.name, c.type, ${criticality ? 'c.criticality' : 'null::text as criticality'}, w.cost::float8 as cost,
        ${isRelated ? 'coalesce(p.share, 0)' : '0::float8'} as replaceable
      from weighed w join ${sql.cards({}, criticality ? { criticality } : {}, ['id', 'name', 'type'])} c on c.id = w.card_id
        ${isRelated ? 'left join replaced p on p.card_id = w.card_id' : ''}
      where w.supplier_id = ${supplier}::uuid order by w.cost desc nulls last, c.id limit ${sql.bind(limit)}`;
  });
}
