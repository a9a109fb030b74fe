import type {
  ListParams,
  ModuleServices,
  PageResult,
  RequestContext,
  ResourceResult,
  ResourceService,
  UnitOfWork,
  WrittenResource,
} from '@lintel/sdk';
import { MAX_DEPTH, MAX_WBS, requireActiveInitiative, requireInitiative, type Host } from '../basics.js';
import { amountsForbidden } from '../costs/access.js';
import type { Costs } from '../costs/costs.js';
import { releaseCostsOf } from '../costs/release.js';
import { lockPlan } from '../plan/repository.js';
import { removeDependenciesOf } from '../dependencies/removal.js';
import { refusal } from '../errors.js';
import type { Dependencies } from '../dependencies/resource.js';
import type { Tasks } from '../tasks/resource.js';
import { releaseTasksOf } from '../tasks/release.js';
import { placeIn, requireParent } from './places.js';
import {
  cardsWithItems,
  childrenOf,
  countItems,
  idsWith,
  itemsBelow,
  lockItem,
  orderItems,
  readPlaces,
  siblingIds,
} from './repository.js';
import { wbs } from './resource.js';
import type { WbsCreate, WbsDelete, WbsPatch, WbsQuery } from './schemas.js';
import { treeFor } from './views.js';

type Values = Record<string, unknown>;

/** Work breakdowns. Every write locks the plan, so that its structure and its order are changed one at a time. */
export class WbsService {
  /** Reads and writes of items without the rules of the structure. */
  readonly rows: ResourceService;

  constructor(
    private readonly host: Host,
    private readonly dependencies: Dependencies,
    private readonly tasks: Tasks,
    private readonly costs: Costs,
  ) {
    this.rows = wbs.service(host as unknown as ModuleServices) as unknown as ResourceService;
  }

  /** The items of a plan in the order of the tree. @throws not_found */
  async list(ctx: RequestContext, cardId: string, query: WbsQuery): Promise<PageResult<Values>> {
    const { id: card_id } = await requireInitiative(this.host, ctx, cardId);
    const { page: _p, page_size: _s, cursor: _c, sort_by: _b, sort_dir: _d, total: _t, ...filters } = query;
    const bindings = this.host.db.bindings();
    const own = `r.card_id = ${bindings.add(card_id)}`;
    const conditions = await this.rows.conditions(ctx, filters, bindings);
    const found = Object.keys(filters).length > 0 && (await idsWith(this.host.db, [own, ...conditions], bindings));
    const { items } = await treeFor(this.host, ctx, card_id);
    const all = found === false ? [...items] : items.filter(({ id }) => found.has(id));
    const params: ListParams = { ...query, sort_by: 'index' };
    const scope = JSON.stringify([card_id, Object.entries(filters).sort()]);
    const page = this.host.http.pageOf(all, 'id', 'index', params, scope);
    const ids = page.items.map(({ id }) => id);
    const shown = ids.length > 0 ? await this.views(ctx, card_id, ids) : new Map<unknown, Values>();
    return { ...page, items: ids.flatMap((id): Values[] => (shown.has(id) ? [shown.get(id)!] : [])) };
  }

  private async views(ctx: RequestContext, card_id: string, ids: readonly string[]): Promise<Map<unknown, Values>> {
    const query = { id: ids.join(','), page_size: ids.length, total: 'none' };
    const { items } = await this.rows.list(ctx, query, { card_id });
    return new Map((items as Values[]).map((item) => [item['id'], item]));
  }

  /** @throws not_found */
  async resource(ctx: RequestContext, cardId: string, id: string): Promise<Omit<ResourceResult, 'status'>> {
    return await this.rows.resource(ctx, id, { card_id: cardId.toLowerCase() });
  }

  /** The changes of an item, the latest first. @throws not_found */
  async history(ctx: RequestContext, cardId: string, id: string, query: ListParams) {
    return await this.rows.history(ctx, id, query, { card_id: cardId.toLowerCase() });
  }

  /** @throws not_found, forbidden, invalid_state, validation_failed */
  async create(
    ctx: RequestContext,
    cardId: string,
    { before_id, after_id, ...values }: WbsCreate,
  ): Promise<WrittenResource> {
    await this.checkBody(ctx, cardId, values);
    return await this.answering(ctx, cardId, async (uow, card_id) => {
      if ((await countItems(uow, card_id)) >= MAX_WBS)
        throw this.host.invalid({ field: '', reason: `a plan has at most ${MAX_WBS} items` });
      const parentId = values.parent_id?.toLowerCase() ?? null;
      const depth = await requireParent(this.host, uow, card_id, parentId);
      if (depth >= MAX_DEPTH)
        throw this.host.invalid({ field: '/parent_id', reason: `items are at most ${MAX_DEPTH} levels deep` });
      const position = await placeIn(
        this.host,
        uow,
        { cardId: card_id, parentId, moved: null },
        { before_id, after_id },
      );
      return await this.rows.createIn(uow, { ...values, parent_id: parentId, card_id, position });
    });
  }

  /** @throws not_found, forbidden, precondition_failed, invalid_state, validation_failed */
  async update(ctx: RequestContext, cardId: string, itemId: string, patch: WbsPatch): Promise<WrittenResource> {
    await this.checkBody(ctx, cardId, patch);
    return await this.answering(ctx, cardId, async (uow, card_id) => {
      const id = itemId.toLowerCase();
      if (!(await lockItem(uow, card_id, id))) throw this.host.problem('not_found');
      await this.rows.updateIn(uow, id, patch);
      return id;
    });
  }

  /**
   * Deletes an item. Its dependencies are deleted with it, and its tasks and costs are kept without it.
   * @param strategy what is done with the items below it
   * @throws not_found, precondition_failed, invalid_state; ppm_has_children if it has some and there is no strategy
   */
  async remove(ctx: RequestContext, cardId: string, itemId: string, strategy: WbsDelete['strategy']): Promise<void> {
    await this.locked(ctx, cardId, async (uow, card_id) => {
      const id = itemId.toLowerCase();
      if (!(await lockItem(uow, card_id, id))) throw this.host.problem('not_found');
      const children = await childrenOf(uow, card_id, id);
      if (children.length > 0 && strategy === undefined)
        throw refusal('ppm_has_children', {
          detail: `The item has ${children.length} below it: \`strategy\` says what becomes of them.`,
          children: children.length,
        });
      if (strategy === 'reparent') await this.raise(uow, card_id, id, children);
      const below = strategy === 'cascade' ? (await itemsBelow(uow, card_id, id)).map((item) => item.id) : [];
      const gone = [...below, id];
      await removeDependenciesOf(uow, this.dependencies, gone);
      await releaseTasksOf(uow, this.tasks, gone);
      await releaseCostsOf(uow, this.costs, gone);
      // The item of the request is the only one that If-Match is about.
      await this.rows.writeIn(
        uow,
        below.map((one) => ({ op: 'delete', id: one })),
      );
      await this.rows.removeIn(uow, id);
      return id;
    });
  }

  /** Deletes the items of initiatives that are deleted: of one after the other, because an item takes those below it along. */
  async removeOfCards(uow: UnitOfWork, cards: readonly string[]): Promise<void> {
    for (const card of await cardsWithItems(uow, cards)) await this.rows.removeOfCards(uow, [card]);
  }

  /** Puts the items below one in its place. */
  private async raise(uow: UnitOfWork, cardId: string, id: string, children: readonly string[]): Promise<void> {
    if (children.length === 0) return;
    const { parent_id: parentId = null } = (await readPlaces(uow, cardId, [id])).get(id) ?? {};
    const siblings = await siblingIds(uow, cardId, parentId);
    await this.rows.writeIn(
      uow,
      children.map((child) => ({ op: 'update', id: child, values: { parent_id: parentId } })),
    );
    await orderItems(
      uow,
      siblings.flatMap((one) => (one === id ? [id, ...children] : [one])),
    );
  }

  /** Like `locked`. @returns the item as it was written */
  async answering(
    ctx: RequestContext,
    cardId: string,
    work: (uow: UnitOfWork, cardId: string) => Promise<string>,
  ): Promise<WrittenResource> {
    return await this.rows.answering(
      ctx,
      (written) =>
        this.locked(ctx, cardId, async (uow, card_id) => {
          const id = await work(uow, card_id);
          await written(uow, id);
          return id;
        }),
      { card_id: cardId.toLowerCase() },
    );
  }

  /**
   * Runs a write in a transaction that locks the plan.
   * @param work is passed the id of the card in lower case; returns the id of an item
   * @throws not_found, invalid_state
   */
  async locked(
    ctx: RequestContext,
    cardId: string,
    work: (uow: UnitOfWork, cardId: string) => Promise<string>,
  ): Promise<string> {
    const { id } = await requireActiveInitiative(this.host, ctx, cardId);
    return await this.host.transactions.run(ctx, async (uow) => {
      await lockPlan(uow, id);
      return await work(uow, id);
    });
  }

  /** @throws forbidden for amounts of a caller who may not see them; validation_failed for an unknown assignee */
  private async checkBody(ctx: RequestContext, cardId: string, body: WbsPatch): Promise<void> {
    const { id } = await requireInitiative(this.host, ctx, cardId);
    const hasAmount = body.planned_cost !== undefined || body.planned_currency !== undefined;
    if (hasAmount && !(await this.host.cards.seesCosts(ctx, [id])).has(id)) throw amountsForbidden(this.host);
    const user = body.assignee_id?.toLowerCase();
    if (user !== undefined && !(await this.host.users.find([user])).has(user))
      throw this.host.invalid({ field: '/assignee_id', reason: 'names no user' });
  }
}
