import { frontMatterOf, type Entry, type FrontMatter } from './front-matter.js';
import { itemsOf, linesOf, sectionsOf, type Item, type Line, type LinesIn, type Section } from './lines.js';
import { lineOf, optionsOf, type FoundOption } from './options.js';
import { numberOfFile, plainStatus, referencesOf, statusOf, type Reference } from './status.js';

/** Kinds of sections by heading, for all versions of MADR and for Nygard's format. */
const KINDS: Record<string, Kind> = {
  status: 'status',
  'context and problem statement': 'context',
  context: 'context',
  'problem statement': 'context',
  problem: 'context',
  'context problem statement': 'context',
  background: 'context',
  issue: 'context',
  'decision drivers': 'drivers',
  drivers: 'drivers',
  forces: 'drivers',
  'considered options': 'options',
  options: 'options',
  'options considered': 'options',
  'considered alternatives': 'options',
  alternatives: 'options',
  'alternatives considered': 'options',
  'decision outcome': 'decision',
  decision: 'decision',
  outcome: 'decision',
  consequences: 'consequences',
  'positive consequences': 'positive',
  'negative consequences': 'negative',
  'pros and cons of the options': 'prosCons',
  'pros and cons': 'prosCons',
  links: 'links',
  'more information': 'links',
  related: 'links',
  'related decisions': 'links',
  references: 'links',
};
export type Kind =
  | 'status'
  | 'context'
  | 'drivers'
  | 'options'
  | 'decision'
  | 'consequences'
  | 'positive'
  | 'negative'
  | 'prosCons'
  | 'links';
/** A range of the source. */
interface Range {
  from: number;
  to: number;
}

export interface Parsed {
  title: string;
  status: ReturnType<typeof statusOf>;
  /** As written. */
  statusText: string | null;
  date: string | null;
  context: string | null;
  drivers: string[];
  options: FoundOption[];
  decision: string | null;
  consequences: string | null;
  references: Reference[];
  warnings: string[];
  layout: {
    front: FrontMatter;
    title: Section | undefined;
    /** The first section of each kind. */
    sections: ReadonlyMap<Kind, Section>;
    /** The text of each section without subsections. */
    bodies: ReadonlyMap<Kind, Range>;
    /** The line or value with the status. */
    status: Entry | undefined;
    /** From the first heading of consequences to the end of the last. */
    consequences: (Range & { body: number }) | undefined;
    drivers: Item[];
    linesIn: LinesIn;
  };
}

const MOST_TEXT = 100_000;
/** References of one record. */
const MOST_REFERENCES = 200;
const headingKey = (title: string): string =>
  title
    .slice(0, 200)
    .toLowerCase()
    .replace(/[^\p{L}]+/gu, ' ')
    .trim();
function kindOf(title: string): Kind | undefined {
  const key = headingKey(title);
  return Object.hasOwn(KINDS, key) ? KINDS[key] : undefined;
}

/** Text of a range without surrounding blank lines. */
function textOf(source: string, { from, to }: Range): string | null {
  const lines = source.slice(from, to).replaceAll('\r\n', '\n').split('\n');
  let first = 0;
  while (first < lines.length && lines[first]!.trim() === '') first++;
  const text = lines.slice(first).join('\n').trimEnd();
  return text === '' ? null : text;
}

/** Finds the lines of a range by binary search. */
function finder(lines: readonly Line[]): LinesIn {
  const firstFrom = (at: number): number => {
    let [low, high] = [0, lines.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (lines[middle]!.start < at) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return (from, to) => lines.slice(firstFrom(from), firstFrom(to));
}

/** The title without a number that equals the file's number or is followed by punctuation. */
function withoutNumber(title: string, number: number | undefined): string {
  const [whole, digits, mark] = /^(?:ADR[-_ ]?)?(\d{1,6})([.:)]| -)? +(?=\S)/i.exec(title) ?? [];
  return whole !== undefined && (mark !== undefined || Number(digits) === number) ? title.slice(whole.length) : title;
}

/**
 * Parses an architecture decision record in Markdown.
 * @param source is never changed, because the result contains positions in it
 * @param path path of the file; its name is the title where the text has none
 */
export function parseRecord(source: string, path: string): Parsed {
  const front = frontMatterOf(source);
  const lines = linesOf(source, front.end);
  const linesIn = finder(lines);
  const all = sectionsOf(lines, source.length);
  const sections = new Map<Kind, Section>();
  for (const section of all) {
    const kind = kindOf(section.title);
    if (kind !== undefined && !sections.has(kind)) sections.set(kind, section);
  }
  const claimed = [...sections.values()].sort((a, b) => a.start - b.start);
  const bodies = new Map(
    [...sections].map(([kind, { body, end }]) => [
      kind,
      { from: body, to: Math.min(end, claimed.find((other) => other.start >= body)?.start ?? end) },
    ]),
  );
  const warnings = front.warning === undefined ? [] : [front.warning];

  const titled = all.find((section) => section.level === 1 && !claimed.includes(section) && section.title !== '');
  const number = numberOfFile(path);
  const fileTitle = path
    .split('/')
    .at(-1)!
    .replace(/\.(md|markdown)$/i, '')
    .replace(/^(?:adr[-_ ]?)?\d{1,6}[-_ ]+/i, '')
    .replace(/[-_]+/g, ' ');
  const title =
    lineOf(withoutNumber(titled?.title ?? front.entries.get('title')?.text ?? fileTitle, number)) ?? 'Untitled';

  const body = (kind: Kind): string | null => {
    const range = bodies.get(kind);
    return range ? cut(textOf(source, range), kind, warnings) : null;
  };
  const status = statusEntry(front, bodies.get('status'), linesIn);
  const consequences = consequencesOf(sections, bodies);
  const drivers = driversOf(bodies.get('drivers'), linesIn, source);
  const options = optionsIn(all, bodies, linesIn);
  const date =
    front.entries.get('date')?.text ??
    lines
      .slice(0, 40)
      .map((line) => /^(?:[*-] )?Date: ?(\d[\d/-]{7,9})$/i.exec(line.text.trim())?.[1])
      .find((d) => d !== undefined);
  return {
    title,
    status: statusOf(status?.text ?? ''),
    statusText: status ? plainStatus(status.text).slice(0, 300) || null : null,
    date: dayOf(date),
    context: body('context'),
    decision: body('decision'),
    consequences: consequences
      ? cut(textOf(source, { from: consequences.body, to: consequences.to }), 'consequences', warnings)
      : null,
    drivers: drivers.map((item) => item.text.slice(0, 2_000).toWellFormed()),
    options,
    warnings,
    references: referencesIn(status, bodies, linesIn),
    layout: { front, title: titled, sections, bodies, status, consequences, drivers, linesIn },
  };
}

function cut(text: string | null, kind: Kind, warnings: string[]): string | null {
  if (text === null || text.length <= MOST_TEXT) return text;
  warnings.push(`${kind} is longer than ${MOST_TEXT} characters; the rest is in the Markdown alone`);
  return text.slice(0, MOST_TEXT).toWellFormed();
}

function statusEntry(front: FrontMatter, range: Range | undefined, linesIn: LinesIn): Entry | undefined {
  const entry = front.entries.get('status');
  if (entry || !range) return entry;
  const line = linesIn(range.from, range.to).find((l) => !l.isOpaque && l.text.trim() !== '');
  return line && { text: line.text.trim(), start: line.start, end: line.start + line.text.length };
}

/** The range of consequences; positive and negative ones are included where they are adjacent. */
function consequencesOf(
  sections: ReadonlyMap<Kind, Section>,
  bodies: ReadonlyMap<Kind, Range>,
): (Range & { body: number }) | undefined {
  const parts = (['consequences', 'positive', 'negative'] as const)
    .flatMap((kind) =>
      sections.has(kind) ? [{ kind, start: sections.get(kind)!.start, to: bodies.get(kind)!.to }] : [],
    )
    .sort((a, b) => a.start - b.start);
  const [first, ...rest] = parts;
  if (!first) return undefined;
  let { to } = first;
  for (const part of rest) if (part.start === to) to = part.to;
  // Headings of positive and negative consequences are part of the text, the general heading is not.
  return {
    from: first.start,
    body: first.kind === 'consequences' ? sections.get('consequences')!.body : first.start,
    to,
  };
}

function driversOf(range: Range | undefined, linesIn: LinesIn, source: string): Item[] {
  if (!range) return [];
  const items = itemsOf(linesIn(range.from, range.to))
    .filter(({ text }) => text !== '')
    .slice(0, 100);
  const whole = items.length > 0 ? null : textOf(source, range);
  return whole === null ? items : [{ text: whole, start: range.from, end: range.to }];
}

function optionsIn(all: readonly Section[], bodies: ReadonlyMap<Kind, Range>, linesIn: LinesIn): FoundOption[] {
  const within = (kind: 'options' | 'prosCons'): Section[] => {
    const range = bodies.get(kind);
    const inside = range ? all.filter(({ start }) => start >= range.from && start < range.to) : [];
    const top = inside.reduce((level, section) => Math.min(level, section.level), 9);
    return inside
      .filter(({ level }) => level === top)
      .map((section) => ({ ...section, end: Math.min(section.end, range!.to) }));
  };
  const own = within('options');
  const list = bodies.get('options');
  const listed = list ? linesIn(list.from, own[0]?.start ?? list.to) : [];
  return optionsOf(listed, [...own, ...within('prosCons')], linesIn);
}

function referencesIn(status: Entry | undefined, bodies: ReadonlyMap<Kind, Range>, linesIn: LinesIn): Reference[] {
  const found: Reference[] = status ? referencesOf(status.text, false) : [];
  for (const kind of ['status', 'links'] as const) {
    const range = bodies.get(kind);
    for (const line of range ? linesIn(range.from, range.to) : []) {
      if (found.length >= MOST_REFERENCES) break;
      if (!line.isOpaque) found.push(...referencesOf(line.text, kind === 'links'));
    }
  }
  return found.slice(0, MOST_REFERENCES);
}

/** `2024-04-16`, or `16/04/2024` converted to it; null for anything else, and for invalid dates. */
function dayOf(text: string | undefined): string | null {
  const [, y, m, d] = /^(\d{4})-(\d\d)-(\d\d)/.exec(text ?? '') ?? [];
  const [, day, month, year] = /^(\d\d)\/(\d\d)\/(\d{4})/.exec(text ?? '') ?? [];
  const iso = y !== undefined ? `${y}-${m!}-${d!}` : year !== undefined ? `${year}-${month!}-${day!}` : undefined;
  if (iso === undefined || iso < '1970') return null;
  const at = new Date(`${iso}T00:00:00.000Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(iso) ? iso : null;
}
