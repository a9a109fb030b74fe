import { Revisions } from '../foundation/db/revisions.js';
import { Transactions } from '../foundation/db/unit-of-work.js';
import { CardPermissions } from '../inventory/cards/index.js';
import { Extensions } from '../inventory/extensions.js';
import { CardSections, ModuleHost } from '../modules/index.js';
import { CONFIG, DATABASE, LOG } from './tokens.js';
import type { Once } from './once.js';

/** Registers the host of modules. */
export function registerModules(once: Once): void {
  once(CardSections, (get) => new CardSections(get(Extensions), get(CardPermissions), get(LOG)));
  once(ModuleHost, (get) => new ModuleHost(get(DATABASE), get(Transactions), get(Revisions), get(CONFIG), get(LOG)));
}
