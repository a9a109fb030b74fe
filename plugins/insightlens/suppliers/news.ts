import type { News } from '../analyses/definition.js';
import { announceSuppliers, newSuppliers } from './news-repository.js';

/** Cards that an event names: who sees these sees the supplier. */
const MOST_CARDS = 20;

/** Suppliers that no run before had. */
export const SUPPLIER_NEWS: News = {
  path: '/suppliers',
  seenBy: newSuppliers,
  async announce(uow, run, limit) {
    const found = await announceSuppliers(uow, run.id, limit, MOST_CARDS);
    for (const { id, card_ids } of found)
      uow.emit({
        type: 'insightlens_supplier.found',
        subject: { kind: 'insightlens_supplier', id },
        data: { run_id: run.id, card_ids },
      });
    return found.length;
  },
};
