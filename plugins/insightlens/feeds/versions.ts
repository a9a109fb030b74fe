/** Versions as products write them, and their order. */

/** A part of a version after its numbers, such as `-rc.1`, `k` of `1.0.2k`, `R2` or `SP3`. */
interface Suffix {
  /** Of the kind: below 0 before the release, above 0 after it. */
  rank: number;
  /** Such as a letter or the number of a candidate. */
  word: string;
  number: number;
}

/** A version whose order is known. */
export interface Version {
  /** Of versions of one scheme only one can be the greater: a date is not compared with a number. */
  scheme: 'numbers' | 'date' | 'half-year';
  epoch: number;
  /** Such as 10, 0, 19045, 1 of four parts. */
  numbers: readonly number[];
  suffixes: readonly Suffix[];
  /** Names of a variant, such as `lts`, `ltsc`, `e`: of the same numbers, two variants have no order. */
  variants: readonly string[];
}

const MOST_CHARACTERS = 60;
/** Digits of a number that is exact as a double. */
const MOST_DIGITS = 15;
/** https://peps.python.org/pep-0440/, https://semver.org/#spec-item-11 and https://maven.apache.org/pom.html#version-order-specification: before a release. */
const BEFORE: Readonly<Record<string, number>> = {
  dev: -6,
  snapshot: -6,
  alpha: -5,
  beta: -4,
  preview: -3,
  pre: -3,
  ea: -3,
  m: -3,
  milestone: -3,
  rc: -2,
  cr: -2,
};
/** The release itself, and what comes after it. */
const AFTER: Readonly<Record<string, number>> = {
  ga: 0,
  final: 0,
  release: 0,
  r: 3,
  sp: 2,
  cu: 1,
  u: 1,
  update: 1,
  p: 1,
  patch: 1,
  post: 1,
  hf: 1,
  hotfix: 1,
};
const VARIANTS = new Set(['lts', 'ltsc', 'ltsb', 'esr', 'stable', 'ac', 'sac', 'e', 'w', 'iot']);
/** Suffixes that name another release of the same numbers: `2012 R2` is not in `2012`. */
const APART = 2;

const LEAD = /^(?:(?:version|release|ver\.?)\s+|v\.?\s*(?=\d))/;
const DATE = /^((?:19|20)\d\d)-(\d\d?)-(\d\d?)$/;
const HALF = /^(\d\d)h([12])(?=$|[-. _])/;
const NUMBERS = /^(?:(\d{1,9})[:!])?(\d+(?:\.\d+)*)/;
const SUFFIX = /^[-._ ]*([a-z]+)[-._ ]?(\d*)|^[-_. ](\d+)/;

/**
 * Reads a version.
 * @param text such as `1.0.2k`, `10.0.19045.1`, `2012 R2`, `8u202`, `24H2`, `2:4.1-rc.1`, `2025-08-25` or `22.04 LTS`
 * @returns undefined if its order is not known for certain, such as of `Baseline 3` or `xenial`
 */
export function parseVersion(text: string): Version | undefined {
  let rest = text.trim().toLowerCase();
  if (rest === '' || rest.length > MOST_CHARACTERS) return undefined;
  rest = rest.replace(LEAD, '').replace(/\+.*$/, '');
  const date = DATE.exec(rest);
  if (date) return plain('date', date.slice(1).map(Number));
  const half = HALF.exec(rest);
  if (half) return withSuffixes(plain('half-year', half.slice(1).map(Number)), rest.slice(half[0].length));
  const numbers = NUMBERS.exec(rest);
  const parts = numbers?.[2]?.split('.') ?? [];
  if (!numbers || parts.some((part) => part.length > MOST_DIGITS)) return undefined;
  const version = { ...plain('numbers', parts.map(Number)), epoch: Number(numbers[1] ?? 0) };
  return withSuffixes(version, rest.slice(numbers[0].length));
}

const plain = (scheme: Version['scheme'], numbers: number[]): Version => ({
  scheme,
  epoch: 0,
  numbers,
  suffixes: [],
  variants: [],
});

function withSuffixes(version: Version, text: string): Version | undefined {
  const suffixes: Suffix[] = [];
  const variants: string[] = [];
  for (let rest = text; rest.trim() !== ''; ) {
    const found = SUFFIX.exec(rest);
    if (!found) return undefined;
    const [all, word, digits = '', revision] = found;
    if (word === undefined) suffixes.push({ rank: 1, word: 'revision', number: Number(revision) });
    else if (VARIANTS.has(word) && digits === '' && !(rest === text && all === word)) variants.push(word);
    else {
      const suffix = suffixOf(word, digits, /^[a-z]/.test(rest));
      if (!suffix) return undefined;
      if (suffix.rank !== 0) suffixes.push(suffix);
    }
    rest = rest.slice(all.length);
  }
  return { ...version, suffixes, variants: variants.sort() };
}

/** @param attached whether it follows a number without a separator, as in `1.0.2k`, `19c` and `1.0a1` */
function suffixOf(word: string, digits: string, attached: boolean): Suffix | undefined {
  if (digits.length > MOST_DIGITS) return undefined;
  const number = Number(digits);
  const rank = BEFORE[word] ?? (digits === '' && attached && word.length === 1 ? undefined : AFTER[word]);
  if (rank !== undefined) return { rank, word: rank === 1 || rank < 0 ? '' : word, number };
  if (attached && digits !== '' && (word === 'a' || word === 'b'))
    return { rank: word === 'a' ? BEFORE['alpha']! : BEFORE['beta']!, word: '', number };
  // Letters that count patches: after `z` comes `za`.
  return attached && digits === '' && word.length <= 2 ? { rank: 1, word, number: 0 } : undefined;
}

/**
 * Compares two versions.
 * @returns less than 0 if the first is the lower, 0 if they are equal, and undefined if it is not known
 */
export function compareVersions(a: Version, b: Version): number | undefined {
  if (a.scheme !== b.scheme) return undefined;
  const order = a.epoch - b.epoch || compareNumbers(a.numbers, b.numbers) || compareSuffixes(a.suffixes, b.suffixes);
  if (order !== 0) return order;
  const named = (version: Version): string => version.variants.filter((word) => word !== 'lts').join(' ');
  return named(a) === named(b) ? 0 : undefined;
}

function compareNumbers(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const order = (a[i] ?? 0) - (b[i] ?? 0);
    if (order !== 0) return order;
  }
  return 0;
}

function compareSuffixes(a: readonly Suffix[], b: readonly Suffix[]): number {
  const none: Suffix = { rank: 0, word: '', number: 0 };
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const [x, y] = [a[i] ?? none, b[i] ?? none];
    const order =
      x.rank - y.rank ||
      x.word.length - y.word.length ||
      Number(x.word > y.word) - Number(x.word < y.word) ||
      x.number - y.number;
    if (order !== 0) return order;
  }
  return 0;
}

/** Whether the numbers of a version begin with those of a cycle, and it is no release of its own, such as `2012 R2`. */
export function isWithin(version: Version, cycle: Version): boolean {
  return (
    begins(version, cycle) &&
    cycle.suffixes.every((suffix, i) => sameSuffix(suffix, version.suffixes[i])) &&
    version.suffixes.slice(cycle.suffixes.length).every(({ rank }) => rank < APART)
  );
}

const sameSuffix = (a: Suffix, b: Suffix | undefined): boolean =>
  b !== undefined && a.rank === b.rank && a.word === b.word && a.number === b.number;

/** Whether the numbers of the first begin with all numbers of the second. */
export const begins = (version: Version, head: Version): boolean =>
  version.scheme === head.scheme &&
  version.epoch === head.epoch &&
  head.numbers.length <= version.numbers.length &&
  head.numbers.every((number, i) => number === version.numbers[i]);
