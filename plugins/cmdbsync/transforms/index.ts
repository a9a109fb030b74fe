import type { ConnectorRecord, InventoryFieldKind } from '@lintel/sdk';
import type { FieldMap, Mapping } from '../mappings/definition.js';
import type { Value } from '../records/definition.js';
import { compileTransform, type CompiledTransform } from './kinds.js';
import { referencesOf } from './references.js';
import { settled } from './targets.js';
import { demandStorable, isShown, MappingFault, valueAt } from './values.js';

export { isInvertible } from './kinds.js';
export { valueAt } from './values.js';

/** Targets whose values are texts in every workspace. */
const TEXTS = new Set(['name', 'description', 'alias', 'external_id', 'subtype']);

/** A record as its mapping reads it. */
export interface MappedRecord {
  /** By target, without those that have errors or whose fields the record does not show; null where there is no value. */
  values: Record<string, Value>;
  /** By key of the relation map, without those whose field the record does not show: ids of records, each once. */
  references: Record<string, string[]>;
  /** `field`: the target, or the key of a relation map. */
  errors: { field: string; reason: string }[];
}

/** Reads records by the field maps of a mapping. */
export interface MappedReader {
  /** Keys of the fields of the other system that are needed, each once. */
  readonly sources: readonly string[];
  read(record: ConnectorRecord): MappedRecord;
  /**
   * A value of a card as the other system has it.
   * @returns undefined if the transform of the target cannot be inverted, or has no counterpart of the value
   */
  writeBack(target: string, value: Value): { source: string; value: Value } | undefined;
  /** Whether values of a target can be written to the other system. */
  canWrite(target: string): boolean;
}

/**
 * Compiles the field maps of a mapping, once for all of its records. The returned functions send no requests and change nothing.
 * @param fieldTypes kinds of the values of targets, so that numbers become texts where the card needs these
 * @throws MappingFault for an invalid expression; those of stored mappings were checked
 */
export function compileFields(
  mapping: Pick<Mapping, 'fields' | 'relations'>,
  fieldTypes: Readonly<Record<string, InventoryFieldKind>> = {},
): MappedReader {
  const fields = mapping.fields.map((field) => {
    const compiled = compileTransform(field.transform);
    return { ...field, compiled, needed: neededBy(field, compiled) };
  });
  const kindOf = (target: string): InventoryFieldKind | undefined =>
    TEXTS.has(target) ? 'text' : target.startsWith('lifecycle.') ? 'date' : fieldTypes[target];
  const byTarget = new Map<string, { source: string; compiled: CompiledTransform }>(
    fields.map((field) => [field.target, field]),
  );
  return {
    sources: [
      ...new Set([
        ...fields.flatMap(({ source, compiled }) => [...(source === '' ? [] : [source]), ...compiled.sources]),
        ...mapping.relations.map(({ source }) => source),
      ]),
    ],
    read(record) {
      const mapped: MappedRecord = { values: {}, references: {}, errors: [] };
      const attempt = (field: string, work: () => void): void => {
        try {
          work();
        } catch (error) {
          if (!(error instanceof MappingFault)) throw error;
          mapped.errors.push({ field, reason: error.message });
        }
      };
      for (const { source, target, compiled, needed } of fields) {
        if (!needed.every((path) => isShown(record.values, path))) continue;
        attempt(target, () => {
          const value = source === '' ? null : valueAt(record.values, source);
          const read = compiled.read(value, record);
          demandStorable(read);
          mapped.values[target] = settled(read, target, kindOf(target));
        });
      }
      for (const { key, source } of mapping.relations)
        if (isShown(record.values, source))
          attempt(key, () => {
            const ids = referencesOf(valueAt(record.values, source));
            demandStorable(ids);
            mapped.references[key] = ids;
          });
      return mapped;
    },
    canWrite(target) {
      const field = byTarget.get(target);
      return field?.compiled.write !== undefined && field.source !== '';
    },
    writeBack(target, value) {
      const field = byTarget.get(target);
      if (!field?.compiled.write || field.source === '') return undefined;
      const written = value === null ? null : field.compiled.write(value);
      return written === undefined ? undefined : { source: field.source, value: written };
    },
  };
}

/** The fields without which a value cannot be read. The id of a record may be beside its values; an expression asks by `has`. */
const neededBy = ({ source, transform }: FieldMap, { sources }: CompiledTransform): string[] => [
  ...(source === '' ? [] : [source]),
  ...(transform.kind === 'template' ? sources.filter((name) => name !== 'id') : []),
];
