import type { ConnectorField, ConnectorFieldType } from '@lintel/sdk';

/** Levels of objects whose members are fields. */
const LEVELS = 3;
const MOST_FIELDS = 1_000;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/;

type Values = Readonly<Record<string, unknown>>;

/**
 * The fields of records, by a sample of them: members of objects are fields by their paths, and values of several types make a text.
 * @param isWritable of a field by its key
 * @returns ordered by key
 */
export function fieldsOfSample(records: readonly Values[], isWritable: (key: string) => boolean): ConnectorField[] {
  const types = new Map<string, ConnectorFieldType | undefined>();
  for (const record of records) add(types, record, '', 1);
  return [...types]
    .map(([key, type = 'text']) => ({ key, label: key.replaceAll('_', ' '), type, isWritable: isWritable(key) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
}

function add(types: Map<string, ConnectorFieldType | undefined>, values: Values, prefix: string, level: number): void {
  for (const [name, value] of Object.entries(values)) {
    const key = prefix + name;
    if (name === '' || key.length > 300 || (types.size >= MOST_FIELDS && !types.has(key))) continue;
    const [before, type] = [types.get(key), typeOf(value)];
    // Null says nothing about the type.
    if (type === undefined) types.set(key, before);
    else types.set(key, before === undefined || before === type ? type : 'text');
    if ((type === 'object' || type === 'reference') && level < LEVELS)
      add(types, value as Values, `${key}.`, level + 1);
  }
}

function typeOf(value: unknown): ConnectorFieldType | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'number') return 'number';
  if (typeof value === 'boolean') return 'boolean';
  if (Array.isArray(value))
    return value.some((item) => item !== null && typeof item === 'object' && 'id' in item) ? 'references' : 'list';
  if (typeof value === 'object') return 'id' in value ? 'reference' : 'object';
  if (typeof value !== 'string') return 'text';
  return DAY.test(value) ? 'date' : TIME.test(value) ? 'datetime' : 'text';
}
