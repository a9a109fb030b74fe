import { Blocking } from './blocking.js';
import { NameComparer, type NameComparison } from './compare-names.js';
import { Corpus } from './corpus.js';
import { GROUPS, LEAST_SCORE, type CardInput, type Group, type Pair, type Reason } from './definition.js';
import { Vocabulary } from './vocabulary.js';

/** Words that a description needs to be compared. */
const LEAST_TERMS = 4;
/** Share of the name in the score; the rest is the description. */
const NAME_SHARE = 0.72;
/** How much each kind of shared relations counts. */
const GROUP_WEIGHTS: Readonly<Record<Group, number>> = { capabilities: 4, interfaces: 2.5, suppliers: 1.5, users: 2 };
/** Less of what the cards share is chance. */
const LEAST_RELATIONS = 0.5;
/** Least weight of a word that is rarely in two names by chance. */
const RARE_WORD = 0.7;
/** Shared cards that a finding names. */
const MOST_SHARED = 20;

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
    if (base < 0.4 && !isSameText(names, text)) return undefined;
    const relations = this.compareRelations(index, a, b);
    // Both have capabilities and users, and none in common.
    const score = relations && relations.groups > 1 && relations.score === 0 ? base - 0.08 : base;
    const reasons = reasonsOf(names, text);
    const evidence = { name: round(names.score), text: text && round(text), relations: null, reasons };
    const [x, y] = [this.corpus.ids[a]!, this.corpus.ids[b]!];
    const ids = x < y ? { a: x, b: y } : { a: y, b: x };
    if (score >= LEAST_SCORE) return { ...ids, score: round(100 * score), evidence, shared: [] };
    if (!relations || relations.score < LEAST_RELATIONS) return undefined;
    const lifted = isSameText(names, text) ? (text! + relations.score) / 2 : liftedBy(names, score, relations.score);
    if (lifted < LEAST_SCORE) return undefined;
    const groups = new Set(relations.shared.map(({ group }) => group));
    return {
      ...ids,
      score: round(100 * lifted),
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

  /** Weighted share of related cards in common, by kind, over the kinds that both have. */
  private compareRelations(
    { blocking }: Index,
    a: number,
    b: number,
  ): { score: number; groups: number; shared: { id: string; group: Group }[] } | undefined {
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
    let [score, total, groups] = [0, 0, 0];
    for (const [i, sum] of sums.entries()) {
      if (sum.a === 0 || sum.b === 0) continue;
      const weight = GROUP_WEIGHTS[GROUPS[i]!];
      score += (weight * sum.both) / (sum.a + sum.b - sum.both);
      total += weight;
      groups++;
    }
    if (groups === 0) return undefined;
    const named = shared
      .sort((x, y) => y.weight - x.weight || x.key - y.key)
      .slice(0, MOST_SHARED)
      .map(({ key }) => ({ id: cards.texts[Math.floor(key / GROUPS.length)]!, group: GROUPS[key % GROUPS.length]! }));
    return { score: score / total, groups, shared: named };
  }
}

/** What names and descriptions say, 0 to 1. */
function scoreOf(names: NameComparison, text: number | null): number {
  const name = names.isDistinct ? names.score * 0.65 : names.score;
  // The same words in another order may be another thing; the description decides, and how rare the words are.
  const isRare = names.rarest >= RARE_WORD;
  if (name >= 0.995 && !names.reasons.has('same_name')) {
    if (text !== null && text < (isRare ? 0.05 : 0.3)) return 0.7;
    if (text === null && !isRare) return 0.76;
  }
  if (name >= 0.995) return text !== null && text < 0.08 ? 0.84 : 0.96 + 0.04 * (text ?? 0.5);
  if (text === null) return name * 0.97;
  // Every word has its counterpart, one of them a rare one: the description only corrects.
  if (names.isCovered && isRare) return Math.min(1, name * 0.97 + 0.25 * (text - 0.35));
  return NAME_SHARE * name + (1 - NAME_SHARE) * text;
}

/** Names that differ in one distinctive part are two, whatever the cards share. */
function liftedBy(names: NameComparison, score: number, relations: number): number {
  return names.isDistinct || names.score < 0.5 ? score : 1 - (1 - score) * (1 - 0.55 * relations);
}

/** Quite different names, and one description: by what they share, they may do the same. */
function isSameText(names: NameComparison, text: number | null): boolean {
  return names.isDistinct && names.score < 0.4 && text !== null && text >= 0.8;
}

function reasonsOf(names: NameComparison, text: number | null): Reason[] {
  const reasons = [...names.reasons];
  if (names.score >= 0.8 && !names.reasons.has('same_name')) reasons.push('alike_name');
  if (text !== null && text >= 0.6) reasons.push('alike_text');
  return reasons;
}

const round = (value: number): number => Math.round(value * 1e4) / 1e4;
