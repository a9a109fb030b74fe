import type { Inventory, InventorySql } from '@lintel/sdk';

/**
 * SELECT of the findings of runs that the caller may see, in the only place that decides it: a caller sees a finding who sees all its cards,
 * all of them active, and, where the finding needs it, their costs, relations and stakeholders. Columns: those of `insightlens_findings`
 * and `insightlens_results`, and `is_current`. Other queries over results join to it.
 * @param which condition on runs `u` and their results `r`, such as `u.is_current`, with bound values only; narrow ones are fast
 */
export function visibleFindings(inventory: Inventory, sql: InventorySql, which: string): string {
  const cards = sql.cards({}, {}, ['id', 'type', 'costs_visible']);
  const related = sql.bind([...inventory.relatedTypes]);
  const held = sql.bind([...inventory.stakeholderTypes]);
  return `select f.*, r.run_id, r.severity, r.score, r.evidence, r.needs, r.card_count, r.is_current
    from (select r.*, u.is_current from insightlens_runs u join insightlens_results r on r.run_id = u.id where ${which}) r
    join (
      select k.run_id, k.finding_id from insightlens_runs u join insightlens_results r on r.run_id = u.id
        join insightlens_result_cards k on k.run_id = r.run_id and k.finding_id = r.finding_id join ${cards} c on c.id = k.card_id
      where ${which} and ('costs' <> all(r.needs) or c.costs_visible)
        and ('relations' <> all(r.needs) or c.type = any(${related}::text[]))
        and ('stakeholders' <> all(r.needs) or c.type = any(${held}::text[]))
      group by k.run_id, k.finding_id, r.card_count having count(*) = r.card_count
    ) v on v.run_id = r.run_id and v.finding_id = r.finding_id
    join insightlens_findings f on f.id = r.finding_id`;
}
