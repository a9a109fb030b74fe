import { isUuid } from '../../../foundation/ids.js';
import { invalid, type FieldError } from '../../../foundation/errors.js';
import type { Bindings } from '../../../foundation/db/list-query.js';
import type { Metamodel } from '../../metamodel/index.js';
import { attributeConditions, type Range } from './attribute-filters-repository.js';
import { compileSearch, type Search } from '../search/search-terms-repository.js';
import { commaSeparated } from '../comma-separated.js';
import { otherConditions, type CardVisibility, stakeholdersHidden } from '../../access/index.js';

/**
 * The filters of a card list as query parameters; comma-separated lists mean "any of". In addition:
 * `attributes.<key>[<operator>]`.
 */
export interface CardFilters {
  type?: string | undefined;
  subtype?: string | undefined;
  status?: string | undefined;
  approval_status?: string | undefined;
  parent_id?: string | undefined;
  root_id?: string | undefined;
  stakeholder_id?: string | undefined;
  tag?: string | undefined;
  ids?: string | undefined;
  external_id?: string | undefined;
  updated_since?: string | undefined;
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
}

const STATUSES = ['ACTIVE', 'ARCHIVED'];
const APPROVALS = ['DRAFT', 'APPROVED', 'REJECTED', 'BROKEN'];

/** The condition that the caller may see the stakeholders of `c`. @throws forbidden where this holds for no type */
function knownStakeholders(
  { stakeholderRedactedTypes }: CardVisibility,
  { types }: Metamodel,
  bindings: Bindings,
): string {
  if (stakeholderRedactedTypes.size === 0) return 'true';
  if (stakeholderRedactedTypes.size === types.size)
    throw stakeholdersHidden(' to filter by other stakeholders than `me`');
  return `c.type <> all(${bindings.add([...stakeholderRedactedTypes])}::text[])`;
}

/**
 * Compiles filters to conditions on `cards c`; every value is bound, and all names are constants.
 * @param visibility the caller, for `stakeholder_id=me`, and what the caller may see
 * @param share frequency of a word, from 0 to 1
 * @throws a 422 listing every invalid filter, a 403 for stakeholders the caller may not see
 */
export function compileFilters(
  filters: CardFilters,
  bindings: Bindings,
  metamodel: Metamodel,
  visibility: CardVisibility,
  share?: (word: string) => number,
): CompiledFilters {
  const { me } = visibility;
  const errors: FieldError[] = [];
  const narrow: string[] = [];
  const counted: string[] = [];
  const byRow: string[] = [];
  const bad = (field: string, reason: string) => errors.push({ field, reason, in: 'query' });
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
  const enumerated = (field: 'status' | 'approval_status', text: string, allowed: string[]) => {
    const values = commaSeparated(text);
    const wrong = values.find((v) => !allowed.includes(v));
    if (wrong !== undefined || values.length === 0) bad(field, `must be among ${allowed.join(', ')}`);
    else if (field !== 'status' || values.length !== 1 || values[0] !== 'ACTIVE') anyOf(field, values);
    // A literal, so that the planner can use the indexes on active cards.
    else both(`status = 'ACTIVE'`);
  };
  const uuids = (field: string, text: string): string[] | undefined => {
    const values = commaSeparated(text);
    if (values.length > 0 && values.every(isUuid)) return values;
    bad(field, 'must be one or more UUIDs');
    return undefined;
  };

  enumerated('status', filters.status ?? 'ACTIVE', STATUSES);
  if (filters.approval_status !== undefined) enumerated('approval_status', filters.approval_status, APPROVALS);
  let types: string[] | undefined;
  if (filters.type !== undefined) {
    const given = commaSeparated(filters.type);
    const unknown = given.find((t) => !metamodel.types.has(t));
    if (unknown !== undefined || given.length === 0) bad('type', `${unknown ?? 'it'} is no card type`);
    else anyOf('type', (types = given));
  }
  if (visibility.hiddenTypes.length > 0) both(`type <> all(${bindings.add(visibility.hiddenTypes)}::text[])`);
  // With the collation of the index on subtypes; otherwise, for a rare subtype, all cards of its type would be read.
  if (filters.subtype !== undefined)
    rows(`c.subtype collate "C" = any(${bindings.add(commaSeparated(filters.subtype))}::text[])`);
  const others = otherConditions(visibility, bindings);
  if (filters.parent_id === 'null')
    rows(others ? `(c.parent_id is null or ${others.parentHidden()})` : 'c.parent_id is null');
  else if (filters.parent_id !== undefined) {
    const ids = uuids('parent_id', filters.parent_id);
    if (ids) rows(`c.parent_id = any(${bindings.add(ids)}::uuid[])`);
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
  if (filters.updated_since !== undefined) rows(`c.updated_at >= ${bindings.add(filters.updated_since)}::timestamptz`);
  if (filters.tag !== undefined) {
    const ids = uuids('tag', filters.tag);
    if (ids)
      rows(`exists (select from card_tags t where t.card_id = c.id and t.tag_id = any(${bindings.add(ids)}::uuid[]))`);
  }
  if (filters.stakeholder_id !== undefined) {
    const ids = uuids('stakeholder_id', filters.stakeholder_id === 'me' ? (me ?? '') : filters.stakeholder_id);
    // Filtering by the caller's own cards is always allowed; filtering by other users would reveal stakeholders that
    // the caller may not see.
    if (ids?.some((id) => id.toLowerCase() !== me)) rows(knownStakeholders(visibility, metamodel, bindings));
    if (ids)
      rows(
        `exists (select from card_stakeholders s where s.card_id = c.id and s.user_id = any(${bindings.add(ids)}::uuid[]))`,
      );
  }
  const attributes = attributeConditions(filters, types, metamodel, visibility, bindings);
  for (const condition of attributes.where) rows(condition);
  const search = filters.search === undefined ? undefined : compileSearch(filters.search, bindings, share);
  errors.push(...attributes.errors);
  if (errors.length > 0) throw invalid(...errors);
  return {
    where: [...narrow, ...(search?.indexed ?? [])],
    narrow,
    byRow,
    search,
    counted: byRow.length === 0 && !search ? counted : undefined,
    types,
    ranges: attributes.ranges,
  };
}
