/** The shapes of draw.io by name. */
import type { CellStyle } from '../style.js';
import { BASIC } from './basic.js';
import { BPMN } from './bpmn.js';
import { ELECTRICAL, IOS } from './electrical.js';
import { FLOW, FLOWCHART } from './flow.js';
import { LANES } from './lanes.js';
import { ARROWS, BASIC_LIBRARY, LEAN } from './libraries.js';
import type { Shape } from './shape.js';
import { SOLID } from './solid.js';
import { UML } from './uml.js';

const OWN = new Map(Object.entries({ ...BASIC, ...SOLID, ...FLOW, ...UML, ...LANES }));
const LIBRARIES = new Map<string, ReadonlyMap<string, Shape>>(
  Object.entries({
    flowchart: FLOWCHART,
    bpmn: BPMN,
    basic: BASIC_LIBRARY,
    electrical: ELECTRICAL,
    ios: IOS,
    arrows: ARROWS,
    arrows2: ARROWS,
    lean_mapping: LEAN,
  }).map(([name, shapes]) => [name, new Map(Object.entries(shapes))]),
);

/** Names whose shape is a rectangle with other content, which is drawn apart. */
const RECTANGLES = /^(label|icon|text|edgeLabel|group|rectangle|html|connector)$/;

/**
 * The shape of a style.
 * @returns undefined where draw.io has it and this drawing has not
 */
export function shapeOf(style: CellStyle): Shape | undefined {
  const { shape } = style;
  if (RECTANGLES.test(shape)) return OWN.get('rectangle');
  const [, library, name] = /^mxgraph\.([\w-]+)\.(.+)$/.exec(shape) ?? [];
  return OWN.get(shape) ?? (library === undefined ? undefined : LIBRARIES.get(library)?.get(name!));
}
