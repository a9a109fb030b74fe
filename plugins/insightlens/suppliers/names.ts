import { cut } from '../matching/cut.js';
import { fold, soundOf, wordsOf } from '../matching/fold.js';
import { editDistance, isMisspelling, isReplaced, jaroWinkler } from '../matching/similarity.js';
import { COUNTRIES } from '../matching/places.js';
import { ABBREVIATIONS, DESCRIPTORS, GENERIC_HEADS, JOINING, LEADING_FORMS, LEGAL_FORMS } from './words.js';

/** The name of a supplier as it is compared. */
export interface SupplierName {
  /** Its words without legal form, country and order of case; two names with one key are spellings of one name. */
  key: string;
  /** Keys of other names that the text states: `X dba Y`, `X (formerly Y)`. */
  others: string[];
}

const STATED =
  /\s*[,(]?\s*\b(?:d\/b\/a|d\.b\.a\.?|dba|doing business as|t\/a|trading as|a\.?k\.?a\.?|also known as|formerly(?: known as)?|f\/k\/a|fka|previously|fr[uü]her|vormals|ehemals|anciennement|now)\b\s*/i;
const OWNED = /[,(–-]\s*an?\s+\S.*\s+(?:company|business|brand)\)?\s*$/i;
/** Longest name that is compared, in characters. */
const LONGEST = 200;

/** Whether the words begin with the name of a country. @returns number of words at the end that are a country, 0 if none */
function countryAtEnd(words: readonly string[]): number {
  for (const n of [3, 2, 1]) if (words.length > n && COUNTRIES.has(words.slice(-n).join(' '))) return n;
  return 0;
}

function keyOf(text: string): string {
  // Dotted letters are one word: S.p.A., U.S.A.
  const undotted = fold(text)
    .replaceAll(/\b\p{L}(?:\.\s?\p{L}\b)+\.?/gu, (letters) => letters.replaceAll(/[.\s]/g, ''))
    .replace(/\.(?:com|net|org)\b/, '');
  let words = wordsOf(undotted).filter((word) => word !== '&' && word !== '+');
  const all = words;
  while (words.length > 1 && LEADING_FORMS.has(words[0]!)) words = words.slice(1);
  for (let isChanged = true; isChanged && words.length > 1; ) {
    isChanged = false;
    // Letters of a legal form that are written apart: S A, Sp z o o.
    for (const n of [4, 3, 2, 1])
      if (
        words.length > n &&
        LEGAL_FORMS.has(words.slice(-n).join('')) &&
        (n === 1 || words.slice(-n).every((word) => word.length <= 2))
      ) {
        words = words.slice(0, -n);
        isChanged = true;
        break;
      }
    if (isChanged) continue;
    const n = countryAtEnd(words);
    const before = words[words.length - n - 1];
    const isOnlyHead = words.length - n === 1 && GENERIC_HEADS.has(before!);
    if (n > 0 && !isOnlyHead && !JOINING.has(before!)) {
      words = words.slice(0, -n);
      isChanged = true;
    } else if (words.length > 2 && JOINING.has(words.at(-1)!)) {
      words = words.slice(0, -1);
      isChanged = true;
    }
  }
  const kept = words.filter((word, i) => i === 0 || !JOINING.has(word)).map((word) => ABBREVIATIONS[word] ?? word);
  // One character may be many in compatibility form, and an index has no room for them.
  return cut((kept.length > 0 ? kept : all).join(' '), LONGEST).trimEnd();
}

/** Reads a name; undefined for a text without letters and digits, and for one that says that there is no supplier. */
export function readName(text: string): SupplierName | undefined {
  const given = cut(text.trim(), LONGEST).replace(OWNED, '');
  const [first, ...stated] = given.split(STATED).filter((part) => part.trim() !== '');
  if (first === undefined) return undefined;
  const bracket = /\(([^()]*)\)/.exec(first)?.[1] ?? '';
  const key = keyOf(first.replaceAll(/\([^()]*\)/g, ' ') || first);
  if (
    !/[\p{L}\p{N}]/u.test(key) ||
    /^(?:n a|na|none|unknown|tbd|various|internal|in house|inhouse|self|own|other|misc|divers)$/.test(key)
  )
    return undefined;
  const others = stated.map((part) => keyOf(part.replaceAll(/[()]/g, ' ')));
  // An acronym in brackets is another name.
  const words = wordsOf(fold(first.replaceAll(/\([^()]*\)/g, ' '))).filter((word) => !JOINING.has(word));
  const short = fold(bracket).replaceAll(/[^a-z0-9]/g, '');
  if (
    short.length >= 3 &&
    words
      .map((word) => word[0])
      .join('')
      .startsWith(short)
  )
    others.push(short);
  return { key, others: [...new Set(others)].filter((other) => other !== '' && other !== key) };
}

/** The letters of a key. */
export const compact = (key: string): string => key.replaceAll(' ', '');
/** The key without words at the end that say what a company does; the key itself if nothing distinctive is left. */
export function headOf(key: string): string {
  const words = key.split(' ');
  while (words.length > 1 && (DESCRIPTORS.has(words.at(-1)!) || words.at(-1) === 'technology')) words.pop();
  const head = words.join(' ');
  return head.length >= 4 && !GENERIC_HEADS.has(head) && !DESCRIPTORS.has(head) ? head : key;
}
const sorted = (key: string): string => key.split(' ').sort().join(' ');
const digits = (key: string): string => key.replaceAll(/\D/g, '');

/** Why two names are one supplier. */
export interface SameName {
  reason: 'same_words' | 'word_order' | 'misspelling' | 'romanisation' | 'descriptor';
  /** 0 to 1. */
  score: number;
}

/** Shortest name, in letters, that may be misspelled: of shorter names, one other letter is usually another name. */
const SHORTEST = 6;

/** Compares two keys; undefined unless both are names of one supplier. Symmetric; it never rests on third names. */
export function sameName(a: string, b: string): SameName | undefined {
  const [x, y] = [compact(a), compact(b)];
  if (x === y) return { reason: 'same_words', score: 1 };
  if (sorted(a) === sorted(b)) return { reason: 'word_order', score: 0.97 };
  if (digits(a) !== digits(b)) return undefined;
  const [headA, headB] = [headOf(a), headOf(b)];
  if (compact(headA) === compact(headB) && (headA === a || headB === b)) return { reason: 'descriptor', score: 0.85 };
  const length = Math.min(x.length, y.length);
  if (length < SHORTEST) return undefined;
  const isOneEdit =
    isNearly(a, b) ||
    (a.includes(' ') !== b.includes(' ') && length >= 8 && x[0] === y[0] && editDistance(x, y, 1) <= 1);
  // In a short name another letter in place of one is usually another name: Akamai and Akamas.
  if (isOneEdit && (length >= 8 || (!isReplaced(x, y) && jaroWinkler(x, y) >= 0.9)))
    return { reason: 'misspelling', score: 0.93 };
  if (length >= 7 && soundOf(x) === soundOf(y) && editDistance(x, y, 4) <= 4)
    return { reason: 'romanisation', score: 0.9 };
  return undefined;
}

/** Whether the words are equal in their order, but for one or two that are misspelled. */
function isNearly(a: string, b: string): boolean {
  const [left, right] = [a.split(' '), b.split(' ')];
  if (left.length !== right.length) return false;
  let other = 0;
  for (const [i, word] of left.entries()) {
    const its = right[i]!;
    if (word === its) continue;
    const isSame = isMisspelling(word, its) && (word[0] === its[0] || word.length >= 7 || left.length > 1);
    if (!isSame) return false;
    other++;
  }
  return other === 1 || (other === 2 && left.length >= 3);
}
