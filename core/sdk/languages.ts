/** Texts of modules in several languages. */

/** Something in English, and in other languages by their ISO 639 codes. */
export type Translated<T> = Readonly<Record<string, T>> & { readonly en: T };

/** A noun that is counted. */
export interface CountedNoun {
  one: string;
  /** With every number that the language does not treat like 1. */
  other: string;
}

/**
 * The code of the language in which a request gets texts.
 * @param lang BCP 47 tag, such as `de-CH`
 * @returns `en` where there are no texts in the language of the tag
 */
export function languageOf(texts: Translated<unknown>, lang: string): string {
  const language = lang.split('-')[0]!.toLowerCase();
  return Object.hasOwn(texts, language) ? language : 'en';
}

/** The texts for a request. @param lang BCP 47 tag; English where there are none in its language */
export const inLanguage = <T>(texts: Translated<T>, lang: string): T => texts[languageOf(texts, lang)]!;

/**
 * A number with its noun, such as `1 card` and `1,200 cards`. The number is written by the rules of `lang`, and the form of the noun is
 * that of the language of the texts.
 * @param noun of one text
 * @param lang BCP 47 tag
 */
export function countWords<T>(
  count: number,
  texts: Translated<T>,
  noun: (text: T) => CountedNoun,
  lang: string,
): string {
  const language = languageOf(texts, lang);
  const { one, other } = noun(texts[language]!);
  const isOne = new Intl.PluralRules(language).select(count) === 'one';
  return `${new Intl.NumberFormat(lang).format(count)} ${isOne ? one : other}`;
}
