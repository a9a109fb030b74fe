import type { Bindings } from '../../../foundation/db/list-query.js';
import type { Metamodel } from '../../metamodel/index.js';
import { relationSeen, relationsHidden, subtreeSql, type CardVisibility } from '../../access/index.js';
import { FilterConditions } from './filter-conditions.js';

/** The filters by relations, as query parameters. */
export interface RelatedFilters {
  related_to?: string | undefined;
  related_root_id?: string | undefined;
  relation_type?: string | undefined;
  has_relation?: string | undefined;
  lacks_relation?: string | undefined;
  direction?: string | undefined;
}

/** The column of the listed card, and that of the card at the other end. */
interface Side {
  own: 'source_id' | 'target_id';
  other: 'source_id' | 'target_id';
}
const OUTGOING: Side = { own: 'source_id', other: 'target_id' };
const INCOMING: Side = { own: 'target_id', other: 'source_id' };
const SIDES: Record<string, readonly Side[]> = { outgoing: [OUTGOING], incoming: [INCOMING] };
const BOTH = [OUTGOING, INCOMING];
/** The word for cards without any relation. */
const NONE = 'none';
const NOUN = 'relation type';

/** Relations `r` that the reader may see, as conditions and subqueries. */
class Related {
  private shown: string | undefined;

  constructor(
    private readonly sides: readonly Side[],
    private readonly visibility: CardVisibility,
    private readonly bindings: Bindings,
  ) {}

  /** Relations as `GET /relations` lists them: between active cards, none at cards whose relations are hidden. */
  private conditions(types: readonly string[] | undefined): string {
    this.shown ??= relationSeen(this.visibility, this.bindings);
    return types === undefined ? this.shown : `${this.shown} and r.type = any(${this.bindings.add(types)}::text[])`;
  }

  /**
   * Condition that the card `c` has such a relation. One list of both directions, so that the cards are found from the
   * relations where these are few, and by one hash table where they are many. A union without duplicates, because the
   * planner assumes 200 different cards in one with duplicates, and would look up each of many cards by its id.
   * @param other SQL condition on the other end, after its column
   */
  some(types: readonly string[] | undefined, other?: string): string {
    const relations = this.conditions(types);
    const lists = this.sides.map(
      (side) =>
        `select r.${side.own} from relations r where ${relations}${other === undefined ? '' : ` and r.${side.other} ${other}`}`,
    );
    return `c.id in (${lists.join(' union ')})`;
  }

  /**
   * Condition that the card `c` has no such relation. Cards whose relations are hidden do not match, as it is not known to
   * the reader whether they have one.
   */
  none(types: readonly string[] | undefined): string[] {
    const { relationlessTypes, hiddenTypes } = this.visibility;
    const relations = this.conditions(types);
    const absent = this.sides.map(
      (side) => `not exists (select from relations r where r.${side.own} = c.id and ${relations})`,
    );
    return relationlessTypes.length === hiddenTypes.length
      ? absent
      : [`c.type <> all(${this.bindings.add(relationlessTypes)}::text[])`, ...absent];
  }
}

/**
 * Conditions on `c` for the filters by relations.
 * @throws forbidden where the reader may see relations of no type
 */
export function relationConditions(
  filters: RelatedFilters,
  { relationTypes }: Metamodel,
  visibility: CardVisibility,
  bindings: Bindings,
): FilterConditions {
  const { related_to, related_root_id, relation_type, has_relation, lacks_relation, direction } = filters;
  const found = new FilterConditions();
  const isRelated = related_to !== undefined || related_root_id !== undefined;
  const isUsed = isRelated || has_relation !== undefined || lacks_relation !== undefined;
  if (isUsed && !visibility.seesRelations) throw relationsHidden();
  if (!isUsed && direction !== undefined)
    found.bad('direction', 'needs related_to, related_root_id, has_relation or lacks_relation');
  const isKnown = (key: string): boolean => relationTypes.has(key);
  const types = relation_type === undefined ? undefined : found.keys('relation_type', relation_type, isKnown, NOUN);
  if (relation_type !== undefined && !isRelated) found.bad('relation_type', 'needs related_to or related_root_id');

  const related = new Related(SIDES[direction ?? ''] ?? BOTH, visibility, bindings);
  if (related_to !== undefined) {
    const ids = found.uuids('related_to', related_to);
    if (ids) found.where.push(related.some(types, `= any(${bindings.add(ids)}::uuid[])`));
  }
  if (related_root_id !== undefined) {
    const roots = found.uuids('related_root_id', related_root_id);
    if (roots) found.where.push(related.some(types, `in (${subtreeSql(roots, visibility, bindings)})`));
  }
  if (has_relation !== undefined) {
    const wanted = found.keysOr('has_relation', has_relation, NONE, isKnown, NOUN);
    if (wanted === NONE) found.where.push(...related.none(undefined));
    else if (wanted) found.where.push(related.some(wanted));
  }
  if (lacks_relation !== undefined) {
    const unwanted = found.keys('lacks_relation', lacks_relation, isKnown, NOUN);
    if (unwanted) found.where.push(...related.none(unwanted));
  }
  return found;
}
