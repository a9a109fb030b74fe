/** What a router knows of a line: its ends, its waypoints and its style. */
import type { Box, Point } from '../geometry.js';
import type { CellStyle } from '../style.js';

/** A shape at an end of a line. */
export interface Terminal {
  box: Box;
  style: CellStyle;
  /** Whether it is a line itself. */
  isEdge: boolean;
}

export interface Route {
  /** Ends at a fixed point; undefined where the end floats on the outline of its shape. */
  start: Point | undefined;
  end: Point | undefined;
  source: Terminal | undefined;
  target: Terminal | undefined;
  /** Points that the user has set, in coordinates of the page. */
  waypoints: readonly Point[];
  style: CellStyle;
}

/** Sides of a shape. The numbers are bits of masks. */
export const WEST = 1;
export const NORTH = 2;
export const SOUTH = 4;
export const EAST = 8;
export const ALL_SIDES = 15;

/** The sides at which lines may end, as a mask, by the style `portConstraint`. */
export function sidesOf(terminal: Terminal, edge: CellStyle, isSource: boolean, otherwise: number): number {
  const value =
    terminal.style.get('portConstraint') ?? edge.get(isSource ? 'sourcePortConstraint' : 'targetPortConstraint');
  if (value === undefined) return otherwise;
  const rotation = terminal.style.is('portConstraintRotation') ? terminal.style.rotation : 0;
  const turns = (((Math.round(rotation / 90) % 4) + 4) % 4) as 0 | 1 | 2 | 3;
  const clockwise = [NORTH, EAST, SOUTH, WEST];
  let mask = 0;
  for (const [i, name] of ['north', 'east', 'south', 'west'].entries())
    if (value.includes(name)) mask |= clockwise[(i + turns) % 4]!;
  return mask;
}
