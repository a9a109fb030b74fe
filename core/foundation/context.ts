import type { Actor, PermissionSet, RequestContext } from '@lintel/sdk';
import { uuidv7 } from './ids.js';

export type { Actor, PermissionSet, RequestContext };

/** May do everything: the system's own work. */
export const ALL_PERMISSIONS: PermissionSet = { has: () => true, list: () => ['*'] };
/** May do nothing: a request without a token. */
export const NO_PERMISSIONS: PermissionSet = { has: () => false, list: () => [] };

/**
 * The context of work no user asked for: cron, jobs, start.
 * @param origin what the event log says of it, such as `cron`
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
