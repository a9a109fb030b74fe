import { LRUCache } from 'lru-cache';
import type { Facets } from './facets-repository.js';
import type { CardFilters } from './filters-repository.js';
import type { Reader } from './view.js';

/** Which facets are kept, and for how long. */
export interface FacetCacheOptions {
  /** Facets of more cards than this are kept; 50,000 when absent. */
  cards?: number;
  /** Age in milliseconds that a kept answer reaches at most; 10,000 when absent. */
  ageMs?: number;
  /** Number of answers that are kept at most; 100 when absent. */
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

  /** @returns an answer that is not too old; undefined where there is none */
  get(key: string | undefined): Facets | undefined {
    return key === undefined ? undefined : this.entries.get(key);
  }

  /**
   * Keeps an answer if it is about enough cards.
   * @param began when its counting began, by `performance.now()`; its age counts from then
   */
  put(key: string | undefined, facets: Facets, began: number): void {
    if (key !== undefined && facets.total > this.cards) this.entries.set(key, facets, { start: began });
  }
}

/** Filters whose cards are the same for all readers to whom the same types are hidden. */
const SHARED_FILTERS: ReadonlySet<string> = new Set([
  'type',
  'subtype',
  'status',
  'approval_status',
  'parent_id',
  'root_id',
  'tag',
  'ids',
  'external_id',
  'updated_since',
  'search',
] satisfies (keyof CardFilters)[]);

/**
 * The key by which facets are kept: all filters, all rights that the reader has by a role, and the revision of the
 * metamodel. The reader is part of it unless every filter is known to mean the same for all readers.
 * @returns undefined where stakeholder roles of the reader decide which attributes may be asked about: such a role may be
 * lost before the answer is used again
 */
export function facetKey(filters: CardFilters, { metamodel, visibility }: Reader): string | undefined {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined);
  const { me, costRoles, inheritedCostRoles, costRedactedTypes, stakeholderRedactedTypes, hiddenTypes } = visibility;
  const opensCosts = me !== undefined && costRoles.length + inheritedCostRoles.length > 0;
  if (opensCosts && given.some(([name]) => name.startsWith('attributes.'))) return undefined;
  return JSON.stringify([
    given.sort(([a], [b]) => (a < b ? -1 : 1)),
    metamodel.revision,
    hiddenTypes,
    [...costRedactedTypes],
    [...stakeholderRedactedTypes],
    costRoles,
    inheritedCostRoles,
    given.every(([name]) => SHARED_FILTERS.has(name)) ? null : me,
  ]);
}
