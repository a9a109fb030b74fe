/** What a BPMN file says, as plain data. */
import type { BpmnProblem } from './problems.js';

export type BpmnElementKind =
  | 'task'
  | 'event'
  | 'gateway'
  | 'sub_process'
  | 'call_activity'
  | 'data_object'
  | 'data_store'
  | 'lane'
  | 'participant';

export interface BpmnElement {
  /** Unique within the file; at most 255 characters. */
  bpmn_id: string;
  kind: BpmnElementKind;
  /** Name in BPMN, such as `userTask`. */
  type: string;
  /** Of an event: `message`, `timer`, `error`, …, or `multiple` or `parallelMultiple`; null for a plain one. */
  event_definition: string | null;
  /** At most 2,000 characters; a reference to data without a name has the name of the data. */
  name: string | null;
  /** At most 20,000 characters. */
  documentation: string | null;
  /** The process that contains the element; of a participant, the one it refers to. */
  process_bpmn_id: string | null;
  /** The sub-process that contains the element, or the lane that contains a lane. */
  parent_bpmn_id: string | null;
  /** The innermost lane that names the element; of a boundary event in no lane, that of its host. */
  lane_bpmn_id: string | null;
  /** In order of the sequence flow, counted from 1. */
  position: number;
  /** Of a call activity: the id of what it calls, without a prefix. */
  called_element: string | null;
}

export interface BpmnFlow {
  bpmn_id: string;
  kind: 'sequence' | 'message' | 'association' | 'data';
  source: string | null;
  target: string | null;
  name: string | null;
}

/** A shape in a diagram, in px of the diagram. */
export interface BpmnBounds {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** What the comparison of two files needs of an element or flow besides. */
export interface BpmnDetail {
  /** Its shapes in all diagrams, in order of the file. */
  bounds: BpmnBounds[];
  /** Stands for all content that a reading does not have, such as conditions, loops and extensions: equal for equal content. */
  content: string;
}

export interface BpmnReading {
  /** By line; see `ProblemList` for the number that is listed. */
  problems: BpmnProblem[];
  /** In order of the sequence flow: flow nodes by process, then participants, lanes, data objects and data stores. */
  elements: BpmnElement[];
  flows: BpmnFlow[];
  processes: { bpmn_id: string; name: string | null }[];
  /** In order of the file; `index` is counted from 0. */
  diagrams: { id: string | null; name: string | null; index: number }[];
  /** Whether a diagram has at least one shape. */
  has_interchange: boolean;
  /** Elements of the BPMN namespace, see `BpmnLimits`. */
  element_count: number;
}
