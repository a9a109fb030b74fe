import { Readable } from 'node:stream';
import { Archive } from './archive.js';
import { Hyperlinks } from './links.js';
import { sheetNames } from './names.js';
import {
  contentTypes,
  ROOT_RELATIONSHIPS,
  STYLES_XML,
  workbook,
  workbookRelationships,
  type WrittenSheet,
} from './parts.js';
import { sheetXml } from './sheet.js';
import { XLSX_MAX_COLUMNS, type XlsxSheet } from './types.js';

export {
  XLSX_MAX_COLUMNS,
  XLSX_MAX_ROWS,
  XLSX_MEDIA,
  type XlsxColumn,
  type XlsxKind,
  type XlsxLink,
  type XlsxSheet,
  type XlsxValue,
} from './types.js';

/**
 * A workbook in the format XLSX, written while it is read, so that its size does not determine the memory used. Each
 * sheet has a bold header that stays visible, and a filter. No cell is a formula: a text that begins with `=` remains text.
 * @param sheets at least one; their rows are read one sheet after the other
 * @returns the bytes of the file. The stream fails with the error of `rows`, and with a RangeError where a sheet gets more
 *   rows than `XLSX_MAX_ROWS` or more than 4 GiB of XML; destroying it ends the reading of the rows
 * @throws RangeError for no sheet, a sheet without columns, and a sheet with more than `XLSX_MAX_COLUMNS`
 */
export function xlsx(sheets: readonly XlsxSheet[]): Readable {
  if (sheets.length === 0) throw new RangeError('a workbook has at least one sheet');
  for (const { name, columns } of sheets)
    if (columns.length === 0 || columns.length > XLSX_MAX_COLUMNS)
      throw new RangeError(`the sheet ${name} has ${columns.length} columns, not 1 to ${XLSX_MAX_COLUMNS}`);
  return Readable.from(written(sheets), { objectMode: false });
}

function* whole(text: string): Generator<string, void> {
  yield text;
}

async function* written(sheets: readonly XlsxSheet[]): AsyncGenerator<Uint8Array> {
  const { Zip } = await import('fflate');
  const archive = new Archive(Zip);
  yield* archive.file('[Content_Types].xml', whole(contentTypes(sheets.length)));
  yield* archive.file('_rels/.rels', whole(ROOT_RELATIONSHIPS));
  yield* archive.file('xl/styles.xml', whole(STYLES_XML));
  yield* archive.file('xl/_rels/workbook.xml.rels', whole(workbookRelationships(sheets.length)));
  const names = sheetNames(sheets.map(({ name }) => name));
  const done: WrittenSheet[] = [];
  for (const [i, sheet] of sheets.entries()) {
    const links = new Hyperlinks();
    const path = `xl/worksheets/sheet${i + 1}.xml`;
    done.push({ name: names[i]!, range: yield* archive.file(path, sheetXml(sheet, links, i === 0)) });
    if (!links.isEmpty) yield* archive.file(`xl/worksheets/_rels/sheet${i + 1}.xml.rels`, links.relationships());
  }
  // The ranges of the filters are known only after the rows.
  yield* archive.file('xl/workbook.xml', whole(workbook(done)));
  yield* archive.end();
}
