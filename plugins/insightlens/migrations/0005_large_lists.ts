import type { ModuleMigration } from '@lintel/sdk';

/** Lists of findings are read in the order of an index, and most of what the reader may not see is left out by the types of its cards. */
export const up: ModuleMigration['up'] = async (knex) => {
  await knex.raw(`
alter table insightlens_results
  -- of its cards, each once; a type does not change. Empty: not known, of a run before this column
  add column types text[] not null default '{}';
create index insightlens_results_by_severity on insightlens_results (severity, finding_id, run_id);
create index insightlens_results_by_score on insightlens_results (score desc nulls last, finding_id desc, run_id);
create index insightlens_results_by_score_up on insightlens_results (score, finding_id, run_id);
create index insightlens_findings_by_time on insightlens_findings (found_at, id);
create index insightlens_findings_of_rule on insightlens_findings (rule, state);
`);
};

export const down: ModuleMigration['down'] = async (knex) => {
  await knex.raw(`
drop index insightlens_findings_by_time, insightlens_findings_of_rule, insightlens_results_by_severity, insightlens_results_by_score,
  insightlens_results_by_score_up;
alter table insightlens_results drop column types;
`);
};
