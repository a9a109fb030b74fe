import { LIFECYCLE_PHASES } from '../../cards/index.js';
import type { Metamodel } from '../../metamodel/index.js';
import { UnreadableFile, type ImportOptions } from '../types.js';

const PLAIN = ['type', 'subtype', 'name', 'description', 'external_id', 'alias'] as const;
type Plain = (typeof PLAIN)[number];

/** The target of a column's cells; `field` is its name in errors. */
export type Column =
  | { heading: string; field: string; to: 'nothing' }
  | { heading: string; field: string; to: 'plain'; key: Plain }
  | { heading: string; field: string; to: 'id' | 'parent' | 'parent_id' }
  | { heading: string; field: string; to: 'lifecycle' | 'attribute'; key: string };

/** Exported fields that cannot be set. */
export const READ_ONLY: ReadonlySet<string> = new Set([
  'status',
  'approval_status',
  'version',
  'created_at',
  'updated_at',
  'created_by',
  'updated_by',
  'archived_at',
  'data_quality',
  'path',
  'level',
  'lifecycle_phase',
  'tags',
  'stakeholders',
]);

export const MAX_COLUMNS = 2_000;

function columnOf(heading: string, place: number, metamodel: Metamodel): Column | undefined {
  const name = heading.toLowerCase();
  const of = { heading, field: name };
  if (heading === '') return { heading: `column ${place}`, field: '', to: 'nothing' };
  if ((PLAIN as readonly string[]).includes(name)) return { ...of, to: 'plain', key: name as Plain };
  if (name === 'id' || name === 'parent' || name === 'parent_id') return { ...of, to: name };
  if (READ_ONLY.has(name)) return { ...of, to: 'nothing' };
  const phase = LIFECYCLE_PHASES.find((p) => heading === `lifecycle.${p}`);
  if (phase) return { heading, field: heading, to: 'lifecycle', key: phase };
  const key = heading.startsWith('attributes.') ? heading.slice('attributes.'.length) : heading;
  const fields = [...metamodel.types.values()].flatMap((type) => type.fields.byKey.get(key) ?? []);
  if (fields.length === 0) return isModuleColumn(heading) ? { ...of, to: 'nothing' } : undefined;
  if (fields.every(({ kind }) => kind === 'calculated')) return { ...of, to: 'nothing' };
  return { heading, field: `attributes.${key}`, to: 'attribute', key };
}

/**
 * Parses the first line of a table.
 * @returns a column per heading, and the ignored headings
 * @throws UnreadableFile naming every unknown and every duplicate heading
 */
export function readHeadings(
  headings: readonly string[],
  metamodel: Metamodel,
  options: ImportOptions,
): { columns: Column[]; ignored: string[] } {
  if (headings.length > MAX_COLUMNS)
    throw new UnreadableFile([{ line: 1, reason: `there are more than ${MAX_COLUMNS} columns` }]);
  const faults: string[] = [];
  const seen = new Set<string>();
  const columns = headings.map((given, i): Column => {
    const heading = given.trim();
    const column = columnOf(heading, i + 1, metamodel);
    if (!column) {
      if (!options.ignore_unknown) faults.push(`column "${heading.slice(0, 100)}" is no field`);
      return { heading, field: '', to: 'nothing' };
    }
    if (column.to !== 'nothing' && seen.has(column.field)) faults.push(`column "${heading}" occurs twice`);
    seen.add(column.field);
    return column;
  });
  if (!seen.has('name') && !seen.has('id') && !seen.has('external_id'))
    faults.push('a column name, id or external_id is required');
  if (faults.length > 0) throw new UnreadableFile(faults.slice(0, 100).map((reason) => ({ line: 1, reason })));
  return { columns, ignored: columns.filter(({ to }) => to === 'nothing').map(({ heading }) => heading) };
}

/** A column added by a module: the id of the module and a key, with the syntax of manifests. */
const COLUMN = /^([a-z][a-z0-9_]{0,30})\.[a-z][a-z0-9_]{0,60}$/;
/** Prefixes before a dot in the core's columns. */
const OWN_WORDS = ['attributes', 'lifecycle'];
/** Maximum edit distance that counts as a typing error. */
const SLIP = 2;

/**
 * Whether a column or member was added by a module to exports. The module need not be installed, because the file may
 * be older or from another workspace. A prefix similar to `attributes.` or `lifecycle.` is treated as a misspelt field
 * instead.
 */
export function isModuleColumn(name: string): boolean {
  const word = COLUMN.exec(name)?.[1];
  return word !== undefined && !OWN_WORDS.some((own) => distance(word, own) <= SLIP);
}

/** Levenshtein distance: number of insertions, deletions and substitutions between two words. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[b.length]!;
}
