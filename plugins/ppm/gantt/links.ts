/** Dependencies as two paths: those of the critical path, and all others. */
import { element, rounded } from '@lintel/sdk/drawing';
import type { GanttLink } from './chart.js';
import { routeOf, type Lanes, type Route } from './link-lines.js';
import type { Theme } from './theme.js';

/** Dependencies over more rows are drawn only if they are few: their lines could not be followed. */
const FAR = 150;
const MAX_FAR = 300;

/** @returns the drawn paths, and how many dependencies were left out */
export function drawLinks(links: readonly GanttLink[], lanes: Lanes, theme: Theme): { body: string; left: number } {
  const isFar = ({ from, to }: GanttLink): boolean => Math.abs(to - from) > FAR;
  const far = links.filter(isFar).length;
  const drawn = far > MAX_FAR ? links.filter((link) => !isFar(link)) : links;
  const body = [false, true]
    .map((isCritical) => {
      const routes = drawn.filter((link) => link.isCritical === isCritical).map((link) => routeOf(link, lanes));
      if (routes.length === 0) return '';
      const color = isCritical ? theme.critical : theme.link;
      const stroke = {
        fill: 'none',
        stroke: color,
        'stroke-width': isCritical ? 1.8 : 1.1,
        'stroke-linejoin': 'round',
      };
      const lines = element('path', { d: routes.map(pathOf).join(''), ...stroke });
      return lines + element('path', { d: routes.map(headOf).join(''), fill: color });
    })
    .join('');
  return { body, left: links.length - drawn.length };
}

function pathOf({ points }: Route): string {
  return points
    .map(([x, y], i) => {
      if (i === 0) return `M${rounded(x)} ${rounded(y)}`;
      return points[i - 1]![1] === y
        ? `H${rounded(x)}`
        : points[i - 1]![0] === x
          ? `V${rounded(y)}`
          : `L${rounded(x)} ${rounded(y)}`;
    })
    .join('');
}

const HEADS = { right: 'l-5 -3v6z', left: 'l5 -3v6z', down: 'l-3 -5h6z', up: 'l-3 5h6z' } as const;

function headOf({ points, arrow }: Route): string {
  const [x, y] = points.at(-1)!;
  return `M${rounded(x)} ${rounded(y)}${HEADS[arrow]}`;
}
