import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
create table adr_decisions (
  id uuid primary key,
  number integer not null constraint adr_decisions_number unique,
  title text not null,
  title_key text not null collate "C",
  status text not null default 'draft' check (status in ('draft', 'in_review', 'signed', 'superseded')),
  context text,
  drivers jsonb not null default '[]',
  options jsonb not null default '[]',
  decision text,
  consequences text,
  search_text text not null,
  created_by uuid references users(id) on delete set null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- when the draft, as it is since updated_at, was reported as stale
  reported_at timestamptz(3),
  version integer not null default 1
);
create index adr_decisions_title on adr_decisions (title_key, id);
create index adr_decisions_created on adr_decisions (created_at, id);
create index adr_decisions_updated on adr_decisions (updated_at, id);
create index adr_decisions_words on adr_decisions using gin (search_text gin_trgm_ops);

create table adr_cards (
  adr_id uuid not null references adr_decisions(id) on delete cascade,
  card_id uuid not null constraint adr_cards_card references cards(id) on delete cascade,
  primary key (adr_id, card_id)
);
create index adr_cards_by_card on adr_cards (card_id, adr_id);

-- A sequence would leave a gap where a transaction fails; the row makes numbering wait its turn instead.
create table adr_counter (
  one boolean primary key default true check (one),
  last integer not null
);
insert into adr_counter (last) values (0);
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table adr_cards, adr_counter, adr_decisions');
}
