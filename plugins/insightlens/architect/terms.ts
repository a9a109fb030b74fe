/** Words of requirements that say nothing about their subject, in English and German. */
const STOP = new Set(
  `a about across after all also an and any are as at be been both but by can could each every for from get give has have how i if in into is it its
  it's just like made make many may more most must need needed needs new no not of on one only or other our out over per please provide provides
  require required requirement requirements requires shall should so some such support supports system systems than that the their them then there these
  they this through to too under up us use used user users using via want we what when where which while who will with within without would you your
  aber alle als am an auch auf aus bei bis da damit das dass dem den der des die dies diese dieser durch ein eine einem einen einer eines es für hat
  haben ich im in ist kann können man mit muss müssen nach neu neue neues nicht nur oder ob per pro sein sich sie sind soll sollen sowie über um
  und uns unser unsere unter vom von vor was wenn werden wie wir wird zu zum zur`
    .split(/\s+/)
    .map((word) => word.normalize('NFKD').replace(/\p{M}/gu, '')),
);
const ENDINGS = ['ungen', 'ments', 'ment', 'ings', 'ung', 'ing', 'ies', 'ers', 'ed', 'es', 'en', 'er', 's', 'e', 'y'];
const MOST_LENGTH = 60;
/** Terms of a requirement that count: the first different ones. */
export const MOST_TERMS = 60;

/** A word without its ending, so that forms of it are one term; at least four letters are kept. */
function stem(word: string): string {
  const ending = ENDINGS.find((one) => word.endsWith(one) && word.length - one.length >= 4);
  return ending === undefined ? word : word.slice(0, -ending.length);
}

/**
 * The terms of a text.
 * @param folded without case and accents
 */
export function termsOf(folded: string): string[] {
  return (folded.match(/[\p{L}\p{N}]+/gu) ?? [])
    .filter((word) => word.length >= 2 && word.length <= MOST_LENGTH && !STOP.has(word))
    .map(stem);
}

/** The different terms of a requirement, with the words as they are written there. */
export function requirementTerms(text: string, fold: (text: string) => string): Map<string, string> {
  const terms = new Map<string, string>();
  for (const word of text.match(/[\p{L}\p{N}]+/gu) ?? []) {
    const [term] = termsOf(fold(word));
    if (term !== undefined && !terms.has(term) && terms.size < MOST_TERMS) terms.set(term, word);
  }
  return terms;
}
