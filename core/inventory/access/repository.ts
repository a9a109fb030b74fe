import type { CardRef, NamedCard } from '@lintel/sdk';
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

const BY_NAME = {
  name: 'access-cards-by-name',
  text: `select n.place::int as place, c.id, c.type, c.name, c.status, c.score
    from unnest($1::text[], $2::text[]) with ordinality as n(key, words, place) cross join lateral (
      select k.id, k.type, k.name, k.status,
          case when k.name_key = n.key or k.search_name = n.words then 1::float8 else least(0.99, similarity(k.search_name, n.words)::float8) end as score
        from cards k where k.status = 'ACTIVE' and (k.name_key = n.key or k.search_name % n.words)
          and ($3::text[] is null or k.type = any($3::text[])) and k.type <> all($4::text[])
        order by score desc, k.name_key, k.id limit $5) c
    order by n.place, c.score desc, c.name, c.id`,
};

/**
 * Active cards by their names, or similar ones; for each name at most so many.
 * @param names each as a name key, and folded as for search
 * @param types default: all
 * @param hidden types that are left out
 */
export async function readByName(
  on: Pick<Database, 'query'>,
  names: readonly { key: string; words: string }[],
  types: readonly string[] | undefined,
  hidden: readonly string[],
  most: number,
): Promise<(NamedCard & { place: number })[]> {
  return await on.query<NamedCard & { place: number } & Record<string, unknown>>(BY_NAME, [
    names.map(({ key }) => key),
    names.map(({ words }) => words),
    types ?? null,
    hidden,
    most,
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
