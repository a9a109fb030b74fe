import { resourceColumns, type ModuleMigration } from '@lintel/sdk';

const CARD = 'card_id uuid not null references cards(id) on delete cascade';

export const up: ModuleMigration['up'] = async (knex) => {
  await knex.raw(`
-- One row for each initiative with a plan. Changes of the structure and order of a plan lock it.
create table ppm_plans (
  card_id uuid primary key references cards(id) on delete cascade,
  version integer not null default 1,
  updated_at timestamptz(3) not null,
  -- working days and exceptions of this plan; null: those of the organisation
  calendar jsonb,
  start_date date,
  -- fields of the card whose values come from the plan, with these values
  rolled_up jsonb not null default '{}',
  rollup_due_at timestamptz(3),
  rollup_written_at timestamptz(3)
);
create index ppm_plans_due on ppm_plans (rollup_due_at) where rollup_due_at is not null;

create table ppm_holidays (
  ${resourceColumns},
  date date not null,
  name text not null,
  constraint ppm_holiday_dates unique (date)
);
create index ppm_holidays_by_change on ppm_holidays (updated_at, id);

create table ppm_wbs (
  ${resourceColumns},
  ${CARD},
  parent_id uuid,
  -- order among the items of the same parent
  position bigint not null,
  title text not null,
  description text,
  is_milestone boolean not null,
  start_date date,
  end_date date,
  -- working days
  duration_days integer check (duration_days between 0 and 20000),
  constraint_type text check (constraint_type in ('as_soon_as_possible', 'as_late_as_possible', 'start_no_earlier_than',
    'start_no_later_than', 'finish_no_earlier_than', 'finish_no_later_than', 'must_start_on', 'must_finish_on')),
  constraint_date date,
  completion numeric(5, 2) not null check (completion between 0 and 100),
  planned_cost numeric(16, 2),
  planned_currency text,
  assignee_id uuid references users(id) on delete set null,
  -- the identifier of an imported item
  external_id text,
  search_text text not null,
  constraint ppm_wbs_of_card unique (card_id, id),
  constraint ppm_wbs_parent foreign key (card_id, parent_id) references ppm_wbs (card_id, id) on delete cascade,
  constraint ppm_wbs_order unique nulls not distinct (card_id, parent_id, position) deferrable initially deferred,
  constraint ppm_wbs_dates check (end_date >= start_date),
  constraint ppm_wbs_milestone check (not is_milestone or (duration_days is not distinct from 0 and start_date is not distinct from end_date)),
  constraint ppm_wbs_not_above_itself check (parent_id <> id),
  constraint ppm_wbs_money check ((planned_cost is null) = (planned_currency is null))
);
create unique index ppm_wbs_external on ppm_wbs (card_id, external_id) where external_id is not null;
create index ppm_wbs_by_parent on ppm_wbs (parent_id) where parent_id is not null;
create index ppm_wbs_by_assignee on ppm_wbs (assignee_id) where assignee_id is not null;

-- Completion by day, for earned value at a date of the past.
create table ppm_progress (
  wbs_id uuid not null references ppm_wbs(id) on delete cascade deferrable initially deferred,
  day date not null,
  completion numeric(5, 2) not null check (completion between 0 and 100),
  primary key (wbs_id, day)
);

create table ppm_tasks (
  ${resourceColumns},
  ${CARD},
  wbs_id uuid,
  title text not null,
  description text,
  status text not null check (status in ('todo', 'in_progress', 'blocked', 'done')),
  priority text not null check (priority in ('low', 'medium', 'high', 'critical')),
  assignee_id uuid references users(id) on delete set null,
  start_date date,
  due_date date,
  effort_hours numeric(8, 2) check (effort_hours >= 0),
  tags text[] not null,
  -- order within the initiative and the status
  position bigint not null,
  completed_at timestamptz(3),
  search_text text not null,
  constraint ppm_task_item foreign key (card_id, wbs_id) references ppm_wbs (card_id, id) on delete set null (wbs_id),
  constraint ppm_task_order unique (card_id, status, position) deferrable initially deferred,
  constraint ppm_task_dates check (due_date >= start_date),
  constraint ppm_task_done check ((status = 'done') = (completed_at is not null))
);
create index ppm_tasks_by_item on ppm_tasks (wbs_id) where wbs_id is not null;
create index ppm_tasks_by_assignee on ppm_tasks (assignee_id, due_date) where assignee_id is not null;
create index ppm_tasks_by_change on ppm_tasks (card_id, updated_at, id);

create table ppm_task_comments (
  ${resourceColumns},
  task_id uuid not null references ppm_tasks(id) on delete cascade,
  card_id uuid not null references cards(id) on delete cascade,
  text text not null
);
create index ppm_task_comments_of_task on ppm_task_comments (task_id, created_at, id);
create index ppm_task_comments_of_card on ppm_task_comments (card_id);

create table ppm_dependencies (
  ${resourceColumns},
  ${CARD},
  predecessor_id uuid not null,
  successor_id uuid not null,
  type text not null check (type in ('FS', 'SS', 'FF', 'SF')),
  -- working days; negative: an overlap
  lag_days integer not null check (lag_days between -999 and 999),
  constraint ppm_dependency_predecessor foreign key (card_id, predecessor_id) references ppm_wbs (card_id, id) on delete cascade,
  constraint ppm_dependency_successor foreign key (card_id, successor_id) references ppm_wbs (card_id, id) on delete cascade,
  constraint ppm_dependency_once unique (predecessor_id, successor_id),
  constraint ppm_dependency_apart check (predecessor_id <> successor_id)
);
create index ppm_dependencies_of_card on ppm_dependencies (card_id, created_at, id);
create index ppm_dependencies_by_successor on ppm_dependencies (successor_id);

create table ppm_status_reports (
  ${resourceColumns},
  ${CARD},
  report_date date not null,
  schedule_health text not null check (schedule_health in ('on_track', 'at_risk', 'off_track')),
  cost_health text not null check (cost_health in ('on_track', 'at_risk', 'off_track')),
  scope_health text not null check (scope_health in ('on_track', 'at_risk', 'off_track')),
  percent_complete smallint check (percent_complete between 0 and 100),
  summary text,
  accomplishments text,
  next_steps text
);
create index ppm_status_reports_latest on ppm_status_reports (card_id, report_date desc, id desc);

create table ppm_budgets (
  ${resourceColumns},
  ${CARD},
  fiscal_year integer not null,
  category text not null check (category in ('capex', 'opex')),
  amount numeric(16, 2) not null,
  currency text not null,
  description text
);
create index ppm_budgets_of_card on ppm_budgets (card_id, fiscal_year, id);

create table ppm_costs (
  ${resourceColumns},
  ${CARD},
  wbs_id uuid,
  description text,
  category text not null check (category in ('capex', 'opex')),
  planned numeric(16, 2) not null,
  actual numeric(16, 2) not null,
  currency text not null,
  date date not null,
  constraint ppm_cost_item foreign key (card_id, wbs_id) references ppm_wbs (card_id, id) on delete set null (wbs_id)
);
create index ppm_costs_of_card on ppm_costs (card_id, date, id);
create index ppm_costs_by_item on ppm_costs (wbs_id) where wbs_id is not null;

create table ppm_risks (
  ${resourceColumns},
  ${CARD},
  title text not null,
  description text,
  probability integer not null check (probability between 1 and 5),
  impact integer not null check (impact between 1 and 5),
  score integer generated always as (probability * impact) stored,
  mitigation text,
  owner_id uuid references users(id) on delete set null,
  status text not null check (status in ('open', 'mitigating', 'mitigated', 'closed', 'accepted')),
  -- the risk of the register that it was promoted to
  promoted_risk_id uuid,
  promoted_reference text,
  search_text text not null
);
create index ppm_risks_of_card on ppm_risks (card_id, created_at, id);
create index ppm_risks_by_owner on ppm_risks (owner_id) where owner_id is not null;

create table ppm_baselines (
  ${resourceColumns},
  ${CARD},
  name text not null,
  items_count integer not null
);
create index ppm_baselines_of_card on ppm_baselines (card_id, created_at, id);

-- The work breakdown as it was; items may be deleted since.
create table ppm_baseline_items (
  baseline_id uuid not null references ppm_baselines(id) on delete cascade deferrable initially deferred,
  wbs_id uuid not null,
  parent_id uuid,
  position bigint not null,
  title text not null,
  is_milestone boolean not null,
  start_date date,
  end_date date,
  duration_days integer,
  completion numeric(5, 2) not null,
  planned_cost numeric(16, 2),
  planned_currency text,
  primary key (baseline_id, wbs_id)
);
`);
};

export const down: ModuleMigration['down'] = async (knex) => {
  await knex.raw(`drop table ppm_baseline_items, ppm_baselines, ppm_risks, ppm_costs, ppm_budgets, ppm_status_reports, ppm_dependencies,
    ppm_task_comments, ppm_tasks, ppm_progress, ppm_wbs, ppm_holidays, ppm_plans`);
};
