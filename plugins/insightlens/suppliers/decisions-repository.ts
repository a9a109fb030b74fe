import type { UnitOfWork } from '@lintel/sdk';
import { NOW } from '../basics.js';

const LOCK = {
  name: 'insightlens-suppliers-lock',
  text: 'select id::text as id, version from insightlens_suppliers where id = any($1::uuid[]) order by id for no key update',
};
const CREATE = {
  name: 'insightlens-supplier-create',
  text: `insert into insightlens_suppliers (id, name, state, decided_by, decided_at, announced_at) values ($1, $2, 'confirmed', $3, ${NOW}, ${NOW})`,
};
const SAVE = {
  name: 'insightlens-supplier-save',
  text: `update insightlens_suppliers set state = coalesce($2, state), name = case when $3::boolean then $4 else name end, decided_by = $5, decided_at = ${NOW},
    version = version + 1 where id = $1`,
};
const TOUCH = {
  name: 'insightlens-suppliers-touch',
  text: 'update insightlens_suppliers set version = version + 1 where id = any($1::uuid[])',
};
const DECIDE = {
  name: 'insightlens-supplier-decide',
  text: `insert into insightlens_supplier_decisions as d (member, supplier_id, card_id, decided_by)
    select g.member, g.supplier_id, g.card_id, $2 from jsonb_to_recordset($1::jsonb) as g(member text collate "C", supplier_id uuid, card_id uuid)
      order by g.member
    on conflict (member) do update set supplier_id = excluded.supplier_id, decided_by = excluded.decided_by, decided_at = ${NOW}`,
};

/** Suppliers, locked in the order of their ids. */
export async function lockSuppliers(uow: UnitOfWork, ids: readonly string[]): Promise<Map<string, number>> {
  const rows = await uow.query<{ id: string; version: number }>(LOCK, [[...ids]]);
  return new Map(rows.map(({ id, version }) => [id, version]));
}

const actorOf = (uow: UnitOfWork): string | null => uow.ctx.actor?.id ?? null;

export async function createSupplier(uow: UnitOfWork, id: string, name: string | null): Promise<void> {
  await uow.query(CREATE, [id, name, actorOf(uow)]);
}

/** @param change a name of undefined stays */
export async function saveSupplier(
  uow: UnitOfWork,
  id: string,
  { state, name }: { state?: string | undefined; name?: string | null | undefined },
): Promise<void> {
  await uow.query(SAVE, [id, state ?? null, name !== undefined, name ?? null, actorOf(uow)]);
}

export async function touchSuppliers(uow: UnitOfWork, ids: readonly string[]): Promise<void> {
  await uow.query(TOUCH, [[...ids]]);
}

export interface Decision {
  member: string;
  supplier_id: string;
  card_id: string | null;
}
/** Stores to which supplier members belong, in place of earlier decisions. @param decisions with different members */
export async function decide(uow: UnitOfWork, decisions: readonly Decision[]): Promise<void> {
  await uow.query(DECIDE, [JSON.stringify(decisions), actorOf(uow)]);
}
