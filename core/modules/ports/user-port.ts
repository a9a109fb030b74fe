import type { UserPort } from '@lintel/sdk';
import type { HostServices } from '../services.js';
import { invalid } from '../../foundation/errors.js';

/** Users for modules: their ids and names only. */
export function userPort({ users }: HostServices): UserPort {
  return {
    find: (ids) => users.refs(ids),

    async ensureActive(ids, field) {
      const known = await users.refs(ids);
      const unknown = ids.flatMap((id, i) =>
        known.get(id.toLowerCase())?.is_active ? [] : [{ field: `${field}/${i}`, reason: 'names no active user' }],
      );
      if (unknown.length > 0) throw invalid(...unknown);
    },

    holding: (permission) => users.holding(permission),
  };
}
