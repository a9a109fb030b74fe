/** The texts of reports in the languages of the platform; English for all others. */
import { de } from './de.js';
import { en, type Texts } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import { it } from './it.js';

export { describedFilters, filterWords } from './filters.js';
export type { Texts } from './en.js';

const LANGUAGES: Readonly<Record<string, Texts>> = { en, de, fr, es, it };

/** The language in which a request gets texts. @param lang a BCP 47 tag, such as `de-CH` */
function languageOf(lang: string): string {
  const language = lang.split('-')[0]!.toLowerCase();
  return Object.hasOwn(LANGUAGES, language) ? language : 'en';
}

/** @param lang a BCP 47 tag, such as `de-CH` */
export const textsOf = (lang: string): Texts => LANGUAGES[languageOf(lang)]!;

/** The nouns that are counted. */
type Noun = { [Key in keyof Texts]: Texts[Key] extends { one: string; other: string } ? Key : never }[keyof Texts];

/** A number with its noun, such as `1 card` and `1,200 cards`. @param lang BCP 47 tag */
export function countWords(count: number, noun: Noun, lang: string): string {
  const { one, other } = textsOf(lang)[noun];
  const isOne = new Intl.PluralRules(languageOf(lang)).select(count) === 'one';
  return `${new Intl.NumberFormat(lang).format(count)} ${isOne ? one : other}`;
}

/** Parts of a line that are not empty, separated. */
export const line = (...parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== '').join(' · ');
