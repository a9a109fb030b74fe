import type { Bindings, ListSpec, Sort } from '../db/list-query.js';
import { invalid } from '../errors.js';
import type { Metamodel } from '../metamodel/index.js';
import { attributeOf, numberOf, openCondition, stringOf, textOf, type Attribute } from './attribute-fields-repository.js';
import type { Sight } from './sight.js';

/** A sort, and whether an index on active cards keeps its order. */
interface CardSort extends Sort { indexed: boolean }

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

/** The sorts a card list documents beside `attributes.<key>` and, with a search, `relevance`. */
export const CARD_SORTS = Object.keys(SORTS);

const FROM_CARDS = { table: 'cards c', id: 'c.id', defaultSort: 'name' } as const;
/** Longer values are compared by their beginning: a cursor holds what it stands at. */
const COMPARED = 200;

function attributeSort(attribute: Attribute, open: string | undefined): CardSort {
  const { key, classes } = attribute;
  const [only] = classes.size === 1 ? classes.keys() : [];
  const shown = (sql: string) => (open === undefined ? sql : `(case when ${open} then ${sql} end)`);
  if (only === 'number') return { sql: shown(numberOf(key)), type: 'numeric', nullable: true, indexed: false };
  const text = only === 'date' ? stringOf(key) : `nullif(left(lintel_fold(${textOf(key)}), ${COMPARED}), '')`;
  return { sql: shown(text), type: 'text', collate: '"C"', nullable: true, indexed: false };
}

/**
 * The list as sorted by what a query asks for.
 * @param types card types the list is of; all where absent
 * @throws a 422 for a sort there is not
 */
export function cardList(sortBy: string | undefined, types: readonly string[] | undefined, metamodel: Metamodel, sight: Sight, bindings: Bindings): ListSpec & { indexed: boolean } {
  if (sortBy === undefined || Object.hasOwn(SORTS, sortBy)) return { ...FROM_CARDS, sorts: SORTS, indexed: SORTS[sortBy ?? 'name']!.indexed };
  const attribute = sortBy.startsWith('attributes.') ? attributeOf(metamodel, sight, sortBy.slice('attributes.'.length), types) : undefined;
  if (!attribute) throw invalid({ field: 'sort_by', reason: `must be one of ${CARD_SORTS.join(', ')}, attributes.<key> of a field, or relevance beside search`, in: 'query' });
  return { ...FROM_CARDS, sorts: { [sortBy]: attributeSort(attribute, openCondition(attribute, sight, bindings)) }, indexed: false };
}
