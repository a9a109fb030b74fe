import type { Inventory } from '@lintel/sdk';
import { allVisibleFindings, currentRuns } from '../findings/visible-repository.js';

/** Number of the findings of a rule in a state that the caller sees. */
export interface RuleCount extends Record<string, unknown> {
  rule: string;
  state: string;
  severity: number;
  n: number;
}

/** Findings of the current run of the analysis, counted by rule, state and severity, as far as the caller sees them. */
export async function countByRule(inventory: Inventory): Promise<RuleCount[]> {
  const runs = await currentRuns(inventory, ['security']);
  return await inventory.query(
    'insightlens-compliance',
    (sql) => `select rule, state, severity, count(*)::int as n
      from (${allVisibleFindings(inventory, sql, runs)}) f group by rule, state, severity`,
  );
}

/** The current run of the analysis; undefined before the first. */
export async function currentRun(inventory: Inventory): Promise<{ id: string; finished_at: Date } | undefined> {
  const [run] = await inventory.query<{ id: string; finished_at: Date }>(
    'insightlens-compliance-run',
    () => `select id, finished_at from insightlens_runs where kind = 'security' and is_current`,
  );
  return run;
}
