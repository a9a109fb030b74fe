import type { Host } from '../basics.js';
import { storedTable } from '../tables/filter-ids.js';
import { ENTRY_RULES, MAX_TABLES, type Entry, type EntryMember, type Section, type StoredSection } from './schema.js';

/** An error in a list of sections; `field` is a JSON pointer in the body. */
export interface Fault {
  field: string;
  reason: string;
}

/** Sections with all members, without surrounding white space in titles, and ids in lower case. */
export const stored = (sections: readonly Section[]): StoredSection[] =>
  sections.map(({ key, title, text, guidance, entries, tables }) => ({
    key,
    title: title.trim(),
    guidance: guidance ?? '',
    text: text ?? '',
    entries: (entries ?? []).map((entry) =>
      entry.user_id === undefined ? entry : { ...entry, user_id: entry.user_id.toLowerCase() },
    ),
    tables: (tables ?? []).map(storedTable),
  }));

/** Everything that the schema cannot express. @param at pointer of the list */
export function faultsOf(sections: readonly Section[], at = '/sections'): Fault[] {
  const faults: Fault[] = [];
  const keys = new Set<string>();
  const tables = new Set<string>();
  let count = 0;
  sections.forEach((section, i) => {
    const place = `${at}/${i}`;
    if (keys.has(section.key)) faults.push({ field: `${place}/key`, reason: 'occurs more than once' });
    keys.add(section.key);
    faults.push(...faultsOfSection(section, place));
    section.tables?.forEach(({ id }, k) => {
      if (tables.has(id)) faults.push({ field: `${place}/tables/${k}/id`, reason: 'occurs more than once' });
      tables.add(id);
      count++;
    });
  });
  if (count > MAX_TABLES) faults.push({ field: at, reason: `has more than ${MAX_TABLES} tables` });
  return faults;
}

function faultsOfSection({ key, entries = [], tables = [] }: Section, at: string): Fault[] {
  const faults: Fault[] = [];
  const rule = Object.hasOwn(ENTRY_RULES, key) ? ENTRY_RULES[key] : undefined;
  if (!rule && entries.length > 0)
    faults.push({ field: `${at}/entries`, reason: 'is only for sections of TOGAF with rows' });
  if (rule)
    entries.forEach((entry, i) => {
      const place = `${at}/entries/${i}`;
      for (const member of Object.keys(entry) as EntryMember[])
        if (!rule.members.includes(member))
          faults.push({ field: `${place}/${member}`, reason: `is no member of rows of ${key}` });
      if (!rule.required.some((member) => (entry[member] ?? '').trim() !== ''))
        faults.push({ field: `${place}/${rule.required[0]}`, reason: 'is required' });
      if (isReversed(entry)) faults.push({ field: `${place}/end_date`, reason: 'is before the start' });
    });
  tables.forEach((table, i) => {
    if (table.columns && !['cards', 'costs'].includes(table.kind))
      faults.push({ field: `${at}/tables/${i}/columns`, reason: 'is only for tables of cards and costs' });
    if (table.columns && new Set(table.columns).size < table.columns.length)
      faults.push({ field: `${at}/tables/${i}/columns`, reason: 'names a column twice' });
    if (table.target_date !== undefined && table.kind !== 'gaps')
      faults.push({ field: `${at}/tables/${i}/target_date`, reason: 'is only for tables of gaps' });
  });
  return faults;
}

const isReversed = ({ start_date: start, end_date: end }: Entry): boolean =>
  start !== undefined && end !== undefined && end < start;

/** The accounts that sections name. */
export const usersOf = (sections: readonly Section[]): string[] => [
  ...new Set(sections.flatMap(({ entries = [] }) => entries.flatMap(({ user_id }) => user_id?.toLowerCase() ?? []))),
];

/** The rows that name accounts that do not exist; one statement at most. */
export async function unknownUsers(host: Host, sections: readonly Section[], at = '/sections'): Promise<Fault[]> {
  const named = usersOf(sections);
  if (named.length === 0) return [];
  const found = await host.users.find(named);
  return sections.flatMap(({ entries = [] }, i) =>
    entries.flatMap(({ user_id }, k) =>
      user_id === undefined || found.has(user_id.toLowerCase())
        ? []
        : [{ field: `${at}/${i}/entries/${k}/user_id`, reason: 'names no user' }],
    ),
  );
}

const SEARCHED = 200_000;

/** The text by which a document is found: its number, the titles, texts and rows of its sections. */
export const wordsOf = (number: string, sections: readonly StoredSection[]): string =>
  [
    number,
    ...sections.flatMap(({ title, text, entries }) => [
      title,
      text,
      ...entries.flatMap((entry) => Object.values(entry)),
    ]),
  ]
    .join(' ')
    .slice(0, SEARCHED)
    .toWellFormed();
