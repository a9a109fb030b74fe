import type { ModuleMigration } from '@lintel/sdk';

export const up: ModuleMigration['up'] = async (knex) => {
  await knex.raw(`
create table insightlens_runs (
  id uuid primary key,
  version integer not null default 1,
  kind text not null,
  -- queued, running: active; done, failed, cancelled: ended
  state text not null check (state in ('queued', 'running', 'done', 'failed', 'cancelled')),
  -- whether its results are those that are shown; set with done, in one transaction
  is_current boolean not null default false,
  -- index of the phase under way; all before it are complete. position: where this phase continues, null at its begin
  phase smallint not null default 0,
  position jsonb,
  percent smallint not null default 0 check (percent between 0 and 100),
  -- null: by schedule
  started_by uuid references users(id) on delete set null,
  job_id uuid,
  -- code and detail of why it failed
  error jsonb,
  created_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  started_at timestamptz(3),
  finished_at timestamptz(3)
);
-- One active run of each analysis in the whole cluster, and one whose results are shown.
create unique index insightlens_run_active on insightlens_runs (kind) where state in ('queued', 'running');
create unique index insightlens_run_current on insightlens_runs (kind) where is_current;
create index insightlens_runs_recent on insightlens_runs (created_at desc, id);
create index insightlens_runs_of_kind on insightlens_runs (kind, created_at desc, id);

-- What a finding is, whichever run has found it, and what people have decided about it: no run changes this.
create table insightlens_findings (
  id uuid primary key,
  version integer not null default 1,
  kind text not null,
  rule text not null,
  -- what it is about, made of ids of cards, never of names
  key text collate "C" not null check (length(key) <= 300),
  state text not null,
  note text,
  state_by uuid references users(id) on delete set null,
  state_at timestamptz(3),
  -- of the risk or decision that it was promoted to
  promoted_to jsonb,
  found_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  -- when its event was emitted: once, whichever runs find it again
  announced_at timestamptz(3),
  constraint insightlens_finding_keys unique (kind, key)
) with (fillfactor = 80);
create index insightlens_findings_new on insightlens_findings (id) where announced_at is null;

-- What one run says about a finding.
create table insightlens_results (
  run_id uuid not null references insightlens_runs(id) on delete cascade,
  finding_id uuid not null references insightlens_findings(id) on delete cascade,
  -- of the run that has stored it
  phase smallint not null,
  severity smallint not null check (severity between 1 and 4),
  score numeric(7, 4),
  evidence jsonb not null,
  -- what a reader has to see of all its cards, besides the cards themselves
  needs text[] not null check (needs <@ array['costs', 'relations', 'stakeholders']),
  -- number of its cards: it is shown to those who see all of them, and to no one after one of them was deleted
  card_count smallint not null check (card_count > 0),
  primary key (run_id, finding_id)
);
create index insightlens_results_of_finding on insightlens_results (finding_id);

create table insightlens_result_cards (
  run_id uuid not null,
  finding_id uuid not null,
  card_id uuid not null references cards(id) on delete cascade,
  role text not null,
  primary key (run_id, finding_id, card_id),
  foreign key (run_id, finding_id) references insightlens_results (run_id, finding_id) on delete cascade
);
create index insightlens_result_cards_of_card on insightlens_result_cards (card_id, run_id);
`);
};

export const down: ModuleMigration['down'] = async (knex) => {
  await knex.raw('drop table insightlens_result_cards, insightlens_results, insightlens_findings, insightlens_runs');
};
