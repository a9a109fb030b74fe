/** Reads files that are to be stored. Runs in the worker thread. */
import { createHash } from 'node:crypto';
import { deflateSync, inflateSync } from 'node:zlib';
import { setUserAttribute, type DrawioCell, type DrawioFile } from '../drawio/model.js';
import { readDrawio } from '../drawio/read.js';
import { writeDrawio } from '../drawio/write.js';
import { findCardShapes, type PublicUrl } from './card-shapes.js';
import { removeMarks } from './derive.js';
import { keepHidden } from './keep-hidden.js';
import type { ContentFault, LinkOrder, ReadContent, SaveOrder, StoredContent } from './orders.js';
import { ownBytes } from './own-bytes.js';
import { placeOf, type CardShape, type StoredRemoval } from './stored.js';

/** The XML of a stored file may be larger than a file that is sent, which may be compressed. */
export const MOST_STORED = 60_000_000;
/** Removed parts that are listed. */
const MOST_REMOVED = 200;
/** Shapes of cards in a file. */
const MOST_SHAPES = 10_000;

const refused = (reason: string, message: string, line: number | null = null): ContentFault => ({
  ok: false,
  reason,
  message,
  line,
});

/** The file of a version. @throws if it cannot be read, which no stored file is */
export function openStored({ content }: Pick<StoredContent, 'content'>): DrawioFile {
  const xml = inflateSync(content, { maxOutputLength: MOST_STORED });
  const read = readDrawio(xml, { bytes: MOST_STORED, inflatedBytes: MOST_STORED });
  if (!read.ok) throw new Error(`The stored file cannot be read: ${read.message}`);
  return read.file;
}

/** A file ready to be stored. @param kept shapes of hidden cards, by page and id of the cell */
function ready(
  file: DrawioFile,
  publicUrl: PublicUrl,
  removed: StoredRemoval[],
  kept: Map<string, CardShape> = new Map(),
): ReadContent | ContentFault {
  removeMarks(file);
  if (file.pages.length > 1) file.bare = false;
  const { shapes, links, pages } = findCardShapes(file, publicUrl);
  if (shapes.length > MOST_SHAPES)
    return refused('too_many_shapes', `the file has more than ${MOST_SHAPES} shapes of cards`);
  const xml = writeDrawio(file, { compressed: false });
  if (xml.length > MOST_STORED) return refused('too_large', `the file has more than ${MOST_STORED} bytes of XML`);
  const own: ReadContent['shapes'] = [];
  const keptShapes: CardShape[] = [];
  for (const shape of shapes) {
    const place = placeOf(shape.page, shape.cell);
    const before = kept.get(place);
    if (before === undefined || before.card !== shape.card) {
      own.push(shape);
      continue;
    }
    // Only the first cell with the id is the one that was kept.
    kept.delete(place);
    keptShapes.push({ ...before, page: shape.page, at: shape.at });
  }
  return {
    ok: true,
    content: ownBytes(deflateSync(xml, { level: 6 })),
    sha256: createHash('sha256').update(xml).digest('hex'),
    bytes: xml.length,
    cells: pages.reduce((sum, { cells }) => sum + cells, 0),
    pages,
    shapes: own,
    kept: keptShapes,
    links,
    removed: removed.slice(0, MOST_REMOVED),
  };
}

/** Reads a file that a user sends. */
export function readForSaving({ bytes, maxBytes, publicUrl, before }: SaveOrder): ReadContent | ContentFault {
  const read = readDrawio(bytes, { bytes: maxBytes });
  if (!read.ok) return refused(read.reason, read.message, read.line);
  const { file } = read;
  const removed = read.removed.map(({ kind, what, page, cell_id }) => ({
    page: page === undefined ? '' : (file.pages[page]?.name ?? ''),
    cell: cell_id ?? '',
    what: `${kind}: ${what}`.toWellFormed(),
  }));
  const isHidden = new Set(before?.hidden);
  const kept =
    before && isHidden.size > 0
      ? keepHidden(file, openStored(before), before.shapes, (card) => isHidden.has(card))
      : undefined;
  return ready(file, publicUrl, removed, kept);
}

/** Writes references to cards into shapes of a stored file. */
export function linkShapes({ stored, publicUrl, matches }: LinkOrder): ReadContent | ContentFault {
  const file = openStored(stored);
  const cells = new Map<string, DrawioCell>();
  file.pages.forEach((page, number) => {
    for (const cell of page.cells) {
      const place = placeOf(number, cell.id);
      if (cell.vertex && !cells.has(place)) cells.set(place, cell);
    }
  });
  const taken = new Set(stored.shapes.map(({ page, cell }) => placeOf(page, cell)));
  const missing: number[] = [];
  matches.forEach(({ page, cell, card }, i) => {
    const place = placeOf(page, cell);
    const found = cells.get(place);
    if (!found || taken.has(place)) missing.push(i);
    else {
      taken.add(place);
      setUserAttribute(found, 'cardId', card);
    }
  });
  if (missing.length > 0) return { ...refused('no_shape', 'a shape does not exist, or is of a card already'), missing };
  const kept = new Map(stored.shapes.map((shape) => [placeOf(shape.page, shape.cell), shape]));
  return ready(file, publicUrl, [], kept);
}
