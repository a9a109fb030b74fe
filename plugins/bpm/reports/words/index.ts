/** The texts of the reports in the languages of the platform; English for all others. */
import { countWords, inLanguage, type Translated } from '@lintel/sdk';
import { de } from './de.js';
import { en, type Noun, type Texts } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import { it } from './it.js';

const LANGUAGES: Translated<Texts> = { en, de, fr, es, it };

/** @param lang a BCP 47 tag, such as `de-CH` */
export const textsOf = (lang: string): Texts => inLanguage(LANGUAGES, lang);

/** A number with its noun, such as `1 process` and `1,200 processes`. @param lang BCP 47 tag */
export const count = (number: number, noun: Noun, lang: string): string =>
  countWords(number, LANGUAGES, ({ nouns }) => nouns[noun], lang);
