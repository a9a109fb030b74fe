import type { ModuleMigration } from '@lintel/sdk';

export const up: ModuleMigration['up'] = async (knex) => {
  await knex.raw(`
-- What is known about a feed: its content is replaced as a whole, and a failed attempt changes nothing of it.
create table insightlens_feeds (
  feed text primary key check (feed in ('kev', 'endoflife')),
  version integer not null default 1,
  -- of its content: null until it has some
  source text check (source in ('upload', 'fetch')),
  published text,
  loaded_at timestamptz(3),
  entries integer not null default 0,
  -- for conditional requests; of the URL from which the content was fetched
  url text,
  etag text,
  last_modified text,
  -- of the last attempt to fetch it
  checked_at timestamptz(3),
  failed_at timestamptz(3),
  failure jsonb
);
insert into insightlens_feeds (feed) values ('kev'), ('endoflife');

create table insightlens_vulnerabilities (
  cve text primary key,
  vendor text not null,
  product text not null,
  name text not null,
  added date not null,
  due date,
  ransomware boolean not null,
  action text
);

create table insightlens_products (
  slug text collate "C" primary key,
  title text not null,
  aliases text[] not null
);
create table insightlens_releases (
  slug text collate "C" not null references insightlens_products(slug) on delete cascade,
  place smallint not null,
  cycle text not null,
  label text,
  -- a date, or whether it has ended; null: not stated
  eol jsonb,
  eoas jsonb,
  latest text,
  primary key (slug, place)
);

-- Which product a card is, as people have decided: kept whatever the feeds and the names of cards become.
create table insightlens_card_products (
  card_id uuid primary key references cards(id) on delete cascade,
  version integer not null default 1,
  -- of the end-of-life dates; null: none
  slug text,
  -- of the known exploited vulnerabilities; null: none
  vendor text,
  product text,
  -- in place of that of the card
  release text,
  updated_by uuid references users(id) on delete set null,
  updated_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  check ((vendor is null) = (product is null))
);

-- What a run of the analysis has found out about the product of a card.
create table insightlens_matches (
  run_id uuid not null references insightlens_runs(id) on delete cascade,
  card_id uuid not null references cards(id) on delete cascade,
  -- the card of the supplier by which it was found out
  via_id uuid references cards(id) on delete cascade,
  slug text,
  cycles text[] not null,
  release text,
  vendor text,
  product text,
  -- why a feed could not be used for it
  reasons text[] not null,
  candidates text[] not null,
  primary key (run_id, card_id)
);
create index insightlens_matches_of_card on insightlens_matches (card_id);
create index insightlens_matches_via on insightlens_matches (via_id) where via_id is not null;
`);
};

export const down: ModuleMigration['down'] = async (knex) => {
  await knex.raw(`drop table insightlens_matches, insightlens_card_products, insightlens_releases, insightlens_products,
    insightlens_vulnerabilities, insightlens_feeds`);
};
