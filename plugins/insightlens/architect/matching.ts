import type { TimeSlice } from '@lintel/sdk';
import { termsOf } from './terms.js';

/** A card with its texts. */
export interface TextCard {
  id: string;
  type: string;
  name: string;
  text: string | null;
}
/** A card that has terms of the requirement. */
export interface Match {
  id: string;
  type: string;
  /** Share of the requirement's terms that it has, weighted by their inverse frequency: 0 to 1. */
  fit: number;
  /** The terms of the requirement that it has. */
  terms: string[];
}

/** Weight of a term that is only in the description. */
const IN_TEXT = 0.6;
/** Cards with terms of the requirement that are kept while all are read. */
const MOST_HITS = 20_000;

interface Hit {
  id: string;
  type: string;
  name: string;
  /** By index of the term: its weight. */
  weights: Map<number, number>;
}

/**
 * Compares a requirement with cards by TF-IDF: the frequency of a term is that among the given cards, so that a result depends on no
 * card that the caller does not see.
 */
export class Matcher {
  private readonly index: ReadonlyMap<string, number>;
  private readonly frequency: number[];
  private hits: Hit[] = [];
  private count = 0;

  /** @param terms of the requirement */
  constructor(
    private readonly terms: readonly string[],
    private readonly fold: (text: string) => string,
  ) {
    this.index = new Map(terms.map((term, i) => [term, i]));
    this.frequency = terms.map(() => 0);
  }

  /** Adds a page of cards. */
  async add(cards: readonly TextCard[], slice: TimeSlice): Promise<void> {
    for (const { id, type, name, text } of cards) {
      if (slice.isOver) await slice.next();
      this.count++;
      const weights = new Map<number, number>();
      for (const [source, weight] of [
        [text ?? '', IN_TEXT],
        [name, 1],
      ] as const)
        for (const term of termsOf(this.fold(source))) {
          const at = this.index.get(term);
          if (at !== undefined) weights.set(at, weight);
        }
      for (const at of weights.keys()) this.frequency[at]!++;
      if (weights.size > 0 && this.hits.length < MOST_HITS) this.hits.push({ id, type, name, weights });
    }
  }

  /**
   * Inverse document frequencies, smoothed so that they are positive. A term that no card has weighs as much as those that some have on
   * average: otherwise, in a large landscape, words that are missing everywhere would outweigh all others.
   */
  private weights(): number[] {
    const known = this.frequency.map((n) => (n === 0 ? 0 : Math.log(1 + (this.count + 1) / (n + 0.5))));
    const found = known.filter((weight) => weight > 0);
    const mean = found.reduce((sum, weight) => sum + weight, 0) / Math.max(1, found.length) || 1;
    return known.map((weight) => weight || mean);
  }

  /** The matching cards, the best first. */
  matches(): Match[] {
    const idf = this.weights();
    const all = idf.reduce((sum, one) => sum + one, 0);
    const ranked = this.hits.map(({ id, type, name, weights }) => {
      const score = [...weights].reduce((sum, [at, weight]) => sum + weight * idf[at]!, 0);
      const terms = [...weights.keys()].sort((a, b) => a - b).map((at) => this.terms[at]!);
      return { id, type, name, fit: Math.round((1_000 * score) / all) / 1_000, terms };
    });
    ranked.sort((a, b) => b.fit - a.fit || (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id < b.id ? -1 : 1));
    return ranked.map(({ name: _name, ...match }) => match);
  }

  /** The terms that no card has. */
  get unknown(): string[] {
    return this.terms.filter((_, at) => this.frequency[at] === 0);
  }
}
