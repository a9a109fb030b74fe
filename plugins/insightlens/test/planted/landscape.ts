/**
 * A landscape with duplicates that are known, and with pairs that look alike and are two. It shares no code and no data with the analysis that
 * is measured by it. What is planted is declared in `KINDS` and `LOOK_ALIKES`; the seed only draws from it.
 */
import {
  ABBREVIATIONS,
  DETAILS,
  ENVIRONMENTS,
  FUNCTIONS,
  LEGAL_FORMS,
  OBJECTS,
  REGIONS,
  SCRIPTS,
  SITES,
  SYNONYMS,
} from './words.js';

export interface PlantedCard {
  id: string;
  name: string;
  text: string | null;
  capabilities: string[];
  users: string[];
  suppliers: string[];
  /** Of which this one is the successor. */
  successorOf?: string;
}
/** Ids of the two cards, and how the second was made of the first. */
export interface PlantedPair {
  a: string;
  b: string;
  kind: string;
}
export interface PlantedLandscape {
  cards: PlantedCard[];
  duplicates: PlantedPair[];
  lookAlikes: PlantedPair[];
}

/** Duplicates, by kind: 200. */
export const KINDS = {
  typo: 35,
  word_order: 25,
  abbreviation: 30,
  legal_form: 25,
  synonym: 30,
  language: 30,
  script: 25,
} as const;
/** Pairs that are two cards, by kind: 240. */
export const LOOK_ALIKES = { version: 60, region: 40, site: 40, environment: 60, number: 30, successor: 10 } as const;
export type Kind = keyof typeof KINDS;
export type LookAlike = keyof typeof LOOK_ALIKES;

/** Whole numbers below `n`, by a linear congruential generator (Numerical Recipes). */
export function drawing(seed: number): (n: number) => number {
  let state = seed >>> 0;
  const next = (): number => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0);
  for (let i = 0; i < 10; i++) next();
  return (n) => Math.floor((next() / 2 ** 32) * n);
}

const SYLLABLES =
  'ba co da fe go hu ji ka lo mi no pa qua re so ta ul vo wy xe zan dor lin mar nex pol rin tor vas ker'.split(' ');

class Planter {
  readonly cards: PlantedCard[] = [];
  readonly duplicates: PlantedPair[] = [];
  readonly lookAlikes: PlantedPair[] = [];
  private readonly names = new Set<string>();
  private readonly draw: (n: number) => number;

  constructor(seed: number) {
    this.draw = drawing(seed);
  }

  private pick<T>(list: readonly T[]): T {
    return list[this.draw(list.length)]!;
  }

  private brand(): string {
    const text = Array.from({ length: 2 + this.draw(2) }, () => this.pick(SYLLABLES)).join('');
    return text[0]!.toUpperCase() + text.slice(1);
  }

  private details(n: number): string[] {
    return Array.from({ length: n }, () => this.pick(DETAILS));
  }

  /** @returns undefined if the name is taken */
  add(name: string, more: Partial<PlantedCard> = {}): PlantedCard | undefined {
    if (this.names.has(name.toLowerCase())) return undefined;
    this.names.add(name.toLowerCase());
    const n = this.cards.length;
    const card: PlantedCard = {
      // In the order in which they are made.
      id: `01900000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`,
      name,
      text: this.draw(10) < 7 ? this.details(10 + this.draw(14)).join(' ') : null,
      capabilities: [`capability ${this.draw(150)}`, ...(this.draw(2) ? [`capability ${this.draw(150)}`] : [])],
      users: [`organization ${this.draw(40)}`],
      suppliers: this.draw(3) ? [`provider ${this.draw(120)}`] : [],
      ...more,
    };
    this.cards.push(card);
    return card;
  }

  /** Words of a name: a brand or none, a thing or two, and what is done with it. */
  private words(): {
    brand: string;
    object: (typeof OBJECTS)[number];
    doing: (typeof FUNCTIONS)[number];
    second: string;
  } {
    const second = this.draw(3) === 0 ? this.pick(OBJECTS)[0] : '';
    return {
      brand: this.draw(10) < 6 ? this.brand() : '',
      object: this.pick(OBJECTS),
      doing: this.pick(FUNCTIONS),
      second,
    };
  }

  private nameOf({ brand, object, doing, second }: ReturnType<Planter['words']>): string {
    return [brand, second === object[0] ? '' : second, object[0], doing[0]].filter(Boolean).join(' ');
  }

  addPlain(): PlantedCard | undefined {
    return this.add(this.nameOf(this.words()));
  }

  /** Another description of the same thing: some words are left out, some are added, the order is another one. */
  private retold(text: string | null): string | null {
    if (text === null || this.draw(10) < 3) return null;
    const kept = text.split(' ').filter(() => this.draw(10) < 7);
    for (let i = kept.length - 1; i > 0; i--) {
      const j = this.draw(i + 1);
      [kept[i], kept[j]] = [kept[j]!, kept[i]!];
    }
    return [...kept, ...this.details(3)].join(' ');
  }

  private twin(original: PlantedCard, name: string, kind: Kind): boolean {
    const twin = this.add(name, {
      text: this.retold(original.text),
      ...(this.draw(10) < 8 && { capabilities: original.capabilities }),
      ...(this.draw(10) < 6 && { users: original.users }),
    });
    if (twin) this.duplicates.push({ a: original.id, b: twin.id, kind });
    return twin !== undefined;
  }

  private typo(word: string): string {
    const at = 1 + this.draw(word.length - 2);
    const kind = this.draw(4);
    if (kind === 0) return word.slice(0, at) + word.slice(at + 1);
    if (kind === 1) return word.slice(0, at) + word[at]! + word.slice(at);
    if (kind === 2) return word.slice(0, at) + 'aeioustrn'[this.draw(9)]! + word.slice(at + 1);
    return word.slice(0, at) + word[at + 1]! + word[at]! + word.slice(at + 2);
  }

  plant(kind: Kind): boolean {
    const words = this.words();
    const named = { ...words, brand: words.brand || this.brand() };
    if (kind === 'script') {
      const [original, latin] =
        SCRIPTS[this.duplicates.filter((pair) => pair.kind === 'script').length % SCRIPTS.length]!;
      const card = this.add(original);
      return card !== undefined && this.twin(card, latin, kind);
    }
    if (kind === 'synonym' && !SYNONYMS[words.object[0]] && !SYNONYMS[words.doing[0]]) return false;
    if (kind === 'abbreviation' && !ABBREVIATIONS[words.object[0]] && !ABBREVIATIONS[words.doing[0]]) return false;
    const name = kind === 'legal_form' || kind === 'word_order' ? this.nameOf(named) : this.nameOf(words);
    const parts = name.split(' ');
    const longest = [...parts].sort((x, y) => y.length - x.length)[0]!;
    const changed = {
      typo: () => (longest.length >= 6 ? name.replace(longest, this.typo(longest)) : name),
      word_order: () => [...parts.slice(1), parts[0]].join(this.draw(2) ? ' ' : ' - '),
      abbreviation: () => parts.map((part) => ABBREVIATIONS[part] ?? part).join(' '),
      legal_form: () => [parts[0], this.pick(LEGAL_FORMS), ...parts.slice(1)].join(' '),
      synonym: () => parts.map((part) => SYNONYMS[part] ?? part).join(' '),
      language: () => {
        const language = 1 + this.draw(2);
        const second = OBJECTS.find(([english]) => english === words.second)?.[language] ?? '';
        const own = words.second === words.object[0] ? '' : second;
        return [words.brand, own, words.object[language], words.doing[language]].filter(Boolean).join(' ');
      },
    }[kind]();
    if (changed.toLowerCase() === name.toLowerCase() || this.names.has(changed.toLowerCase())) return false;
    const card = this.add(name);
    return card !== undefined && this.twin(card, changed, kind);
  }

  /** Two systems of one product: everything but their names is equal. */
  plantLookAlike(kind: LookAlike): boolean {
    const base = this.nameOf(this.words());
    const year = 2010 + this.draw(10);
    const n = 1 + this.draw(8);
    const [first, second] = {
      version: () =>
        this.draw(2)
          ? [`${base} ${year}`, `${base} ${year + 1 + this.draw(5)}`]
          : [`${base} v${n}`, `${base} v${n + 1}`],
      region: () => this.two(base, REGIONS),
      site: () => this.two(base, SITES),
      environment: () => [base, `${base}${this.draw(2) ? ' ' : ' - '}${this.pick(ENVIRONMENTS)}`],
      number: () => [`${base} 0${n}`, `${base} 0${n + 1}`],
      successor: () => [base, `${base} Cloud`],
    }[kind]() as [string, string];
    if (this.names.has(first.toLowerCase()) || this.names.has(second.toLowerCase())) return false;
    const card = this.add(first)!;
    const { text, capabilities, users, suppliers } = card;
    const other = this.add(second, {
      ...{ text, capabilities, users, suppliers },
      ...(kind === 'successor' && { successorOf: card.id }),
    })!;
    this.lookAlikes.push({ a: card.id, b: other.id, kind });
    return true;
  }

  private two(base: string, places: readonly string[]): [string, string] {
    const first = this.draw(places.length);
    const second = (first + 1 + this.draw(places.length - 1)) % places.length;
    const mark = this.draw(2) ? ' ' : ' - ';
    return [base + mark + places[first]!, base + mark + places[second]!];
  }
}

/**
 * @param seed of everything that is drawn
 * @param size number of cards, the planted ones included
 */
export function plantedLandscape(seed: number, size: number): PlantedLandscape {
  const planter = new Planter(seed);
  for (const [kind, count] of Object.entries(KINDS))
    for (let n = 0, tries = 0; n < count; tries++) {
      if (tries > 100_000) throw new Error(`no more names of the kind ${kind}`);
      if (planter.plant(kind as Kind)) n++;
    }
  for (const [kind, count] of Object.entries(LOOK_ALIKES))
    for (let n = 0; n < count; ) if (planter.plantLookAlike(kind as LookAlike)) n++;
  while (planter.cards.length < size) planter.addPlain();
  return planter;
}
