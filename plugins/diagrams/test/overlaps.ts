/** Finds shapes and labels of a generated diagram that overlap. */
import { measure } from '@lintel/sdk/drawing';
import { middleOf } from '../content/generate.js';
import { geometryOf, styleValue, textOf, type DrawioCell, type Point } from '../drawio/index.js';
import { cellsIn } from './drawings.js';

interface Box {
  name: string;
  x: number;
  y: number;
  width: number;
  height: number;
}

const number = (cell: DrawioCell, key: string): number => Number(styleValue(cell.style, key) ?? 0);

/** The label of an edge as a box: its centre is the middle of the edge, moved by the offset. */
function labelBox(edge: DrawioCell, boxes: ReadonlyMap<string, Box>): Box | undefined {
  const text = textOf(edge);
  const [source, target] = [boxes.get(edge.source!)!, boxes.get(edge.target!)!];
  if (text === '') return undefined;
  const { points, offset = { x: 0, y: 0 } } = geometryOf(edge);
  const end = ({ x, y, width, height }: Box, kind: 'exit' | 'entry'): Point => ({
    x: x + number(edge, `${kind}X`) * width,
    y: y + number(edge, `${kind}Y`) * height,
  });
  const middle = middleOf([end(source, 'exit'), ...points, end(target, 'entry')]);
  const width = measure(text, { size: 10 });
  return {
    name: `label ${edge.id}`,
    x: middle.x + offset.x - width / 2,
    y: middle.y + offset.y - 6,
    width,
    height: 12,
  };
}

const overlap = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

/** Pairs of shapes and labels that overlap, as text. */
export function overlapsIn(xml: string): string[] {
  const cells = [...cellsIn(xml).values()];
  const shapes = new Map(
    cells.filter(({ vertex }) => vertex).map((cell) => [cell.id, { name: cell.id, ...geometryOf(cell) } as Box]),
  );
  const labels = cells.filter(({ edge }) => edge).flatMap((edge) => labelBox(edge, shapes) ?? []);
  const all = [...shapes.values(), ...labels];
  return all.flatMap((a, i) => all.slice(i + 1).flatMap((b) => (overlap(a, b) ? [`${a.name} and ${b.name}`] : [])));
}
