import { CARD, dayNumber, RELATION, type RelationGraph } from './graph.js';
import { idOf } from './records.js';
import { MAX_DEPTH, MAX_EDGES, MAX_FOLLOWED, MAX_NODES, type Direction, type ImpactRequest } from './request.js';

/** Record fields for traversing relations: head of a card's list, next entry, and the far end. */
const WAYS = {
  downstream: { first: CARD.firstOut, next: RELATION.nextOut, far: RELATION.target },
  upstream: { first: CARD.firstIn, next: RELATION.nextIn, far: RELATION.source },
} as const;
type Way = (typeof WAYS)[keyof typeof WAYS];

/** The result of a traversal. Its arrays are reused by the next one, so it must be read immediately. */
export interface Reach {
  /** Numbers of the cards by position: the start at 0, then by distance and, within a level, by id. */
  cards: Int32Array;
  /** Position of the previous card on the path, by position. */
  parents: Int32Array;
  /** Number of the relation on the path, by position. */
  vias: Int32Array;
  /** Position of the last card of each level; the start is level 0. */
  ends: number[];
  /** Number of cards without the start. */
  nodeCount: number;
  /** Numbers of the relations followed between the cards. */
  edges: Int32Array;
  edgeCount: number;
  truncated: boolean;
}

const PLACES = MAX_NODES + MAX_FOLLOWED + 2;
const cards = new Int32Array(PLACES);
const parents = new Int32Array(PLACES);
const vias = new Int32Array(PLACES);
const edges = new Int32Array(MAX_DEPTH * MAX_FOLLOWED);
const spare = { parents: new Int32Array(PLACES), vias: new Int32Array(PLACES) };

/**
 * Breadth-first traversal from a card: each card once, by a shortest path; among equal ones, by the oldest relation.
 * @returns undefined where the card does not exist or is hidden
 */
export function walk(graph: RelationGraph, request: ImpactRequest): Reach | undefined {
  const start = graph.card(idOf(request.cardId.toLowerCase()));
  const of = graph.cards.data;
  const hidden = graph.cardTypes.flags(request.hiddenTypes);
  if (start === 0 || hidden[of[start * CARD.stride + CARD.type]!] === 1) return undefined;
  const reach: Reach = { cards, parents, vias, edges, ends: [0], nodeCount: 0, edgeCount: 0, truncated: false };
  if (of[start * CARD.stride + CARD.active] === 0) return reach;
  const walker = new Walker(graph, request, hidden);
  walker.begin(start);
  for (let depth = 1; depth <= request.depth; depth++) {
    const end = walker.level();
    if (end === reach.ends.at(-1)) break;
    reach.ends.push(end);
  }
  return walker.finish(reach);
}

/** The state of one traversal. */
class Walker {
  private readonly stamp: number;
  private readonly today: number;
  private readonly typeFlags: Uint8Array | undefined;
  private readonly ways: readonly Way[];
  /** Positions of the current level. */
  private from = 0;
  private to = 1;
  /** Number of positions used, including those of the next level. */
  private count = 1;
  private edgeCount = 0;
  private followed = 0;
  private isCut = false;

  constructor(
    private readonly graph: RelationGraph,
    { direction, types, today }: ImpactRequest,
    private readonly hidden: Uint8Array,
  ) {
    this.stamp = graph.stamp = (graph.stamp + 1) | 0 || 1;
    this.today = dayNumber(today);
    this.typeFlags = types && graph.relationTypes.flags(types);
    this.ways = waysOf(direction);
  }

  begin(start: number): void {
    cards[0] = start;
    const i = start * CARD.stride;
    const { data } = this.graph.cards;
    data[i + CARD.stamp] = this.stamp;
    data[i + CARD.place] = 0;
  }

  /** Advances by one level. @returns the last position used */
  level(): number {
    this.followed = 0;
    for (const way of this.ways) {
      for (let place = this.from; place < this.to && this.followed < MAX_FOLLOWED; place++) this.expand(place, way);
    }
    this.isCut ||= this.followed >= MAX_FOLLOWED;
    [this.from, this.to] = [this.to, this.close()];
    this.count = this.to;
    return this.to - 1;
  }

  finish(reach: Reach): Reach {
    const cut = this.count - 1 > MAX_NODES;
    reach.nodeCount = Math.min(this.count - 1, MAX_NODES);
    if (cut) reach.ends = reach.ends.map((end) => Math.min(end, MAX_NODES));
    const { data } = this.graph.relations;
    let kept = 0;
    for (let n = 0; n < this.edgeCount && kept <= MAX_EDGES; n++) {
      const i = edges[n]! * RELATION.stride;
      if (this.isIncluded(data[i + RELATION.source]!) && this.isIncluded(data[i + RELATION.target]!))
        edges[kept++] = edges[n]!;
    }
    reach.edgeCount = Math.min(kept, MAX_EDGES);
    reach.truncated = this.isCut || cut || kept > MAX_EDGES;
    return reach;
  }

  private expand(place: number, { first, next, far }: Way): void {
    const {
      cards: { data: of },
      relations: { data },
    } = this.graph;
    const { stamp, today, typeFlags, hidden, to } = this;
    const both = this.ways.length > 1;
    // Cards beyond the limit are not added; a truncated level still needs all its cards, to determine the first ones.
    const hasRoom = to < MAX_NODES + 2;
    const near = cards[place]!;
    for (let n = of[near * CARD.stride + first]!; n !== 0; n = data[n * RELATION.stride + next]!) {
      const i = n * RELATION.stride;
      if (data[i + RELATION.validTo]! < today || (typeFlags && typeFlags[data[i + RELATION.type]!] !== 1)) continue;
      if (this.followed >= MAX_FOLLOWED) return;
      this.followed++;
      const card = data[i + far]!;
      const c = card * CARD.stride;
      if (of[c + CARD.stamp] === stamp) {
        const other = of[c + CARD.place]!;
        if (other >= to) {
          // Already reached on this level: the oldest relation is kept.
          if (this.graph.relations.compare(n, vias[other]!) < 0) {
            vias[other] = n;
            parents[other] = place;
          }
        } else if (both && (other < this.from || (far === RELATION.source && other < to))) continue;
      } else {
        if (!hasRoom) continue;
        if (of[c + CARD.active] === 0 || hidden[of[c + CARD.type]!] === 1) continue;
        of[c + CARD.stamp] = stamp;
        of[c + CARD.place] = this.count;
        cards[this.count] = card;
        parents[this.count] = place;
        vias[this.count++] = n;
      }
      edges[this.edgeCount++] = n;
    }
  }

  /** Sorts the cards of the new level and removes those beyond the limit. @returns the position after the last one */
  private close(): number {
    const { data: of } = this.graph.cards;
    const { to, count } = this;
    const level = cards.subarray(to, count);
    this.sort(level);
    for (let place = to; place < count; place++) {
      const was = of[cards[place]! * CARD.stride + CARD.place]!;
      spare.parents[place] = parents[was]!;
      spare.vias[place] = vias[was]!;
    }
    for (let place = to; place < count; place++) {
      of[cards[place]! * CARD.stride + CARD.place] = place;
      parents[place] = spare.parents[place]!;
      vias[place] = spare.vias[place]!;
    }
    // One more than is returned shows that there are more.
    const end = Math.min(count, MAX_NODES + 2);
    for (let place = end; place < count; place++) of[cards[place]! * CARD.stride + CARD.stamp] = 0;
    return end;
  }

  /** Sorts by id. Sorting the numbers first is much faster, and they mostly follow the ids. */
  private sort(level: Int32Array): void {
    const { cards: records } = this.graph;
    level.sort();
    for (let i = 1; i < level.length; i++) {
      if (records.compare(level[i - 1]!, level[i]!) < 0) continue;
      level.sort((a, b) => records.compare(a, b));
      return;
    }
  }

  private isIncluded(card: number): boolean {
    const { data } = this.graph.cards;
    const i = card * CARD.stride;
    return data[i + CARD.stamp] === this.stamp && data[i + CARD.place]! <= MAX_NODES;
  }
}

function waysOf(direction: Direction): readonly Way[] {
  return direction === 'both' ? [WAYS.downstream, WAYS.upstream] : [WAYS[direction]];
}
