import type { FieldMap, IdentityKey, RelationMap } from '../mappings/definition.js';

/** A mapping as a template makes it. */
export interface TemplateMapping {
  /** Appended to the name of the connection. */
  name: string;
  table: string;
  card_type: string;
  fields: readonly FieldMap[];
  identity: readonly IdentityKey[];
  relations: readonly RelationMap[];
}

/** Mappings for the default metamodel, in the order in which they are best run: those first whose records others reference. */
export interface Template {
  key: string;
  title: string;
  description: string;
  /** Key of the connector that it is for. */
  connector: string;
  mappings: readonly TemplateMapping[];
}

/** A field that the other system owns and that is taken as it is. */
export const direct = (source: string, target: string): FieldMap => ({
  source,
  target,
  owner: 'cmdb',
  transform: { kind: 'direct' },
});

/** A field with the same value for all records. */
export const fixed = (target: string, value: string): FieldMap => ({
  source: '',
  target,
  owner: 'cmdb',
  transform: { kind: 'template', template: value },
});

/** The id of the record, which no two cards of a type have: records of other tables have another prefix. */
export const externalId = (prefix: string, source = 'id'): FieldMap => ({
  source: '',
  target: 'external_id',
  owner: 'cmdb',
  transform: { kind: 'template', template: `${prefix}:{${source}}` },
});

/** A reference at whose card this mapping's card is the end `card_end`. */
export const reference = (
  source: string,
  target_table: string,
  relation_type: string,
  card_end: 'source' | 'target',
): RelationMap => ({ key: source.replace(/\W/g, '_'), source, target_table, relation_type, card_end });
