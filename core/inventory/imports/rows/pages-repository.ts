import type { UnitOfWork } from '../../../foundation/db/unit-of-work.js';
import { ImportGone, type StagedCard, type StagedRelation } from '../types.js';

const INSERT = {
  name: 'import-page-insert',
  text: 'insert into import_pages (import_id, n, rows) values ($1, $2, $3)',
};
const PAGE = { name: 'import-page', text: 'select rows from import_pages where import_id = $1 and n = $2' };
const CLEAR = { name: 'import-pages-clear', text: 'delete from import_pages where import_id = $1' };

/** Separates rows within a page: JSON has no line breaks in its strings. */
export const BETWEEN = ',\n';

/** Rows of one level that are processed in one step: their page, and their places in it. */
export type CardChunk = readonly { page: number; places: readonly number[] }[];

/** Stores rows until they have verdicts. @param rows the JSON of each, with `BETWEEN` between them */
export async function insertPage(uow: UnitOfWork, importId: string, n: number, rows: string): Promise<void> {
  await uow.query(INSERT, [importId, n, rows]);
}

/** @throws ImportGone: a page remains until its import is deleted, or read again by another attempt */
async function readText(uow: UnitOfWork, importId: string, n: number): Promise<string> {
  const [page] = await uow.query<{ rows: string }>(PAGE, [importId, n]);
  if (!page) throw new ImportGone();
  return page.rows;
}

/** The rows of a page with relations. */
export async function readRelations(uow: UnitOfWork, importId: string, page: number): Promise<StagedRelation[]> {
  return JSON.parse(`[${await readText(uow, importId, page)}]`) as StagedRelation[];
}

/** The rows of a chunk, in the order of the file. */
export async function readCards(uow: UnitOfWork, importId: string, chunk: CardChunk): Promise<StagedCard[]> {
  const rows: StagedCard[] = [];
  for (const { page, places } of chunk) {
    const texts = (await readText(uow, importId, page)).split(BETWEEN);
    rows.push(...(JSON.parse(`[${places.map((place) => texts[place]!).join()}]`) as StagedCard[]));
  }
  return rows;
}

export async function clearPages(uow: UnitOfWork, importId: string): Promise<void> {
  await uow.query(CLEAR, [importId]);
}
