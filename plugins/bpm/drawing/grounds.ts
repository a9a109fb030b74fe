/** The colour behind a place of a drawing: of the innermost pool, lane or sub-process around it. */
import { isInside, type Point } from './geometry.js';
import type { Theme } from './colors.js';
import { LEAVES } from './scene-reader.js';
import type { Shape } from './scene.js';

/** Containers with colours of their own that are considered. */
const MAX_CONTAINERS = 500;

/** @param shapes in the order in which they are drawn */
export function groundsOf(shapes: readonly Shape[], theme: Theme): (point: Point) => string {
  const containers = shapes
    .filter(({ layer }) => layer < LEAVES)
    .slice(0, MAX_CONTAINERS)
    .reverse();
  if (containers.every(({ colors }) => colors.fill === undefined)) {
    const inner = theme.fill === theme.background ? [] : containers;
    return (point) => (inner.some(({ bounds }) => isInside(point, bounds)) ? theme.fill : theme.background);
  }
  return (point) => {
    const container = containers.find(({ bounds }) => isInside(point, bounds));
    return container ? (container.colors.fill ?? theme.fill) : theme.background;
  };
}
