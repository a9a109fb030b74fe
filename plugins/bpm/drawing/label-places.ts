/** Places for the labels that are not inside of their shapes: those of the file, or free ones. */
import { centerOf, distance, overlap, type Bounds, type Point } from './geometry.js';
import { fit, laidOut, SIZE, type Fitted } from './labels.js';
import { common, Obstacles } from './obstacles.js';

/** A label without a place. */
export interface Label {
  id: string;
  text: string;
  /** The place that the file gives to it. */
  stated: Bounds | undefined;
  /** The shape to which it belongs, or the points of the edge. */
  owner: Bounds | readonly Point[];
  /** Above its owner by preference, as for a group. */
  isAbove: boolean;
  fill: string | undefined;
}

/** A label with its place. */
export interface PlacedLabel extends Label {
  box: Bounds;
  fitted: Fitted;
}

/** What a label avoids, by how much worse than the others it is. */
export type Weight = 'label' | 'shape' | 'frame' | 'line';
const WEIGHTS: Readonly<Record<Weight, number>> = { label: 1_000, shape: 20, frame: 6, line: 6 };

const [NODE_WIDTH, EDGE_WIDTH, MAX_LINES] = [96, 110, 6];
const GAP = 3;

const sized = ({ width, height }: Fitted, x: number, y: number): Bounds => ({ x: x - width / 2, y, width, height });

/** Sizes in px for labels that must stay within the box of the file. */
const STRICT: readonly number[] = [SIZE, 10, 9, 8, 7];

/** How far a box is from what it must and what it should avoid. */
interface Surrounding {
  /** Whether it overlaps no label that the file puts elsewhere. */
  isFree: (box: Bounds) => boolean;
  /** The area in px² that it has in common with shapes, and with frames of pools, lanes and sub-processes. */
  covered: (box: Bounds) => number;
}

/**
 * A label at the place of the file. Tools measure texts with other fonts: a little more space is taken if it is free, and a
 * wide label is wrapped rather than drawn over a shape.
 */
function atStated(label: Label, stated: Bounds, { isFree, covered }: Surrounding): PlacedLabel {
  const middle = stated.x + stated.width / 2;
  const isOver = !isPoints(label.owner) && centerOf(stated).y < centerOf(label.owner).y;
  const place = (fitted: Fitted): PlacedLabel => {
    const y = isOver && fitted.height > stated.height ? stated.y + stated.height - fitted.height : stated.y;
    return { ...label, fitted, box: sized(fitted, middle, y) };
  };
  const { text } = label;
  const layouts = [
    () => fit(text, stated.width + 8, stated.height * 1.3 + 3, [SIZE, 10]),
    () => laidOut(text, Math.max(Math.min(stated.width, NODE_WIDTH), 60), MAX_LINES, 10),
    () => laidOut(text, 74, MAX_LINES, 10),
    () => laidOut(text, 60, MAX_LINES, 10),
  ];
  let [best, least] = [undefined as PlacedLabel | undefined, Infinity];
  for (const layout of layouts) {
    const placed = place(layout());
    const { isCut, isTorn } = placed.fitted.block;
    if (isCut || isTorn || !isFree(placed.box)) continue;
    const area = covered(placed.box);
    if (area < least) [best, least] = [placed, area];
    if (area === 0) break;
  }
  if (best) return best;
  const strict = place(fit(text, stated.width, stated.height, STRICT));
  // One line can be higher than a very low box.
  return { ...strict, box: { ...strict.box, height: Math.min(strict.box.height, Math.max(stated.height, 1)) } };
}

const isPoints = (owner: Label['owner']): owner is readonly Point[] => Array.isArray(owner);

/** Places around a shape, the best ones first. */
function* around(box: Bounds, fitted: Fitted, isAbove: boolean): Generator<Bounds> {
  const { width, height } = fitted;
  const { x, y } = centerOf(box);
  const [top, bottom] = [box.y - height - GAP, box.y + box.height + GAP];
  const [left, right] = [box.x - width / 2 - GAP, box.x + box.width + width / 2 + GAP];
  for (const line of isAbove ? [top, bottom] : [bottom, top]) yield sized(fitted, x, line);
  yield sized(fitted, right, y - height / 2);
  yield sized(fitted, left, y - height / 2);
  for (const line of [bottom, top]) {
    yield sized(fitted, right - box.width / 4, line);
    yield sized(fitted, left + box.width / 4, line);
  }
  for (let step = 1; step <= 24; step++) {
    yield sized(fitted, x, bottom + step * 8);
    yield sized(fitted, x, top - step * 8);
    yield sized(fitted, right + step * 8, y - height / 2);
  }
}

/** Places at a line: beside its middle first, then beside its other segments from the longest. */
function* along(points: readonly Point[], fitted: Fitted): Generator<Bounds> {
  const { width, height } = fitted;
  const segments = points
    .slice(1)
    .map((to, i) => ({ from: points[i]!, to, length: distance(points[i]!, to), index: i }));
  segments.sort((a, b) => b.length - a.length || a.index - b.index);
  const beside = function* ({ from, to }: { from: Point; to: Point }, share: number): Generator<Bounds> {
    const [x, y] = [from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share];
    const isLevel = Math.abs(to.x - from.x) >= Math.abs(to.y - from.y);
    if (isLevel) {
      yield sized(fitted, x, y - height - GAP);
      yield sized(fitted, x, y + GAP);
    } else {
      yield sized(fitted, x + width / 2 + GAP + 1, y - height / 2);
      yield sized(fitted, x - width / 2 - GAP - 1, y - height / 2);
    }
  };
  for (const share of [0.5, 0.3, 0.7, 0.15, 0.85])
    for (const segment of segments.slice(0, 4)) yield* beside(segment, share);
  const [longest] = segments;
  const middle = longest
    ? { x: (longest.from.x + longest.to.x) / 2, y: (longest.from.y + longest.to.y) / 2 }
    : points[0]!;
  for (let step = 1; step <= 24; step++) {
    yield sized(fitted, middle.x, middle.y + step * 9);
    yield sized(fitted, middle.x, middle.y - height - step * 9);
  }
}

/** The best of the places around its owner for a label without a place in the file. */
function free(label: Label, obstacles: Obstacles<Weight>): PlacedLabel {
  const { owner, text } = label;
  const edge = isPoints(owner);
  const width = edge ? EDGE_WIDTH : Math.max(NODE_WIDTH, label.isAbove ? owner.width : 0);
  const fitted = laidOut(text, width, MAX_LINES, SIZE);
  let [best, least] = [undefined as Bounds | undefined, Infinity];
  for (const box of edge ? along(owner, fitted) : around(owner, fitted, label.isAbove)) {
    let cost = 0;
    for (const obstacle of obstacles.in(box)) cost += (common(obstacle.box, box) + 1) * WEIGHTS[obstacle.value];
    if (cost < least) [best, least] = [box, cost];
    if (cost === 0) break;
  }
  return { ...label, fitted, box: best! };
}

/**
 * Gives each label a place. Labels do not overlap each other, save where the file gives them places that do.
 * @param obstacles what labels without a place in the file avoid; the placed labels are added
 */
export function placeLabels(labels: readonly Label[], obstacles: Obstacles<Weight>): PlacedLabel[] {
  const stated = new Obstacles<Label>();
  for (const label of labels) if (label.stated) stated.add(label.stated, label);
  const taken = new Obstacles<Label>();
  const placed: PlacedLabel[] = [];
  const add = (one: PlacedLabel, label: Label): void => {
    placed.push(one);
    taken.add(one.box, label);
    obstacles.add(one.box, 'label');
  };
  for (const label of labels) {
    if (!label.stated) continue;
    const own = label.stated;
    const isFree = (box: Bounds): boolean =>
      [...stated.in(box)].every(({ value, box: other }) => value === label || overlap(other, own)) &&
      [...taken.in(box)].every(({ value }) => overlap(value.stated!, own));
    const covered = (box: Bounds): number => {
      let area = 0;
      for (const { value, box: other } of obstacles.in(box)) if (value !== 'line') area += common(other, box);
      return area;
    };
    add(atStated(label, own, { isFree, covered }), label);
  }
  for (const label of labels) if (!label.stated) add(free(label, obstacles), label);
  return placed;
}
