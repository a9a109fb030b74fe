import { invalid } from '../../../foundation/errors.js';
import type { Bindings } from '../../../foundation/db/list-query.js';
import { attributeConditions, type Range } from './attribute-filters-repository.js';
import { compileSearch, MOST_WORDS, type Search } from '../search/search-terms-repository.js';
import { commaSeparated } from '../comma-separated.js';
import { LIFECYCLE_PHASES } from '../types.js';
import { otherConditions } from '../../access/index.js';
import { phaseSql, qualitySql } from './derived-repository.js';
import { FilterConditions } from './filter-conditions.js';
import { lifecycleConditions } from './lifecycle-filters-repository.js';
import { relationConditions, type RelatedFilters } from './relation-filters-repository.js';
import { stakeholderConditions, type StakeholderFilters } from './stakeholder-filters-repository.js';
import type { Reader } from './view.js';

/**
 * The filters of a card list as query parameters; comma-separated lists mean "any of". In addition:
 * `attributes.<key>[<operator>]` and `lifecycle.<phase>[<operator>]`.
 */
export interface CardFilters extends RelatedFilters, StakeholderFilters {
  type?: string | undefined;
  subtype?: string | undefined;
  'subtype[empty]'?: boolean | undefined;
  status?: string | undefined;
  approval_status?: string | undefined;
  lifecycle_phase?: string | undefined;
  'data_quality[gte]'?: number | undefined;
  'data_quality[lt]'?: number | undefined;
  parent_id?: string | undefined;
  root_id?: string | undefined;
  tag?: string | undefined;
  ids?: string | undefined;
  external_id?: string | undefined;
  created_since?: string | undefined;
  created_before?: string | undefined;
  updated_since?: string | undefined;
  updated_before?: string | undefined;
  search?: string | undefined;
}

interface CompiledFilters {
  /** All conditions on `c`. */
  where: string[];
  /** The conditions without the search. */
  narrow: string[];
  /** Those of `narrow` not covered by the counters. */
  byRow: string[];
  search: Search | undefined;
  /**
   * The conditions over `card_counts` where only these filters decide the total; undefined where rows must be counted.
   */
  counted: string[] | undefined;
  /** Card types of the list; undefined for all. */
  types: string[] | undefined;
  /** Conditions for which attribute indexes can be used; also included in the others. */
  ranges: readonly Range[];
  /**
   * Whether no index provides the order of the list within the hits, and they may be few of many: finding them in the
   * order of the list could read all cards in a random order.
   */
  isScattered: boolean;
}

const STATUSES = ['ACTIVE', 'ARCHIVED'];
const APPROVALS = ['DRAFT', 'APPROVED', 'REJECTED', 'BROKEN'];

/** The word for cards in no phase. */
const NO_PHASE = 'none';
const PHASES: readonly string[] = [...LIFECYCLE_PHASES, NO_PHASE];
/** Filters by a time of the card, with the comparison; ranges are half-open, so that adjacent ones share no card. */
const TIMES = [
  ['created_since', 'c.created_at >='],
  ['created_before', 'c.created_at <'],
  ['updated_since', 'c.updated_at >='],
  ['updated_before', 'c.updated_at <'],
] as const;
const SCORES = [
  ['data_quality[gte]', '>='],
  ['data_quality[lt]', '<'],
] as const;

/**
 * Compiles filters to conditions on `cards c`; every value is bound, and all names are constants.
 * @param reader the caller, for `stakeholder_id=me`, and what the caller may see
 * @param share frequency of a word, from 0 to 1
 * @throws a 422 listing every invalid filter, a 403 for stakeholders or relations the caller may not see
 */
export function compileFilters(
  filters: CardFilters,
  bindings: Bindings,
  { metamodel, visibility, today }: Reader,
  share?: (word: string) => number,
): CompiledFilters {
  const conditions = new FilterConditions();
  const narrow: string[] = [];
  const counted: string[] = [];
  const byRow: string[] = [];
  const rows = (condition: string) => {
    byRow.push(condition);
    narrow.push(condition);
  };
  const both = (condition: string) => {
    narrow.push(`c.${condition}`);
    counted.push(condition);
  };
  const anyOf = (field: 'type' | 'status' | 'approval_status', values: string[]) =>
    both(
      values.length === 1 ? `${field} = ${bindings.add(values[0])}` : `${field} = any(${bindings.add(values)}::text[])`,
    );
  const uuids = (field: string, text: string) => conditions.uuids(field, text);
  const oneOf = (field: string, text: string, allowed: readonly string[]): string[] | undefined => {
    const values = commaSeparated(text);
    if (values.length > 0 && values.every((value) => allowed.includes(value))) return values;
    conditions.bad(field, `must be among ${allowed.join(', ')}`);
    return undefined;
  };
  const enumerated = (field: 'status' | 'approval_status', text: string, allowed: string[]) => {
    const values = oneOf(field, text, allowed);
    // A literal, so that the planner can use the indexes on active cards.
    if (field === 'status' && values?.length === 1 && values[0] === 'ACTIVE') both(`status = 'ACTIVE'`);
    else if (values) anyOf(field, values);
  };

  enumerated('status', filters.status ?? 'ACTIVE', STATUSES);
  if (filters.approval_status !== undefined) enumerated('approval_status', filters.approval_status, APPROVALS);
  const types =
    filters.type === undefined
      ? undefined
      : conditions.keys('type', filters.type, (type) => metamodel.types.has(type), 'card type');
  if (types) anyOf('type', types);
  if (visibility.hiddenTypes.length > 0) both(`type <> all(${bindings.add(visibility.hiddenTypes)}::text[])`);
  // With the collation of the index on subtypes; otherwise, for a rare subtype, all cards of its type would be read.
  if (filters.subtype !== undefined)
    rows(`c.subtype collate "C" = any(${bindings.add(commaSeparated(filters.subtype))}::text[])`);
  if (filters['subtype[empty]'] !== undefined)
    rows(filters['subtype[empty]'] ? 'c.subtype is null' : 'c.subtype is not null');
  const others = otherConditions(visibility, bindings);
  if (filters.parent_id === 'null')
    rows(others ? `(c.parent_id is null or ${others.parentHidden()})` : 'c.parent_id is null');
  else if (filters.parent_id !== undefined) {
    const ids = uuids('parent_id', filters.parent_id);
    // Only by a single value can the index on parents provide the order by name.
    if (ids?.length === 1) rows(`c.parent_id = ${bindings.add(ids[0])}::uuid`);
    else if (ids) rows(`c.parent_id = any(${bindings.add(ids)}::uuid[])`);
    if (ids && others) rows(others.parentSeen());
  }
  if (filters.root_id !== undefined) {
    const ids = uuids('root_id', filters.root_id);
    const given = ids && `${bindings.add(ids)}::uuid[]`;
    const roots = given && others ? others.seenAmong(given) : given;
    if (roots) rows(`(c.path_ids && ${roots} or c.id = any(${roots}))`);
  }
  if (filters.ids !== undefined) {
    const ids = uuids('ids', filters.ids);
    if (ids) rows(`c.id = any(${bindings.add(ids)}::uuid[])`);
  }
  if (filters.external_id !== undefined)
    rows(`c.external_id = any(${bindings.add(commaSeparated(filters.external_id))}::text[])`);
  for (const [name, comparison] of TIMES) {
    const time = filters[name];
    if (time !== undefined) rows(`${comparison} ${bindings.add(time)}::timestamptz`);
  }
  const phases =
    filters.lifecycle_phase === undefined ? undefined : oneOf('lifecycle_phase', filters.lifecycle_phase, PHASES);
  if (phases)
    rows(`coalesce(${phaseSql(`${bindings.add(today)}::text`)}, '${NO_PHASE}') = any(${bindings.add(phases)}::text[])`);
  const bounds = SCORES.filter(([name]) => filters[name] !== undefined);
  const score = bounds.length === 0 ? '' : qualitySql(metamodel, types, visibility, bindings);
  for (const [name, sign] of bounds) rows(`${score} ${sign} ${bindings.add(filters[name])}::numeric`);
  if (filters.tag !== undefined) {
    const ids = uuids('tag', filters.tag);
    if (ids)
      rows(`exists (select from card_tags t where t.card_id = c.id and t.tag_id = any(${bindings.add(ids)}::uuid[]))`);
  }
  const stakeholders = stakeholderConditions(filters, metamodel, visibility, bindings);
  const related = relationConditions(filters, metamodel, visibility, bindings);
  const attributes = attributeConditions(filters, types, metamodel, visibility, bindings);
  const dates = lifecycleConditions(filters, bindings);
  for (const { where } of [stakeholders, related, dates, attributes]) where.forEach(rows);
  const search = filters.search === undefined ? undefined : compileSearch(filters.search, bindings, share);
  if (filters.search !== undefined && !search) conditions.bad('search', `must have at most ${MOST_WORDS} words`);
  const errors = [conditions, stakeholders, related, dates, attributes].flatMap((part) => part.errors);
  if (errors.length > 0) throw invalid(...errors);
  return {
    where: [...narrow, ...(search?.indexed ?? [])],
    narrow,
    byRow,
    search,
    counted: byRow.length === 0 && !search ? counted : undefined,
    types,
    ranges: attributes.ranges,
    isScattered: phases !== undefined || score !== '' || related.where.length > 0,
  };
}
