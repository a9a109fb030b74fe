import { CENTS, FieldSet, type MoneyDigits } from './fields.js';
import type {
  CardTypeDefinition,
  FieldDefinition,
  RelationTypeDefinition,
  StakeholderRole,
  TagGroup,
} from './types.js';

const NONE: ReadonlySet<string> = new Set();

/** A card type with data derived from its definition once per revision. */
export class CardType {
  readonly fields: FieldSet;
  readonly subtypes: ReadonlySet<string>;
  readonly roles: ReadonlySet<string>;
  private readonly visibleBySubtype = new Map<string, readonly FieldDefinition[]>();

  constructor(
    readonly definition: CardTypeDefinition,
    readonly version: number,
    readonly updatedAt: string,
    money?: MoneyDigits,
  ) {
    this.fields = new FieldSet(
      definition.sections.flatMap((s) => s.fields),
      money,
    );
    this.subtypes = new Set(definition.subtypes.map((s) => s.key));
    this.roles = new Set(definition.stakeholder_roles.map((r) => r.key));
  }

  get key(): string {
    return this.definition.key;
  }

  /** The fields visible for a card of the subtype, which are those included in its score. */
  visibleFields(subtype: string | null): readonly FieldDefinition[] {
    const key = subtype ?? '';
    let fields = this.visibleBySubtype.get(key);
    if (!fields) {
      const hidden = new Set(this.definition.subtypes.find((s) => s.key === subtype)?.hidden_fields ?? []);
      fields = this.fields.fields.filter((f) => !hidden.has(f.key));
      this.visibleBySubtype.set(key, fields);
    }
    return fields;
  }
}

export class RelationType {
  readonly fields: FieldSet;

  constructor(
    readonly definition: RelationTypeDefinition,
    readonly version: number,
    readonly updatedAt: string,
    money?: MoneyDigits,
  ) {
    this.fields = new FieldSet(definition.fields, money);
  }

  get key(): string {
    return this.definition.key;
  }
  /** Whether a target has at most one source. */
  get oneSource(): boolean {
    return this.definition.cardinality !== 'n:m';
  }
  /** Whether a source has at most one target. */
  get oneTarget(): boolean {
    return this.definition.cardinality === '1:1';
  }
  allowsSource(type: string): boolean {
    return ['*', type].includes(this.definition.source_type);
  }
  allowsTarget(type: string): boolean {
    return ['*', type].includes(this.definition.target_type);
  }
}

/** The metamodel of one revision: immutable, so that a request uses the same one throughout. */
export class Metamodel {
  readonly types: ReadonlyMap<string, CardType>;
  readonly relationTypes: ReadonlyMap<string, RelationType>;
  /** Attribute keys that are a cost in any card type: a fast check whether redaction is needed. */
  readonly anyCostKeys: ReadonlySet<string>;
  /** Whether any stakeholder role is inherited by the cards below. */
  readonly anyInherited: boolean;
  /** By id. */
  readonly tagGroups: ReadonlyMap<string, TagGroup>;
  /** Tag id → id of its group. */
  readonly tags: ReadonlyMap<string, string>;
  private readonly mandatoryByType = new Map<string, readonly string[]>();
  private readonly belowByType = new Map<string, ReadonlySet<string>>();

  constructor(
    readonly revision: string,
    types: readonly CardType[],
    relationTypes: readonly RelationType[],
    tagGroups: readonly TagGroup[] = [],
    readonly money: MoneyDigits = CENTS,
  ) {
    this.tagGroups = new Map(tagGroups.map((g) => [g.id, g]));
    this.tags = new Map(tagGroups.flatMap((g) => g.tags.map((t) => [t.id, g.id] as const)));
    this.types = new Map(types.map((t) => [t.key, t]));
    this.relationTypes = new Map(relationTypes.map((t) => [t.key, t]));
    this.anyCostKeys = new Set(types.flatMap((t) => [...t.fields.costKeys]));
    this.anyInherited = types.some((t) => t.definition.stakeholder_roles.some((r) => r.inherited === true));
  }

  costKeys(cardType: string): ReadonlySet<string> {
    return this.types.get(cardType)?.fields.costKeys ?? NONE;
  }

  relationCostKeys(relationType: string): ReadonlySet<string> {
    return this.relationTypes.get(relationType)?.fields.costKeys ?? NONE;
  }

  /**
   * Whether an attribute is a reference to cards in one of the card types, or is in none of them: what it was before is not known.
   * @param types keys; default: all
   */
  isReference(key: string, types: Iterable<string> = this.types.keys()): boolean {
    const kinds = [...types].flatMap((type) => this.types.get(type)?.fields.byKey.get(key)?.kind ?? []);
    return kinds.length === 0 || kinds.includes('card_reference');
  }

  /** Types of cards that can be below a card of the type, at any depth; includes the type itself where possible. */
  typesBelow(cardType: string): ReadonlySet<string> {
    let below = this.belowByType.get(cardType);
    if (!below) {
      const found = new Set<string>();
      const children = (parent: string) =>
        [...this.types.values()].filter(
          ({ definition: d }) => d.has_hierarchy && d.allowed_parent_types.includes(parent),
        );
      // Iterating over a Set includes entries added during the iteration.
      for (const above of [[cardType], found])
        for (const key of above) for (const child of children(key)) found.add(child.key);
      this.belowByType.set(cardType, (below = found));
    }
    return below;
  }

  /**
   * Everything that a stakeholder role of a card type grants: on cards of the type and, if inherited, of every type
   * below.
   */
  grantsOf(
    { permissions, inherited }: Pick<StakeholderRole, 'permissions' | 'inherited'>,
    cardType: string,
  ): { key: string; cardType: string }[] {
    const types = new Set([cardType, ...(inherited === true ? this.typesBelow(cardType) : [])]);
    return Object.keys(permissions)
      .filter((key) => permissions[key] === true)
      .flatMap((key) => [...types].map((type) => ({ key, cardType: type })));
  }

  /** Relation types of which a card must have a relation at this end to be approved. */
  mandatoryFor(cardType: string): { key: string; side: 'source' | 'target' }[] {
    return [...this.relationTypes.values()].flatMap((r) => [
      ...(r.definition.source_mandatory && r.allowsSource(cardType) ? [{ key: r.key, side: 'source' as const }] : []),
      ...(r.definition.target_mandatory && r.allowsTarget(cardType) ? [{ key: r.key, side: 'target' as const }] : []),
    ]);
  }
  /** Ids of the tag groups of which a card of the type must have a tag to be approved. */
  mandatoryGroups(cardType: string): readonly string[] {
    let ids = this.mandatoryByType.get(cardType);
    if (!ids) {
      ids = [...this.tagGroups.values()].filter((g) => g.mandatory && allows(g, cardType)).map((g) => g.id);
      this.mandatoryByType.set(cardType, ids);
    }
    return ids;
  }
}

/** Whether cards of the type may have tags of the group. */
export const allows = ({ restrictToTypes }: Pick<TagGroup, 'restrictToTypes'>, cardType: string): boolean =>
  restrictToTypes.length === 0 || restrictToTypes.includes(cardType);
