import type { Actor, PermissionSet } from '@lintel/sdk';

/** Who a request or stream works for, and until when that is sure, in milliseconds since 1970. */
export interface Identity {
  actor: Actor;
  permissions: PermissionSet;
  expiresAt: number;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls; null where the route is open or nobody has been asked for yet. */
    identity: Identity | null;
  }
}
