import type { Bindings } from '../../../foundation/db/list-query.js';
import { nameKey, searchFold } from '../../../foundation/text.js';

/** Characters of a name that are not part of words but searchable: arrows, symbols and emoji, as in the index. */
const PICTURE = /[\u2190-\u2bff\u{1f000}-\u{1faff}]/gu;
const PICTURED = `(c.name || coalesce(c.alias, '')) ~ '[\\u2190-\\u2bff\\U0001F000-\\U0001FAFF]'`;
/** Maximum number of words, and of symbols, of a search: each card is compared with all of them. */
export const MOST_WORDS = 32;

/** A search as conditions on `c`. */
export interface Search {
  /** The words, if the search consists only of words. */
  words: readonly string[];
  /** Conditions that use the indexes on words and parts of names. */
  indexed: string[];
  /** Equivalent conditions that only use the row, for rows that are scanned in list order. */
  looked: string[];
  /**
   * The cards whose name is the search text, ignoring only case: they are hits, and the best ones. Like `rank` it binds a value: call it
   * only where it is used.
   */
  named(): string;
  /** Relevance of a hit, higher is better; the name has the highest weight. */
  rank(): string;
}

/** More than the ranks of all words together. */
const NAMED_RANK = 1_000;

/** The words of a search, folded like names and texts. */
export const searchWords = (search: string): string[] => [...new Set(searchFold(search).split(' ').filter(Boolean))];

/**
 * Every word must match: as a prefix of any word, or as a part of name or alias. One or two letters without other words
 * match the beginning of a name, because the trigram index needs three letters; with other words they are prefixes. A search without words
 * and symbols, such as `***`, matches the names that equal it. Of
 * several words only the rarest uses the index, and the others are checked on its hits: the index would collect all
 * cards of each word.
 * @returns undefined for more than `MOST_WORDS` words and symbols
 * @param share frequency of a word, from 0 to 1; of equally rare words the longest is used
 */
export function compileSearch(
  search: string,
  bindings: Bindings,
  share: (word: string) => number = () => 0,
): Search | undefined {
  const words = searchWords(search);
  const pictures = [...new Set(search.match(PICTURE) ?? [])];
  if (words.length + pictures.length > MOST_WORDS) return undefined;
  const named = once(() => `c.name_key = ${bindings.add(nameKey(search.trim()))}::text`);
  if (words.length === 0 && pictures.length === 0)
    return { words, indexed: [named()], looked: [named()], named, rank: () => '0' };
  const indexed: string[] = [];
  const looked: string[] = [];
  const ranks: string[] = [];
  const isShort = (word: string) => [...word].length <= 2;
  const isSingle = words.length === 1 && pictures.length === 0;
  const weight = (word: string) => (isShort(word) ? 2 : share(word)) - word.length / 1_000;
  const rarest =
    words.length > 0 ? words.reduce((best, word) => (weight(word) < weight(best) ? word : best)) : undefined;
  for (const word of words) {
    const bare = bindings.add(word);
    if (isSingle && isShort(word)) {
      // Words consist of letters and digits, so they contain no LIKE wildcards.
      indexed.push(`c.search_name like (select ${bare}::text || '%')`);
      looked.push(`starts_with(c.search_name, ${bare}::text)`);
    } else {
      // In a subquery, so that the planner does not see the word: its estimate for rare words would lead to a
      // sequential scan.
      const prefix = `c.words @@ (select (${bare}::text || ':*')::tsquery)`;
      const wordBegins = `strpos(' ' || c.search_text, ' ' || ${bare}::text) > 0`;
      const seen = isShort(word) ? wordBegins : `(${wordBegins} or strpos(c.search_name, ${bare}::text) > 0)`;
      looked.push(seen);
      if (word !== rarest) indexed.push(seen);
      // The name first: it is rechecked for each row found by a trigram, and is faster to check than all words.
      else
        indexed.push(isShort(word) ? prefix : `(c.search_name like (select '%' || ${bare}::text || '%') or ${prefix})`);
    }
    ranks.push(`case when c.search_name = ${bare}::text then 16 when strpos(' ' || c.search_name || ' ', ' ' || ${bare}::text || ' ') > 0 then 8
      when strpos(' ' || c.search_name, ' ' || ${bare}::text) > 0 then 4 when strpos(c.search_name, ${bare}::text) > 0 then 2 else 0 end`);
  }
  for (const picture of pictures) {
    const has = `strpos(c.name || coalesce(c.alias, ''), ${bindings.add(picture)}::text) > 0`;
    indexed.push(`${PICTURED} and ${has}`);
    looked.push(has);
  }
  const rank = once(() => {
    const together =
      words.length > 1
        ? [`case when strpos(c.search_name, ${bindings.add(words.join(' '))}::text) > 0 then 16 else 0 end`]
        : [];
    return `(${[...ranks, ...together, `case when ${named()} then ${NAMED_RANK} else 0 end`].join(' + ')})`;
  });
  return { words: pictures.length > 0 ? [] : words, indexed, looked, named, rank };
}

/** Computed at the first use, even if the page is planned several times: a bound value that is not used would have no type. */
function once(compile: () => string): () => string {
  let compiled: string | undefined;
  return () => (compiled ??= compile());
}
