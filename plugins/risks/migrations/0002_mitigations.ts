import { resourceColumns } from '@lintel/sdk';
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
create table risks_mitigations (
  ${resourceColumns},
  risk_id uuid not null references risks_register(id) on delete cascade,
  title text not null,
  description text,
  owner_id uuid references users(id) on delete set null,
  due_date date,
  recurrence text not null check (recurrence in ('none', 'weekly', 'monthly', 'quarterly', 'yearly')),
  recurrence_interval integer not null check (recurrence_interval between 1 and 100),
  ends_on date,
  status text not null check (status in ('planned', 'in_progress', 'done', 'cancelled')),
  -- the date the series is counted from, so that the last day of a month stays the last day
  series_start date,
  title_key text not null collate "C",
  search_text text not null,
  constraint risks_mitigations_dated check (recurrence = 'none' or due_date is not null or status in ('done', 'cancelled'))
);
create index risks_mitigations_of_risk on risks_mitigations (risk_id, id);
create index risks_mitigations_owner on risks_mitigations (owner_id);
create index risks_mitigations_created_by on risks_mitigations (created_by);
create index risks_mitigations_words on risks_mitigations using gin (search_text gin_trgm_ops);

create table risks_occurrences (
  id uuid primary key,
  mitigation_id uuid not null references risks_mitigations(id) on delete cascade,
  number integer not null,
  due_date date,
  status text not null check (status in ('open', 'done', 'skipped', 'cancelled')),
  comment text,
  ended_by uuid references users(id) on delete set null,
  ended_at timestamptz(3),
  created_at timestamptz(3) not null,
  constraint risks_occurrences_number unique (mitigation_id, number)
);
-- A mitigation has one thing to do next.
create unique index risks_occurrences_one_open on risks_occurrences (mitigation_id) where status = 'open';
create index risks_occurrences_ended_by on risks_occurrences (ended_by) where ended_by is not null;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table risks_occurrences, risks_mitigations');
}
