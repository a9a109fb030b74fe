/** What has become different from one file to another, in terms of elements. */
import type { BpmnBounds, BpmnDetail, BpmnElement, BpmnElementKind, BpmnFlow, BpmnReading } from './reading.js';

/** The compared properties in which an element differs. */
export interface BpmnState {
  name?: string | null;
  type?: string;
  event_definition?: string | null;
  documentation?: string | null;
  called_element?: string | null;
  lane_bpmn_id?: string | null;
  parent_bpmn_id?: string | null;
  bounds?: BpmnBounds[];
  source?: string | null;
  target?: string | null;
  /** Ids of the elements from which flows come; the first hundred by id. */
  incoming?: string[];
  /** Ids of the elements to which flows lead; the first hundred by id. */
  outgoing?: string[];
}

export interface BpmnChange {
  bpmn_id: string;
  kind: BpmnElementKind | BpmnFlow['kind'];
  type: string;
  /** The later name; of a removed element, the former one. */
  name: string | null;
  before?: BpmnState;
  after?: BpmnState;
}

export const CHANGES = ['added', 'removed', 'renamed', 'rewired', 'moved', 'changed'] as const;

/** An element is in several lists if it has changed in several ways. Each in the order of the later file; `removed` in that of the former one. */
export type BpmnDiff = Record<(typeof CHANGES)[number], BpmnChange[]>;

/** A reading with what is compared besides; without details only lanes, parents and names tell elements apart. */
export type ComparedReading = BpmnReading & { details?: ReadonlyMap<string, BpmnDetail> };

const FLOW_TYPES = {
  sequence: 'sequenceFlow',
  message: 'messageFlow',
  association: 'association',
  data: 'dataAssociation',
} as const;
/** Of neighbours in an answer. */
const MAX_NEIGHBOURS = 100;
/** Shapes of tools with floating point coordinates differ by less after a round trip. */
const SAME_PX = 0.5;

type Item = BpmnElement | BpmnFlow;
const isFlow = (item: Item): item is BpmnFlow => 'source' in item;

/** One file, for the comparison. */
interface Side {
  items: Map<string, Item>;
  neighbours: Map<string, { incoming: Set<string>; outgoing: Set<string> }>;
  details: ReadonlyMap<string, BpmnDetail> | undefined;
}

/**
 * Compares two files by the ids of their elements, in linear time. `moved`: other lane or sub-process, or another place or
 * size in the diagram. `rewired`: a flow with another source or target, and elements whose flows connect them with others
 * than before. `changed`: anything else, such as type, documentation, conditions, and extensions of vendors.
 */
export function diffReadings(before: ComparedReading, after: ComparedReading): BpmnDiff {
  const [old, now] = [sideOf(before), sideOf(after)];
  const diff: BpmnDiff = { added: [], removed: [], renamed: [], rewired: [], moved: [], changed: [] };
  for (const item of old.items.values()) if (!now.items.has(item.bpmn_id)) diff.removed.push(entry(item));
  for (const item of now.items.values()) {
    const former = old.items.get(item.bpmn_id);
    if (former) compare(diff, old, former, now, item);
    else diff.added.push(entry(item));
  }
  return diff;
}

function sideOf({ elements, flows, details }: ComparedReading): Side {
  const items = new Map<string, Item>([...elements, ...flows].map((item) => [item.bpmn_id, item]));
  const neighbours: Side['neighbours'] = new Map(
    elements.map(({ bpmn_id }) => [bpmn_id, { incoming: new Set(), outgoing: new Set() }]),
  );
  for (const { source, target } of flows) {
    if (source === null || target === null) continue;
    neighbours.get(source)?.outgoing.add(target);
    neighbours.get(target)?.incoming.add(source);
  }
  return { items, neighbours, details };
}

const typeOf = (item: Item): string => (isFlow(item) ? FLOW_TYPES[item.kind] : item.type);

function entry(item: Item, before?: BpmnState, after?: BpmnState): BpmnChange {
  const { bpmn_id, kind, name } = item;
  return { bpmn_id, kind, type: typeOf(item), name, ...(before && { before }), ...(after && { after }) };
}

function compare(diff: BpmnDiff, old: Side, former: Item, now: Side, item: Item): void {
  const list = (kind: keyof BpmnDiff, [before, after]: [BpmnState, BpmnState], isDifferent = false): void => {
    if (isDifferent || Object.keys(after).length > 0) diff[kind].push(entry(item, before, after));
  };
  // Tools break the lines of names in other places.
  if (collapsed(former.name) !== collapsed(item.name))
    list('renamed', differing({ name: former.name }, { name: item.name }));
  list('rewired', differing(wiring(old, former), wiring(now, item)));
  list('moved', differing(placeOf(former), placeOf(item), boundsOf(old, now, item.bpmn_id)));
  const isOther = old.details?.get(item.bpmn_id)?.content !== now.details?.get(item.bpmn_id)?.content;
  list('changed', differing(natureOf(former), natureOf(item)), isOther);
}

const collapsed = (name: string | null): string | null => name?.trim().replaceAll(/\s+/g, ' ') ?? null;

/** The properties that differ, before and after. */
function differing(
  before: BpmnState,
  after: BpmnState,
  also: [BpmnState, BpmnState] = [{}, {}],
): [BpmnState, BpmnState] {
  const [first, second]: [Record<string, unknown>, Record<string, unknown>] = [{ ...also[0] }, { ...also[1] }];
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]) as Set<keyof BpmnState>;
  for (const key of keys) {
    if (isSame(before[key], after[key])) continue;
    first[key] = shown(before[key]);
    second[key] = shown(after[key]);
  }
  return [first, second];
}

function isSame(one: unknown, other: unknown): boolean {
  if (!Array.isArray(one) || !Array.isArray(other)) return one === other;
  return one.length === other.length && one.every((value, i) => value === other[i]);
}

const shown = (value: unknown): unknown => (Array.isArray(value) ? value.slice(0, MAX_NEIGHBOURS) : (value ?? null));

function wiring({ neighbours }: Side, item: Item): BpmnState {
  if (isFlow(item)) return { source: item.source, target: item.target };
  const { incoming, outgoing } = neighbours.get(item.bpmn_id)!;
  return { incoming: [...incoming].sort(), outgoing: [...outgoing].sort() };
}

function placeOf(item: Item): BpmnState {
  return isFlow(item) ? {} : { lane_bpmn_id: item.lane_bpmn_id, parent_bpmn_id: item.parent_bpmn_id };
}

function natureOf(item: Item): BpmnState {
  if (isFlow(item)) return { type: typeOf(item) };
  const { type, event_definition, documentation, called_element } = item;
  return { type, event_definition, documentation, called_element };
}

/** Places and sizes where they differ; a file without a diagram has no places to differ from. */
function boundsOf(old: Side, now: Side, id: string): [BpmnState, BpmnState] {
  const [before, after] = [old.details?.get(id)?.bounds ?? [], now.details?.get(id)?.bounds ?? []];
  const isEqual = before.length === after.length && before.every((bounds, i) => isSamePlace(bounds, after[i]!));
  if (isEqual || before.length === 0 || after.length === 0) return [{}, {}];
  return [{ bounds: before.slice(0, MAX_NEIGHBOURS) }, { bounds: after.slice(0, MAX_NEIGHBOURS) }];
}

function isSamePlace(one: BpmnBounds, other: BpmnBounds): boolean {
  return (['x', 'y', 'width', 'height'] as const).every((key) => Math.abs(one[key] - other[key]) < SAME_PX);
}
