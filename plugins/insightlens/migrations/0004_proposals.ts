import type { ModuleMigration } from '@lintel/sdk';

export const up: ModuleMigration['up'] = async (knex) => {
  await knex.raw(`
create table insightlens_proposals (
  id uuid primary key,
  version integer not null default 1,
  state text not null check (state in ('queued', 'running', 'ready', 'failed', 'cancelled', 'committed')),
  -- with whose rights it was made, and to whom it is private
  asked_by uuid not null references users(id) on delete cascade,
  title text not null,
  requirement text not null,
  job_id uuid,
  -- what was found and concluded, without a model; set before the model is asked
  design jsonb,
  -- what the model adds, checked
  advice jsonb,
  model jsonb,
  change_set jsonb,
  error jsonb,
  -- ids of what was created
  outcome jsonb,
  committed_by uuid references users(id) on delete set null,
  committed_at timestamptz(3),
  created_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  finished_at timestamptz(3)
);
-- One at a time for each user.
create unique index insightlens_proposal_active on insightlens_proposals (asked_by) where state in ('queued', 'running');
create index insightlens_proposals_of_user on insightlens_proposals (asked_by, created_at desc, id);
create index insightlens_proposals_recent on insightlens_proposals (created_at desc, id);

-- Every card that it names: it is shown to those who see all of them. No foreign key: a card may be deleted, and is then refused.
create table insightlens_proposal_cards (
  proposal_id uuid not null references insightlens_proposals(id) on delete cascade,
  card_id uuid not null,
  primary key (proposal_id, card_id)
);
`);
};

export const down: ModuleMigration['down'] = async (knex) => {
  await knex.raw('drop table insightlens_proposal_cards, insightlens_proposals');
};
