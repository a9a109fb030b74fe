import type { Knex } from 'knex';

/**
 * A second score of each card, computed without its cost fields. It is shown to readers who may not see the costs, because the
 * first one would reveal whether a cost is filled. It is 0 until the job has computed it for existing cards.
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
