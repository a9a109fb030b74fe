import { Bindings, type ListSpec, type Sort } from '../db/list-query.js';
import { invalid } from '../errors.js';
import type { Metamodel } from '../metamodel/index.js';
import { attributeOf, mayNameHidden, openCondition, type Attribute } from './attribute-fields-repository.js';
import type { Split } from './attribute-page-repository.js';
import { comparable, compared, isOfType, type Comparable } from './attribute-values-repository.js';
import { type Sight, ownWays } from '../access/index.js';

/** A sort, and whether an index on active cards keeps its order. */
interface CardSort extends Sort {
  indexed: boolean;
  /** Where indexes of an attribute keep it, each that of one type. */
  split?: Split;
}

const SORTS: Record<string, CardSort> = {
  name: { sql: 'c.name_key', type: 'text', indexed: true },
  type: { sql: 'c.type', type: 'text', collate: '"C"', indexed: true },
  subtype: { sql: 'c.subtype', type: 'text', collate: '"C"', nullable: true, indexed: true },
  status: { sql: 'c.status', type: 'text', collate: '"C"', indexed: false },
  approval_status: { sql: 'c.approval_status', type: 'text', collate: '"C"', indexed: true },
  data_quality: { sql: 'c.data_quality', type: 'numeric', indexed: true },
  created_at: { sql: 'c.created_at', type: 'timestamptz', indexed: true },
  updated_at: { sql: 'c.updated_at', type: 'timestamptz', indexed: true },
};

/** A list, whether an index keeps its order, and which indexes together do. */
export type CardList = ListSpec & { indexed: boolean; split?: Split | undefined };

/** The sorts a card list documents beside `attributes.<key>` and, with a search, `relevance`. */
export const CARD_SORTS = Object.keys(SORTS);

const FROM_CARDS = { table: 'cards c', id: 'c.id', defaultSort: 'name' } as const;

/**
 * The conditions under which a card has a value to be sorted by, one for each type and way to know it; undefined where some type keeps no
 * index of the attribute. A type whose costs are closed to the reader, whatever role is held there, has none.
 */
function armsOf({ closed, indexed, classes }: Attribute, value: Comparable, sight: Sight, bindings: Bindings): string[] | undefined {
  const defining = [...classes.values()].flat();
  // Asked first with bindings of no statement: a value bound and not used is an error.
  const types = ownWays(sight, new Bindings()).length === 0 ? defining.filter((type) => !closed.includes(type)) : defining;
  if (types.some((type) => !indexed.includes(type))) return undefined;
  const ways = types.some((type) => closed.includes(type)) ? ownWays(sight, bindings) : [];
  return types.flatMap((type) => (closed.includes(type) ? ways : ['true']).map((way) => `${isOfType(type)} and ${way} and ${value.sql} is not null`));
}

function attributeSort(attribute: Attribute, sight: Sight, bindings: Bindings): CardSort {
  const { key, classes } = attribute;
  const [like] = classes.size === 1 ? classes.keys() : [];
  const value = comparable(key, like ?? 'text');
  const sort = { ...value, nullable: true, indexed: false };
  const arms = like === undefined || mayNameHidden(attribute, sight) ? undefined : armsOf(attribute, value, sight, bindings);
  if (arms) return { ...sort, sql: arms.length === 0 ? `null::${value.type}` : `(case when ${arms.join(' or ')} then ${value.sql} end)`, split: { value: compared(value), type: value.type, arms } };
  const open = openCondition(attribute, sight, bindings);
  return { ...sort, sql: open === undefined ? value.sql : `(case when ${open} then ${value.sql} end)` };
}

/**
 * The list as sorted by what a query asks for.
 * @param types card types the list is of; all where absent
 * @throws a 422 for a sort there is not
 */
export function cardList(sortBy: string | undefined, types: readonly string[] | undefined, metamodel: Metamodel, sight: Sight, bindings: Bindings): CardList {
  if (sortBy === undefined || Object.hasOwn(SORTS, sortBy)) return { ...FROM_CARDS, sorts: SORTS, indexed: SORTS[sortBy ?? 'name']!.indexed };
  const attribute = sortBy.startsWith('attributes.') ? attributeOf(metamodel, sight, sortBy.slice('attributes.'.length), types) : undefined;
  if (!attribute) throw invalid({ field: 'sort_by', reason: `must be one of ${CARD_SORTS.join(', ')}, attributes.<key> of a field, or relevance beside search`, in: 'query' });
  const { split, ...sort } = attributeSort(attribute, sight, bindings);
  return { ...FROM_CARDS, sorts: { [sortBy]: sort }, indexed: false, split };
}
