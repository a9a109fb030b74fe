import type { ModuleServices, PageResult, RequestContext, ResourceResult } from '@lintel/sdk';
import { refusal } from '../errors.js';
import { listLinks } from './repository.js';
import type { Register } from './resource.js';
import type { CardLinkInput, CardLinkQuery, CardLinkView } from './schemas.js';

const MOST = 500;
type LinkResource = Omit<ResourceResult<CardLinkView>, 'status'>;
type Risk = Awaited<ReturnType<Register['get']>>;

/** The links of single risks with cards. A link is part of the risk: changing it changes the risk. */
export class LinkService {
  constructor(
    private readonly host: ModuleServices,
    private readonly register: Register,
  ) {}

  /** The visible cards of a risk. @throws not_found */
  async list(ctx: RequestContext, id: string, query: CardLinkQuery): Promise<PageResult<CardLinkView>> {
    const risk = await this.register.get(ctx, id);
    const links = new Map(this.of(risk).map((link) => [link.card_id, link]));
    const page = await listLinks(this.host.db, query, risk.id, [...links.keys()]);
    return { ...page, items: page.items.map(({ card_id }) => links.get(card_id)!) };
  }

  /** One link, with the version of its risk. @throws not_found */
  async resource(ctx: RequestContext, id: string, cardId: string): Promise<LinkResource> {
    return this.linkOf(await this.register.get(ctx, id), cardId);
  }

  /**
   * Links a card, or changes the role of its link.
   * @param isNew whether a card that is already linked is refused
   * @returns the link as it was written
   * @throws not_found, forbidden, precondition_failed, risks_card_linked, invalid_state, validation_failed
   */
  async put(ctx: RequestContext, id: string, { card_id, role }: CardLinkInput, isNew: boolean): Promise<LinkResource> {
    const card = (await this.host.cards.find(ctx, [card_id])).get(card_id.toLowerCase());
    const { resource } = await this.register.change(ctx, id, [card_id], ({ cards }) => {
      if (!card)
        throw isNew
          ? this.host.invalid({ field: '/card_id', reason: 'names no card' })
          : this.host.problem('not_found');
      const others = cards.filter((link) => link.card_id !== card.id);
      if (isNew && others.length < cards.length) throw refusal('risks_card_linked');
      if (others.length >= MOST)
        throw this.host.invalid({ field: '/card_id', reason: `is more than the ${MOST} cards a risk may concern` });
      return { cards: [...others, { card_id: card.id, role }] };
    });
    return this.linkOf(resource.body as Risk, card_id);
  }

  /** @throws not_found, forbidden, precondition_failed, invalid_state */
  async remove(ctx: RequestContext, id: string, cardId: string): Promise<void> {
    await this.register.change(ctx, id, [cardId], ({ cards }) => {
      const others = cards.filter(({ card_id }) => card_id !== cardId.toLowerCase());
      if (others.length === cards.length) throw this.host.problem('not_found');
      return { cards: others };
    });
  }

  /** @throws not_found if the risk has no link with the card that the caller sees */
  private linkOf(risk: Risk, cardId: string): LinkResource {
    const body = this.of(risk).find(({ card_id }) => card_id === cardId.toLowerCase());
    if (!body) throw this.host.problem('not_found');
    return { version: body.version, derived: body.card, body };
  }

  private of({ id, version, cards }: Risk): CardLinkView[] {
    return (cards as Pick<CardLinkView, 'card_id' | 'role' | 'card'>[]).map((link) => ({
      ...link,
      risk_id: id,
      version,
    }));
  }
}
