import { CARD, RELATION, type Keys, type RelationGraph } from './graph.js';
import type { Reach } from './walk.js';
import { Piece, QUOTED, Writer } from './writer.js';

const ZERO = 48;
const COMMA = 44;
const [ID, DEPTH, PATH, NODE_END] = ['{"id":', '","depth":', ',"path":[', ']}'].map((text) => new Piece(text)) as [
  Piece,
  Piece,
  Piece,
  Piece,
];
const [TARGET, EDGE_END] = [',"target_id":', '}'].map((text) => new Piece(text)) as [Piece, Piece];
const [NODES, EDGES, TRUNCATED, WHOLE] = [
  '{"nodes":[',
  '],"edges":[',
  '],"truncated":true}',
  '],"truncated":false}',
].map((text) => new Piece(text)) as [Piece, Piece, Piece, Piece];
const FRAME_BYTES = 64;
/** Upper bound of the constant bytes of each node and each edge, including the comma. */
const NODE_BYTES = 48;
const EDGE_BYTES = 56;

/** The text between the id and what follows the type, by the number of the type. */
const between = new WeakMap<Keys, Piece[]>();

function typePieces(keys: Keys, after: string): Piece[] {
  const known = between.get(keys) ?? [];
  for (let n = known.length; n < keys.texts.length; n++) known.push(new Piece(',"type":', keys.texts[n]!, after));
  between.set(keys, known);
  return known;
}

/** The response as JSON text, built byte by byte because it may have megabytes. */
export function answerOf(graph: RelationGraph, reach: Reach): Buffer {
  const answer = new Text(graph, reach);
  answer.write();
  return answer.out.end();
}

class Text {
  readonly out: Writer;
  private readonly cardTypes: readonly Piece[];
  private readonly relationTypes: readonly Piece[];

  constructor(
    private readonly graph: RelationGraph,
    private readonly reach: Reach,
  ) {
    this.cardTypes = typePieces(graph.cardTypes, ',"name":"');
    this.relationTypes = typePieces(graph.relationTypes, ',"source_id":');
    this.out = new Writer(this.bound());
  }

  write(): void {
    const {
      out,
      reach: { ends, nodeCount, edgeCount, truncated },
    } = this;
    /** Offset of the path of each position in the output. */
    const paths = new Int32Array(nodeCount + 1);
    out.put(NODES);
    for (let depth = 1; depth < ends.length; depth++) {
      for (let place = ends[depth - 1]! + 1; place <= ends[depth]!; place++) this.node(place, depth, paths);
    }
    out.put(EDGES);
    for (let n = 0; n < edgeCount; n++) this.edge(n);
    out.put(truncated ? TRUNCATED : WHOLE);
  }

  /** Upper bound of the size in bytes. */
  private bound(): number {
    const {
      graph: {
        cards: { data: of },
        relations: { data },
      },
      cardTypes,
      relationTypes,
      reach: { cards, edges, ends, nodeCount, edgeCount },
    } = this;
    let bytes = FRAME_BYTES;
    for (let depth = 1; depth < ends.length; depth++) {
      bytes += (ends[depth]! - ends[depth - 1]!) * (NODE_BYTES + QUOTED + depth * (QUOTED + 1));
    }
    for (let place = 1; place <= nodeCount; place++) {
      const i = cards[place]! * CARD.stride;
      bytes += of[i + CARD.nameLength]! + cardTypes[of[i + CARD.type]!]!.length;
    }
    bytes += edgeCount * (EDGE_BYTES + 3 * QUOTED);
    for (let n = 0; n < edgeCount; n++)
      bytes += relationTypes[data[edges[n]! * RELATION.stride + RELATION.type]!]!.length;
    return bytes;
  }

  private node(place: number, depth: number, paths: Int32Array): void {
    const {
      graph: { cards, names, relations },
      cardTypes,
      reach: { cards: reached, parents, vias },
      out,
    } = this;
    const i = reached[place]! * CARD.stride;
    if (place > 1) out.byte(COMMA);
    out.put(ID);
    out.uuid(cards.data, i);
    out.put(cardTypes[cards.data[i + CARD.type]!]!);
    out.copy(names.view, cards.data[i + CARD.nameStart]!, cards.data[i + CARD.nameLength]!);
    out.put(DEPTH);
    out.byte(ZERO + depth);
    out.put(PATH);
    paths[place] = out.at;
    if (depth > 1) {
      // The path of the previous card, which has already been written, plus one relation.
      out.again(paths[parents[place]!]!, (depth - 1) * (QUOTED + 1) - 1);
      out.byte(COMMA);
    }
    out.uuid(relations.data, vias[place]! * RELATION.stride);
    out.put(NODE_END);
  }

  private edge(n: number): void {
    const {
      graph: {
        cards,
        relations: { data },
      },
      relationTypes,
      reach: { edges },
      out,
    } = this;
    const i = edges[n]! * RELATION.stride;
    if (n > 0) out.byte(COMMA);
    out.put(ID);
    out.uuid(data, i);
    out.put(relationTypes[data[i + RELATION.type]!]!);
    out.uuid(cards.data, data[i + RELATION.source]! * CARD.stride);
    out.put(TARGET);
    out.uuid(cards.data, data[i + RELATION.target]! * CARD.stride);
    out.put(EDGE_END);
  }
}
