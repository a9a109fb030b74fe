import type { CardRef } from '@lintel/sdk';
import type { Database } from '../../foundation/db/database.js';

const CARDS = {
  name: 'access-cards',
  text: `select id, type, name, status, path_ids from cards where id = any($1::uuid[])`,
};

/** The data of a card needed for access decisions, with its position: ids from the root down to its parent. */
export interface PlacedCard extends CardRef {
  path_ids: string[];
}

/** Cards by their ids; unknown ids are omitted. @param on a unit of work, to include its uncommitted changes */
export async function readPlacedCards(on: Pick<Database, 'query'>, ids: readonly string[]): Promise<PlacedCard[]> {
  return await on.query<PlacedCard & Record<string, unknown>>(CARDS, [ids]);
}

const BY_EXTERNAL_ID = {
  name: 'access-cards-by-external-id',
  text: `select id, type, name, status, external_id from cards where type = $1 and external_id = any($2::text[])`,
};

/** Cards of one type by their external ids; unknown ones are omitted. */
export async function readByExternalId(
  on: Pick<Database, 'query'>,
  type: string,
  externalIds: readonly string[],
): Promise<(CardRef & { external_id: string })[]> {
  return await on.query<CardRef & { external_id: string } & Record<string, unknown>>(BY_EXTERNAL_ID, [
    type,
    externalIds,
  ]);
}

/** The type of a deleted card is stored with its deletion. */
const TYPES = {
  name: 'access-types',
  text: `select w.id, t.type from unnest($1::uuid[]) as w(id),
    lateral (select coalesce((select c.type from cards c where c.id = w.id), (select d.type from card_deletions d where d.id = w.id)) as type) t
    where t.type is not null`,
};

/** The types of cards, including deleted ones; ids that never were cards are omitted. */
export async function readTypes(
  on: Pick<Database, 'query'>,
  ids: readonly string[],
): Promise<{ id: string; type: string }[]> {
  return await on.query<{ id: string; type: string }>(TYPES, [ids]);
}

/** Card and relation types with all their fields; the lax path yields nothing for a revision without such a list. */
const ONCE_COSTS = {
  name: 'access-once-costs',
  text: `select distinct w.kind, rows.t->>'key' as type, f->>'key' as key
    from metamodel_revisions r cross join (values ('card', 'types'), ('relation', 'relation_types')) as w(kind, list),
      lateral (select jsonb_path_query(r.doc->w.list, '$[*]') as t union all select value from jsonb_each(r.changed->w.list)) rows,
      jsonb_path_query(rows.t, '$.**.fields[*] ? (@.kind == "cost")') f
    where r.revision > $1`,
};

interface OnceCost {
  kind: 'card' | 'relation';
  type: string;
  key: string;
}

/** Fields that were costs in revisions of the metamodel after the given one. */
export async function readOnceCosts(db: Database, revision: string): Promise<OnceCost[]> {
  return await db.query<OnceCost & Record<string, unknown>>(ONCE_COSTS, [revision]);
}
