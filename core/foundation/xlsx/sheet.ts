import { cellXml, columnName, textCell } from './cells.js';
import type { Hyperlinks } from './links.js';
import { sheetHead, STYLES } from './parts.js';
import { XLSX_MAX_ROWS, type XlsxColumn, type XlsxKind, type XlsxSheet } from './types.js';

/** Number of characters that are passed on together. */
const PIECE = 65_536;
/** Widths in characters; text is seldom longer than its header and shorter than a line. */
const WIDTHS: Readonly<Record<XlsxKind, number>> = { text: 28, number: 14, date: 20, boolean: 10, link: 28 };
/** Space for the arrow of the filter. */
const ARROW = 3;
const [WIDEST_HEADER, WIDEST] = [60, 255];

function widthOf({ header, kind, width }: XlsxColumn): number {
  if (width !== undefined) return Math.min(Math.max(width, 1), WIDEST);
  return Math.max(WIDTHS[kind], Math.min(header.length, WIDEST_HEADER) + ARROW);
}

/**
 * The XML of a sheet in pieces, row by row.
 * @param links takes the links of the sheet, whose addresses are in another part
 * @returns the range of the cells
 * @throws RangeError where there are more rows than a sheet can have
 */
export async function* sheetXml(
  { columns, rows }: XlsxSheet,
  links: Hyperlinks,
  isFirst: boolean,
): AsyncGenerator<string, string> {
  const letters = columns.map((_, i) => columnName(i));
  const widths = columns.map(
    (column, i) => `<col min="${i + 1}" max="${i + 1}" width="${widthOf(column)}" customWidth="1"/>`,
  );
  const header = columns.map(({ header: text }, i) => textCell(`${letters[i]}1`, text, STYLES.header));
  let piece = `${sheetHead(widths.join(''), isFirst)}<row r="1">${header.join('')}</row>`;
  let row = 1;
  for await (const values of rows) {
    if (row > XLSX_MAX_ROWS) throw new RangeError(`a sheet has at most ${XLSX_MAX_ROWS} rows`);
    row++;
    piece += `<row r="${row}">`;
    for (let i = 0; i < columns.length; i++)
      piece += cellXml(`${letters[i]}${row}`, columns[i]!.kind, values[i], links);
    piece += '</row>';
    if (piece.length >= PIECE) {
      yield piece;
      piece = '';
    }
  }
  const last = letters.at(-1)!;
  yield `${piece}</sheetData><autoFilter ref="A1:${last}${row}"/>`;
  yield* links.elements();
  yield '</worksheet>';
  return `$A$1:$${last}$${row}`;
}
