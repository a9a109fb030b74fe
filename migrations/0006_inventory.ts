import type { Knex } from 'knex';

/**
 * Relations have the status of their ends by foreign key: archiving a card hides its relations in the same statement,
 * also those being created concurrently, and hidden relations do not count for cardinality.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
-- The user of the last change that an approval covers, who may not approve if the type requires four eyes.
alter table cards add column edited_by uuid;
update cards set edited_by = updated_by;

-- Without foreign keys: the ids of the users who created and changed a card remain when an account is deleted, and deleting an account changes no card.
alter table cards drop constraint cards_created_by_fkey, drop constraint cards_updated_by_fkey;
alter table relations drop constraint relations_created_by_fkey, drop constraint relations_updated_by_fkey;

alter table relations add column source_status text not null default 'ACTIVE', add column target_status text not null default 'ACTIVE';
update relations r set source_status = s.status, target_status = t.status from cards s, cards t where s.id = r.source_id and t.id = r.target_id;
alter table relations add column hidden boolean not null generated always as (source_status <> 'ACTIVE' or target_status <> 'ACTIVE') stored;

alter table cards add constraint cards_id_type_status unique (id, type, status);
alter table relations
  drop constraint relations_source, drop constraint relations_target,
  add constraint relations_source foreign key (source_id, source_type, source_status) references cards(id, type, status) on update cascade,
  add constraint relations_target foreign key (target_id, target_type, target_status) references cards(id, type, status) on update cascade;
alter table cards drop constraint cards_id_type_key;

drop index relations_one_source, relations_one_target;
create unique index relations_one_source on relations (type, target_id) where one_source and not hidden;
create unique index relations_one_target on relations (type, source_id) where one_target and not hidden;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
drop index relations_one_source, relations_one_target;
alter table cards add constraint cards_id_type_key unique (id, type);
alter table relations
  drop constraint relations_source, drop constraint relations_target,
  add constraint relations_source foreign key (source_id, source_type) references cards(id, type),
  add constraint relations_target foreign key (target_id, target_type) references cards(id, type);
alter table cards drop constraint cards_id_type_status;
alter table relations drop column hidden, drop column source_status, drop column target_status;
create unique index relations_one_source on relations (type, target_id) where one_source;
create unique index relations_one_target on relations (type, source_id) where one_target;
alter table cards drop column edited_by;
update cards set created_by = null where created_by not in (select id from users);
update cards set updated_by = null where updated_by not in (select id from users);
update relations set created_by = null where created_by not in (select id from users);
update relations set updated_by = null where updated_by not in (select id from users);
alter table cards add constraint cards_created_by_fkey foreign key (created_by) references users(id) on delete set null,
  add constraint cards_updated_by_fkey foreign key (updated_by) references users(id) on delete set null;
alter table relations add constraint relations_created_by_fkey foreign key (created_by) references users(id) on delete set null,
  add constraint relations_updated_by_fkey foreign key (updated_by) references users(id) on delete set null;
`);
}
