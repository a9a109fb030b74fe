/** Keeps what the user who saves a file does not see of it. */
import { isDeepStrictEqual } from 'node:util';
import {
  geometryOf,
  newCell,
  newGeometry,
  type DrawioCell,
  type DrawioFile,
  type DrawioPage,
} from '../drawio/model.js';
import { xmlElement } from '../drawio/xml.js';
import { cellsById, nearestIn } from './card-shapes.js';
import { maskedGeometry, maskedOf, ownedCells, type OwnedCell } from './masking.js';
import type { StoredContent } from './orders.js';
import { pagesFor } from './page-matching.js';
import { hasStandIns, resolveIds } from './stand-ins.js';
import { placeOf, type CardShape, type HeldCell, type MaskKind } from './stored.js';

type CellRecord = Pick<HeldCell, 'kind' | 'cards'>;

/** What is known of cells of a file that is saved. */
export interface KeptCells {
  /** Shapes of cards as they are in the stored file. */
  shapes: Map<DrawioCell, CardShape>;
  /** Cells whose content the user does not see, or did not see when it was last saved. */
  held: Map<DrawioCell, CellRecord>;
  /** Lines that were removed without being seen. */
  gone: { page: DrawioPage; cell: string; kind: MaskKind; cards: readonly string[] }[];
}

/** Removed lines of a file that are recorded; further ones are not removed. */
const MOST_GONE = 1_000;

/** A page with the layers of a stored page and nothing else. */
const emptied = (page: DrawioPage): DrawioPage => ({
  ...page,
  cells: page.cells.filter(({ vertex, edge }) => !vertex && !edge),
});

/** The geometry that was saved, with what is stored besides and was not shown. */
function restoredGeometry(saved: DrawioCell, stored: DrawioCell): DrawioCell['geometry'] {
  if (!saved.geometry || !stored.geometry) return stored.geometry;
  const now = geometryOf(saved);
  if (isDeepStrictEqual(now, geometryOf({ ...stored, geometry: maskedGeometry(stored) }))) return stored.geometry;
  const { attributes, children } = newGeometry(now);
  const shown = new Set(['x', 'y', 'width', 'height', 'relative']);
  return xmlElement(
    'mxGeometry',
    [...[...stored.geometry.attributes].filter(([name]) => !shown.has(name)), ...attributes],
    [...children, ...stored.geometry.children.filter(({ name }) => name !== 'mxPoint' && name !== 'Array')],
  );
}

/** All of a cell that the user did not see is the stored one; its place and connections are those that were saved. */
function restore(saved: DrawioCell, stored: DrawioCell): void {
  const { label, wrapper, style, children, attributes, vertex, edge } = stored;
  const geometry = restoredGeometry(saved, stored);
  Object.assign(saved, { label, wrapper, style, children, attributes, vertex, edge, geometry });
}

/** The layer for cells whose parent is not there. A page without one gets one. */
function layerOf(page: DrawioPage): string {
  const layer = page.cells.find(
    ({ id, parent, vertex, edge }) => id !== '' && parent !== undefined && !vertex && !edge,
  );
  if (layer) return layer.id;
  let root = page.cells.find(({ id, parent, vertex, edge }) => id !== '' && parent === undefined && !vertex && !edge);
  const ids = new Set(page.cells.map(({ id }) => id));
  const free = (wanted: string): string => {
    let id = wanted;
    while (ids.has(id)) id = `layer-${id}`;
    return id;
  };
  if (!root) {
    root = newCell({ id: free('0') });
    page.cells.unshift(root);
  }
  const made = newCell({ id: free('1'), parent: root.id });
  page.cells.splice(page.cells.indexOf(root) + 1, 0, made);
  return made.id;
}

/** Puts cells that could not be drawn, because what they are in is missing or within themselves, into a layer. */
function placeAgain(page: DrawioPage, kept: ReadonlyMap<DrawioCell, DrawioCell>): void {
  const cells = cellsById(page);
  const isRoot = (id: string): boolean => cells.has(id) && cells.get(id)!.parent === undefined;
  const rootOf = nearestIn(cells, isRoot);
  const isPlaced = (parent: string | undefined): boolean => rootOf(parent) !== undefined;
  // Cells within one that was placed again stay in it.
  const again = new Set<string>();
  const isGood = (parent: string | undefined): boolean =>
    isPlaced(parent) || (parent !== undefined && again.has(parent));
  let layer: string | undefined;
  for (const [cell, stored] of kept) {
    if (stored.parent === undefined) continue;
    if (isPlaced(cell.parent)) continue;
    if (!isGood(cell.parent)) cell.parent = isGood(stored.parent) ? stored.parent : (layer ??= layerOf(page));
    again.add(cell.id);
  }
}

/** The cells of a saved page that are cells of the stored one by their ids, by index. @param isFree whether a stored one has no other */
function withSameIds(
  page: DrawioPage,
  stored: DrawioPage,
  taken: ReadonlySet<DrawioCell>,
  isFree: (at: number) => boolean,
): Map<number, DrawioCell> {
  const free = new Map<string, DrawioCell[]>();
  for (const cell of page.cells) {
    if (taken.has(cell)) continue;
    const beside = free.get(cell.id);
    if (beside) beside.push(cell);
    else free.set(cell.id, [cell]);
  }
  const found = new Map<number, DrawioCell>();
  const used = new Map<string, number>();
  stored.cells.forEach(({ id }, at) => {
    if (!isFree(at)) return;
    const next = used.get(id) ?? 0;
    const cell = free.get(id)?.[next];
    if (!cell) return;
    used.set(id, next + 1);
    found.set(at, cell);
  });
  return found;
}

/**
 * Gives new cells of a page other ids than hidden ones have: editors give cells new ids of which another has the same, and the hidden
 * ones are known by theirs.
 */
function setApart(page: DrawioPage, known: ReadonlySet<DrawioCell>, hidden: ReadonlySet<string>): void {
  const ids = new Set(page.cells.map(({ id }) => id));
  let number = 2;
  for (const cell of page.cells) {
    if (cell.id === '' || known.has(cell) || !hidden.has(cell.id)) continue;
    while (ids.has(`${cell.id}-${number}`)) number++;
    cell.id = `${cell.id}-${number}`;
    ids.add(cell.id);
  }
}

interface StoredPageContent {
  page: DrawioPage;
  number: number;
  owned: ReadonlyMap<number, OwnedCell>;
  masked: ReadonlyMap<number, OwnedCell>;
}

/** Puts what the user does not see back into pages that are saved. */
class Keeping {
  readonly kept: KeptCells = { shapes: new Map(), held: new Map(), gone: [] };
  private readonly shapes: ReadonlyMap<string, CardShape>;
  private readonly held: ReadonlyMap<string, HeldCell>;

  constructor(
    private readonly before: StoredContent,
    private readonly isWithStandIns: boolean,
    private readonly deleted: ReadonlySet<string>,
  ) {
    this.shapes = new Map(before.shapes.map((shape) => [placeOf(shape.page, shape.at), shape]));
    this.held = new Map(before.held.map((cell) => [placeOf(cell.page, cell.at), cell]));
  }

  page(page: DrawioPage, { page: stored, number, owned, masked }: StoredPageContent): void {
    const standIns = this.isWithStandIns ? resolveIds(page, stored, this.before.key) : new Map<number, DrawioCell>();
    const taken = new Set(standIns.values());
    const others = withSameIds(page, stored, taken, (at) => !standIns.has(at));
    const cells = new Map([...standIns, ...others]);
    // A cell that the user sees may be in a file together with one that was masked: both have content of the same cards.
    if (standIns.size > 0)
      for (const [at, twin] of withSameIds(page, stored, taken, () => true)) {
        const one = standIns.has(at) && !masked.has(at) ? owned.get(at) : undefined;
        if (one) this.kept.held.set(twin, { kind: one.kind, cards: [...one.owners] });
      }
    const restored = new Map<DrawioCell, DrawioCell>();
    stored.cells.forEach((cell, at) => {
      const saved = cells.get(at);
      const place = placeOf(number, at);
      // Content that was masked when the file was read was saved without being seen, although the user may see it now.
      if (!masked.has(at) && !standIns.has(at)) {
        const record = this.recordOf(this.held.get(place), owned.get(at));
        if (saved && record) this.kept.held.set(saved, record);
        return;
      }
      const unseen = owned.get(at);
      // A line to a hidden card may be removed, as it was shown; the card itself may not.
      if (!saved && unseen?.kind === 'edge' && this.kept.gone.length < MOST_GONE) {
        this.kept.gone.push({ page, cell: cell.id, kind: unseen.kind, cards: [...unseen.owners] });
        return;
      }
      const own = saved ?? newCell(cell);
      if (saved) restore(saved, cell);
      else {
        own.wrapper = cell.wrapper;
        page.cells.push(own);
      }
      restored.set(own, cell);
      const shape = this.shapes.get(place);
      if (shape) this.kept.shapes.set(own, shape);
      if (unseen) this.kept.held.set(own, { kind: unseen.kind, cards: [...unseen.owners] });
    });
    const known = new Set([...cells.values(), ...restored.keys()]);
    this.keepGone(page, number, known);
    setApart(page, known, new Set([...restored.keys()].map(({ id }) => id)));
    placeAgain(page, restored);
  }

  /** What is recorded of a cell that the user sees. A file does not name deleted cards, whose content stays hidden from those who did not see it. */
  private recordOf(record: HeldCell | undefined, unseen: OwnedCell | undefined): CellRecord | undefined {
    const deleted = [...(unseen?.owners ?? [])].filter((card) => this.deleted.has(card));
    if (!unseen || deleted.length === 0) return record;
    return { kind: unseen.kind, cards: [...new Set([...(record?.cards ?? []), ...deleted])] };
  }

  /** A removed line that is saved again, by a user who has an earlier version of the file, still belongs to its cards. */
  private keepGone(page: DrawioPage, number: number, known: ReadonlySet<DrawioCell>): void {
    const gone = this.before.held.filter((one) => one.page === number && one.at < 0);
    if (gone.length === 0) return;
    const added = new Map(page.cells.filter((cell) => !known.has(cell)).map((cell) => [cell.id, cell]));
    for (const { cell = '', kind, cards } of gone) {
      const again = added.get(cell);
      if (again) this.kept.held.set(again, { kind, cards });
      else this.kept.gone.push({ page, cell, kind, cards });
    }
  }
}

/**
 * Puts the content of cells that the user does not see back into a file that the user saves. A shape of a hidden card that is missing
 * in the file is added again. The content of each of these cells stays recorded as that of the cards that it belonged to.
 * @param saved is changed
 * @param stored the file of the version before, and what is stored with it
 * @param hidden cards that the user does not see
 * @param deleted cards that do not exist any more
 */
export function keepHidden(
  saved: DrawioFile,
  stored: DrawioFile,
  before: StoredContent,
  hidden: ReadonlySet<string>,
  deleted: ReadonlySet<string>,
): KeptCells {
  const owned = ownedCells(stored, before);
  const masked = maskedOf(owned, before, (card) => hidden.has(card));
  const keeping = new Keeping(before, hasStandIns(saved), deleted);
  const pages = pagesFor(saved, stored);
  stored.pages.forEach((page, number) => {
    let target = pages[number];
    if (!target) {
      if (masked[number]!.size === 0) return;
      target = emptied(page);
      saved.pages.push(target);
    }
    // Hidden cells are known by their ids and that of their page, also in files that other users have read before.
    if (masked[number]!.size > 0 && page.id !== '') target.id = page.id;
    keeping.page(target, { page, number, owned: owned[number]!, masked: masked[number]! });
  });
  return keeping.kept;
}
