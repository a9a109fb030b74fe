/** What stands for an item in its row: a bar, a diamond or a bracket, with its completion and its baseline. */
import { element, measure, rect, rounded, shorten, text } from '@lintel/sdk/drawing';
import type { Scale } from './axis.js';
import type { GanttRow, Mark } from './chart.js';
import type { Theme } from './theme.js';

const LABEL = { size: 11 };
const BAR = 6;
const DIAMOND = 6.5;
const BRACKET = 4;
/** A bar of a short task is not narrower, so that it can be seen. */
const MIN_WIDTH = 3;
/** Of the label of a milestone, in pixels. */
const MAX_LABEL = 220;

/** Identifiers of what several marks share. */
export interface Shared {
  theme: Theme;
  /** Of the pattern of critical bars. */
  pattern: string;
}

/** The text beside a mark: the name of a milestone, the completion of a task that has begun. */
function labelOf({ kind, title, completion }: GanttRow): string {
  if (kind === 'milestone') return title;
  return kind === 'task' && completion > 0 && completion < 100 ? `${Math.round(completion)} %` : '';
}

/** The width that the label beside the mark of a row needs, in pixels; 0 without one. */
export function labelWidth(row: GanttRow): number {
  const label = labelOf(row);
  return label === '' ? 0 : Math.min(measure(label, LABEL), MAX_LABEL) + 12;
}

/** The place of a mark. @param y the middle of its row */
export function placeOf(row: GanttRow, scale: Scale, y: number): Mark {
  if (row.kind === 'milestone') {
    const x = scale.x(row.finish + 1);
    return { x1: x - DIAMOND, x2: x + DIAMOND, y, half: DIAMOND, label: null };
  }
  const x1 = scale.x(row.start);
  return {
    x1,
    x2: Math.max(scale.x(row.finish + 1), x1 + MIN_WIDTH),
    y,
    half: row.kind === 'summary' ? BRACKET : BAR,
    label: null,
  };
}

/** The label of a mark, beside it to the right, or to the left where the chart ends. */
export function drawLabel(
  row: GanttRow,
  mark: Mark,
  scale: Scale,
  theme: Theme,
): { body: string; span: Mark['label'] } {
  const block = shorten(labelOf(row), MAX_LABEL, LABEL);
  const label = block.lines[0];
  if (label === undefined) return { body: '', span: null };
  const width = measure(label, LABEL);
  const right = mark.x2 + 6;
  const isLeft = right + width > scale.left + scale.width && mark.x1 - 6 - width > scale.left;
  const from = isLeft ? mark.x1 - 6 - width : right;
  const fill = row.kind === 'milestone' ? theme.ink : theme.soft;
  // Lines that must pass a label are hidden behind it.
  const ground = rect(from - 2, mark.y - 7.5, width + 4, 15, { fill: theme.background, 'fill-opacity': 0.85 });
  return { body: ground + text(from, mark.y + 4, label, { ...LABEL, fill }), span: { from, to: from + width } };
}

/** Draws the mark of a row. */
export function drawMark(row: GanttRow, mark: Mark, { theme, pattern }: Shared): string {
  const color = row.isCritical ? theme.critical : theme.task;
  if (row.kind === 'milestone') return diamond(row, mark, theme);
  if (row.kind === 'summary') return bracket(row, mark, theme);
  const { x1, x2, y, half } = mark;
  const width = x2 - x1;
  const fill = row.isCritical ? `url(#${pattern})` : theme.taskTint;
  const done = (width * Math.min(Math.max(row.completion, 0), 100)) / 100;
  return [
    rect(x1, y - half, width, half * 2, { rx: 1.5, fill, stroke: color }),
    done > 0 ? rect(x1, y - half, done, half * 2, { rx: 1.5, fill: color }) : '',
  ].join('');
}

function diamond({ isCritical, completion }: GanttRow, { x1, x2, y, half }: Mark, theme: Theme): string {
  const color = isCritical ? theme.critical : theme.ink;
  const d = `M${rounded((x1 + x2) / 2)} ${rounded(y - half)}l${half} ${half}l-${half} ${half}l-${half} -${half}z`;
  return element('path', { d, fill: completion >= 100 ? color : theme.background, stroke: color, 'stroke-width': 2 });
}

function bracket({ completion, isCritical }: GanttRow, { x1, x2, y }: Mark, theme: Theme): string {
  const [width, drop] = [x2 - x1, Math.min(5, (x2 - x1) / 2)];
  const top = y - BRACKET;
  const d = `M${rounded(x1)} ${rounded(top)}h${rounded(width)}v10l-${rounded(drop)} -5h-${rounded(width - drop * 2)}l-${rounded(drop)} 5z`;
  const done = (width * Math.min(Math.max(completion, 0), 100)) / 100;
  return [
    element('path', {
      d,
      fill: theme.soft,
      stroke: isCritical ? theme.critical : undefined,
      'stroke-width': isCritical ? 1.4 : undefined,
    }),
    done > 0 ? rect(x1, top + 1.5, done, 2, { fill: theme.background }) : '',
  ].join('');
}

/** The bar of the baseline below a mark; a small diamond for a milestone. */
export function drawBaseline(row: GanttRow, mark: Mark, scale: Scale, theme: Theme): string {
  if (!row.baseline) return '';
  const { start, finish } = row.baseline;
  const y = mark.y + mark.half + (row.kind === 'summary' ? 4 : 2.5);
  if (row.kind === 'milestone') {
    const x = scale.x(finish + 1);
    return element('path', { d: `M${rounded(x)} ${rounded(y - 1)}l3.5 3.5l-3.5 3.5l-3.5 -3.5z`, fill: theme.baseline });
  }
  const x = scale.x(start);
  return rect(x, y, Math.max(scale.x(finish + 1) - x, MIN_WIDTH), 4, { fill: theme.baseline });
}
