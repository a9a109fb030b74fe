import type { ImpactReach, RequestContext } from '@lintel/sdk';
import { lacks, type AccessGate } from '../access/index.js';
import { commaSeparated } from '../cards/index.js';
import type { Database } from '../../foundation/db/database.js';
import { invalid, problem } from '../../foundation/errors.js';
import type { Metamodel, MetamodelService } from '../metamodel/index.js';
import { answerOf } from './answer.js';
import type { RelationGraph } from './graph.js';
import type { GraphMemory } from './memory.js';
import { readImpact } from './repository.js';
import { DEFAULT_DEPTH, MAX_EDGES, MAX_NODES, type Direction, type ImpactRequest } from './request.js';
import { walk } from './walk.js';

interface ImpactQuery {
  direction?: string | undefined;
  depth?: number | undefined;
  /** Keys of relation types, comma-separated. */
  relation_type?: string | undefined;
}

const VIEW = 'relations.view';

/** Impact analysis over the relations between cards that the caller may see. */
export class ImpactService {
  /** Number of responses so far, by source. */
  readonly answered = { memory: 0, database: 0 };

  constructor(
    private readonly db: Database,
    private readonly metamodel: MetamodelService,
    private readonly access: AccessGate,
    private readonly memory: GraphMemory,
  ) {}

  /** Number of relations in memory; 0 where there is no graph. */
  get held(): number {
    return this.memory.held;
  }

  /**
   * @returns the response as JSON text: from memory, or from the database where the graph is not available
   * @throws forbidden without relations.view, not_found, a 422 for an unknown relation type
   */
  async impact(ctx: RequestContext, cardId: string, query: ImpactQuery): Promise<Buffer> {
    const request = this.request(ctx, cardId, query);
    const known = await this.fromMemory(request);
    const answer = known ?? (await readImpact(this.db, request));
    this.answered[known === undefined ? 'database' : 'memory']++;
    if (answer === 'absent') {
      // The card itself may be visible although its relations are not: the response is then a 403 instead of a 404.
      if (this.access.relationlessTypes(ctx).length > this.access.hiddenTypes(ctx).length)
        await this.access.card(ctx, cardId).then(() => {
          throw lacks(VIEW);
        });
      throw problem('not_found');
    }
    return typeof answer === 'string' ? Buffer.from(answer) : answer;
  }

  /**
   * As `impact`, from several cards at once; unknown and hidden ones are omitted.
   * @throws forbidden without relations.view, a 422 for an unknown relation type
   */
  async reach(ctx: RequestContext, cardIds: readonly string[], query: ImpactQuery): Promise<ImpactReach> {
    const request = this.request(ctx, '', query);
    const ids = [...new Set(cardIds.map((id) => id.toLowerCase()))];
    const graph = ids.length > 0 ? await this.memory.fresh() : undefined;
    const answers = graph
      ? ids.flatMap((cardId) => reached(graph, { ...request, cardId }))
      : ids.length > 0
        ? [await readImpact(this.db, request, ids)]
            .filter((answer) => answer !== 'absent')
            .map((answer) => JSON.parse(answer) as ImpactReach)
        : [];
    return merged(answers, ids);
  }

  /** Lets the graph be read again. */
  renew(): void {
    this.memory.renew();
  }

  /** Ends the background work of the graph. */
  async close(): Promise<void> {
    await this.memory.close();
  }

  /** @throws forbidden without relations.view, a 422 for an unknown relation type */
  private request(ctx: RequestContext, cardId: string, query: ImpactQuery): ImpactRequest {
    if (!this.access.holdsAnywhere(ctx, VIEW)) throw lacks(VIEW);
    const metamodel = this.metamodel.current;
    return {
      cardId,
      direction: (query.direction ?? 'downstream') as Direction,
      depth: query.depth ?? DEFAULT_DEPTH,
      types: relationTypes(query.relation_type, metamodel),
      hiddenTypes: this.access.relationlessTypes(ctx),
      today: new Date().toISOString().slice(0, 10),
    };
  }

  private async fromMemory(request: ImpactRequest): Promise<Buffer | 'absent' | undefined> {
    const graph = await this.memory.fresh();
    if (!graph) return undefined;
    const reach = walk(graph, request);
    return reach ? answerOf(graph, reach) : 'absent';
  }
}

/** The result from memory; empty where the card does not exist or is hidden. */
function reached(graph: RelationGraph, request: ImpactRequest): ImpactReach[] {
  const reach = walk(graph, request);
  return reach ? [JSON.parse(answerOf(graph, reach).toString()) as ImpactReach] : [];
}

function relationTypes(text: string | undefined, metamodel: Metamodel): string[] | undefined {
  if (text === undefined) return undefined;
  const types = commaSeparated(text);
  const unknown = types.find((type) => !metamodel.relationTypes.has(type));
  if (unknown !== undefined || types.length === 0)
    throw invalid({ field: 'relation_type', reason: `${unknown ?? 'it'} is no relation type`, in: 'query' });
  return types;
}

/**
 * Merges the results for several start cards: each card with its shortest path, among equal ones that of the first
 * result. Start cards are not among the reached cards.
 */
function merged(answers: readonly ImpactReach[], starts: readonly string[]): ImpactReach {
  const nodes = new Map<string, ImpactReach['nodes'][number]>();
  const edges = new Map<string, ImpactReach['edges'][number]>();
  const begun = new Set(starts);
  for (const answer of answers) {
    for (const node of answer.nodes) {
      const before = nodes.get(node.id);
      if (!begun.has(node.id) && (!before || node.depth < before.depth)) nodes.set(node.id, node);
    }
    for (const edge of answer.edges) edges.set(edge.id, edge);
  }
  const isCut = nodes.size > MAX_NODES || edges.size > MAX_EDGES;
  const all = [...nodes.values()].sort((a, b) => a.depth - b.depth || (a.id < b.id ? -1 : 1));
  return {
    nodes: all.slice(0, MAX_NODES),
    edges: [...edges.values()].slice(0, MAX_EDGES),
    truncated: isCut || answers.some(({ truncated }) => truncated),
  };
}
