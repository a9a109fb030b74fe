import type { Database } from '../../../foundation/db/database.js';
import { readPage } from '../../../foundation/db/list.js';
import { Bindings, type ListParams, type ListSpec } from '../../../foundation/db/list-query.js';
import type { UnitOfWork } from '../../../foundation/db/unit-of-work.js';
import type { Page } from '../../../foundation/http/respond.js';
import type { CardTagView } from './schemas.js';

const SPEC: ListSpec = {
  table: 'tags t',
  id: 't.id',
  defaultSort: 'name',
  sorts: {
    name: { sql: 't.name_key', type: 'text' },
    group: { sql: '(select g.name_key from tag_groups g where g.id = t.group_id)', type: 'text' },
  },
};
/** Locks the tags and their groups until the unit of work ends. */
const WANTED = {
  name: 'card-tags-wanted',
  text: `select t.id, t.name, t.group_id, g.name as group_name, g.mode, g.restrict_to_types
    from tags t join tag_groups g on g.id = t.group_id where t.id = any($1::uuid[]) order by t.id for share`,
};
const NOW_ON = {
  name: 'card-tags-now',
  text: 'select t.id, t.name from card_tags ct join tags t on t.id = ct.tag_id where ct.card_id = $1 order by t.name_key, t.id',
};
const REPLACE = {
  name: 'card-tags-replace',
  text: `with gone as (delete from card_tags where card_id = $1 and tag_id <> all($2::uuid[]))
    insert into card_tags (card_id, tag_id) select $1, unnest($2::uuid[]) on conflict do nothing`,
};

export interface TagRef {
  id: string;
  name: string;
}
export interface WantedTag extends TagRef {
  group_id: string;
  group_name: string;
  mode: 'single' | 'multi';
  /** Card types; empty for all. */
  restrict_to_types: string[];
}

export async function listCardTags(db: Database, cardId: string, params: ListParams): Promise<Page<CardTagView>> {
  const bindings = new Bindings();
  const where = [`exists (select from card_tags ct where ct.tag_id = t.id and ct.card_id = ${bindings.add(cardId)})`];
  return readPage<CardTagView & Record<string, unknown>>(db, {
    spec: SPEC,
    params,
    where,
    bindings,
    scope: cardId,
    columns: 't.id, t.group_id, g.name as group_name, t.name, t.color',
    joins: 'left join tag_groups g on g.id = t.group_id',
  });
}

/** The existing tags among the ids, locked with their groups. */
export async function lockTags(uow: UnitOfWork, ids: readonly string[]): Promise<WantedTag[]> {
  return uow.query<WantedTag & Record<string, unknown>>(WANTED, [ids]);
}

export async function tagsNow(uow: UnitOfWork, cardId: string): Promise<TagRef[]> {
  return uow.query<TagRef & Record<string, unknown>>(NOW_ON, [cardId]);
}

export async function replaceTags(uow: UnitOfWork, cardId: string, ids: readonly string[]): Promise<void> {
  await uow.query(REPLACE, [cardId, ids]);
}
