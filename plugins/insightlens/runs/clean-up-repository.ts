import type { UnitOfWork } from '@lintel/sdk';

/** Rows deleted in one transaction. */
const BATCH = 5_000;

// Of runs that are not shown any more: all but the last $1 completed ones of each analysis.
const OLD = `select o.id from (
    select r.id, r.state, r.is_current, r.finished_at, row_number() over (partition by r.kind, r.state order by r.created_at desc, r.id desc) as n
      from insightlens_runs r where r.state in ('done', 'failed', 'cancelled')
  ) o where not o.is_current and (o.state = 'done' and o.n > $1::int or o.state <> 'done' and o.finished_at < now() - interval '1 day')`;
const RESULTS = {
  name: 'insightlens-clean-up-results',
  text: `delete from insightlens_results where (run_id, finding_id) in (
    select r.run_id, r.finding_id from insightlens_results r where r.run_id in (${OLD}) limit ${BATCH}) returning 1 as n`,
};
const RUNS = {
  name: 'insightlens-clean-up-runs',
  text: `delete from insightlens_runs where id in (${OLD} limit 100) and not exists (select from insightlens_results r where r.run_id = insightlens_runs.id)
    returning 1 as n`,
};
// Nothing refers to them, and nothing was decided about them; those that are locked are decided about now. A run under way may be about to store a result of them.
const FINDINGS = {
  name: 'insightlens-clean-up-findings',
  text: `delete from insightlens_findings where id in (
    select f.id from insightlens_findings f where f.state_at is null and f.promoted_to is null
      and not exists (select from insightlens_results r where r.finding_id = f.id)
      and not exists (select from insightlens_runs r where r.kind = f.kind and r.state in ('queued', 'running'))
    limit ${BATCH} for update of f skip locked) returning 1 as n`,
};

/**
 * Deletes a batch of what no list shows: results and runs beyond those that are kept, and findings without a result and a decision.
 * @param keep completed runs of each analysis that are kept
 * @returns the number of rows; 0 when nothing is left
 */
export async function deleteOld(uow: UnitOfWork, keep: number): Promise<number> {
  for (const [statement, values] of [
    [RESULTS, [keep]],
    [RUNS, [keep]],
    [FINDINGS, []],
  ] as const) {
    const rows = await uow.query(statement, [...values]);
    if (rows.length > 0) return rows.length;
  }
  return 0;
}
