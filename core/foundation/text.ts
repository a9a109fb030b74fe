const MARKS = /\p{M}+/gu;
const NOT_WORD = /[^\p{L}\p{N}]+/gu;

/**
 * Full case folding as JavaScript can do it: up, then down, so that ß equals ss and the final sigma equals the
 * inner one; ẞ is a capital already and would come down as ß. https://www.unicode.org/reports/tr21/tr21-5.html
 * (caseless matching)
 */
const caseFold = (text: string): string => text.replaceAll('ẞ', 'ß').toUpperCase().toLowerCase().replaceAll('ς', 'σ');

/** The key under which names are unique and sorted: NFKC and full case fold, compared bytewise. */
export function nameKey(text: string): string {
  return caseFold(text.normalize('NFKC')).normalize('NFKC');
}

/** Text as search sees it: case and accents folded, everything but letters and digits a single blank. */
export function searchFold(text: string): string {
  return caseFold(text.normalize('NFKD').replace(MARKS, ''))
    .normalize('NFKD')
    .replace(MARKS, '')
    .replace(NOT_WORD, ' ')
    .trim();
}

/** What of a card is searched, as it is stored: its names, and all its words. */
export function searchColumns({
  name,
  alias,
  external_id,
  description,
}: {
  name: string;
  alias: string | null;
  external_id: string | null;
  description: string | null;
}): { search_name: string; search_text: string } {
  const names = [name, alias].filter(Boolean).join(' ');
  return {
    search_name: searchFold(names),
    search_text: indexedWords(searchFold([names, external_id, description].filter(Boolean).join(' '))),
  };
}

/** Of a word in the index over words, which holds none beyond 2,046 bytes. */
const MOST_OF_WORD = 400;

/** Folded text whose words the index over words can hold; what is cut off a word is beyond what anybody searches. */
export function indexedWords(folded: string): string {
  return folded.length <= MOST_OF_WORD
    ? folded
    : folded.replace(/[^ ]{401,}/gu, (word) => [...word].slice(0, MOST_OF_WORD).join(''));
}
