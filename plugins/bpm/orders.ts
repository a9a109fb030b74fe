/** What the script of the process does with an order. */
import { createHash } from 'node:crypto';
import { drawFile, pngOfDrawing, type BpmnDrawing, type DrawOptions as Look, type Mark } from './drawing/index.js';
import { blankBpmn } from './notation/blank.js';
import { detailsOf } from './notation/details.js';
import { CHANGES, diffReadings, type BpmnDiff, type ComparedReading } from './notation/diff.js';
import { outlineOf } from './notation/outline.js';
import { parseBpmn, type ParsedFile, type RefusedFile } from './notation/parse.js';
import { readingOf } from './notation/read.js';
import type { BpmnReading } from './notation/reading.js';

/** How a diagram of a file is drawn. */
export interface DrawOptions extends Omit<Look, 'marks' | 'before'> {
  format: 'svg' | 'png';
  /** Pixels of an image per px. Default: 1. */
  scale?: 1 | 2 | undefined;
  /** The former file: what has become different is marked, and what was removed is drawn too. */
  before?: Uint8Array | undefined;
}

export type Order =
  | { kind: 'read'; file: Uint8Array }
  | { kind: 'diff'; before: Uint8Array; after: Uint8Array; limit: number }
  | { kind: 'draw'; file: Uint8Array; options: DrawOptions }
  | { kind: 'blank'; name: string };

export type ReadAnswer = RefusedFile | { ok: true; reading: BpmnReading };

/** A comparison whose lists are cut; `totals` are the whole lengths. */
export interface DiffAnswer extends BpmnDiff {
  totals: Record<keyof BpmnDiff, number>;
}

/** Of a drawing: its size in px, and what of the file it does not show. */
export type DrawnFacts = Omit<BpmnDrawing, 'svg'>;

/** One of these, by the kind of the order. */
export interface Answer {
  read?: ReadAnswer;
  diff?: DiffAnswer;
  drawn?: DrawnFacts;
  /** A file; absent if the diagram does not exist. */
  content?: Uint8Array<ArrayBuffer>;
}

interface Parsed {
  key: string;
  file: ParsedFile;
  /** Once it has been asked for: the rules add their problems to the file. */
  reading?: BpmnReading;
}

/** The last file that was parsed: most files are drawn soon after they have been read. */
let last: Parsed | undefined;
/** Files with more elements are not kept, since they need much memory. */
const KEPT_ELEMENTS = 15_000;

/**
 * Does the work of one order.
 * @throws Error where a file to be compared or drawn is refused: only files that could be read are stored
 */
export async function answer(order: Order): Promise<Answer> {
  switch (order.kind) {
    case 'read':
      return { read: read(order.file) };
    case 'diff':
      return { diff: compared(order.before, order.after, order.limit) };
    case 'draw':
      return draw(order.file, order.options);
    case 'blank':
      return { content: await blankBpmn(order.name) };
  }
}

function parsed(bytes: Uint8Array): RefusedFile | Parsed {
  const key = createHash('sha256').update(bytes).digest('base64');
  if (last?.key === key) return last;
  last = undefined;
  const file = parseBpmn(bytes);
  if (!file.ok) return file;
  const found = { key, file };
  if (file.element_count <= KEPT_ELEMENTS) last = found;
  return found;
}

function read(bytes: Uint8Array): ReadAnswer {
  const found = parsed(bytes);
  if ('ok' in found) return found;
  found.reading ??= readingOf(found.file);
  return { ok: true, reading: found.reading };
}

async function draw(bytes: Uint8Array, { format, scale, before, ...look }: DrawOptions): Promise<Answer> {
  const former = before && readable(before);
  const found = readable(bytes);
  const drawing = await drawFile(found.file.definitions, { ...look, ...(former && marked(former, found)) });
  if (!drawing) return {};
  const { svg, ...drawn } = drawing;
  return { drawn, content: format === 'svg' ? new TextEncoder().encode(svg) : pngOfDrawing(drawing, scale) };
}

/** The ways in which each element has become different. */
function marked(before: Parsed, after: Parsed): Pick<Look, 'marks' | 'before'> {
  const diff = diffReadings(comparable(before), comparable(after));
  const found = new Map<string, Mark[]>();
  for (const kind of CHANGES)
    for (const { bpmn_id } of diff[kind]) found.set(bpmn_id, [...(found.get(bpmn_id) ?? []), kind]);
  // An id can be `__proto__`, which is set as any other by `fromEntries`.
  return { before: before.file.definitions, marks: Object.fromEntries(found) };
}

function compared(before: Uint8Array, after: Uint8Array, limit: number): DiffAnswer {
  const diff = diffReadings(comparable(readable(before)), comparable(readable(after)));
  const totals = Object.fromEntries(CHANGES.map((kind) => [kind, diff[kind].length])) as DiffAnswer['totals'];
  for (const kind of CHANGES) diff[kind].splice(limit);
  return { ...diff, totals };
}

function readable(bytes: Uint8Array): Parsed {
  const found = parsed(bytes);
  if ('ok' in found) throw new Error(found.message);
  return found;
}

function comparable(found: Parsed): ComparedReading {
  const outline = outlineOf(found.file.definitions);
  found.reading ??= readingOf(found.file, outline);
  return { ...found.reading, details: detailsOf(found.file.tree, outline) };
}
