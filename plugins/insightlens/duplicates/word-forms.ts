/**
 * Endings of English, German, French, Spanish, Italian and Dutch words, folded. A word of another language keeps its letters, except where it
 * happens to end like one of these.
 */
const ENDINGS =
  `s es e ed er ers or ors ing ings ion ions ation ations ment ments ship ships ness ance ence al ally ive able
  en ern em ung ungen schaft schaften heit heiten keit keiten isch lich
  eur eurs euse ement ements ateur ateurs age ages
  cion ciones acion aciones dor dores miento mientos
  zione zioni azione azioni mento menti tore tori
  ingen eren heden`
    .trim()
    .split(/\s+/)
    .sort((x, y) => y.length - x.length);
/** Letters that stay: a shorter beginning is that of many words. */
const SHORTEST = 5;

/**
 * What the forms of a word have in common: `relation`, `relations`, `relationship` and `related` have `relat`. It is a key to compare by and no
 * word, and different words may have the same one.
 * @param word folded
 */
export function rootOf(word: string): string {
  let root = word;
  for (;;) {
    const ending = ENDINGS.find((one) => root.length - one.length >= SHORTEST && root.endsWith(one));
    if (ending === undefined) return root.replace(/([^aeiou])\1$/, '$1');
    root = root.slice(0, -ending.length);
  }
}
