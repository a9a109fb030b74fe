import type { UnitOfWork } from '../../../foundation/db/unit-of-work.js';
import type { Link } from './order.js';

/** Rows that set a name or an external id which another row's card releases. */
const EXCHANGES = {
  name: 'import-exchanges',
  text: ['holder_id', 'key_holder_id']
    .map(
      (
        holder,
      ) => `select r.n, h.n as on from import_rows r join import_rows h on h.import_id = $1 and h.target_id = r.${holder} and h.verdict = 'update'
      where r.import_id = $1 and r.kind = 'card' and r.verdict in ('create', 'update') and r.${holder} is not null`,
    )
    .join(' union '),
};
const PARENTS = {
  name: 'import-parents',
  text: `select r.n, r.parent_row as on from import_rows r join import_rows p on p.import_id = $1 and p.n = r.parent_row and p.verdict = 'create'
    where r.import_id = $1 and r.kind = 'card' and r.verdict in ('create', 'update')`,
};
const LEVELS = {
  name: 'import-order-levels',
  text: `select n, level from import_rows where import_id = $1 and n = any($2::int[])`,
};
const PLACE = {
  name: 'import-order-place',
  text: `update import_rows r set level = o.level, grp = o.grp from unnest($2::int[], $3::int[], $4::int[]) as o(n, level, grp) where r.import_id = $1 and r.n = o.n`,
};
const TOO_MANY = {
  name: 'import-order-too-many',
  text: `update import_rows set verdict = 'invalid', diff = null, errors = '[{"field": "name", "reason": "is exchanged among more cards than can be written at once"}]'
    where import_id = $1 and n = any($2::int[])`,
};

export async function readExchanges(uow: UnitOfWork, importId: string): Promise<Link[]> {
  return await uow.query<Link & Record<string, unknown>>(EXCHANGES, [importId]);
}

/** Rows whose parent is created by another row. */
export async function readParents(uow: UnitOfWork, importId: string): Promise<Link[]> {
  return await uow.query<Link & Record<string, unknown>>(PARENTS, [importId]);
}

export async function readLevels(
  uow: UnitOfWork,
  importId: string,
  rows: readonly number[],
): Promise<Map<number, number>> {
  return new Map(
    (await uow.query<{ n: number; level: number }>(LEVELS, [importId, rows])).map(({ n, level }) => [n, level]),
  );
}

/** Stores in which order rows are written, and which rows together. */
export async function placeRows(
  uow: UnitOfWork,
  importId: string,
  rows: readonly { n: number; level: number; grp: number | null }[],
): Promise<void> {
  await uow.query(PLACE, [
    importId,
    rows.map(({ n }) => n),
    rows.map(({ level }) => level),
    rows.map(({ grp }) => grp),
  ]);
}

/** Rejects rows that would have to be written together but are too many. */
export async function refuseTooMany(uow: UnitOfWork, importId: string, rows: readonly number[]): Promise<void> {
  await uow.query(TOO_MANY, [importId, rows]);
}
