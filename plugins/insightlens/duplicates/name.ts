import { fold, wordsOf } from '../matching/fold.js';
import { COUNTRY_CODES, PLACES } from '../matching/places.js';
import {
  CONCEPT,
  CONCEPT_BY_ROOTS,
  ENVIRONMENTS,
  ENVIRONMENTS_AT_END,
  GENERATIONS,
  GENERIC,
  LEGAL,
  LONGEST_PHRASE,
  NUMBERING,
  ROMAN,
  STOP,
} from './words.js';
import { rootOf } from './word-forms.js';

/** What a word of a name tells apart, if two names differ in it. */
export type WordKind = 'word' | 'generic' | 'number' | 'environment' | 'place' | 'generation';

/** A word of a name. */
export interface NameWord {
  /** What is compared: the concept, or the stem. */
  text: string;
  kind: WordKind;
}

/** Words that are compared of one name. */
const MOST_WORDS = 12;

/** The word without the endings of an English plural. */
function stemOf(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.length > 3 && word.endsWith('s') && !/(?:ss|us|is|os)$/.test(word)) return word.slice(0, -1);
  return word;
}

/** The words of a name as they are written: `App2019` is two, so is `CustomerPortal`; `v2.1` is one. */
function rawWords(name: string): string[] {
  const apart = name
    .replaceAll(/[™®©]/g, '')
    // Dotted letters are one word: S.A., B.V.
    .replaceAll(/\b\p{L}(?:\.\p{L})+\b\.?/gu, (letters) => letters.replaceAll('.', ''))
    .replaceAll(/(\p{Ll})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replaceAll(/(\p{L}{3,})(\d)/gu, '$1 $2')
    .replaceAll(/\b[vVrR]\.?\s?(\d)/g, ' $1')
    .replaceAll(/(\p{L})(\+\+|#)/gu, '$1 $2');
  return (
    fold(apart)
      .replaceAll(/['’`]/g, '')
      .match(/\d+(?:[.,]\d+)+|[\p{L}\p{N}]+|\+\+|#/gu) ?? []
  );
}

/** The code of a country at the end of a name, such as `CRM DE`; elsewhere these letters are words. */
const CODE_AT_END = /[\s(_/-]([A-Z]{2})\)?\s*$/;

function kindOf(word: string, isLast: boolean, code: string | undefined): WordKind {
  if (/^\d/.test(word) || /^\p{L}{1,2}\d+$/u.test(word)) return 'number';
  if (ENVIRONMENTS.has(word) && (isLast || !ENVIRONMENTS_AT_END.has(word))) return 'environment';
  if (GENERATIONS.has(word)) return 'generation';
  if (PLACES.has(word) || (isLast && word === code && COUNTRY_CODES.has(word) && !LEGAL.has(word))) return 'place';
  return 'word';
}

const phraseAt = (roots: readonly string[], at: number, count: number): string | undefined =>
  CONCEPT_BY_ROOTS.get(roots.slice(at, at + count).join(' '));

/** The words of a name: abbreviations, synonyms and translations by their concept, numbers without zeros at the begin. */
export function wordsOfName(name: string): NameWord[] {
  const raw = rawWords(name);
  const roots = raw.map(rootOf);
  const code = CODE_AT_END.exec(name)?.[1]?.toLowerCase();
  const words: NameWord[] = [];
  for (let i = 0; i < raw.length && words.length < MOST_WORDS; ) {
    let n = Math.min(LONGEST_PHRASE, raw.length - i);
    while (n > 1 && phraseAt(roots, i, n) === undefined) n--;
    const word = raw.slice(i, i + n).join(' ');
    const concept = n > 1 ? phraseAt(roots, i, n) : (CONCEPT.get(word) ?? CONCEPT.get(stemOf(word)));
    i += n;
    const kind = kindOf(word, i === raw.length, code);
    if (kind === 'number') words.push({ text: word.replaceAll(',', '.').replace(/^0+(?=\d)/, ''), kind });
    else if (ROMAN[word] && words.length > 0) words.push({ text: ROMAN[word], kind: 'number' });
    else if (kind !== 'word') words.push({ text: `${kind}:${concept ?? word}`, kind });
    else if (NUMBERING.has(word) && /^\d/.test(raw[i] ?? '')) continue;
    else if (STOP.has(word) || LEGAL.has(word)) continue;
    else {
      const text = concept ?? stemOf(word);
      words.push({ text, kind: GENERIC.has(text) ? 'generic' : 'word' });
    }
  }
  return words;
}

/** Words of a description that count, stemmed and by concept, at most `most`. */
export function termsOf(text: string, most: number): string[] {
  const raw = wordsOf(fold(text));
  const terms: string[] = [];
  for (const word of raw) {
    if (word.length < 2 || STOP.has(word)) continue;
    terms.push(CONCEPT.get(word) ?? stemOf(word));
    if (terms.length === most) break;
  }
  return terms;
}
