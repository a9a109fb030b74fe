import type { Bindings } from '../../../foundation/db/list-query.js';
import type { FieldDefinition, FieldSet, Metamodel } from '../../metamodel/index.js';
import { stringOf } from './attribute-values-repository.js';
import { otherConditions, type CardVisibility, ownCostsSql } from '../../access/index.js';

/** How values of a kind are compared. */
export type ValueClass = 'number' | 'date' | 'boolean' | 'text' | 'option' | 'options' | 'id';

/** An attribute key, which several types may define differently. */
export interface Attribute {
  key: string;
  /** Types by how they define the key. */
  classes: ReadonlyMap<ValueClass, readonly string[]>;
  /** Types for which it is a cost that the reader may see only as a stakeholder. */
  closed: readonly string[];
  /** Types that have an index on it. */
  indexed: readonly string[];
}

export function classOf(field: FieldDefinition): ValueClass {
  switch (field.kind) {
    case 'number':
    case 'integer':
    case 'cost':
    case 'percentage':
      return 'number';
    case 'date':
      return 'date';
    case 'boolean':
      return 'boolean';
    case 'text':
    case 'multiline':
    case 'url':
    case 'email':
    case 'calculated':
      return 'text';
    case 'single_select':
      return 'option';
    case 'multiple_select':
      return 'options';
    case 'user':
    case 'card_reference':
      return 'id';
  }
}

/** Types with fields, of cards or of relations, and whether their costs are hidden from the reader. */
interface FieldModel {
  types: ReadonlyMap<string, { readonly fields: FieldSet }>;
  isClosed(type: string): boolean;
}

/**
 * The definition of an attribute key among types.
 * @param types the types of the list; all where absent
 * @returns undefined where none of them has such a field
 */
export function attributeIn(
  model: FieldModel,
  key: string,
  types: readonly string[] | undefined,
): Attribute | undefined {
  const classes = new Map<ValueClass, string[]>();
  const closed: string[] = [];
  const indexed: string[] = [];
  for (const [type, { fields }] of model.types) {
    const field = types === undefined || types.includes(type) ? fields.byKey.get(key) : undefined;
    if (!field) continue;
    const like = classOf(field);
    classes.set(like, [...(classes.get(like) ?? []), type]);
    if (fields.costKeys.has(key) && model.isClosed(type)) closed.push(type);
    if (field.filterable === true) indexed.push(type);
  }
  return classes.size === 0 ? undefined : { key, classes, closed, indexed };
}

/** The same among card types. */
export const attributeOf = (
  metamodel: Metamodel,
  visibility: CardVisibility,
  key: string,
  types: readonly string[] | undefined,
): Attribute | undefined =>
  attributeIn({ types: metamodel.types, isClosed: (type) => visibility.costRedactedTypes.has(type) }, key, types);

/** Whether values of the attribute are card ids, some of which may be hidden from the reader. */
export const mayReferToHidden = ({ key }: Attribute, { references }: CardVisibility): boolean =>
  references.keys.includes(key);

/**
 * The condition that the value of `c` is not the id of a hidden card, which counts as no value; undefined where it never is.
 */
export const referenceSeen = (
  attribute: Attribute,
  visibility: CardVisibility,
  bindings: Bindings,
): string | undefined =>
  mayReferToHidden(attribute, visibility)
    ? otherConditions(visibility, bindings)!.valueSeen(stringOf(attribute.key))
    : undefined;

/** The condition that the reader may see the costs of `c`, where the attribute is one; undefined where this holds for all cards. */
export function costOpen({ closed }: Attribute, visibility: CardVisibility, bindings: Bindings): string | undefined {
  if (closed.length === 0) return undefined;
  const elsewhere = `c.type <> all(${bindings.add(closed)}::text[])`;
  const opened = ownCostsSql(visibility, bindings);
  return opened === undefined ? elsewhere : `(${elsewhere} or ${opened})`;
}

/** The condition that the reader may see the attribute of `c`; undefined where this holds for all cards. */
export function openCondition(
  attribute: Attribute,
  visibility: CardVisibility,
  bindings: Bindings,
): string | undefined {
  const conditions = [referenceSeen(attribute, visibility, bindings), costOpen(attribute, visibility, bindings)];
  const held = conditions.filter((condition) => condition !== undefined);
  return held.length === 0 ? undefined : held.join(' and ');
}
