import type { Database } from '../../../foundation/db/database.js';

/** ANALYZE's statistics of the words of cards. https://www.postgresql.org/docs/current/view-pg-stats.html */
const FREQUENT = {
  name: 'cards-frequent-words',
  text: `select (select reltuples::bigint from pg_class where oid = 'cards'::regclass), w.word, w.share
    from (select most_common_elems::text::text[] as words, most_common_elem_freqs as shares from pg_stats
      where schemaname = current_schema() and tablename = 'cards' and attname = 'words') s,
    lateral (select * from unnest(s.words, s.shares[1:cardinality(s.words)]) as w(word, share)) w`,
};

/** @returns the approximate number of cards, and the share of them that contain each frequent word */
export async function readFrequentWords(
  db: Pick<Database, 'rows'>,
): Promise<{ cards: number; words: [word: string, share: number][] }> {
  const rows = (await db.rows(FREQUENT)) as [string, string, string][];
  return { cards: Math.max(0, Number(rows[0]?.[0] ?? 0)), words: rows.map(([, word, share]) => [word, Number(share)]) };
}
