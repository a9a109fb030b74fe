import type { Bindings } from '../../../foundation/db/list-query.js';
import { searchFold } from '../../../foundation/text.js';

/** What of a name is no word but is searched for all the same: arrows, symbols and pictures, as an index knows them. */
const PICTURE = /[\u2190-\u2bff\u{1f000}-\u{1faff}]/gu;
const PICTURED = `(c.name || coalesce(c.alias, '')) ~ '[\\u2190-\\u2bff\\U0001F000-\\U0001FAFF]'`;
const MOST_WORDS = 100;

/** A search as conditions on `c`. */
export interface Search {
  /** The words, where there is nothing else to it. */
  words: readonly string[];
  /** What a hit must meet, by the indexes over words and parts of names. */
  indexed: string[];
  /** The same, by looking at the row alone: for rows that are read in the order of a list anyway. */
  looked: string[];
  /** How well a hit fits, more is better; the name counts most. To be asked for once, and only where it is used. */
  rank(): string;
}

/** The words of a search, folded as names and texts are. */
export const searchWords = (search: string): string[] =>
  [...new Set(searchFold(search).split(' ').filter(Boolean))].slice(0, MOST_WORDS);

/**
 * Every word must match: as a word prefix anywhere, or as a part of name or alias. One or two letters without other words match the
 * beginning of a name, because the index over parts of names needs three letters; beside other words they are prefixes. Of several
 * words the rarest is looked up, and the others are looked for in what it finds: the index would gather all their cards.
 * @param share how frequent a word is, from 0 to 1; of words that are as rare, the longest is looked up
 */
export function compileSearch(search: string, bindings: Bindings, share: (word: string) => number = () => 0): Search {
  const words = searchWords(search);
  const pictures = [...new Set(search.match(PICTURE) ?? [])].slice(0, MOST_WORDS);
  if (words.length === 0 && pictures.length === 0)
    return { words, indexed: ['false'], looked: ['false'], rank: () => '0' };
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
      // Words are of letters and digits: nothing in them means anything to LIKE.
      indexed.push(`c.search_name like (select ${bare}::text || '%')`);
      looked.push(`starts_with(c.search_name, ${bare}::text)`);
    } else {
      // Out of a subquery, so that the planner does not know the word: what it thinks of rare ones makes it read all rows.
      const prefix = `c.words @@ (select (${bare}::text || ':*')::tsquery)`;
      const wordBegins = `strpos(' ' || c.search_text, ' ' || ${bare}::text) > 0`;
      const seen = isShort(word) ? wordBegins : `(${wordBegins} or strpos(c.search_name, ${bare}::text) > 0)`;
      looked.push(seen);
      if (word !== rarest) indexed.push(seen);
      // The name first: it is looked at again in each row found by a part of one, and is quicker to look at than all words.
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
  let ranked: string | undefined;
  // Once, however often a page is put together: a value that is bound and not used has no type.
  const rank = (): string => {
    if (ranked !== undefined) return ranked;
    const together =
      words.length > 1
        ? [`case when strpos(c.search_name, ${bindings.add(words.join(' '))}::text) > 0 then 16 else 0 end`]
        : [];
    return (ranked = `(${[...ranks, ...together, '0'].join(' + ')})`);
  };
  return { words: pictures.length > 0 ? [] : words, indexed, looked, rank };
}
