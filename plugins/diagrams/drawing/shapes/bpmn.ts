/** The library `mxgraph.bpmn`. */
import type { Box } from '../geometry.js';
import type { Pen } from '../pen.js';
import type { CellStyle } from '../style.js';
import { ACTIVITY_MARKERS, EVENT_ICONS, GATEWAY_ICONS, TASK_ICONS } from './bpmn-icons.js';
import { drawPath, pathShape, pixels, xy, type Paint, type Shape } from './shape.js';

/** Draws a symbol; filled ones have the colour of the line. */
function icon(pen: Pen, one: { path: string; isFilledByStroke?: boolean }, box: Box, isFilled = false): void {
  const fill = one.isFilledByStroke || isFilled ? pen.ink.stroke : pen.ink.fill;
  pen.with({ fill, dash: undefined }, () => drawPath(pen, one.path, box));
}

const lower = (style: CellStyle, key: string): string => (style.get(key) ?? '').toLowerCase();

/** The circle or circles of an event. @param outline of draw.io's style */
function eventOutline(pen: Pen, box: Box, outline: string, style: CellStyle): void {
  const { x, y, width, height } = box;
  const isDashed = /nonint/.test(outline);
  const isEnd = outline === 'end';
  const isDouble =
    /^(eventint|eventnonint|catching|throwing|boundint|boundnonint)$/.test(outline) && !/^event/.test(outline);
  const dash = isDashed ? '3 2' : pen.ink.dash;
  pen.with({ dash, width: pen.ink.width * (isEnd ? 3 : 1) }, () => {
    pen.begin().ellipse(x, y, width, height).fillStroke();
    const inset = 2 + style.strokeWidth;
    if (isDouble && width > 4 * inset && height > 4 * inset)
      pen
        .begin()
        .ellipse(x + inset, y + inset, width - 2 * inset, height - 2 * inset)
        .stroke();
  });
}

const event: Paint = (pen, width, height, style) => {
  const [outline, symbol] = [lower(style, 'outline'), lower(style, 'symbol')];
  const box = { x: 0, y: 0, width, height };
  eventOutline(pen, box, outline, style);
  const drawn = EVENT_ICONS[symbol.replace(/^terminate2$/, 'terminate')];
  if (drawn) icon(pen, drawn, box, outline === 'throwing' || (outline === 'end' && symbol !== 'general'));
};

const gateway: Paint = (pen, width, height, style) => {
  const box = { x: 0, y: 0, width, height };
  pen
    .begin()
    .points([xy(width / 2, 0), xy(width, height / 2), xy(width / 2, height), xy(0, height / 2)], { isClosed: true })
    .fillStroke();
  const [outline, symbol, kind] = [lower(style, 'outline'), lower(style, 'symbol'), lower(style, 'gwType')];
  const middle = { x: width / 4, y: height / 4, width: width / 2, height: height / 2 };
  if (outline !== '' && outline !== 'none' && EVENT_ICONS[symbol] === undefined && symbol !== 'general') {
    if (outline === 'end' || outline === 'standard')
      pen.begin().ellipse(middle.x, middle.y, middle.width, middle.height).stroke();
  } else if (outline !== '' && outline !== 'none') eventOutline(pen, middle, outline, style);
  const drawn = GATEWAY_ICONS[kind];
  if (drawn) icon(pen, drawn, box);
  const inner = EVENT_ICONS[symbol];
  if (inner && symbol !== 'general') icon(pen, inner, middle, outline === 'throwing');
};

/** The legacy shape: an event or a gateway by its `background`, with a symbol. */
const legacy: Paint = (pen, width, height, style, context) => {
  const symbol = lower(style, 'symbol');
  const named = { exclusivegw: 'exclusive', parallelgw: 'parallel', inclusivegw: 'inclusive', complexgw: 'complex' }[
    symbol
  ];
  const isGateway = style.get('background') === 'gateway' || style.get('perimeter') === 'rhombusPerimeter';
  if (!isGateway) {
    event(pen, width, height, style, context);
    return;
  }
  const box = { x: 0, y: 0, width, height };
  pen
    .begin()
    .points([xy(width / 2, 0), xy(width, height / 2), xy(width / 2, height), xy(0, height / 2)], { isClosed: true })
    .fillStroke();
  const outline = lower(style, 'outline');
  const middle = { x: width / 4, y: height / 4, width: width / 2, height: height / 2 };
  if (outline !== '' && outline !== 'none') eventOutline(pen, middle, outline, style);
  if (named) icon(pen, GATEWAY_ICONS[named]!, box);
  else if (EVENT_ICONS[symbol]) icon(pen, EVENT_ICONS[symbol], middle, outline === 'throwing');
};

/** Markers at the lower edge of an activity, beside each other. */
function markers(pen: Pen, width: number, height: number, style: CellStyle): void {
  const shown = ACTIVITY_MARKERS.filter(([key]) => style.is(key));
  const size = Math.min(14, height / 3);
  let x = width / 2 - (shown.length * (size + 4) - 4) / 2;
  for (const [, path, isFilledByStroke] of shown) {
    icon(pen, { path, isFilledByStroke }, { x, y: height - size - 2, width: size, height: size });
    x += size + 4;
  }
}

const task: Paint = (pen, width, height, style) => {
  const kind = lower(style, 'bpmnShapeType');
  const radius =
    style.get('rectStyle') === 'square' ? 0 : Math.min(pixels(style, 'arcSize', 10), width / 4, height / 4);
  const isDashed =
    lower(style, 'outline') === 'eventnonint' ||
    lower(style, 'outline') === 'boundnonint' ||
    kind === 'eventsubprocess';
  pen.with({ width: pen.ink.width * (kind === 'call' ? 3 : 1), dash: isDashed ? '3 3' : pen.ink.dash }, () => {
    pen.begin().roundRect(0, 0, width, height, radius).fillStroke();
  });
  if (kind === 'transaction')
    pen
      .begin()
      .roundRect(3, 3, Math.max(0, width - 6), Math.max(0, height - 6), radius)
      .stroke();
  const marker = TASK_ICONS[lower(style, 'taskMarker')];
  if (marker) icon(pen, marker, { x: 6, y: 6, width: 18, height: 18 });
  const isSub = kind === 'subprocess' && !style.is('isLoopSub') && style.get('isLoopSub') !== '0';
  if (isSub && style.is('collapsed'))
    icon(pen, { path: ACTIVITY_MARKERS[4]![1] }, { x: width / 2 - 7, y: height - 16, width: 14, height: 14 });
  markers(pen, width, height, style);
};

const data: Paint = (pen, width, height, style) => {
  const s = pixels(style, 'size', 15, width / 2, height / 2);
  pen
    .begin()
    .points([xy(0, 0), xy(width - s, 0), xy(width, s), xy(width, height), xy(0, height)], { isClosed: true })
    .fillStroke();
  pen
    .begin()
    .move(width - s, 0)
    .line(width - s, s)
    .line(width, s)
    .stroke();
  const transfer = lower(style, 'bpmnTransferType');
  const arrow = 'M 0 35 L 55 35 L 55 10 L 100 50 L 55 90 L 55 65 L 0 65 Z';
  if (transfer === 'input' || transfer === 'output')
    icon(pen, { path: arrow }, { x: 4, y: 4, width: 16, height: 16 }, transfer === 'output');
  if (style.is('isCollection'))
    pen
      .begin()
      .move(width / 2 - 4, height)
      .line(width / 2 - 4, height - 10)
      .move(width / 2, height)
      .line(width / 2, height - 10)
      .move(width / 2 + 4, height)
      .line(width / 2 + 4, height - 10)
      .stroke();
};

const framed = (path: string): Shape => pathShape(path);
const alone = (one: { path: string; isFilledByStroke?: boolean }): Shape => ({
  paint: (pen, width, height) => icon(pen, one, { x: 0, y: 0, width, height }),
});

const timerStart: Shape = {
  paint: (pen, width, height) => {
    const box = { x: 0, y: 0, width, height };
    pen.begin().ellipse(0, 0, width, height).fillStroke();
    icon(pen, EVENT_ICONS.timer!, box);
  },
};

/** The library, by the last part of the name. */
export const BPMN: Record<string, Shape> = {
  task: { paint: task },
  task2: { paint: task },
  event: { paint: event },
  gateway: { paint: gateway },
  gateway2: { paint: gateway },
  shape: { paint: legacy },
  data: { paint: data },
  data2: { paint: data },
  conversation: framed('M 25 0 L 75 0 L 100 50 L 75 100 L 25 100 L 0 50 Z'),
  choreography: framed('R 0 0 100 100|M 0 20 L 100 20 M 0 80 L 100 80'),
  transaction: framed('R 0 0 100 100|R 4 4 92 92'),
  timer: timerStart,
  timer_start: timerStart,
  ad_hoc: alone({ path: ACTIVITY_MARKERS[5]![1], isFilledByStroke: true }),
  loop: alone({ path: ACTIVITY_MARKERS[0]![1] }),
  loop_marker: alone({ path: ACTIVITY_MARKERS[0]![1] }),
  loop_multi_parallel: alone({ path: ACTIVITY_MARKERS[1]![1] }),
  multi_instance: alone({ path: ACTIVITY_MARKERS[1]![1] }),
  compensation: alone({ path: ACTIVITY_MARKERS[3]![1] }),
  user_task: alone(TASK_ICONS.user!),
  manual_task: alone(TASK_ICONS.manual!),
  service_task: alone(TASK_ICONS.service!),
  script_task: alone(TASK_ICONS.script!),
  business_rule_task: alone(TASK_ICONS.businessrule!),
};
