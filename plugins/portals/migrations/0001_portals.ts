import { resourceColumns } from '@lintel/sdk';
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
create table portals_portals (
  ${resourceColumns},
  slug text not null collate "C",
  title text not null,
  description text,
  type text not null,
  -- Keys of fields, in their order.
  fields jsonb not null,
  -- Those of them that are published although they are costs.
  costs jsonb not null,
  filters jsonb not null,
  visitor_filters jsonb not null,
  search_fields jsonb not null,
  sort_by text not null,
  sort_dir text not null check (sort_dir in ('asc', 'desc')),
  page_size integer not null check (page_size between 1 and 100),
  is_published boolean not null,
  title_key text not null collate "C",
  search_text text not null,
  constraint portals_slugs unique (slug)
);
create index portals_portals_published on portals_portals (slug) where is_published;
create index portals_portals_title on portals_portals (title_key, id);
create index portals_portals_created_by on portals_portals (created_by);
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table portals_portals');
}
