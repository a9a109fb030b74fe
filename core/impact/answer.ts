import { CARD, RELATION, type RelationGraph } from './graph.js';
import type { Reach } from './walk.js';

const UUID_LENGTH = 36;
const QUOTED = UUID_LENGTH + 2;
const ZERO = 48;
const COMMA = 44;
const QUOTE = 34;
const HYPHEN = 45;
/** The two digits of each byte. */
const HEX = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0')).join(''));

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
    this.copy(names.bytes, start, start + cards.data[i + CARD.nameLength]!);
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

  private put(piece: Buffer): void {
    this.copy(piece, 0, piece.length);
  }

  /** Pieces are short: a loop is faster than a call. */
  private copy(source: Buffer, from: number, to: number): void {
    const { out } = this;
    let { at } = this;
    for (let i = from; i < to; i++) out[at++] = source[i]!;
    this.at = at;
  }

  /** The id at the beginning of a record, in quotes. */
  private uuid(data: Int32Array, i: number): void {
    const { out, at } = this;
    const a = data[i]!;
    const b = data[i + 1]!;
    const c = data[i + 2]!;
    const d = data[i + 3]!;
    out[at] = QUOTE;
    half(out, at + 1, a >>> 16);
    half(out, at + 5, a & 0xffff);
    out[at + 9] = HYPHEN;
    half(out, at + 10, b >>> 16);
    out[at + 14] = HYPHEN;
    half(out, at + 15, b & 0xffff);
    out[at + 19] = HYPHEN;
    half(out, at + 20, c >>> 16);
    out[at + 24] = HYPHEN;
    half(out, at + 25, c & 0xffff);
    half(out, at + 29, d >>> 16);
    half(out, at + 33, d & 0xffff);
    out[at + 37] = QUOTE;
    this.at = at + QUOTED;
  }
}

/** 16 bits as four hexadecimal digits. */
function half(out: Buffer, at: number, value: number): void {
  const high = (value >>> 8) << 1;
  const low = (value & 0xff) << 1;
  out[at] = HEX[high]!;
  out[at + 1] = HEX[high + 1]!;
  out[at + 2] = HEX[low]!;
  out[at + 3] = HEX[low + 1]!;
}
