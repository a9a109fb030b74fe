import type { Bindings } from '../../foundation/db/list-query.js';
import type { CardVisibility } from './card-visibility.js';

/**
 * The one SQL condition under which a reader may see a relation: both ends are active, and of types whose cards and
 * relations are visible. Every statement that reads relations on behalf of a reader takes it from here; without
 * `relations.view` the list contains all types, and no relation matches.
 * @param hidden SQL of an array of the types at whose cards no relation is shown; undefined where there are none
 * @param alias of the relation
 */
export const relationSeenSql = (hidden: string | undefined, alias = 'r'): string =>
  hidden === undefined
    ? `not ${alias}.hidden`
    : `not ${alias}.hidden and ${alias}.source_type <> all(${hidden}) and ${alias}.target_type <> all(${hidden})`;

/** The same for a reader. */
export function relationSeen(
  { relationlessTypes }: Pick<CardVisibility, 'relationlessTypes'>,
  bindings: Bindings,
  alias = 'r',
): string {
  const hidden = relationlessTypes.length === 0 ? undefined : `${bindings.add(relationlessTypes)}::text[]`;
  return relationSeenSql(hidden, alias);
}
