import type { Inventory, PageResult, RequestContext } from '@lintel/sdk';
import type { Host } from '../basics.js';
import { planOf } from './decisions.js';
import { createSupplier, decide, lockSuppliers, saveSupplier, touchSuppliers } from './decisions-repository.js';
import { NameLinks } from './grouping.js';
import { lockInOf } from './lock-in.js';
import {
  findSuppliers,
  listSuppliers,
  readDependants,
  readSeen,
  readSupplierCards,
  type SeenName,
} from './repository.js';
import type { SupplierChange, SupplierQuery, SupplierRow, SupplierTree, SupplierView } from './schemas.js';
import { namedPairs, ownedPairs, treeOf } from './tree.js';
import { readHierarchy, readSharing, readTreeRows, type Totals } from './tree-repository.js';

/** Of no suppliers. */
const NO_TOTALS: Totals = {
  total_spend: null,
  spend_hhi: null,
  spend_largest: null,
  dependants_hhi: null,
  dependants_largest: null,
};
/** Nodes of the tree. */
const MOST_NODES = 2_000;
/** Dependent cards from which the lock-in of a supplier is computed, and those that are listed. */
const MOST_DEPENDANTS = 5_000;
const SHOWN = 200;
/** Names and cards of a supplier that are shown, and those about which one change decides. */
const MOST_SHOWN = 2_000;
const MOST_DECIDED = 10_000;
/** Cards that an event names. */
const MOST_IN_EVENT = 200;

/** Suppliers as far as the caller sees their names, and what people decide about them. */
export class SupplierService {
  constructor(private readonly host: Host) {}

  async list(ctx: RequestContext, query: SupplierQuery): Promise<PageResult<SupplierRow>> {
    return await this.host.inventory.read(ctx, {}, (inventory) =>
      listSuppliers(inventory, this.host.settings(), query),
    );
  }

  /** @throws not_found, also for a supplier of which the caller sees no name */
  async get(ctx: RequestContext, id: string): Promise<SupplierView> {
    return await this.host.inventory.read(ctx, {}, (inventory) => this.view(inventory, id));
  }

  async tree(ctx: RequestContext): Promise<SupplierTree> {
    const settings = this.host.settings();
    return await this.host.inventory.read(ctx, {}, async (inventory) => {
      const found = await readTreeRows(inventory, settings, MOST_NODES + 1);
      const rows = found.slice(0, MOST_NODES);
      const totals = found[0] ?? NO_TOTALS;
      const hierarchy = await readHierarchy(inventory, settings);
      const sharing = await readSharing(inventory, settings, namedPairs(rows));
      return {
        items: treeOf(rows, [
          ['hierarchy', hierarchy],
          ['known_owner', ownedPairs(rows)],
          ['name_and_shared_cards', sharing],
        ]),
        truncated: found.length > MOST_NODES,
        currency: this.host.workspace().currency,
        total_spend: totals.total_spend,
        concentration: concentrationOf(totals),
      };
    });
  }

  /**
   * Confirms, renames, merges or splits. Every change decides where all the names belong that the caller sees of the suppliers; others stay
   * where they are.
   * @throws not_found, validation_failed, also for a change of more than 10,000 names and cards, conflict if another change was faster, and those of `If-Match`
   */
  async change(ctx: RequestContext, id: string, change: SupplierChange): Promise<SupplierView> {
    const { host } = this;
    const settings = host.settings();
    const merged = (change.merge ?? []).filter((other) => other !== id);
    const { found, seen } = await host.inventory.read(ctx, {}, async (inventory) => ({
      found: await findSuppliers(inventory, settings, [id, ...merged]),
      seen: await readSeen(inventory, settings, [id, ...merged], MOST_DECIDED + 1),
    }));
    const versions = new Map(found.map(({ row }) => [row.id, row.version]));
    const other = host.newId();
    const plan = planOf(id, change, seen, other);
    const errors = [
      ...(change.merge ?? []).flatMap((one, i) =>
        one === id || !versions.has(one) ? [{ field: `/merge/${i}`, reason: 'is no other supplier that you see' }] : [],
      ),
      ...plan.errors,
      ...(seen.length > MOST_DECIDED
        ? [{ field: '', reason: `has more than ${MOST_DECIDED} names and cards about which it would decide` }]
        : []),
    ];
    await host.transactions.run(ctx, async (uow) => {
      // In the transaction, which a repeated request does not enter: it has its answer again.
      if (!versions.has(id)) throw host.problem('not_found');
      if (errors.length > 0) throw host.invalid(...errors);
      const locked = await lockSuppliers(uow, [...versions.keys()]);
      const version = locked.get(id);
      if (version === undefined) throw host.problem('not_found');
      host.checkVersion(uow.ctx, version, Object.keys(change));
      if ([...versions].some(([one, its]) => locked.get(one) !== its))
        throw host.problem('conflict', { detail: 'The suppliers were changed at the same time. Read them again.' });
      await saveSupplier(uow, id, { state: change.state ?? 'confirmed', name: change.name });
      if (merged.length > 0) await touchSuppliers(uow, merged);
      if (plan.split.length > 0) await createSupplier(uow, other, change.split?.name ?? null);
      await decide(uow, plan.decisions);
      const card_ids = [...new Set(seen.flatMap(({ cards }) => cards))].slice(0, MOST_IN_EVENT);
      uow.emit({
        type: 'insightlens_supplier.decided',
        subject: { kind: 'insightlens_supplier', id },
        data: { card_ids },
      });
      return { id };
    });
    return await this.get(ctx, id);
  }

  private async view(inventory: Inventory, id: string): Promise<SupplierView> {
    const { host } = this;
    const settings = host.settings();
    const [found] = await findSuppliers(inventory, settings, [id]);
    if (!found) throw host.problem('not_found');
    const seen = await readSeen(inventory, settings, [id], MOST_SHOWN);
    const cards = seen.flatMap(({ card_id }) => card_id ?? []);
    const dependants = await readDependants(inventory, settings, id, MOST_DEPENDANTS);
    const options = inventory.field(`attributes.${settings.criticality_field}`)?.options ?? [];
    const { shown, lock_in } = lockInOf(dependants, options);
    return {
      ...found.row,
      currency: host.workspace().currency,
      names: this.namesOf(seen),
      supplier_cards: await readSupplierCards(inventory, cards),
      lock_in,
      dependent_cards: shown.slice(0, SHOWN),
    };
  }

  /** The names of a supplier that the caller sees, and why each is one: compared with the most frequent of these. */
  private namesOf(seen: readonly SeenName[]): SupplierView['names'] {
    const links = new NameLinks(this.host.settings().supplier_aliases.map((row) => row.split('=')));
    const byKey = new Map<string, { key: string; spellings: Set<string>; count: number }>();
    for (const { key, spellings, count } of seen) {
      const one = byKey.get(key) ?? { key, spellings: new Set<string>(), count: 0 };
      byKey.set(key, one);
      for (const spelling of spellings) one.spellings.add(spelling);
      one.count += count;
    }
    const names = [...byKey.values()].sort((x, y) => y.count - x.count || (x.key < y.key ? -1 : 1));
    return names.map(({ key, spellings, count }, i) => {
      const link =
        i === 0 ? undefined : (links.link({ key: names[0]!.key, others: [] }, { key, others: [] }) ?? undefined);
      const reason = i === 0 ? null : (link?.reason ?? 'decision');
      return { key, spellings: [...spellings].sort(), count, reason, score: link?.score ?? null };
    });
  }
}

function concentrationOf(totals: Totals): SupplierTree['concentration'] {
  const of = (hhi: number | null, largest: number | null) => ({
    hhi,
    effective_suppliers: hhi ? Math.round(100 / hhi) / 100 : null,
    largest_share: largest,
  });
  return {
    by_spend: of(totals.spend_hhi, totals.spend_largest),
    by_dependants: of(totals.dependants_hhi, totals.dependants_largest),
  };
}
