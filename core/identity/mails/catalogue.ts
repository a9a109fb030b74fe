import { de } from './languages/de.js';
import { en } from './languages/en.js';
import { es } from './languages/es.js';
import { fr } from './languages/fr.js';
import { it } from './languages/it.js';

/** Key of a text of the mails. */
export type TextKey = keyof typeof en;
/** The texts of one language. */
export type Catalogue = Readonly<Record<TextKey, string>>;

/** The texts by language; a further language is a file in `languages/` and an entry here. */
export const CATALOGUES = { en, de, fr, es, it } satisfies Record<string, Catalogue>;
export type Language = keyof typeof CATALOGUES;

/**
 * The language of a mail.
 * @param tags BCP 47 tags, such as `de-AT`, the preferred one first
 * @returns the first of them that has texts, or English
 */
export function languageOf(...tags: readonly (string | null | undefined)[]): Language {
  const known = tags.map((tag) => tag?.split('-')[0] ?? '').find((tag) => Object.hasOwn(CATALOGUES, tag));
  return (known as Language | undefined) ?? 'en';
}
