import type { Knex } from 'knex';

/**
 * The indexes of both ends and of the key of relations contain whether a relation is hidden. A query for the ends of the relations
 * that are shown then reads the index and not the table: cards without a relation, and the relations of one type (ADR 0027).
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
drop index relations_by_source, relations_by_target;
create index relations_by_source on relations (source_id, hidden, type);
create index relations_by_target on relations (target_id, hidden, type);
alter table relations drop constraint relations_exists,
  add constraint relations_exists unique (type, source_id, target_id) include (hidden);
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
drop index relations_by_source, relations_by_target;
create index relations_by_source on relations (source_id, type);
create index relations_by_target on relations (target_id, type);
alter table relations drop constraint relations_exists, add constraint relations_exists unique (type, source_id, target_id);
`);
}
