/** The pages that every document has: title, table of contents, signatures; and its headers and footers. */
import { facts, shortHash, type Heading, type Layout } from '../layout.js';
import type { WordImage } from '../logo.js';
import { dateText, timeText } from '../text/cells.js';
import { cleanLine, cleanText } from '../text/clean.js';
import { textWidth, type Direction } from './page.js';
import { BOLD, cell, HEADER_FILL, row, tableStart } from './table.js';
import {
  escapeXml,
  field,
  FIELD_END,
  fieldStart,
  NAMESPACES,
  paragraph,
  run,
  runs,
  XML_DECLARATION,
  type LinkTo,
} from './xml.js';

/** English Metric Units of a millimetre: the unit of drawings. */
const EMU = 36_000;
/** The room for the logo, in millimetres. */
const LOGO_ROOM = { width: 60, height: 25 };
export const LOGO_ID = 'rIdLogo';

/** The first page. */
export function titlePage(layout: Layout, logo: WordImage | undefined): string {
  const { doc, words, title } = layout;
  const rows = facts(layout, (date) => dateText(date, words)).map(([label, value]) =>
    row([
      cell({ width: 2_400, content: paragraph('Fact', run(label, '<w:color w:val="595959"/>')) }),
      cell({ width: textWidth('portrait') - 2_400, content: paragraph('Fact', run(value, BOLD)) }),
    ]),
  );
  return [
    logo ? paragraph('Normal', picture(logo, doc.organisation)) : '',
    paragraph('Subtitle', run(words.documentType)),
    paragraph('Title', run(title)),
    tableStart([2_400, textWidth('portrait') - 2_400], false),
    ...rows,
    '</w:tbl>',
    doc.status === 'draft' ? paragraph('Notice', run(words.draftNotice, BOLD)) : '',
    doc.withheld ? paragraph('Notice', run(words.withheldNotice)) : '',
    doc.contentHash === null ? '' : paragraph('Hash', run(`${words.contentHash}: ${cleanLine(doc.contentHash)}`)),
    // A table must not be the last element of a page.
    paragraph('Normal', ''),
  ].join('');
}

function picture({ width, height }: WordImage, description: string): string {
  const scale = Math.min(LOGO_ROOM.width / width, LOGO_ROOM.height / height);
  const extent = `cx="${Math.max(1, Math.round(width * scale * EMU))}" cy="${Math.max(1, Math.round(height * scale * EMU))}"`;
  const name = `id="1" name="Logo" descr="${escapeXml(cleanLine(description))}"`;
  return [
    `<w:r><w:drawing><wp:inline distT="0" distB="0" distL="0" distR="0"><wp:extent ${extent}/><wp:docPr ${name}/>`,
    '<wp:cNvGraphicFramePr><a:graphicFrameLocks noChangeAspect="1"/></wp:cNvGraphicFramePr>',
    '<a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic>',
    `<pic:nvPicPr><pic:cNvPr ${name}/><pic:cNvPicPr/></pic:nvPicPr>`,
    `<pic:blipFill><a:blip r:embed="${LOGO_ID}"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill>`,
    `<pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext ${extent}/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr>`,
    '</pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>',
  ].join('');
}

const bookmark = ({ id }: Heading): string => `_Toc${String(id).padStart(8, '0')}`;

/** A heading with the bookmark to which the table of contents leads. */
export function headingXml(heading: Heading, linkTo: LinkTo, properties = ''): string {
  const { id, level, number } = heading;
  // The style numbers headings; a heading without a number says so.
  const unnumbered = number === '' ? '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="0"/></w:numPr>' : '';
  const indent = number === '' ? '<w:ind w:left="0" w:firstLine="0"/>' : '';
  return paragraph(
    `Heading${level}`,
    `<w:bookmarkStart w:id="${id}" w:name="${bookmark(heading)}"/>${runs(heading.runs, linkTo)}<w:bookmarkEnd w:id="${id}"/>`,
    `${properties}${unnumbered}${indent}`,
  );
}

/**
 * The table of contents: a field with its entries, which lead to the headings. The pages of headings are not known before Word lays
 * the document out, so the entries have none until the reader updates the field.
 */
export function* contents({ headings, words }: Layout): Generator<string> {
  yield '<w:sdt><w:sdtPr><w:docPartObj><w:docPartGallery w:val="Table of Contents"/><w:docPartUnique/></w:docPartObj></w:sdtPr><w:sdtContent>';
  yield paragraph('TOCHeading', run(words.contents));
  for (const [index, heading] of headings.entries()) {
    const { level, number, text } = heading;
    const entry = `${number === '' ? '' : run(`${number}\t`)}${run(text)}`;
    yield paragraph(
      `TOC${level}`,
      `${index === 0 ? fieldStart('TOC \\o "1-3" \\h \\z \\u') : ''}<w:hyperlink w:anchor="${bookmark(heading)}" w:history="1">${entry}</w:hyperlink>`,
      number === '' ? '<w:ind w:left="0" w:firstLine="0"/>' : '',
    );
  }
  yield `${paragraph('Normal', FIELD_END)}</w:sdtContent></w:sdt>`;
}

/** The last page: who signed what, and when. @param properties of the paragraph of its heading */
export function signaturePage({ doc, words, signatures }: Layout, linkTo: LinkTo, properties: string): string {
  const widths = [2_700, 1_500, 2_338, 3_100];
  const cells = (texts: readonly string[], look = '', fill?: string): string[] =>
    texts.map((text, column) =>
      cell({
        width: widths[column]!,
        content: paragraph(
          'TableText',
          text === '' ? '' : run(text, look),
          '<w:spacing w:before="120" w:after="120"/>',
        ),
        ...(fill !== undefined && { fill }),
      }),
    );
  const rows = doc.signatures.map(({ name, status, signedAt, comment }) =>
    row(cells([cleanLine(name), words[status], signedAt ? timeText(signedAt, words) : '', cleanText(comment ?? '')])),
  );
  return [
    headingXml(signatures, linkTo, properties),
    doc.signatures.length === 0 ? paragraph('Normal', run(words.noSignatures)) : '',
    ...(doc.signatures.length === 0
      ? []
      : [
          tableStart(widths),
          row(cells([words.name, words.status, words.signedAt, words.comment], BOLD, HEADER_FILL), true),
          ...rows,
          '</w:tbl>',
        ]),
    paragraph('Normal', ''),
    doc.contentHash === null
      ? ''
      : paragraph('Normal', run(`${words.contentHash}:`, BOLD)) + paragraph('Code', run(cleanLine(doc.contentHash))),
  ].join('');
}

const rightTab = (direction: Direction): string =>
  `<w:tabs><w:tab w:val="right" w:pos="${textWidth(direction)}"/></w:tabs>`;

/** The header and the footer of the first page, which are empty. */
export const EMPTY_HEADER = `${XML_DECLARATION}<w:hdr ${NAMESPACES}>${paragraph('Header', '')}</w:hdr>`;
export const EMPTY_FOOTER = `${XML_DECLARATION}<w:ftr ${NAMESPACES}>${paragraph('Footer', '')}</w:ftr>`;

/** The header of all pages but the first. */
export function headerXml({ doc, words, title }: Layout, direction: Direction): string {
  const status = doc.status === 'signed' ? '' : words.statuses[doc.status];
  const top = cleanLine(doc.header);
  // A title of hundreds of characters would take the room of the text.
  const short = title.length > 90 ? `${title.slice(0, 89).toWellFormed()}…` : title;
  return [
    XML_DECLARATION,
    `<w:hdr ${NAMESPACES}>`,
    top === '' ? '' : paragraph('Header', run(top)),
    paragraph(
      'Header',
      `${run(`${cleanLine(doc.number)}  ${short}`, BOLD)}${status && run(`\t${status}`, '<w:b/><w:bCs/><w:color w:val="C55A11"/>')}`,
      `<w:pBdr><w:bottom w:val="single" w:sz="6" w:space="4" w:color="BFBFBF"/></w:pBdr>${rightTab(direction)}`,
    ),
    '</w:hdr>',
  ].join('');
}

/** The footer of all pages but the first. */
export function footerXml({ doc, words }: Layout, direction: Direction): string {
  const bottom = cleanLine(doc.footer);
  const pages = `${run(`\t${words.page} `)}${field('PAGE', '1')}${run(` ${words.of} `)}${field('NUMPAGES', '1')}`;
  return [
    XML_DECLARATION,
    `<w:ftr ${NAMESPACES}>`,
    bottom === '' ? '' : paragraph('Footer', run(bottom)),
    paragraph('Footer', `${run(shortHash(doc))}${pages}`, rightTab(direction)),
    '</w:ftr>',
  ].join('');
}
