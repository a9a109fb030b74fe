import { soundOf } from '../matching/fold.js';
import { isMisspelling, isReplaced } from '../matching/similarity.js';
import type { Corpus } from './corpus.js';
import type { Reason } from './definition.js';
import { hashOf, Keyed } from '../matching/keyed.js';
import { CONCEPT } from './words.js';

/** How one word stands for another. */
export interface Likeness {
  quality: number;
  reason: Reason;
}
const QUALITY = { romanisation: 0.9, abbreviation: 0.8 } as const;
/** Of a misspelling: the fewer letters there are, the more often another letter, in place of one, is another name. */
function misspelling(x: string, y: string): number {
  const letters = Math.min(x.length, y.length);
  if (letters >= 7) return 0.92;
  return isReplaced(x, y) ? (letters < 6 ? 0.68 : 0.82) : letters < 6 ? 0.74 : 0.88;
}

/** Words that are alike to one word. */
const MOST_ALIKE = 12;
/** A word in at most so many names may be the misspelling or abbreviation of another. */
const RARE = 3;
/** Shortest word of which misspellings are looked for. */
const SHORTEST = 5;

/** The words of all names: how many names have them, their weights, and which are alike. */
export class Vocabulary {
  /** By word: number of names with it. */
  readonly counts: Uint32Array;
  /** By word: how much it says, 0.05 to 1: its inverse frequency; words that say little in any landscape count less. */
  readonly weights: Float32Array;
  private readonly alike = new Map<number, Map<number, Likeness>>();

  constructor(private readonly corpus: Corpus) {
    const { words, kinds, nameWords } = corpus;
    this.counts = new Uint32Array(words.texts.length);
    for (let name = 0; name < nameWords.length; name++)
      for (const word of new Set(nameWords.at(name))) this.counts[word]!++;
    // In a small landscape a word in two names is not frequent.
    const n = Math.log(Math.max(nameWords.length, 1_000) + 1);
    this.weights = Float32Array.from(this.counts, (count, word) => {
      const weight = Math.max(0.15, (n - Math.log(count + 0.5)) / n);
      return kinds[word] === 'generic' ? weight * 0.35 : weight;
    });
    this.findAlike();
  }

  /** How word `a` stands for word `b`; undefined if it does not. */
  likeness(a: number, b: number): Likeness | undefined {
    return this.alike.get(a)?.get(b);
  }

  /** Whether both words are in few names only. */
  areRare(a: number, b: number): boolean {
    return Math.max(this.counts[a]!, this.counts[b]!) <= RARE;
  }

  /** Words that are alike to a word. */
  alikeTo(word: number): Iterable<number> {
    return this.alike.get(word)?.keys() ?? [];
  }

  private note(a: number, b: number, reason: Reason, quality: number): void {
    for (const [x, y] of [
      [a, b],
      [b, a],
    ] as const) {
      let of = this.alike.get(x);
      if (!of) this.alike.set(x, (of = new Map()));
      if (of.size < MOST_ALIKE && !of.has(y)) of.set(y, { quality, reason });
    }
  }

  /** Two frequent words are both words, not one and its misspelling. */
  private isRarePair(a: number, b: number): boolean {
    return Math.min(this.counts[a]!, this.counts[b]!) <= RARE;
  }

  /** An abbreviation is in fewer names than its word, as otherwise it is a word of its own. */
  private isRarer(short: number, long: number): boolean {
    const count = this.counts[short]!;
    return count <= RARE || (count <= this.corpus.nameWords.length / 250 && count * 4 <= this.counts[long]!);
  }

  /** The spellings of all words: those of concepts are all their names, in any language. */
  private spellings(): { text: string; word: number }[] {
    const { words, kinds } = this.corpus;
    const spellings = words.texts.map((text, word) => ({ text, word }));
    for (const [text, concept] of CONCEPT) {
      const word = words.find(concept);
      if (word !== undefined && text !== concept && !text.includes(' ')) spellings.push({ text, word });
    }
    return spellings.filter(({ word }) => kinds[word] === 'word' || kinds[word] === 'generic');
  }

  private findAlike(): void {
    const spellings = this.spellings();
    const [keys, sounds, shorts] = [new Keyed(), new Keyed(), new Keyed()];
    for (const [i, { text }] of spellings.entries()) {
      if (text.length >= SHORTEST) {
        sounds.push(hashOf(soundOf(text)), i);
        keys.push(hashOf(text), i);
        // Words with one edit have a text in common in which one letter is left out.
        for (let at = 0; at < text.length && at < 20; at++)
          keys.push(hashOf(text.slice(0, at) + text.slice(at + 1)), i);
      }
      if (text.length >= 3 && text.length <= 5) shorts.push(hashOf(text), i);
      if (text.length >= 6) {
        for (const n of [3, 4, 5]) if (text.length >= n + 3) shorts.push(hashOf(text.slice(0, n)), i);
        shorts.push(hashOf(withoutVowels(text)), i);
      }
    }
    const inGroups = (keyed: Keyed, each: (x: Spelling, y: Spelling) => void): void => {
      // Of a key that many words have, each is compared with the first ones only.
      for (const group of keyed.sort().groups())
        for (let i = 0; i < Math.min(group.length, MOST_ALIKE); i++)
          for (let j = i + 1; j < group.length; j++) {
            const [x, y] = [spellings[group[i]!]!, spellings[group[j]!]!];
            if (x.word !== y.word) each(x, y);
          }
    };
    inGroups(keys, (x, y) => {
      if (this.isRarePair(x.word, y.word) && isMisspelling(x.text, y.text))
        this.note(x.word, y.word, 'misspelling', misspelling(x.text, y.text));
    });
    inGroups(sounds, (x, y) => {
      if (this.isRarePair(x.word, y.word) && soundOf(x.text) === soundOf(y.text))
        this.note(x.word, y.word, 'romanisation', QUALITY.romanisation);
    });
    inGroups(shorts, (x, y) => {
      const [short, long] = x.text.length < y.text.length ? [x, y] : [y, x];
      const isShort =
        short.text.length <= 5 &&
        long.text.length >= short.text.length + 3 &&
        (long.text.startsWith(short.text) || short.text === withoutVowels(long.text));
      if (isShort && this.isRarer(short.word, long.word))
        this.note(short.word, long.word, 'abbreviation', QUALITY.abbreviation);
    });
  }
}

type Spelling = { text: string; word: number };

/** The word without vowels after its first letter. */
const withoutVowels = (word: string): string => word[0]! + word.slice(1).replaceAll(/[aeiouy]/g, '');
