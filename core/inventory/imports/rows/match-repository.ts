import type { CardState } from '../../cards/index.js';
import type { UnitOfWork } from '../../../foundation/db/unit-of-work.js';
import { nameKey } from '../../../foundation/text.js';
import { group, key, type KnownCard, type Place } from '../parse/archimate/plan.js';
import type { RowDoc } from './rows-repository.js';
import type { Reference, Verdict } from '../types.js';

/** Rows processed per step. */
const STEP = 2_000;

const CARD = `c.id, c.type, c.subtype, c.name, c.description, c.parent_id, c.path_ids, c.lifecycle, c.attributes, c.status, c.external_id, c.alias, c.version`;

/**
 * `type || ''` prevents the use of an index on the type: before the first ANALYZE the planner would underestimate its
 * rows.
 */
const AT_ROOT = `c.name_key = w.name_key and c.parent_id is null and c.status = 'ACTIVE' and c.type || '' = w.type`;

const PENDING_CARDS = {
  name: 'import-pending-cards',
  text: `select r.n, r.level, r.doc, r.parent_row, p.target_id as parent_target, p.verdict as parent_verdict, p.type as parent_type
    from import_rows r left join import_rows p on p.import_id = r.import_id and p.n = r.parent_row
    where r.import_id = $1 and r.kind = 'card' and r.verdict is null and r.level = $2 and r.n >= $3
    order by r.n limit ${STEP}`,
};
const CARD_CHUNKS = {
  name: 'import-card-chunks',
  text: `select level, min(n) as first
    from (select level, n, (row_number() over (partition by level order by n) - 1) / ${STEP} as chunk
      from import_rows where import_id = $1 and kind = 'card' and verdict is null) c
    group by level, chunk order by level, first`,
};
/** @param seen condition for cards that may be found @param known condition for cards found by their path */
const references = (
  seen: string,
  known: string,
): string => `with w as materialized (select * from jsonb_to_recordset($1::jsonb) as w(k text, id uuid, type text, external_id text, name_key text, path jsonb))
    select w.k, c.id, c.type, c.status from w join cards c on c.id = w.id ${seen}
    union all select w.k, c.id, c.type, c.status from w join cards c on c.type = w.type and c.external_id = w.external_id ${seen}
    union all select w.k, c.id, c.type, c.status from w join cards c on c.type = w.type and c.name_key = w.name_key and c.status = 'ACTIVE' ${seen}
      where w.path is null or (jsonb_array_length(w.path) = cardinality(c.path_ids) ${known} and (c.parent_id is null
        or (select jsonb_agg(a.name_key order by array_position(c.path_ids, a.id)) from cards a where a.id = any(c.path_ids)) = w.path))`;
const REFERENCES = { name: 'import-references', text: references('', '') };
/**
 * For users from whom some types are hidden: excludes hidden cards, and cards addressed by the names of hidden
 * ancestors.
 */
const REFERENCES_SEEN = {
  name: 'import-references-seen',
  text: references(
    'and c.type <> all($2::text[])',
    'and not exists (select from cards a where a.id = any(c.path_ids) and a.type = any($2::text[]))',
  ),
};
/** By position only where no card has the external id: the card of an unchanged row is read once. */
const MATCHES = {
  name: 'import-matches',
  text: `with w as materialized (select * from jsonb_to_recordset($1::jsonb) as w(n int, id uuid, type text, external_id text, has_place boolean, parent_id uuid, name_key text)),
      keyed as materialized (select w.n, 1 as rank, c.id from w join cards c on c.id = w.id
        union all select w.n, 2, c.id from w join cards c on c.type = w.type and c.external_id = w.external_id),
      placed as materialized (select * from w where w.has_place and not exists (select from keyed k where k.n = w.n)),
      found as (select * from keyed
        union all select w.n, 3, c.id from placed w join cards c on c.type = w.type and c.parent_id = w.parent_id and c.name_key = w.name_key and c.status = 'ACTIVE'
        union all select w.n, 3, c.id from placed w join cards c on ${AT_ROOT} where w.parent_id is null)
    select f.n, f.rank, ${CARD} from found f join card_rows c using (id) order by 1, 2`,
};
const HOLDERS = {
  name: 'import-holders',
  text: `with w as materialized (select * from jsonb_to_recordset($1::jsonb) as w(n int, type text, parent_id uuid, name_key text))
    select w.n, c.id from w join cards c on c.type = w.type and c.parent_id = w.parent_id and c.name_key = w.name_key and c.status = 'ACTIVE'
    union all select w.n, c.id from w join cards c on ${AT_ROOT} where w.parent_id is null`,
};
const RELATION = `x.id, x.type, x.source_id, x.target_id, x.source_type, x.target_type, x.attributes, x.description, x.valid_from::text, x.valid_to::text, x.version, x.hidden as archived`;
const RELATIONS = {
  name: 'import-relations',
  text: `with w as materialized (select * from jsonb_to_recordset($1::jsonb) as w(n int, id uuid, type text, source_id uuid, target_id uuid))
    select w.n, ${RELATION} from w join relations x on x.id = w.id
    union all select w.n, ${RELATION} from w join relations x on x.type = w.type and x.source_id = w.source_id and x.target_id = w.target_id where w.id is null`,
};
const KNOWN = {
  name: 'import-known',
  text: `select c.type, c.external_id, c.id, c.name, c.parent_id, c.status, cardinality(c.path_ids) as depth
    from unnest($1::text[], $2::text[]) as w(type, external_id) join cards c using (type, external_id)`,
};
/** The name itself, and names with ` (` after it: they are adjacent in index order. */
const VARIANT = `c.status = 'ACTIVE' and (c.name_key = w.name_key or (c.name_key >= w.name_key || ' (' and c.name_key < w.name_key || ' )'))`;
const TAKEN = {
  name: 'import-names-taken',
  text: `with w as materialized (select * from unnest($1::text[], $2::uuid[], $3::text[]) as w(type, parent_id, name_key))
    select c.type, c.parent_id, c.name_key from w join cards c on c.type = w.type and c.parent_id = w.parent_id and ${VARIANT}
    union select c.type, c.parent_id, c.name_key from w join cards c on c.type = w.type and c.parent_id is null and w.parent_id is null and ${VARIANT}`,
};

export interface PendingCard extends Record<string, unknown> {
  n: number;
  level: number;
  doc: RowDoc;
  parent_row: number | null;
  parent_target: string | null;
  parent_verdict: Verdict | null;
  parent_type: string | null;
}

export type MatchedCard = Pick<
  CardState,
  | 'id'
  | 'type'
  | 'subtype'
  | 'name'
  | 'description'
  | 'parent_id'
  | 'path_ids'
  | 'lifecycle'
  | 'attributes'
  | 'status'
  | 'external_id'
  | 'alias'
  | 'version'
>;

export interface FoundCard {
  id: string;
  type: string;
  status: 'ACTIVE' | 'ARCHIVED';
}

export interface FoundRelation {
  id: string;
  type: string;
  source_id: string;
  target_id: string;
  source_type: string;
  target_type: string;
  attributes: Record<string, unknown>;
  description: string | null;
  valid_from: string | null;
  valid_to: string | null;
  version: number;
  /** Whether one of its ends is archived. */
  archived: boolean;
}

/** Rows of one level that are processed in one step. */
export interface CardChunk {
  level: number;
  /** Number of the first row. */
  first: number;
}

/** The rows with cards that have no verdict, divided into chunks: those of each level, in the order of the levels. */
export async function cardChunks(uow: UnitOfWork, importId: string): Promise<CardChunk[][]> {
  const levels = new Map<number, CardChunk[]>();
  for (const chunk of await uow.query<CardChunk & Record<string, unknown>>(CARD_CHUNKS, [importId]))
    levels.set(chunk.level, [...(levels.get(chunk.level) ?? []), chunk]);
  return [...levels.values()];
}

/** The rows of a chunk. The verdicts of their parents, which have lower levels, must exist. */
export async function pendingCards(
  uow: UnitOfWork,
  importId: string,
  { level, first }: CardChunk,
): Promise<PendingCard[]> {
  return await uow.query<PendingCard>(PENDING_CARDS, [importId, level, first]);
}

/**
 * The cards that references refer to.
 * @param references by a key chosen by the caller
 * @param hiddenTypes types whose cards are not found
 * @returns cards by that key; a name without path finds nothing if several cards have it
 */
export async function findReferences(
  uow: UnitOfWork,
  references: ReadonlyMap<string, Exclude<Reference, { row: number }>>,
  hiddenTypes: readonly string[],
): Promise<Map<string, FoundCard>> {
  if (references.size === 0) return new Map();
  const wanted = [...references].map(([k, r]) => ({
    k,
    ...('id' in r
      ? { id: r.id }
      : 'external_id' in r
        ? r
        : { type: r.type, name_key: nameKey(r.name.trim()), path: r.path?.map((name) => nameKey(name.trim())) }),
  }));
  const found = new Map<string, FoundCard>();
  const several = new Set<string>();
  const text = JSON.stringify(wanted);
  const rows =
    hiddenTypes.length === 0
      ? await uow.query<FoundCard & { k: string }>(REFERENCES, [text])
      : await uow.query<FoundCard & { k: string }>(REFERENCES_SEEN, [text, hiddenTypes]);
  for (const { k, ...card } of rows) {
    if (found.has(k)) several.add(k);
    found.set(k, card);
  }
  for (const k of several) found.delete(k);
  return found;
}

export interface Sought {
  n: number;
  id?: string | undefined;
  type: string;
  external_id?: string | null | undefined;
  has_place: boolean;
  parent_id: string | null;
  name_key: string;
}

/** The cards that rows may refer to, the best match first. */
export async function findMatches(
  uow: UnitOfWork,
  sought: readonly Sought[],
): Promise<Map<number, { rank: number; card: MatchedCard }[]>> {
  const matches = new Map<number, { rank: number; card: MatchedCard }[]>();
  for (const { n, rank, ...card } of await uow.query<MatchedCard & { n: number; rank: number }>(MATCHES, [
    JSON.stringify(sought),
  ])) {
    matches.set(n, [...(matches.get(n) ?? []), { rank, card }]);
  }
  return matches;
}

/** Cards that have a name at a position, by row. */
export async function findHolders(
  uow: UnitOfWork,
  places: readonly { n: number; type: string; parent_id: string | null; name_key: string }[],
): Promise<Map<number, string>> {
  if (places.length === 0) return new Map();
  return new Map(
    (await uow.query<{ n: number; id: string }>(HOLDERS, [JSON.stringify(places)])).map(({ n, id }) => [n, id]),
  );
}

export interface SoughtRelation {
  n: number;
  id?: string;
  type?: string;
  source_id?: string;
  target_id?: string;
}

/** Relations that rows refer to by id, or by type and ends. */
export async function findRelations(
  uow: UnitOfWork,
  sought: readonly SoughtRelation[],
): Promise<Map<number, FoundRelation>> {
  if (sought.length === 0) return new Map();
  return new Map(
    (await uow.query<FoundRelation & { n: number }>(RELATIONS, [JSON.stringify(sought)])).map(({ n, ...relation }) => [
      n,
      relation,
    ]),
  );
}

const MANY = 5_000;

export async function findKnown(
  uow: UnitOfWork,
  keys: readonly { type: string; external_id: string }[],
): Promise<Map<string, KnownCard>> {
  const known = new Map<string, KnownCard>();
  for (let i = 0; i < keys.length; i += MANY) {
    const some = keys.slice(i, i + MANY);
    const rows = await uow.query<KnownCard & { type: string; external_id: string }>(KNOWN, [
      some.map((k) => k.type),
      some.map((k) => k.external_id),
    ]);
    for (const { type, external_id, ...card } of rows) known.set(key(type, external_id), card);
  }
  return known;
}

export async function findTaken(uow: UnitOfWork, places: readonly Place[]): Promise<Set<string>> {
  const taken = new Set<string>();
  for (let i = 0; i < places.length; i += MANY) {
    const some = places.slice(i, i + MANY);
    const rows = await uow.query<{ type: string; parent_id: string | null; name_key: string }>(TAKEN, [
      some.map((p) => p.type),
      some.map((p) => p.parent_id),
      some.map((p) => nameKey(p.name)),
    ]);
    for (const row of rows) taken.add(`${group(row.type, row.parent_id)}\n${row.name_key}`);
  }
  return taken;
}
