import { depthFirst, type Placed } from '../hierarchy.js';
import type { HeaderRow, MatrixRow } from './matrix-repository.js';

/** A row or column that is shown. */
export interface Header extends Placed {
  name: string;
  level: number;
  parent: string | null;
  count: number;
  /** Decimal text. */
  sum: string | null;
  /** Whether it has relations of its own, or was asked for without; otherwise it is only above one that has. */
  isCounted: boolean;
}

/**
 * Chooses the rows or columns that are shown: those with the most relations, each with the cards above it.
 * @param figures of one side, those with the most relations first
 * @param cards of the side by id, with those above them
 * @param most maximum number
 * @returns in the order of the hierarchy, and whether some were left out
 */
export function headersOf(
  figures: readonly MatrixRow[],
  idOf: (row: MatrixRow) => string,
  cards: readonly HeaderRow[],
  most: number,
): { headers: Header[]; isCut: boolean } {
  const byId = new Map(cards.map((card) => [card.id, card]));
  const counted = new Map(figures.map((row) => [idOf(row), row]));
  const shown = new Set<string>();
  let isCut = false;
  for (const id of counted.keys()) {
    const card = byId.get(id);
    if (!card) continue;
    const needed = [...card.path.filter((above) => byId.has(above)), id].filter((one) => !shown.has(one));
    if (shown.size + needed.length <= most) needed.forEach((one) => shown.add(one));
    else isCut = true;
  }
  const headers = depthFirst([...shown].map((id) => byId.get(id)!)).map(({ card, parent }) => {
    const row = counted.get(card.id);
    return {
      ...card,
      // Cards of other types above, and hidden ones, are no levels.
      level: card.path.filter((above) => byId.has(above)).length + 1,
      parent,
      count: row?.count ?? 0,
      sum: row?.sum ?? null,
      isCounted: row !== undefined,
    };
  });
  return { headers, isCut };
}
