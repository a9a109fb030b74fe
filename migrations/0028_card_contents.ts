import type { Knex } from 'knex';

/**
 * What changes often is stored apart from what lists and searches walk: a change of an attribute then writes to a narrow
 * table with three indexes, and not to the indexes of names, words, paths and parents. `card_rows` joins both tables;
 * PostgreSQL leaves the second one out where a query uses none of its columns. Type and status are copied, kept equal by
 * the foreign key, for the indexes on attributes; the name's key is copied for the default sort of what those find.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
create table card_contents (
  id uuid not null,
  type text not null,
  status text not null,
  name_key text collate "C" not null,
  attributes jsonb not null default '{}',
  lifecycle jsonb not null default '{}',
  data_quality numeric(4,1) not null default 0 check (data_quality between 0 and 100),
  open_quality numeric(4,1) not null default 0 check (open_quality between 0 and 100),
  edited_by uuid,
  updated_by uuid,
  updated_at timestamptz(3) not null,
  version integer not null
);
insert into card_contents
  select id, type, status, name_key, attributes, lifecycle, data_quality, open_quality, edited_by, updated_by, updated_at, version from cards order by id;
alter table card_contents add primary key (id);
create index card_contents_updated on card_contents (updated_at, id);
-- The limit of the list of pending entries is as in migration 0018.
create index card_contents_attributes on card_contents using gin (attributes jsonb_path_ops) with (gin_pending_list_limit = 32768);

drop index cards_created, cards_types, cards_subtypes, cards_approval;
create index cards_subtype_name on cards (subtype collate "C", name_key, id) where status = 'ACTIVE';
alter table cards drop column attributes, drop column lifecycle, drop column data_quality, drop column open_quality,
  drop column edited_by, drop column updated_by, drop column updated_at, drop column version;
-- Rewrites the table, so that the dropped columns take no more space.
cluster cards using cards_pkey;
alter table cards set without cluster;
alter table card_contents add constraint card_contents_card foreign key (id, type, status) references cards (id, type, status) on update cascade on delete cascade;

create view card_rows as
  select c.id, c.type, c.subtype, c.name, c.name_key, c.description, c.parent_id, c.path_ids, c.status, c.approval_status, c.external_id, c.alias,
    c.search_name, c.search_text, c.words, c.created_by, c.created_at, c.archived_at,
    v.type as content_type, v.attributes, v.lifecycle, v.data_quality, v.open_quality, v.edited_by, v.updated_by, v.updated_at, v.version,
    c.xmin::text || '.' || v.xmin::text as stamp
  from cards c left join card_contents v on v.id = c.id;
analyze cards, card_contents;

-- Ends a statement that finds a row changed since it was read, so that the unit of work is repeated.
create function lintel_write_conflict() returns boolean language plpgsql as $$
begin
  raise exception 'the row was changed concurrently' using errcode = '40001';
end $$;

-- The rules of the hierarchy for a card that is archived or restored, checked by the statement that writes it: a function
-- that may write takes a new snapshot, and so sees what was committed while the statement waited for the lock of the card.
create function lintel_status_fits(card uuid, parent uuid, new_status text) returns boolean language plpgsql volatile as $$
begin
  if new_status = 'ARCHIVED' then
    return not exists (select from cards c where c.parent_id = card and c.status = 'ACTIVE');
  end if;
  -- The lock has a concurrent request that archives the parent wait, and then find this card.
  perform 1 from cards c where c.id = parent and c.status = 'ACTIVE' for share;
  return parent is null or found;
end $$;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
drop view card_rows;
drop function lintel_write_conflict();
drop function lintel_status_fits(uuid, uuid, text);
alter table cards add column attributes jsonb not null default '{}', add column lifecycle jsonb not null default '{}',
  add column data_quality numeric(4,1) not null default 0 check (data_quality between 0 and 100),
  add column open_quality numeric(4,1) not null default 0 check (open_quality between 0 and 100),
  add column edited_by uuid, add column updated_by uuid, add column updated_at timestamptz(3), add column version integer;
update cards c set attributes = v.attributes, lifecycle = v.lifecycle, data_quality = v.data_quality, open_quality = v.open_quality,
  edited_by = v.edited_by, updated_by = v.updated_by, updated_at = v.updated_at, version = v.version from card_contents v where v.id = c.id;
alter table cards alter column updated_at set not null, alter column version set not null;
drop table card_contents;
drop index cards_subtype_name;
create index cards_created on cards (created_at, id) where status = 'ACTIVE';
create index cards_quality on cards (data_quality, id) where status = 'ACTIVE';
create index cards_open_quality on cards (open_quality, id) where status = 'ACTIVE';
create index cards_types on cards (type collate "C", id) where status = 'ACTIVE';
create index cards_subtypes on cards (subtype collate "C", id) where status = 'ACTIVE';
create index cards_approval on cards (approval_status collate "C", id) where status = 'ACTIVE';
create index cards_updated on cards (updated_at, id) where status = 'ACTIVE';
create index cards_type_updated on cards (type, updated_at, id) where status = 'ACTIVE';
create index cards_attributes on cards using gin (attributes jsonb_path_ops) with (gin_pending_list_limit = 32768);
`);
}
