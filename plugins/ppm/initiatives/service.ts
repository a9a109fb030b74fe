import type { PageResult, RequestContext } from '@lintel/sdk';
import { requireInitiative, type Host } from '../basics.js';
import { amountsForbidden } from '../costs/access.js';
import { CARD_FIELDS, FIELD_KEYS, type CardField } from '../rollup/fields.js';
import { ratesOf } from '../money/settings.js';
import { findInitiative, listInitiatives, readPlan, type InitiativeList } from './repository.js';
import { AMOUNT_SORTS, type InitiativeItem, type InitiativeQuery, type InitiativeView } from './schemas.js';

const CHILDREN = 200;

/** Initiatives with the roll-up of their own plans. */
export class InitiativeService {
  constructor(private readonly host: Host) {}

  /** @throws forbidden for a sort by amounts, unless the caller sees all of them */
  async list(ctx: RequestContext, query: InitiativeQuery): Promise<PageResult<InitiativeItem>> {
    const { page, page_size, cursor, sort_by, sort_dir, total, health, late, ...filters } = query;
    const list: InitiativeList = {
      params: { page, page_size, cursor, sort_by, sort_dir, total },
      filters,
      health,
      late,
    };
    return await this.host.inventory.read(ctx, {}, async (inventory) => {
      if ((AMOUNT_SORTS as readonly (string | undefined)[]).includes(sort_by) && inventory.costs !== 'all') {
        inventory.demandCosts();
        throw amountsForbidden(this.host);
      }
      return await listInitiatives(inventory, ratesOf(this.host), list);
    });
  }

  /** @throws not_found */
  async get(ctx: RequestContext, cardId: string): Promise<InitiativeView> {
    const { id } = await requireInitiative(this.host, ctx, cardId);
    const money = ratesOf(this.host);
    const [item, children, plan] = await this.host.inventory.read(
      ctx,
      {},
      async (inventory) =>
        [
          await findInitiative(inventory, money, id),
          await listInitiatives(inventory, money, {
            params: { page_size: CHILDREN, total: 'none' },
            filters: { parent_id: id },
          }),
          await readPlan(inventory, id),
        ] as const,
    );
    if (!item) throw this.host.problem('not_found');
    const { counts, fields, pending, written_at } = plan;
    // With its time, a write of a sum would reveal that an amount was changed.
    const card_roll_up: InitiativeView['card_roll_up'] = item.amounts_withheld
      ? { fields: shownFields(fields).filter((key) => !CARD_FIELDS[key]), pending: null, written_at: null }
      : { fields: shownFields(fields), pending, written_at: written_at?.toISOString() ?? null };
    return { ...item, children: children.items, counts, card_roll_up };
  }
}

const shownFields = (fields: readonly string[]): CardField[] => FIELD_KEYS.filter((key) => fields.includes(key));
