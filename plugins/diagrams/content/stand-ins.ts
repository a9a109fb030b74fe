/**
 * Ids of masked cells. A reader gets an id that only the service can resolve: that of the file may tell something about the card,
 * and by its own id a masked cell is recognised in a file that is saved, by this or another user.
 */
import { createHmac } from 'node:crypto';
import type { DrawioFile, DrawioPage } from '../drawio/model.js';

const STAND_IN = /^hidden-(?=[0-9a-f]{24}$)/;
const REFERENCES = ['parent', 'source', 'target'] as const;

/** For each cell, how many before it in its page have the same id. */
function repetitions({ cells }: DrawioPage): number[] {
  const counts = new Map<string, number>();
  return cells.map(({ id }) => {
    const before = counts.get(id) ?? 0;
    counts.set(id, before + 1);
    return before;
  });
}

const standInId = (key: string, id: string, repetition: number): string =>
  `hidden-${createHmac('sha256', key).update(`${repetition} ${id}`).digest('hex').slice(0, 24)}`;

/** Replaces ids where cells refer to others. */
function refer(page: DrawioPage, ids: ReadonlyMap<string, string>): void {
  for (const cell of page.cells)
    for (const name of REFERENCES) {
      const id = cell[name];
      if (id !== undefined && ids.has(id)) cell[name] = ids.get(id);
    }
}

/** Gives masked cells other ids, also where they are referred to. @param masked by index @param key of the diagram */
export function hideIds(page: DrawioPage, masked: ReadonlyMap<number, unknown>, key: string): void {
  if (masked.size === 0) return;
  const repeated = repetitions(page);
  const [given, others] = [new Map<string, string>(), new Set<string>()];
  page.cells.forEach((cell, at) => {
    if (!masked.has(at)) {
      others.add(cell.id);
      return;
    }
    const { id } = cell;
    cell.id = standInId(key, id, repeated[at]!);
    if (!given.has(id)) given.set(id, cell.id);
  });
  // A reference to an id that a visible cell has too is one to that cell.
  for (const id of others) given.delete(id);
  refer(page, given);
}

/** Whether a file may have cells that were masked when it was read. */
export const hasStandIns = (file: DrawioFile): boolean =>
  file.pages.some(({ cells }) => cells.some(({ id }) => STAND_IN.test(id)));

/**
 * Gives cells of a saved page that were masked their ids in the stored page, also where they are referred to.
 * @returns these cells by index of the stored one; of several with one id the first
 */
export function resolveIds(page: DrawioPage, stored: DrawioPage, key: string): Map<number, DrawioPage['cells'][0]> {
  const repeated = repetitions(stored);
  const places = new Map(stored.cells.map(({ id }, at) => [standInId(key, id, repeated[at]!), at]));
  const found = new Map<number, DrawioPage['cells'][0]>();
  for (const cell of page.cells) {
    const at = places.get(cell.id);
    if (at === undefined || found.has(at)) continue;
    found.set(at, cell);
    cell.id = stored.cells[at]!.id;
  }
  refer(page, new Map([...places].map(([id, at]) => [id, stored.cells[at]!.id])));
  return found;
}

/**
 * Gives cells that were masked, and are none of the stored page, such as copies of them, ids of another form: a stored file has no id
 * by which another cell would be recognised later.
 */
export function renameOthers(file: DrawioFile): void {
  for (const page of file.pages) {
    const given = new Map<string, string>();
    for (const cell of page.cells) {
      if (!STAND_IN.test(cell.id)) continue;
      const { id } = cell;
      cell.id = id.replace(STAND_IN, 'empty-');
      given.set(id, cell.id);
    }
    refer(page, given);
  }
}
