import type { Inventory, UnitOfWork } from '@lintel/sdk';
import type { Host } from '../basics.js';

type Row<T> = T & Record<string, unknown>;

/** A name of a supplier in the landscape. */
export interface Mention {
  card_id: string;
  /** Empty: the card is the supplier. */
  field: string;
  name: string;
  key: string;
  others: string[];
}

/**
 * Names of suppliers in cards, in the order of ids: cards that are suppliers have the empty field, values of options their label.
 * @param after id of the last card of the page before
 */
export async function readNames(
  inventory: Inventory,
  {
    types,
    fields: keys,
    after,
    limit,
  }: { types: readonly string[]; fields: readonly string[]; after: string | null; limit: number },
): Promise<{ id: string; names: { field: string; name: string }[] }[]> {
  const fields = keys.flatMap((key) => {
    const field = inventory.field(`attributes.${key}`);
    return field && !field.isCost && ['text', 'option', 'options'].includes(field.kind) ? [{ key, field }] : [];
  });
  const columns = Object.fromEntries(fields.map(({ field }, i) => [`named_${i}`, field]));
  const named = fields.map((_, i) => `c.named_${i}`);
  const rows = await inventory.query<Row<{ id: string; name: string | null }>>(
    'insightlens-suppliers-names',
    ({ cards, bind }) => {
      const isSupplier = `c.type = any(${bind([...types])}::text[])`;
      const isNamed = [isSupplier, ...named.map((column) => `${column} is not null`)].join(' or ');
      return `select ${['c.id::text as id', `case when ${isSupplier} then c.name end as name`, ...named].join(', ')}
        from ${cards({}, columns, ['id', 'type', 'name'])} c
        where (${isNamed}) ${after === null ? '' : `and c.id > ${bind(after)}::uuid`} order by c.id limit ${bind(limit)}`;
    },
  );
  return rows.map(({ id, name, ...values }) => ({
    id,
    names: [
      ...(name === null ? [] : [{ field: '', name }]),
      ...fields.flatMap(({ key, field }, i) => {
        const value = values[`named_${i}`];
        const all = (Array.isArray(value) ? value : [value]).filter((one): one is string => typeof one === 'string');
        return all.map((one) => ({
          field: key,
          name: field.kind === 'text' ? one : (field.options.find((option) => option.key === one)?.label ?? one),
        }));
      }),
    ],
  }));
}

const STORE = {
  name: 'insightlens-mentions-store',
  text: `insert into insightlens_supplier_mentions (run_id, card_id, field, key, name, others)
    select $2, g.card_id, g.field, g.key, g.name, array(select jsonb_array_elements_text(g.others))
      from jsonb_to_recordset($1::jsonb) as g(card_id uuid, field text, key text, name text, others jsonb)
    on conflict do nothing`,
};
const RESET = {
  name: 'insightlens-mentions-reset',
  text: 'delete from insightlens_supplier_mentions where run_id = $1',
};
const MEMBERS = {
  name: 'insightlens-mentions-members',
  text: `with before as (
      select distinct on (p.member, p.key) p.member, p.key, p.supplier_id::text as supplier from insightlens_supplier_mentions p join insightlens_runs u on u.id = p.run_id
        where p.supplier_id is not null and (u.id = $1 or u.is_current and u.kind = 'suppliers')
        order by p.member, p.key, u.is_current desc, p.supplier_id
    ), members as (
      select m.member, m.key, count(distinct (m.card_id, m.field))::int as count, array_agg(distinct o.other) filter (where o.other is not null) as others
        from insightlens_supplier_mentions m left join lateral unnest(m.others) o(other) on true where m.run_id = $1 group by m.member, m.key
    )
    select m.member, m.key, m.others, m.count, d.supplier_id::text as decided, b.supplier as before from members m
      left join insightlens_supplier_decisions d on d.member = m.member left join before b on b.member = m.member and b.key = m.key
    order by m.member, m.key`,
};
const DECIDED_KEYS = {
  name: 'insightlens-suppliers-decided-keys',
  text: `select substr(member, 5) as key, supplier_id::text as supplier from insightlens_supplier_decisions where member like 'key:%'`,
};
const CREATE = {
  name: 'insightlens-suppliers-create',
  text: 'insert into insightlens_suppliers (id) select unnest($1::uuid[]) on conflict do nothing',
};
const ASSIGN = {
  name: 'insightlens-mentions-assign',
  text: `update insightlens_supplier_mentions m set supplier_id = g.supplier_id
    from jsonb_to_recordset($1::jsonb) as g(member text collate "C", key text collate "C", supplier_id uuid)
    where m.run_id = $2 and m.member = g.member and m.key = g.key`,
};
const DELETE_UNUSED = {
  name: 'insightlens-suppliers-delete-unused',
  text: `delete from insightlens_suppliers s where not exists (select from insightlens_supplier_mentions m where m.supplier_id = s.id)
    and not exists (select from insightlens_supplier_decisions d where d.supplier_id = s.id)`,
};

export async function storeMentions(uow: UnitOfWork, runId: string, mentions: readonly Mention[]): Promise<void> {
  await uow.query(STORE, [JSON.stringify(mentions), runId]);
}

/** Deletes the names that a run has stored. */
export async function resetMentions(uow: UnitOfWork, runId: string): Promise<void> {
  await uow.query(RESET, [runId]);
}

/** A member of a supplier with one of its keys. */
export interface MemberRow {
  member: string;
  key: string;
  others: string[] | null;
  count: number;
  /** The supplier to which people have assigned it. */
  decided: string | null;
  /** Its supplier in the run that is shown, or in this one before a crash. */
  before: string | null;
}

/** The members of a run, in a fixed order. */
export async function readMembers(db: Host['db'], runId: string): Promise<MemberRow[]> {
  return await db.query<Row<MemberRow>>(MEMBERS, [runId]);
}

/** The keys about which people have decided. */
export async function readDecidedKeys(db: Host['db']): Promise<{ key: string; supplier: string }[]> {
  return await db.query(DECIDED_KEYS);
}

export interface Assignment {
  member: string;
  key: string;
  supplier_id: string;
}
/** @param created ids of suppliers that are new */
export async function assignMentions(
  uow: UnitOfWork,
  runId: string,
  assignments: readonly Assignment[],
  created: readonly string[],
): Promise<void> {
  await uow.query(CREATE, [[...created]]);
  await uow.query(ASSIGN, [JSON.stringify(assignments), runId]);
}

/** Deletes suppliers that no run names and about which nothing was decided. */
export async function deleteUnused(uow: UnitOfWork): Promise<void> {
  await uow.query(DELETE_UNUSED);
}
