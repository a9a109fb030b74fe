import {
  TimeSlice,
  type CardRef,
  type InventoryRelationType,
  type ModuleServices,
  type RequestContext,
} from '@lintel/sdk';
import { placeOf } from './content/stored.js';
import { cardView, shownLinks } from './diff-service.js';
import type { ProposeBody, Proposals } from './landscape-schemas.js';
import { readPairs } from './relations-repository.js';
import type { Settings } from './settings.js';
import { findLinks, type VersionLinks } from './versions-repository.js';

const MOST = 500;
/** Different labels of the edges between two cards that are compared with those of relation types, and characters of all of a request. */
const MOST_LABELS = 20;
const MOST_FOLDED = 20_000;

type Proposal = Proposals['proposals'][number];
type Candidate = Proposal['candidates'][number];

/** The edges between two cards. */
interface DrawnPair {
  source: CardRef;
  target: CardRef;
  labels: Set<string>;
  edges: Proposal['edges'];
}

const pairKey = (a: string, b: string): string => (a < b ? `${a} ${b}` : `${b} ${a}`);

/** The pairs of visible cards that edges connect; edges in both directions are one pair. */
function pairsOf(
  { shapes, links }: Pick<VersionLinks, 'shapes' | 'links'>,
  cards: ReadonlyMap<string, CardRef>,
): Map<string, DrawnPair> {
  const places = new Map(shapes.map(({ page, cell, card }) => [placeOf(page, cell), card]));
  const pairs = new Map<string, DrawnPair>();
  for (const { page, cell, source, target, label } of links) {
    const [from, to] = [source, target].map((end) => cards.get(places.get(placeOf(page, end)) ?? ''));
    if (!from || !to || from.id === to.id) continue;
    const key = pairKey(from.id, to.id);
    const pair = pairs.get(key) ?? { source: from, target: to, labels: new Set<string>(), edges: [] };
    if (label !== '' && pair.labels.size < MOST_LABELS) pair.labels.add(label);
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
  ofLabels(labels: ReadonlySet<string>): Set<string> {
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
  { source, target, labels }: DrawnPair,
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
    const version = await findLinks(this.host.db, id);
    if (!version) throw this.host.problem('not_found');
    const ids = [...new Set(version.shapes.map(({ card }) => card))];
    const cards = await this.host.cards.find(ctx, ids);
    const hidden = await this.host.cards.hidden(ctx, version.cards);
    const pairs = pairsOf({ shapes: version.shapes, links: shownLinks(version, hidden) }, cards);
    const created = relations ? await this.create(ctx, pairs, relations) : [];
    return { ...(await this.open(ctx, [...pairs.values()])), created };
  }

  /** Pairs without a relation in either direction, with the types that the metamodel allows. */
  private async open(ctx: RequestContext, pairs: readonly DrawnPair[]): Promise<Omit<Proposals, 'created'>> {
    const { related, types } = await this.host.inventory.read(ctx, {}, async (inventory) => ({
      related: await readPairs(
        inventory,
        pairs.map(({ source, target }) => ({ source: source.id, target: target.id })),
      ),
      types: [...inventory.relationTypes.values()],
    }));
    const has = new Set(related.map(({ source_id, target_id }) => pairKey(source_id, target_id)));
    const found = pairs
      .filter(({ source, target }) => !has.has(pairKey(source.id, target.id)))
      .filter(({ source, target }) => source.status === 'ACTIVE' && target.status === 'ACTIVE');
    const slice = new TimeSlice();
    const folds = new Folds((text) => this.host.searchFold(text));
    const proposals: Proposal[] = [];
    for (const pair of found.slice(0, MOST)) {
      if (slice.isOver) await slice.next();
      proposals.push({
        source: cardView(pair.source),
        target: cardView(pair.target),
        label: [...pair.labels][0] ?? '',
        edges: pair.edges,
        candidates: candidatesOf(pair, types, folds),
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
