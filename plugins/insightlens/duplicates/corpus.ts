import { GROUPS, type CardInput } from './definition.js';
import { termsOf, wordsOfName, type WordKind } from './name.js';

/** Different words of one description that count. */
const MOST_TERMS = 40;
/** Names of one card: its name and its aliases. */
const MOST_NAMES = 4;
/** Relations of one card that count. */
const MOST_RELATED = 200;

/** Whole numbers by position, in one growing buffer: arrays of arrays would take several times the memory. */
export class Lists {
  private items = new Uint32Array(1 << 16);
  private starts: number[] = [0];

  get length(): number {
    return this.starts.length - 1;
  }

  push(values: readonly number[]): void {
    const start = this.starts.at(-1)!;
    if (start + values.length > this.items.length) {
      const next = new Uint32Array(Math.max(this.items.length * 2, start + values.length));
      next.set(this.items);
      this.items = next;
    }
    this.items.set(values, start);
    this.starts.push(start + values.length);
  }

  at(index: number): Uint32Array {
    return this.items.subarray(this.starts[index]!, this.starts[index + 1]!);
  }
}

/** Numbers for texts, in the order in which they come. */
export class Numbers {
  readonly texts: string[] = [];
  private readonly byText = new Map<string, number>();

  of(text: string): number {
    let n = this.byText.get(text);
    if (n === undefined) {
      n = this.texts.length;
      this.byText.set(text, n);
      this.texts.push(text);
    }
    return n;
  }

  find(text: string): number | undefined {
    return this.byText.get(text);
  }
}

/** The cards of one type as numbers: their names, texts and relations. */
export class Corpus {
  readonly ids: string[] = [];
  readonly parents: (string | null)[] = [];
  readonly words = new Numbers();
  /** By word. */
  readonly kinds: WordKind[] = [];
  readonly terms = new Numbers();
  readonly cards = new Numbers();
  /** By card: the numbers of its names; `nameOwners` is the other way. */
  readonly names = new Lists();
  /** By name: its words. */
  readonly nameWords = new Lists();
  readonly nameOwners: number[] = [];
  /** By card: its terms, in order, and how often each occurs. */
  readonly textTerms = new Lists();
  readonly textCounts = new Lists();
  /** By card: related card * number of groups + group, in order. */
  readonly related = new Lists();
  readonly linked = new Map<string, ReadonlySet<string>>();

  get size(): number {
    return this.ids.length;
  }

  add({ id, name, alias, text, parent, related, linked }: CardInput): void {
    const card = this.ids.length;
    this.ids.push(id);
    this.parents.push(parent);
    const names = [name, ...(alias?.split(/[,;|]/) ?? [])].filter((one) => one.trim() !== '').slice(0, MOST_NAMES);
    const numbers: number[] = [];
    for (const one of names) {
      const words = wordsOfName(one).map(({ text: word, kind }) => {
        const n = this.words.of(word);
        this.kinds[n] ??= kind;
        return n;
      });
      if (words.length === 0) continue;
      numbers.push(this.nameWords.length);
      this.nameWords.push(words);
      this.nameOwners.push(card);
    }
    this.names.push(numbers);
    this.addText(text ?? '');
    const keys = related
      .slice(0, MOST_RELATED)
      .map((one) => this.cards.of(one.id) * GROUPS.length + GROUPS.indexOf(one.group));
    this.related.push([...new Set(keys)].sort((x, y) => x - y));
    if (linked.length > 0) this.linked.set(id, new Set(linked));
  }

  private addText(text: string): void {
    const counts = new Map<number, number>();
    for (const term of termsOf(text, MOST_TERMS * 4)) {
      const n = this.terms.of(term);
      if (counts.size < MOST_TERMS || counts.has(n)) counts.set(n, (counts.get(n) ?? 0) + 1);
    }
    const sorted = [...counts].sort(([x], [y]) => x - y);
    this.textTerms.push(sorted.map(([term]) => term));
    this.textCounts.push(sorted.map(([, count]) => count));
  }

  /** Whether the cards are one above the other, or have a relation: then they are known to be two. */
  areLinked(a: number, b: number): boolean {
    const [x, y] = [this.ids[a]!, this.ids[b]!];
    return (
      this.parents[a] === y ||
      this.parents[b] === x ||
      this.linked.get(x)?.has(y) === true ||
      this.linked.get(y)?.has(x) === true
    );
  }
}
