import type { Inventory, UnitOfWork } from '@lintel/sdk';
import type { Need } from '../analyses/definition.js';
import { NOW } from '../basics.js';
import { visibleFindings } from '../findings/visible-repository.js';

type Row<T> = T & Record<string, unknown>;

/** A finding that the caller sees, with what its events need. */
export interface SeenFinding {
  id: string;
  needs: Need[];
  card_ids: string[];
}

/** Those of these findings that the caller sees, each by the latest run that has found it. */
export async function readSeen(inventory: Inventory, ids: readonly string[]): Promise<SeenFinding[]> {
  return await inventory.query<Row<SeenFinding>>('insightlens-findings-seen', (sql) => {
    const latest = `(r.run_id, r.finding_id) in (select distinct on (w.finding_id) w.run_id, w.finding_id from insightlens_runs o join insightlens_results w on w.run_id = o.id
      where w.finding_id = any(${sql.bind([...ids])}::uuid[]) and o.state = 'done' order by w.finding_id, o.created_at desc, o.id desc)`;
    return `select f.id, f.needs, array(select k.card_id::text from insightlens_result_cards k where k.run_id = f.run_id and k.finding_id = f.id
      order by k.card_id) as card_ids from (${visibleFindings(inventory, sql, latest)}) f`;
  });
}

/** A finding that is locked until the transaction ends. */
export interface LockedState {
  id: string;
  kind: string;
  state: string;
  version: number;
  promoted_to: { kind: string; id: string; reference: string } | null;
}

const LOCK = {
  name: 'insightlens-findings-lock',
  text: 'select id, kind, state, version, promoted_to from insightlens_findings where id = any($1::uuid[]) order by key, id for no key update',
};
const MOVE = {
  name: 'insightlens-findings-move',
  text: `update insightlens_findings f set state = g.to, note = g.note, state_by = $2, state_at = ${NOW}, version = f.version + 1
    from jsonb_to_recordset($1::jsonb) as g(id uuid, "to" text, note text) where f.id = g.id`,
};
const PROMOTE = {
  name: 'insightlens-finding-promote',
  text: `update insightlens_findings set state = $2, note = $3, promoted_to = $4, state_by = $5, state_at = ${NOW}, version = version + 1 where id = $1`,
};

/** Locks findings in the order in which every writer locks them. */
export async function lockFindings(uow: UnitOfWork, ids: readonly string[]): Promise<LockedState[]> {
  return await uow.query<Row<LockedState>>(LOCK, [ids]);
}

/** @param moves of locked findings */
export async function moveFindings(
  uow: UnitOfWork,
  moves: readonly { id: string; to: string; note: string | null }[],
): Promise<void> {
  await uow.query(MOVE, [JSON.stringify(moves), uow.ctx.actor?.id ?? null]);
}

/** @param finding locked */
export async function promoteFinding(
  uow: UnitOfWork,
  id: string,
  state: string,
  note: string | null,
  to: { kind: string; id: string; reference: string },
): Promise<void> {
  await uow.query(PROMOTE, [id, state, note, JSON.stringify(to), uow.ctx.actor?.id ?? null]);
}
