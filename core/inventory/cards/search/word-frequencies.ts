import type { Database } from '../../../foundation/db/database.js';
import { readFrequentWords } from './words-repository.js';

const REFRESHED_MS = 10 * 60_000;

/** Approximate frequencies of words among all cards, to choose the word to look up and to avoid counting. */
export class WordFrequencies {
  private words: readonly (readonly [word: string, share: number])[] = [];
  private cards = 0;
  private readAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly db: Pick<Database, 'rows'>) {}

  /** Share of the cards that contain a word with this prefix; 0 where it is not a frequent word. */
  share(prefix: string): number {
    this.refreshSoon();
    let sum = 0;
    for (const [word, share] of this.words) if (word.startsWith(prefix)) sum += share;
    return Math.min(1, sum);
  }

  /** Lower bound of the number of cards with such a word: that of the most frequent one. */
  atLeast(prefix: string): number {
    this.refreshSoon();
    let most = 0;
    for (const [word, share] of this.words) if (share > most && word.startsWith(prefix)) most = share;
    return most * this.cards;
  }

  /** Whether no frequent word contains this text. False as long as no frequencies are known. */
  isRare(part: string): boolean {
    this.refreshSoon();
    return this.words.length > 0 && !this.words.some(([word]) => word.includes(part));
  }

  /** Refreshes in the background, because the values are estimates. */
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
