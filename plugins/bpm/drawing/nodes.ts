/** Events, gateways, data and messages. */
import { element, rect } from '@lintel/sdk/drawing';
import { eventSymbol } from './event-definitions.js';
import { centerOf, type Bounds } from './geometry.js';
import { elementOf, flagOf, textOf, type BpmnNode } from './moddle.js';
import { symbol, type Pen } from './pen.js';
import type { Shape } from './scene.js';
import { DATA_ARROW, eventParts, GATEWAYS, MARKERS } from './symbols.js';

const ring = (box: Bounds, inset: number, more: Record<string, string | number | undefined>): string => {
  const { x, y } = centerOf(box);
  return element('circle', { cx: x, cy: y, r: Math.max(Math.min(box.width, box.height) / 2 - inset, 0), ...more });
};

/** Whether an event lets the activity that it interrupts go on. */
const isPassive = ({ element: event, type }: Shape): boolean =>
  (type === 'boundaryEvent' && flagOf(event, 'cancelActivity') === false) ||
  (type === 'startEvent' && flagOf(event, 'isInterrupting') === false);

/** An event: one circle for a start, a thick one for an end, two in between; dashed if it interrupts nothing. */
export function event(shape: Shape, pen: Pen): string {
  const { bounds, type } = shape;
  const size = Math.min(bounds.width, bounds.height);
  const isEnd = type === 'endEvent';
  const isBetween = !isEnd && type !== 'startEvent';
  const outline = {
    fill: pen.fill,
    stroke: pen.frame,
    'stroke-width': isEnd ? 3.4 : isBetween ? 1.1 : 1.5,
    'stroke-dasharray': isPassive(shape) ? '4 2.5' : undefined,
  };
  const name = eventSymbol(shape.element);
  const isThrown = isEnd || type === 'intermediateThrowEvent';
  const side = size * (name === 'timer' ? 0.72 : name === 'terminate' ? 0.76 : 0.54);
  const { x, y } = centerOf(bounds);
  const inner = ring(bounds, size / 12, { ...outline, stroke: pen.stroke, fill: 'none', 'data-ring': 'inner' });
  return [
    ring(bounds, 0, outline),
    isBetween ? inner : '',
    name ? symbol(name, eventParts(name, isThrown), x - side / 2, y - side / 2, side, pen, 1) : '',
  ].join('');
}

type Gateway = keyof typeof GATEWAYS;

/** The symbol of a gateway; an exclusive one has it only if the interchange says so. */
function gatewaySymbol({ element: gateway, type, di }: Shape): Gateway | undefined {
  switch (type) {
    case 'exclusiveGateway':
      return flagOf(di, 'isMarkerVisible') ? 'exclusive' : undefined;
    case 'inclusiveGateway':
      return 'inclusive';
    case 'parallelGateway':
      return 'parallel';
    case 'complexGateway':
      return 'complex';
    case 'eventBasedGateway':
      if (!flagOf(gateway, 'instantiate')) return 'event';
      return textOf(gateway, 'eventGatewayType') === 'Parallel' ? 'parallelInstantiating' : 'instantiating';
    default:
      return undefined;
  }
}

/** A gateway: a diamond with the symbol of its kind. */
export function gateway(shape: Shape, pen: Pen): string {
  const { x, y, width, height } = shape.bounds;
  const center = centerOf(shape.bounds);
  const name = gatewaySymbol(shape);
  const isRing =
    name === 'event' || name === 'instantiating' || name === 'parallelInstantiating' || name === 'inclusive';
  const side = Math.min(width, height) * (isRing ? 0.56 : name === 'exclusive' ? 0.45 : 0.5);
  const points = `${center.x},${y} ${x + width},${center.y} ${center.x},${y + height} ${x},${center.y}`;
  return [
    element('polygon', { points, fill: pen.fill, stroke: pen.frame, 'stroke-width': 1.5, 'stroke-linejoin': 'round' }),
    name ? symbol(`gateway-${name}`, GATEWAYS[name], center.x - side / 2, center.y - side / 2, side, pen) : '',
  ].join('');
}

const isCollection = (data: BpmnNode | undefined): boolean =>
  [data, elementOf(data, 'dataObjectRef'), elementOf(data, 'itemSubjectRef')].some((one) =>
    flagOf(one, 'isCollection'),
  );

/** Data: a page with a folded corner; an arrow for input and output, three lines for a collection. */
export function data(shape: Shape, pen: Pen): string {
  const { x, y, width, height } = shape.bounds;
  const fold = Math.min(width, height) * 0.28;
  const mark = Math.min(width * 0.34, height * 0.3);
  const lines = { fill: pen.fill, stroke: pen.frame, 'stroke-width': 1.5, 'stroke-linejoin': 'round' };
  const arrow = shape.type === 'dataInput' ? 'paper' : shape.type === 'dataOutput' ? 'area' : undefined;
  return [
    element('path', { d: `M${x} ${y}h${width - fold}l${fold} ${fold}v${height - fold}h${-width}Z`, ...lines }),
    element('path', { d: `M${x + width - fold} ${y}v${fold}h${fold}`, ...lines, fill: 'none' }),
    arrow ? symbol(shape.type, [[DATA_ARROW, arrow]], x + width * 0.08, y + height * 0.06, mark * 1.2, pen, 1) : '',
    isCollection(shape.element)
      ? symbol('collection', MARKERS.parallel, x + (width - mark) / 2, y + height - mark - 2, mark, pen)
      : '',
  ].join('');
}

/** A store of data: a cylinder with a band. */
export function store({ bounds }: Shape, pen: Pen): string {
  const { x, y, width, height } = bounds;
  const curve = Math.min(height * 0.16, width * 0.2);
  const [right, band] = [x + width, Math.min(height * 0.09, 6)];
  const arc = (top: number): string => `M${x} ${top}C${x} ${top + curve} ${right} ${top + curve} ${right} ${top}`;
  const top = y + curve * 0.75;
  const body = `M${x} ${top}V${y + height - curve * 0.75}C${x} ${y + height + curve * 0.25} ${right} ${y + height + curve * 0.25} ${right} ${y + height - curve * 0.75}V${top}C${right} ${y - curve * 0.25} ${x} ${y - curve * 0.25} ${x} ${top}Z`;
  const lines = { stroke: pen.frame, 'stroke-width': 1.5 };
  return [
    element('path', { d: body, fill: pen.fill, ...lines }),
    element('path', {
      d: arc(top) + arc(top + band) + arc(top + 2 * band),
      fill: 'none',
      ...lines,
      'data-symbol': 'store',
    }),
  ].join('');
}

/** An envelope. @param isAnswer shaded, as the answer to an initiating message */
export function envelope({ x, y, width, height }: Bounds, pen: Pen, isAnswer = false): string {
  const fill = isAnswer ? pen.theme.shade : pen.fill;
  const lines = { stroke: pen.stroke, 'stroke-width': 1.3 };
  return element(
    'g',
    { 'data-symbol': isAnswer ? 'envelope-answer' : 'envelope' },
    rect(x, y, width, height, { fill, ...lines }),
    element('path', {
      d: `M${x} ${y}L${x + width / 2} ${y + height * 0.55}L${x + width} ${y}`,
      fill: 'none',
      ...lines,
      'stroke-linejoin': 'round',
    }),
  );
}
