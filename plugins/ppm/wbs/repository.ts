import type { Bindings, ReadPort, UnitOfWork } from '@lintel/sdk';
import { GAP, type Siblings } from '../plan/order.js';
import { MOST_DAYS } from './dates.js';
import type { TreeRow } from './tree.js';

type Row<T> = T & Record<string, unknown>;
/** Reads inside or outside of a transaction. */
export type On = Pick<ReadPort, 'query'> | Pick<UnitOfWork, 'query'>;

/** An item of the tree, with what sums need. */
export interface PlannedRow extends TreeRow {
  card_id: string;
  /** A decimal number. */
  planned_cost: string | null;
  planned_currency: string | null;
}
/** Where an item is. */
export interface Place {
  id: string;
  card_id: string;
  parent_id: string | null;
  position: number;
  is_milestone: boolean;
  title: string;
}

const TREE = {
  name: 'ppm-wbs-tree',
  text: `select id, card_id, parent_id, is_milestone, start_date::text as start_date, end_date::text as end_date, duration_days,
    completion::float8 as completion, planned_cost::text as planned_cost, planned_currency
    from ppm_wbs where card_id = any($1::uuid[]) order by card_id, position, id`,
};
const PLACES = {
  name: 'ppm-wbs-places',
  text: `select id, card_id, parent_id, position::float8 as position, is_milestone, title from ppm_wbs where card_id = $1 and id = any($2::uuid[])`,
};
const LOCK = { name: 'ppm-wbs-lock', text: 'select id from ppm_wbs where card_id = $1 and id = $2 for update' };
const COUNT = { name: 'ppm-wbs-count', text: 'select count(*)::int as n from ppm_wbs where card_id = $1' };
const CARDS = {
  name: 'ppm-wbs-cards',
  text: 'select distinct card_id from ppm_wbs where card_id = any($1::uuid[]) order by card_id',
};
const IN_PARENT = 'card_id = $1 and parent_id is not distinct from $2::uuid';
const POSITION = {
  name: 'ppm-wbs-position',
  text: `select position::float8 as position from ppm_wbs where ${IN_PARENT} and id = $3`,
};
const LAST = {
  name: 'ppm-wbs-last',
  text: `select max(position)::float8 as position from ppm_wbs where ${IN_PARENT} and id <> $3`,
};
const BEFORE = {
  name: 'ppm-wbs-next-before',
  text: `select max(position)::float8 as position from ppm_wbs where ${IN_PARENT} and id <> $3 and position < $4`,
};
const AFTER = {
  name: 'ppm-wbs-next-after',
  text: `select min(position)::float8 as position from ppm_wbs where ${IN_PARENT} and id <> $3 and position > $4`,
};
const RENUMBER = {
  name: 'ppm-wbs-renumber',
  text: `update ppm_wbs w set position = n.place * ${GAP} from (
      select id, row_number() over (order by position) as place from ppm_wbs where ${IN_PARENT}
    ) n where n.id = w.id`,
};
const SIBLINGS = {
  name: 'ppm-wbs-siblings',
  text: `select id from ppm_wbs where ${IN_PARENT} order by position`,
};
const ORDER = {
  name: 'ppm-wbs-order',
  text: `update ppm_wbs w set position = n.place * ${GAP} from unnest($1::uuid[]) with ordinality as n(id, place) where w.id = n.id`,
};
const CHILDREN = {
  name: 'ppm-wbs-children',
  text: 'select id from ppm_wbs where card_id = $1 and parent_id = $2 order by position',
};
const BELOW = {
  name: 'ppm-wbs-below',
  text: `with recursive below as (
      select id, 0 as depth from ppm_wbs where card_id = $1 and id = $2
      union all select w.id, b.depth + 1 from below b join ppm_wbs w on w.parent_id = b.id
    ) select id, depth from below where depth > 0 order by depth desc, id`,
};
const ABOVE = {
  name: 'ppm-wbs-above',
  text: `with recursive above as (
      select id, parent_id from ppm_wbs where card_id = $1 and id = $2
      union all select w.id, w.parent_id from above a join ppm_wbs w on w.id = a.parent_id
    ) select id from above`,
};
const PROGRESS = {
  name: 'ppm-wbs-progress',
  text: `insert into ppm_progress (wbs_id, day, completion) values ($1, (statement_timestamp() at time zone 'UTC')::date, $2)
    on conflict (wbs_id, day) do update set completion = excluded.completion`,
};
const EXTERNAL = {
  name: 'ppm-wbs-external-taken',
  text: 'select 1 from ppm_wbs where card_id = $1 and external_id = $2 and id <> $3',
};
const DATED = {
  name: 'ppm-wbs-dated',
  text: `select id, start_date::text as start_date, end_date::text as end_date, duration_days from ppm_wbs
    where card_id = $1 and not is_milestone and start_date is not null and end_date is not null`,
};
const RECOUNT = {
  name: 'ppm-wbs-recount',
  text: 'update ppm_wbs w set duration_days = n.days from unnest($1::uuid[], $2::int[]) as n(id, days) where w.id = n.id',
};
const DATED_PLANS = {
  name: 'ppm-wbs-dated-plans',
  text: `select distinct card_id from ppm_wbs where not is_milestone and start_date is not null and end_date is not null order by card_id`,
};

/** All items of plans by card, siblings in their order. */
export async function readItems(on: On, cardIds: readonly string[]): Promise<Map<string, PlannedRow[]>> {
  const plans = new Map<string, PlannedRow[]>(cardIds.map((id) => [id, []]));
  for (const row of await on.query<Row<PlannedRow>>(TREE, [cardIds])) plans.get(row.card_id)!.push(row);
  return plans;
}

/** The ids of items with these conditions, over the alias `r`. */
export async function idsWith(on: On, where: readonly string[], { values }: Bindings): Promise<Set<string>> {
  const text = `select r.id from ppm_wbs r where ${where.join(' and ')}`;
  return new Set((await on.query<{ id: string }>({ name: 'ppm-wbs-with', text }, values)).map(({ id }) => id));
}

/** Where these items of a plan are, by id; unknown ones are omitted. */
export async function readPlaces(on: On, cardId: string, ids: readonly string[]): Promise<Map<string, Place>> {
  return new Map((await on.query<Row<Place>>(PLACES, [cardId, ids])).map((row) => [row.id, row]));
}

/** Locks an item against changes and new references. @returns whether it exists */
export async function lockItem(uow: UnitOfWork, cardId: string, id: string): Promise<boolean> {
  return (await uow.query(LOCK, [cardId, id])).length > 0;
}

export async function countItems(uow: UnitOfWork, cardId: string): Promise<number> {
  return (await uow.query<{ n: number }>(COUNT, [cardId]))[0]!.n;
}

/** Those of these cards that have items. */
export async function cardsWithItems(uow: UnitOfWork, cards: readonly string[]): Promise<string[]> {
  return (await uow.query<{ card_id: string }>(CARDS, [cards])).map(({ card_id }) => card_id);
}

/** The items below a parent. @param moved the item that is moved among or into them */
export function siblingsOf(uow: UnitOfWork, cardId: string, parentId: string | null, moved: string): Siblings {
  const position = async (statement: typeof LAST, ...more: unknown[]): Promise<number | undefined> => {
    const [row] = await uow.query<{ position: number | null }>(statement, [cardId, parentId, ...more]);
    return row?.position ?? undefined;
  };
  return {
    positionOf: async (id) => (id === moved ? undefined : position(POSITION, id)),
    nextTo: async (at, side) => position(side === 'before' ? BEFORE : AFTER, moved, at),
    last: async () => position(LAST, moved),
    renumber: async () => void (await uow.query(RENUMBER, [cardId, parentId])),
  };
}

/** The ids of the items of a parent, in their order. */
export async function siblingIds(uow: UnitOfWork, cardId: string, parentId: string | null): Promise<string[]> {
  return (await uow.query<{ id: string }>(SIBLINGS, [cardId, parentId])).map((row) => row.id);
}

/** Puts all items of a parent into an order. */
export async function orderItems(uow: UnitOfWork, ids: readonly string[]): Promise<void> {
  await uow.query(ORDER, [ids]);
}

/** The ids of the items directly below one, in their order. */
export async function childrenOf(uow: UnitOfWork, cardId: string, id: string): Promise<string[]> {
  return (await uow.query<{ id: string }>(CHILDREN, [cardId, id])).map((row) => row.id);
}

/** The items below one, the deepest first, with the number of levels between them. */
export async function itemsBelow(
  uow: UnitOfWork,
  cardId: string,
  id: string,
): Promise<{ id: string; depth: number }[]> {
  return await uow.query<{ id: string; depth: number }>(BELOW, [cardId, id]);
}

/** The ids of an item and of those above it, the highest last. */
export async function pathOf(uow: UnitOfWork, cardId: string, id: string): Promise<string[]> {
  return (await uow.query<{ id: string }>(ABOVE, [cardId, id])).map((row) => row.id);
}

/** Notes the completion of an item for today (UTC). @param completion percent */
export async function noteProgress(uow: UnitOfWork, id: string, completion: number): Promise<void> {
  await uow.query(PROGRESS, [id, completion]);
}

/** Whether another item of the plan has the external id. */
export async function isExternalTaken(uow: UnitOfWork, cardId: string, external: string, id: string): Promise<boolean> {
  return (await uow.query(EXTERNAL, [cardId, external, id])).length > 0;
}

/**
 * Counts the working days of all items of a plan with two dates anew; versions do not change, because the items were not changed.
 * @param daysBetween working days between two dates, both included
 * @returns how many were different
 */
export async function recountDurations(
  uow: UnitOfWork,
  cardId: string,
  daysBetween: (from: string, to: string) => number,
): Promise<number> {
  const rows = await uow.query<{ id: string; start_date: string; end_date: string; duration_days: number | null }>(
    DATED,
    [cardId],
  );
  // A calendar with more working days must not be refused because of an item of 70 years.
  const counted = rows.map((row) => ({ ...row, days: Math.min(daysBetween(row.start_date, row.end_date), MOST_DAYS) }));
  const others = counted.filter(({ days, duration_days }) => days !== duration_days);
  if (others.length > 0) await uow.query(RECOUNT, [others.map(({ id }) => id), others.map(({ days }) => days)]);
  return others.length;
}

/** The initiatives with items whose working days follow from their dates. */
export async function readDatedPlans(on: On): Promise<string[]> {
  return (await on.query<{ card_id: string }>(DATED_PLANS)).map(({ card_id }) => card_id);
}
