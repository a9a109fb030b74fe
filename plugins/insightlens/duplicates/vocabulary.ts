import { soundOf } from '../matching/fold.js';
import { isMisspelling, isReplaced } from '../matching/similarity.js';
import type { Corpus } from './corpus.js';
import type { Reason } from './definition.js';
import { hashOf, Keyed } from '../matching/keyed.js';
import { rootOf } from './word-forms.js';
import { CONCEPT, CONCEPTS_OF_ALL } from './words.js';

/** How one word stands for another. */
export interface Likeness {
  quality: number;
  reason: Reason;
}
const QUALITY = { romanisation: 0.9, word_form: 0.9, abbreviation: 0.8 } as const;
/** Of a misspelling: the fewer letters there are, the more often another letter, in place of one, is another name. */
function misspelling(x: string, y: string): number {
  const letters = Math.min(x.length, y.length);
  if (letters >= 7) return 0.92;
  return isReplaced(x, y) ? (letters < 6 ? 0.68 : 0.82) : letters < 6 ? 0.74 : 0.88;
}

/** Share of the names in which a word is that says little in any inventory, beside those of the inventory that is compared. */
const PRIOR = 0.2;
/** Shares of the names: a word in fewer tells names apart, a word in more does not. */
const [USUAL, FREQUENT] = [0.06, 0.12];
/** In fewer names a share says nothing. */
const FEW_NAMES = 100;
/** A word that tells so many names from others with the same words is used for that. */
const LEAST_MARKED = 3;

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
  /** By word: how much it says, 0.15 to 1: its inverse frequency. */
  readonly weights: Float32Array;
  /** By word: whether a difference in it tells two cards apart: 1 for a rare word, 0 for one that is in many names. */
  readonly distinctions: Float32Array;
  private readonly marks: ReadonlySet<number>;
  private readonly alike = new Map<number, Map<number, Likeness>>();

  constructor(private readonly corpus: Corpus) {
    const { words, kinds, nameWords } = corpus;
    this.counts = new Uint32Array(words.texts.length);
    for (let name = 0; name < nameWords.length; name++)
      for (const word of new Set(nameWords.at(name))) this.counts[word]!++;
    // In a small landscape a word in two names is not frequent.
    const names = Math.max(nameWords.length, 1_000);
    const n = Math.log(names + 1);
    const isGeneric = (word: number): boolean => kinds[word] === 'generic';
    const counts = Array.from(this.counts, (count, word) => count + (isGeneric(word) ? PRIOR * names : 0));
    this.weights = Float32Array.from(counts, (count) => Math.max(0.15, (n - Math.log(count + 0.5)) / n));
    this.distinctions = Float32Array.from(this.counts, (count, word) => {
      const share = isGeneric(word) ? PRIOR : count / Math.max(nameWords.length, FEW_NAMES);
      return Math.min(1, Math.max(0, (FREQUENT - share) / (FREQUENT - USUAL)));
    });
    this.marks = this.findMarks();
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

  /** Whether the inventory uses both words to tell names apart that are otherwise the same, such as the names of its plants. */
  areMarks(a: number, b: number): boolean {
    return this.marks.has(a) && this.marks.has(b);
  }

  /** Words in the place of which other names have another word, in several surroundings. */
  private findMarks(): Set<number> {
    const { words, kinds, nameWords } = this.corpus;
    const bySurroundings = new Keyed();
    for (let name = 0; name < nameWords.length; name++) {
      const texts = [...nameWords.at(name)].map((word) => words.texts[word]!);
      for (const [i, word] of nameWords.at(name).entries())
        if (kinds[word] !== 'generic') bySurroundings.push(hashOf(texts.with(i, '*').join(' ')), word);
    }
    const marked = new Uint32Array(words.texts.length);
    for (const group of bySurroundings.sort().groups()) {
      const different = new Set(group);
      if (different.size > 1) for (const word of different) marked[word]!++;
    }
    return new Set([...marked.keys()].filter((word) => marked[word]! >= LEAST_MARKED));
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
    const [keys, sounds, forms, shorts] = [new Keyed(), new Keyed(), new Keyed(), new Keyed()];
    for (const [i, { text }] of spellings.entries()) {
      if (text.length >= SHORTEST) {
        sounds.push(hashOf(soundOf(text)), i);
        keys.push(hashOf(text), i);
        forms.push(hashOf(rootOf(text)), i);
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
    inGroups(forms, (x, y) => {
      const { texts } = this.corpus.words;
      // The table knows of both what they mean: accounts and accounting are two.
      const areKnown = [x, y].every(({ word }) => CONCEPTS_OF_ALL.has(texts[word]!));
      if (!areKnown && rootOf(x.text) === rootOf(y.text)) this.note(x.word, y.word, 'word_form', QUALITY.word_form);
    });
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
