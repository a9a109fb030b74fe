import type { ActorToken } from '@lintel/sdk';
import type { Database } from '../../foundation/db/database.js';
import {
  Bindings,
  isUncounted,
  listQuery,
  named,
  type ListParams,
  type ListSpec,
} from '../../foundation/db/list-query.js';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import { readingPage } from '../../foundation/request-use.js';
import type { Change } from '../changes.js';

/** A change of a card's items that does not change its version. */
interface CardChange {
  cardId: string;
  /** Such as `tags`. */
  field: string;
  old: unknown;
  new: unknown;
}

/**
 * One row per card and change: later changes are appended. The times of a card never decrease, even if the clock does.
 */
const RECORD = {
  name: 'card-changes-record',
  text: `insert into card_changes (card_id, change_id, version, at, changes)
    select c.id, $1, c.version, greatest(date_trunc('milliseconds', clock_timestamp()), c.updated_at,
        (select max(x.at) from card_changes x where x.card_id = c.id)), r.changes
      from (select card_id, jsonb_agg(change order by n) as changes
        from rows from (jsonb_to_recordset($2::jsonb) as (card_id uuid, change jsonb)) with ordinality as i(card_id, change, n) group by card_id) r
      join card_rows c on c.id = r.card_id
    on conflict (card_id, change_id) do update set changes = card_changes.changes || excluded.changes`,
};

/** Adds a row to the history of each card, within the unit of work; the cards must be locked in it. */
export async function recordCardChanges(uow: UnitOfWork, changes: readonly CardChange[]): Promise<void> {
  if (changes.length === 0) return;
  const rows = changes.map((c) => ({
    card_id: c.cardId,
    change: { field: c.field, old: c.old ?? null, new: c.new ?? null },
  }));
  await uow.query(RECORD, [uow.ctx.changeId, JSON.stringify(rows)]);
}

export async function recordCardChange(uow: UnitOfWork, change: CardChange): Promise<void> {
  await recordCardChanges(uow, [change]);
}

/** The ids sort a version before changes made while it was current, as the order of entries with the same time. */
const SPEC: ListSpec = {
  table: 'history h',
  id: 'h.id',
  idType: 'text',
  defaultSort: 'at',
  defaultDir: 'desc',
  sorts: { at: { sql: 'h.at', type: 'timestamptz' } },
};

/** The fields of a new card, in the order in which its history lists them. */
export const INITIAL = [
  'type',
  'name',
  'subtype',
  'description',
  'alias',
  'external_id',
  'parent_id',
  'status',
  'approval_status',
  'lifecycle',
  'attributes',
] as const;

export interface HistoryRow {
  version: number;
  at: Date;
  change_id: string;
  /** As recorded; null for the first version. */
  changes: Change[] | null;
  /** Current values of the card, for its first version. */
  current: Record<string, unknown> | null;
  /** Values that the first version had and later versions changed, by field. */
  former: Record<string, unknown> | null;
  origin: string | null;
  request_id: string | null;
  actor: string | null;
  token: ActorToken | null;
  display_name: string | null;
}

interface HistoryPage {
  type: string;
  rows: HistoryRow[];
  /** Undefined if the changes were not counted. */
  total: number | undefined;
  page: number;
  page_size: number;
  next_cursor: string | null;
}

/**
 * One page of the history of a card, from one snapshot. What the first version contained follows from the current card
 * and the first old value of each field that was changed since.
 * @returns undefined where the card does not exist
 */
export async function readHistory(db: Database, cardId: string, params: ListParams): Promise<HistoryPage | undefined> {
  const bindings = new Bindings();
  const card = bindings.add(cardId);
  const query = listQuery(SPEC, params, [], bindings, cardId);
  const text = `with history as materialized (
      select (lpad(v.version::text, 10, '0') || ' 0') collate "C" as id, v.at, v.version, v.change_id, v.changes
        from card_versions v where v.id = ${card}
      union all select lpad(x.version::text, 10, '0') || ' 1 ' || x.change_id, x.at, x.version, x.change_id, x.changes
        from card_changes x where x.card_id = ${card}),
    total as (select ${isUncounted(params) ? 'null::int' : 'count(*)::int'} as total${isUncounted(params) ? '' : ' from history'}),
    keys as (${query.keys})
    select c.type, total.total as _total, keys.id as _id, keys.sort_value as _sort, h.version, h.at, h.change_id, h.changes,
      case when h.changes is null then jsonb_build_object(${INITIAL.map((field) => `'${field}', c.${field}`).join(', ')}) end as current,
      case when h.changes is null then (select jsonb_object_agg(o.field, o.old) from (
        select distinct on (x.field) x.field, x.old from card_versions v, jsonb_to_recordset(v.changes) as x(field text, old jsonb)
        where v.id = ${card} order by x.field, v.version) o) end as former,
      ch.origin, ch.request_id, ch.actor, ch.token, u.display_name
    from card_rows c cross join total left join keys on true left join history h on h.id = keys.id
    left join changes ch on ch.id = h.change_id left join users u on u.id = ch.actor
    where c.id = ${card} order by keys.place`;
  type Row = HistoryRow & { type: string; _total: number | null; _id: string | null; _sort: string };
  const rows = await readingPage(() => db.query<Row>(named(text), bindings.values));
  if (!rows[0]) return undefined;
  const found = rows.filter((r) => r._id !== null);
  const shown = found.slice(0, query.page_size);
  const last = shown.at(-1);
  return {
    type: rows[0].type,
    rows: shown,
    total: rows[0]._total ?? undefined,
    page: query.page,
    page_size: query.page_size,
    next_cursor: last && found.length > shown.length ? query.nextCursor(last._sort, last._id) : null,
  };
}
