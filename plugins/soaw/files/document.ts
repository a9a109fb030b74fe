import type { LifecycleView } from '@lintel/sdk';
import { numberOf } from '../basics.js';
import type { DocumentState } from '../documents/repository.js';
import type { Block, Cell, RenderedDocument, RenderedTable } from '../rendering/model.js';
import { ENTRY_RULES, type Entry, type EntryMember, type StoredSection } from '../sections/schema.js';
import type { Shown } from '../tables/model.js';
import type { ReadableTable } from '../tables/reader.js';
import { wordsIn, type Words } from '../tables/words.js';

/** Everything of which a file is made, besides the logo. */
export interface DocumentParts {
  state: DocumentState;
  life: LifecycleView;
  shown: Shown;
  tables: readonly ReadableTable[];
  /** Whether the reader does not see everything. */
  withheld: boolean;
}

/** The document as it is rendered for one reader; equal parts give an equal document. */
export function documentOf({ state, life, shown, tables, withheld }: DocumentParts): Omit<RenderedDocument, 'logo'> {
  const words = wordsIn(shown.lang);
  return {
    number: numberOf(state.serial),
    title: state.title,
    revision: state.revision,
    // A file that was signed stays as it is when a later revision supersedes it.
    status: state.status === 'superseded' ? 'signed' : state.status,
    organisation: shown.organisation,
    date: (state.signed_at?.toISOString() ?? shown.at).slice(0, 10),
    contentHash: state.content_hash,
    header: shown.header,
    footer: shown.footer,
    sections: state.sections.map((section) => ({
      key: section.key,
      title: section.title,
      blocks: blocksOf(section, shown, tables, words),
    })),
    signatures: life.signatories.map(({ display_name, status, signed_at, comment }) => ({
      name: display_name,
      status: status as 'pending' | 'signed',
      signedAt: signed_at,
      comment,
    })),
    withheld,
    lang: shown.lang,
  };
}

function blocksOf(section: StoredSection, shown: Shown, tables: readonly ReadableTable[], words: Words): Block[] {
  const { key, text, entries } = section;
  return [
    ...(text === '' ? [] : [{ kind: 'markdown' as const, text }]),
    ...(entries.length === 0 ? [] : [{ kind: 'table' as const, table: entryTable(section, shown, words) }]),
    ...tables
      .filter((table) => table.section === key)
      .map((table) => ({ kind: 'table' as const, table: liveTable(table, words) })),
  ];
}

const DATES: ReadonlySet<EntryMember> = new Set(['due_date', 'start_date', 'end_date']);

/** The rows of a section of TOGAF, without columns that are empty in all of them. */
function entryTable({ key, title, entries }: StoredSection, { people }: Shown, words: Words): RenderedTable {
  const nameOf = ({ name, user_id }: Entry): string | null =>
    [user_id === undefined ? undefined : people[user_id], name].filter(Boolean).join(', ') || null;
  const valueOf = (entry: Entry, member: EntryMember): Cell => {
    if (member === 'name') return nameOf(entry);
    const value = entry[member] ?? null;
    return value !== null && DATES.has(member) ? { date: value } : value;
  };
  const members = ENTRY_RULES[key]!.members.filter(
    (member) => member !== 'user_id' && entries.some((entry) => valueOf(entry, member) !== null),
  );
  return {
    title,
    columns: members.map((member) => ({ title: words.entries[member] })),
    rows: entries.map((entry) => members.map((member) => valueOf(entry, member))),
  };
}

function liveTable({ kind, title, columns, rows, footer, note }: ReadableTable, words: Words): RenderedTable {
  const lines = [...rows.map(({ cells }) => cells), ...(footer ? [footer] : [])];
  // What is missing is often not a relation, and has no detail then.
  const shown = columns.map(
    (_, i) => kind !== 'gaps' || rows.length === 0 || rows.some(({ cells }) => cells[i] !== null),
  );
  const digits = columns.map((_, i) => Math.max(0, ...lines.map((cells) => fractionOf(cells[i] ?? null))));
  const line = (cells: readonly Cell[]): Cell[] =>
    cells.map((cell, i) => withDigits(cell, digits[i]!)).filter((_, i) => shown[i]);
  return {
    title,
    columns: columns.filter((_, i) => shown[i]),
    rows: rows.map(({ cells }) => line(cells)),
    ...(footer && { footer: line(footer) }),
    ...(note !== null && { note: words.notes[note] }),
  };
}

/** Digits after the point of an amount: none, or at least the two of most currencies. */
function fractionOf(cell: Cell): number {
  if (typeof cell !== 'object' || cell === null || !('money' in cell)) return 0;
  const { length } = cell.money.split('.')[1] ?? '';
  return length === 0 ? 0 : Math.max(2, length);
}

/** An amount with as many digits after the point as the others of its column. */
function withDigits(cell: Cell, digits: number): Cell {
  if (digits === 0 || typeof cell !== 'object' || cell === null || !('money' in cell)) return cell;
  const [whole = '0', fraction = ''] = cell.money.split('.');
  return { ...cell, money: `${whole}.${fraction.padEnd(digits, '0')}` };
}
