import type { TSchema } from 'typebox';

/** Column types a field of a resource may have. */
export type ColumnType =
  | 'text'
  | 'uuid'
  | 'integer'
  | 'bigint'
  | 'numeric'
  | 'boolean'
  | 'date'
  | 'timestamptz'
  | 'jsonb'
  | 'text[]'
  | 'uuid[]';

/** The JSON Schema keywords that determine a column. */
export interface JsonSchema {
  type?: string;
  format?: string;
  enum?: readonly unknown[];
  anyOf?: readonly JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: readonly string[];
  default?: unknown;
  examples?: readonly unknown[];
  /** Maximum number of digits after the decimal point. */
  'x-scale'?: number;
}

/** A field of a resource and the column that holds it. */
export interface Column {
  /** Of the field. */
  name: string;
  /** Of the column. */
  column: string;
  type: ColumnType;
  nullable: boolean;
  /** The value of a resource created without the field; undefined if the field is required. */
  initial: unknown;
  scale: number | undefined;
  /** The schema of the field without null. */
  schema: JsonSchema;
}

const isNull = (schema: JsonSchema): boolean => schema.type === 'null';

/** A schema without null, and whether it allowed null. */
export function withoutNull(schema: JsonSchema): { schema: JsonSchema; nullable: boolean } {
  const branches = schema.anyOf ?? [];
  if (!branches.some(isNull)) return { schema, nullable: isNull(schema) };
  const rest = branches.filter((branch) => !isNull(branch));
  return { schema: rest.length === 1 ? rest[0]! : { ...schema, anyOf: rest }, nullable: true };
}

function typeOf({ type, format, anyOf, items, enum: values }: JsonSchema): ColumnType {
  if (type === 'integer') return 'integer';
  if (type === 'number') return 'numeric';
  if (type === 'boolean') return 'boolean';
  if (type === 'string' && format === 'uuid') return 'uuid';
  if (type === 'string' && format === 'date') return 'date';
  if (type === 'string' && format === 'date-time') return 'timestamptz';
  if (type === 'string' || values?.every((value) => typeof value === 'string')) return 'text';
  if (anyOf?.every((branch) => branch.type === 'string' && branch.format === undefined)) return 'text';
  // A type of its own, because lists of ids are compared in lower case.
  if (type === 'array' && items?.format === 'uuid') return 'uuid[]';
  return 'jsonb';
}

/**
 * Derives the column of a field from its schema.
 * @param type if it cannot be derived from the schema
 * @param column if its name differs from the field
 */
export function columnOf(name: string, declared: TSchema, type?: ColumnType, column = name): Column {
  const { schema, nullable } = withoutNull(declared as JsonSchema);
  const initial = (declared as JsonSchema).default ?? schema.default ?? (nullable ? null : undefined);
  return { name, column, type: type ?? typeOf(schema), nullable, initial, scale: schema['x-scale'], schema };
}

/** The column in a select list, as `fromRow` reads it. */
export function selected(alias: string, { name, column, type }: Column): string {
  if (type === 'date') return `${alias}.${column}::text as ${name}`;
  return column === name ? `${alias}.${name}` : `${alias}.${column} as ${name}`;
}

/** Converts a value of the PostgreSQL driver to its JSON form. */
export function fromRow({ type }: Column, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (type === 'numeric' || type === 'bigint') return Number(value);
  if (type === 'timestamptz') return (value as Date).toISOString();
  return value;
}

const lower = (value: unknown): unknown => (typeof value === 'string' ? value.toLowerCase() : value);

/** Normalises values, so that equal values are not a change: ids in lower case, times in UTC, no negative zero. */
export function normal({ type }: Column, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (type === 'uuid') return lower(value);
  if (type === 'uuid[]') return (value as unknown[]).map(lower);
  if (type === 'timestamptz') {
    const at = new Date(value as string);
    // PostgreSQL accepts leap seconds, JavaScript does not.
    return Number.isNaN(at.getTime()) ? value : at.toISOString();
  }
  return Object.is(value, -0) ? 0 : value;
}

/** The error of a value that its schema cannot express; undefined if it is valid. */
export function fault({ scale }: Column, value: unknown): string | undefined {
  if (scale === undefined || typeof value !== 'number') return undefined;
  return Number(value.toFixed(scale)) === value ? undefined : `must have at most ${scale} digits after the point`;
}

/** Whether a value may be the name of a resource: names are one line in lists, mails and files. */
export const isOneLine = (value: unknown): boolean => typeof value !== 'string' || !/\p{Cc}/u.test(value);
