/** WordprocessingML (ECMA-376, part 1, section 17) as text: elements in the order that its schema asks for. */
import type { Runs } from '../text/blocks.js';
import { cleanText } from '../text/clean.js';

/** Text as the content of an element or the value of an attribute. */
export const escapeXml = (text: string): string =>
  cleanText(text).replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** Text with its line breaks and tabs. @param look the content of `w:rPr` */
export function run(text: string, look = ''): string {
  const pieces = cleanText(text).split(/([\n\t])/);
  const content = pieces.map((piece) => {
    if (piece === '\n') return '<w:br/>';
    if (piece === '\t') return '<w:tab/>';
    return piece === '' ? '' : `<w:t xml:space="preserve">${escapeXml(piece)}</w:t>`;
  });
  return `<w:r>${look && `<w:rPr>${look}</w:rPr>`}${content.join('')}</w:r>`;
}

/**
 * A paragraph.
 * @param style id of a style of `styles.ts`
 * @param properties elements of `w:pPr` that follow `w:pStyle`, in the order of the schema
 */
export const paragraph = (style: string, content: string, properties = ''): string =>
  `<w:p><w:pPr><w:pStyle w:val="${style}"/>${properties}</w:pPr>${content}</w:p>`;

const mark = (type: string): string => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;

/** The end of a field. */
export const FIELD_END = mark('end');

/** The beginning of a field, which the text it shows and `FIELD_END` follow. */
export const fieldStart = (instruction: string): string =>
  `${mark('begin')}<w:r><w:instrText xml:space="preserve"> ${escapeXml(instruction)} </w:instrText></w:r>${mark('separate')}`;

/** A field with the text it shows until it is updated. */
export const field = (instruction: string, shown: string): string =>
  `${fieldStart(instruction)}${run(shown)}${FIELD_END}`;

/** Gives the id of the relationship to an address. */
export type LinkTo = (href: string) => string;

/** Pieces of text with their looks and links. */
export function runs(pieces: Runs, linkTo: LinkTo): string {
  return pieces
    .map(({ text, bold, italic, strike, code, href }) => {
      const look = [
        code ? '<w:rStyle w:val="CodeText"/>' : href === undefined ? '' : '<w:rStyle w:val="Hyperlink"/>',
        bold ? '<w:b/>' : '',
        italic ? '<w:i/>' : '',
        strike ? '<w:strike/>' : '',
      ].join('');
      const piece = run(text, look);
      return href === undefined ? piece : `<w:hyperlink r:id="${linkTo(href)}" w:history="1">${piece}</w:hyperlink>`;
    })
    .join('');
}

export const NAMESPACES = [
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"',
  'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"',
  'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"',
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"',
  'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"',
].join(' ');

export const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
