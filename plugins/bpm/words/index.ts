/** The texts of drawings in the languages of the platform; English for all others. */
import { de } from './de.js';
import { en, type Noun, type Texts } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import { it } from './it.js';

export type { Texts } from './en.js';

const LANGUAGES = { en, de, fr, es, it } as const;
export type Language = keyof typeof LANGUAGES;

/** The language of a drawing. @param lang a BCP 47 tag, such as `de-CH` */
export function languageOf(lang: string): Language {
  const language = lang.split('-')[0]!.toLowerCase();
  return Object.hasOwn(LANGUAGES, language) ? (language as Language) : 'en';
}

export const textsIn = (language: Language): Texts => LANGUAGES[language];

/** A number with its noun, such as `1 shape` and `1,200 shapes`. */
export function counted(count: number, { one, other }: Noun, language: Language): string {
  const isOne = new Intl.PluralRules(language).select(count) === 'one';
  return `${new Intl.NumberFormat(language).format(count)} ${isOne ? one : other}`;
}

const inWords = (type: string): string => {
  const words = type.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** A kind of element in words, such as `User task`. @param type its name in files; any text */
export const kindIn = (language: Language, type: string): string => {
  const { kinds } = textsIn(language);
  return Object.hasOwn(kinds, type) ? kinds[type]! : inWords(type);
};
