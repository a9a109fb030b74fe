/** Reads files that are to be stored. Runs in the worker. */
import { createHash } from 'node:crypto';
import { deflateSync, inflateSync } from 'node:zlib';
import { setUserAttribute, type DrawioCell, type DrawioFile } from '../drawio/model.js';
import { DEFAULT_LIMITS, readDrawio } from '../drawio/read.js';
import type { Removed } from '../drawio/sanitise.js';
import { writeDrawio } from '../drawio/write.js';
import { cardsOfOwners, findCardLinks, findCardShapes, type PublicUrl } from './card-shapes.js';
import { removeMarks } from './derive.js';
import { keepHidden, type KeptCells } from './keep-hidden.js';
import { maskedCells } from './masking.js';
import { MOST_OWNERS, ownersOfPage, recordsOf } from './owners.js';
import type {
  ContentFault,
  HeldContent,
  HoldOrder,
  LinkOrder,
  ReadContent,
  SaveOrder,
  StoredContent,
} from './orders.js';
import { ownBytes } from './own-bytes.js';
import { hasStandIns, renameOthers } from './stand-ins.js';
import { placeOf, type CardShape, type HeldCell, type StoredRemoval } from './stored.js';

/** The XML of a stored file may be larger than a file that is sent, which may be compressed. */
export const MOST_STORED = 60_000_000;
/**
 * What a stored file may have more than one that is sent, so that all that is accepted can be read again: references to cards and what is around
 * them, elements around a page, and cells that the user does not see.
 */
const STORED_LIMITS = {
  bytes: MOST_STORED,
  inflatedBytes: MOST_STORED,
  depth: DEFAULT_LIMITS.depth + 4,
  elements: DEFAULT_LIMITS.elements + 60_000,
  attributes: DEFAULT_LIMITS.attributes + 10,
};
/** Removed parts that are listed. */
const MOST_REMOVED = 200;
/** Shapes of cards in a file. */
const MOST_SHAPES = 10_000;
/** Characters of JSON that are recorded of a file besides its XML: of its pages, shapes, lines, and cells that the user does not see. */
const MOST_RECORDED = 6_000_000;

const [LESS, SLASH] = Buffer.from('</') as unknown as [number, number];

const refused = (reason: string, message: string, line: number | null = null): ContentFault => ({
  ok: false,
  reason,
  message,
  line,
});

/** The file of a version. @throws if it cannot be read, which no stored file is */
export function openStored({ content }: Pick<StoredContent, 'content'>): DrawioFile {
  const xml = inflateSync(content, { maxOutputLength: MOST_STORED });
  const read = readDrawio(xml, STORED_LIMITS);
  if (!read.ok) throw new Error(`The stored file cannot be read: ${read.message}`);
  return read.file;
}

/** The number of elements of XML that was written by this module, in which texts and values have no such characters. */
function elementsIn(xml: Uint8Array): number {
  let count = 0;
  for (let at = xml.indexOf(LESS); at >= 0; at = xml.indexOf(LESS, at + 1)) if (xml[at + 1] !== SLASH) count++;
  return count;
}

/** What is known of a file before it is completed. */
interface Unready {
  file: DrawioFile;
  publicUrl: PublicUrl;
  removed: readonly Removed[];
  /** Undefined: the file is not one of a diagram that has another one. */
  kept: KeptCells | undefined;
}

/** Why a file with all that was kept cannot be stored: it could not be read again, or needs too much memory. */
function faultOf({ file, kept }: Pick<Unready, 'file' | 'kept'>): ContentFault | undefined {
  const cells = file.pages.reduce((sum, page) => sum + page.cells.length, 0);
  if (cells > DEFAULT_LIMITS.cells)
    return refused(
      'too_many_cells',
      `the file has more than ${DEFAULT_LIMITS.cells} cells, with those that are not visible`,
    );
  if (file.pages.length > DEFAULT_LIMITS.pages)
    return refused(
      'too_large',
      `the file has more than ${DEFAULT_LIMITS.pages} pages, with those that are not visible`,
    );
  const held = [...(kept?.held.values() ?? []), ...(kept?.gone ?? [])];
  if (held.some(({ cards }) => cards.length > MOST_OWNERS))
    return refused('too_complex', `a cell that is not visible belongs to more than ${MOST_OWNERS} cards`);
  return undefined;
}

/** Why the records of a file cannot be stored: all of them are read at once, by many requests. */
function faultOfRecords(lists: readonly (readonly object[])[]): ContentFault | undefined {
  let size = 0;
  for (const list of lists)
    for (const record of list) {
      size += JSON.stringify(record).length;
      if (size > MOST_RECORDED)
        return refused('too_large', 'its pages, shapes and lines have too many ids, names and cards');
    }
  return undefined;
}

/** The records of cells by their places. */
const heldIn = ({ file, kept }: Pick<Unready, 'file' | 'kept'>): HeldCell[] => [
  ...file.pages.flatMap(({ cells }, page) =>
    cells.flatMap((cell, at) => {
      const record = kept?.held.get(cell);
      return record ? [{ page, at, kind: record.kind, cards: record.cards }] : [];
    }),
  ),
  ...(kept?.gone ?? []).map(({ page, ...record }) => ({ ...record, page: file.pages.indexOf(page), at: -1 })),
];

/** What is stored of a file, for a copy of it that a user makes who does not see some of it. */
function unchanged(
  file: DrawioFile,
  stored: StoredContent,
  isHidden: ReadonlySet<string>,
): { kept: KeptCells; masked: ReadonlySet<DrawioCell> } {
  const kept: KeptCells = { shapes: new Map(), held: new Map(), gone: [] };
  for (const shape of stored.shapes) kept.shapes.set(file.pages[shape.page]!.cells[shape.at]!, shape);
  for (const { page, at, cell = '', ...record } of stored.held) {
    if (at < 0) kept.gone.push({ page: file.pages[page]!, cell, ...record });
    else kept.held.set(file.pages[page]!.cells[at]!, record);
  }
  const masked = new Set<DrawioCell>();
  maskedCells(file, stored, (card) => isHidden.has(card)).forEach((cells, page) => {
    for (const [at, { kind, owners }] of cells) {
      const cell = file.pages[page]!.cells[at]!;
      masked.add(cell);
      kept.held.set(cell, { kind, cards: [...owners] });
    }
  });
  return { kept, masked };
}

/** A file ready to be stored. */
function ready(unready: Unready): ReadContent | ContentFault {
  const { file, publicUrl, removed, kept } = unready;
  removeMarks(file);
  if (file.pages.length > 1) file.bare = false;
  const fault = faultOf(unready);
  if (fault) return fault;
  const { shapes, pages } = findCardShapes(file, publicUrl);
  if (shapes.length > MOST_SHAPES)
    return refused('too_many_shapes', `the file has more than ${MOST_SHAPES} shapes of cards`);
  const xml = writeDrawio(file, { compressed: false });
  if (xml.length > MOST_STORED) return refused('too_large', `the file has more than ${MOST_STORED} bytes of XML`);
  if (elementsIn(xml) > STORED_LIMITS.elements)
    return refused('too_large', 'the file has too many elements, with those that are not visible');
  const keptShapes = file.pages.flatMap(({ cells }, page) =>
    cells.flatMap((cell, at): CardShape[] => {
      const before = kept?.shapes.get(cell);
      return before ? [{ ...before, page, at, cell: cell.id }] : [];
    }),
  );
  const isKept = new Set(keptShapes.map(({ page, at }) => placeOf(page, at)));
  const own = shapes.filter(({ page, at }) => !isKept.has(placeOf(page, at)));
  const held = heldIn(unready);
  const all = [...own, ...keptShapes];
  const records = recordsOf({ shapes: all as CardShape[], held });
  const owners = file.pages.map((page, i) => ownersOfPage(page, i, records));
  const links = findCardLinks(file, all, owners);
  const removals = removed.slice(0, MOST_REMOVED).map(
    ({ kind, what, page, at, cell_id }): StoredRemoval => ({
      page: page === undefined ? '' : (file.pages[page]?.name ?? ''),
      cell: cell_id ?? '',
      what: `${kind}: ${what}`.toWellFormed(),
      cards: page === undefined || at === undefined ? [] : cardsOfOwners([owners[page]?.get(at)]),
    }),
  );
  const tooLarge = faultOfRecords([pages, all, held, links, removals]);
  if (tooLarge) return tooLarge;
  return {
    ok: true,
    content: ownBytes(deflateSync(xml, { level: 6 })),
    sha256: createHash('sha256').update(xml).digest('hex'),
    bytes: xml.length,
    cells: pages.reduce((sum, { cells }) => sum + cells, 0),
    pages,
    shapes: own,
    kept: keptShapes,
    held,
    isBound: kept !== undefined,
    links,
    removed: removals,
  };
}

/** Reads a file that a user sends. */
export function readForSaving({ bytes, maxBytes, publicUrl, before }: SaveOrder): ReadContent | ContentFault {
  const read = readDrawio(bytes, { bytes: maxBytes });
  if (!read.ok) return refused(read.reason, read.message, read.line);
  const { file, removed } = read;
  const isHidden = new Set(before?.hidden);
  const kept =
    before && (isHidden.size + before.gone.length > 0 || before.stored.held.length > 0 || hasStandIns(file))
      ? keepHidden(file, openStored(before.stored), before.stored, isHidden, new Set(before.gone))
      : undefined;
  renameOthers(file);
  return ready({ file, publicUrl, removed, kept });
}

/** Writes references to cards into shapes of a stored file. */
export function linkShapes({ stored, publicUrl, matches, hidden }: LinkOrder): ReadContent | ContentFault {
  const file = openStored(stored);
  const { kept, masked } = unchanged(file, stored, new Set(hidden));
  const cells = new Map<string, DrawioCell>();
  file.pages.forEach((page, number) => {
    for (const cell of page.cells) {
      const place = placeOf(number, cell.id);
      if (cell.vertex && !masked.has(cell) && !cells.has(place)) cells.set(place, cell);
    }
  });
  const missing: number[] = [];
  const taken = new Set(kept.shapes.keys());
  matches.forEach(({ page, cell, card }, i) => {
    const found = cells.get(placeOf(page, cell));
    if (!found || taken.has(found)) missing.push(i);
    else {
      taken.add(found);
      setUserAttribute(found, 'cardId', card);
    }
  });
  if (missing.length > 0) return { ...refused('no_shape', 'a shape does not exist, or is of a card already'), missing };
  return ready({ file, publicUrl, removed: [], kept });
}

/** The records for a copy of a version that a user makes who does not see some of it. */
export function holdHidden({ stored, hidden }: HoldOrder): HeldContent | ContentFault {
  const file = openStored(stored);
  const { kept } = unchanged(file, stored, new Set(hidden));
  const held = heldIn({ file, kept });
  return faultOf({ file, kept }) ?? faultOfRecords([stored.shapes, held]) ?? { ok: true, held };
}
