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
/** Where there is room, words get so much more: the reader may have another font, and titles are bold. */
const RESERVE = 1.1;

const WIDE = /[mwMW@%\u2014]/g;
const CAPITAL = /[A-LN-VX-Z]/g;
/** The width of a text, in average characters. */
const lengthOf = (text: string): number =>
  text.length + 0.6 * (text.match(WIDE)?.length ?? 0) + 0.3 * (text.match(CAPITAL)?.length ?? 0);
/** Where a line may break; in a number such as `R-000001` it should not. */
const BREAKS = /[ \n]|-(?!\d)/;

/**
 * Divides a width among columns: first each one gets the width of its longest word, then what is left goes to those whose
 * texts need more. Where there is no room for all words, the longest ones are broken.
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
      whole[column] = Math.max(whole[column]!, Math.min(LONGEST_TEXT, lengthOf(text)));
      for (const word of text.split(BREAKS))
        words[column] = Math.max(words[column]!, Math.min(LONGEST_WORD, lengthOf(word)));
    }
  const widthsOf = (lengths: readonly number[], factor = 1): number[] =>
    lengths.map((length) => length * character * factor + CELL_MARGINS);
  const narrow = widthsOf(words);
  if (sumOf(narrow) >= total) return rounded(capped(narrow, total), total);
  const roomy = widthsOf(words, RESERVE);
  const least = sumOf(roomy) < total ? roomy : narrow;
  const more = widthsOf(whole).map((width, column) => Math.max(0, width - least[column]!));
  const wanted = sumOf(more);
  const left = total - sumOf(least);
  return rounded(
    least.map((width, column) =>
      wanted === 0 ? (width / (total - left)) * total : width + (more[column]! / wanted) * left,
    ),
    total,
  );
}

const sumOf = (widths: readonly number[]): number => widths.reduce((all, width) => all + width, 0);

/** The widths with an upper bound for all, by which their sum is `total`; that of `widths` is not less. */
function capped(widths: readonly number[], total: number): number[] {
  let left = total;
  let bound = Infinity;
  const ascending = widths.toSorted((a, b) => a - b);
  for (const [index, width] of ascending.entries()) {
    const share = left / (ascending.length - index);
    if (width > share) {
      bound = share;
      break;
    }
    left -= width;
  }
  return widths.map((width) => Math.min(width, bound));
}

function rounded(widths: readonly number[], total: number): number[] {
  const whole = widths.map((width) => Math.max(1, Math.floor(width)));
  whole[whole.length - 1]! += total - sumOf(whole);
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
  const total = sumOf(widths);
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
      const width = sumOf(widths);
      yield row([cell({ width, content: paragraph(style, run(words.noRows, FAINT)), span: columns.length })]);
    }
    if (footer) yield rowOf(footer, BOLD, FOOTER_FILL);
    yield '</w:tbl>';
  }
  // Without a paragraph between them, Word joins two tables.
  yield paragraph('TableNote', table.note === undefined ? '' : run(cleanLine(table.note)));
}
