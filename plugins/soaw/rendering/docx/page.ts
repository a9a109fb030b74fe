/** The pages: A4, upright, and across for wide tables. Lengths are in twentieths of a point, as Word has them. */

/** The two directions of a page. */
export type Direction = 'portrait' | 'landscape';

const SHORT = 11_906;
const LONG = 16_838;
/** 20 mm to the left and right. */
const MARGIN = 1_134;

/** The width between the margins. */
export const textWidth = (direction: Direction): number => (direction === 'portrait' ? SHORT : LONG) - 2 * MARGIN;

/** Ids of relationships of headers and footers. */
export const HEADERS: Readonly<Record<Direction, string>> = { portrait: 'rIdHeader1', landscape: 'rIdHeader2' };
export const FOOTERS: Readonly<Record<Direction, string>> = { portrait: 'rIdFooter1', landscape: 'rIdFooter2' };

/** Of the first page. */
export const FIRST_HEADER = 'rIdHeader3';
export const FIRST_FOOTER = 'rIdFooter3';

/** The end of a section of pages. @param hasTitlePage whether its first page has no header and footer */
export function sectionProperties(direction: Direction, hasTitlePage = false): string {
  const size =
    direction === 'portrait'
      ? `<w:pgSz w:w="${SHORT}" w:h="${LONG}"/>`
      : `<w:pgSz w:w="${LONG}" w:h="${SHORT}" w:orient="landscape"/>`;
  return [
    '<w:sectPr>',
    `<w:headerReference w:type="default" r:id="${HEADERS[direction]}"/>`,
    hasTitlePage ? `<w:headerReference w:type="first" r:id="${FIRST_HEADER}"/>` : '',
    `<w:footerReference w:type="default" r:id="${FOOTERS[direction]}"/>`,
    hasTitlePage ? `<w:footerReference w:type="first" r:id="${FIRST_FOOTER}"/>` : '',
    '<w:type w:val="nextPage"/>',
    size,
    `<w:pgMar w:top="1588" w:right="${MARGIN}" w:bottom="1361" w:left="${MARGIN}" w:header="680" w:footer="567" w:gutter="0"/>`,
    '<w:cols w:space="708"/>',
    hasTitlePage ? '<w:titlePg/>' : '',
    '</w:sectPr>',
  ].join('');
}

/** A paragraph that ends a section of pages, as low as possible. */
export const sectionBreak = (direction: Direction, hasTitlePage = false): string =>
  `<w:p><w:pPr><w:pStyle w:val="Break"/>${sectionProperties(direction, hasTitlePage)}</w:pPr></w:p>`;
