/** The filters of a report in words, with the labels of the metamodel. */
import {
  splitValues,
  type Inventory,
  type InventoryField,
  type InventoryFilters,
  type ReportRequest,
} from '@lintel/sdk';
import type { Texts } from './en.js';

/** How the operator of a filter is read. */
const SIGNS: Readonly<Record<string, string>> = { gt: '>', gte: '≥', lt: '<', lte: '≤', ne: '≠' };

const PHASE = 'lifecycle_phase';
const RELATION_TYPES = ['relation_type', 'has_relation', 'lacks_relation'];

/** The name of a field from its key: `attributes.businessCriticality` is "business criticality". */
const fieldWords = (key: string): string =>
  key
    .replace(/^attributes\./, '')
    .replaceAll(/[_.]/g, ' ')
    .replaceAll(/(?<=[a-z\d])[A-Z](?=[a-z])/g, (letter) => ` ${letter.toLowerCase()}`);

const own = (texts: Readonly<Record<string, string>>, key: string): string | undefined =>
  Object.hasOwn(texts, key) ? texts[key] : undefined;

type Reader = Pick<Inventory, 'field' | 'relationTypes'>;

/** The name of a filter: a field by its label in the metamodel. */
function nameOf(key: string, field: InventoryField | undefined, inventory: Reader, { filter }: Texts): string {
  const known = own(filter.name, key);
  if (known !== undefined) return known;
  const [, phase] = /^lifecycle\.(.+)$/.exec(key) ?? [];
  const options = phase === undefined ? [] : (inventory.field(PHASE)?.options ?? []);
  return options.find((option) => option.key === phase)?.label ?? field?.label ?? fieldWords(key);
}

/** A value of a filter: options and relation types by their labels. */
function valueOf(
  value: string,
  key: string,
  field: InventoryField | undefined,
  inventory: Reader,
  texts: Texts,
): string {
  if (RELATION_TYPES.includes(key)) {
    const type = inventory.relationTypes.get(value);
    if (type) return type.label;
  }
  const option = field?.options.find((one) => one.key === value);
  if (option) return option.label;
  if (field?.kind === 'boolean') return value === 'true' ? texts.value.yes : texts.value.no;
  // Other fields have values of users.
  return (key.startsWith('attributes.') ? undefined : own(texts.filter.value, value)) ?? value;
}

function described(
  name: string,
  value: unknown,
  inventory: Reader,
  types: readonly string[] | undefined,
  texts: Texts,
) {
  const [, key = name, operator = ''] = /^(.+?)(?:\[(\w+)\])?$/.exec(name) ?? [];
  const field = inventory.field(key, types) ?? inventory.field(key);
  const words = nameOf(key, field, inventory, texts);
  const all = String(value);
  const { contains, empty, notEmpty, or } = texts.filter;
  if (operator === 'empty' && (all === 'true' || all === 'false'))
    return `${words} ${all === 'true' ? empty : notEmpty}`;
  // Commas separate alternatives, except in texts of users.
  const parts = key === 'search' || operator === 'contains' ? [all] : splitValues(all);
  const text = parts.map((part) => valueOf(part, key, field, inventory, texts)).join(or);
  if (operator === '') return `${words}: ${text}`;
  return `${words} ${operator === 'contains' ? contains : operator === 'empty' ? empty : (SIGNS[operator] ?? operator)} ${text}`;
}

/**
 * The filters of a report in words, such as `Business criticality: Mission critical` and `data quality ≥ 40`.
 * @param types keys of the card types that the report is about
 * @returns by the name of the filter
 */
export function describedFilters(
  inventory: Reader,
  filters: InventoryFilters,
  types: readonly string[] | undefined,
  texts: Texts,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(filters)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, described(name, value, inventory, types, texts)]),
  );
}

/**
 * The filters of a request in words, for its picture.
 * @param shown names of filters that the picture tells already
 * @returns empty without filters
 */
export const filterWords = (
  { filterTexts }: Pick<ReportRequest, 'filterTexts'>,
  shown: readonly string[] = [],
): string =>
  Object.entries(filterTexts ?? {})
    .filter(([name]) => !shown.includes(name))
    .map(([, text]) => text)
    .join(', ');
