/** The drawing of each shape by its type, and its label outside. */
import { activity } from './activities.js';
import { annotation, group, swimlane, unknown } from './containers.js';
import { band, bandsOf, choreography, conversation } from './conversations.js';
import type { Bounds } from './geometry.js';
import { elementOf, elementsOf, isA, textOf, type BpmnNode } from './moddle.js';
import { data, envelope, event, gateway, store } from './nodes.js';
import type { Pen } from './pen.js';
import type { Shape } from './scene.js';

/** What the drawing of a shape needs of the rest of the file. */
export interface Surroundings {
  /** Tasks outside of processes, by id: call activities look like those that they call. */
  tasks: ReadonlyMap<string, BpmnNode>;
  /** The shapes of participants, by the choreography activity to which they belong. */
  bands: ReadonlyMap<BpmnNode, Shape[]>;
  /** The boxes of events on borders, by the activity. */
  attached: ReadonlyMap<BpmnNode, Bounds[]>;
}

export const surroundingsOf = (definitions: BpmnNode, shapes: readonly Shape[]): Surroundings => ({
  tasks: new Map(
    elementsOf(definitions, 'rootElements')
      .filter((one) => isA(one, 'bpmn:GlobalTask'))
      .map((one) => [textOf(one, 'id'), one]),
  ),
  bands: bandsOf(shapes),
  attached: attachedOf(shapes),
});

function attachedOf(shapes: readonly Shape[]): ReadonlyMap<BpmnNode, Bounds[]> {
  const attached = new Map<BpmnNode, Bounds[]>();
  for (const { element, bounds } of shapes) {
    const activity = elementOf(element, 'attachedToRef');
    if (!activity) continue;
    const known = attached.get(activity) ?? [];
    // A name avoids a few events; thousands on one border leave no space for it.
    if (known.length < 20) known.push(bounds);
    attached.set(activity, known);
  }
  return attached;
}

/** Types whose name is outside of the shape. */
const OUTSIDE = [
  'bpmn:Event',
  'bpmn:Gateway',
  'bpmn:ItemAwareElement',
  'bpmn:ConversationNode',
  'bpmn:Message',
  'bpmn:Group',
];

/** Whether the name of a shape has its place outside of it. */
export const isNamedOutside = ({ element }: Shape): boolean => isA(element, ...OUTSIDE);

/** A shape with its symbols and the texts inside of it. */
export function drawShape(shape: Shape, pen: Pen, { tasks, bands, attached }: Surroundings): string {
  const { element, type, di } = shape;
  if (isA(element, 'bpmn:Event')) return event(shape, pen);
  if (isA(element, 'bpmn:Gateway')) return gateway(shape, pen);
  if (isA(element, 'bpmn:ChoreographyActivity')) return choreography(shape, pen, bands.get(di) ?? []);
  if (isA(element, 'bpmn:Activity')) return activity(shape, pen, tasks, attached.get(element!) ?? []);
  if (isA(element, 'bpmn:ConversationNode')) return conversation(shape, pen);
  switch (type) {
    case 'participant':
      return elementOf(di, 'choreographyActivityShape') ? band(shape, pen) : swimlane(shape, pen);
    case 'process':
    case 'lane':
      return swimlane(shape, pen);
    case 'dataStore':
    case 'dataStoreReference':
      return store(shape, pen);
    case 'message':
      return envelope(shape.bounds, pen);
    case 'group':
      return group(shape, pen);
    case 'textAnnotation':
      return annotation(shape, pen);
    default:
      return isA(element, 'bpmn:ItemAwareElement') ? data(shape, pen) : unknown(shape, pen);
  }
}
