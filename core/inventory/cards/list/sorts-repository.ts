import { Bindings, type ListSpec, type Sort } from '../../../foundation/db/list-query.js';
import { invalid } from '../../../foundation/errors.js';
import type { Metamodel } from '../../metamodel/index.js';
import {
  attributeOf,
  mayReferToHidden,
  openCondition,
  type Attribute,
} from '../attributes/attribute-fields-repository.js';
import type { Split } from './attribute-page-repository.js';
import { qualitySql } from './derived-repository.js';
import { comparable, compared, isOfType, type Comparable } from '../attributes/attribute-values-repository.js';
import { ownCostConditions, type CardVisibility } from '../../access/index.js';

/** A sort, and whether an index on active cards provides its order. */
interface CardSort extends Sort {
  indexed: boolean;
  /**
   * A condition that holds for all cards. It makes the join with `card_contents` an inner one, which can be read in the
   * order of an index of that table.
   */
  always?: string;
  /** Where attribute indexes provide the order, one per type. */
  split?: Split;
}

const SORTS: Record<string, CardSort> = {
  name: { sql: 'c.name_key', type: 'text', indexed: true },
  type: { sql: 'c.type', type: 'text', collate: '"C"', indexed: false },
  subtype: { sql: 'c.subtype', type: 'text', collate: '"C"', nullable: true, indexed: false },
  status: { sql: 'c.status', type: 'text', collate: '"C"', indexed: false },
  approval_status: { sql: 'c.approval_status', type: 'text', collate: '"C"', indexed: false },
  data_quality: { sql: 'c.data_quality', type: 'numeric', indexed: false },
  created_at: { sql: 'c.created_at', type: 'timestamptz', indexed: false },
  updated_at: { sql: 'c.updated_at', type: 'timestamptz', indexed: true, always: 'c.updated_at is not null' },
};

/** A list, whether an index provides its order, and which indexes do so together. */
export type CardList = ListSpec & { indexed: boolean; always?: string | undefined; split?: Split | undefined };

/** The documented sorts of a card list, in addition to `attributes.<key>` and, with a search, `relevance`. */
export const CARD_SORTS = Object.keys(SORTS);

const FROM_CARDS = { table: 'card_rows c', id: 'c.id', defaultSort: 'name' } as const;

/**
 * The conditions under which a card has a sort value, one for each type and way in which the reader may see it;
 * undefined where some type has no index on the attribute. A type whose costs no role can make visible to the reader
 * has none.
 */
function armsOf(
  { closed, indexed, classes }: Attribute,
  value: Comparable,
  visibility: CardVisibility,
  bindings: Bindings,
): string[] | undefined {
  const defining = [...classes.values()].flat();
  // Called first with separate bindings, because a bound value that is not used is an error.
  const types =
    ownCostConditions(visibility, new Bindings()).length === 0
      ? defining.filter((type) => !closed.includes(type))
      : defining;
  if (types.some((type) => !indexed.includes(type))) return undefined;
  const ways = types.some((type) => closed.includes(type)) ? ownCostConditions(visibility, bindings) : [];
  return types.flatMap((type) =>
    (closed.includes(type) ? ways : ['true']).map((way) => `${isOfType(type)} and ${way} and ${value.sql} is not null`),
  );
}

function attributeSort(attribute: Attribute, visibility: CardVisibility, bindings: Bindings): CardSort {
  const { key, classes } = attribute;
  const [like] = classes.size === 1 ? classes.keys() : [];
  const value = comparable(key, like ?? 'text');
  const sort = { ...value, nullable: true, indexed: false };
  const arms =
    like === undefined || mayReferToHidden(attribute, visibility)
      ? undefined
      : armsOf(attribute, value, visibility, bindings);
  if (arms)
    return {
      ...sort,
      sql: arms.length === 0 ? `null::${value.type}` : `(case when ${arms.join(' or ')} then ${value.sql} end)`,
      split: { type: value.type, arms: arms.map((condition) => ({ condition, value: compared(value) })) },
    };
  const open = openCondition(attribute, visibility, bindings);
  return { ...sort, sql: open === undefined ? value.sql : `(case when ${open} then ${value.sql} end)` };
}

/**
 * The list with the sort of the query.
 * @param types card types of the list; all where absent
 * @throws a 422 for an unknown sort
 */
export function cardList(
  sortBy: string | undefined,
  types: readonly string[] | undefined,
  metamodel: Metamodel,
  visibility: CardVisibility,
  bindings: Bindings,
): CardList {
  if (sortBy === 'data_quality') {
    const sql = qualitySql(metamodel, types, visibility, bindings);
    return { ...FROM_CARDS, sorts: { data_quality: { sql, type: 'numeric' } }, indexed: false };
  }
  if (sortBy === undefined || Object.hasOwn(SORTS, sortBy))
    return {
      ...FROM_CARDS,
      sorts: SORTS,
      indexed: SORTS[sortBy ?? 'name']!.indexed,
      always: SORTS[sortBy ?? 'name']!.always,
    };
  const attribute = sortBy.startsWith('attributes.')
    ? attributeOf(metamodel, visibility, sortBy.slice('attributes.'.length), types)
    : undefined;
  if (!attribute)
    throw invalid({
      field: 'sort_by',
      reason: `must be one of ${CARD_SORTS.join(', ')}, attributes.<key> of a field, or relevance with search`,
      in: 'query',
    });
  const { split, ...sort } = attributeSort(attribute, visibility, bindings);
  return { ...FROM_CARDS, sorts: { [sortBy]: sort }, indexed: false, split };
}
