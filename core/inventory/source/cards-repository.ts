import type { InventoryColumn, InventoryField } from '@lintel/sdk';
import type { CardScope } from '../../identity/rbac/index.js';
import type { Bindings } from '../../foundation/db/list-query.js';
import { othersSql, stakeholdersHidden, type CardVisibility } from '../access/index.js';
import {
  attributeOf,
  comparable,
  compileFilters,
  jsonOf,
  openCondition,
  phaseSql,
  qualitySql,
  rowsWith,
  stringOf,
  type CardFilters,
} from '../cards/index.js';
import type { Metamodel } from '../metamodel/index.js';

/** The caller, and the day. */
export interface SourceReader {
  metamodel: Metamodel;
  visibility: CardVisibility;
  /** UTC day, YYYY-MM-DD. */
  today: string;
  /** Card types whose costs the role of the caller does not permit to see, and the cards whose costs a stakeholder role permits. */
  costs: { redactedTypes: readonly string[]; scope: CardScope };
}

const IDENTIFIER = /^[a-z][a-z0-9_]{0,40}$/;

/** The name of a column that a caller of the process has chosen. @throws if it is no plain identifier */
export function columnName(name: string): string {
  if (!IDENTIFIER.test(name)) throw new Error(`${JSON.stringify(name)} is no name of a column`);
  return `"${name}"`;
}

/** SQL of the value of an attribute over the alias `c`; see `InventoryFieldKind` for its type. */
export function attributeValue(key: string, kind: InventoryField['kind']): string {
  switch (kind) {
    case 'number':
      return comparable(key, 'number').sql;
    case 'options':
      return `(case when jsonb_typeof(${jsonOf(key)}) = 'array' then ${jsonOf(key)} end)`;
    case 'boolean':
      return `(case when jsonb_typeof(${jsonOf(key)}) = 'boolean' then (${jsonOf(key)})::text end)`;
    case 'date':
      return comparable(key, 'date').sql;
    default:
      return `nullif(${stringOf(key)}, '')`;
  }
}

function fieldSql(
  { key, kind }: InventoryField,
  types: readonly string[] | undefined,
  { metamodel, visibility, today }: SourceReader,
  bindings: Bindings,
): string {
  switch (key) {
    case 'type':
    case 'subtype':
    case 'approval_status':
    case 'description':
    case 'external_id':
      return `c.${key}`;
    case 'lifecycle_phase':
      return phaseSql(`${bindings.add(today)}::text`);
    case 'data_quality':
      return qualitySql(metamodel, types, visibility, bindings);
  }
  const name = key.replace(/^attributes\./, '');
  const attribute = attributeOf(metamodel, visibility, name, types);
  if (!attribute) return 'null';
  const value = attributeValue(name, kind);
  const open = openCondition(attribute, visibility, bindings);
  return open === undefined ? value : `(case when ${open} then ${value} end)`;
}

function costsVisibleSql({ costs: { redactedTypes, scope } }: SourceReader, bindings: Bindings): string {
  if (redactedTypes.length === 0) return 'true';
  const byRole = `c.type <> all(${bindings.add(redactedTypes)}::text[])`;
  if (scope.held.size + scope.roots.size === 0) return byRole;
  const [held, roots] = [bindings.add([...scope.held]), bindings.add([...scope.roots])];
  return `(${byRole} or c.id = any(${held}::uuid[]) or c.path_ids && ${roots}::uuid[])`;
}

/** SQL of the columns that every card has; a column of the table is not in it. */
const computed = (reader: SourceReader, types: readonly string[] | undefined, bindings: Bindings) =>
  ({
    parent_id: () => othersSql(reader.visibility, bindings).parent,
    lifecycle_phase: () => phaseSql(`${bindings.add(reader.today)}::text`),
    data_quality: () => qualitySql(reader.metamodel, types, reader.visibility, bindings),
    costs_visible: () => costsVisibleSql(reader, bindings),
  }) satisfies Partial<Record<InventoryColumn, () => string>>;

const COLUMNS: readonly InventoryColumn[] = [
  'id',
  'type',
  'subtype',
  'name',
  'name_key',
  'external_id',
  'parent_id',
  'path_ids',
  'status',
  'approval_status',
  'lifecycle',
  'lifecycle_phase',
  'data_quality',
  'open_quality',
  'basic_quality',
  'costs_visible',
  'created_at',
  'updated_at',
];

/**
 * The subquery of `InventorySql.cards`.
 * @param further filters of which all must match, too
 * @throws a 422 with all invalid filters, a 403 for stakeholders the caller may not see
 */
export function cardsSource(
  filters: CardFilters,
  fields: Readonly<Record<string, InventoryField>>,
  columns: readonly InventoryColumn[] | undefined,
  reader: SourceReader,
  bindings: Bindings,
  further: readonly CardFilters[] = [],
): string {
  const { where: first, types } = compileFilters(filters, bindings, reader);
  const where = [...first, ...further.flatMap((more) => compileFilters(more, bindings, reader).where)];
  const made: Partial<Record<InventoryColumn, () => string>> = computed(reader, types, bindings);
  const selected = [
    ...(columns ?? COLUMNS).map((column) => `${made[column]?.() ?? `c.${column}`} as ${columnName(column)}`),
    ...Object.entries(fields).map(
      ([name, field]) => `${fieldSql(field, types, reader, bindings)} as ${columnName(name)}`,
    ),
  ].join(', ');
  return `(select ${selected} from ${columns ? rowsWith(selected, ...where) : 'card_rows c'} where ${where.join(' and ')})`;
}

/**
 * The subquery of `InventorySql.stakeholders`.
 * @throws a 403 where the caller may see them for no type
 */
export function stakeholdersSource({ metamodel, visibility }: SourceReader, bindings: Bindings): string {
  const { stakeholderRedactedTypes: redacted } = visibility;
  if (redacted.size > 0 && redacted.size === metamodel.types.size) throw stakeholdersHidden();
  const hidden = [...new Set([...visibility.hiddenTypes, ...redacted])];
  const where = hidden.length === 0 ? '' : ` where k.type <> all(${bindings.add(hidden)}::text[])`;
  return `(select s.card_id, s.user_id, s.role, k.type as card_type from card_stakeholders s join cards k on k.id = s.card_id${where})`;
}

/**
 * Condition that a text contains another, ignoring case and accents. Most texts are ASCII, for which the function that folds the
 * others would take three times as long.
 * @param placeholder of the other text
 */
export const containsSql = (column: string, placeholder: string): string =>
  `strpos(case when octet_length(${column}) = length(${column}) then lower(${column} collate "C") else lintel_fold(${column}) end, lintel_fold(${placeholder}::text)) > 0`;
