/** What the marks mean, in one or several lines below the chart. */
import { clean, line, measure, text } from '@lintel/sdk/drawing';
import { drawBaseline, drawMark, placeOf, type Shared } from './marks.js';
import { scaleOf } from './axis.js';
import type { Gantt, GanttRow } from './chart.js';
import type { Words } from './words.js';

const FONT = { size: 11.5 };
const [SIGN, GAP, SPACE, LINE] = [30, 8, 22, 22];

/** The entries that the chart has. @param hasToday whether the line of the day is drawn */
export function drawLegend(
  gantt: Gantt,
  width: number,
  words: Words,
  shared: Shared,
  hasToday: boolean,
): { body: string; height: number } {
  const { theme } = shared;
  const sample = (more: Partial<GanttRow>): GanttRow => ({
    outline: '',
    depth: 0,
    title: '',
    kind: 'task',
    start: 0,
    finish: 0,
    completion: 0,
    isCritical: false,
    baseline: null,
    ...more,
  });
  const has = (test: (row: GanttRow) => boolean): boolean => gantt.rows.some(test);
  const entries: [label: string, draw: (x: number, y: number) => string][] = [];
  const mark = (label: string, row: GanttRow): void => {
    entries.push([
      label,
      (x, y) =>
        drawMark(row, placeOf(row, scaleOf(0, 1, row.kind === 'milestone' ? x - SIGN / 2 : x, SIGN), y), shared),
    ]);
  };
  if (has(({ kind, isCritical }) => kind === 'task' && !isCritical)) mark(words.task, sample({}));
  if (has(({ completion, kind }) => kind === 'task' && completion > 0)) mark(words.done, sample({ completion: 100 }));
  if (has(({ isCritical }) => isCritical)) mark(words.critical, sample({ isCritical: true }));
  if (has(({ kind }) => kind === 'milestone')) mark(words.milestone, sample({ kind: 'milestone' }));
  if (has(({ kind }) => kind === 'summary')) mark(words.summary, sample({ kind: 'summary' }));
  if (gantt.baseline !== null) {
    const row = sample({ baseline: { start: 0, finish: 0 } });
    const label = gantt.baseline === '' ? words.baseline : `${words.baseline}: ${gantt.baseline}`;
    entries.push([
      clean(label, 80),
      (x, y) => {
        const scale = scaleOf(0, 1, x, SIGN);
        return drawBaseline(row, { ...placeOf(row, scale, y), y: y - 10 }, scale, theme);
      },
    ]);
  }
  if (hasToday)
    entries.push([
      words.today,
      (x, y) =>
        line(x + SIGN / 2, y - 8, x + SIGN / 2, y + 8, {
          stroke: theme.today,
          'stroke-width': 1.6,
          'stroke-dasharray': '5 3',
        }),
    ]);
  const parts: string[] = [];
  let [x, y] = [0, LINE / 2];
  for (const [label, draw] of entries) {
    const used = SIGN + GAP + measure(label, FONT);
    if (x > 0 && x + used > width) [x, y] = [0, y + LINE];
    parts.push(draw(x, y), text(x + SIGN + GAP, y + 4, label, { ...FONT, fill: theme.soft }));
    x += used + SPACE;
  }
  return { body: parts.join(''), height: y + LINE / 2 };
}
