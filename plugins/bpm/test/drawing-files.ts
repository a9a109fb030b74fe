/** The interchange of real files. */
import type { BpmnNode } from '../drawing/index.js';
import { elementOf, elementsOf, numberOf } from '../drawing/moddle.js';
import type { Box } from './drawing-support.js';

/** The shapes and edges of a diagram. */
export const drawnItems = (diagram: BpmnNode): BpmnNode[] => elementsOf(elementOf(diagram, 'plane'), 'planeElement');

/** The id of an element, and the place of its label in the file, if that is more than a point. */
export function boundsOfLabel(item: BpmnNode): [string, Box | undefined] {
  const bounds = elementOf(elementOf(item, 'label'), 'bounds');
  const [width, height] = [numberOf(bounds, 'width'), numberOf(bounds, 'height')];
  const isBox = width > 1 && height > 1;
  const box = isBox ? { x: numberOf(bounds, 'x'), y: numberOf(bounds, 'y'), width, height } : undefined;
  return [String(elementOf(item, 'bpmnElement')?.id), box];
}
