import { LRUCache } from 'lru-cache';
import type { Facets } from './facets-repository.js';
import type { CardFilters } from './filters-repository.js';
import type { Reader } from './view.js';

/** Which facets are cached, and for how long. */
export interface FacetCacheOptions {
  /** Facets of more cards than this are cached; 50,000 when absent. */
  cards?: number;
  /** Maximum age of a cache entry in milliseconds; 10,000 when absent. */
  ageMs?: number;
  /** Maximum number of cache entries; 100 when absent. */
  most?: number;
}

/** Facets of many cards, each kept for a few seconds. */
export class FacetCache {
  private readonly entries: LRUCache<string, Facets>;
  private readonly cards: number;

  constructor({ cards = 50_000, ageMs = 10_000, most = 100 }: FacetCacheOptions = {}) {
    this.cards = cards;
    this.entries = new LRUCache({ max: most, ttl: ageMs });
  }

  /** @returns an entry that has not expired; undefined where there is none */
  get(key: string | undefined): Facets | undefined {
    return key === undefined ? undefined : this.entries.get(key);
  }

  /**
   * Stores facets if they are about enough cards.
   * @param began start of the computation, by `performance.now()`
   */
  put(key: string | undefined, facets: Facets, began: number): void {
    if (key !== undefined && facets.total > this.cards) this.entries.set(key, facets, { start: began });
  }
}

/** Filters whose result is the same for all readers with the same values of the other parts of the key. */
const SHARED_FILTERS: ReadonlySet<string> = new Set([
  'type',
  'subtype',
  'subtype[empty]',
  'status',
  'approval_status',
  'lifecycle_phase',
  'data_quality[gte]',
  'data_quality[lt]',
  'parent_id',
  'root_id',
  'tag',
  'stakeholder_role',
  'stakeholder_role[empty]',
  'related_to',
  'related_root_id',
  'relation_type',
  'has_relation',
  'lacks_relation',
  'direction',
  'ids',
  'external_id',
  'created_since',
  'created_before',
  'updated_since',
  'updated_before',
  'search',
] satisfies (keyof CardFilters)[]);

/**
 * The cache key of facets: all filters, the day, all permissions of the reader's role, and the revision of the metamodel. The
 * reader's id is included unless every filter is known to have the same result for all readers.
 * @returns undefined where stakeholder roles of the reader decide which attributes may be filtered or which score is
 *   shown: such a role may be revoked before the entry is used again
 */
export function facetKey(filters: CardFilters, { metamodel, visibility, today }: Reader): string | undefined {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined);
  const { me, costRoles, inheritedCostRoles, costRedactedTypes, stakeholderRedactedTypes } = visibility;
  const { hiddenTypes, relationlessTypes, seesRelations } = visibility;
  const opensCosts = me !== undefined && costRoles.length + inheritedCostRoles.length > 0;
  if (opensCosts && given.some(([name]) => /^(attributes\.|data_quality\[)/.test(name))) return undefined;
  return JSON.stringify([
    given.sort(([a], [b]) => (a < b ? -1 : 1)),
    metamodel.revision,
    today,
    hiddenTypes,
    relationlessTypes,
    seesRelations,
    [...costRedactedTypes],
    [...stakeholderRedactedTypes],
    costRoles,
    inheritedCostRoles,
    given.every(([name]) => SHARED_FILTERS.has(name)) ? null : me,
  ]);
}
