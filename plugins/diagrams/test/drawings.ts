/** draw.io files for tests, and what is in files that the service sends. */
import { readDrawio, textOf, userAttribute, type DrawioCell } from '../drawio/index.js';

const escaped = (text: string): string => text.replace(/[&<>"]/g, (one) => `&#${one.charCodeAt(0)};`);

/** A shape, or an edge where it has ends. */
export interface TestCell {
  id: string;
  label?: string;
  card?: string;
  style?: string;
  parent?: string;
  /** Source and target. */
  ends?: [string, string];
  /** Further attributes. */
  more?: Record<string, string>;
}

function cellXml({
  id,
  label = '',
  card,
  style = 'whiteSpace=wrap;html=1;',
  parent = '1',
  ends,
  more = {},
}: TestCell): string {
  const geometry = ends
    ? '<mxGeometry relative="1" as="geometry"/>'
    : '<mxGeometry x="10" y="10" width="120" height="60" as="geometry"/>';
  const kind = ends ? `edge="1" source="${ends[0]}" target="${ends[1]}"` : 'vertex="1"';
  const attributes = { ...(card === undefined ? {} : { cardId: card }), ...more };
  const cell = (own: string) =>
    `<mxCell ${own} style="${escaped(style)}" ${kind} parent="${parent}">${geometry}</mxCell>`;
  if (Object.keys(attributes).length === 0) return cell(`id="${id}" value="${escaped(label)}"`);
  const user = Object.entries(attributes).map(([name, value]) => ` ${name}="${escaped(value)}"`);
  return `<UserObject label="${escaped(label)}"${user.join('')} id="${id}">${cell('')}</UserObject>`;
}

/** A file with these pages. */
export const drawing = (...pages: readonly (readonly TestCell[])[]): string =>
  `<mxfile>${pages
    .map(
      (cells, i) =>
        `<diagram id="p${i + 1}" name="Page ${i + 1}"><mxGraphModel><root><mxCell id="0"/><mxCell id="1" parent="0"/>${cells.map(cellXml).join('')}</root></mxGraphModel></diagram>`,
    )
    .join('')}</mxfile>`;

/** The cells of a page of a file, by id. */
export function cellsIn(xml: string, page = 0): Map<string, DrawioCell> {
  const read = readDrawio(Buffer.from(xml));
  if (!read.ok) throw new Error(read.message);
  return new Map(read.file.pages[page]!.cells.map((cell) => [cell.id, cell]));
}

/** The label of a cell, and the card it refers to. */
export function shapeIn(
  xml: string,
  id: string,
  page = 0,
): { text: string; card: string | undefined; style: string } | undefined {
  const cell = cellsIn(xml, page).get(id);
  return (
    cell && {
      text: textOf(cell),
      card: userAttribute(cell, 'cardId'),
      style: cell.style.map(({ key, value }) => (value === undefined ? key : `${key}=${value}`)).join(';'),
    }
  );
}
