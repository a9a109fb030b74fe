import type { ModuleMigration } from '@lintel/sdk';

export const up: ModuleMigration['up'] = async (knex) => {
  await knex.raw(`
create table insightlens_suppliers (
  id uuid primary key,
  version integer not null default 1,
  -- given by people; null: that of its cards
  name text check (length(name) between 1 and 200),
  state text not null default 'proposed' check (state in ('proposed', 'confirmed')),
  decided_by uuid references users(id) on delete set null,
  decided_at timestamptz(3),
  created_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp())
) with (fillfactor = 80);

-- Where one run has found a name of a supplier, and which supplier the run takes it for.
create table insightlens_supplier_mentions (
  run_id uuid not null references insightlens_runs(id) on delete cascade,
  card_id uuid not null references cards(id) on delete cascade,
  -- key of the attribute; empty: the card is the supplier
  field text not null,
  key text collate "C" not null,
  name text not null,
  -- keys of other names that the text states
  others text[] not null,
  -- what people decide about: the card that is a supplier, whatever its name, or the name in attributes
  member text collate "C" not null generated always as (case when field = '' then 'card:' || card_id else 'key:' || key end) stored,
  -- null until the names of the run are grouped
  supplier_id uuid references insightlens_suppliers(id),
  primary key (run_id, card_id, field, key)
);
create index insightlens_supplier_mentions_of_supplier on insightlens_supplier_mentions (supplier_id);
create index insightlens_supplier_mentions_of_card on insightlens_supplier_mentions (card_id);
create index insightlens_supplier_mentions_members on insightlens_supplier_mentions (run_id, member);

-- To which supplier people have decided that a member belongs: it holds for all runs, at once.
create table insightlens_supplier_decisions (
  member text collate "C" primary key,
  supplier_id uuid not null references insightlens_suppliers(id),
  -- of the card that it is
  card_id uuid references cards(id) on delete cascade,
  decided_by uuid references users(id) on delete set null,
  decided_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp())
);
create index insightlens_supplier_decisions_of_supplier on insightlens_supplier_decisions (supplier_id);
create index insightlens_supplier_decisions_of_card on insightlens_supplier_decisions (card_id) where card_id is not null;
`);
};

export const down: ModuleMigration['down'] = async (knex) => {
  await knex.raw('drop table insightlens_supplier_decisions, insightlens_supplier_mentions, insightlens_suppliers');
};
