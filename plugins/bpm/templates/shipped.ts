/** The templates that ship with the module, as files in each of its languages. */
import { escapeXml } from '@lintel/sdk/drawing';
import type { Language } from '../words/index.js';
import { SHIPPED_TEXTS } from './shipped-texts.js';

/** Keys of the templates, as the migration stores them. */
export const SHIPPED = ['four_eyes', 'incident'] as const;
export type Shipped = (typeof SHIPPED)[number];
export const isShipped = (key: string | null): key is Shipped => SHIPPED.some((one) => one === key);

type Tag = 'startEvent' | 'endEvent' | 'userTask' | 'exclusiveGateway';
/** A flow node with its column and its lane, 0 or 1. */
type Node = readonly [id: string, tag: Tag, column: number, lane: number];
/** A flow; one that leads back goes around below the nodes between its ends. */
type Flow = readonly [from: string, to: string, hasText?: 'named' | '', back?: 'back'];
interface Plan {
  nodes: readonly Node[];
  flows: readonly Flow[];
}

const PLANS: Readonly<Record<Shipped, Plan>> = {
  four_eyes: {
    nodes: [
      ['Requested', 'startEvent', 0, 0],
      ['Prepare', 'userTask', 1, 0],
      ['Check', 'userTask', 2, 1],
      ['Decision', 'exclusiveGateway', 3, 1],
      ['CarryOut', 'userTask', 4, 0],
      ['Done', 'endEvent', 5, 0],
      ['Rejected', 'endEvent', 5, 1],
    ],
    flows: [
      ['Requested', 'Prepare'],
      ['Prepare', 'Check'],
      ['Check', 'Decision'],
      ['Decision', 'CarryOut', 'named'],
      ['Decision', 'Rejected', 'named'],
      ['Decision', 'Prepare', 'named', 'back'],
      ['CarryOut', 'Done'],
    ],
  },
  incident: {
    nodes: [
      ['Reported', 'startEvent', 0, 0],
      ['Record', 'userTask', 1, 0],
      ['Known', 'exclusiveGateway', 2, 0],
      ['Resolve', 'userTask', 3, 0],
      ['Analyse', 'userTask', 3, 1],
      ['Merge', 'exclusiveGateway', 4, 0],
      ['Confirm', 'userTask', 5, 0],
      ['Solved', 'exclusiveGateway', 6, 0],
      ['Closed', 'endEvent', 7, 0],
    ],
    flows: [
      ['Reported', 'Record'],
      ['Record', 'Known'],
      ['Known', 'Resolve', 'named'],
      ['Known', 'Analyse', 'named'],
      ['Resolve', 'Merge'],
      ['Analyse', 'Merge'],
      ['Merge', 'Confirm'],
      ['Confirm', 'Solved'],
      ['Solved', 'Closed', 'named'],
      ['Solved', 'Analyse', 'named', 'back'],
    ],
  },
};

/** Sizes in px of a column, a lane, the name of the pool and of a lane, and of the nodes. */
const [COLUMN, LANE, NAME] = [150, 180, 30];
const SIZES: Readonly<Record<Tag, readonly [width: number, height: number]>> = {
  startEvent: [36, 36],
  endEvent: [36, 36],
  userTask: [100, 80],
  exclusiveGateway: [50, 50],
};
/** Of the diagram: the corner of its pool. */
const [LEFT, TOP] = [160, 80];

type Point = readonly [x: number, y: number];
interface Placed {
  x: number;
  y: number;
  width: number;
  height: number;
}

function placeOf([, tag, column, lane]: Node): Placed {
  const [width, height] = SIZES[tag];
  const x = LEFT + 2 * NAME + COLUMN * (column + 0.5) - width / 2;
  return { x, y: TOP + LANE * (lane + 0.5) - height / 2, width, height };
}

/** The line of a flow: straight within a lane, with one bend into another one, around the nodes where it leads back. */
function wayOf(from: Placed, to: Placed, back: Flow[3]): Point[] {
  const [x1, y1] = [from.x + from.width / 2, from.y + from.height / 2];
  const [x2, y2] = [to.x + to.width / 2, to.y + to.height / 2];
  if (back) {
    // Not into the middle, where the line of the next flow may leave.
    const [edge, x] = [TOP + 2 * LANE - 20, to.x + to.width / 4];
    return [
      [x1, from.y + from.height],
      [x1, edge],
      [x, edge],
      [x, to.y + to.height],
    ];
  }
  if (y1 === y2)
    return [
      [from.x + from.width, y1],
      [to.x, y2],
    ];
  // Out of a gateway by its upper or lower corner; into one likewise.
  const isUp = y2 < y1;
  if (from.height === SIZES.exclusiveGateway[1])
    return [
      [x1, isUp ? from.y : from.y + from.height],
      [x1, y2],
      [to.x, y2],
    ];
  return to.height === SIZES.exclusiveGateway[1]
    ? [
        [from.x + from.width, y1],
        [x2, y1],
        [x2, isUp ? to.y + to.height : to.y],
      ]
    : [
        [x1, isUp ? from.y : from.y + from.height],
        [x1, y2],
        [to.x, y2],
      ];
}

/** The file of a template, in UTF-8: valid BPMN 2.0 with a pool of two lanes and its diagram. */
export function shippedFile(key: Shipped, language: Language): Buffer {
  const texts = SHIPPED_TEXTS[language][key];
  const { nodes, flows } = PLANS[key];
  const idOf = ([from, to]: Flow): string => `Flow_${from}_${to}`;
  const named = (id: string): string => (texts.steps[id] === undefined ? '' : ` name="${escapeXml(texts.steps[id])}"`);
  const lanes = [0, 1].map((lane) => nodes.filter((node) => node[3] === lane));
  const node = ([id, tag]: Node): string =>
    `    <bpmn:${tag} id="${id}"${named(id)}>
${[
  ...flows.filter((flow) => flow[1] === id).map((flow) => `      <bpmn:incoming>${idOf(flow)}</bpmn:incoming>`),
  ...flows.filter((flow) => flow[0] === id).map((flow) => `      <bpmn:outgoing>${idOf(flow)}</bpmn:outgoing>`),
].join('\n')}
    </bpmn:${tag}>`;
  const shape = (id: string, { x, y, width, height }: Placed, more = ''): string =>
    `      <bpmndi:BPMNShape id="${id}_di" bpmnElement="${id}"${more}><dc:Bounds x="${x}" y="${y}" width="${width}" height="${height}" /></bpmndi:BPMNShape>`;
  const places = new Map(nodes.map((one) => [one[0], placeOf(one)]));
  const edge = (flow: Flow): string => {
    const points = wayOf(places.get(flow[0])!, places.get(flow[1])!, flow[3]);
    return `      <bpmndi:BPMNEdge id="${idOf(flow)}_di" bpmnElement="${idOf(flow)}">${points.map(([x, y]) => `<di:waypoint x="${x}" y="${y}" />`).join('')}</bpmndi:BPMNEdge>`;
  };
  const wide = COLUMN * (Math.max(...nodes.map((one) => one[2])) + 1);
  return Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:bpmndi="http://www.omg.org/spec/BPMN/20100524/DI" xmlns:dc="http://www.omg.org/spec/DD/20100524/DC" xmlns:di="http://www.omg.org/spec/DD/20100524/DI" id="Definitions" targetNamespace="http://bpmn.io/schema/bpmn">
  <bpmn:collaboration id="Collaboration"><bpmn:participant id="Pool" name="${escapeXml(texts.name)}" processRef="Process" /></bpmn:collaboration>
  <bpmn:process id="Process" name="${escapeXml(texts.name)}" isExecutable="false">
    <bpmn:laneSet id="Lanes">
${lanes
  .map(
    (own, i) =>
      `      <bpmn:lane id="Lane_${i + 1}" name="${escapeXml(texts.lanes[i]!)}">${own.map(([id]) => `<bpmn:flowNodeRef>${id}</bpmn:flowNodeRef>`).join('')}</bpmn:lane>`,
  )
  .join('\n')}
    </bpmn:laneSet>
${nodes.map(node).join('\n')}
${flows.map((flow) => `    <bpmn:sequenceFlow id="${idOf(flow)}"${flow[2] ? named(`${flow[0]}_${flow[1]}`) : ''} sourceRef="${flow[0]}" targetRef="${flow[1]}" />`).join('\n')}
  </bpmn:process>
  <bpmndi:BPMNDiagram id="Diagram">
    <bpmndi:BPMNPlane id="Plane" bpmnElement="Collaboration">
${shape('Pool', { x: LEFT, y: TOP, width: wide + 2 * NAME, height: 2 * LANE }, ' isHorizontal="true"')}
${[0, 1].map((i) => shape(`Lane_${i + 1}`, { x: LEFT + NAME, y: TOP + LANE * i, width: wide + NAME, height: LANE }, ' isHorizontal="true"')).join('\n')}
${nodes.map(([id]) => shape(id, places.get(id)!)).join('\n')}
${flows.map(edge).join('\n')}
    </bpmndi:BPMNPlane>
  </bpmndi:BPMNDiagram>
</bpmn:definitions>
`);
}
