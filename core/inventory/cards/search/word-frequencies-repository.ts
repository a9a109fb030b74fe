import type { Database } from '../../../foundation/db/database.js';
import { asService } from '../../../foundation/request-use.js';

/** Interval between two reads, in ms. */
const REFRESHED_MS = 10 * 60_000;

/** ANALYZE's statistics of the words of cards. https://www.postgresql.org/docs/current/view-pg-stats.html */
const FREQUENT = {
  name: 'cards-frequent-words',
  text: `select (select reltuples::bigint from pg_class where oid = 'cards'::regclass), w.word, w.share
    from (select most_common_elems::text::text[] as words, most_common_elem_freqs as shares from pg_stats
      where schemaname = current_schema() and tablename = 'cards' and attname = 'words') s,
    lateral (select * from unnest(s.words, s.shares[1:cardinality(s.words)]) as w(word, share)) w`,
};

/** @returns the approximate number of cards, and the share of them that contain each frequent word */
async function readFrequentWords(
  db: Pick<Database, 'rows'>,
): Promise<{ cards: number; words: [word: string, share: number][] }> {
  const rows = (await db.rows(FREQUENT)) as [string, string, string][];
  return { cards: Math.max(0, Number(rows[0]?.[0] ?? 0)), words: rows.map(([, word, share]) => [word, Number(share)]) };
}

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
    asService(() => readFrequentWords(this.db)).then(
      ({ cards, words }) => {
        this.cards = cards;
        this.words = words;
      },
      () => undefined,
    );
  }
}
