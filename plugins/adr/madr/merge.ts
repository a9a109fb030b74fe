import { isDeepStrictEqual } from 'node:util';
import type { RecordFields } from '../model.js';
import { Draft, HEADINGS } from './draft.js';
import { optionEdits } from './merge-options.js';
import { parseRecord } from './parse.js';
import type { Reader } from './words.js';

interface Extras {
  /** Replaces the status in the source; when absent the source's status is kept. */
  status?: string;
  /** Additional lines for the list of links. */
  links: readonly string[];
  /** How the source was read when it was imported. */
  reader?: Reader;
}

/** A text as a scalar of YAML: as it is where that is plain, else quoted. */
const yamlOf = (text: string): string => (/^[A-Za-z][\w -]{0,100}$/.test(text) ? text : JSON.stringify(text));

function setStatus(draft: Draft, text: string): void {
  const { front, status, sections, bodies } = draft.parsed.layout;
  const yaml = yamlOf(text);
  if (status && [...front.entries.values()].includes(status))
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
export function mergeRecord(
  source: string,
  path: string,
  fields: RecordFields,
  { status, links, reader }: Extras,
): string {
  const parsed = parseRecord(source, path, reader);
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
export function newRecord(
  fields: RecordFields,
  { status, links }: Required<Pick<Extras, 'status' | 'links'>>,
  date: string,
): string {
  return mergeRecord(`---\nstatus: ${yamlOf(status)}\ndate: ${date}\n---\n\n# ${fields.title}\n`, '', fields, {
    links,
  });
}
