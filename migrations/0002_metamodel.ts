import type { Knex } from 'knex';

/**
 * Revisions of the metamodel, which changes at run time, and constraints against writes by a node that still uses an
 * older revision: nodes are notified within milliseconds, but a write may already be running.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
-- The complete metamodel after each change.
create table metamodel_revisions (
  revision bigint primary key,
  at timestamptz(3) not null,
  actor uuid,
  actor_name text,
  change_id uuid,
  summary text not null,
  doc jsonb not null
);

alter table tags
  add column version integer not null default 1,
  add column created_at timestamptz(3) not null default clock_timestamp(),
  add column updated_at timestamptz(3) not null default clock_timestamp();

insert into metamodel_revisions (revision, at, summary, doc)
  select r.revision, clock_timestamp(), 'The metamodel as it was found', jsonb_build_object(
    'types', (select jsonb_agg(t order by t.sort_order, t.key) from card_types t),
    'relation_types', (select coalesce(jsonb_agg(t order by t.sort_order, t.key), '[]') from relation_types t),
    'tag_groups', (select coalesce(jsonb_agg(to_jsonb(g) || jsonb_build_object('tags',
      (select coalesce(jsonb_agg(to_jsonb(t) order by t.name_key), '[]') from tags t where t.group_id = g.id)) order by g.name_key), '[]') from tag_groups g))
  from revisions r where r.kind = 'metamodel' and exists (select from card_types);

-- Revision of the last change that removed something: writes by an older revision are refused.
create table metamodel_floor (
  one boolean primary key default true check (one),
  revision bigint not null
);
insert into metamodel_floor (revision) values (0);

-- Writers hold a shared lock until their transactions end. A change that removes something holds the exclusive lock
-- while it counts uses and commits: it sees every earlier write, and every later write sees its revision. A refused
-- transaction is repeated with the new metamodel (40001). The trigger runs once per statement.
create function metamodel_current() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(7315021);
  if exists (select from written w where w.metamodel_revision < (select revision from metamodel_floor)) then
    raise exception 'written by an older metamodel' using errcode = '40001';
  end if;
  return null;
end $$;
create trigger card_versions_metamodel after insert on card_versions
  referencing new table as written for each statement execute function metamodel_current();
create trigger relation_versions_metamodel after insert on relation_versions
  referencing new table as written for each statement execute function metamodel_current();

create function stakeholder_role_exists() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(7315021);
  if not exists (select from cards c join card_types t on t.key = c.type
      where c.id = new.card_id and t.doc->'stakeholder_roles' @> jsonb_build_array(jsonb_build_object('key', new.role))) then
    raise exception 'the card type has no such stakeholder role' using errcode = '40001';
  end if;
  return null;
end $$;
create trigger card_stakeholders_role after insert on card_stakeholders for each row execute function stakeholder_role_exists();

-- The row lock prevents changes of the group until the transaction of the writer ends.
create function card_tag_allowed() returns trigger language plpgsql as $$
declare
  g record;
begin
  select tg.id, tg.mode, tg.restrict_to_types into g from tags t join tag_groups tg on tg.id = t.group_id where t.id = new.tag_id for share of tg;
  if jsonb_array_length(g.restrict_to_types) > 0 and not exists (select from cards c where c.id = new.card_id and g.restrict_to_types @> to_jsonb(c.type)) then
    raise exception 'the tag is not for cards of this type' using errcode = '23514', constraint = 'card_tags_restricted';
  end if;
  if g.mode = 'single' and (select count(*) from card_tags ct join tags t on t.id = ct.tag_id where ct.card_id = new.card_id and t.group_id = g.id) > 1 then
    raise exception 'the group allows one tag' using errcode = '23514', constraint = 'card_tags_single';
  end if;
  return null;
end $$;
create trigger card_tags_allowed after insert on card_tags for each row execute function card_tag_allowed();
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
drop trigger card_tags_allowed on card_tags;
drop function card_tag_allowed();
drop trigger card_stakeholders_role on card_stakeholders;
drop function stakeholder_role_exists();
drop trigger relation_versions_metamodel on relation_versions;
drop trigger card_versions_metamodel on card_versions;
drop function metamodel_current();
drop table metamodel_floor;
alter table tags drop column version, drop column created_at, drop column updated_at;
drop table metamodel_revisions;
`);
}
