import { CARD, RELATION, type RelationGraph } from './graph.js';
import type { Reach } from './walk.js';

const UUID_LENGTH = 36;
const QUOTED = UUID_LENGTH + 2;
const ZERO = 48;
const COMMA = 44;
const QUOTE = 34;
const HYPHEN = 45;
const HEX = Buffer.from('0123456789abcdef');
/** Bytes before which a hyphen stands. */
const HYPHENS = new Set([4, 6, 8, 10]);

const text = (value: string): Buffer => Buffer.from(value);
const [ID, TYPE, NAME, DEPTH, PATH, NODE_END] = ['{"id":', ',"type":', ',"name":"', '","depth":', ',"path":[', ']}'].map(text) as [Buffer, Buffer, Buffer, Buffer, Buffer, Buffer];
const [SOURCE, TARGET, EDGE_END] = [',"source_id":', ',"target_id":', '}'].map(text) as [Buffer, Buffer, Buffer];
const [NODES, EDGES, TRUNCATED, WHOLE] = ['{"nodes":[', '],"edges":[', '],"truncated":true}', '],"truncated":false}'].map(text) as [Buffer, Buffer, Buffer, Buffer];
const FRAME_BYTES = 64;
/** What is the same in each node and each edge, comma included, or a little more. */
const NODE_BYTES = 48;
const EDGE_BYTES = 56;

/** The answer to a request as JSON text, put together byte by byte: there are megabytes of it. */
export function answerOf(graph: RelationGraph, reach: Reach): Buffer {
  return new Answer(graph, reach).write();
}

class Answer {
  private readonly out: Buffer;
  private at = 0;

  constructor(private readonly graph: RelationGraph, private readonly reach: Reach) {
    this.out = Buffer.allocUnsafeSlow(this.bound());
  }

  write(): Buffer {
    const { ends, nodeCount, edgeCount, truncated } = this.reach;
    /** Where the ids of the path of each place are. */
    const paths = new Int32Array(nodeCount + 1);
    this.put(NODES);
    for (let depth = 1; depth < ends.length; depth++) {
      for (let place = ends[depth - 1]! + 1; place <= ends[depth]!; place++) this.node(place, depth, paths);
    }
    this.put(EDGES);
    for (let n = 0; n < edgeCount; n++) this.edge(n);
    this.put(truncated ? TRUNCATED : WHOLE);
    return this.out.subarray(0, this.at);
  }

  /** Bytes there may be at most. */
  private bound(): number {
    const { graph, reach: { cards, edges, ends, nodeCount, edgeCount } } = this;
    let bytes = FRAME_BYTES;
    for (let depth = 1; depth < ends.length; depth++) {
      bytes += (ends[depth]! - ends[depth - 1]!) * (NODE_BYTES + QUOTED + depth * (QUOTED + 1));
    }
    for (let place = 1; place <= nodeCount; place++) {
      const i = cards[place]! * CARD.stride;
      bytes += graph.cards.data[i + CARD.nameLength]! + graph.cardTypes.texts[graph.cards.data[i + CARD.type]!]!.length;
    }
    bytes += edgeCount * (EDGE_BYTES + 3 * QUOTED);
    for (let n = 0; n < edgeCount; n++) bytes += graph.relationTypes.texts[graph.relations.data[edges[n]! * RELATION.stride + RELATION.type]!]!.length;
    return bytes;
  }

  private node(place: number, depth: number, paths: Int32Array): void {
    const { graph: { cards, cardTypes, names, relations }, reach: { cards: reached, parents, vias }, out } = this;
    const i = reached[place]! * CARD.stride;
    if (place > 1) out[this.at++] = COMMA;
    this.put(ID);
    this.uuid(cards.data, i);
    this.put(TYPE);
    this.put(cardTypes.texts[cards.data[i + CARD.type]!]!);
    this.put(NAME);
    const start = cards.data[i + CARD.nameStart]!;
    this.at += names.bytes.copy(out, this.at, start, start + cards.data[i + CARD.nameLength]!);
    this.put(DEPTH);
    out[this.at++] = ZERO + depth;
    this.put(PATH);
    paths[place] = this.at;
    if (depth > 1) {
      // The way to the card before, which is written already, and one relation more.
      const from = paths[parents[place]!]!;
      const length = (depth - 1) * (QUOTED + 1) - 1;
      out.copyWithin(this.at, from, from + length);
      this.at += length;
      out[this.at++] = COMMA;
    }
    this.uuid(relations.data, vias[place]! * RELATION.stride);
    this.put(NODE_END);
  }

  private edge(n: number): void {
    const { graph: { cards, relations: { data }, relationTypes }, reach: { edges }, out } = this;
    const i = edges[n]! * RELATION.stride;
    if (n > 0) out[this.at++] = COMMA;
    this.put(ID);
    this.uuid(data, i);
    this.put(TYPE);
    this.put(relationTypes.texts[data[i + RELATION.type]!]!);
    this.put(SOURCE);
    this.uuid(cards.data, data[i + RELATION.source]! * CARD.stride);
    this.put(TARGET);
    this.uuid(cards.data, data[i + RELATION.target]! * CARD.stride);
    this.put(EDGE_END);
  }

  /** Short pieces: a loop is faster than a call. */
  private put(piece: Buffer): void {
    const { out } = this;
    let { at } = this;
    for (let i = 0; i < piece.length; i++) out[at++] = piece[i]!;
    this.at = at;
  }

  /** The id at the beginning of a record, in quotes. */
  private uuid(data: Int32Array, i: number): void {
    const { out } = this;
    let { at } = this;
    out[at++] = QUOTE;
    for (let byte = 0; byte < 16; byte++) {
      if (HYPHENS.has(byte)) out[at++] = HYPHEN;
      const value = data[i + (byte >> 2)]! >>> (24 - 8 * (byte & 3));
      out[at++] = HEX[(value >>> 4) & 15]!;
      out[at++] = HEX[value & 15]!;
    }
    out[at++] = QUOTE;
    this.at = at;
  }
}
