import type { RequestContext } from '@lintel/sdk';
import { Readable } from 'node:stream';
import type { Database } from '../db/database.js';
import { problem } from '../errors.js';
import type { PageText } from '../http/respond.js';
import type { MetamodelService } from '../metamodel/index.js';
import type { RbacService } from '../rbac/index.js';
import type { CardFilters } from './filters.js';
import { exportCards, getCard, listCards, type CardListQuery, type Reader } from './read-repository.js';
import type { CardJson } from './view.js';

/** Reads of cards, with what the reader may not see left out. */
export class CardReads {
  constructor(private readonly db: Database, private readonly metamodel: MetamodelService, private readonly rbac: RbacService) {}

  async list(ctx: RequestContext, query: CardListQuery): Promise<PageText> {
    return listCards(this.db, query, await this.reader(ctx));
  }

  /** @throws not_found */
  async get(ctx: RequestContext, id: string): Promise<CardJson> {
    const card = await getCard(this.db, id, await this.reader(ctx));
    if (!card) throw problem('not_found');
    return card;
  }

  /** All cards of the filters as NDJSON, streamed from one snapshot. */
  async export(ctx: RequestContext, filters: CardFilters): Promise<Readable> {
    return Readable.from(exportCards(this.db, filters, await this.reader(ctx)), { objectMode: false, highWaterMark: 256 * 1024 });
  }

  /** What the caller may see, by one metamodel for the length of the request. */
  async reader(ctx: RequestContext): Promise<Reader> {
    const open = ctx.permissions.has('costs.view');
    const own = open || !ctx.actor ? undefined : await this.rbac.cardsWith(ctx.actor.id, 'card.view_costs');
    return {
      ctx, metamodel: this.metamodel.current, today: new Date().toISOString().slice(0, 10),
      seesCosts: (id, type) => ctx.permissions.has('costs.view', type) || own?.has(id) === true,
    };
  }
}
