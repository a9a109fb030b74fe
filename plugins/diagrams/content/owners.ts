/** To which cards the content of cells belongs, by the shapes of cards, their connections and what is recorded of single cells. */
import type { DrawioCell, DrawioPage } from '../drawio/model.js';
import { placeOf, type CardShape, type StoredOwners } from './stored.js';

/**
 * Cards of one cell. A cell with more, as only lines within lines can have, counts as one of all cards of the file; its set then
 * has one card more than this.
 */
export const MOST_OWNERS = 50;

/** The cards to which the content of a cell belongs. */
export type Owners = ReadonlySet<string>;

/** Whether a cell belongs to more cards than its set has. */
export const isOfAll = (owners: Owners): boolean => owners.size > MOST_OWNERS;

/** Shapes and records of a version, by page and index of the cell. */
export interface OwnerRecords {
  shapes: ReadonlyMap<string, Pick<CardShape, 'card'>>;
  held: ReadonlyMap<string, { cards: readonly string[] }>;
}

export const recordsOf = ({ shapes, held }: StoredOwners): OwnerRecords => ({
  shapes: new Map(shapes.map((shape) => [placeOf(shape.page, shape.at), shape])),
  held: new Map(held.map((cell) => [placeOf(cell.page, cell.at), cell])),
});

/** Passes cards from cells to those within them, except to shapes of other cards. Cells with one id are one parent. */
class Spreading {
  readonly sets = new Map<number, Set<string>>();
  private readonly byId = new Map<string, Set<string>>();
  private readonly inner = new Map<string, number[]>();
  private open: string[] = [];

  constructor(
    private readonly cells: readonly DrawioCell[],
    isShape: (at: number) => boolean,
  ) {
    cells.forEach(({ parent }, at) => {
      if (parent === undefined || parent === '' || isShape(at)) return;
      const beside = this.inner.get(parent);
      if (beside) beside.push(at);
      else this.inner.set(parent, [at]);
    });
  }

  /** The cards of the cells with an id. */
  of(id: string | undefined): Owners | undefined {
    return id === undefined ? undefined : this.byId.get(id);
  }

  add(at: number, cards: Iterable<string>): void {
    if (!grown(this.sets, at, cards)) return;
    const { id } = this.cells[at]!;
    if (id !== '' && grown(this.byId, id, this.sets.get(at)!)) this.open.push(id);
  }

  /** Each cell is visited at most once for each card that it gets, parents that form a cycle included. */
  run(): void {
    for (let i = 0; i < this.open.length; i++) {
      const id = this.open[i]!;
      for (const at of this.inner.get(id) ?? []) this.add(at, this.byId.get(id)!);
    }
    this.open = [];
  }
}

/** Adds to the set of a key. @returns whether it is larger than before */
function grown<K>(sets: Map<K, Set<string>>, key: K, cards: Iterable<string>): boolean {
  const set = sets.get(key) ?? new Set<string>();
  const before = set.size;
  for (const card of cards) {
    if (isOfAll(set)) break;
    set.add(card);
  }
  if (before === 0 && set.size > 0) sets.set(key, set);
  return set.size > before;
}

/**
 * The cards to which the content of the cells of a page belongs, by index of the cell; cells of no card are left out. A shape belongs
 * to its card; other cells to the cards of what they are in, and lines to those of the cells that they connect. Cards recorded for a
 * cell are added to these.
 */
export function ownersOfPage(page: DrawioPage, number: number, { shapes, held }: OwnerRecords): Map<number, Owners> {
  if (shapes.size + held.size === 0) return new Map();
  const shapeAt = (at: number) => shapes.get(placeOf(number, at));
  const spreading = new Spreading(page.cells, (at) => shapeAt(at) !== undefined);
  page.cells.forEach((_, at) => {
    const [shape, record] = [shapeAt(at), held.get(placeOf(number, at))];
    if (shape) spreading.add(at, [shape.card]);
    if (record) spreading.add(at, record.cards);
  });
  spreading.run();
  const ends = page.cells.flatMap(({ edge, source, target }, at) =>
    edge && shapeAt(at) === undefined
      ? [{ at, cards: [...(spreading.of(source) ?? []), ...(spreading.of(target) ?? [])] }]
      : [],
  );
  for (const { at, cards } of ends) spreading.add(at, cards);
  spreading.run();
  return spreading.sets;
}

/** The cards of shapes and records, each once. */
export const cardsOfContent = ({ shapes, held }: StoredOwners): string[] => [
  ...new Set([...shapes.map(({ card }) => card), ...held.flatMap(({ cards }) => cards)]),
];
