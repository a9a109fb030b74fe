import { editDistance, isMisspelling, isReplaced } from '../matching/similarity.js';
import type { Corpus } from './corpus.js';
import type { Reason } from './definition.js';
import type { Vocabulary } from './vocabulary.js';
import { OPPOSITES } from './words.js';

/** What two names have in common. */
export interface NameComparison {
  /** 0 to 1. */
  score: number;
  reasons: Set<Reason>;
  /** Weight of the rarest word that both have, 0 to 1. */
  rarest: number;
  /** Each word of one has a word of the other. */
  isCovered: boolean;
  /** They look alike and are two: versions, environments, places, generations, numbered instances, opposites, names of plants. */
  isOther: boolean;
  /** The words that both have are in another order. */
  isReordered: boolean;
  /** How far the words that only one of them has tell them apart, 0 to 1: 0 if only one of them has such words. */
  distinction: number;
}

/** Quality of words that are written apart in one name and together in the other. */
const COMPOUND = 0.97;
/** Quality of the initials of three words or more. */
const ACRONYM = 0.8;

/** Quality of words that are misspelled and written apart. */
const MISSPELLED = 0.88;

/** How much less alike names are that differ in a distinctive word each; of which the least part, if the words are in many names. */
const [DISTINCTION, LEAST_DISTINCTION] = [0.35, 0.4];

/** How alike two names are, 0 to 1, with what tells them apart. */
export const nameScore = ({ score, distinction }: NameComparison): number => score * (1 - DISTINCTION * distinction);

/** Compares names of cards word by word. */
export class NameComparer {
  constructor(
    private readonly corpus: Corpus,
    private readonly vocabulary: Vocabulary,
  ) {}

  /** The best of all names of two cards; undefined if one of them has no name with a word. */
  compare(a: number, b: number): NameComparison | undefined {
    let best: NameComparison | undefined;
    for (const x of this.corpus.names.at(a))
      for (const y of this.corpus.names.at(b)) {
        const one = this.compareNames([...this.corpus.nameWords.at(x)], [...this.corpus.nameWords.at(y)]);
        // A difference in version or environment counts, whatever the aliases say.
        if (one.isOther && one.score > 0.5) return one;
        if (!best || nameScore(one) > nameScore(best)) best = one;
      }
    return best;
  }

  private compareNames(left: number[], right: number[]): NameComparison {
    const { kinds, words } = this.corpus;
    const { weights } = this.vocabulary;
    const reasons = new Set<Reason>();
    let common = 0;
    let rarest = 0;
    let total = 0;
    const take = (weight: number, quality: number, reason: Reason): void => {
      common += weight * quality;
      total += 2 * weight;
      rarest = Math.max(rarest, weight);
      reasons.add(reason);
    };
    const isSame = left.length === right.length && left.every((word, i) => word === right[i]);
    const isReordered = inOrder(left, right).join() !== inOrder(right, left).join();
    for (let i = 0; i < left.length; )
      if (remove(right, left[i]!)) {
        take(weights[left[i]!]!, 1, 'same_words');
        left.splice(i, 1);
      } else i++;
    for (const [x, y] of [
      [left, right],
      [right, left],
    ] as const)
      for (let i = 0; i < x.length; ) {
        const found = this.composed(words.texts[x[i]!]!, y);
        if (found) {
          take(weights[x[i]!]!, found.quality, found.reason);
          y.splice(found.at, found.count);
          x.splice(i, 1);
        } else i++;
      }
    for (let i = 0; i < left.length; ) {
      const like = right
        .map((word, j) => ({ j, found: this.vocabulary.likeness(left[i]!, word) }))
        .filter(({ found }) => found)
        .sort((x, y) => y.found!.quality - x.found!.quality)[0];
      if (like) {
        take(Math.min(weights[left[i]!]!, weights[right[like.j]!]!), like.found!.quality, like.found!.reason);
        right.splice(like.j, 1);
        left.splice(i, 1);
      } else i++;
    }
    if (this.isJoinedMisspelling(left, right)) {
      const weight = Math.max(...[...left, ...right].map((word) => weights[word]!));
      take(weight, MISSPELLED, 'misspelling');
      left = [];
      right = [];
    }
    const rest = [left, right].map((side) => side.reduce((sum, word) => sum + weights[word]!, 0)) as [number, number];
    total += rest[0] + rest[1];
    const score = total === 0 ? 0 : (2 * common) / total;
    const kindsLeft = new Set([...left, ...right].map((word) => kinds[word]!));
    const isVersion = kindsLeft.has('number');
    const isOther =
      isVersion ||
      kindsLeft.has('environment') ||
      kindsLeft.has('place') ||
      kindsLeft.has('generation') ||
      this.areCounterparts(left, right);
    if (isSame && reasons.delete('same_words')) reasons.add('same_name');
    return {
      score,
      reasons,
      rarest,
      isCovered: left.length + right.length === 0,
      isOther,
      isReordered,
      distinction: this.distinctionOf(left, right),
    };
  }

  /** Words that only one of the names has. */
  private distinctionOf(left: readonly number[], right: readonly number[]): number {
    if (left.length === 0 || right.length === 0) return 0;
    const { distinctions } = this.vocabulary;
    const [x, y] = [left, right].map((words) => Math.max(...words.map((word) => distinctions[word]!)));
    return LEAST_DISTINCTION + (1 - LEAST_DISTINCTION) * Math.min(x!, y!);
  }

  /** Whether the words in which names differ are opposites, or one of each that the inventory uses to tell its names apart. */
  private areCounterparts(left: readonly number[], right: readonly number[]): boolean {
    const { texts } = this.corpus.words;
    if (left.some((x) => right.some((y) => OPPOSITES.get(texts[x]!)?.has(texts[y]!)))) return true;
    return left.length === 1 && right.length === 1 && this.vocabulary.areMarks(left[0]!, right[0]!);
  }

  /**
   * Whether the words that are left are one text with an edit: written apart in another place, such as `Open Stack` and `Opentack`, or
   * short ones in few names with a letter too many or too few, such as `Cde` and `Code`.
   */
  private isJoinedMisspelling(left: readonly number[], right: readonly number[]): boolean {
    const { texts } = this.corpus.words;
    const [x, y] = [left, right].map((words) => words.map((word) => texts[word]!).join('')) as [string, string];
    const length = Math.min(x.length, y.length);
    if (length < 3 || x.replaceAll(/\D/g, '') !== y.replaceAll(/\D/g, '')) return false;
    if (left.length !== right.length) return length >= 7 && isMisspelling(x, y);
    const isOneRare = left.length === 1 && this.vocabulary.areRare(left[0]!, right[0]!);
    return isOneRare && length < 5 && !isReplaced(x, y) && editDistance(x, y, 1) <= 1;
  }

  /** Words of `others` that together are `text`, or of which it has the initials. */
  private composed(
    text: string,
    others: readonly number[],
  ): { at: number; count: number; quality: number; reason: Reason } | undefined {
    const { texts } = this.corpus.words;
    for (let at = 0; at < others.length; at++) {
      let letters = '';
      let initials = '';
      for (let n = 0; at + n < others.length && n < 6; n++) {
        const word = texts[others[at + n]!]!;
        letters += word;
        initials += word[0]!;
        if (n > 0 && letters === text) return { at, count: n + 1, quality: COMPOUND, reason: 'compound' };
        if (n > 1 && initials === text) return { at, count: n + 1, quality: ACRONYM, reason: 'acronym' };
      }
    }
    return undefined;
  }
}

/** The words of a name that another one has too, in their order. */
const inOrder = (words: readonly number[], others: readonly number[]): number[] =>
  words.filter((word) => others.includes(word));

function remove(words: number[], word: number): boolean {
  const at = words.indexOf(word);
  if (at >= 0) words.splice(at, 1);
  return at >= 0;
}
