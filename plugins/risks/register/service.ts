import type { ListParams, ModuleServices, PageResult, RequestContext, ResourceResult } from '@lintel/sdk';
import { MOVES } from '../moves.js';
import type { BulkBody, BulkView } from './bulk-schemas.js';
import { findRisk, listLinks, listRisks, statusOf, type Narrowed, type RiskRow } from './read-repository.js';
import type {
  CardLinkInput,
  CardLinkQuery,
  CardLinkView,
  HistoryEntry,
  RiskCreate,
  RiskFilters,
  RiskPatch,
  RiskQuery,
  RiskView,
  TransitionBody,
} from './schemas.js';
import { referenceOf } from './state.js';
import type { RiskWriter } from './writer.js';

/** The risk register: the only way risks are read and written. */
export class RiskService {
  constructor(
    private readonly host: ModuleServices,
    private readonly writer: RiskWriter,
  ) {}

  async list(ctx: RequestContext, query: RiskQuery): Promise<PageResult<RiskView>> {
    return await this.page(ctx, query, await this.isHidden(ctx, query));
  }

  /** The risks that concern a card. @throws not_found where there is no such card for the caller */
  async ofCard(ctx: RequestContext, cardId: string, query: RiskQuery): Promise<PageResult<RiskView>> {
    const card = await this.host.cards.get(ctx, cardId);
    return await this.page(ctx, { ...query, card_id: card.id }, false);
  }

  /** @throws not_found */
  async get(ctx: RequestContext, id: string): Promise<RiskView> {
    const row = await findRisk(this.host.db, id);
    if (!row) throw this.host.problem('not_found');
    return (await this.views(ctx, [row]))[0]!;
  }

  /** As `get`, with what its ETag is made of: levels, names and days change without a change of the risk. @throws not_found */
  async resource(ctx: RequestContext, id: string): Promise<Omit<ResourceResult<RiskView>, 'status'>> {
    const body = await this.get(ctx, id);
    const { initial_level, residual_level, owner, is_overdue, cards, mitigations } = body;
    return {
      version: body.version,
      body,
      derived: [initial_level, residual_level, owner, is_overdue, cards, mitigations],
    };
  }

  /** Who changed what, latest first. @throws not_found */
  async history(
    ctx: RequestContext,
    id: string,
    { page, page_size, cursor, sort_dir }: ListParams,
  ): Promise<PageResult<HistoryEntry>> {
    if ((await statusOf(this.host.db, id)) === undefined) throw this.host.problem('not_found');
    const events = await this.host.events.history({ kind: 'risks', id }, { page, page_size, cursor, sort_dir }, ctx);
    return {
      ...events,
      items: events.items.map(({ type, occurred_at, actor, origin, change_id, request_id, data }) => ({
        version: (data['version'] as number | undefined) ?? null,
        at: occurred_at,
        type,
        actor,
        origin,
        change_id,
        request_id,
        comment: (data['comment'] as string | undefined) ?? null,
        rationale: (data['rationale'] as string | undefined) ?? null,
        changes: (data['changes'] as HistoryEntry['changes'] | undefined) ?? [],
      })),
    };
  }

  /** Enters a risk as identified, with the next number. @returns its id @throws forbidden, validation_failed */
  async create(ctx: RequestContext, risk: RiskCreate): Promise<string> {
    return (await this.writer.one(ctx, { op: 'create', risk })).id;
  }

  /** @throws not_found, forbidden, precondition_failed, invalid_state where it is closed, validation_failed */
  async update(ctx: RequestContext, id: string, risk: RiskPatch): Promise<void> {
    await this.writer.one(ctx, { op: 'update', id, version: ctx.ifMatch, risk });
  }

  /** Takes a risk out of the register; its number is not given again. @throws not_found, forbidden, precondition_failed, invalid_state */
  async remove(ctx: RequestContext, id: string): Promise<void> {
    await this.writer.one(ctx, { op: 'delete', id, version: ctx.ifMatch });
  }

  /** @throws not_found, forbidden, precondition_failed, risks_move_refused, validation_failed */
  async transition(ctx: RequestContext, id: string, move: TransitionBody): Promise<void> {
    await this.writer.one(ctx, { op: 'transition', id, version: ctx.ifMatch, ...move });
  }

  async bulk(ctx: RequestContext, { operations, mode }: BulkBody): Promise<BulkView> {
    return await this.writer.bulk(ctx, operations, mode);
  }

  /** The cards a risk concerns, of those the caller sees. @throws not_found */
  async links(ctx: RequestContext, id: string, query: CardLinkQuery): Promise<PageResult<CardLinkView>> {
    const risk = await this.get(ctx, id);
    const cards = new Map(risk.cards.map(({ card_id, card }) => [card_id, card]));
    const page = await listLinks(this.host.db, query, risk.id, [...cards.keys()]);
    return {
      ...page,
      items: page.items.map((link) => ({
        ...link,
        card: cards.get(link.card_id)!,
        risk_id: risk.id,
        version: risk.version,
      })),
    };
  }

  /** One link, with the version of its risk. @throws not_found */
  async linkResource(
    ctx: RequestContext,
    id: string,
    cardId: string,
  ): Promise<Omit<ResourceResult<CardLinkView>, 'status'>> {
    const risk = await this.get(ctx, id);
    const link = risk.cards.find(({ card_id }) => card_id === cardId.toLowerCase());
    if (!link) throw this.host.problem('not_found');
    return {
      version: risk.version,
      derived: link.card,
      body: { ...link, risk_id: risk.id, version: risk.version } satisfies CardLinkView,
    };
  }

  /** @param isNew refuses a card that is linked already @throws not_found, forbidden, risks_card_linked, invalid_state, validation_failed */
  async link(ctx: RequestContext, id: string, card: CardLinkInput, isNew: boolean): Promise<void> {
    await this.writer.one(ctx, { op: 'link', id, version: ctx.ifMatch, card, isNew });
  }

  /** @throws not_found, forbidden, precondition_failed, invalid_state */
  async unlink(ctx: RequestContext, id: string, card_id: string): Promise<void> {
    await this.writer.one(ctx, { op: 'unlink', id, version: ctx.ifMatch, card: { card_id } });
  }

  /** Filters with what they need to know of the caller. */
  async narrowed(ctx: RequestContext, query: RiskFilters): Promise<Narrowed> {
    return this.filtersOf(ctx, query, await this.isHidden(ctx, query));
  }

  private async isHidden(ctx: RequestContext, { card_id }: RiskFilters): Promise<boolean> {
    return card_id !== undefined && (await this.host.cards.find(ctx, [card_id])).size === 0;
  }

  private filtersOf(ctx: RequestContext, query: RiskFilters, isNothing: boolean): Narrowed {
    const words = [
      ...new Set(
        this.host
          .searchFold(query.search ?? '')
          .split(' ')
          .filter(Boolean),
      ),
    ];
    return {
      ...query,
      me: ctx.actor?.id ?? null,
      words,
      isNothing,
      seesCard: (column, add) => this.host.cards.visibleSql(ctx, column, add),
    };
  }

  private async page(ctx: RequestContext, query: RiskQuery, isNothing: boolean): Promise<PageResult<RiskView>> {
    const page = await listRisks(this.host.db, query, this.filtersOf(ctx, query, isNothing));
    return { ...page, items: await this.views(ctx, page.items) };
  }

  /** A page at a time: as many statements for one risk as for 200. */
  private async views(ctx: RequestContext, rows: readonly RiskRow[]): Promise<RiskView[]> {
    const named = [...new Set(rows.flatMap(({ cards }) => cards.map(({ card_id }) => card_id)))];
    const owners = [...new Set(rows.flatMap(({ owner_id }) => owner_id ?? []))];
    const cards = named.length > 0 ? await this.host.cards.find(ctx, named) : new Map<string, never>();
    const users = owners.length > 0 ? await this.host.users.find(owners) : new Map<string, never>();
    return rows.map(
      ({
        number,
        acceptance_rationale,
        acceptance_expires_on,
        accepted_by,
        accepted_at,
        closed_at,
        created_at,
        updated_at,
        ...row
      }) => {
        const owner = row.owner_id === null ? undefined : users.get(row.owner_id);
        return {
          ...row,
          reference: referenceOf(number),
          allowed_transitions: [...MOVES[row.status]],
          owner: owner ? { id: owner.id, display_name: owner.display_name, is_active: owner.is_active } : null,
          acceptance:
            accepted_at === null
              ? null
              : {
                  rationale: acceptance_rationale!,
                  expires_on: acceptance_expires_on!,
                  accepted_by,
                  accepted_at: accepted_at.toISOString(),
                },
          cards: row.cards.flatMap((link) => {
            const card = cards.get(link.card_id);
            return card
              ? [{ ...link, card: { id: card.id, type: card.type, name: card.name, status: card.status } }]
              : [];
          }),
          closed_at: closed_at?.toISOString() ?? null,
          created_at: created_at.toISOString(),
          updated_at: updated_at.toISOString(),
        };
      },
    );
  }
}
