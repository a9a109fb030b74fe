import type { Database } from '../../../foundation/db/database.js';
import { CLOCK, FLUSH, FLUSH_LOG, flushOf } from '../../../foundation/db/flush.js';
import { jsonRows } from '../../../foundation/db/json-rows.js';
import type { UnitOfWork } from '../../../foundation/db/unit-of-work.js';
import type { Change } from '../../changes.js';
import { CHANGING, KEPT, VIEW_COLUMNS } from '../list/view-repository.js';
import { facts, opaque } from '../lock-repository.js';
import { cardRow, INPUT, INPUT_ONE, INPUT_SINGLES, LOCK_TIMEOUT } from '../repository.js';
import type { CardState } from '../types.js';

const MANDATORY = `${opaque('$4::text[]')}::text[]`;
/** Writes the columns of `cards`, where any of them changed. @param more columns */
const place = (
  more = '',
): string => `update cards c set subtype = r.subtype, name = r.name, name_key = r.name_key, description = r.description,
        ${more} status = r.status, approval_status = r.approval_status, external_id = r.external_id, alias = r.alias,
        search_name = r.search_name, search_text = r.search_text,
        archived_at = case when r.status = 'ARCHIVED' then coalesce(c.archived_at, flush.clock) end
      from flush, input r where c.id = r.id and r.is_placed`;
const CONTENTS = `name_key = coalesce(r.name_key, c.name_key), attributes = r.attributes, lifecycle = r.lifecycle, data_quality = r.data_quality, open_quality = r.open_quality,
        basic_quality = r.basic_quality,
        edited_by = r.edited_by, updated_by = flush.actor, updated_at = greatest(c.updated_at + interval '1 millisecond', flush.clock), version = c.version + 1`;
const BEFORE =
  'before as (select c.id, c.type, c.status, c.approval_status from cards c join input using (id) where is_placed)';
const RECOUNTED = `counts as (insert into card_counts (type, status, approval_status, n)
      select type, status, approval_status, sum(n) from (
        select b.type, b.status, b.approval_status, -1 as n from before b
        union all select k.type, k.status, k.approval_status, 1 from k) moved
      group by 1, 2, 3 having sum(n) <> 0)`;
const UPDATE = {
  name: 'cards-update',
  text: `with ${FLUSH}, ${INPUT},
    ${BEFORE},
    k as (${place('parent_id = r.parent_id, path_ids = r.path_ids,')} returning c.id, c.type, c.status, c.approval_status),
    c as (update card_contents c set ${CONTENTS} from flush, input r where c.id = r.id returning c.id, c.updated_at, c.version, r.changes),
    versions as (insert into card_versions (id, version, at, changes, change_id, metamodel_revision)
      select c.id, c.version, c.updated_at, c.changes, flush.change_id, $3::bigint from c, flush),
    ${RECOUNTED}
    select c.id, now.facts from c join input using (id), lateral (select ${facts(MANDATORY)} as facts) now
    where ${MANDATORY} is not null and now.facts <> input.facts`,
};

/**
 * One card, whose row in `card_contents` must still be the one that was read, and whose new status must fit those of its
 * parent and children; otherwise the statement fails and writes nothing. The join with `k` has the row in `cards` locked
 * first, in the order of all other writes. Parent and path are not written, because a move of an ancestor changes the
 * path without a version. Returns the columns of the view after the change.
 */
const UPDATE_ONE = {
  name: 'cards-update-one',
  text: `with ${FLUSH}, ${INPUT_ONE},
    ${BEFORE},
    k as (${place()} returning c.*, not r.is_restated or lintel_status_fits(c.id, c.parent_id, c.status) as fits),
    v as (update card_contents c set ${CONTENTS} from flush, input r left join k on k.id = r.id
      where c.id = r.id and c.xmin::text = r.row_version and (k.fits or not r.is_placed) returning c.*, r.changes),
    versions as (insert into card_versions (id, version, at, changes, change_id, metamodel_revision)
      select v.id, v.version, v.updated_at, v.changes, flush.change_id, $3::bigint from v, flush),
    ${RECOUNTED},
    placed as (select ${KEPT} from k c union all select ${KEPT} from cards c join input r on r.id = c.id where not r.is_placed),
    c as (select ${KEPT}, ${CHANGING} from placed c join v on v.id = c.id)
    select ${VIEW_COLUMNS} from (select 1) as one left join c on true where exists (select from v) or lintel_write_conflict()`,
};

/** The rows of `ready` have the columns of `input` and of their own flush. */
const ofReady = (sql: string): string => sql.replace('flush, input r', 'ready r').replaceAll('flush.', 'r.');
/**
 * Cards of several units of work, each with its own flush, in one statement. A card whose row has changed since it was
 * read, or that another transaction has locked, is neither written nor returned; the others are not affected. Rows in
 * `cards` are locked before those in `card_contents`, as by all other writes. Status and parent do not change.
 */
const UPDATE_SINGLES = {
  name: 'cards-update-singles',
  text: `with now as materialized (select ${CLOCK} as clock, ${LOCK_TIMEOUT}),
    ${INPUT_SINGLES},
    held as materialized (select c.id from input r join cards c on c.id = r.id where r.is_placed for no key update of c skip locked),
    free as materialized (select c.id from input r join card_contents c on c.id = r.id left join held h on h.id = r.id
      where c.xmin::text = r.row_version and (h.id is not null or not r.is_placed) for no key update of c skip locked),
    ready as (select r.*, now.clock from now, free join input r using (id)),
    before as (select c.id, c.type, c.status, c.approval_status from ready r join cards c using (id) where r.is_placed),
    k as (${ofReady(place())} returning c.*),
    v as (update card_contents c set ${ofReady(CONTENTS)} from ready r where c.id = r.id returning c.*, r.changes, r.clock, r.is_placed),
    ${flushOf('select id, clock from v')},
    ${FLUSH_LOG},
    versions as (insert into card_versions (id, version, at, changes, change_id, metamodel_revision)
      select v.id, v.version, v.updated_at, v.changes, flush.change_id, flush.revision from v join flush on flush.row_id = v.id),
    ${RECOUNTED},
    c as (select ${KEPT}, ${CHANGING} from v, lateral (select ${KEPT} from k c where c.id = v.id
      union all select ${KEPT} from cards c where c.id = v.id and not v.is_placed) c)
    select ${VIEW_COLUMNS} from c`,
};

/** A card after its changes. */
export interface ChangedCard {
  card: CardState;
  changes: readonly Change[];
  /** Whether anything besides attributes and lifecycle changed. */
  isPlaced: boolean;
  /** Whether it is archived or restored. */
  isRestated: boolean;
}

/** The row of a changed card; without the columns of `cards` where none of them changed. The order is that of `cardRow`. */
export function changedRow({ card, changes, isPlaced, isRestated }: ChangedCard): Record<string, unknown> {
  const {
    id,
    attributes,
    lifecycle,
    data_quality,
    open_quality,
    basic_quality,
    edited_by,
    facts: known,
    row_version,
  } = card;
  const scores = { data_quality, open_quality, basic_quality };
  return {
    changes,
    is_placed: isPlaced,
    is_restated: isRestated,
    ...(isPlaced ? cardRow(card) : { id, attributes, lifecycle, ...scores, edited_by, facts: known, row_version }),
  };
}

/**
 * Updates a card that was read with `readCard` and does not move, and flushes the unit of work, in one statement.
 * @param flush of the unit of work
 * @returns the columns of its view, as text
 * @throws a serialisation failure (40001), after which the unit of work is repeated, if the row has changed since, or if
 *   its new status does not fit
 */
export async function updateCard(
  uow: UnitOfWork,
  card: ChangedCard,
  metamodelRevision: string,
  flush: string,
): Promise<readonly (string | null)[]> {
  const [view] = await uow.lastRows(UPDATE_ONE, [flush, JSON.stringify(changedRow(card)), metamodelRevision]);
  return view!;
}

/**
 * Updates cards that were read with `readCard`, each with the flush of its unit of work, in one transaction.
 * @param cards results of `rowWithFlush`, at most one for each card
 * @returns the columns of the views of the updated cards; others are not changed
 */
export async function updateSingles(db: Database, cards: readonly string[]): Promise<(string | null)[][]> {
  return db.rows(UPDATE_SINGLES, [`[${cards.join(',')}]`]);
}

/**
 * Stores new states of locked cards with the next version.
 * @param mandatory relation types that count in a score, where facts were read in the locking statement and may be
 *   outdated
 * @returns cards whose facts changed while waiting for the lock
 */
export async function updateCards(
  uow: UnitOfWork,
  cards: readonly ChangedCard[],
  metamodelRevision: string,
  mandatory?: string[],
): Promise<Pick<CardState, 'id' | 'facts'>[]> {
  const rows = await jsonRows(cards, changedRow);
  return uow.last<Pick<CardState, 'id' | 'facts'>>(UPDATE, [uow.flushed(), rows, metamodelRevision, mandatory ?? null]);
}
