/** What an import would change: the items of a file beside those of the plan. */
import { TimeSlice } from '@lintel/sdk';
import type { WorkingCalendar } from '../calendar/working-calendar.js';
import type { ItemRow } from '../schedule/repository.js';
import { constraintFaults, plannedDates } from '../wbs/dates.js';
import { matched, type MatchedItem } from './match.js';
import { MAX_DEPTH, MAX_ITEMS, type FilePlan, type Problems } from './file-plan.js';
import { positionsOf } from './order.js';
import { asInFile, completionOf, constraintOf } from './same-in-file.js';

/** The columns of an item that an import writes. */
export interface ItemValues {
  parent_id: string | null;
  title: string;
  description: string | null;
  is_milestone: boolean;
  start_date: string | null;
  end_date: string | null;
  duration_days: number | null;
  constraint_type: ItemRow['constraint_type'];
  constraint_date: string | null;
  completion: number;
  planned_cost: string | null;
  planned_currency: string | null;
  external_id: string | null;
}
export const ITEM_FIELDS = [
  'parent_id',
  'title',
  'description',
  'is_milestone',
  'start_date',
  'end_date',
  'duration_days',
  'constraint_type',
  'constraint_date',
  'completion',
  'planned_cost',
  'planned_currency',
  'external_id',
] as const satisfies readonly (keyof ItemValues)[];
export type ItemField = (typeof ITEM_FIELDS)[number];

/** An item as the import wants it. */
export interface WantedItem {
  line: number;
  id: string;
  /** Undefined for a new one. */
  stored: ItemRow | undefined;
  values: ItemValues;
  /** Fields that become different; for a stored item. */
  changed: ItemField[];
  isReordered: boolean;
}

/** What an import would do with the items of a plan. */
export interface ItemChanges {
  items: WantedItem[];
  /** Items that the file does not have, in an order in which none comes before one below it. */
  missing: ItemRow[];
  /** New positions, also of items that are otherwise unchanged. */
  positions: Map<string, number>;
  /** Ids by the keys of the file. */
  ids: Map<string, string>;
}

/** What items are compared by. */
export interface CompareContext {
  /** As it is after the import. */
  calendar: WorkingCalendar;
  /** ISO 4217, of the workspace. */
  currency: string;
  /** Whether amounts of the file count. */
  hasCosts: boolean;
  /** What is wrong with a currency on a date; undefined for nothing. */
  currencyFault(currency: string, date: string | null): string | undefined;
  newId(): string;
}

/** Characters that cannot be stored. */
const stored = (text: string): string => text.replaceAll('\0', '').toWellFormed();

/** @param removes whether missing items are removed */
export async function compareItems(
  file: FilePlan,
  rows: readonly ItemRow[],
  removes: boolean,
  context: CompareContext,
  problems: Problems,
): Promise<ItemChanges> {
  const slice = new TimeSlice();
  const items = matched(file.items, rows, context.newId, problems);
  const known = new Set(items.map(({ id }) => id));
  const missing = rows.filter(({ id }) => !known.has(id));
  const kept = removes ? [] : missing;
  if (items.length + kept.length > MAX_ITEMS)
    problems.add(
      file.items.at(-1)?.line ?? 1,
      `With the items that are kept, the plan would have more than ${MAX_ITEMS}.`,
    );
  checkDepth(items, kept, problems);
  const parentsOfKept = new Set(kept.map(({ parent_id }) => parent_id));
  const wanted: WantedItem[] = [];
  for (const item of items) {
    if (slice.isOver) await slice.next();
    const isSummary = item.hasChildren || parentsOfKept.has(item.id);
    const parent_id = item.parent < 0 ? null : items[item.parent]!.id;
    const values = valuesOf(item, parent_id, isSummary, file.format, context, problems);
    const before = item.stored;
    const changed = before ? ITEM_FIELDS.filter((field) => !isSame(before, values, field)) : [];
    wanted.push({ line: item.file.line, id: item.id, stored: before, values, changed, isReordered: false });
  }
  if (slice.isOver) await slice.next();
  checkExternals(wanted, kept, problems);
  const positions = place(wanted, kept);
  return {
    items: wanted,
    missing: deepestFirst(missing),
    positions,
    ids: new Map(items.map(({ file: { key }, id }) => [key, id])),
  };
}

/** External ids of the items as they will be stored are unique in the plan. */
function checkExternals(wanted: readonly WantedItem[], kept: readonly ItemRow[], problems: Problems): void {
  const taken = new Set(kept.map(({ external_id }) => external_id));
  for (const { line, values } of wanted) {
    if (values.external_id === null) continue;
    if (taken.has(values.external_id)) problems.add(line, 'The external_id is that of another item of the plan.');
    taken.add(values.external_id);
  }
}

/** Items with others below them that the file does not have are not so deep that these would be below the last level. */
function checkDepth(items: readonly MatchedItem[], kept: readonly ItemRow[], problems: Problems): void {
  const parents = new Map(kept.map(({ id, parent_id }) => [id, parent_id]));
  const inFile = new Map(items.map(({ id, file }) => [id, file]));
  for (const { id } of kept) {
    let levels = 1;
    let above = parents.get(id) ?? null;
    for (; above !== null && parents.has(above); above = parents.get(above) ?? null) levels++;
    const file = inFile.get(above ?? '');
    if (file && file.depth + 1 + levels > MAX_DEPTH)
      problems.add(file.line, `Items below it that are kept would be more than ${MAX_DEPTH} levels deep.`);
  }
}

function isSame(before: ItemRow, values: ItemValues, field: ItemField): boolean {
  if (field === 'planned_cost') return moneyOf(before.planned_cost) === moneyOf(values.planned_cost);
  return before[field] === values[field];
}
const moneyOf = (amount: string | null): string | null => (amount === null ? null : Number(amount).toFixed(2));

function valuesOf(
  { file, stored: before }: MatchedItem,
  parent_id: string | null,
  isSummary: boolean,
  format: FilePlan['format'],
  context: CompareContext,
  problems: Problems,
): ItemValues {
  const wrong = (reason: string): void => problems.add(file.line, reason);
  const description = file.description === undefined ? (before?.description ?? null) : file.description;
  const external = file.external_id === null ? null : stored(file.external_id);
  const texts = {
    parent_id,
    title: stored(file.title.replace(/[\p{Cc}\ufffe\uffff]+/gu, ' ')),
    // Files do not distinguish an empty text from none, and XML cannot have every character.
    description:
      before && asInFile(before.description, format) === (description ?? '')
        ? before.description
        : description === null
          ? null
          : stored(description),
    // A cell and an element have no spaces around an id.
    external_id:
      external === null || before?.external_id?.trim() === external ? (before?.external_id ?? null) : external,
  };
  if (texts.title.trim() === '') wrong('The title is empty.');
  const constraint = constraintOf(file, before, isSummary, format);
  for (const { field, reason } of constraintFaults(constraint.constraint_type, constraint.constraint_date))
    wrong(`${field.slice(1)} ${reason}.`);
  if (isSummary) {
    // The stored values of a summary have no effect, and are kept for when it has no items below it any more.
    const own = before ?? {
      start_date: null,
      end_date: null,
      duration_days: null,
      completion: 0,
      planned_cost: null,
      planned_currency: null,
    };
    const { start_date, end_date, duration_days, completion, planned_cost, planned_currency } = own;
    if (file.is_milestone || before?.is_milestone === true) {
      if (file.is_milestone) wrong('A milestone cannot have items below it.');
      return {
        ...texts,
        ...constraint,
        is_milestone: false,
        start_date: null,
        end_date: null,
        duration_days: null,
        completion,
        planned_cost,
        planned_currency,
      };
    }
    return {
      ...texts,
      ...constraint,
      is_milestone: false,
      start_date,
      end_date,
      duration_days,
      completion,
      planned_cost,
      planned_currency,
    };
  }
  const dates = plannedDates(
    {
      is_milestone: file.is_milestone,
      start_date: file.start_date,
      end_date: file.end_date,
      duration_days: file.duration_days,
    },
    before,
    context.calendar,
  );
  for (const { field, reason } of dates.faults) wrong(`${field.slice(1)} ${reason}.`);
  return {
    ...texts,
    ...constraint,
    is_milestone: file.is_milestone,
    ...dates.set,
    completion: completionOf(file.completion, before, format),
    ...costOf(file, before, context, wrong),
  };
}

function costOf(
  { planned_cost, planned_currency, start_date }: MatchedItem['file'],
  before: ItemRow | undefined,
  { hasCosts, currency, currencyFault }: CompareContext,
  wrong: (reason: string) => void,
): Pick<ItemValues, 'planned_cost' | 'planned_currency'> {
  const own = { planned_cost: before?.planned_cost ?? null, planned_currency: before?.planned_currency ?? null };
  if (!hasCosts || planned_cost === undefined) return own;
  if (planned_cost === null) return { planned_cost: null, planned_currency: null };
  const of = planned_currency ?? own.planned_currency ?? currency;
  const fault = of === own.planned_currency ? undefined : currencyFault(of, start_date);
  if (fault !== undefined) wrong(`planned_currency ${fault}.`);
  return { planned_cost: Number(planned_cost).toFixed(2), planned_currency: of };
}

/** Positions of all items; items that the file does not have come after those of the same parent that it has. */
function place(wanted: WantedItem[], kept: readonly ItemRow[]): Map<string, number> {
  const groups = new Map<string | null, { item: WantedItem | undefined; id: string; position: number | undefined }[]>();
  const add = (
    parent: string | null,
    entry: { item: WantedItem | undefined; id: string; position: number | undefined },
  ): void => {
    const group = groups.get(parent);
    if (group) group.push(entry);
    else groups.set(parent, [entry]);
  };
  for (const item of wanted) {
    const stays = item.stored !== undefined && item.stored.parent_id === item.values.parent_id;
    add(item.values.parent_id, { item, id: item.id, position: stays ? Number(item.stored!.position) : undefined });
  }
  for (const row of kept) add(row.parent_id, { item: undefined, id: row.id, position: Number(row.position) });
  const all = new Map<string, number>();
  for (const group of groups.values()) {
    const { positions, reordered } = positionsOf(merged(group));
    for (const [id, position] of positions) all.set(id, position);
    for (const { item, id } of group) if (item && reordered.has(id)) item.isReordered = true;
  }
  return all;
}

/** Kept items stay where they are if the order of the others allows it; otherwise they come last. */
function merged<T extends { item: WantedItem | undefined; position: number | undefined }>(group: readonly T[]): T[] {
  const inFile = group.filter(({ item }) => item !== undefined);
  const others = group.filter(({ item }) => item === undefined);
  const isStill = inFile.every(
    ({ position }, i) => position !== undefined && (i === 0 || position > inFile[i - 1]!.position!),
  );
  return isStill ? [...group].sort((a, b) => a.position! - b.position!) : [...inFile, ...others];
}

function deepestFirst(rows: readonly ItemRow[]): ItemRow[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const depthOf = (row: ItemRow): number => {
    let depth = 0;
    for (let at = byId.get(row.parent_id ?? ''); at; at = byId.get(at.parent_id ?? '')) depth++;
    return depth;
  };
  return rows
    .map((row) => ({ row, depth: depthOf(row) }))
    .sort((a, b) => b.depth - a.depth)
    .map(({ row }) => row);
}
