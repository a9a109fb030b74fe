import { isDeepStrictEqual } from 'node:util';
import type { AdrOption } from '../model.js';
import { optionEdits } from './merge-options.js';
import { parseRecord, type Kind, type Parsed } from './parse.js';

/** The content of a record as it should be in Markdown. */
export interface RecordFields {
  title: string;
  context: string | null;
  drivers: string[];
  options: AdrOption[];
  decision: string | null;
  consequences: string | null;
}

export interface Extras {
  /** Replaces the status in the source; when absent the source's status is kept. */
  status?: string;
  /** Additional lines for the list of links. */
  links: readonly string[];
}

/** A range of the source and its replacement; an empty range is an insertion. */
export interface Edit {
  from: number;
  to: number;
  text: string;
}

const HEADINGS = {
  context: '## Context and Problem Statement',
  drivers: '## Decision Drivers',
  options: '## Considered Options',
  decision: '## Decision Outcome',
  consequences: '### Consequences',
  prosCons: '## Pros and Cons of the Options',
  links: '## More Information',
} as const;
type Placed = keyof typeof HEADINGS;
const ORDER = Object.keys(HEADINGS) as Placed[];

/** A parsed source with collected edits; everything else remains unchanged. */
export class Draft {
  readonly edits: Edit[] = [];
  readonly marker: string;
  private readonly eol: string;

  constructor(
    readonly source: string,
    readonly parsed: Parsed,
  ) {
    this.eol = source.includes('\r\n') ? '\r\n' : '\n';
    const first = parsed.layout.drivers[0] ?? parsed.options.find((option) => option.item)?.item;
    const marker = first && source.slice(first.start, first.start + 4).trimStart()[0];
    this.marker = marker !== undefined && '*-+'.includes(marker) ? marker : '*';
  }

  replace(from: number, to: number, text: string): void {
    this.edits.push({ from, to, text: text.replaceAll('\n', this.eol) });
  }

  /** Inserts lines at the start of a line or at the end of the source. */
  insert(at: number, lines: string): void {
    const before = at > 0 && this.source[at - 1] !== '\n' ? '\n' : '';
    this.replace(at, at, `${before}${lines}`);
  }

  list(points: readonly string[], lead = ''): string {
    return points.map((point) => `${this.marker} ${lead}${point.replaceAll('\n', '\n  ')}\n`).join('');
  }

  /** Inserts a new section at the usual position of its kind. */
  addSection(kind: Placed, text: string): void {
    const { sections, bodies } = this.parsed.layout;
    const later: readonly Kind[] =
      kind === 'consequences'
        ? []
        : [...ORDER.slice(ORDER.indexOf(kind) + 1), ...(kind === 'context' ? [] : (['positive', 'negative'] as const))];
    const starts = later.flatMap((other) => sections.get(other)?.start ?? []);
    const own =
      kind === 'consequences'
        ? (bodies.get('decision')?.to ??
          Math.min(
            ...['prosCons', 'links'].flatMap((other) => sections.get(other as Kind)?.start ?? []),
            this.source.length,
          ))
        : undefined;
    const at = own ?? Math.min(...starts, this.source.length);
    const block = `${HEADINGS[kind]}\n\n${text.trimEnd()}\n`;
    if (at < this.source.length) this.insert(at, `${block}\n`);
    else this.insert(at, this.source === '' ? block : `\n${block}`);
  }

  /** Replaces the text of a section; removes the section without text. */
  setSection(
    kind: Exclude<Placed, 'options' | 'prosCons' | 'links'>,
    text: string | null,
    at?: { from: number; body: number; to: number },
  ): void {
    if (!at) {
      if (text !== null) this.addSection(kind, text);
      return;
    }
    if (text === null) {
      this.replace(at.from, at.to, '');
      return;
    }
    const before = this.source[at.body - 1] === '\n' ? '' : '\n';
    this.replace(at.body, at.to, `${before}\n${text.trimEnd()}\n${at.to < this.source.length ? '\n' : ''}`);
  }

  toString(): string {
    // Stable sort: insertions at one position keep their order, and come before a replacement starting there.
    const edits = [...this.edits].sort((a, b) => a.from - b.from || a.to - b.to);
    let [out, at] = ['', 0];
    for (const { from, to, text } of edits) {
      if (from < at) continue;
      out += this.source.slice(at, from) + text;
      at = to;
    }
    return out + this.source.slice(at);
  }
}

const YAML_PLAIN = /^[A-Za-z][\w -]{0,100}$/;

function setStatus(draft: Draft, text: string): void {
  const { front, status, sections, bodies } = draft.parsed.layout;
  const yaml = YAML_PLAIN.test(text) ? text : JSON.stringify(text);
  if (status && front.entries.get('status') === status)
    draft.replace(status.start, status.end, status.start === status.end ? ` ${yaml}` : yaml);
  else if (status) draft.replace(status.start, status.end, text);
  else if (sections.has('status')) draft.insert(bodies.get('status')!.from, `\n${text}\n\n`);
  else if (front.tail !== undefined) draft.insert(front.tail, `status: ${yaml}\n`);
  else draft.replace(front.end, front.end, `---\nstatus: ${yaml}\n---\n`);
}

function setTitle(draft: Draft, title: string): void {
  const { title: section, front } = draft.parsed.layout;
  if (section) draft.replace(section.start, section.body, `# ${title}\n`);
  else draft.replace(front.end, front.end, `# ${title}\n\n`);
}

function setDrivers(draft: Draft, drivers: readonly string[]): void {
  const { drivers: items, bodies } = draft.parsed.layout;
  const [first, last] = [items[0], items.at(-1)];
  if (first && last) draft.replace(first.start, last.end, draft.list(drivers));
  else if (bodies.has('drivers')) draft.insert(bodies.get('drivers')!.from, `\n${draft.list(drivers)}\n`);
  else draft.addSection('drivers', draft.list(drivers));
}

/** If a record has only positive and negative consequences, their replacement gets a heading. */
function headed(text: string | null, at: { from: number; body: number } | undefined): string | null {
  return text !== null && at?.from === at?.body && at !== undefined && !/^ {0,3}#/.test(text)
    ? `${HEADINGS.consequences}\n\n${text}`
    : text;
}

/**
 * The Markdown of a record: the source, edited only where its content differs.
 * @param path the path with which it was parsed
 */
export function mergeRecord(source: string, path: string, fields: RecordFields, { status, links }: Extras): string {
  const parsed = parseRecord(source, path);
  const draft = new Draft(source, parsed);
  const { sections, bodies, consequences } = parsed.layout;
  const at = (kind: 'context' | 'decision') =>
    sections.has(kind)
      ? { from: sections.get(kind)!.start, body: bodies.get(kind)!.from, to: bodies.get(kind)!.to }
      : undefined;
  if (status !== undefined) setStatus(draft, status);
  if (fields.title !== parsed.title) setTitle(draft, fields.title);
  if (fields.context !== parsed.context) draft.setSection('context', fields.context, at('context'));
  if (!isDeepStrictEqual(fields.drivers, parsed.drivers)) setDrivers(draft, fields.drivers);
  const finish = optionEdits(draft, fields.options);
  if (fields.decision !== parsed.decision) draft.setSection('decision', fields.decision, at('decision'));
  if (fields.consequences !== parsed.consequences)
    draft.setSection('consequences', headed(fields.consequences, consequences), consequences);
  finish();
  const { to } = bodies.get('links') ?? {};
  if (links.length > 0) {
    if (to === undefined) draft.addSection('links', draft.list(links));
    else draft.insert(to, `${draft.list(links)}${to < source.length ? '\n' : ''}`);
  }
  return draft.toString();
}

/**
 * The Markdown of a record written in this module, in MADR 4 format. @param date date of the decision or of its
 * creation
 */
export function newRecord(fields: RecordFields, { status, links }: Required<Extras>, date: string): string {
  const yaml = YAML_PLAIN.test(status) ? status : JSON.stringify(status);
  return mergeRecord(`---\nstatus: ${yaml}\ndate: ${date}\n---\n\n# ${fields.title}\n`, '', fields, { links });
}
