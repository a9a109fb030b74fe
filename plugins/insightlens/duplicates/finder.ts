import { Blocking } from './blocking.js';
import { nameScore, NameComparer, type NameComparison } from './compare-names.js';
import { Corpus } from './corpus.js';
import { GROUPS, LEAST_SCORE, type CardInput, type Group, type Pair, type Reason } from './definition.js';
import { Vocabulary } from './vocabulary.js';

/** Words that a description needs to be compared. */
const LEAST_TERMS = 4;
/** Share of the name in the score; the rest is the description. */
const NAME_SHARE = 0.72;
/** How much each kind of shared relations counts. */
const GROUP_WEIGHTS: Readonly<Record<Group, number>> = { capabilities: 4, interfaces: 2.5, suppliers: 1.5, users: 2 };
/** Weight of shared relations from which on they say all that relations can say: capabilities and another kind. */
const STRONG = GROUP_WEIGHTS.capabilities + GROUP_WEIGHTS.suppliers;
/** Less of what the cards share is chance. */
const LEAST_RELATIONS = 0.5;
/** Of names without a common word, the share of what one description and shared relations say. */
const SAME_TEXT = 0.86;
/** Scores below are of pairs that need relations; from the second one on, names and descriptions are the score. */
const [NEEDS_RELATIONS, SURE] = [0.85, 0.9];
/** Least weight of a word that is rarely in two names by chance. */
const RARE_WORD = 0.7;
/** Shared cards that a finding names. */
const MOST_SHARED = 20;

/** What related cards say about two cards. */
interface Relations {
  /** How much they have in common, 0 to 1: 1 from capabilities and one more kind on. */
  score: number;
  /** Kinds that both cards have. */
  groups: number;
  shared: { id: string; group: Group }[];
}

/** Everything that is computed from all cards before the first comparison. */
interface Index {
  blocking: Blocking;
  names: NameComparer;
  /** By term: its inverse frequency in the descriptions. */
  idf: Float32Array;
}

/**
 * Finds cards that are alike. The score is computed from names and descriptions. Where these do not suffice, shared relations are counted, and
 * the shared cards are part of the result. Adding ends with the first comparison. The same cards in the same order give the same pairs.
 */
export class PairFinder {
  private readonly corpus = new Corpus();
  private index: Index | undefined;

  get size(): number {
    return this.corpus.size;
  }

  add(cards: readonly CardInput[]): void {
    for (const card of cards) this.corpus.add(card);
  }

  /** Compares the cards at these positions with the ones before them. */
  match(from: number, to: number): Pair[] {
    const index = (this.index ??= this.build());
    const pairs: Pair[] = [];
    for (let card = from; card < Math.min(to, this.corpus.size); card++)
      for (const other of index.blocking.candidates(card)) {
        const pair = this.compare(index, other, card);
        if (pair) pairs.push(pair);
      }
    return pairs;
  }

  private build(): Index {
    const { corpus } = this;
    const vocabulary = new Vocabulary(corpus);
    const blocking = new Blocking(corpus, vocabulary);
    // Of BM25: ln(1 + (N - n + 0.5) / (n + 0.5)).
    const idf = Float32Array.from(corpus.terms.texts, (_, term) => {
      const n = blocking.countOf(term);
      return Math.log(1 + (Math.max(corpus.size, 200) - n + 0.5) / (n + 0.5));
    });
    return { blocking, names: new NameComparer(corpus, vocabulary), idf };
  }

  private compare(index: Index, a: number, b: number): Pair | undefined {
    if (this.corpus.areLinked(a, b)) return undefined;
    const names = index.names.compare(a, b);
    if (!names || names.isOther) return undefined;
    const text = this.compareTexts(index, a, b);
    const base = scoreOf(names, text);
    // Without any hope that relations make it a finding, they are not compared.
    if (base < 0.4 && !isSameText(text)) return undefined;
    const relations = this.compareRelations(index, a, b);
    // Both have capabilities and users, and none in common.
    const score = relations && relations.groups > 1 && relations.score === 0 ? base - 0.08 : base;
    const reasons = reasonsOf(names, text);
    const evidence = { name: round(names.score), text: text && round(text), relations: null, reasons };
    const [x, y] = [this.corpus.ids[a]!, this.corpus.ids[b]!];
    const ids = x < y ? { a: x, b: y } : { a: y, b: x };
    if (score >= LEAST_SCORE) return { ...ids, score: round(100 * sufficient(score)), evidence, shared: [] };
    if (!relations || relations.score < LEAST_RELATIONS) return undefined;
    const lifted = liftedBy(names, text, score, relations);
    if (lifted < LEAST_SCORE) return undefined;
    const groups = new Set(relations.shared.map(({ group }) => group));
    return {
      ...ids,
      score: round(100 * supported(lifted)),
      evidence: {
        ...evidence,
        relations: round(relations.score),
        reasons: [
          ...reasons,
          ...GROUPS.filter((group) => groups.has(group)).map((group) => `shared_${group}` as const),
        ],
      },
      shared: relations.shared,
    };
  }

  /** Cosine of the descriptions by TF-IDF, with 1 + ln of the frequency in the text; null if one is too short. */
  private compareTexts({ idf }: Index, a: number, b: number): number | null {
    const { textTerms, textCounts } = this.corpus;
    const [termsA, termsB, countsA, countsB] = [textTerms.at(a), textTerms.at(b), textCounts.at(a), textCounts.at(b)];
    if (Math.min(termsA.length, termsB.length) < LEAST_TERMS) return null;
    const weight = (terms: Uint32Array, counts: Uint32Array, i: number): number =>
      (1 + Math.log(counts[i]!)) * idf[terms[i]!]!;
    let dot = 0;
    let [normA, normB] = [0, 0];
    for (let i = 0; i < termsA.length; i++) normA += weight(termsA, countsA, i) ** 2;
    for (let i = 0; i < termsB.length; i++) normB += weight(termsB, countsB, i) ** 2;
    for (let i = 0, j = 0; i < termsA.length && j < termsB.length; ) {
      const difference = termsA[i]! - termsB[j]!;
      if (difference === 0) dot += weight(termsA, countsA, i) * weight(termsB, countsB, j);
      if (difference <= 0) i++;
      if (difference >= 0) j++;
    }
    return dot / Math.sqrt(normA * normB);
  }

  /**
   * By kind, the share of related cards in common times its weight. A sum, not an average over the kinds that both have: with one more shared
   * card of a kind that only one of them had, an average becomes less.
   */
  private compareRelations({ blocking }: Index, a: number, b: number): Relations | undefined {
    const { related, cards } = this.corpus;
    const [left, right] = [related.at(a), new Set(related.at(b))];
    const sums = GROUPS.map(() => ({ a: 0, b: 0, both: 0 }));
    const rarity = (key: number): number => 1 / Math.log(2 + blocking.relatedCount(key));
    const shared: { key: number; weight: number }[] = [];
    for (const key of left) {
      const weight = rarity(key);
      const sum = sums[key % GROUPS.length]!;
      sum.a += weight;
      if (right.has(key)) {
        sum.both += weight;
        shared.push({ key, weight });
      }
    }
    for (const key of right) sums[key % GROUPS.length]!.b += rarity(key);
    let [strength, groups] = [0, 0];
    for (const [i, sum] of sums.entries()) {
      if (sum.a === 0 || sum.b === 0) continue;
      const weight = GROUP_WEIGHTS[GROUPS[i]!];
      strength += (weight * sum.both) / (sum.a + sum.b - sum.both);
      groups++;
    }
    if (groups === 0) return undefined;
    const named = shared
      .sort((x, y) => y.weight - x.weight || x.key - y.key)
      .slice(0, MOST_SHARED)
      .map(({ key }) => ({ id: cards.texts[Math.floor(key / GROUPS.length)]!, group: GROUPS[key % GROUPS.length]! }));
    return { score: Math.min(1, strength / STRONG), groups, shared: named };
  }
}

/**
 * What names and descriptions say, 0 to 1. It never becomes less when the cards share one more word, or when the descriptions are more alike: each
 * rule is a lower bound (`max`), but for names in another order, whose upper bound does not depend on how alike they are.
 */
function scoreOf(names: NameComparison, text: number | null): number {
  const name = nameScore(names);
  const isRare = names.rarest >= RARE_WORD;
  let score = text === null ? name * 0.97 : NAME_SHARE * name + (1 - NAME_SHARE) * text;
  // Every word has its counterpart, one of them a rare one: the description only corrects.
  if (text !== null && names.isCovered && isRare) score = Math.max(score, name * 0.97 + 0.25 * (text - 0.35));
  if (name >= 0.995) score = Math.max(score, text !== null && text < 0.08 ? 0.84 : 0.96 + 0.04 * (text ?? 0.5));
  // The same words in another order may be another thing; the description decides, and how rare the words are.
  if (names.isReordered && text !== null && text < (isRare ? 0.05 : 0.3)) score = Math.min(score, 0.7);
  if (names.isReordered && text === null && !isRare) score = Math.min(score, 0.76);
  return Math.min(1, score);
}

/** With shared relations: of names that are alike the score comes closer to 1, the less the more their other words tell them apart. */
function liftedBy(names: NameComparison, text: number | null, score: number, relations: Relations): number {
  const lift = names.score < 0.5 ? 0 : 0.55 * relations.score * (1 - names.distinction);
  return Math.max(1 - (1 - score) * (1 - lift), sameTextScore(names, text, relations));
}

/** Of cards with one description: by what they share, they may do the same, whatever their names are. One kind of relations is not enough. */
function sameTextScore(names: NameComparison, text: number | null, { score }: Relations): number {
  return isSameText(text) ? text! * score * (SAME_TEXT + (1 - SAME_TEXT) * names.score) : 0;
}

const isSameText = (text: number | null): boolean => text !== null && text >= 0.8;

/** Of a score from `LEAST_SCORE` on that names and descriptions alone give: above all that need relations too. */
const sufficient = (score: number): number =>
  score >= SURE ? score : NEEDS_RELATIONS + ((score - LEAST_SCORE) * (SURE - NEEDS_RELATIONS)) / (SURE - LEAST_SCORE);
/** Of a score from `LEAST_SCORE` on that needs relations. */
const supported = (score: number): number =>
  LEAST_SCORE + ((score - LEAST_SCORE) * (NEEDS_RELATIONS - LEAST_SCORE)) / (1 - LEAST_SCORE);

function reasonsOf(names: NameComparison, text: number | null): Reason[] {
  const reasons = [...names.reasons];
  if (names.score >= 0.8 && !names.reasons.has('same_name')) reasons.push('alike_name');
  if (text !== null && text >= 0.6) reasons.push('alike_text');
  return reasons;
}

const round = (value: number): number => Math.round(value * 1e4) / 1e4;
