import { defaultCardTypes } from '../../config/metamodel/index.js';
import type { CardTypeDefinition, FieldDefinition } from '../../core/inventory/metamodel/types.js';
import { uuidv7 } from '../../core/foundation/ids.js';
import { nameWords, RARE_WORD, weighted, words } from './words.js';

/** The members of a generated card that a client sets. */
export interface MadeCard {
  type: string;
  subtype: string | null;
  name: string;
  description: string;
  attributes: Record<string, unknown>;
  lifecycle: Record<string, string>;
}

const MAX_LEVEL = 6;
/** Of 1,000 cards whose type has a hierarchy, so many have no parent. */
const ROOTS = 4;
const RARE_CARDS = 30;

/** From the most frequent type, 30 % of the cards, to the rarest, 0.3 %. */
const BY_FREQUENCY = [
  'Application',
  'Interface',
  'ITComponent',
  'BusinessProcess',
  'DataObject',
  'BusinessCapability',
  'Initiative',
  'Organization',
  'Provider',
  'Objective',
  'BusinessContext',
  'TechCategory',
  'Platform',
];

const TYPES: readonly CardTypeDefinition[] = BY_FREQUENCY.map((key) => {
  const type = defaultCardTypes.find((t) => t.key === key);
  if (!type) throw new Error(`the default metamodel has no ${key}`);
  return type;
});
const drawType = weighted(TYPES, (i) => 0.3 * 0.01 ** (i / (TYPES.length - 1)));

const pick = <T>(random: () => number, list: readonly T[]): T => list[Math.floor(random() * list.length)]!;

function day(random: () => number, firstYear: number, years: number): string {
  return new Date(Date.UTC(firstYear, 0, 1 + Math.floor(random() * years * 365))).toISOString().slice(0, 10);
}

function valueOf(field: FieldDefinition, random: () => number): unknown {
  switch (field.kind) {
    case 'text':
      return words(random, 2);
    case 'multiline':
      return words(random, 20);
    case 'url':
      return `https://${words(random, 1)}.example.org/${Math.floor(random() * 1e6)}`;
    case 'email':
      return `${words(random, 1)}@example.org`;
    case 'date':
      return day(random, 2020, 10);
    case 'boolean':
      return random() < 0.5;
    case 'integer':
      return Math.floor(random() * 1_000);
    case 'number':
    case 'percentage':
      return Math.floor(random() * 100);
    case 'cost':
      return Math.floor(random() * 1e6);
    case 'single_select':
      return pick(random, field.options!).key;
    case 'multiple_select':
      return [pick(random, field.options!).key];
    case 'user':
    case 'card_reference':
    case 'calculated':
      return undefined;
  }
}

/** A card of a type drawn by frequency, with most fields filled. @param n part of the name, which makes it unique */
export function makeCard(random: () => number, n: number): MadeCard {
  const type = drawType(random);
  const attributes: Record<string, unknown> = {};
  for (const field of type.sections.flatMap((section) => section.fields)) {
    const value = random() < 0.9 ? valueOf(field, random) : undefined;
    if (value !== undefined) attributes[field.key] = value;
  }
  const lifecycle: Record<string, string> = { active: day(random, 2015, 8), endOfLife: day(random, 2025, 8) };
  if (random() < 0.5) lifecycle['plan'] = day(random, 2012, 3);
  return {
    type: type.key,
    subtype: type.subtypes.length > 0 ? pick(random, type.subtypes).key : null,
    name: `${nameWords(random)} ${n.toString(36)}`,
    description: words(random, 23),
    attributes,
    lifecycle,
  };
}

/** A generated card with its position in the tree. */
export interface PlacedCard extends MadeCard {
  id: string;
  /** Ids from the root down to the parent. */
  path: readonly string[];
  isLeaf: boolean;
}

/** Makes the cards of a whole inventory, parents before their children. */
export class Forest {
  private readonly parents = new Map<string, Pick<PlacedCard, 'id' | 'path'>[]>();
  private made = 0;

  /** @param total the number of calls of `next` */
  constructor(
    private readonly random: () => number,
    private readonly total: number,
  ) {}

  next(): PlacedCard {
    const { random } = this;
    const n = this.made++;
    const card = makeCard(random, n);
    if (n % Math.ceil(this.total / RARE_CARDS) === 0) card.description += ` ${RARE_WORD}`;
    const nests = TYPES.find((t) => t.key === card.type)!.has_hierarchy;
    const parents = this.parents.get(card.type) ?? [];
    const parent = nests && parents.length > 0 && random() * 1_000 >= ROOTS ? pick(random, parents) : undefined;
    const path = parent ? [...parent.path, parent.id] : [];
    // Real trees have few inner nodes and many leaves: one card in eight may get children.
    const isLeaf = !nests || path.length + 1 >= MAX_LEVEL || (parents.length > 0 && random() >= 0.125);
    const id = uuidv7();
    if (!isLeaf) this.parents.set(card.type, parents);
    if (!isLeaf) parents.push({ id, path });
    return { ...card, id, path, isLeaf };
  }
}
