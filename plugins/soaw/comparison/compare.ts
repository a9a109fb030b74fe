import { isDeepStrictEqual } from 'node:util';
import { TimeSlice } from '@lintel/sdk';
import type { Cell } from '../rendering/model.js';
import type { StoredSection } from '../sections/schema.js';
import type { ReadableTable } from '../tables/reader.js';
import { diffLines, type LineChange } from './lines.js';

/** Changed rows of a table, in each list; and of all tables together, because documents may have hundreds. */
const MOST_ROWS = 500;
const MOST_ROWS_OF_ALL = 5_000;

export interface SectionChange {
  key: string;
  change: 'added' | 'removed' | 'changed' | 'moved';
  /** Before and after. */
  title: { before: string | null; after: string | null };
  /** Of the text; empty if it is the same. */
  lines: LineChange[];
  entries: { added: object[]; removed: object[] };
  /** Ids of live tables that were defined, dropped, or defined in another way. */
  tables: { added: string[]; removed: string[]; changed: string[] };
}

export interface TableChange {
  id: string;
  title: string;
  change: 'added' | 'removed' | 'changed';
  columns: string[];
  rows: {
    added: ReadableTable['rows'];
    removed: ReadableTable['rows'];
    changed: { card_id: string; key: string | null; before: Cell[]; after: Cell[] }[];
  };
  /** Whether one of the lists is cut. */
  truncated: boolean;
}

/**
 * What is different between the sections of two revisions, in the order of the later one, and then what was removed. Other requests run
 * in between: comparing the longest texts of 40 sections takes a second.
 */
export async function compareSections(
  before: readonly StoredSection[],
  after: readonly StoredSection[],
): Promise<SectionChange[]> {
  const old = new Map(before.map((section) => [section.key, section]));
  const kept = new Set(after.map(({ key }) => key));
  // Sections in both, in either order: one that has another place among them was moved.
  const order = before.filter(({ key }) => kept.has(key)).map(({ key }) => key);
  const stay = after.filter(({ key }) => old.has(key)).map(({ key }) => key);
  const changes: SectionChange[] = [];
  const slice = new TimeSlice();
  for (const section of after) {
    if (slice.isOver) await slice.next();
    const former = old.get(section.key);
    const place = stay.indexOf(section.key);
    const isMoved = former !== undefined && order[place] !== section.key;
    changes.push(...changeOf(section.key, former, section, isMoved));
  }
  return [
    ...changes,
    ...before.flatMap((section) => (kept.has(section.key) ? [] : changeOf(section.key, section, undefined, false))),
  ];
}

function changeOf(
  key: string,
  before: StoredSection | undefined,
  after: StoredSection | undefined,
  isMoved: boolean,
): SectionChange[] {
  const { key: _a, guidance: _b, ...old } = before ?? EMPTY;
  const { key: _c, guidance: _d, ...now } = after ?? EMPTY;
  const isEqual = isDeepStrictEqual(old, now);
  if (before && after && isEqual && !isMoved) return [];
  const tablesOf = (section: StoredSection | undefined) => new Map(section?.tables.map((table) => [table.id, table]));
  const [had, has] = [tablesOf(before), tablesOf(after)];
  return [
    {
      key,
      change: !before ? 'added' : !after ? 'removed' : isEqual ? 'moved' : 'changed',
      title: { before: before?.title ?? null, after: after?.title ?? null },
      lines: diffLines(old.text, now.text),
      entries: { added: without(now.entries, old.entries), removed: without(old.entries, now.entries) },
      tables: {
        added: [...has.keys()].filter((id) => !had.has(id)),
        removed: [...had.keys()].filter((id) => !has.has(id)),
        changed: [...has]
          .filter(([id, table]) => had.has(id) && !isDeepStrictEqual(had.get(id), table))
          .map(([id]) => id),
      },
    },
  ];
}

const EMPTY: StoredSection = { key: '', title: '', guidance: '', text: '', entries: [], tables: [] };

/** The rows of `all` that `others` does not have as often. */
function without(all: readonly object[], others: readonly object[]): object[] {
  const textOf = (row: object): string => JSON.stringify(Object.entries(row).sort());
  const left = new Map<string, number>();
  for (const row of others) left.set(textOf(row), (left.get(textOf(row)) ?? 0) + 1);
  return all.filter((row) => {
    const text = textOf(row);
    const count = left.get(text) ?? 0;
    left.set(text, count - 1);
    return count <= 0;
  });
}

/** What is different between the live tables of two revisions, as one reader sees them. */
export function compareTables(before: readonly ReadableTable[], after: readonly ReadableTable[]): TableChange[] {
  const old = new Map(before.map((table) => [table.id, table]));
  const now = new Map(after.map((table) => [table.id, table]));
  let left = MOST_ROWS_OF_ALL;
  const shown = <Row>(rows: readonly Row[]): Row[] => {
    const some = rows.slice(0, Math.min(MOST_ROWS, left));
    left -= some.length;
    return some;
  };
  return [...new Set([...now.keys(), ...old.keys()])].flatMap((id): TableChange[] => {
    const [had, has] = [old.get(id), now.get(id)];
    const [from, to] = [rowsOf(had), rowsOf(has)];
    const added = [...to].filter(([key]) => !from.has(key)).map(([, row]) => row);
    const removed = [...from].filter(([key]) => !to.has(key)).map(([, row]) => row);
    const changed = [...to].flatMap(([key, row]) => {
      const former = from.get(key);
      return former && !isDeepStrictEqual(former.cells, row.cells)
        ? [{ card_id: row.card_id, key: row.key, before: former.cells, after: row.cells }]
        : [];
    });
    const titles = (table: ReadableTable | undefined) => table?.columns.map(({ title }) => title) ?? [];
    const isSame = had && has && had.title === has.title && isDeepStrictEqual(titles(had), titles(has));
    if (isSame && added.length + removed.length + changed.length === 0) return [];
    const rows = { added: shown(added), removed: shown(removed), changed: shown(changed) };
    return [
      {
        id,
        title: (has ?? had)!.title,
        change: !had ? 'added' : !has ? 'removed' : 'changed',
        columns: titles(has ?? had),
        rows,
        truncated:
          rows.added.length < added.length ||
          rows.removed.length < removed.length ||
          rows.changed.length < changed.length,
      },
    ];
  });
}

const rowsOf = (table: ReadableTable | undefined) =>
  new Map(table?.rows.map((row) => [`${row.card_id} ${row.key ?? ''}`, row] as const));
