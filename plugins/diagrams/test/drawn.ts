/** Drawings of a few cells. */
import { drawDrawio, type DrawDrawioOptions, type DrawnDrawio } from '../drawing/draw.js';
import { readDrawio } from '../drawio/index.js';
import { fileWith } from './hostile-drawings.js';

export const draw = (cells: string, options: DrawDrawioOptions = {}, model = ''): DrawnDrawio => {
  const result = readDrawio(Buffer.from(fileWith(cells, model)));
  if (!result.ok) throw new Error(result.message);
  return drawDrawio(result.file, options)!;
};
export const cell = (id: string, style: string, x: number, y: number, width = 80, height = 40, more = ''): string =>
  `<mxCell id="${id}" value="${id}" style="${style}" vertex="1" parent="1" ${more}><mxGeometry x="${x}" y="${y}" width="${width}" height="${height}" as="geometry"/></mxCell>`;
export const edge = (style: string, points = '', more = 'source="a" target="b"'): string =>
  `<mxCell id="e" style="${style}" edge="1" parent="1" ${more}><mxGeometry relative="1" as="geometry">${points}</mxGeometry></mxCell>`;
/** The path of the last line that is drawn without a fill. */
export const lineOf = (svg: string): string =>
  [...svg.matchAll(/<path d="([^"]*)" fill="none" stroke/g)].at(-1)?.[1] ?? '';
