/** Finds the shapes of cards, and the edges between them, in a draw.io file. */
import { textOf, userAttribute, type DrawioCell, type DrawioFile, type DrawioPage } from '../drawio/model.js';
import { styleValue } from '../drawio/style.js';
import { isOfAll, type Owners } from './owners.js';
import { placeOf, type CardLink, type StoredPage } from './stored.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const CARD_PATH = /\/cards\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:[/?#]|$)/;
/** Longest text of a label that is compared with names, in characters. */
const MOST_TEXT = 1_000;
/** Longest label of an edge that is recorded, in characters: it is compared with those of relation types. */
const MOST_LABEL = 200;
/** Cards that are recorded of edges, of all edges together; further edges count as edges of all cards of the file. */
const MOST_CARDS = 40_000;
/** Attributes of a shape that name its card; in any case. */
export const CARD_ATTRIBUTES = ['cardId', 'card_id'] as const;

/** A shape that refers to a card, which may not exist. */
export interface FoundShape {
  page: number;
  at: number;
  cell: string;
  card: string;
  text: string;
  /** The fill colour in lower case; null if it has none. */
  fill: string | null;
}

/** Where the links of the service itself begin; undefined if the operator has set no address. */
export type PublicUrl = string | undefined;

/**
 * The id of the card to which a shape refers, by an attribute or by a link to the page of a card, in lower case.
 * @returns undefined for a shape without such a reference
 */
export function cardOf(cell: DrawioCell, publicUrl: PublicUrl): string | undefined {
  for (const name of CARD_ATTRIBUTES) {
    const id = userAttribute(cell, name)?.trim().toLowerCase();
    if (id !== undefined && UUID.test(id)) return id;
  }
  return cardOfLink(userAttribute(cell, 'link'), publicUrl);
}

/** The id of the card of a link of this service; undefined for all other links. */
export function cardOfLink(link: string | undefined, publicUrl: PublicUrl): string | undefined {
  const target = link?.trim();
  if (target === undefined || target === '') return undefined;
  const isOwn = target.startsWith('/api/v1/cards/') || (publicUrl !== undefined && target.startsWith(`${publicUrl}/`));
  return isOwn ? CARD_PATH.exec(target.toLowerCase())?.[1] : undefined;
}

/** The cells of a page by id; of several with one id the first. */
export function cellsById(page: DrawioPage): Map<string, DrawioCell> {
  const found = new Map<string, DrawioCell>();
  for (const cell of page.cells) if (cell.id !== '' && !found.has(cell.id)) found.set(cell.id, cell);
  return found;
}

/**
 * Finds the nearest of a cell and those around it that is in a set; parents that form a cycle are visited once. Each cell is visited
 * once by all calls together, because thousands of cells may be inside each other.
 * @param isWanted by the id of a cell; it answers the same in all calls
 */
export function nearestIn(
  cells: ReadonlyMap<string, DrawioCell>,
  isWanted: (id: string) => boolean,
): (id: string | undefined) => string | undefined {
  const known = new Map<string, string | undefined>();
  return (id) => {
    const way: string[] = [];
    const seen = new Set<string>();
    let at = id;
    while (at !== undefined && !known.has(at) && !seen.has(at) && !isWanted(at)) {
      way.push(at);
      seen.add(at);
      at = cells.get(at)?.parent;
    }
    const found = at === undefined || seen.has(at) ? undefined : known.has(at) ? known.get(at) : at;
    for (const one of way) known.set(one, found);
    return found;
  };
}

function shapesOf({ cells }: DrawioPage, page: number, publicUrl: PublicUrl): FoundShape[] {
  return cells.flatMap((cell, at): FoundShape[] => {
    const card = cardOf(cell, publicUrl);
    if (card === undefined) return [];
    const fill = styleValue(cell.style, 'fillColor')?.trim().toLowerCase() ?? null;
    return [{ page, at, cell: cell.id, card, text: textOf(cell).slice(0, MOST_TEXT), fill }];
  });
}

/** The text of an edge: its own, or else the first of the labels that are cells of their own. @returns it with the index of its cell */
function edgeText(
  { cells }: DrawioPage,
  edge: number,
  labels: ReadonlyMap<string, number[]>,
): { label: string; at: number } {
  for (const at of [edge, ...(labels.get(cells[edge]!.id) ?? [])]) {
    // A character that the cut divides would not be stored by the database.
    const label = textOf(cells[at]!).slice(0, MOST_LABEL).toWellFormed();
    if (label !== '') return { label, at };
  }
  return { label: '', at: edge };
}

/** The cards of several cells; null: all of the file. */
export function cardsOfOwners(all: readonly (Owners | undefined)[]): string[] | null {
  if (all.some((owners) => owners && isOfAll(owners))) return null;
  return [...new Set(all.flatMap((owners) => [...(owners ?? [])]))];
}

function linksOf(
  page: DrawioPage,
  number: number,
  shapes: readonly Pick<FoundShape, 'cell' | 'card'>[],
  owners: ReadonlyMap<number, Owners>,
): CardLink[] {
  const cells = cellsById(page);
  const cards = new Map(shapes.map(({ cell, card }) => [cell, card]));
  const shapeOf = nearestIn(cells, (id) => cards.has(id));
  const labels = new Map<string, number[]>();
  for (const [at, cell] of page.cells.entries()) {
    if (!cell.vertex || cell.parent === undefined) continue;
    const beside = labels.get(cell.parent);
    if (beside) beside.push(at);
    else labels.set(cell.parent, [at]);
  }
  return page.cells.flatMap((edge, at): CardLink[] => {
    if (!edge.edge) return [];
    const [source, target] = [shapeOf(edge.source), shapeOf(edge.target)];
    if (source === undefined || target === undefined || source === target) return [];
    const text = edgeText(page, at, labels);
    return [
      {
        page: number,
        cell: edge.id,
        source,
        target,
        relation: userAttribute(edge, 'relationId')?.toLowerCase() ?? null,
        type: userAttribute(edge, 'relationType') ?? null,
        label: text.label,
        cards: cardsOfOwners([owners.get(at), owners.get(text.at)]),
      },
    ];
  });
}

/** The edges between shapes of cards. @param owners the cards of cells, for each page by index */
export function findCardLinks(
  file: DrawioFile,
  shapes: readonly Pick<FoundShape, 'page' | 'cell' | 'card'>[],
  owners: readonly ReadonlyMap<number, Owners>[],
): CardLink[] {
  const links = file.pages.flatMap((page, i) =>
    linksOf(
      page,
      i,
      shapes.filter((shape) => shape.page === i),
      owners[i]!,
    ),
  );
  let cards = 0;
  return links.map((link) => {
    cards += link.cards?.length ?? 0;
    return cards > MOST_CARDS ? { ...link, cards: null } : link;
  });
}

/** The shapes that refer to cards, and the pages of a file. */
export function findCardShapes(file: DrawioFile, publicUrl: PublicUrl): { shapes: FoundShape[]; pages: StoredPage[] } {
  const perPage = file.pages.map((page, i) => shapesOf(page, i, publicUrl));
  return {
    shapes: perPage.flat(),
    pages: file.pages.map(({ id, name, cells }, i) => ({
      id,
      name,
      cells: cells.filter(({ vertex, edge }) => vertex || edge).length,
      shapes: perPage[i]!.length,
    })),
  };
}

/** Places of shapes, by page and index of the cell. */
export const byPlace = <T extends { page: number; at: number }>(shapes: readonly T[]): Map<string, T> =>
  new Map(shapes.map((shape) => [placeOf(shape.page, shape.at), shape]));
