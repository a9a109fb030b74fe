import { createRequire } from 'node:module';
import type * as Yaml from 'yaml';
import { NAMES, READER, type Reader } from './words.js';

/** Loaded with the first front matter, because the start of a service does not need its 70 files. */
const yamlLibrary = (): typeof Yaml => createRequire(import.meta.url)('yaml') as typeof Yaml;

/** A longer front matter is stored but not parsed. */
const MOST = 16_384;

/** The parser is recursive, and a stack overflow could end the process. */
const MOST_NESTED = 100;

/**
 * The time of the parser grows with the square of the number of signs that it cannot place: a text of commas would take half a second.
 * Front matter with as many as this is not parsed.
 */
const MOST_SIGNS = 400;
const MOST_LINES = 1_000;

/** Whether a text has more signs than front matter needs. */
const isOdd = (yaml: string): boolean =>
  yaml.split(/[^\p{L}\p{N} .\r\n:-]/u).length > MOST_SIGNS || yaml.split(/[\n:-]/).length > MOST_LINES;

/** Whether a text may be deeply nested: by brackets, or by consecutive list markers. */
const isDeep = (yaml: string): boolean =>
  yaml.split(/[[{]/).length > MOST_NESTED ||
  yaml.split(/[-?:] /).length > 4 * MOST_NESTED ||
  /^[ \t]*(?:[-?:][ \t]+){10}/m.test(yaml);

/** A value of the front matter as written, and its position. */
export interface Entry {
  text: string;
  start: number;
  end: number;
}

export interface FrontMatter {
  /** Start of the document: 0, or after a byte order mark, where there is no front matter. */
  end: number;
  /** Position where a line can be inserted; undefined without front matter, or where it is not a map. */
  tail: number | undefined;
  entries: ReadonlyMap<string, Entry>;
  /** The parts that could not be parsed; the text is kept in any case. */
  warnings: readonly string[];
}

const none = (end: number): FrontMatter => ({ end, tail: undefined, entries: new Map(), warnings: [] });

/** A value by its name in any language. */
export function entryNamed(front: FrontMatter, name: keyof typeof NAMES, reader: Reader): Entry | undefined {
  const known = reader === 1 ? [name] : NAMES[name].filter((one) => front.entries.has(one));
  return known.map((one) => front.entries.get(one)).find((entry) => entry !== undefined);
}

/** Parses the YAML between two lines `---` at the start of a source. A line that cannot be read is left out, with a warning. */
export function frontMatterOf(source: string, reader = READER): FrontMatter {
  const begin = source.startsWith('\uFEFF') ? 1 : 0;
  const opening = /^---[ \t]*\r?\n/.exec(source.slice(begin, begin + 200));
  if (!opening) return none(begin);
  const start = begin + opening[0].length;
  const closing = /^(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/m.exec(source.slice(start, start + MOST));
  if (!closing) return none(begin);
  const tail = start + closing.index;
  return { end: tail + closing[0].length, tail, ...entriesOf(source.slice(start, tail), start, reader) };
}

type Entries = Pick<FrontMatter, 'entries' | 'warnings'>;

function entriesOf(yaml: string, offset: number, reader: Reader): Entries {
  const unread = (warning: string): Entries => ({ entries: new Map(), warnings: [warning] });
  if (isOdd(yaml)) return unread('the front matter has too many signs and was not read');
  if (isDeep(yaml)) return unread('the front matter is nested too deeply and was not read');
  const whole = mapOf(yaml, offset);
  if (whole) return { entries: whole, warnings: [] };
  const { entries, lost } = reader === 1 ? { entries: new Map<string, Entry>(), lost: [] } : membersOf(yaml, offset);
  if (entries.size === 0) return unread('the front matter is no YAML map and was not read');
  return { entries, warnings: lost.map((line) => `line ${line} of the file could not be read as front matter`) };
}

/** Members that are read one by one: each begins with its name at the start of a line. */
function membersOf(yaml: string, offset: number): { entries: Map<string, Entry>; lost: number[] } {
  const entries = new Map<string, Entry>();
  const lost: number[] = [];
  const starts = [...yaml.matchAll(/^[^\s#\]}-]/gm)].map(({ index }) => index);
  for (const [i, start] of starts.entries()) {
    const member = yaml.slice(start, starts[i + 1]);
    // Without the lines that continue it, where these cannot be read.
    const [first = ''] = member.split('\n', 1);
    const whole = mapOf(member, offset + start);
    const read = whole ?? mapOf(first, offset + start);
    // The line with the opening marks is the first of the file.
    if (!whole) lost.push(yaml.slice(0, start).split('\n').length + (read ? 2 : 1));
    for (const [key, entry] of read ?? []) if (!entries.has(key)) entries.set(key, entry);
  }
  return { entries, lost };
}

/** The entries of a map; undefined where it is none. */
function mapOf(yaml: string, offset: number): Map<string, Entry> | undefined {
  const { isMap, isPair, isScalar, parseDocument } = yamlLibrary();
  const entries = new Map<string, Entry>();
  try {
    const { contents, errors } = parseDocument(yaml, { logLevel: 'silent', uniqueKeys: false });
    if (errors.length > 0 || (contents !== null && !isMap(contents))) return undefined;
    for (const pair of contents?.items ?? []) {
      const key = isPair(pair) && isScalar(pair.key) ? String(pair.key.value).toLowerCase() : undefined;
      const entry = key === undefined || entries.has(key) ? undefined : entryOf(pair, yaml, offset);
      if (entry) entries.set(key!, entry);
    }
    return entries;
  } catch {
    return undefined;
  }
}

function entryOf({ value }: Yaml.Pair, yaml: string, offset: number): Entry | undefined {
  const range = (value as { range?: [number, number, number] } | null)?.range;
  if (!range) return undefined;
  const raw = yaml.slice(range[0], range[1]);
  const text = yamlLibrary().isScalar(value) && value.value !== null ? String(value.value) : raw;
  return { text: text.trim(), start: offset + range[0], end: offset + range[1] };
}
