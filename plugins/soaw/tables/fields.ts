import type { Inventory, InventoryField } from '@lintel/sdk';
import type { TableDefinition } from './definition.js';
import type { StoredCell } from './model.js';
import type { Words } from './words.js';

const DEFAULT_COLUMNS = ['subtype', 'lifecycle_phase'];
const MOST_COSTS = 10;

/** The score of a card depends on who sees it, and the type is shown anyway. */
const UNSHOWN: ReadonlySet<string> = new Set(['type', 'data_quality']);
/** Filters whose result depends on stakeholders, which not everyone sees, or on who sees the card. */
const BY_READER = /^(stakeholder_|data_quality\b)/;
/** Filters whose result depends on relations or on the cards above. */
const BY_RELATION: ReadonlySet<string> = new Set([
  'related_to',
  'related_root_id',
  'relation_type',
  'has_relation',
  'lacks_relation',
  'parent_id',
  'root_id',
]);

/**
 * The filters that a table of a document cannot have, because its rows, which are frozen with all rights, would tell their values: those
 * by costs, by the score, and by stakeholders.
 */
export function refusedFilters(inventory: Inventory, table: TableDefinition): string[] {
  const types = typesOf(table);
  return Object.keys(table.filter ?? {}).filter((name) => {
    const key = /^attributes\.[^[]+/.exec(name)?.[0];
    if (key === undefined) return BY_READER.test(name);
    // A key that several types define in different ways may be a cost in one of them.
    return [...inventory.types.values()].some(
      (type) => (types?.includes(type.key) ?? true) && type.fields.some((field) => field.key === key && field.isCost),
    );
  });
}

/** Whether the rows of a table depend on relations. */
export const dependsOnRelations = ({ kind, filter = {} }: TableDefinition): boolean =>
  kind === 'gaps' || Object.keys(filter).some((name) => BY_RELATION.has(name));

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
