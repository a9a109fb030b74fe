import type { Corpus } from './corpus.js';
import { MOST_CANDIDATES } from './definition.js';
import { hashOf, Keyed } from '../matching/keyed.js';
import type { Vocabulary } from './vocabulary.js';

/** A key that more cards have says nothing about any two of them, and is ignored. */
const MOST_WITH_KEY = 250;
/** The same for words of descriptions and related cards, of which each card has many. */
const MOST_WITH_TERM = 60;
/** Words of a description by which cards are looked for: those in the fewest other descriptions. */
const TERMS = 6;

/** Letters of the names of which misspellings are looked for as a whole: longer ones have other words in common. */
const [SHORTEST, LONGEST] = [7, 16];
/** Words of a name that are paired. */
const MOST_PAIRED = 6;
const pairKey = (a: number, b: number): number => Math.min(a, b) * 2 ** 24 + Math.max(a, b);

/** Finds the cards with which a card is worth comparing: those with rare words, terms or relations in common. */
export class Blocking {
  private readonly byWord = new Keyed();
  private readonly byPair = new Keyed();
  private readonly byLetters = new Keyed();
  private readonly byTerm = new Keyed();
  private readonly byRelated = new Keyed();
  private readonly score: Float32Array;
  private readonly termCounts: Uint32Array;

  constructor(
    private readonly corpus: Corpus,
    private readonly vocabulary: Vocabulary,
  ) {
    const { size, nameWords, nameOwners, textTerms, related } = corpus;
    this.score = new Float32Array(size);
    for (let name = 0; name < nameWords.length; name++) {
      const owner = nameOwners[name]!;
      for (const word of new Set(nameWords.at(name))) this.byWord.push(word, owner);
      for (const key of this.pairsOf(name)) this.byPair.push(key, owner);
      for (const key of this.lettersOf(name)) this.byLetters.push(key, owner);
    }
    this.termCounts = new Uint32Array(corpus.terms.texts.length);
    for (let card = 0; card < size; card++) for (const term of textTerms.at(card)) this.termCounts[term]!++;
    for (let card = 0; card < size; card++) {
      for (const term of this.rarest(card)) this.byTerm.push(term, card);
      for (const key of related.at(card)) this.byRelated.push(key, card);
    }
    for (const keyed of [this.byWord, this.byPair, this.byLetters, this.byTerm, this.byRelated]) keyed.sort();
  }

  /** Number of descriptions with a term. */
  countOf(term: number): number {
    return this.termCounts[term]!;
  }

  /** Number of cards with a relation to this one. */
  relatedCount(key: number): number {
    return this.byRelated.at(key).length;
  }

  /** At most `MOST_CANDIDATES` cards before this one, those with the most in common. */
  candidates(card: number): number[] {
    const { corpus, vocabulary, score } = this;
    const found: number[] = [];
    const add = (cards: Uint32Array, weight: number): void => {
      for (const other of cards) {
        if (other >= card) break;
        if (score[other] === 0) found.push(other);
        score[other]! += weight;
      }
    };
    for (const name of corpus.names.at(card)) {
      for (const word of corpus.nameWords.at(name)) {
        const weight = vocabulary.weights[word]!;
        add(this.byWord.at(word, MOST_WITH_KEY), weight);
        for (const other of vocabulary.alikeTo(word)) add(this.byWord.at(other, MOST_WITH_KEY), weight * 0.8);
      }
      for (const key of this.pairsOf(name)) add(this.byPair.at(key, MOST_WITH_KEY), 0.6);
      for (const key of this.alikePairsOf(name)) add(this.byPair.at(key, MOST_WITH_KEY), 0.5);
      for (const key of this.lettersOf(name)) add(this.byLetters.at(key, MOST_WITH_KEY), 2);
    }
    for (const term of this.rarest(card)) add(this.byTerm.at(term, MOST_WITH_TERM), 0.3);
    for (const key of corpus.related.at(card)) add(this.byRelated.at(key, MOST_WITH_TERM), 0.15);
    found.sort((x, y) => score[y]! - score[x]! || x - y);
    const best = found.slice(0, MOST_CANDIDATES);
    for (const other of found) score[other] = 0;
    return best;
  }

  /** Keys of two words of a name: a name of frequent words only has rare pairs of them. */
  private pairsOf(name: number): number[] {
    const words = [...new Set(this.corpus.nameWords.at(name))].sort((x, y) => x - y);
    const keys: number[] = [];
    for (let i = 0; i < words.length && i < MOST_PAIRED; i++)
      for (let j = i + 1; j < words.length && j < MOST_PAIRED; j++) keys.push(pairKey(words[i]!, words[j]!));
    return keys;
  }

  /** The same with one word in place of which another one may stand. */
  private alikePairsOf(name: number): number[] {
    const words = [...new Set(this.corpus.nameWords.at(name))].slice(0, MOST_PAIRED);
    return words.flatMap((word) =>
      [...this.vocabulary.alikeTo(word)].flatMap((other) =>
        words.filter((third) => third !== word).map((third) => pairKey(other, third)),
      ),
    );
  }

  /** Keys of the letters of a name: all its words, in their order and sorted; and its initials, equal to the key of an acronym. */
  private lettersOf(name: number): number[] {
    const { texts } = this.corpus.words;
    const words = [...this.corpus.nameWords.at(name)].map((word) => texts[word]!);
    const keys = [hashOf(words.join('')), hashOf([...words].sort().join(' '))];
    if (words.length >= 3) keys.push(hashOf(words.map((word) => word[0]).join('')));
    // Names with one edit have a text in common in which one letter is left out, wherever they are written apart.
    const joined = words.join('');
    if (joined.length >= SHORTEST && joined.length <= LONGEST) {
      keys.push(hashOf(`-${joined}`));
      for (let at = 0; at < joined.length; at++) keys.push(hashOf(`-${joined.slice(0, at)}${joined.slice(at + 1)}`));
    }
    return [...new Set(keys)];
  }

  private rarest(card: number): number[] {
    return [...this.corpus.textTerms.at(card)]
      .filter((term) => this.termCounts[term]! > 1)
      .sort((x, y) => this.termCounts[x]! - this.termCounts[y]! || x - y)
      .slice(0, TERMS);
  }
}
