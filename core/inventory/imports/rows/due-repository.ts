import type { Database } from '../../../foundation/db/database.js';
import { WriteConflict, type UnitOfWork } from '../../../foundation/db/unit-of-work.js';
import type { RowChange } from './diff.js';
import type { RowDoc } from './rows-repository.js';
import type { Position, RowError } from '../types.js';

/** Rows written per transaction. */
const CHUNK = 2_000;

interface DueRow {
  n: number;
  verdict: 'create' | 'update';
  doc: RowDoc;
  target_id: string | null;
  base_version: number | null;
  /** Empty for a card to create. */
  diff: RowChange[];
  place_key: string | null;
}

export interface DueCard extends DueRow {
  level: number;
  grp: number | null;
  parent_row: number | null;
  parent_target: string | null;
}

export interface DueRelation extends DueRow {
  source_target: string | null;
  target_target: string | null;
}

export interface Applied {
  n: number;
  verdict: 'create' | 'update' | 'failed' | 'conflict';
  target_id: string | null;
  errors?: readonly RowError[];
}

const DUE = `r.import_id = $1 and r.verdict in ('create', 'update') and r.applied_at is null`;
/** A new card is written as its row has it, and the place key has its parent: its diff is not read. */
const CARDS = `select r.n, r.verdict, r.doc, r.target_id, r.base_version, case r.verdict when 'update' then r.diff else '[]' end as diff, r.place_key,
    r.level, r.grp, r.parent_row, p.target_id as parent_target
  from import_rows r left join import_rows p on p.import_id = r.import_id and p.n = r.parent_row
  where ${DUE} and r.kind = 'card'`;
/** The first row of each chunk. */
const DUE_CHUNKS = {
  name: 'import-due-chunks',
  text: `select level, n from (select r.level, r.n, row_number() over (order by r.level, r.n) - 1 as at from import_rows r where ${DUE} and r.kind = 'card') c
    where at % ${CHUNK} = 0 order by at`,
};
const DUE_CARDS = {
  name: 'import-due-cards',
  text: `${CARDS} and (r.level, r.n) >= ($2, $3) and (r.level, r.n) < ($4, $5) order by r.level, r.n`,
};
const DUE_TOGETHER = {
  name: 'import-due-together',
  text: `${CARDS} and r.grp = any($2::int[]) and r.n <> all($3::int[]) order by r.level, r.n`,
};
const MOVES = {
  name: 'import-moves',
  // CASE: PostgreSQL would otherwise read the diffs of all rows to create, too.
  text: `select from import_rows r where ${DUE} and r.kind = 'card' and case r.verdict when 'update' then r.diff @? '$[*] ? (@.field == "parent_id")' end limit 1`,
};
const DUE_RELATIONS = {
  name: 'import-due-relations',
  // After the last row read: the rows already written would otherwise be read again for each chunk.
  text: `select r.n, r.verdict, r.doc, r.target_id, r.base_version, r.diff, r.place_key, s.target_id as source_target, t.target_id as target_target
    from (select * from import_rows r where ${DUE} and r.kind = 'relation' and r.n > $2 order by r.n limit ${CHUNK}) r
      left join import_rows s on s.import_id = $1 and s.n = r.source_row
      left join import_rows t on t.import_id = $1 and t.n = r.target_row
    order by r.n`,
};
const WANTED = 'jsonb_to_recordset($1::jsonb) as w(id uuid, version int)';
const CARDS_MOVED_ON = {
  name: 'import-cards-moved-on',
  text: `select c.id, c.version, c.subtype, c.name, c.description, c.parent_id, c.lifecycle, c.attributes, c.external_id, c.alias
    from ${WANTED} join card_rows c using (id) where c.version is distinct from w.version`,
};
const RELATIONS_MOVED_ON = {
  name: 'import-relations-moved-on',
  text: `select x.id, x.version, x.attributes, x.description, x.valid_from::text, x.valid_to::text
    from ${WANTED} join relations x using (id) where x.version is distinct from w.version`,
};
const MARK = {
  name: 'import-mark',
  text: `with marked as (update import_rows r set verdict = v.verdict, target_id = coalesce(v.target_id, r.target_id), errors = coalesce(v.errors, r.errors), applied_at = clock_timestamp()
      from jsonb_to_recordset($2::jsonb) as v(n int, verdict text, target_id uuid, errors jsonb) where r.import_id = $1 and r.n = v.n and r.applied_at is null returning 1)
    select count(*)::int as n from marked`,
};

/** Rows with cards that are written, or checked, in one step: from one position to another, which is not included. */
export interface DueChunk {
  from: Position;
  to: Position;
}

const END: Position = { level: 2 ** 31 - 1, n: 2 ** 31 - 1 };

/**
 * The rows with cards to write, in chunks, parents before children.
 * @returns the chunks in their order; those of one array are independent of each other
 */
export async function dueChunks(on: Pick<Database, 'query'>, importId: string): Promise<DueChunk[][]> {
  const firsts = await on.query<Position & Record<string, unknown>>(DUE_CHUNKS, [importId]);
  // Whether a card may be placed below another one can depend on moves of cards above that one, in any earlier row.
  const isInOrder = firsts.length > 1 && (await anyMoves(on, importId));
  const together: DueChunk[][] = [];
  let level: number | undefined;
  for (const [i, from] of firsts.entries()) {
    const chunk = { from, to: firsts[i + 1] ?? END };
    // All its rows have the level of the first one; rows of one level do not depend on each other.
    const isOneLevel = !isInOrder && chunk.to.level === from.level;
    if (isOneLevel && level === from.level) together.at(-1)!.push(chunk);
    else together.push([chunk]);
    level = isOneLevel ? from.level : undefined;
  }
  return together;
}

/** The rows of a chunk that are still to be written, and those that must be written together with them. */
export async function dueCards(uow: UnitOfWork, importId: string, { from, to }: DueChunk): Promise<DueCard[]> {
  const rows = await uow.query<DueCard & Record<string, unknown>>(DUE_CARDS, [
    importId,
    from.level,
    from.n,
    to.level,
    to.n,
  ]);
  const groups = [...new Set(rows.flatMap(({ grp }) => grp ?? []))];
  if (groups.length === 0) return rows;
  return [
    ...rows,
    ...(await uow.query<DueCard & Record<string, unknown>>(DUE_TOGETHER, [importId, groups, rows.map(({ n }) => n)])),
  ];
}

/** Whether any row changes the parent of an existing card. */
export async function anyMoves(on: Pick<Database, 'query'>, importId: string): Promise<boolean> {
  return (await on.query(MOVES, [importId])).length > 0;
}

/**
 * The next rows to write, in their order.
 * @param after number of the row to continue after; 0 for the beginning
 */
export async function dueRelations(
  on: Pick<Database, 'query'>,
  importId: string,
  after: number,
): Promise<DueRelation[]> {
  return await on.query<DueRelation & Record<string, unknown>>(DUE_RELATIONS, [importId, after]);
}

/** The current values of a card or a relation. */
export type MovedOn = { id: string; version: number } & Record<string, unknown>;

/** The cards or relations that differ from the given version, by id. */
export async function movedOn(
  uow: UnitOfWork,
  kind: 'card' | 'relation',
  seen: readonly { id: string; version: number | null }[],
): Promise<Map<string, MovedOn>> {
  if (seen.length === 0) return new Map();
  return new Map(
    (await uow.query<MovedOn>(kind === 'card' ? CARDS_MOVED_ON : RELATIONS_MOVED_ON, [JSON.stringify(seen)])).map(
      (row) => [row.id, row],
    ),
  );
}

/**
 * Stores the results of rows in the transaction that wrote them, so that no row is written twice.
 * @throws WriteConflict where another transaction has written some of them
 */
export async function markApplied(uow: UnitOfWork, importId: string, rows: readonly Applied[]): Promise<void> {
  const [marked] = await uow.query<{ n: number }>(MARK, [importId, JSON.stringify(rows)]);
  if (marked!.n < rows.length) throw new WriteConflict();
}
