/** Tables whose columns are as wide as their content asks for, within the width of the page. */
import type { RenderedTable } from '../model.js';
import { cellText } from '../text/cells.js';
import { cleanLine } from '../text/clean.js';
import type { Words } from '../words.js';
import { textWidth, type Direction } from './page.js';
import { paragraph, run } from './xml.js';

/** Tables with more columns than this stand on pages across. */
const MOST_UPRIGHT = 7;
/** Rows by which the widths of columns are determined. */
const MEASURED_ROWS = 200;

/** The direction of the page that a table needs. */
export const directionOf = (table: RenderedTable): Direction =>
  table.columns.length > MOST_UPRIGHT ? 'landscape' : 'portrait';

/** The style of the text of cells, and the width of its average character in twentieths of a point. */
export const looks = (columns: number): { style: string; character: number } => {
  if (columns <= 5) return { style: 'TableText', character: 98 };
  return columns <= 9 ? { style: 'TableTextSmall', character: 88 } : { style: 'TableTextTiny', character: 77 };
};

/** Characters beyond which a column is not made wider for one word, and for a whole text. */
const LONGEST_WORD = 22;
const LONGEST_TEXT = 60;
/** The margins of a cell, to the left and to the right. */
const CELL_MARGINS = 180;

/**
 * Divides a width among columns: first each one gets the width of its longest word, then what is left goes to those whose
 * texts need more.
 * @param texts the texts of each row
 * @returns widths in twentieths of a point, whose sum is `total`
 */
export function columnWidths(texts: readonly (readonly string[])[], columns: number, total: number): number[] {
  const { character } = looks(columns);
  const words = Array<number>(columns).fill(3);
  const whole = Array<number>(columns).fill(3);
  for (const row of texts)
    for (let column = 0; column < columns; column++) {
      const text = (row[column] ?? '').slice(0, 500);
      whole[column] = Math.max(whole[column]!, Math.min(LONGEST_TEXT, text.length));
      for (const word of text.split(/[ \n-]/))
        words[column] = Math.max(words[column]!, Math.min(LONGEST_WORD, word.length));
    }
  const least = words.map((length) => length * character + CELL_MARGINS);
  const sum = least.reduce((all, width) => all + width, 0);
  if (sum >= total) return rounded(least, total / sum, total);
  const more = whole.map((length, column) => Math.max(0, length * character + CELL_MARGINS - least[column]!));
  const wanted = more.reduce((all, width) => all + width, 0);
  if (wanted === 0) return rounded(least, total / sum, total);
  return rounded(
    least.map((width, column) => width + (more[column]! / wanted) * (total - sum)),
    1,
    total,
  );
}

function rounded(widths: readonly number[], factor: number, total: number): number[] {
  const whole = widths.map((width) => Math.max(1, Math.floor(width * factor)));
  whole[whole.length - 1]! += total - whole.reduce((all, width) => all + width, 0);
  return whole;
}

/** A cell of a table. */
export interface WordCell {
  width: number;
  /** Paragraphs; Word asks for one at least. */
  content: string;
  /** Color of the background. */
  fill?: string;
  /** Columns that the cell takes. */
  span?: number;
}

export function cell({ width, content, fill, span }: WordCell): string {
  const properties = [
    `<w:tcW w:w="${width}" w:type="dxa"/>`,
    span === undefined ? '' : `<w:gridSpan w:val="${span}"/>`,
    fill === undefined ? '' : `<w:shd w:val="clear" w:color="auto" w:fill="${fill}"/>`,
  ].join('');
  return `<w:tc><w:tcPr>${properties}</w:tcPr>${content}</w:tc>`;
}

/** @param isHeader whether the row is repeated at the top of each page */
export const row = (cells: readonly string[], isHeader = false): string =>
  `<w:tr><w:trPr><w:cantSplit/>${isHeader ? '<w:tblHeader/>' : ''}</w:trPr>${cells.join('')}</w:tr>`;

/** The beginning of a table, before its rows. @param hasBorders and a header row */
export function tableStart(widths: readonly number[], hasBorders = true): string {
  const total = widths.reduce((all, width) => all + width, 0);
  return [
    '<w:tbl><w:tblPr>',
    `<w:tblStyle w:val="${hasBorders ? 'TableGrid' : 'TableNormal'}"/><w:tblW w:w="${total}" w:type="dxa"/>${hasBorders ? '' : '<w:tblInd w:w="-80" w:type="dxa"/>'}<w:tblLayout w:type="fixed"/>`,
    `<w:tblLook w:val="0420" w:firstRow="${hasBorders ? 1 : 0}" w:lastRow="0" w:firstColumn="0" w:lastColumn="0" w:noHBand="0" w:noVBand="1"/>`,
    `</w:tblPr><w:tblGrid>${widths.map((width) => `<w:gridCol w:w="${width}"/>`).join('')}</w:tblGrid>`,
  ].join('');
}

export const HEADER_FILL = 'DCE4F2';
const FOOTER_FILL = 'F2F2F2';
export const BOLD = '<w:b/><w:bCs/>';
const FAINT = '<w:i/><w:iCs/><w:color w:val="7F7F7F"/>';
const RIGHT = '<w:jc w:val="right"/>';

/** The rows of a table one by one, since a large one has millions of characters. */
export function* tableXml(table: RenderedTable, words: Words): Generator<string> {
  const { columns, rows, footer } = table;
  if (columns.length > 0) {
    const { style } = looks(columns.length);
    const titles = columns.map(({ title }) => cleanLine(title));
    const measured = [...rows.slice(0, MEASURED_ROWS), ...(footer ? [footer] : [])];
    const texts = [titles, ...measured.map((cells) => cells.map((value) => cellText(value, words)))];
    const widths = columnWidths(texts, columns.length, textWidth(directionOf(table)));
    const aligned = columns.map(({ align }) => (align === 'right' ? RIGHT : ''));
    const rowOf = (cells: RenderedTable['rows'][number], look: string, fill?: string): string =>
      row(
        columns.map((_, column) => {
          const value = cells[column];
          const text = cellText(value, words);
          const isWithheld = typeof value === 'object' && value !== null && 'withheld' in value;
          const content = text === '' ? '' : run(text, isWithheld ? FAINT : look);
          return cell({
            width: widths[column]!,
            content: paragraph(style, content, aligned[column]),
            ...(fill !== undefined && { fill }),
          });
        }),
      );
    yield tableStart(widths);
    yield row(
      titles.map((title, column) =>
        cell({
          width: widths[column]!,
          content: paragraph(style, run(title, BOLD), `<w:keepNext/>${aligned[column]}`),
          fill: HEADER_FILL,
        }),
      ),
      true,
    );
    for (const cells of rows) yield rowOf(cells, '');
    if (rows.length === 0) {
      const width = widths.reduce((all, part) => all + part, 0);
      yield row([cell({ width, content: paragraph(style, run(words.noRows, FAINT)), span: columns.length })]);
    }
    if (footer) yield rowOf(footer, BOLD, FOOTER_FILL);
    yield '</w:tbl>';
  }
  // Without a paragraph between them, Word joins two tables.
  yield paragraph('TableNote', table.note === undefined ? '' : run(cleanLine(table.note)));
}
