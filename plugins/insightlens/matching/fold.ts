/** Letters that Unicode does not decompose, and one common romanisation of the Cyrillic and Greek alphabets. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', þ: 'th', ł: 'l', ħ: 'h', ı: 'i', ŋ: 'n', ſ: 's' },
  ...{ а: 'a', б: 'b', в: 'v', г: 'g', д: 'd', е: 'e', ж: 'zh', з: 'z', и: 'i', к: 'k', л: 'l', м: 'm', н: 'n' },
  ...{ о: 'o', п: 'p', р: 'r', с: 's', т: 't', у: 'u', ф: 'f', х: 'kh', ц: 'ts', ч: 'ch', ш: 'sh', щ: 'shch' },
  ...{ ъ: '', ы: 'y', ь: '', э: 'e', ю: 'yu', я: 'ya', і: 'i', є: 'ye', ґ: 'g', ј: 'j', љ: 'lj', њ: 'nj', ћ: 'c' },
  ...{ ђ: 'dj', џ: 'dz', ѓ: 'g', ќ: 'k', ў: 'u' },
  ...{ α: 'a', β: 'v', γ: 'g', δ: 'd', ε: 'e', ζ: 'z', η: 'i', θ: 'th', ι: 'i', κ: 'k', λ: 'l', μ: 'm', ν: 'n' },
  ...{ ξ: 'x', ο: 'o', π: 'p', ρ: 'r', σ: 's', ς: 's', τ: 't', υ: 'y', φ: 'f', χ: 'ch', ψ: 'ps', ω: 'o' },
};
/** Pairs of Greek letters that are one sound. */
const GREEK_PAIRS: Readonly<Record<string, string>> = {
  ου: 'ou',
  ευ: 'ef',
  αυ: 'av',
  μπ: 'b',
  ντ: 'nt',
  γγ: 'ng',
  γκ: 'gk',
};

/**
 * Text in small Latin letters without accents, Cyrillic and Greek romanised; other scripts stay. Compatibility forms such as full-width
 * letters and ligatures are resolved (NFKD).
 */
export function fold(text: string): string {
  const plain = text.normalize('NFKD').toLowerCase();
  // By code unit for what is ASCII, which is nearly all of it.
  if (/^[\p{ASCII}]*$/u.test(plain)) return plain;
  return plain
    .replaceAll(/\p{Mn}/gu, '')
    .replaceAll(/ου|ευ|αυ|μπ|ντ|γγ|γκ/gu, (pair) => GREEK_PAIRS[pair]!)
    .replaceAll(/[^\p{ASCII}]/gu, (letter) => LETTERS[letter] ?? letter);
}

/** Words of a folded text: letters and digits of any script; an apostrophe joins, `&` and `+` are words. */
export function wordsOf(folded: string): string[] {
  return folded.replaceAll(/['’`]/g, '').match(/[\p{L}\p{N}]+|[&+]/gu) ?? [];
}

const SOUNDS: readonly (readonly [RegExp, string])[] = [
  [/[^a-z0-9]/g, ''],
  [/shch|sch|sh|sz/g, 's'],
  [/tch|ch|kh|gh/g, 'h'],
  [/ph/g, 'f'],
  [/th/g, 't'],
  [/zh/g, 'z'],
  [/ts|tz|cz/g, 'c'],
  [/ks/g, 'x'],
  [/ck|q/g, 'k'],
  [/c(?=[eiy])/g, 's'],
  [/c/g, 'k'],
  [/w/g, 'v'],
  [/ou/g, 'u'],
  [/[jy]/g, 'i'],
  [/ii|ie|ia(?=.)/g, 'i'],
  [/(.)\1+/g, '$1'],
];

/**
 * A key that is equal for the usual romanisations of one word, such as `Chaikovsky` and `Tchaikovskii`: it may be equal for different words,
 * so that equality is a reason to compare them and no proof.
 * @param word folded
 */
export function soundOf(word: string): string {
  return SOUNDS.reduce((text, [pattern, by]) => text.replaceAll(pattern, by), word);
}
