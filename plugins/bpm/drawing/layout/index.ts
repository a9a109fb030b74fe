/** Diagram interchange for files, or processes of a file, that have none. */
import { boxAround, boxOfPoints, type Bounds } from '../geometry.js';
import { ancestorsOf, elementOf, elementsOf, isA, textOf, type BpmnNode } from '../moddle.js';
import { diagramFor, type Places } from './interchange.js';
import { layOutByElk } from './elk.js';
import { addGroups } from './groups.js';
import { graphOf, isFilled, placedIn, type Content, type LaneTree } from './graph.js';
import { layOutInGrid } from './grid.js';
import { MessageWays, type MessageEnd } from './messages.js';

const PADDING = { side: 28, top: 34, band: 30 };
/** Space in px between pools, for message flows and their names. */
const POOL_GAP = 56;
/** More nodes, or edges, in one container take ELK too long. */
const ELK_LIMIT = { nodes: 300, edges: 800 };

/** Moves what was laid out from the origin. */
function moved(content: Content, x: number, y: number): Content {
  for (const places of [content.boxes, content.labels])
    for (const [element, box] of places) places.set(element, { ...box, x: box.x + x, y: box.y + y });
  for (const [element, points] of content.lines)
    content.lines.set(
      element,
      points.map((point) => ({ x: point.x + x, y: point.y + y })),
    );
  return content;
}

/** Moves everything to a padding around it, and states the size with it. */
function padded(content: Content, top: number, side: number): Content {
  const around = boxAround([
    ...content.boxes.values(),
    ...content.labels.values(),
    ...[...content.lines.values()].map((points) => boxOfPoints(points)),
  ]) ?? { x: 0, y: 0, width: 100, height: 60 };
  moved(content, side - around.x, top - around.y);
  return { ...content, width: around.width + 2 * side, height: around.height + top + side };
}

/** The content of a process, or of a sub-process with a padding for its frame and name. */
async function layOutContainer(container: BpmnNode, contents: Map<BpmnNode, Content>): Promise<Content> {
  const graph = graphOf(container, contents);
  const isLarge = graph.nodes.length > ELK_LIMIT.nodes || graph.edges.length > ELK_LIMIT.edges;
  // One node needs no layout; files with thousands of such containers would take ELK seconds.
  const isGrid = graph.laneCount > 0 || isLarge || graph.nodes.length < 2;
  const content = isGrid ? layOutInGrid(graph) : await layOutByElk(graph);
  for (const { element } of graph.nodes) {
    const inner = contents.get(element);
    const box = content.boxes.get(element);
    if (!inner || !box) continue;
    moved(inner, box.x, box.y);
    for (const [one, place] of inner.boxes) content.boxes.set(one, place);
    for (const [one, place] of inner.labels) content.labels.set(one, place);
    for (const [one, points] of inner.lines) content.lines.set(one, points);
  }
  if (isA(container, 'bpmn:SubProcess', 'bpmn:SubChoreography')) return padded(content, PADDING.top, PADDING.side);
  return graph.laneCount > 0 ? content : padded(content, PADDING.side, PADDING.side);
}

/** Lays out a process with all sub-processes inside, the innermost first. */
async function layOutTree(root: BpmnNode): Promise<Content> {
  const order: BpmnNode[] = [root];
  for (let i = 0; i < order.length; i++) order.push(...placedIn(order[i]!).filter(isFilled));
  const contents = new Map<BpmnNode, Content>();
  for (const container of order.reverse()) contents.set(container, await layOutContainer(container, contents));
  return contents.get(root)!;
}

const add = (places: Places, content: Content): void => {
  for (const [element, box] of content.boxes) places.boxes.set(element, box);
  for (const [element, box] of content.labels) places.labels.set(element, box);
  for (const [element, points] of content.lines) places.lines.set(element, points);
};

/** Lanes with lanes inside are around these, and have a band for their name. */
function addLanes(lanes: readonly LaneTree[], left: number, right: number, places: Places): void {
  for (const { element, lanes: inner, index } of lanes) {
    if (index === -1) {
      addLanes(inner, left + PADDING.band, right, places);
      const around = boxAround(inner.map((lane) => places.boxes.get(lane.element)!));
      if (around) places.boxes.set(element, { ...around, x: left, width: right - left });
    } else {
      const box = places.boxes.get(element);
      if (box) places.boxes.set(element, { ...box, x: left, width: right - left });
    }
  }
}

const depthOf = (lanes: readonly LaneTree[]): number =>
  lanes.length === 0 ? 0 : 1 + Math.max(...lanes.map(({ lanes: inner }) => depthOf(inner)));

/** The roots of a file without places, stacked: pools of a collaboration, or processes. */
class Stack {
  readonly places: Places = { boxes: new Map(), lines: new Map(), labels: new Map() };
  readonly #rows: { root: BpmnNode; pool: BpmnNode | undefined; box: Bounds }[] = [];
  #y = 0;

  /** @param pool the participant of the process, which may be one without */
  async add(root: BpmnNode | undefined, pool: BpmnNode | undefined): Promise<void> {
    const band = pool ? PADDING.band : 0;
    let size = { width: 600, height: 60 };
    const lanes = root ? graphOf(root, new Map()).lanes : [];
    const inset = band + depthOf(lanes) * PADDING.band;
    if (root && placedIn(root).length > 0) {
      const content = moved(await layOutTree(root), inset, this.#y);
      add(this.places, content);
      size = { width: content.width + inset, height: content.height };
    }
    const box = { x: 0, y: this.#y, ...size };
    this.#rows.push({ root: root ?? pool!, pool, box });
    if (lanes.length > 0) addLanes(lanes, band, size.width, this.places);
    this.#y += size.height + POOL_GAP;
  }

  /** Gives all pools, and the lanes at their right edge, the same width. */
  finish(): void {
    const width = Math.max(...this.#rows.map(({ box }) => box.width));
    const inPools = new Set(this.#rows.filter(({ pool }) => pool).map(({ root }) => root));
    for (const [element, lane] of this.places.boxes) {
      if (element.$type !== 'bpmn:Lane') continue;
      for (const one of ancestorsOf(element))
        if (inPools.has(one)) this.places.boxes.set(element, { ...lane, width: width - lane.x });
    }
    for (const { pool, box } of this.#rows) if (pool) this.places.boxes.set(pool, { ...box, width });
  }

  /** Message flows between what is placed. */
  addMessages(flows: readonly BpmnNode[]): void {
    const isContainer = (element: BpmnNode): boolean =>
      isA(element, 'bpmn:Participant', 'bpmn:Lane') || isFilled(element);
    const ways = new MessageWays([...this.places.boxes].filter(([one]) => !isContainer(one)).map(([, box]) => box));
    const endAt = (element: BpmnNode | undefined): MessageEnd | undefined => {
      const box = element && this.places.boxes.get(element);
      // The name of an element with a message flow is placed by the drawing, beside the flow.
      if (element) this.places.labels.delete(element);
      return box && { box, isPool: element.$type === 'bpmn:Participant' };
    };
    const gaps = new Map<number, [flow: BpmnNode, source: MessageEnd, target: MessageEnd][]>();
    for (const flow of flows) {
      const [source, target] = [endAt(elementOf(flow, 'sourceRef')), endAt(elementOf(flow, 'targetRef'))];
      if (!source || !target) continue;
      const upper = Math.min(source.box.y, target.box.y);
      const { y, height } = this.#rows.find(({ box }) => upper < box.y + box.height)!.box;
      const between = gaps.get(y + height);
      if (between) between.push([flow, source, target]);
      else gaps.set(y + height, [[flow, source, target]]);
    }
    // The flows between two pools share the space between them.
    for (const [edge, between] of gaps)
      for (const [i, [flow, source, target]] of between.entries()) {
        const height = edge + 8 + ((i + 0.5) * (POOL_GAP - 16)) / between.length;
        this.places.lines.set(flow, ways.way(source, target, height));
      }
  }
}

const isRoot = (element: BpmnNode): boolean => isA(element, 'bpmn:Process', 'bpmn:Choreography');

/** All elements of a file that have a shape or a line, and what contains them. */
function drawnElements(definitions: BpmnNode): Set<BpmnNode> {
  const drawn = new Set<BpmnNode>();
  for (const diagram of elementsOf(definitions, 'diagrams'))
    for (const item of elementsOf(elementOf(diagram, 'plane'), 'planeElement')) {
      const element = elementOf(item, 'bpmnElement');
      if (!element) continue;
      drawn.add(element);
      for (const one of ancestorsOf(element)) drawn.add(one);
    }
  return drawn;
}

/**
 * Makes a diagram with all elements of the processes of a file that have no interchange: laid out from left to right in
 * the order of flow, in pools and lanes, with sub-processes expanded. Containers without lanes are laid out by ELK, others
 * in a grid. The file is not changed.
 * @returns a `bpmndi:BPMNDiagram`; undefined if all processes have interchange, or none has elements
 */
export async function layOut(definitions: BpmnNode): Promise<BpmnNode | undefined> {
  const drawn = drawnElements(definitions);
  const all = elementsOf(definitions, 'rootElements');
  const roots = all.filter((one) => isRoot(one) && placedIn(one).length > 0 && !drawn.has(one));
  const collaboration = all.find(
    (one) =>
      one.$type === 'bpmn:Collaboration' &&
      elementsOf(one, 'participants').some((pool) => {
        const process = elementOf(pool, 'processRef');
        // Pools alone, without a process inside, are a diagram too.
        return process ? roots.includes(process) : roots.length === 0 && !drawn.has(one);
      }),
  );
  const shown = collaboration ?? roots[0];
  if (!shown) return undefined;
  const stack = new Stack();
  const rest = new Set(roots);
  for (const pool of elementsOf(collaboration, 'participants')) {
    const process = elementOf(pool, 'processRef');
    if (process && !rest.has(process) && placedIn(process).length > 0) continue;
    await stack.add(process && rest.has(process) ? process : undefined, pool);
    if (process) rest.delete(process);
  }
  for (const process of rest) await stack.add(process, undefined);
  stack.finish();
  stack.addMessages(elementsOf(collaboration, 'messageFlows'));
  addGroups([...roots, ...(collaboration ? [collaboration] : [])], stack.places);
  const name = textOf(shown, 'name') || textOf(roots[0], 'name');
  return diagramFor(definitions, shown, name, stack.places);
}
