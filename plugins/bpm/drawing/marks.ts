/** What differs between two versions, shown on a drawing: a colour, a frame and a sign, with a legend. */
import { ascent, element, measure, rect, text } from '@lintel/sdk/drawing';
import { VISIBLE, visible, type Theme } from './colors.js';
import { grown, linePath, middleOf, type Bounds, type Point } from './geometry.js';
import { textsIn, type Language } from '../words/index.js';

/** How an element differs from the other version. */
export type Mark = 'added' | 'removed' | 'renamed' | 'rewired' | 'moved' | 'changed';

/** Distinguishable with colour blindness (after Okabe and Ito); the signs tell them apart without colours. */
const LOOKS: Readonly<Record<Mark, { color: string; sign: string; dash?: string }>> = {
  added: { color: '#009e73', sign: '+' },
  removed: { color: '#d55e00', sign: '−', dash: '6 4' },
  renamed: { color: '#0072b2', sign: 'ab' },
  rewired: { color: '#0072b2', sign: '⇄' },
  moved: { color: '#0072b2', sign: '↔' },
  changed: { color: '#0072b2', sign: '≠' },
};
const ORDER = Object.keys(LOOKS) as Mark[];

/** The known marks among those given, in a fixed order. */
export function marksOf(given: Mark | readonly Mark[] | undefined): Mark[] {
  const all = typeof given === 'string' ? [given] : (given ?? []);
  return ORDER.filter((mark) => all.includes(mark));
}

const colorOf = (mark: Mark, theme: Theme): string => visible(LOOKS[mark].color, theme.background, VISIBLE);

/** The frame of a marked shape. */
export function frame(box: Bounds, marks: readonly Mark[], theme: Theme, isHollow: boolean): string {
  const [mark] = marks;
  if (!mark) return '';
  const { x, y, width, height } = grown(box, 5);
  const color = colorOf(mark, theme);
  return rect(x, y, width, height, {
    rx: 8,
    fill: isHollow ? 'none' : color,
    'fill-opacity': isHollow ? undefined : 0.16,
    stroke: color,
    'stroke-width': 2.5,
    'stroke-dasharray': LOOKS[mark].dash,
    'data-mark': mark,
  });
}

/** The wide line below a marked edge. */
export function trail(way: readonly Point[], marks: readonly Mark[], theme: Theme): string {
  const [mark] = marks;
  if (!mark) return '';
  return element('path', {
    d: linePath(way),
    fill: 'none',
    stroke: colorOf(mark, theme),
    'stroke-width': 7,
    'stroke-opacity': 0.45,
    'stroke-dasharray': LOOKS[mark].dash,
    'data-mark': mark,
  });
}

const [SIGN, HIGH] = [10, 15];
const widthOf = (sign: string): number => Math.max(HIGH, measure(sign, { size: SIGN, bold: true }) + 6);

/** The box of the signs of a marked shape, at its upper right corner, or of an edge, at its middle. */
export function signBox(marks: readonly Mark[], owner: Bounds | readonly Point[]): Bounds {
  const width = marks.reduce((sum, mark) => sum + widthOf(LOOKS[mark].sign) + 1, 0);
  if (!('width' in owner)) {
    const { x, y } = middleOf(owner).point;
    return { x: x - width / 2, y: y - HIGH / 2, width, height: HIGH };
  }
  return { x: owner.x + owner.width + 5 - width, y: owner.y - HIGH, width, height: HIGH };
}

function badge(mark: Mark, x: number, y: number, theme: Theme): string {
  const { sign } = LOOKS[mark];
  const width = widthOf(sign);
  const color = colorOf(mark, theme);
  const ink = visible(theme.background, color, 4.5);
  return [
    rect(x, y, width, HIGH, { rx: 4, fill: color, stroke: theme.background, 'data-sign': mark }),
    text(x + width / 2, y + (HIGH - SIGN * 1.2) / 2 + ascent(SIGN), sign, {
      size: SIGN,
      bold: true,
      fill: ink,
      anchor: 'middle',
    }),
  ].join('');
}

/** The signs of the marks beside each other. @param box given by `signBox` */
export function signs(marks: readonly Mark[], box: Bounds, theme: Theme): string {
  let { x } = box;
  return marks
    .map((mark) => {
      const drawn = badge(mark, x, box.y, theme);
      x += widthOf(LOOKS[mark].sign) + 1;
      return drawn;
    })
    .join('');
}

/** The heights of a line of the legend, and its least width in px. */
export const LEGEND = { height: 22, width: 120 };

/** The meaning of the signs, with how many elements have each. @param width in px; the entries wrap */
export function legend(
  counts: ReadonlyMap<Mark, number>,
  x: number,
  y: number,
  width: number,
  theme: Theme,
  language: Language,
): { svg: string; height: number } {
  const texts = textsIn(language);
  const number = new Intl.NumberFormat(language);
  const parts: string[] = [];
  let [left, top] = [x, y];
  for (const mark of ORDER) {
    const count = counts.get(mark);
    if (!count) continue;
    const words = texts.pair(texts.marks[mark], number.format(count));
    const wide = widthOf(LOOKS[mark].sign) + 6 + measure(words, { size: 11 });
    if (left > x && left + wide > x + width) [left, top] = [x, top + LEGEND.height];
    parts.push(badge(mark, left, top, theme));
    parts.push(text(left + widthOf(LOOKS[mark].sign) + 6, top + 1 + ascent(11), words, { size: 11, fill: theme.ink }));
    left += wide + 18;
  }
  return parts.length === 0
    ? { svg: '', height: 0 }
    : { svg: element('g', { 'data-legend': 'marks' }, ...parts), height: top - y + LEGEND.height };
}
