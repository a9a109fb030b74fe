import type { InventoryPort } from '@lintel/sdk';
import type { StatementRole } from '../../foundation/db/statement-role.js';
import { INVENTORY_FILTERS } from '../../inventory/source/index.js';
import type { HostServices } from '../services.js';

/**
 * The inventory for the statements of a module.
 * @param role the database role of an external module
 */
export function inventoryPort(
  { inventory, published }: HostServices,
  role: () => Promise<StatementRole | undefined>,
): InventoryPort {
  return {
    filters: INVENTORY_FILTERS,
    publications: {
      read: async (publication, options, work) => await published.read(publication, options, work, await role()),
      faults: (publication, ctx) => published.faults(publication, ctx),
    },
    read: async (ctx, options, work) => await inventory.read(ctx, options, work, await role()),
  };
}
