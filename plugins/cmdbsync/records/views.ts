import type { Inventory, RequestContext } from '@lintel/sdk';
import type { Host } from '../basics.js';
import type { FieldDiff } from './definition.js';
import type { RecordRow } from './repository.js';
import type { RecordView } from './schemas.js';

/** What of records the caller may see. */
export interface RecordRights {
  /** Card types. */
  types: readonly string[];
  /** Whether a field of a card type is money that the caller may not see. @param sees whether the caller may see the costs of the card */
  isWithheld(type: string, field: string, sees: boolean): boolean;
  /** Whether the caller may see all costs. */
  seesAll: boolean;
}

/** Reads what the caller may see, in one snapshot of the inventory. */
export async function rightsOf(host: Host, ctx: RequestContext): Promise<RecordRights> {
  return await host.inventory.read(ctx, {}, async (inventory: Inventory) => ({
    types: [...inventory.types.keys()],
    seesAll: inventory.costs === 'all',
    isWithheld: (type, field, sees) => !sees && inventory.field(field, [type])?.isCost === true,
  }));
}

/** Records as the caller may see them; the number of statements is constant. */
export async function viewRecords(
  host: Host,
  ctx: RequestContext,
  rights: RecordRights,
  rows: readonly RecordRow[],
): Promise<RecordView[]> {
  const cards = rows.flatMap(({ card_id }) => card_id ?? []);
  const proposed = rows.flatMap(({ detail }) => (detail.proposals ?? []).map(({ card_id }) => card_id));
  const costs = rights.seesAll ? undefined : await host.cards.seesCosts(ctx, cards);
  const known = proposed.length === 0 ? new Map<string, { name: string }>() : await host.cards.find(ctx, proposed);
  return rows.map(({ detail, diff, decided_at, applied_at, ...row }) => {
    const sees = costs === undefined || (row.card_id !== null && costs.has(row.card_id));
    return {
      ...row,
      diff: diff.map((entry) => viewDiff(entry, rights.isWithheld(row.card_type, entry.field, sees))),
      proposals: (detail.proposals ?? []).flatMap(({ card_id, score }) => {
        const card = known.get(card_id);
        return card ? [{ card_id, name: card.name, score }] : [];
      }),
      decided_at: decided_at?.toISOString() ?? null,
      applied_at: applied_at?.toISOString() ?? null,
    };
  });
}

function viewDiff({ field, base, cmdb, ea, take, value }: FieldDiff, withheld: boolean): RecordView['diff'][number] {
  if (withheld) return { field, take, is_withheld: true };
  return { field, ...(base !== undefined && { base }), cmdb, ea, take, ...(take === 'value' && { value }) };
}
