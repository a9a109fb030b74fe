import { Names } from './names.js';
import { Records, type Id } from './records.js';

/** Fields of a card's record after its id. firstOut and firstIn are the heads of its relation lists. */
export const CARD = {
  stride: 12,
  firstOut: 4,
  firstIn: 5,
  type: 6,
  active: 7,
  nameStart: 8,
  nameLength: 9,
  stamp: 10,
  place: 11,
} as const;
/** Fields of a relation's record after its id. Its lists are doubly linked. */
export const RELATION = {
  stride: 12,
  type: 4,
  source: 5,
  target: 6,
  validTo: 7,
  nextOut: 8,
  prevOut: 9,
  nextIn: 10,
  prevIn: 11,
} as const;
/** Stands for a relation without an end date. */
export const NEVER = 0x7fff_ffff;
const EPOCH_DAY = 10_957;
const DAY_MS = 86_400_000;
const DAY = /^\d{4}-\d\d-\d\d$/;
/** Minimum capacity: a small inventory can grow tenfold. */
const LEAST_CARDS = 20_000;
const LEAST_RELATIONS = 60_000;

/** Days since 2000-01-01, as in PostgreSQL. @param text YYYY-MM-DD */
export function dayNumber(text: string): number {
  const ms = DAY.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms)) throw new Error(`${JSON.stringify(text)} is no day`);
  return ms / DAY_MS - EPOCH_DAY;
}

/** Maps keys of the metamodel to small numbers. */
export class Keys {
  /** Each key as JSON text. */
  readonly texts: Buffer[] = [];
  private readonly numbers = new Map<string, number>();

  of(key: string): number {
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    this.numbers.set(key, this.texts.length);
    return this.texts.push(Buffer.from(JSON.stringify(key))) - 1;
  }

  /** An array with 1 at the number of each given key. */
  flags(keys: readonly string[]): Uint8Array {
    const flags = new Uint8Array(this.texts.length);
    for (const key of keys) {
      const n = this.numbers.get(key);
      if (n !== undefined) flags[n] = 1;
    }
    return flags;
  }
}

/** All cards and relations with the data needed to follow relations; about 50 bytes each plus names. */
export class RelationGraph {
  readonly cards: Records;
  readonly relations: Records;
  readonly cardTypes = new Keys();
  readonly relationTypes = new Keys();
  names = new Names();
  /** Number of the current traversal, to mark what it has visited. */
  stamp = 0;

  /** @param expected initial numbers */
  constructor(
    expected: { cards: number; relations: number },
    least = { cards: LEAST_CARDS, relations: LEAST_RELATIONS },
  ) {
    this.cards = new Records(CARD.stride, expected.cards, least.cards);
    this.relations = new Records(RELATION.stride, expected.relations, least.relations);
  }

  /** Approximate memory use. */
  get bytes(): number {
    return this.cards.bytes + this.relations.bytes + this.names.size;
  }

  card([a, b, c, d]: Id): number {
    return this.cards.find(a, b, c, d);
  }

  relation([a, b, c, d]: Id): number {
    return this.relations.find(a, b, c, d);
  }

  /** @returns the number of the new card, which has no name yet */
  addCard([a, b, c, d]: Id, type: string, isActive: boolean): number {
    const n = this.cards.add(a, b, c, d);
    this.cards.data[n * CARD.stride + CARD.type] = this.cardTypes.of(type);
    this.setActive(n, isActive);
    return n;
  }

  setActive(card: number, isActive: boolean): void {
    this.cards.data[card * CARD.stride + CARD.active] = isActive ? 1 : 0;
  }

  /** @param start offset of the name that was just added */
  setName(card: number, start: number): void {
    const { data } = this.cards;
    const i = card * CARD.stride;
    this.names.drop(data[i + CARD.nameLength]!);
    data[i + CARD.nameStart] = start;
    data[i + CARD.nameLength] = this.names.lengthFrom(start);
  }

  rename(card: number, name: string): void {
    this.setName(card, this.names.add(name));
    if (this.names.isWasteful) this.tidyNames();
  }

  /** Removes a card with its relations. */
  removeCard(card: number): void {
    const { data } = this.cards;
    const i = card * CARD.stride;
    for (const first of [CARD.firstOut, CARD.firstIn]) {
      while (data[i + first] !== 0) this.removeRelation(data[i + first]!);
    }
    this.names.drop(data[i + CARD.nameLength]!);
    // Numbers of cards are not reused, so that their order follows the ids as far as possible.
    this.cards.remove(card, false);
  }

  /** @param validTo last day, since 2000-01-01; `NEVER` where there is none */
  addRelation([a, b, c, d]: Id, type: string, source: number, target: number, validTo: number): void {
    const n = this.relations.add(a, b, c, d);
    const { data } = this.relations;
    const i = n * RELATION.stride;
    data[i + RELATION.type] = this.relationTypes.of(type);
    data[i + RELATION.source] = source;
    data[i + RELATION.target] = target;
    data[i + RELATION.validTo] = validTo;
    this.link(n, source * CARD.stride + CARD.firstOut, RELATION.nextOut, RELATION.prevOut);
    this.link(n, target * CARD.stride + CARD.firstIn, RELATION.nextIn, RELATION.prevIn);
  }

  setValidTo(relation: number, validTo: number): void {
    this.relations.data[relation * RELATION.stride + RELATION.validTo] = validTo;
  }

  removeRelation(relation: number): void {
    const { data } = this.relations;
    const i = relation * RELATION.stride;
    this.unlink(relation, data[i + RELATION.source]! * CARD.stride + CARD.firstOut, RELATION.nextOut, RELATION.prevOut);
    this.unlink(relation, data[i + RELATION.target]! * CARD.stride + CARD.firstIn, RELATION.nextIn, RELATION.prevIn);
    this.relations.remove(relation, true);
  }

  private link(n: number, first: number, next: number, prev: number): void {
    const [cards, { data, stride }] = [this.cards.data, this.relations];
    const old = cards[first]!;
    data[n * stride + next] = old;
    if (old !== 0) data[old * stride + prev] = n;
    cards[first] = n;
  }

  private unlink(n: number, first: number, next: number, prev: number): void {
    const [cards, { data, stride }] = [this.cards.data, this.relations];
    const [before, after] = [data[n * stride + prev]!, data[n * stride + next]!];
    if (before === 0) cards[first] = after;
    else data[before * stride + next] = after;
    if (after !== 0) data[after * stride + prev] = before;
  }

  private tidyNames(): void {
    const { data, last } = this.cards;
    const old = this.names.bytes;
    const names = new Names();
    for (let i = CARD.stride; i <= last * CARD.stride; i += CARD.stride) {
      const [start, length] = [data[i + CARD.nameStart]!, data[i + CARD.nameLength]!];
      if (length > 0) data[i + CARD.nameStart] = names.addJson(old.subarray(start, start + length));
    }
    this.names = names;
  }
}
