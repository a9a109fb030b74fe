import type { InventoryField, ListParams, ModuleServices, PageResult, PublishedInventory } from '@lintel/sdk';
import { publicationOf } from '../definition.js';
import type { PublishedPortal } from '../repository.js';
import type { Settings } from '../settings.js';
import { Answers, type Answer } from './answers.js';
import { readCard, readCards, type VisitorCard } from './cards-repository.js';
import { PortalLookup } from './lookup.js';
import { filtersOf, sortsOf, visitorQuery, type VisitorQuery } from './query.js';

type Query = ListParams & Record<string, unknown>;

/** A portal with what its fields are now. */
export interface OpenPortal {
  portal: PublishedPortal;
  type: PublishedInventory['type'];
  fields: readonly InventoryField[];
  filters: readonly InventoryField[];
  sorts: readonly string[];
  lang: string;
}

/** A list with what visitors asked for. */
export interface VisitorList extends OpenPortal {
  query: VisitorQuery;
  page: PageResult<VisitorCard>;
}

/** What visitors read: the same for all of them, with or without a session. */
export class VisitorService {
  readonly lookup: PortalLookup;
  private readonly answers = new Answers();

  constructor(private readonly host: ModuleServices<Settings>) {
    this.lookup = new PortalLookup(host as unknown as ModuleServices<never>);
  }

  /** @param render from what was read to what is sent; @throws not_found */
  about<T>(slug: string, what: string, render: (open: OpenPortal) => T): Promise<Answer<T>> {
    return this.answer(slug, [what], async (published, portal) => render(this.opened(published, portal)));
  }

  /** @throws not_found, validation_failed */
  cards<T>(
    slug: string,
    what: string,
    query: Query,
    render: (list: VisitorList) => T | Promise<T>,
  ): Promise<Answer<T>> {
    const sorted = Object.entries(query).sort(([a], [b]) => (a < b ? -1 : 1));
    return this.answer(slug, [what, sorted], async (published, portal) => {
      const asked = visitorQuery(this.host, portal, published.fields, query);
      const scope = JSON.stringify([portal.id, asked.filters, asked.words]);
      const page = await readCards(published, asked, portal.search_fields, scope);
      return await render({ ...this.opened(published, portal), query: asked, page });
    });
  }

  /** @throws not_found also for a card that is not part of the portal */
  card<T>(
    slug: string,
    what: string,
    id: string,
    render: (open: OpenPortal, card: VisitorCard) => T | Promise<T>,
  ): Promise<Answer<T>> {
    return this.answer(slug, [what, id], async (published, portal) => {
      const card = await readCard(published, id);
      if (!card) throw this.host.problem('not_found');
      return await render(this.opened(published, portal), card);
    });
  }

  private opened({ type, fields }: PublishedInventory, portal: PublishedPortal): OpenPortal {
    return {
      portal,
      type,
      fields: [...fields.values()],
      filters: filtersOf(portal, fields),
      sorts: sortsOf(fields),
      lang: this.lang,
    };
  }

  private get lang(): string {
    return this.host.workspace().locales[0]!;
  }

  private async answer<T>(
    slug: string,
    request: readonly unknown[],
    make: (published: PublishedInventory, portal: PublishedPortal) => Promise<T>,
  ): Promise<Answer<T>> {
    const portal = await this.lookup.find(slug);
    if (!portal) throw this.host.problem('not_found');
    const { lang } = this;
    return await this.answers.get(JSON.stringify([portal.id, portal.version, lang, request]), async () => {
      const read = (published: PublishedInventory): Promise<{ made: T }> =>
        make(published, portal).then((made) => ({ made }));
      const answer = await this.host.inventory.publications.read(publicationOf(portal), { lang }, read);
      // The type was deleted, or a filter is not valid any more: nothing is shown rather than too much.
      if (!answer) throw this.host.problem('not_found');
      return answer.made;
    });
  }
}
