import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import { nameKey } from '../../foundation/text.js';
import type { Tag, TagGroup } from './types.js';

const NOW = `greatest(updated_at + interval '1 ms', date_trunc('milliseconds', clock_timestamp()))`;
const STAMP = 'version, created_at, updated_at';

/** The values a write sets in a row. */
export interface TagStamp extends Record<string, unknown> {
  version: number;
  created_at: Date;
  updated_at: Date;
}

const INSERT_GROUP = {
  name: 'tag-group-insert',
  text: `insert into tag_groups (id, name, name_key, mode, mandatory, restrict_to_types) values ($1, $2, $3, $4, $5, $6::jsonb) returning ${STAMP}`,
};
const UPDATE_GROUP = {
  name: 'tag-group-update',
  text: `update tag_groups set name = $2, name_key = $3, mode = $4, mandatory = $5, restrict_to_types = $6::jsonb, version = version + 1, updated_at = ${NOW}
    where id = $1 returning ${STAMP}`,
};
/** Adding a tag to a card takes a shared lock on its group: this waits for it, and later additions see the change. */
const LOCK_GROUP = { name: 'tag-group-lock', text: 'select 1 from tag_groups where id = $1 for update' };
const LOCK_TAGS = {
  name: 'tag-group-lock-tags',
  text: 'select 1 from tags where group_id = $1 order by id for update',
};
const DELETE_GROUP = { name: 'tag-group-delete', text: 'delete from tag_groups where id = $1' };
const INSERT_TAG = {
  name: 'tag-insert',
  text: `insert into tags (id, group_id, name, name_key, color, description) values ($1, $2, $3, $4, $5, $6) returning ${STAMP}`,
};
const UPDATE_TAG = {
  name: 'tag-update',
  text: `update tags set name = $2, name_key = $3, color = $4, description = $5, version = version + 1, updated_at = ${NOW} where id = $1 returning ${STAMP}`,
};
const LOCK_TAG = { name: 'tag-lock', text: 'select 1 from tags where id = $1 for update' };
const DELETE_TAG = { name: 'tag-delete', text: 'delete from tags where id = $1' };

const CARDS_OF_TAG = { name: 'tag-cards', text: 'select count(*)::int as n from card_tags where tag_id = $1' };
const CARDS_OF_GROUP = {
  name: 'tag-group-cards',
  text: 'select count(distinct ct.card_id)::int as n from tags t join card_tags ct on ct.tag_id = t.id where t.group_id = $1',
};
const VIOLATIONS = {
  name: 'tag-group-violations',
  text: `with held as (select ct.card_id, count(*) as n from tags t join card_tags ct on ct.tag_id = t.id where t.group_id = $1 group by 1)
    select (select count(*)::int from held where $2::boolean and n > 1) as mode,
      (select count(*)::int from held join cards c on c.id = held.card_id where cardinality($3::text[]) > 0 and c.type <> all($3)) as restrict_to_types`,
};

type GroupValues = Pick<TagGroup, 'id' | 'name' | 'mode' | 'mandatory' | 'restrictToTypes'>;
type TagValues = Pick<Tag, 'id' | 'name' | 'color' | 'description'>;
const groupValues = (g: GroupValues): unknown[] => [
  g.id,
  g.name,
  nameKey(g.name),
  g.mode,
  g.mandatory,
  JSON.stringify(g.restrictToTypes),
];

export async function insertGroup(uow: UnitOfWork, group: GroupValues): Promise<TagStamp> {
  return (await uow.query<TagStamp>(INSERT_GROUP, groupValues(group)))[0]!;
}

export async function updateGroup(uow: UnitOfWork, group: GroupValues): Promise<TagStamp> {
  return (await uow.query<TagStamp>(UPDATE_GROUP, groupValues(group)))[0]!;
}

export async function lockGroup(uow: UnitOfWork, id: string): Promise<void> {
  await uow.query(LOCK_GROUP, [id]);
}

/** Blocks adding tags of the group to cards until the unit of work ends. @returns the number of cards that have one */
export async function lockGroupUnused(uow: UnitOfWork, id: string): Promise<number> {
  await uow.query(LOCK_TAGS, [id]);
  return (await uow.query<{ n: number }>(CARDS_OF_GROUP, [id]))[0]!.n;
}

export async function deleteGroup(uow: UnitOfWork, id: string): Promise<void> {
  await uow.query(DELETE_GROUP, [id]);
}

/**
 * Cards that violate the new restrictions of a group: with several of its tags, or of a type no longer allowed.
 * @param single whether a card may have only one tag
 * @param types allowed card types; empty for all
 */
export async function countViolations(
  uow: UnitOfWork,
  id: string,
  single: boolean,
  types: readonly string[],
): Promise<{ mode: number; restrict_to_types: number }> {
  return (await uow.query<{ mode: number; restrict_to_types: number }>(VIOLATIONS, [id, single, types]))[0]!;
}

export async function insertTag(uow: UnitOfWork, groupId: string, tag: TagValues): Promise<TagStamp> {
  return (
    await uow.query<TagStamp>(INSERT_TAG, [tag.id, groupId, tag.name, nameKey(tag.name), tag.color, tag.description])
  )[0]!;
}

export async function updateTag(uow: UnitOfWork, tag: TagValues): Promise<TagStamp> {
  return (await uow.query<TagStamp>(UPDATE_TAG, [tag.id, tag.name, nameKey(tag.name), tag.color, tag.description]))[0]!;
}

/** Blocks adding the tag to cards until the unit of work ends. @returns the number of cards that have it */
export async function lockTagUnused(uow: UnitOfWork, id: string): Promise<number> {
  await uow.query(LOCK_TAG, [id]);
  return (await uow.query<{ n: number }>(CARDS_OF_TAG, [id]))[0]!.n;
}

export async function deleteTag(uow: UnitOfWork, id: string): Promise<void> {
  await uow.query(DELETE_TAG, [id]);
}
