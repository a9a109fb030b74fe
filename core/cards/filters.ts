import { isUuid } from '../ids.js';
import { invalid, problem, type FieldError } from '../errors.js';
import type { Bindings } from '../db/list-query.js';
import type { Metamodel } from '../metamodel/index.js';
import { searchFold } from '../text.js';

/** The filters of a card list as they come in; comma lists mean "any of". */
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

export interface CompiledFilters {
  where: string[];
  /** The conditions over `card_counts` where these filters alone decide the total; undefined where rows must be counted. */
  counted: string[] | undefined;
}

const STATUSES = ['ACTIVE', 'ARCHIVED'];
const APPROVALS = ['DRAFT', 'APPROVED', 'REJECTED', 'BROKEN'];
const list = (text: string): string[] => [...new Set(text.split(',').map((s) => s.trim()).filter(Boolean))];

/**
 * Turns filters into conditions on `cards c`; every value is bound, every name is ours.
 * @param me id of the caller, for `stakeholder_id=me`
 * @throws a 422 naming every filter that cannot be
 */
export function compileFilters(filters: CardFilters, bindings: Bindings, metamodel: Metamodel, me: string | undefined): CompiledFilters {
  const errors: FieldError[] = [];
  const where: string[] = [];
  const counted: string[] = [];
  let byCount = true;
  const bad = (field: string, reason: string) => errors.push({ field, reason, in: 'query' });
  const rows = (condition: string) => { byCount = false; where.push(condition); };
  const anyOf = (field: 'type' | 'status' | 'approval_status', values: string[]) => {
    const condition = values.length === 1 ? `${field} = ${bindings.add(values[0])}` : `${field} = any(${bindings.add(values)}::text[])`;
    where.push(`c.${condition}`);
    counted.push(condition);
  };
  const enumerated = (field: 'status' | 'approval_status', text: string, allowed: string[]) => {
    const values = list(text);
    const wrong = values.find((v) => !allowed.includes(v));
    if (wrong !== undefined || values.length === 0) bad(field, `must be among ${allowed.join(', ')}`);
    else if (field !== 'status' || values.length !== 1 || values[0] !== 'ACTIVE') anyOf(field, values);
    else {
      // A literal, so that the planner can use the indexes on active cards.
      where.push(`c.status = 'ACTIVE'`);
      counted.push(`status = 'ACTIVE'`);
    }
  };
  const uuids = (field: string, text: string): string[] | undefined => {
    const values = list(text);
    if (values.length > 0 && values.every(isUuid)) return values;
    bad(field, 'must be one or more UUIDs');
    return undefined;
  };

  enumerated('status', filters.status ?? 'ACTIVE', STATUSES);
  if (filters.approval_status !== undefined) enumerated('approval_status', filters.approval_status, APPROVALS);
  if (filters.type !== undefined) {
    const types = list(filters.type);
    const unknown = types.find((t) => !metamodel.types.has(t));
    if (unknown !== undefined || types.length === 0) bad('type', `${unknown ?? 'it'} is no card type`);
    else anyOf('type', types);
  }
  if (filters.subtype !== undefined) rows(`c.subtype = any(${bindings.add(list(filters.subtype))}::text[])`);
  if (filters.parent_id === 'null') rows('c.parent_id is null');
  else if (filters.parent_id !== undefined) { const ids = uuids('parent_id', filters.parent_id); if (ids) rows(`c.parent_id = any(${bindings.add(ids)}::uuid[])`); }
  if (filters.root_id !== undefined) { const ids = uuids('root_id', filters.root_id); if (ids) { const b = bindings.add(ids); rows(`(c.path_ids && ${b}::uuid[] or c.id = any(${b}::uuid[]))`); } }
  if (filters.ids !== undefined) { const ids = uuids('ids', filters.ids); if (ids) rows(`c.id = any(${bindings.add(ids)}::uuid[])`); }
  if (filters.external_id !== undefined) rows(`c.external_id = any(${bindings.add(list(filters.external_id))}::text[])`);
  if (filters.updated_since !== undefined) rows(`c.updated_at >= ${bindings.add(filters.updated_since)}::timestamptz`);
  if (filters.tag !== undefined) { const ids = uuids('tag', filters.tag); if (ids) rows(`exists (select from card_tags t where t.card_id = c.id and t.tag_id = any(${bindings.add(ids)}::uuid[]))`); }
  if (filters.stakeholder_id !== undefined) {
    const ids = uuids('stakeholder_id', filters.stakeholder_id === 'me' ? me ?? '' : filters.stakeholder_id);
    if (ids) rows(`exists (select from card_stakeholders s where s.card_id = c.id and s.user_id = any(${bindings.add(ids)}::uuid[]))`);
  }
  if (filters.search !== undefined) for (const condition of searchConditions(filters.search, bindings)) rows(condition);
  if (errors.length > 0) throw errors.some((e) => e.in !== 'query') ? problem('validation_failed', { errors }) : invalid(...errors);
  return { where, counted: byCount ? counted : undefined };
}

/**
 * Every word must match: as a word prefix anywhere, or as a part of name or alias. One or two letters alone match the
 * beginning of a name, or the index would have nothing to hold on to; beside other words they are prefixes.
 */
function searchConditions(search: string, bindings: Bindings): string[] {
  const words = searchFold(search).split(' ').filter(Boolean);
  if (words.length === 0) return ['false'];
  const short = (word: string) => [...word].length <= 2;
  if (words.length === 1 && short(words[0]!)) return [`c.search_name like ${bindings.add(`${words[0]!}%`)}`];
  return words.map((word) => {
    const prefix = `to_tsvector('simple'::regconfig, c.search_text) @@ ${bindings.add(`${word}:*`)}::tsquery`;
    return short(word) ? prefix : `(${prefix} or c.search_name like ${bindings.add(`%${word}%`)})`;
  });
}
