/**
 * Other spellings of real names, by kinds declared here. Shares no code and no data with the analysis that is measured by them.
 */

const CYRILLIC: Readonly<Record<string, string>> = {
  ...{
    a: 'а',
    b: 'б',
    d: 'д',
    e: 'е',
    f: 'ф',
    g: 'г',
    i: 'и',
    k: 'к',
    l: 'л',
    m: 'м',
    n: 'н',
    o: 'о',
    p: 'п',
    r: 'р',
    s: 'с',
    t: 'т',
    u: 'у',
    v: 'в',
    z: 'з',
  },
};
const FORMS = [
  'Inc.',
  'LLC',
  'GmbH',
  'Ltd.',
  'S.A.',
  'Corporation',
  'B.V.',
  'Pty Ltd',
  'S.r.l.',
  'Limited',
  'AG',
  'Oy',
];
const COUNTRIES = ['Deutschland GmbH', 'France SAS', '(UK) Ltd', 'Canada Inc.', 'Polska Sp. z o.o.', 'Italia S.p.A.'];
const FORM = /[\s,]+(?:inc|incorporated|llc|ltd|corp|corporation|company|limited)\.?$/i;

/** How names of suppliers are spelled otherwise. */
export const SUPPLIER_KINDS = ['form', 'country', 'case', 'punctuation', 'article', 'typo', 'script'] as const;
export type SupplierKind = (typeof SUPPLIER_KINDS)[number];

/** @returns undefined for a name that cannot be spelled so */
export function respelled(name: string, kind: SupplierKind, draw: (n: number) => number): string | undefined {
  const plain = name.trim().replace(FORM, '');
  const pick = <T>(list: readonly T[]): T => list[draw(list.length)]!;
  if (kind === 'form') return `${plain} ${pick(FORMS)}`;
  if (kind === 'country') return /[()]|dba|formerly/i.test(plain) ? undefined : `${plain} ${pick(COUNTRIES)}`;
  if (kind === 'case') return draw(2) ? name.toUpperCase() : name.toLowerCase();
  if (kind === 'punctuation')
    return /[.,&-]/.test(name) ? name.replaceAll(/[.,]/g, '').replaceAll('&', 'and').replaceAll('-', ' ') : undefined;
  if (kind === 'article') return /^the /i.test(name) ? undefined : `The ${plain}`;
  if (kind === 'typo') return mistyped(plain, draw);
  // Only letters that are written in one way in Cyrillic.
  const letters = [...plain.toLowerCase()];
  return letters.length >= 6 && letters.every((letter) => letter === ' ' || CYRILLIC[letter])
    ? letters.map((letter) => CYRILLIC[letter] ?? letter).join('')
    : undefined;
}

/** One letter is left out, doubled or exchanged in the longest word of at least 7 letters; undefined without one. */
export function mistyped(name: string, draw: (n: number) => number): string | undefined {
  const [word] = [...name.split(/[^\p{L}]+/u)].sort((x, y) => y.length - x.length);
  if (!word || word.length < 7) return undefined;
  const at = 1 + draw(word.length - 2);
  const kind = draw(3);
  const other =
    kind === 0
      ? word.slice(0, at) + word.slice(at + 1)
      : kind === 1
        ? word.slice(0, at) + word[at]! + word.slice(at)
        : word.slice(0, at) + word[at + 1]! + word[at]! + word.slice(at + 2);
  return other === word ? undefined : name.replace(word, other);
}

/** How names of applications are written otherwise. */
export const APPLICATION_KINDS = ['typo', 'order', 'joined', 'marks'] as const;
export type ApplicationKind = (typeof APPLICATION_KINDS)[number];

export function rewritten(name: string, kind: ApplicationKind, draw: (n: number) => number): string | undefined {
  const words = name.trim().split(/\s+/);
  if (kind === 'typo') return mistyped(name, draw);
  if (kind === 'order')
    return words.length >= 2 && words.length <= 5 ? [...words.slice(1), words[0]].join(' ') : undefined;
  if (kind === 'joined')
    return words.length === 2 && words.every((word) => /^[A-Za-z]{4,}$/.test(word))
      ? words.join('').toLowerCase()
      : undefined;
  return words.length >= 2 ? words.join(draw(2) ? '-' : '_').toUpperCase() : undefined;
}
