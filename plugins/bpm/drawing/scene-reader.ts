/** Reads the shapes and edges of a diagram: checked, without what cannot be shown, in the order in which they are drawn. */
import { ownColors } from './colors.js';
import { boxOfPoints, centerOf, grown, isInside, type Bounds, type Point } from './geometry.js';
import { ancestorsOf, elementOf, elementsOf, flagOf, isA, localName, numberOf, textOf } from './moddle.js';
import type { BpmnNode } from './moddle.js';
import type { Edge, Item, NotDrawn, Shape } from './scene.js';

/** Shapes and edges of a picture: more of them are too much for a reader, and for a browser. */
const MAX_ITEMS = 20_000;
/** Distance in px from the median of all shapes and edges. */
const FARTHEST = 500_000;

/** Distance in px between a label and the shape or edge that it names. */
const FARTHEST_LABEL = 200;

/** Sizes of shapes whose interchange has a position alone. */
const SIZES: readonly [string, number, number][] = [
  ['bpmn:Event', 36, 36],
  ['bpmn:Gateway', 50, 50],
  ['bpmn:DataObjectReference', 36, 50],
  ['bpmn:DataStoreReference', 50, 50],
  ['bpmn:ConversationNode', 40, 36],
];

const isUsable = (length: number): boolean => Number.isFinite(length) && length !== 0;

/** The box that the interchange states; one with a negative size lies on the other side of its corner. */
function boundsOf(di: BpmnNode | undefined, element?: BpmnNode): Bounds | undefined {
  const stated = elementOf(di, 'bounds');
  const [x, y] = [numberOf(stated, 'x'), numberOf(stated, 'y')];
  if (!Number.isFinite(x) || !Number.isFinite(y)) return undefined;
  const [, usualWidth, usualHeight] = SIZES.find(([type]) => isA(element, type)) ?? ['', 100, 80];
  const width = numberOf(stated, 'width');
  const height = numberOf(stated, 'height');
  const [wide, high] = [isUsable(width) ? width : usualWidth, isUsable(height) ? height : usualHeight];
  return { x: Math.min(x, x + wide), y: Math.min(y, y + high), width: Math.abs(wide), height: Math.abs(high) };
}

/** The place of a label; some tools write 0, -1 or no size at all where they have none. */
function labelOf(di: BpmnNode): Bounds | undefined {
  const stated = elementOf(elementOf(di, 'label'), 'bounds');
  const box = { x: 0, y: 0, width: 0, height: 0 };
  for (const side of ['x', 'y', 'width', 'height'] as const) box[side] = numberOf(stated, side);
  const isPlace = Object.values(box).every((value) => Math.abs(value) <= FARTHEST) && box.width > 1 && box.height > 1;
  return isPlace ? box : undefined;
}

/** A label far from what it names is that of a tool whose coordinates went wrong: it is placed anew, as one without a place. */
function dropFarLabel(item: Item, owner: Bounds): void {
  if (!item.label) return;
  // Where its text begins: a huge box reaches its owner from far away.
  const text = { x: centerOf(item.label).x, y: item.label.y };
  if (!isInside(text, grown(owner, FARTHEST_LABEL))) item.label = undefined;
}

const pointsOf = (di: BpmnNode): Point[] =>
  elementsOf(di, 'waypoint')
    .map((point) => ({ x: numberOf(point, 'x'), y: numberOf(point, 'y') }))
    .filter(({ x, y }) => Number.isFinite(x) && Number.isFinite(y));

export const isSubProcess = (element: BpmnNode | undefined): boolean =>
  isA(element, 'bpmn:SubProcess', 'bpmn:SubChoreography', 'bpmn:CallActivity', 'bpmn:CallChoreography');

/** Activities of which the interchange does not state whether they are expanded are so if a child lies inside of them. */
function expand(shapes: readonly Shape[]): void {
  const open = new Map(
    shapes
      .filter(({ di, element }) => isSubProcess(element) && flagOf(di, 'isExpanded') === undefined)
      .map((one) => [one.element!, one]),
  );
  if (open.size === 0) return;
  for (const { element, bounds } of shapes) {
    const parent = element?.$parent && open.get(element.$parent);
    if (parent && isInside(centerOf(bounds), parent.bounds)) parent.isExpanded = true;
  }
}

/** Pools and lanes without a direction of their own have that of the pool around them. */
function turn(shapes: readonly Shape[]): void {
  const pools = new Map<BpmnNode, boolean>();
  for (const { element, type, isHorizontal } of shapes) {
    const process = type === 'participant' ? elementOf(element, 'processRef') : undefined;
    if (process) pools.set(process, isHorizontal);
  }
  for (const shape of shapes) {
    if (shape.type !== 'lane' || flagOf(shape.di, 'isHorizontal') !== undefined) continue;
    for (const one of ancestorsOf(shape.element)) shape.isHorizontal = pools.get(one) ?? shape.isHorizontal;
  }
}

const LANES = 10;
const SUB_PROCESSES = 10_000;
export const LEAVES = 1_000_000;
const ON_BORDER = LEAVES + 1;

/** Containers are drawn before their content, events on a border after the activity. */
function layerOf({ element, type, isExpanded, di }: Shape): number {
  if (type === 'participant') return elementOf(di, 'choreographyActivityShape') ? ON_BORDER : 0;
  // Some tools give the shape of the pool to its process; what is unknown may be the frame of something else.
  if (type === 'process' || type === 'unknown') return 0;
  let depth = 0;
  for (const one of ancestorsOf(element)) if (isSubProcess(one) || one.$type === 'bpmn:Lane') depth++;
  if (type === 'lane') return LANES + depth;
  if (isSubProcess(element) && isExpanded) return SUB_PROCESSES + depth;
  return type === 'boundaryEvent' || type === 'message' ? ON_BORDER : LEAVES;
}

/** The elements at the ends of an edge. */
function endsOf(element: BpmnNode | undefined): [BpmnNode | undefined, BpmnNode | undefined] {
  // An association of data is contained in the activity or event at one of its ends.
  if (isA(element, 'bpmn:DataInputAssociation')) return [elementsOf(element, 'sourceRef')[0], element?.$parent];
  if (isA(element, 'bpmn:DataOutputAssociation')) return [element?.$parent, elementOf(element, 'targetRef')];
  return [elementOf(element, 'sourceRef'), elementOf(element, 'targetRef')];
}

/** Reads the items of one diagram. */
export class SceneReader {
  readonly shapes: Shape[] = [];
  readonly edges: Edge[] = [];
  readonly notDrawn: NotDrawn[] = [];
  readonly #shapeOf = new Map<BpmnNode, Shape>();

  constructor(items: readonly BpmnNode[]) {
    for (const [i, di] of items.entries()) if (isA(di, 'bpmndi:BPMNShape')) this.#shape(di, i);
    expand(this.shapes);
    turn(this.shapes);
    for (const shape of this.shapes) shape.layer = layerOf(shape);
    for (const [i, di] of items.entries()) if (isA(di, 'bpmndi:BPMNEdge')) this.#edge(di, i);
    this.#hide();
    this.#limit();
    this.shapes.sort((a, b) => a.layer - b.layer);
  }

  #item(di: BpmnNode, index: number): Item {
    const element = elementOf(di, 'bpmnElement');
    return {
      id: textOf(element, 'id') || textOf(di, 'id') || `item-${index + 1}`,
      di,
      element,
      type: element ? localName(element) : 'unknown',
      colors: ownColors(di, elementOf(di, 'label')),
      label: labelOf(di),
    };
  }

  #shape(di: BpmnNode, index: number): void {
    const item = this.#item(di, index);
    const bounds = boundsOf(di, item.element);
    if (!bounds) return void this.notDrawn.push({ id: item.id, reason: 'invalid' });
    const isPool = item.type === 'participant';
    const shape: Shape = {
      ...item,
      bounds,
      isExpanded: isPool
        ? elementOf(item.element, 'processRef') !== undefined
        : (flagOf(di, 'isExpanded') ?? !isSubProcess(item.element)),
      isHorizontal: flagOf(di, 'isHorizontal') ?? true,
      layer: LEAVES,
    };
    this.shapes.push(shape);
    this.#shapeOf.set(di, shape);
    if (item.element && !this.#shapeOf.has(item.element)) this.#shapeOf.set(item.element, shape);
  }

  #edge(di: BpmnNode, index: number): void {
    const item = this.#item(di, index);
    const [from, to] = endsOf(item.element);
    const at = (end: string, element: BpmnNode | undefined): Shape | undefined =>
      this.#shapeOf.get(elementOf(di, end)!) ?? this.#shapeOf.get(element!);
    const [source, target] = [at('sourceElement', from), at('targetElement', to)];
    let points = pointsOf(di);
    // An edge without a way is a straight line, which its drawing ends at the outlines of the shapes.
    if (points.length < 2 && source && target) points = [centerOf(source.bounds), centerOf(target.bounds)];
    if (points.length < 2) return void this.notDrawn.push({ id: item.id, reason: 'invalid' });
    this.edges.push({ ...item, points, source, target });
  }

  #leaveOut<T extends Item>(
    items: T[],
    reason: NotDrawn['reason'],
    isLeftOut: (item: T, index: number) => boolean,
  ): T[] {
    const kept: T[] = [];
    for (const [i, item] of items.entries())
      if (isLeftOut(item, i)) this.notDrawn.push({ id: item.id, reason });
      else kept.push(item);
    return kept;
  }

  /** Leaves out what is inside of collapsed sub-processes, and edges that end there. */
  #hide(): void {
    const collapsed = new Set(
      this.shapes
        .filter(({ element, isExpanded }) => isSubProcess(element) && !isExpanded)
        .map(({ element }) => element!),
    );
    if (collapsed.size === 0) return;
    const hidden = new Set<Shape>();
    const isContent = ({ element }: Item): boolean => {
      const inner = isA(element, 'bpmn:DataAssociation') ? element!.$parent : element;
      for (const one of ancestorsOf(inner)) if (collapsed.has(one)) return true;
      return false;
    };
    for (const shape of this.shapes) if (isContent(shape)) hidden.add(shape);
    this.#replace(
      this.#leaveOut(this.shapes, 'hidden', (shape) => hidden.has(shape)),
      this.#leaveOut(
        this.edges,
        'hidden',
        (edge) => isContent(edge) || hidden.has(edge.source!) || hidden.has(edge.target!),
      ),
    );
  }

  /** Leaves out what is too far from the rest, and what is too much. */
  #limit(): void {
    const all = [...this.shapes.map(({ bounds }) => bounds), ...this.edges.map(({ points }) => boxOfPoints(points))];
    const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
    const middle = { x: median(all.map((box) => centerOf(box).x)), y: median(all.map((box) => centerOf(box).y)) };
    const window = { x: middle.x - FARTHEST, y: middle.y - FARTHEST, width: 2 * FARTHEST, height: 2 * FARTHEST };
    const isFar = ({ x, y, width, height }: Bounds): boolean =>
      !isInside({ x, y }, window) || !isInside({ x: x + width, y: y + height }, window);
    this.#replace(
      this.#leaveOut(this.shapes, 'out_of_bounds', ({ bounds }) => isFar(bounds)),
      this.#leaveOut(this.edges, 'out_of_bounds', ({ points }) => isFar(boxOfPoints(points))),
    );
    for (const shape of this.shapes) dropFarLabel(shape, shape.bounds);
    for (const edge of this.edges) dropFarLabel(edge, boxOfPoints(edge.points));
    const edges = MAX_ITEMS - Math.min(this.shapes.length, MAX_ITEMS);
    this.#replace(
      this.#leaveOut(this.shapes, 'too_many', (_, i) => i >= MAX_ITEMS),
      this.#leaveOut(this.edges, 'too_many', (_, i) => i >= edges),
    );
  }

  #replace(shapes: Shape[], edges: Edge[]): void {
    this.shapes.splice(0, this.shapes.length, ...shapes);
    this.edges.splice(0, this.edges.length, ...edges);
  }
}
