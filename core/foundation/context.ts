import type { Actor, PermissionSet, RequestContext } from '@lintel/sdk';
import { uuidv7 } from './ids.js';

export type { Actor, PermissionSet, RequestContext };

/** Grants every permission; used for the system's own work. */
const ALL_PERMISSIONS: PermissionSet = { has: () => true, list: () => ['*'] };
/** Grants no permission; used for requests without a token. */
export const NO_PERMISSIONS: PermissionSet = { has: () => false, list: () => [] };

/**
 * The context for work that no user requested: cron, jobs, startup.
 * @param origin recorded as the origin in the event log, such as `cron`
 */
export function systemContext(origin: string): RequestContext {
  const id = uuidv7();
  return {
    requestId: id,
    changeId: id,
    origin,
    actor: null,
    permissions: ALL_PERMISSIONS,
    ifMatch: undefined,
    idempotency: undefined,
    dryRun: false,
    whenFull: true,
  };
}
