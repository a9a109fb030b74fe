/** Shapes of the library `mxgraph.electrical` that are simple, and the pin of `mxgraph.ios`. */
import { drawPath, pathShape, type Paint, type Shape } from './shape.js';

/** The bodies of gates, between the inputs on the left and the output on the right. */
const GATES: Readonly<Record<string, string>> = {
  and: 'M 20 0 L 50 0 A 30 50 1 50 100 L 20 100 Z',
  or: 'M 20 0 L 40 0 C 60 0 75 25 80 50 C 75 75 60 100 40 100 L 20 100 C 33 70 33 30 20 0 Z',
  xor: 'M 24 0 L 42 0 C 60 0 75 25 80 50 C 75 75 60 100 42 100 L 24 100 C 37 70 37 30 24 0 Z',
};
/** The second curve of a gate whose inputs exclude each other. */
const EXCLUSIVE = '|M 16 0 C 29 30 29 70 16 100';
/** Where the inputs end, in per cent of the width. */
const INPUTS: Readonly<Record<string, number>> = { and: 20, or: 27, xor: 23 };

const gate: Paint = (pen, width, height, style) => {
  const box = { x: 0, y: 0, width, height };
  const operation = style.get('operation') ?? 'and';
  const isNegated = style.is('negating');
  const end = INPUTS[operation] ?? INPUTS['and']!;
  const leads = `|M 0 25 L ${end} 25 M 0 75 L ${end} 75 M ${isNegated ? 90 : 80} 50 L 100 50`;
  drawPath(pen, (GATES[operation] ?? GATES['and']!) + leads, box);
  if (operation === 'xor') drawPath(pen, EXCLUSIVE, box);
  if (isNegated) drawPath(pen, 'E 80 43 10 14', box);
};

/** By what follows `mxgraph.electrical.`. */
export const ELECTRICAL: Record<string, Shape> = {
  'resistors.resistor_1': pathShape('R 18 0 64 100|M 0 50 L 18 50 M 82 50 L 100 50'),
  'resistors.resistor_2': pathShape('|M 0 50 L 18 50 L 23 0 L 34 100 L 45 0 L 56 100 L 67 0 L 77 100 L 82 50 L 100 50'),
  'capacitors.capacitor_1': pathShape('|M 0 50 L 45 50 M 45 0 L 45 100 M 55 0 L 55 100 M 55 50 L 100 50'),
  'miscellaneous.monocell_battery': pathShape('|M 0 50 L 40 50 M 40 0 L 40 100 M 60 25 L 60 75 M 60 50 L 100 50'),
  'logic_gates.logic_gate': { paint: gate },
};

/** By what follows `mxgraph.ios.`. */
export const IOS: Record<string, Shape> = {
  iPin: pathShape('E 10 0 80 50|M 50 50 L 50 100'),
};
