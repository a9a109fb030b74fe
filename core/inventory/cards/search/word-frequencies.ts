import type { Database } from '../../../foundation/db/database.js';
import { readFrequentWords } from './words-repository.js';

const REFRESHED_MS = 10 * 60_000;

/** How frequent words are among all cards, roughly: which of several words to look up, and what need not be counted. */
export class WordFrequencies {
  private words: readonly (readonly [word: string, share: number])[] = [];
  private cards = 0;
  private readAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly db: Pick<Database, 'rows'>) {}

  /** Share of the cards that have a word beginning so; 0 where it is not among the frequent ones. */
  share(prefix: string): number {
    this.refreshSoon();
    let sum = 0;
    for (const [word, share] of this.words) if (word.startsWith(prefix)) sum += share;
    return Math.min(1, sum);
  }

  /** So many cards have one word beginning so at the least: that of the most frequent one alone. */
  atLeast(prefix: string): number {
    this.refreshSoon();
    let most = 0;
    for (const [word, share] of this.words) if (share > most && word.startsWith(prefix)) most = share;
    return most * this.cards;
  }

  /** Whether no frequent word has this in it. False as long as nothing is known. */
  isRare(part: string): boolean {
    this.refreshSoon();
    return this.words.length > 0 && !this.words.some(([word]) => word.includes(part));
  }

  /** No request waits for it: what it says is an estimate anyway. */
  private refreshSoon(): void {
    if (performance.now() - this.readAt < REFRESHED_MS) return;
    this.readAt = performance.now();
    readFrequentWords(this.db).then(
      ({ cards, words }) => {
        this.cards = cards;
        this.words = words;
      },
      () => undefined,
    );
  }
}
