import {
  answerBulk,
  type BulkOutcome,
  type CardPort,
  type CardRef,
  type CardView,
  type RequestContext,
} from '@lintel/sdk';
import { cardsHidden, visibleCards, visibleSql, type PlacedCard } from '../../inventory/access/index.js';
import { BulkBody, CardQuery, type CardOperation, type RowResult } from '../../inventory/cards/index.js';
import type { HostServices } from '../services.js';
import { Problem, invalid } from '../../foundation/errors.js';
import { bulkCheck, queryCheck } from '../../foundation/http/query.js';
import { isUuid } from '../../foundation/ids.js';
import { bulkIn } from './bulk-in.js';
import { demand, inTurn } from './inner-context.js';
import { ModuleUnit } from './unit.js';

/** Limits the time of one statement. */
const MAX_EXTERNAL_IDS = 20_000;
const MAX_NAMES = 200;
const queryOf = queryCheck(CardQuery);
const bulkOf = bulkCheck(BulkBody);

/** Returns undefined for not_found; throws any other error. */
const absent = (error: unknown): undefined => {
  if (error instanceof Problem && error.code === 'not_found') return undefined;
  throw error;
};

/** Cards for modules, with the services of the REST API. */
export function cardPort(core: HostServices): CardPort {
  const { access, cards, cardReads, cardPermissions, impact, rbac } = core;
  const visible = async (ctx: RequestContext, ids: readonly string[]): Promise<PlacedCard[]> => [
    ...(await access.seen(ctx, ids)).values(),
  ];
  return {
    get: async (ctx, id) => refOf(await access.card(ctx, id)),

    async ensureVisible(ctx, ids, field) {
      const found = await access.seen(ctx, ids);
      const unknown = ids.flatMap((id, i) =>
        found.has(id.toLowerCase()) ? [] : [{ field: `${field}/${i}`, reason: 'names no card' }],
      );
      if (unknown.length > 0) throw invalid(...unknown);
    },

    async find(ctx, ids) {
      return new Map((await visible(ctx, ids)).map((card) => [card.id, refOf(card)]));
    },

    async findByExternalId(ctx, type, externalIds) {
      if (externalIds.length > MAX_EXTERNAL_IDS)
        throw new Error(`findByExternalId takes at most ${MAX_EXTERNAL_IDS} external ids, not ${externalIds.length}`);
      return await access.byExternalId(ctx, type, externalIds);
    },

    async findByName(ctx, names, options = {}) {
      if (names.length > MAX_NAMES) throw new Error(`findByName takes at most ${MAX_NAMES} names, not ${names.length}`);
      const { most = 5 } = options;
      if (!Number.isInteger(most) || most < 1 || most > 20) throw new Error(`most is 1 to 20, not ${most}`);
      return await access.byName(ctx, names, options);
    },

    hidden: async (ctx, ids) => await access.hidden(ctx, ids),
    namesCards: (filter, types) => access.namesCards(filter, types),

    async withCosts(ctx, named) {
      const { byRole, scope } = await access.costExtent(ctx);
      const found = new Set(named.filter(({ type }) => byRole(type)).map(({ id }) => id.toLowerCase()));
      if (scope.held.size + scope.roots.size === 0) return found;
      const others = named.map(({ id }) => id).filter((id) => !found.has(id.toLowerCase()));
      for (const card of await visible(ctx, others)) if (scope.covers(card)) found.add(card.id);
      return found;
    },

    visibleSql(ctx, column, bind) {
      return visibleSql(core.access.hiddenTypes(ctx), column, bind);
    },

    visibleCards(ctx, bind) {
      return visibleCards(core.access.hiddenTypes(ctx), bind);
    },

    async read(ctx, ids) {
      const known = [...new Set(ids.filter(isUuid).map((id) => id.toLowerCase()))];
      // Reads started in the same turn of the event loop are combined to one statement.
      const views = await Promise.all(known.map((id) => cardReads.view(ctx, id).catch(absent)));
      return views.flatMap((view) => (view ? [JSON.parse(view.bytes.toString()) as CardView] : []));
    },

    async list(ctx, query) {
      if (!access.seesAnything(ctx)) throw cardsHidden();
      const page = await cardReads.list(ctx, queryOf(query));
      return { ...page, items: page.items.map((item) => JSON.parse(item.toString()) as CardView) };
    },

    async bulk(ctx, operations, { mode = 'all_or_nothing', dryRun = false } = {}) {
      await demand(core, ctx, 'cards.bulk');
      const { body, refused } = await bulkOf({ mode, operations });
      return (await answerBulk(
        { ctx, body: { mode, operations: body.operations as CardOperation[] }, refusedOperations: refused },
        (sound) => inTurn({ ...ctx, dryRun: dryRun || ctx.dryRun }, 'cards', (own) => cards.bulk(own, mode, sound)),
      )) as BulkOutcome;
    },

    async bulkIn(unit, operations, options = {}) {
      const uow = ModuleUnit.core(unit);
      await demand(core, uow.ctx, 'cards.bulk');
      return (await bulkIn<CardOperation, RowResult>(uow, operations, options, bulkOf, (ctx, sound, mode) =>
        cards.bulkIn(uow, ctx, mode, sound, options),
      )) as BulkOutcome;
    },

    async seesCosts(ctx, cardIds) {
      const seen = await visible(ctx, cardIds);
      if (seen.length === 0) return new Set();
      const costs = await access.costs(ctx);
      return new Set(seen.filter((card) => costs.of(card.type, card)).map(({ id }) => id));
    },

    impact: (ctx, cardIds, query = {}) => impact.reach(ctx, cardIds.filter(isUuid), query),

    async may(ctx, cardId, permission, cardPermission) {
      const [card] = await visible(ctx, [cardId]);
      return card !== undefined && (await cardPermissions.holds(ctx, card, permission, cardPermission));
    },

    async mayAmong(ctx, cardIds, permission, cardPermission) {
      const seen = await visible(ctx, cardIds);
      const may = new Set(seen.filter(({ type }) => ctx.permissions.has(permission, type)).map(({ id }) => id));
      if (may.size === seen.length || cardPermission === undefined || !ctx.actor) return may;
      const scope = await rbac.cardsWith({ id: ctx.actor.id, permissions: ctx.permissions }, cardPermission);
      for (const card of seen) if (scope.covers(card)) may.add(card.id);
      return may;
    },
  };
}

const refOf = ({ path_ids: _path, ...card }: PlacedCard): CardRef => card;
