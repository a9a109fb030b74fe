/** The texts of reports in the languages of the platform; English for all others. */
import { countWords as countOf, inLanguage, type CountedNoun, type Translated } from '@lintel/sdk';
import { de } from './de.js';
import { en, type Texts } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import { it } from './it.js';

export { describedFilters, filterWords } from './filters.js';
export type { Texts } from './en.js';

const LANGUAGES: Translated<Texts> = { en, de, fr, es, it };

/** @param lang a BCP 47 tag, such as `de-CH` */
export const textsOf = (lang: string): Texts => inLanguage(LANGUAGES, lang);

/** The nouns that are counted. */
type Noun = { [Key in keyof Texts]: Texts[Key] extends CountedNoun ? Key : never }[keyof Texts];

/** A number with its noun, such as `1 card` and `1,200 cards`. @param lang BCP 47 tag */
export const countWords = (count: number, noun: Noun, lang: string): string =>
  countOf(count, LANGUAGES, (texts) => texts[noun], lang);

/** Parts of a line that are not empty, separated. */
export const line = (...parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== '').join(' · ');
