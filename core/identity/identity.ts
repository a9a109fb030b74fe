import type { Actor, PermissionSet } from '@lintel/sdk';
import { problem } from '../foundation/errors.js';
import type { AddressRanges } from '../foundation/http/address-ranges.js';

/** How a session was started. */
export interface SignedInBy {
  method: 'local' | 'sso';
  /** Id of the provider of single sign-on; null for a password. */
  provider: string | null;
}

/** The user of a request or stream, and until when that is valid, in milliseconds since 1970. */
export interface Identity {
  actor: Actor;
  permissions: PermissionSet;
  expiresAt: number;
  /** How the session was started; absent for an API token, and where there is no session. */
  signedInBy?: SignedInBy;
  /** The client addresses from which an API token may be used; absent where there is no restriction. */
  addresses?: AddressRanges;
}

/**
 * Refuses API tokens: they must not manage credentials, nor create what remains valid after they have ended.
 * @throws 403 `session_required`
 */
export function ensureSession({ actor }: { actor: Actor | null }): void {
  if (actor?.token !== undefined)
    throw problem('session_required', { detail: `The API token “${actor.token.name}” cannot do this: log in.` });
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The authenticated user; null where the route is public or authentication has not run yet. */
    identity: Identity | null;
  }
}
