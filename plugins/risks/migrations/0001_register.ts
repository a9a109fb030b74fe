import type { Knex } from 'knex';

const list = (values: string): string =>
  values
    .split(' ')
    .map((value) => `'${value}'`)
    .join(', ');
const STATUSES = 'identified analysed mitigation_planned in_progress mitigated monitoring accepted closed';
const CATEGORIES = 'security compliance operational technology financial reputational strategic';
const PROBABILITIES = 'very_high high medium low';
const LEVELS = 'critical high medium low';
/** The matrix a workspace begins with. */
const MATRIX = {
  very_high: { critical: 'critical', high: 'critical', medium: 'high', low: 'medium' },
  high: { critical: 'critical', high: 'high', medium: 'high', low: 'medium' },
  medium: { critical: 'high', high: 'high', medium: 'medium', low: 'low' },
  low: { critical: 'medium', high: 'medium', medium: 'low', low: 'low' },
};

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
create table risks_register (
  id uuid primary key,
  number integer not null constraint risks_register_number unique,
  title text not null,
  title_key text not null collate "C",
  description text,
  category text not null collate "C" check (category in (${list(CATEGORIES)})),
  status text not null check (status in (${list(STATUSES)})),
  status_rank smallint not null generated always as (array_position(array[${list(STATUSES)}], status)) stored,
  initial_probability text check (initial_probability in (${list(PROBABILITIES)})),
  initial_impact text check (initial_impact in (${list(LEVELS)})),
  residual_probability text check (residual_probability in (${list(PROBABILITIES)})),
  residual_impact text check (residual_impact in (${list(LEVELS)})),
  -- of the matrix, so that lists filter and sort by them; worked out anew when the matrix changes
  initial_level text check (initial_level in (${list(LEVELS)})),
  residual_level text check (residual_level in (${list(LEVELS)})),
  level text generated always as (coalesce(residual_level, initial_level)) stored,
  -- the highest is 4
  level_rank smallint generated always as (5 - array_position(array[${list(LEVELS)}], coalesce(residual_level, initial_level))) stored,
  owner_id uuid references users(id) on delete set null,
  target_date date,
  acceptance_rationale text,
  acceptance_expires_on date,
  accepted_by uuid references users(id) on delete set null,
  accepted_at timestamptz(3),
  closed_at timestamptz(3),
  search_text text not null,
  created_by uuid references users(id) on delete set null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version integer not null default 1,
  constraint risks_register_acceptance check ((status = 'accepted') = (acceptance_expires_on is not null and acceptance_rationale is not null and accepted_at is not null)),
  constraint risks_register_closed check ((status = 'closed') = (closed_at is not null))
);
create index risks_register_title on risks_register (title_key, id);
create index risks_register_created on risks_register (created_at, id);
create index risks_register_updated on risks_register (updated_at, id);
create index risks_register_owner on risks_register (owner_id, id);
create index risks_register_accepted_by on risks_register (accepted_by) where accepted_by is not null;
create index risks_register_created_by on risks_register (created_by);
create index risks_register_expiry on risks_register (acceptance_expires_on, id) where status = 'accepted';
create index risks_register_words on risks_register using gin (search_text gin_trgm_ops);

create table risks_cards (
  id uuid primary key default gen_random_uuid(),
  risk_id uuid not null references risks_register(id) on delete cascade,
  card_id uuid not null constraint risks_cards_card references cards(id) on delete cascade,
  role text not null check (role in ('affected', 'contributing', 'control_owner')),
  constraint risks_cards_once unique (risk_id, card_id)
);
create index risks_cards_by_card on risks_cards (card_id, risk_id);

-- A sequence would leave a gap where a transaction fails; the row makes numbering wait its turn instead.
create table risks_counter (
  one boolean primary key default true check (one),
  last integer not null
);
insert into risks_counter (last) values (0);

-- The matrix stored levels are of. Who writes a risk shares its lock, so that no level of an older one comes after it.
create table risks_matrix (
  one boolean primary key default true check (one),
  -- of the event that brought it
  position bigint not null,
  cells jsonb not null
);
insert into risks_matrix (position, cells) values (0, '${JSON.stringify(MATRIX)}');
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table risks_matrix, risks_counter, risks_cards, risks_register');
}
