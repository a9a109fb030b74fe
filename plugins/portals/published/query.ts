import type { FieldError, InventoryField, ListParams, ModuleServices } from '@lintel/sdk';
import { isFilterable, isSortable, NAME } from '../definition.js';
import type { PublishedPortal } from '../repository.js';

const MOST_WORDS = 10;
const FILTER = /^(.*?)(?:\[(gte|lte)\])?$/s;

/** What a visitor asks for, checked. */
export interface VisitorQuery extends ListParams {
  page_size: number;
  sort_by: string;
  sort_dir: 'asc' | 'desc';
  words: readonly string[];
  filters: Readonly<Record<string, string>>;
}

/** Parameters of a list of cards that are not filters. */
const OTHERS: ReadonlySet<string> = new Set(['page', 'page_size', 'cursor', 'sort_by', 'sort_dir', 'total', 'search']);

const isRange = ({ kind }: InventoryField): boolean => kind === 'number' || kind === 'date';

/** The fields by which visitors can filter, as far as they are published now. */
export const filtersOf = (
  { visitor_filters }: PublishedPortal,
  fields: ReadonlyMap<string, InventoryField>,
): InventoryField[] =>
  visitor_filters.flatMap((key) => {
    const field = fields.get(key);
    return field && isFilterable(field) ? [field] : [];
  });

/** The keys by which a list can be sorted. */
export const sortsOf = (fields: ReadonlyMap<string, InventoryField>): string[] => [
  NAME,
  ...[...fields.values()].filter(isSortable).map(({ key }) => key),
];

/**
 * Checks the query of a visitor. What is not offered has the same answer as what does not exist.
 * @throws validation_failed with all faults
 */
export function visitorQuery(
  host: Pick<ModuleServices, 'problem'>,
  portal: PublishedPortal,
  fields: ReadonlyMap<string, InventoryField>,
  query: ListParams & Record<string, unknown>,
): VisitorQuery {
  const errors: FieldError[] = [];
  const bad = (field: string, reason: string) => errors.push({ field, reason, in: 'query' });
  const offered = new Map(filtersOf(portal, fields).map((field) => [field.key, field]));
  const filters: Record<string, string> = {};
  for (const [name, value] of Object.entries(query)) {
    if (OTHERS.has(name)) continue;
    const [, key = '', operator] = FILTER.exec(name) ?? [];
    const field = offered.get(key);
    if (!field || (operator === undefined) === isRange(field)) bad(name, 'is unknown');
    // A form sends what was left empty, too.
    else if (value !== '') filters[name] = String(value);
  }
  const sorts = sortsOf(fields);
  const { sort_by } = query;
  if (sort_by !== undefined && !sorts.includes(sort_by)) bad('sort_by', `must be one of ${sorts.join(', ')}`);
  const words = [
    ...new Set(
      String(query['search'] ?? '')
        .split(/\s+/u)
        .filter(Boolean),
    ),
  ];
  if (words.length > MOST_WORDS) bad('search', `must have at most ${MOST_WORDS} words`);
  if (errors.length > 0) throw host.problem('validation_failed', { errors });
  return {
    page: query.page,
    cursor: query.cursor,
    total: query.total,
    page_size: query.page_size ?? portal.page_size,
    sort_by: sort_by ?? (sorts.includes(portal.sort_by) ? portal.sort_by : NAME),
    sort_dir: query.sort_dir ?? (sort_by === undefined ? portal.sort_dir : 'asc'),
    words,
    filters,
  };
}
