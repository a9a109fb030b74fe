import { createRequire } from 'node:module';
import type * as Yaml from 'yaml';

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
  /** The part that could not be parsed; the text is kept in any case. */
  warning?: string;
}

const none = (end: number): FrontMatter => ({ end, tail: undefined, entries: new Map() });

/** Parses the YAML between two lines `---` at the start of a source. */
export function frontMatterOf(source: string): FrontMatter {
  const begin = source.startsWith('\uFEFF') ? 1 : 0;
  const opening = /^---[ \t]*\r?\n/.exec(source.slice(begin, begin + 200));
  if (!opening) return none(begin);
  const start = begin + opening[0].length;
  const closing = /^(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/m.exec(source.slice(start, start + MOST));
  if (!closing) return none(begin);
  const tail = start + closing.index;
  return { end: tail + closing[0].length, tail, ...entriesOf(source.slice(start, tail), start) };
}

function entriesOf(yaml: string, offset: number): { entries: Map<string, Entry>; warning?: string } {
  const entries = new Map<string, Entry>();
  if (isOdd(yaml)) return { entries, warning: 'the front matter has too many signs and was not read' };
  if (isDeep(yaml)) return { entries, warning: 'the front matter is nested too deeply and was not read' };
  const { isMap, isPair, isScalar, parseDocument } = yamlLibrary();
  try {
    const { contents, errors } = parseDocument(yaml, { logLevel: 'silent', uniqueKeys: false });
    if (errors.length > 0 || (contents !== null && !isMap(contents)))
      return { entries, warning: 'the front matter is no YAML map and was not read' };
    for (const pair of contents?.items ?? []) {
      const key = isPair(pair) && isScalar(pair.key) ? String(pair.key.value).toLowerCase() : undefined;
      const entry = key === undefined || entries.has(key) ? undefined : entryOf(pair, yaml, offset);
      if (entry) entries.set(key!, entry);
    }
    return { entries };
  } catch {
    return { entries, warning: 'the front matter could not be read' };
  }
}

function entryOf({ value }: Yaml.Pair, yaml: string, offset: number): Entry | undefined {
  const range = (value as { range?: [number, number, number] } | null)?.range;
  if (!range) return undefined;
  const raw = yaml.slice(range[0], range[1]);
  const text = yamlLibrary().isScalar(value) && value.value !== null ? String(value.value) : raw;
  return { text: text.trim(), start: offset + range[0], end: offset + range[1] };
}
