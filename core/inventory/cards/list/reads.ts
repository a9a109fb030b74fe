import type { RequestContext } from '@lintel/sdk';
import type { Database } from '../../../foundation/db/database.js';
import { problem } from '../../../foundation/errors.js';
import type { PageText } from '../../../foundation/http/respond.js';
import type { MetamodelService } from '../../metamodel/index.js';
import { amendFacets, readFacets, type Facets, type FacetsRead } from './facets-repository.js';
import type { CardFilters } from './filters-repository.js';
import { KeptAnswers, keptKey, MANY_CARDS } from './kept-answers.js';
import { standsUpTo } from './kept-answers-repository.js';
import { readHierarchy, type Hierarchy } from './hierarchy-repository.js';
import { CardRows, type CardListQuery, type Reader } from './read-repository.js';
import { RowCache, type CachedView } from './row-cache.js';
import { visibilityOf } from '../../access/index.js';
import { readFields, sparse } from './sparse.js';
import type { CardJson } from './view.js';

/** Some fifty thousand cards. */
const CACHED_BYTES = 64 * 1024 * 1024;
const MOST_FACETS = 100;

/** Reads of cards, with what the reader may not see left out. */
export class CardReads {
  private readonly rows: CardRows;
  private readonly kept = new KeptAnswers<FacetsRead>(MOST_FACETS);

  constructor(
    private readonly db: Database,
    private readonly metamodel: MetamodelService,
  ) {
    this.rows = new CardRows(db, new RowCache(CACHED_BYTES));
  }

  async list(ctx: RequestContext, query: CardListQuery): Promise<PageText> {
    const reader = this.reader(ctx);
    const wanted = query.fields === undefined ? undefined : readFields(query.fields, reader.metamodel);
    const page = await this.rows.list(query, reader);
    return wanted ? { ...page, items: page.items.map((item) => sparse(item, wanted)) } : page;
  }

  /** @throws not_found */
  async view(ctx: RequestContext, id: string): Promise<CachedView> {
    const reader = this.reader(ctx);
    const card = await this.rows.get(id, reader);
    if (!card) throw problem('not_found');
    return card;
  }

  /** @throws not_found */
  async get(ctx: RequestContext, id: string): Promise<CardJson> {
    const { bytes, ...view } = await this.view(ctx, id);
    return { ...view, json: bytes.toString() };
  }

  /** How many cards of the filters there are by type, status, tag and so on. */
  async facets(ctx: RequestContext, filters: CardFilters): Promise<Facets> {
    const reader = this.reader(ctx);
    const key = keptKey(filters, reader);
    const kept = this.kept.get(key);
    if (kept) {
      const upTo = await standsUpTo(this.db, kept.mark.position, kept.types);
      if (upTo !== undefined) {
        this.kept.stands(kept, upTo);
        return kept.answer.answer;
      }
    }
    const read =
      (kept && (await amendFacets(this.db, filters, reader, { counts: kept.answer.counts, mark: kept.mark }))) ??
      (await readFacets(this.db, filters, reader));
    if (key === undefined) return read.answer;
    if (read.answer.total >= MANY_CARDS) this.kept.put(key, read, read.mark, read.types);
    else this.kept.drop(key);
    return read.answer;
  }

  /**
   * What is above a card and below it.
   * @param depth levels below
   * @throws not_found
   */
  async hierarchy(ctx: RequestContext, id: string, depth: number): Promise<Hierarchy> {
    const found = await readHierarchy(this.db, id, depth, visibilityOf(ctx, this.metamodel.current));
    if (!found) throw problem('not_found');
    return found;
  }

  /** What the caller may see, by one metamodel for the length of the request; whose costs are open, each row says. */
  reader(ctx: RequestContext): Reader {
    const metamodel = this.metamodel.current;
    return { metamodel, visibility: visibilityOf(ctx, metamodel), today: new Date().toISOString().slice(0, 10) };
  }
}
