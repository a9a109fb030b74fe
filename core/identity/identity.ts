import type { Actor, PermissionSet } from '@lintel/sdk';

/** The user of a request or stream, and until when that is valid, in milliseconds since 1970. */
export interface Identity {
  actor: Actor;
  permissions: PermissionSet;
  expiresAt: number;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The authenticated user; null where the route is public or authentication has not run yet. */
    identity: Identity | null;
  }
}
