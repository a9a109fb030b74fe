/** Small files with shapes and edges, and their drawings as trees of elements. */
import { SaxesParser } from 'saxes';
import { drawBpmn, type BpmnDrawing, type BpmnNode, type DrawOptions } from '../drawing/index.js';
import { parseBpmn } from '../notation/parse.js';
import { bytesOf, file } from './samples.js';

/** The root of a file. @throws Error if it is refused */
export function definitionsOf(xml: string | Uint8Array): BpmnNode {
  const parsed = parseBpmn(typeof xml === 'string' ? bytesOf(xml) : xml);
  if (!parsed.ok) throw new Error(`${parsed.reason}: ${parsed.message}`);
  return parsed.definitions;
}

export interface Drawn {
  name: string;
  attributes: Record<string, string>;
  children: Drawn[];
  text: string;
}

/** @throws Error if the document is not well-formed */
export function treeOf(svg: string): Drawn {
  const top: Drawn = { name: '', attributes: {}, children: [], text: '' };
  const open = [top];
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => {
    const one: Drawn = { name, attributes: attributes as Record<string, string>, children: [], text: '' };
    open.at(-1)!.children.push(one);
    open.push(one);
  });
  parser.on('text', (text) => {
    open.at(-1)!.text += text;
  });
  parser.on('closetag', () => open.pop());
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(svg).close();
  return top.children[0]!;
}

/** An element and all inside of it. */
export const all = (one: Drawn): Drawn[] => [one, ...one.children.flatMap(all)];

/** The group of an element of the file. */
export const groupOf = (tree: Drawn, id: string): Drawn | undefined =>
  all(tree).find(({ attributes }) => attributes['data-element'] === id);

/** The names of the symbols inside of an element, in their order. */
export const symbolsIn = (one: Drawn | undefined): string[] =>
  one ? all(one).flatMap(({ attributes }) => attributes['data-symbol'] ?? []) : [];

/** The texts inside of an element, one for each line. */
export const textsIn = (one: Drawn | undefined): string[] =>
  one
    ? all(one)
        .filter(({ name }) => name === 'text')
        .map(({ text }) => text)
    : [];

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

const number = (value: string | undefined): number => Number(value ?? 0);

/** The box of a line of text in the picture; texts of drawings are turned by no angle but -90 degrees. */
export function textBox({ attributes }: Drawn): Box {
  const [x, y, size] = [number(attributes['x']), number(attributes['y']), number(attributes['font-size'])];
  const length = number(attributes['textLength']);
  const before = { middle: length / 2, end: length, start: 0 }[attributes['text-anchor'] ?? 'start'] ?? 0;
  if (attributes['transform'] !== undefined)
    return { x: x - size * 0.8, y: y - (length - before), width: size, height: length };
  return { x: x - before, y: y - size * 0.8, width: length, height: size };
}

/** The view box of a picture. */
export function canvasOf(tree: Drawn): Box {
  const [x, y, width, height] = tree.attributes['viewBox']!.split(' ').map(Number) as [number, number, number, number];
  return { x, y, width, height };
}

export const isWithin = (inner: Box, outer: Box): boolean =>
  inner.x >= outer.x - 0.5 &&
  inner.y >= outer.y - 0.5 &&
  inner.x + inner.width <= outer.x + outer.width + 0.5 &&
  inner.y + inner.height <= outer.y + outer.height + 0.5;

export const isOverlapping = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width - 0.5 && b.x < a.x + a.width - 0.5 && a.y < b.y + b.height - 0.5 && b.y < a.y + a.height - 0.5;

/** The box of each label outside of its shape, by the id of the element. */
export function labelBoxes(tree: Drawn): { id: string; box: Box }[] {
  return all(tree)
    .filter(({ attributes }) => attributes['data-label'] !== undefined)
    .map((group) => {
      const boxes = all(group)
        .filter(({ name }) => name === 'text')
        .map(textBox);
      const [x, y] = [Math.min(...boxes.map((box) => box.x)), Math.min(...boxes.map((box) => box.y))];
      const right = Math.max(...boxes.map((box) => box.x + box.width));
      const bottom = Math.max(...boxes.map((box) => box.y + box.height));
      return { id: group.attributes['data-label']!, box: { x, y, width: right - x, height: bottom - y } };
    });
}

export const bounds = (
  x: number | string,
  y: number | string,
  width: number | string,
  height: number | string,
): string => `<dc:Bounds x="${x}" y="${y}" width="${width}" height="${height}"/>`;

/** A shape of the interchange. @param more its attributes @param label the content of its label */
export const shape = (id: string, box: [number, number, number, number], more = '', label = ''): string =>
  `<bpmndi:BPMNShape id="${id}_di" bpmnElement="${id}" ${more}>${bounds(...box)}${
    label === '' ? '' : `<bpmndi:BPMNLabel>${label}</bpmndi:BPMNLabel>`
  }</bpmndi:BPMNShape>`;

/** An edge of the interchange through points. */
export const edge = (id: string, points: [number | string, number | string][], more = '', label = ''): string =>
  `<bpmndi:BPMNEdge id="${id}_di" bpmnElement="${id}" ${more}>${points
    .map(([x, y]) => `<di:waypoint x="${x}" y="${y}"/>`)
    .join('')}${label === '' ? '' : `<bpmndi:BPMNLabel>${label}</bpmndi:BPMNLabel>`}</bpmndi:BPMNEdge>`;

/** A diagram of the process `p`, or of another element. */
export const diagram = (items: string, plane = 'p', id = 'D'): string =>
  `<bpmndi:BPMNDiagram id="${id}" name="${id}"><bpmndi:BPMNPlane id="${id}_plane" bpmnElement="${plane}">${items}</bpmndi:BPMNPlane></bpmndi:BPMNDiagram>`;

/** A file with one process `p`, and a diagram of it. */
export const processFile = (content: string, items: string, roots = ''): string =>
  file(`${roots}<process id="p">${content}</process>${diagram(items)}`);

/** Draws a file. @throws Error if there is no such diagram, or the drawing is not well-formed */
export function drawn(xml: string, options: DrawOptions = {}): BpmnDrawing & { tree: Drawn } {
  const drawing = drawBpmn(definitionsOf(xml), options);
  if (!drawing) throw new Error('The file has no such diagram.');
  return { ...drawing, tree: treeOf(drawing.svg) };
}
