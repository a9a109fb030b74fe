import { entryNamed, frontMatterOf, type Entry, type FrontMatter } from './front-matter.js';
import { headerValue, namedValue } from './header.js';
import { itemsOf, linesOf, sectionsOf, type Item, type Line, type LinesIn, type Section } from './lines.js';
import { lineOf, optionsOf, type FoundOption } from './options.js';
import { numberOfFile, plainStatus, readStatus, referencesOf, type Reference, type RecordStatus } from './status.js';
import { kindOf, READER, type Kind } from './words.js';

/** A range of the source. */
interface Range {
  from: number;
  to: number;
}

export interface Parsed {
  title: string;
  status: RecordStatus;
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
 * @param reader how a stored source was read when it was imported
 */
export function parseRecord(source: string, path: string, reader = READER): Parsed {
  const front = frontMatterOf(source, reader);
  const lines = linesOf(source, front.end);
  const linesIn = finder(lines);
  const all = sectionsOf(lines, source.length);
  const sections = new Map<Kind, Section>();
  for (const section of all) {
    const kind = kindOf(section.title, reader);
    if (kind !== undefined && !sections.has(kind)) sections.set(kind, section);
  }
  const claimed = [...sections.values()].sort((a, b) => a.start - b.start);
  const bodies = new Map(
    [...sections].map(([kind, { body, end }]) => [
      kind,
      { from: body, to: Math.min(end, claimed.find((other) => other.start >= body)?.start ?? end) },
    ]),
  );
  const warnings = [...front.warnings];

  const titled = all.find((section) => section.level === 1 && !claimed.includes(section) && section.title !== '');
  const number = numberOfFile(path);
  const fileTitle = path
    .split('/')
    .at(-1)!
    .replace(/\.(md|markdown)$/i, '')
    .replace(/^(?:adr[-_ ]?)?\d{1,6}[-_ ]+/i, '')
    .replace(/[-_]+/g, ' ');
  const title =
    lineOf(withoutNumber(titled?.title ?? entryNamed(front, 'title', reader)?.text ?? fileTitle, number)) ?? 'Untitled';

  const body = (kind: Kind): string | null => {
    const range = bodies.get(kind);
    return range ? cut(textOf(source, range), kind, warnings) : null;
  };
  const header = linesIn(front.end, claimed[0]?.start ?? source.length);
  const status = statusEntry(front, bodies.get('status'), header, all, linesIn);
  const { status: life, isKnown } = readStatus(status?.text ?? '');
  const statusText = status ? plainStatus(status.text).slice(0, 300).toWellFormed() || null : null;
  if (!isKnown)
    warnings.push(`the status ${JSON.stringify(statusText?.slice(0, 100))} is not known; it is read as a draft`);
  warnings.push(...unreadSections(all, titled, claimed));
  const consequences = consequencesOf(sections, bodies);
  const drivers = driversOf(bodies.get('drivers'), linesIn, source);
  const options = optionsIn(all, bodies, linesIn);
  const date = entryNamed(front, 'date', READER)?.text ?? headerValue('date', header)?.text;
  return {
    title,
    status: life,
    statusText,
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

/** The status: of the front matter, of its section or heading, or of the header. */
function statusEntry(
  front: FrontMatter,
  range: Range | undefined,
  header: readonly Line[],
  all: readonly Section[],
  linesIn: LinesIn,
): Entry | undefined {
  const entry = entryNamed(front, 'status', READER);
  if (entry) return entry;
  const line = range && linesIn(range.from, range.to).find((l) => !l.isOpaque && l.text.trim() !== '');
  if (line) {
    const named = namedValue('status', line.text, line.start);
    if (named) return named;
    const lead = /^\s*(?:[-*+>]\s+)?/.exec(line.text)![0].length;
    return { text: line.text.slice(lead).trim(), start: line.start + lead, end: line.start + line.text.length };
  }
  for (const { title, start, body } of all) {
    const [heading] = linesIn(start, body);
    const at = heading?.text.indexOf(title) ?? -1;
    const named = at === -1 ? undefined : namedValue('status', title, start + at);
    if (named) return named;
  }
  return headerValue('status', header);
}

/** Headings that are named in a warning. */
const MOST_NAMED = 5;

/** Warns of the sections that are no part of the structure. */
function unreadSections(all: readonly Section[], titled: Section | undefined, claimed: readonly Section[]): string[] {
  const unread: Section[] = [];
  for (const section of all) {
    const isWithin = ({ start, end }: Section) => section.start >= start && section.start < end;
    if (section === titled || section.title === '' || namedValue('status', section.title, 0)) continue;
    if (!claimed.some(isWithin) && !(unread.length > 0 && isWithin(unread.at(-1)!))) unread.push(section);
  }
  if (unread.length === 0) return [];
  const names = unread.slice(0, MOST_NAMED).map(({ title }) => JSON.stringify(title.slice(0, 100).toWellFormed()));
  if (unread.length > MOST_NAMED) names.push(`${unread.length - MOST_NAMED} more`);
  return [`not read as parts of a record, and in the Markdown alone: ${names.join(', ')}`];
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

/** `2024-04-16`, or `16/04/2024` and `16.04.2024` converted to it; null for anything else, and for invalid dates. */
function dayOf(text: string | undefined): string | null {
  const [, y, m, d] = /^(\d{4})-(\d\d)-(\d\d)/.exec(text ?? '') ?? [];
  const [, day, month, year] = /^(\d\d)[/.](\d\d)[/.](\d{4})/.exec(text ?? '') ?? [];
  const iso = y !== undefined ? `${y}-${m!}-${d!}` : year !== undefined ? `${year}-${month!}-${day!}` : undefined;
  if (iso === undefined || iso < '1970') return null;
  const at = new Date(`${iso}T00:00:00.000Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(iso) ? iso : null;
}
