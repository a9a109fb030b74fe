import type { Inventory, InventoryField } from '@lintel/sdk';
import type { TableDefinition } from './definition.js';
import type { StoredCell } from './model.js';
import type { Words } from './words.js';

const DEFAULT_COLUMNS = ['subtype', 'lifecycle_phase'];
const MOST_COSTS = 10;
/** The type is shown anyway; the score depends on who sees the card, and would tell whether its costs are known. */
const UNSHOWN: ReadonlySet<string> = new Set(['type', 'data_quality']);

/** The card types that a filter names; undefined for all. */
export function typesOf({ filter }: TableDefinition): string[] | undefined {
  const types = filter?.['type']?.split(',').map((type) => type.trim());
  return types?.filter(Boolean);
}

/**
 * The fields that a table of cards or costs shows.
 * @returns the fields, and the indices of columns that cannot be shown
 */
export function fieldsOf(
  inventory: Inventory,
  table: TableDefinition,
): { fields: InventoryField[]; unknown: number[] } {
  if (table.kind !== 'cards' && table.kind !== 'costs') return { fields: [], unknown: [] };
  const types = typesOf(table);
  const keys = table.columns ?? (table.kind === 'cards' ? DEFAULT_COLUMNS : costKeys(inventory, types));
  const found = keys.map((key) => {
    const field = inventory.field(key, types);
    if (!field || field.kind === 'id' || UNSHOWN.has(field.key)) return undefined;
    return table.kind === 'costs' && !field.isCost ? undefined : field;
  });
  return {
    fields: found.flatMap((field) => field ?? []),
    unknown: found.flatMap((field, i) => (field || !table.columns ? [] : [i])),
  };
}

function costKeys({ types }: Inventory, named: readonly string[] | undefined): string[] {
  const keys = [...types.values()]
    .filter(({ key }) => named === undefined || named.includes(key))
    .flatMap(({ fields }) => fields.filter(({ isCost }) => isCost).map(({ key }) => key));
  return [...new Set(keys)].slice(0, MOST_COSTS);
}

/** The card types of a table that have a field as an attribute; undefined for fields that all cards have. */
export function typesWith({ types }: Inventory, table: TableDefinition, { key }: InventoryField): string[] | undefined {
  if (!key.startsWith('attributes.')) return undefined;
  const named = typesOf(table);
  return [...types.values()]
    .filter((type) => (!named?.length || named.includes(type.key)) && type.fields.some((field) => field.key === key))
    .map((type) => type.key);
}

/** A value of a field, which SQL has returned as text. */
export function cellOf(field: InventoryField, value: string | null, words: Words): StoredCell {
  if (value === null) return null;
  const label = (key: string): string => field.options.find((option) => option.key === key)?.label ?? key;
  switch (field.kind) {
    case 'number':
      return field.isCost ? { money: value } : Number(value);
    case 'date':
      return { date: value };
    case 'boolean':
      return value === 'true' ? words.yes : words.no;
    case 'option':
      return label(value);
    case 'options':
      return (JSON.parse(value) as unknown[]).map((key) => label(String(key))).join(', ');
    default:
      return value;
  }
}
