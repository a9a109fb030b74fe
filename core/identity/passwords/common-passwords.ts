import { COMMON_WORDS } from './common-words.js';

/** Common sequences of keys and letters, used in both directions. */
const PATHS = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop[]\\',
  "asdfghjkl;'",
  'zxcvbnm,./',
  'qwertzuiopü+',
  'yxcvbnm,.-',
  'azertyuiop',
  'qsdfghjklm',
  '!@#$%^&*()_+',
  '!"§$%&/()=',
  'qazwsxedcrfvtgbyhnujmikolp',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik,9ol.0p;/',
  '!qaz@wsx#edc$rfv%tgb^yhn&ujm',
  'zaq1xsw2cde3vfr4bgt5nhy6mju7',
  'zaq12wsxcde34rfv',
  '1qazxsw23edcvfr45tgb',
  'qaz123wsx456edc',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
  'qawsedrftgyhujikolp',
  'azsxdcfvgbhnjmkl',
  'a1s2d3f4g5h6j7k8l9',
  '1a2s3d4f5g6h7j8k9l',
  'a1b2c3d4e5f6g7h8i9j0',
  '1a2b3c4d5e6f7g8h9i0j',
  'aabbccddeeffgg',
  '00112233445566778899',
  '789456123',
  '147258369',
  '159753',
  '741852963',
  '1029384756',
  '1357924680',
  '1470258369',
  '7418529630',
  '3141592653589',
  '2718281828',
  '11235813213455',
  '24681012141618',
  'qweasdzxc',
  'qwe123asd456zxc789',
  'qwaszx',
  '1234qwerasdfzxcv',
].flatMap((path) => [path, [...path].reverse().join('')]);

/** Digits and signs used in place of letters; 1 and ! for either of two. */
const LEET: readonly Record<string, string>[] = [
  { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', 8: 'b', 9: 'g', '@': 'a', $: 's', '!': 'i', '+': 't' },
  { 0: 'o', 1: 'l', 3: 'e', 4: 'a', 5: 's', 7: 't', 8: 'b', 9: 'g', '@': 'a', $: 's', '!': 'l', '+': 't' },
];
const unleet = (text: string, map: Record<string, string>): string => [...text].map((c) => map[c] ?? c).join('');

/** Common passwords are not longer than this, except by repetition. */
const LONGEST = 40;
const MAX_PARTS = 3;
const MIN_RUN = 3;
const MAX_AFFIX = 4;
const MAX_REPEATED = 5;
const MAX_DIGITS = 12;

const isRun = (text: string): boolean =>
  PATHS.some((path) => path.includes(text)) || text === text[0]!.repeat(text.length);

/**
 * Whether a text consists of at most three of these parts: one common word (possibly twice), sequences on the keyboard,
 * in the alphabet or of one key, single letters, and short groups of digits or signs such as years and exclamation
 * marks.
 */
function isBuiltOfCommonParts(text: string): boolean {
  const forms = [text, ...LEET.map((map) => unleet(text, map))];
  const tries: { at: number; parts: number; hasWord: boolean }[] = [{ at: 0, parts: 0, hasWord: false }];
  const seen = new Set<string>();
  for (let state = tries.pop(); state; state = tries.pop()) {
    const { at, parts, hasWord } = state;
    if (at === text.length) return true;
    const key = `${at} ${parts} ${hasWord}`;
    if (parts === MAX_PARTS || seen.has(key)) continue;
    seen.add(key);
    for (let end = at + 1; end <= text.length; end++) {
      const part = text.slice(at, end);
      const isAffix = part.length === 1 || (part.length <= MAX_AFFIX && /^[^\p{L}]+$/u.test(part));
      if (isAffix || (part.length >= MIN_RUN && isRun(part))) tries.push({ at: end, parts: parts + 1, hasWord });
      if (!hasWord && forms.some((form) => COMMON_WORDS.has(repeated(form.slice(at, end)))))
        tries.push({ at: end, parts: parts + 1, hasWord: true });
    }
  }
  return false;
}

/** The part that the text repeats; the text itself where it repeats none. */
function repeated(text: string): string {
  const length = (text + text).indexOf(text, 1);
  return text.slice(0, length);
}

/** Whether a password is among the first that attackers try, regardless of case and blanks. */
export function isCommonPassword(password: string): boolean {
  const text = password.normalize('NFKC').toLowerCase();
  const unit = repeated(text);
  if (unit.length <= MAX_REPEATED || new Set(text).size <= 2) return true;
  if (unit.length > LONGEST) return false;
  if (/^\d+$/.test(text) && text.length <= MAX_DIGITS) return true;
  return [unit, unit.replace(/[\s._-]+/g, '')].some((form) => form.length > 0 && isBuiltOfCommonParts(form));
}
