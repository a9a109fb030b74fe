import type { Knex } from 'knex';

/**
 * A third score of each card, computed from what every reader of the card sees: without costs, relations, stakeholders and
 * references to other cards. It is shown to readers from whom some of these are hidden, because the others would reveal
 * whether they exist. It is 0 until the job has computed it for existing cards.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
alter table card_contents add column basic_quality numeric(4,1) not null default 0 check (basic_quality between 0 and 100);
create or replace view card_rows as
  select c.id, c.type, c.subtype, c.name, c.name_key, c.description, c.parent_id, c.path_ids, c.status, c.approval_status, c.external_id, c.alias,
    c.search_name, c.search_text, c.words, c.created_by, c.created_at, c.archived_at,
    v.type as content_type, v.attributes, v.lifecycle, v.data_quality, v.open_quality, v.edited_by, v.updated_by, v.updated_at, v.version,
    c.xmin::text || '.' || v.xmin::text as stamp, v.basic_quality
  from cards c left join card_contents v on v.id = c.id;
insert into jobs (id, type, payload) select gen_random_uuid(), 'cards.rescore', '{"types": null}' where exists (select from cards);
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
drop view card_rows;
alter table card_contents drop column basic_quality;
create view card_rows as
  select c.id, c.type, c.subtype, c.name, c.name_key, c.description, c.parent_id, c.path_ids, c.status, c.approval_status, c.external_id, c.alias,
    c.search_name, c.search_text, c.words, c.created_by, c.created_at, c.archived_at,
    v.type as content_type, v.attributes, v.lifecycle, v.data_quality, v.open_quality, v.edited_by, v.updated_by, v.updated_at, v.version,
    c.xmin::text || '.' || v.xmin::text as stamp
  from cards c left join card_contents v on v.id = c.id;
`);
}
