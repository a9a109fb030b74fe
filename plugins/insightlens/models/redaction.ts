/** Currencies by sign, code or name, as amounts in texts have them; thousands and millions may be a part of them, as in `TEUR` and `M€`. */
const CODES =
  'EUR|USD|GBP|CHF|JPY|CAD|AUD|NZD|SEK|NOK|DKK|ISK|PLN|CZK|HUF|RON|BGN|TRY|RUB|UAH|INR|CNY|HKD|SGD|KRW|THB|BRL|MXN|ZAR|ILS|AED|SAR';
const CURRENCY = String.raw`(?:[TtKkM]?\p{Sc}|(?:[TtKkM]?(?:${CODES})|[Ee]uros?|[Dd]ollars?|[Pp]ounds?|[Ff]ranken|Rs\.?|Fr\.|kr\.?|zł|Kč)(?![\p{L}]))`;
const NUMBER = String.raw`\p{Nd}[\p{Nd}.,'’ \u00a0\u202f]{0,40}(?:[-–—]{1,2})?(?:\s?(?:k|K|[Tt]|[Tt]sd\.?|[Mm]io\.?|[Mm]rd\.?|m|M|mn|bn|thousand|million|billion|Million(?:en)?|Milliarden?)(?![\p{L}]))?`;
const AMOUNT = new RegExp(String.raw`${CURRENCY}\s?${NUMBER}|(?<![\p{L}\p{Nd}])${NUMBER}\s?${CURRENCY}`, 'gu');
const EMAIL = /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/gu;
const PHONE = /(?<![\p{L}\p{N}])(?:\+|00)\d[\d ()/.-]{6,20}\d/gu;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
/** What may stand between two words of a name; inside a name, as in `O'Brien`, also a hyphen or an apostrophe. */
const BETWEEN = /^[\s\p{Cf},._'’‐-]{1,3}$/u;
/** A placeholder, or what a text could pass off as one. */
const PLACEHOLDER = /\[([A-Z])(\d{1,4})\]/g;

/** Without case and accents. */
const folded = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
const wordsOf = (text: string): string[] => text.match(WORD) ?? [];

/**
 * Replaces what must not leave the workspace by placeholders, and puts it back into the answer: e-mail addresses, telephone
 * numbers, amounts of money, and the names of the workspace's users. It cannot know the names of persons without an account, nor amounts
 * without a currency.
 */
export class Redaction {
  /** By folded first word, the names that begin with it, as words; the longest first. */
  private readonly names = new Map<string, string[][]>();
  private readonly hidden = new Map<string, string>();
  private readonly placeholders = new Map<string, string>();
  private readonly counts: Record<string, number> = {};

  /** @param names display names of persons */
  constructor(names: readonly string[]) {
    for (const name of names) {
      const parts = name
        .split(/\s+/)
        .map(wordsOf)
        .filter((part) => part.length > 0);
      const last = parts.at(-1);
      if (last === undefined || name.length < 3) continue;
      this.add(parts.flat());
      if (parts.length === 1) continue;
      this.add([...last, ...parts.slice(0, -1).flat()]);
      if (last.join('').length >= 4) this.add(last);
    }
    for (const all of this.names.values()) all.sort((a, b) => b.length - a.length);
  }

  /** The text with placeholders; what looks like a placeholder in it is no longer one. */
  hide(text: string): string {
    const plain = text.replace(PLACEHOLDER, '($1$2)');
    return this.withoutNames(
      plain
        .replace(EMAIL, (found) => this.placeholder('E', found))
        .replace(PHONE, (found) => this.placeholder('E', found))
        .replace(AMOUNT, (found) => this.placeholder('A', found.trimEnd()) + (/\s$/.exec(found)?.[0] ?? '')),
    );
  }

  /** JSON data with placeholders in its texts. @param hidesNumbers whether its numbers are amounts */
  hideIn(value: unknown, hidesNumbers: boolean): unknown {
    if (typeof value === 'string') return this.hide(value);
    if (typeof value === 'number') return hidesNumbers ? this.placeholder('A', String(value)) : value;
    if (Array.isArray(value)) return value.map((item) => this.hideIn(item, hidesNumbers));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.hideIn(item, hidesNumbers)]));
  }

  /** The text with what its placeholders stand for; those that were never given are removed. */
  restore(text: string): string {
    return text.replace(/\[[AEP]\d{1,4}\]/g, (found) => this.hidden.get(found) ?? '');
  }

  private add(words: readonly string[]): void {
    const all = words.map(folded);
    const same = this.names.get(all[0]!);
    if (same) same.push(all);
    else this.names.set(all[0]!, [all]);
  }

  private placeholder(kind: string, value: string): string {
    const known = this.placeholders.get(`${kind}${value}`);
    if (known !== undefined) return known;
    const made = `[${kind}${(this.counts[kind] = (this.counts[kind] ?? 0) + 1)}]`;
    this.placeholders.set(`${kind}${value}`, made);
    this.hidden.set(made, value);
    return made;
  }

  /** In one pass over the words, whatever the number of names. */
  private withoutNames(text: string): string {
    const words = [...text.matchAll(WORD)].map(({ 0: word, index }) => ({
      key: folded(word),
      from: index,
      to: index + word.length,
    }));
    let made = '';
    let at = 0;
    for (let i = 0; i < words.length; i++) {
      const length = this.nameAt(text, words, i);
      if (length === 0) continue;
      const [from, to] = [words[i]!.from, words[i + length - 1]!.to];
      // A placeholder that was made before is no name.
      if (text[from - 1] === '[' && text[to] === ']') continue;
      made += text.slice(at, from) + this.placeholder('P', text.slice(from, to));
      at = to;
      i += length - 1;
    }
    return made + text.slice(at);
  }

  private nameAt(text: string, words: readonly { key: string; from: number; to: number }[], at: number): number {
    const found = this.names.get(words[at]!.key)?.find((name) =>
      name.every((part, n) => {
        const word = words[at + n];
        const before = words[at + n - 1];
        return word?.key === part && (n === 0 || BETWEEN.test(text.slice(before!.to, word.from)));
      }),
    );
    return found?.length ?? 0;
  }
}
