import {
  TimeSlice,
  type CardRef,
  type InventoryRelationType,
  type ModuleServices,
  type RequestContext,
} from '@lintel/sdk';
import { cardView } from './diff-service.js';
import { readEdges, type CardEdge } from './edges-repository.js';
import type { ProposeBody, Proposals } from './landscape-schemas.js';
import { readPairs, type CardPair } from './relations-repository.js';
import type { Settings } from './settings.js';
import { findVersionCards } from './versions-repository.js';

const MOST = 500;
/** Pairs whose relations are read at once. */
const STEP = 1_000;
/** Different labels of the edges between two cards that are compared with those of relation types, and characters of all of a request. */
const MOST_LABELS = 20;
const MOST_FOLDED = 20_000;

type Proposal = Proposals['proposals'][number];
type Candidate = Proposal['candidates'][number];

/** The edges between two cards. */
interface DrawnPair extends CardPair {
  /** Neither of the cards is archived. */
  isActive: boolean;
  /** Different ones. */
  labels: string[];
  edges: Proposal['edges'];
}

const pairKey = (a: string, b: string): string => (a < b ? `${a} ${b}` : `${b} ${a}`);

/** The pairs of cards that edges connect; edges in both directions are one pair. */
async function pairsOf(edges: readonly CardEdge[]): Promise<Map<string, DrawnPair>> {
  const slice = new TimeSlice();
  const pairs = new Map<string, DrawnPair>();
  for (const { page, cell, source, target, label, is_active: isActive } of edges) {
    if (slice.isOver) await slice.next();
    const key = pairKey(source, target);
    const pair: DrawnPair = pairs.get(key) ?? { source, target, isActive, labels: [], edges: [] };
    if (label !== '' && pair.labels.length < MOST_LABELS && !pair.labels.includes(label)) pair.labels.push(label);
    pair.edges.push({ page, cell_id: cell });
    pairs.set(key, pair);
  }
  return pairs;
}

const accepts = (expected: string, type: string): boolean => expected === '*' || expected === type;

/** Texts as they are compared, each made once: a label may take a millisecond. */
class Folds {
  private readonly known = new Map<string, string>();
  private characters = 0;

  constructor(private readonly fold: (text: string) => string) {}

  of(text: string): string {
    const known = this.known.get(text);
    if (known !== undefined) return known;
    const folded = this.fold(text);
    this.known.set(text, folded);
    return folded;
  }

  /** Labels of edges, without those beyond what is compared for a request. */
  ofLabels(labels: readonly string[]): Set<string> {
    const found = new Set<string>();
    for (const label of labels) {
      if (!this.known.has(label)) {
        if (this.characters + label.length > MOST_FOLDED) continue;
        this.characters += label.length;
      }
      found.add(this.of(label));
    }
    return found;
  }
}

/** Those with the label of the edge first, then those in its direction. */
function candidatesOf(
  source: CardRef,
  target: CardRef,
  labels: readonly string[],
  types: readonly InventoryRelationType[],
  folds: Folds,
): Candidate[] {
  const words = folds.ofLabels(labels);
  const candidate = (type: InventoryRelationType, isReverse: boolean): Candidate[] => {
    const [from, to] = isReverse ? [target, source] : [source, target];
    if (!accepts(type.sourceType, from.type) || !accepts(type.targetType, to.type)) return [];
    const label = isReverse ? type.reverseLabel : type.label;
    return [
      {
        type: type.key,
        label,
        source_id: from.id,
        target_id: to.id,
        is_reverse: isReverse,
        matches_label: words.has(folds.of(label)),
      },
    ];
  };
  return types
    .flatMap((type) => [...candidate(type, false), ...candidate(type, true)])
    .sort((a, b) => Number(b.matches_label) - Number(a.matches_label) || Number(a.is_reverse) - Number(b.is_reverse));
}

/** Proposes the relations that edges of a diagram show and the landscape does not have. */
export class RelationProposals {
  constructor(private readonly host: ModuleServices<Settings>) {}

  /**
   * The proposals, after the accepted ones were created.
   * @throws not_found, forbidden without relations.view, validation_failed, and what creating relations throws
   */
  async propose(ctx: RequestContext, id: string, { relations }: ProposeBody): Promise<Proposals> {
    const version = await findVersionCards(this.host.db, id);
    if (!version) throw this.host.problem('not_found');
    const hidden = await this.host.cards.hidden(ctx, version.cards);
    const pairs = await pairsOf(await readEdges(this.host, ctx, { id, number: version.number, hidden }));
    const created = relations ? await this.create(ctx, pairs, relations) : [];
    return { ...(await this.open(ctx, [...pairs.values()])), created };
  }

  /** Pairs without a relation in either direction, with the types that the metamodel allows. */
  private async open(ctx: RequestContext, pairs: readonly DrawnPair[]): Promise<Omit<Proposals, 'created'>> {
    const active = pairs.filter(({ isActive }) => isActive);
    const { found, types } = await this.host.inventory.read(ctx, {}, async (inventory) => {
      const without: DrawnPair[] = [];
      for (let at = 0; at < active.length && without.length <= MOST; at += STEP) {
        const some = active.slice(at, at + STEP);
        const related = await readPairs(inventory, some);
        const has = new Set(related.map(({ source_id, target_id }) => pairKey(source_id, target_id)));
        without.push(...some.filter(({ source, target }) => !has.has(pairKey(source, target))));
      }
      return { found: without, types: [...inventory.relationTypes.values()] };
    });
    const shown = found.slice(0, MOST);
    const cards = await this.host.cards.find(ctx, [
      ...new Set(shown.flatMap(({ source, target }) => [source, target])),
    ]);
    const slice = new TimeSlice();
    const folds = new Folds((text) => this.host.searchFold(text));
    const proposals: Proposal[] = [];
    for (const { source: from, target: to, labels, edges } of shown) {
      if (slice.isOver) await slice.next();
      const [source, target] = [cards.get(from), cards.get(to)];
      if (!source || !target) continue;
      proposals.push({
        source: cardView(source),
        target: cardView(target),
        label: labels[0] ?? '',
        edges,
        candidates: candidatesOf(source, target, labels, types, folds),
      });
    }
    return { proposals, is_truncated: found.length > MOST };
  }

  private async create(
    ctx: RequestContext,
    pairs: ReadonlyMap<string, DrawnPair>,
    relations: NonNullable<ProposeBody['relations']>,
  ): Promise<Proposals['created']> {
    const wanted = relations.map(({ type, source_id, target_id }) => ({
      type,
      source_id: source_id.toLowerCase(),
      target_id: target_id.toLowerCase(),
    }));
    const errors = wanted.flatMap(({ source_id, target_id }, i) =>
      pairs.has(pairKey(source_id, target_id))
        ? []
        : [{ field: `/relations/${i}`, reason: 'is between cards that no edge of the diagram connects' }],
    );
    if (errors.length > 0) throw this.host.invalid(...errors);
    const { results } = await this.host.relations.bulk(
      ctx,
      wanted.map((relation) => ({ op: 'create' as const, ...relation })),
    );
    return results.flatMap(({ index, id }) => (id === undefined ? [] : [{ id, ...wanted[index]! }]));
  }
}
