import { resourceColumns, type ModuleMigration } from '@lintel/sdk';

export const up: ModuleMigration['up'] = async (knex) => {
  await knex.raw(`
create table starter_items (
  ${resourceColumns},
  card_id uuid not null references cards(id) on delete cascade,
  title text not null,
  title_key text not null collate "C",
  note text,
  done boolean not null,
  search_text text not null,
  constraint starter_items_taken unique (card_id, title_key)
);
create index starter_items_by_title on starter_items (title_key, id);
create index starter_items_by_change on starter_items (updated_at, id);
create index starter_items_search on starter_items using gin (search_text gin_trgm_ops);
`);
};

export const down: ModuleMigration['down'] = async (knex) => {
  await knex.raw('drop table starter_items');
};
