import type { LogEvent, RequestContext } from '@lintel/sdk';
import { seesCards, seesStakeholders, type AccessGate, type OnceCosts } from '../access/index.js';
import type { Database } from '../../foundation/db/database.js';
import { exactTotal, type ListParams } from '../../foundation/db/list-query.js';
import { problem } from '../../foundation/errors.js';
import { isUuid } from '../../foundation/ids.js';
import type { Page } from '../../foundation/http/respond.js';
import type { Change } from '../changes.js';
import { INITIAL, readHistory, type HistoryRow } from './repository.js';

interface HistoryEntry {
  version: number;
  at: string;
  actor: LogEvent['actor'];
  origin: string;
  change_id: string;
  request_id: string | null;
  changes: Change[];
}

const ATTRIBUTE = 'attributes.';
const STAKEHOLDERS = 'stakeholders.';
const isAttribute = ({ field }: Change): boolean => field.startsWith(ATTRIBUTE);
const asMap = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

/**
 * The history of a card: changes, authors and times. Restrictions are applied on reading; the stored versions are
 * complete.
 */
export class HistoryService {
  constructor(
    private readonly db: Database,
    private readonly access: AccessGate,
    private readonly onceCosts: OnceCosts,
  ) {}

  /** The changes of a card, the newest first. @throws not_found */
  async list(ctx: RequestContext, cardId: string, params: ListParams): Promise<Page<HistoryEntry>> {
    const found = await readHistory(this.db, cardId, params);
    if (!found || !seesCards(ctx.permissions, found.type)) throw problem('not_found');
    const { type, rows, total, page, page_size, next_cursor } = found;
    const items = rows.map(entry);
    if (!seesStakeholders(ctx.permissions, type))
      for (const item of items) item.changes = item.changes.filter(({ field }) => !field.startsWith(STAKEHOLDERS));
    if (items.some((item) => item.changes.some(isAttribute)) && !(await this.access.seesCosts(ctx, cardId, type))) {
      const isCost = await this.onceCosts.current();
      const isHidden = (change: Change): boolean =>
        isAttribute(change) && isCost('card', type, change.field.slice(ATTRIBUTE.length));
      // The entry itself remains: that something changed is visible anyway, and from the total as well.
      for (const item of items) item.changes = item.changes.filter((change) => !isHidden(change));
    }
    // Any id of a hidden card is removed, regardless of the field's former kind.
    const hidden = await this.access.hiddenAmong(
      ctx,
      items.flatMap(({ changes }) => changes.flatMap((change) => [change.old, change.new].filter(isId))),
    );
    if (hidden.size > 0)
      for (const item of items) item.changes = item.changes.flatMap((change) => unnamed(change, hidden));
    return { items, ...exactTotal(total), page, page_size, next_cursor };
  }
}

const isId = (value: unknown): value is string => typeof value === 'string' && isUuid(value);

/** A change without the ids of hidden cards; none where nothing else is left. */
function unnamed(change: Change, hidden: ReadonlySet<string>): Change[] {
  const seen = (value: unknown): unknown => (isId(value) && hidden.has(value.toLowerCase()) ? null : value);
  const shown = { ...change, old: seen(change.old), new: seen(change.new) };
  return shown.old === null && shown.new === null ? [] : [shown];
}

function entry(row: HistoryRow): HistoryEntry {
  return {
    version: row.version,
    at: row.at.toISOString(),
    // The user may have been deleted; the entry remains.
    actor:
      row.actor === null
        ? null
        : { id: row.actor, display_name: row.display_name ?? 'Deleted user', ...(row.token && { token: row.token }) },
    origin: row.origin ?? '',
    change_id: row.change_id,
    request_id: row.request_id,
    changes: row.changes ? inOrder(row.changes) : initialChanges(row),
  };
}

const placeOf = ({ field }: Change): number => (INITIAL as readonly string[]).indexOf(field.split('.', 1)[0]!);

/** Columns in the order of `INITIAL`, keys of the maps by name; other fields as recorded. */
function inOrder(changes: readonly Change[]): Change[] {
  return changes.toSorted((a, b) => {
    const place = placeOf(a) - placeOf(b);
    return place !== 0 || placeOf(a) < 0 ? place : a.field < b.field ? -1 : 1;
  });
}

/** The changes of the first version: every value the card was created with. */
function initialChanges({ current, former }: HistoryRow): Change[] {
  const values = INITIAL.flatMap((field): [string, unknown][] =>
    field === 'lifecycle' || field === 'attributes'
      ? Object.entries({ ...prefixed(field, asMap(current?.[field])), ...pick(former, field) }).sort()
      : [[field, former && field in former ? former[field] : current?.[field]]],
  );
  return values.filter(([, value]) => value !== null).map(([field, value]) => ({ field, old: null, new: value }));
}

const prefixed = (map: string, values: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [`${map}.${key}`, value]));
const pick = (former: Record<string, unknown> | null, map: string): Record<string, unknown> =>
  Object.fromEntries(Object.entries(former ?? {}).filter(([field]) => field.startsWith(`${map}.`)));
