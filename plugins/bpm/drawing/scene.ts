/** The shapes and edges of one diagram of a file. */
import type { OwnColors } from './colors.js';
import type { Bounds, Point } from './geometry.js';
import { ancestorsOf, elementOf, elementsOf, isA, textOf, type BpmnNode } from './moddle.js';
import { isSubProcess, SceneReader } from './scene-reader.js';

/** A shape or edge that a drawing leaves out. */
export interface NotDrawn {
  /** The id of the element, or of its shape or edge where that refers to no element. */
  id: string;
  /**
   * `hidden`: inside of a collapsed sub-process; `invalid`: without coordinates; `out_of_bounds`: too far from the others
   * for one picture; `too_many`: after the last that is drawn.
   */
  reason: 'hidden' | 'invalid' | 'out_of_bounds' | 'too_many';
}

export interface Item {
  /** The id of the element, or of its shape or edge where that refers to no element. */
  id: string;
  di: BpmnNode;
  element: BpmnNode | undefined;
  /** The name of the type as an element of XML; `unknown` where the interchange refers to no element. */
  type: string;
  colors: OwnColors;
  /** The place that the file gives to the label. */
  label: Bounds | undefined;
  /** From another version of the file. */
  isGhost?: boolean;
}

export interface Shape extends Item {
  bounds: Bounds;
  /** Whether a sub-process or pool shows its content. */
  isExpanded: boolean;
  /** Whether a pool or lane is read from left to right. */
  isHorizontal: boolean;
  /** Shapes of a lower layer are drawn first. */
  layer: number;
}

export interface Edge extends Item {
  points: readonly Point[];
  /** The shapes at its ends, where they are in the diagram. */
  source: Shape | undefined;
  target: Shape | undefined;
}

export interface Scene {
  id: string;
  name: string;
  shapes: Shape[];
  edges: Edge[];
  notDrawn: NotDrawn[];
}

/** The diagrams of a file; one of its own, or one that was laid out for it. */
export interface Diagrams {
  definitions: BpmnNode;
  /** The diagram of processes without interchange, after those of the file. */
  laidOut?: BpmnNode | undefined;
}

const itemsOf = (diagram: BpmnNode): BpmnNode[] => elementsOf(elementOf(diagram, 'plane'), 'planeElement');

/** Whether it shows how the processes of the file work together: the others show one of them each. */
const isOfCollaboration = (diagram: BpmnNode): boolean =>
  isA(elementOf(elementOf(diagram, 'plane'), 'bpmnElement'), 'bpmn:Collaboration');

/** One diagram by its id or index; otherwise that of the collaboration, or the first one that is not empty. */
function diagramOf({ definitions, laidOut }: Diagrams, diagram: string | number | undefined): BpmnNode | undefined {
  const own = elementsOf(definitions, 'diagrams');
  const all = laidOut ? [...own, laidOut] : own;
  if (diagram === undefined) {
    const isFilled = (one: BpmnNode): boolean => itemsOf(one).length > 0;
    return own.find((one) => isFilled(one) && isOfCollaboration(one)) ?? all.find(isFilled) ?? all[0];
  }
  return (
    all.find((one) => textOf(one, 'id') !== '' && textOf(one, 'id') === diagram) ??
    (/^\d{1,6}$/.test(String(diagram)) ? all[Number(diagram)] : undefined)
  );
}

/** The items of a diagram inside of a sub-process, which a drawing of the whole diagram leaves out if it is collapsed. */
function contentOf({ definitions }: Diagrams, id: string | number | undefined): [BpmnNode, BpmnNode[]] | undefined {
  for (const diagram of elementsOf(definitions, 'diagrams')) {
    const items = itemsOf(diagram);
    const shape = items.find((one) => textOf(elementOf(one, 'bpmnElement'), 'id') === id);
    const container = elementOf(shape, 'bpmnElement');
    if (!container || !isSubProcess(container)) continue;
    const inside = items.filter((one) => {
      for (const around of ancestorsOf(elementOf(one, 'bpmnElement'))) if (around === container) return true;
      return false;
    });
    return inside.length > 0 ? [container, inside] : undefined;
  }
  return undefined;
}

/**
 * The content of one diagram of a file.
 * @param diagram the id of a diagram, or its index from 0, or the id of a sub-process for its content; by default that of
 *   the collaboration, or the first one that is not empty
 * @returns undefined if the file has no such diagram; an empty one if it has none and none is asked for
 */
export function sceneOf(diagrams: Diagrams, diagram?: string | number): Scene | undefined {
  const chosen = diagramOf(diagrams, diagram);
  const inside = chosen ? undefined : contentOf(diagrams, diagram);
  const root = chosen ?? inside?.[0] ?? (diagram === undefined ? diagrams.definitions : undefined);
  if (!root) return undefined;
  const { shapes, edges, notDrawn } = new SceneReader(inside?.[1] ?? itemsOf(root));
  const shown = elementOf(elementOf(root, 'plane'), 'bpmnElement');
  const name = textOf(root, 'name') || textOf(shown, 'name') || textOf(diagrams.definitions, 'name');
  return { id: textOf(root, 'id'), name, shapes, edges, notDrawn };
}
