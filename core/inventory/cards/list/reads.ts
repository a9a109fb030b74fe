import type { RequestContext } from '@lintel/sdk';
import type { Database } from '../../../foundation/db/database.js';
import { problem } from '../../../foundation/errors.js';
import type { PageText } from '../../../foundation/http/respond.js';
import type { MetamodelService } from '../../metamodel/index.js';
import { CardLists } from './card-lists.js';
import { FacetCache, facetKey, type FacetCacheOptions } from './facet-cache.js';
import { readFacets, type Facets } from './facets-repository.js';
import type { CardFilters } from './filters-repository.js';
import { readHierarchy, type Hierarchy } from './hierarchy-repository.js';
import type { CardListQuery } from './page-repository.js';
import { RowCache, type RowView } from './row-cache.js';
import { seesStakeholders, stakeholdersHidden, visibilityOf } from '../../access/index.js';
import { expansionsOf } from '../expand.js';
import type { CardView } from '../schemas.js';
import { CARD_EXPANSIONS, readExpansions, requireExpansions, withMembers } from './expansions.js';
import { readFields, sparse } from './sparse.js';
import type { CardJson, Reader } from './view.js';

/** Enough for about fifty thousand cards. */
const CACHED_BYTES = 64 * 1024 * 1024;

/** Reads cards, restricted to what the reader may see. */
export class CardReads {
  private lists: CardLists;
  private facetCache: FacetCache;

  /** @param facetOptions from which number of cards on facets are cached, and for how long */
  constructor(
    private readonly db: Database,
    private readonly metamodel: MetamodelService,
    private readonly facetOptions: FacetCacheOptions = {},
  ) {
    this.lists = new CardLists(db, new RowCache(CACHED_BYTES));
    this.facetCache = new FacetCache(facetOptions);
  }

  /** Forgets all cards and facets. */
  forget(): void {
    this.lists = new CardLists(this.db, new RowCache(CACHED_BYTES));
    this.facetCache = new FacetCache(this.facetOptions);
  }

  /**
   * Reads one page of cards, as visible to the caller.
   * @throws a 422 listing invalid parameters, a 403 for stakeholders or relations the caller may not see
   */
  async list(ctx: RequestContext, query: CardListQuery): Promise<PageText> {
    const reader = this.reader(ctx);
    const expand = expansionsOf(query, CARD_EXPANSIONS);
    const wanted = query.fields === undefined ? undefined : readFields(query.fields, reader.metamodel, expand);
    requireExpansions(ctx, reader, expand);
    const page = await this.lists.list(query, reader);
    const added = await readExpansions(this.db, page.items, expand, ctx, reader);
    const items = page.items.map((item, i) => withMembers(wanted ? sparse(item, wanted) : item, added[i]!));
    return { ...page, items };
  }

  /**
   * Reads one card with expansions, as the response to the caller.
   * @throws not_found, a 422 listing unknown expansions, a 403 for expansions that the caller may not see
   */
  async expanded(
    ctx: RequestContext,
    id: string,
    query: { expand?: string | undefined },
  ): Promise<Pick<RowView, 'bytes' | 'version' | 'derived'>> {
    const expand = expansionsOf(query, CARD_EXPANSIONS);
    const reader = this.reader(ctx);
    requireExpansions(ctx, reader, expand);
    const { bytes, version, derived, type } = await this.visible(id, reader);
    if (expand.has('stakeholders') && !seesStakeholders(ctx.permissions, type)) throw stakeholdersHidden();
    const [members] = await readExpansions(this.db, [bytes], expand, ctx, reader);
    if (members === '') return { bytes, version, derived };
    return { bytes: withMembers(bytes, members!), version, derived: `${derived ?? ''}${members}` };
  }

  /** Reads cards by their ids, with a bounded number of statements. @returns those that exist and are visible */
  async many(ctx: RequestContext, ids: readonly string[]): Promise<Map<string, CardView>> {
    const views = await this.lists.many([...new Set(ids)], this.reader(ctx));
    return new Map(
      views.flatMap((view) => (view ? [[view.id, JSON.parse(view.bytes.toString()) as CardView] as const] : [])),
    );
  }

  /** @throws not_found */
  async view(ctx: RequestContext, id: string): Promise<RowView> {
    return await this.visible(id, this.reader(ctx));
  }

  /** @throws not_found */
  async get(ctx: RequestContext, id: string): Promise<CardJson> {
    const { bytes, ...view } = await this.view(ctx, id);
    return { ...view, json: bytes.toString() };
  }

  /**
   * Counts the matching cards by type, status, tag and so on.
   * @returns current counts; for many cards possibly cached ones as old as `computed_at`
   * @throws a 422 listing invalid filters, a 403 for stakeholders or relations the caller may not see
   */
  async facets(ctx: RequestContext, filters: CardFilters): Promise<Facets> {
    const reader = this.reader(ctx);
    const key = facetKey(filters, reader);
    const began = performance.now();
    const kept = this.facetCache.get(key);
    if (kept) return kept;
    const facets = await readFacets(this.db, filters, reader);
    this.facetCache.put(key, facets, began);
    return facets;
  }

  /**
   * The cards above and below a card.
   * @param depth number of levels below
   * @throws not_found
   */
  async hierarchy(ctx: RequestContext, id: string, depth: number): Promise<Hierarchy> {
    const found = await readHierarchy(this.db, id, depth, visibilityOf(ctx, this.metamodel.current));
    if (!found) throw problem('not_found');
    return found;
  }

  /** The caller's visibility, with one metamodel for the whole request; cost visibility is decided per row. */
  reader(ctx: RequestContext): Reader {
    const metamodel = this.metamodel.current;
    return { metamodel, visibility: visibilityOf(ctx, metamodel), today: new Date().toISOString().slice(0, 10) };
  }

  /** @throws not_found */
  private async visible(id: string, reader: Reader): Promise<RowView> {
    const card = await this.lists.get(id, reader);
    if (!card) throw problem('not_found');
    return card;
  }
}
