import type { UserPort } from '@lintel/sdk';
import type { HostServices } from '../services.js';
import { invalid } from '../../foundation/errors.js';
import { ModuleUnit } from './unit.js';

/** Users for modules: their ids and names only. */
export function userPort({ users, rbac, access }: HostServices): UserPort {
  return {
    find: (ids) => users.refs(ids),

    async ensureActive(ids, field) {
      const known = await users.refs(ids);
      const unknown = ids.flatMap((id, i) =>
        known.get(id.toLowerCase())?.is_active ? [] : [{ field: `${field}/${i}`, reason: 'names no active user' }],
      );
      if (unknown.length > 0) throw invalid(...unknown);
    },

    ensureRunsAs: (unit, id, field) => users.ensureRunsAs(ModuleUnit.core(unit), id, field),

    holding: (permission, sight) =>
      users.holding(permission, (held) => sight === undefined || access.sees(held, sight)),

    async holdingOn(cardId, permission, cardPermission) {
      const [byRole, ids] = [await users.holding(permission), await rbac.holdersOnCard(cardId, cardPermission)];
      for (const { id } of byRole) ids.delete(id);
      const byCard = [...(await users.refs([...ids])).values()].filter(({ is_active }) => is_active);
      return [...byRole, ...byCard];
    },
  };
}
