import type { Knex } from 'knex';

/**
 * A second score of each card, worked out as if its costs were no fields: what is shown to readers who may not see
 * them, for whom the first would tell whether a cost is filled. Until the job has scored the cards there are, it is 0.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
alter table cards add column open_quality numeric(4,1) not null default 0 check (open_quality between 0 and 100);
create index cards_open_quality on cards (open_quality, id) where status = 'ACTIVE';
insert into jobs (id, type, payload) select gen_random_uuid(), 'cards.rescore', '{"types": null}' where exists (select from cards);
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table cards drop column open_quality');
}
