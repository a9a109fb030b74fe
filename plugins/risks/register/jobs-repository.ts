import type { ModuleServices, UnitOfWork } from '@lintel/sdk';
import type { Matrix } from '../scales.js';
import { TODAY, shareMatrix } from './repository.js';

const DUE = `status = 'accepted' and acceptance_expires_on <= ${TODAY}`;
// Locked in order of their ids, like in all writers, and checked again while they are locked.
const LOCK_EXPIRED = {
  name: 'risks-lock-expired',
  text: `select id, title, owner_id, accepted_by, acceptance_rationale as rationale, acceptance_expires_on::text as expires_on from risks_register
    where id in (select id from risks_register where ${DUE} order by acceptance_expires_on, id limit $1) and ${DUE} order by id for no key update`,
};
const KEEP = {
  name: 'risks-matrix-keep',
  text: `update risks_matrix m set position = $1, cells = n.cells
    from (select jsonb_object_agg(row.key, row.value || coalesce($2::jsonb -> row.key, '{}')) as cells
      from risks_matrix, jsonb_each(cells) as row) n
    where m.position < $1 and m.cells is distinct from n.cells returning m.position`,
};
const COUNT = {
  name: 'risks-judged',
  text: 'select count(*)::int as total from risks_register where initial_impact is not null or residual_impact is not null',
};
const CHUNK = {
  name: 'risks-recompute',
  text: `with next as (select id from risks_register where id > $1::uuid and (initial_impact is not null or residual_impact is not null) order by id limit $2 for no key update),
      done as (update risks_register r set initial_level = $3::jsonb -> r.initial_probability ->> r.initial_impact, residual_level = $3::jsonb -> r.residual_probability ->> r.residual_impact
        from next where r.id = next.id
          and (r.initial_level, r.residual_level) is distinct from ($3::jsonb -> r.initial_probability ->> r.initial_impact, $3::jsonb -> r.residual_probability ->> r.residual_impact)
        returning 1)
    select (select count(*)::int from next) as seen, (select max(id::text) from next) as last, (select count(*)::int from done) as changed`,
};

/** Cells of the matrix that were changed, as events have them. */
export type ChangedCells = { [P in keyof Matrix]?: Partial<Matrix[P]> };

/** A risk whose acceptance ends. */
export interface ExpiredRisk {
  id: string;
  title: string;
  owner_id: string | null;
  accepted_by: string | null;
  rationale: string;
  expires_on: string;
}

/** Locks risks whose acceptance ends today or ended before. @param limit how many at most */
export async function lockExpired(uow: UnitOfWork, limit: number): Promise<ExpiredRisk[]> {
  return await uow.query<ExpiredRisk & Record<string, unknown>>(LOCK_EXPIRED, [limit]);
}

/**
 * Stores changed cells of the matrix, unless a later event has already stored some.
 * @param position of the event
 * @returns whether the matrix has changed
 */
export async function keepMatrix(uow: UnitOfWork, position: number, cells: ChangedCells): Promise<boolean> {
  return (await uow.query(KEEP, [position, JSON.stringify(cells)])).length > 0;
}

/** The number of rated risks. */
export async function countJudged(db: ModuleServices['db']): Promise<number> {
  return (await db.query<{ total: number }>(COUNT))[0]!.total;
}

/** Computes the levels of the risks after an id by the current matrix. @returns the numbers of risks read and changed, and the last id */
export async function recomputeChunk(
  uow: UnitOfWork,
  after: string,
  limit: number,
): Promise<{ seen: number; last: string | null; changed: number }> {
  const matrix = await shareMatrix(uow);
  return (
    await uow.query<{ seen: number; last: string | null; changed: number }>(CHUNK, [
      after,
      limit,
      JSON.stringify(matrix),
    ])
  )[0]!;
}
