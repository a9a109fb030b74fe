import { otherConditions, relationSeen, subtreeSql, type Extent } from '../access/index.js';
import { attributeIn, commaSeparated, conditionsOn, FilterConditions, stringOf } from '../cards/index.js';
import type { Database } from '../../foundation/db/database.js';
import { readPage } from '../../foundation/db/list.js';
import { Bindings, type ListParams, type ListSpec } from '../../foundation/db/list-query.js';
import { invalid } from '../../foundation/errors.js';
import type { Page } from '../../foundation/http/respond.js';
import type { Metamodel } from '../metamodel/index.js';
import { belowSql, JOINS, VIEW, type StoredRelation } from './repository.js';

export interface RelationFilters {
  type?: string | undefined;
  card_id?: string | undefined;
  source_id?: string | undefined;
  target_id?: string | undefined;
  direction?: string | undefined;
  source_root_id?: string | undefined;
  target_root_id?: string | undefined;
  source_type?: string | undefined;
  target_type?: string | undefined;
}

/** The parameters of a list of relations. */
export type RelationListQuery = ListParams & RelationFilters & { expand?: string | undefined };

/** What a reader may see of relations. */
export interface RelationVisibility {
  metamodel: Metamodel;
  /** Card types whose cards are hidden. */
  hiddenTypes: readonly string[];
  /** Card types at whose cards no relation is shown, including the hidden ones. */
  relationlessTypes: readonly string[];
  /** The cards whose costs are visible. */
  costs: Extent;
  /**
   * Card types whose costs the role of the reader does not permit to see. The costs of a relation with such a card at an
   * end are visible only by a stakeholder role.
   */
  costRedactedTypes: readonly string[];
}

const LIST: ListSpec = {
  table: 'relations r',
  id: 'r.id',
  defaultSort: 'created_at',
  sorts: {
    created_at: { sql: 'r.created_at', type: 'timestamptz' },
    updated_at: { sql: 'r.updated_at', type: 'timestamptz' },
    type: { sql: 'r.type', type: 'text', collate: '"C"' },
  },
};

const ROOTS = [
  ['source_root_id', 'r.source_id'],
  ['target_root_id', 'r.target_id'],
] as const;
const END_TYPES = [
  ['source_type', 'r.source_type'],
  ['target_type', 'r.target_type'],
] as const;

/** Conditions on the subtrees and the types of the cards at the ends. */
function endConditions(query: RelationFilters, visibility: RelationVisibility, bindings: Bindings): FilterConditions {
  const found = new FilterConditions();
  const isType = (key: string): boolean => visibility.metamodel.types.has(key);
  for (const [name, column] of ROOTS) {
    const roots = query[name] === undefined ? undefined : found.uuids(name, query[name]);
    if (roots) found.where.push(`${column} in (${subtreeSql(roots, visibility, bindings)})`);
  }
  for (const [name, column] of END_TYPES) {
    const types = query[name] === undefined ? undefined : found.keys(name, query[name], isType, 'card type');
    if (types) found.where.push(`${column} = any(${bindings.add(types)}::text[])`);
  }
  return found;
}

/**
 * One page of relations between active cards.
 * @throws a 422 listing every invalid filter
 */
export async function listRelations(
  db: Database,
  query: RelationListQuery,
  visibility: RelationVisibility,
): Promise<Page<StoredRelation>> {
  const bindings = new Bindings();
  const where = [relationSeen(visibility, bindings)];
  const types = query.type === undefined ? undefined : commaSeparated(query.type);
  if (types) where.push(`r.type = any(${bindings.add(types)}::text[])`);
  if (query.source_id !== undefined) where.push(`r.source_id = ${bindings.add(query.source_id)}`);
  if (query.target_id !== undefined) where.push(`r.target_id = ${bindings.add(query.target_id)}`);
  if (query.card_id !== undefined) {
    const card = bindings.add(query.card_id);
    const [out, into] = [`r.source_id = ${card}`, `r.target_id = ${card}`];
    where.push(query.direction === 'outgoing' ? out : query.direction === 'incoming' ? into : `(${out} or ${into})`);
  }
  const ends = endConditions(query, visibility, bindings);
  const attributes = attributeConditions(query, types, visibility, bindings);
  const errors = [...ends.errors, ...attributes.errors];
  if (errors.length > 0) throw invalid(...errors);
  where.push(...ends.where, ...attributes.where);
  const roots = [...visibility.costs.scope.roots];
  const columns = roots.length > 0 ? `${VIEW}, ${belowSql(bindings.add(roots))}` : VIEW;
  const { page: _p, page_size: _s, cursor: _c, sort_by: _b, sort_dir: _d, total: _t, expand: _e, ...filters } = query;
  return readPage<StoredRelation & Record<string, unknown>>(db, {
    spec: LIST,
    params: query,
    where,
    bindings,
    scope: JSON.stringify(Object.entries(filters).sort()),
    columns,
    joins: JOINS,
  });
}

/**
 * Attribute filters, with the syntax of those of cards. A relation whose costs the reader may not see matches no filter
 * on a cost, and one that refers to a hidden card matches like one without a reference.
 */
function attributeConditions(
  query: object,
  types: readonly string[] | undefined,
  visibility: RelationVisibility,
  bindings: Bindings,
): Pick<FilterConditions, 'where' | 'errors'> {
  const { metamodel, costs, costRedactedTypes } = visibility;
  const model = { types: metamodel.relationTypes, isClosed: () => costRedactedTypes.length > 0 };
  const { where, errors } = conditionsOn(
    query,
    bindings,
    (key) => attributeIn(model, key, types),
    ({ closed }) =>
      closed.length === 0
        ? undefined
        : `(c.type <> all(${bindings.add(closed)}::text[]) or ${openRelationCosts('r', { costs, costRedactedTypes }, bindings)})`,
    ({ key }) => relationValueSeen(key, visibility, bindings),
  );
  return {
    // The compiled conditions refer to the table alias `c`.
    where: where.map(
      (condition) => `exists (select from (select r.type, r.type as content_type, r.attributes) c where ${condition})`,
    ),
    errors,
  };
}

/**
 * SQL condition that the value of an attribute of the relation `c` is not the id of a hidden card, which counts as no value;
 * undefined where it never is.
 */
export const relationValueSeen = (
  key: string,
  visibility: Pick<RelationVisibility, 'hiddenTypes' | 'metamodel'>,
  bindings: Bindings,
): string | undefined =>
  [...visibility.metamodel.relationTypes.values()].some(({ fields }) => fields.cardKeys.includes(key))
    ? otherConditions(visibility, bindings)?.valueSeen(stringOf(key))
    : undefined;

/**
 * SQL condition that the reader may see the costs of a relation: by the role at both ends, or by a stakeholder role at one.
 * @param alias of the relation
 */
export function openRelationCosts(
  alias: string,
  { costs, costRedactedTypes }: Pick<RelationVisibility, 'costs' | 'costRedactedTypes'>,
  bindings: Bindings,
): string {
  const { held, roots } = costs.scope;
  const open = bindings.add([...held]);
  const ends = bindings.add(costRedactedTypes);
  const below =
    roots.size === 0
      ? ''
      : ` or exists (select from cards e where e.id in (${alias}.source_id, ${alias}.target_id) and e.path_ids && ${bindings.add([...roots])}::uuid[])`;
  return `((${alias}.source_type <> all(${ends}::text[]) and ${alias}.target_type <> all(${ends}::text[]))
      or ${alias}.source_id = any(${open}::uuid[]) or ${alias}.target_id = any(${open}::uuid[])${below})`;
}
