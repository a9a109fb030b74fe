import type { PermissionSet } from '@lintel/sdk';
import type { UnitOfWork } from '../../../foundation/db/unit-of-work.js';
import type { Metamodel } from '../../metamodel/index.js';
import {
  ensureMayGive,
  lockStakesOn,
  mayUseOnCards,
  missingGrant,
  ungiven,
  type PermissionCatalogue,
} from '../../../identity/rbac/index.js';

/** A stakeholder role with this permission lets its users give permissions on the card to others. */
const MANAGES = 'card.manage_stakeholders';

interface Giving {
  uow: UnitOfWork;
  metamodel: Metamodel;
  keys: PermissionCatalogue;
  /** The caller's permissions, as returned by `giverOf`. */
  giver: PermissionSet;
}

/**
 * Requires that the caller has on a card everything that a stakeholder role grants there: by application permissions
 * for the card's type, or by stakeholder roles on the card and inherited ones above it. For an inherited role the same
 * applies to all types that can be below. The card must be locked.
 * @throws forbidden
 */
export async function ensureWithinOwn(
  { uow, metamodel, keys, giver }: Giving,
  card: { id: string; type: string },
  role: string,
): Promise<void> {
  const definition = metamodel.types.get(card.type)?.definition.stakeholder_roles.find(({ key }) => key === role);
  if (!definition) return;
  const held = uow.ctx.actor ? await lockStakesOn(uow, uow.ctx.actor.id, card.id) : [];
  const own = { here: new Set<string>(), below: new Set<string>() };
  for (const stake of held) {
    const by = metamodel.types.get(stake.type)?.definition.stakeholder_roles.find(({ key }) => key === stake.role);
    for (const [key, isGranted] of Object.entries(by?.permissions ?? {})) {
      if (!isGranted || !mayUseOnCards(giver, key)) continue;
      if (by!.inherited === true) own.below.add(key);
      if (by!.inherited === true || !stake.is_above) own.here.add(key);
    }
  }
  const here = metamodel.grantsOf({ ...definition, inherited: false }, card.type);
  const below = definition.inherited === true ? metamodel.grantsOf(definition, card.type) : [];
  const missing =
    missingGrant(giver, here, keys, ({ key }) => own.here.has(key)) ??
    missingGrant(giver, below, keys, ({ key }) => own.below.has(key));
  if (missing) throw ungiven(`${role} of ${card.type}`, missing, keys);
}

/**
 * Requires that the caller may give a stakeholder role on a card, which must be locked: as `ensureWithinOwn`, and with a
 * session where the role lets its users give permissions on the card to others. An API token can give other roles:
 * which users are responsible for a card is part of the inventory that programs maintain.
 * @throws forbidden, session_required
 */
export async function ensureGivable(by: Giving, card: { id: string; type: string }, role: string): Promise<void> {
  await ensureWithinOwn(by, card, role);
  const definition = by.metamodel.types.get(card.type)?.definition.stakeholder_roles.find(({ key }) => key === role);
  if (definition?.permissions[MANAGES] === true) ensureMayGive(by.giver);
}
