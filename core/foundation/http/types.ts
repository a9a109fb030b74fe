import type { Access, FieldError, RefusedOperation, RequestContext } from '@lintel/sdk';

/** Routes whose rate limit is a workspace setting. */
export type LimitedRoute =
  | 'login'
  | 'register'
  | 'refresh'
  | 'change_password'
  | 'forgot_password'
  | 'reset_password'
  | 'accept_invitation'
  | 'email_change'
  | 'email_change_links'
  | 'sso';

/**
 * Maximum requests per minute per client address (IPv4, or the /64 of an IPv6 address), or per user for authenticated
 * routes: a number, or the name of the setting.
 */
type RateLimit = ({ perMinute: number } | { setting: LimitedRoute }) & { by?: 'user' };

declare module 'fastify' {
  interface FastifyRequest {
    ctx: RequestContext;
    refusedOperations: readonly RefusedOperation[];
    /** For bulk requests: unsafe or ambiguous content of operations, by index. */
    unsafeOperations: ReadonlyMap<number, FieldError[]> | undefined;
  }
  interface FastifyContextConfig {
    access?: Access;
    rateLimit?: RateLimit;
    /** For routes of modules: the setting with the number of requests per minute and client address; 0 is no limit. */
    addressLimit?: string;
    /** Refuses API tokens: they must not manage credentials, nor create what remains valid after they have ended. */
    sessionOnly?: boolean;
    /** Accepts Idempotency-Key. */
    idempotent?: boolean;
    /** Accepts If-Match, which a workspace setting may require; `required`: always requires it, with a version. */
    conditional?: boolean | 'required';
    /** May write while disk space is low, as every DELETE may. */
    whenFull?: boolean;
    /** Also accepts JSON Patch (RFC 6902). */
    jsonPatch?: boolean;
    /**
     * Takes long on a large inventory: the number of concurrent requests per user is limited; the rest are queued. `memory`: it also holds
     * much memory while it is processed, and even fewer are.
     */
    costly?: boolean | 'memory';
    bulk?: boolean;
    bodyValues?: number;
    /** Maximum number of operations of a bulk request; taken from its schema. */
    mostOperations?: number;
    /** The handler stores the body while it arrives, so that it is never in memory as a whole. */
    streamsBody?: boolean;
    /** The module the route belongs to; set by the host. */
    module?: string;
    /** Accepts a single-use ticket (`?ticket=`) as authentication in place of the bearer token. */
    ticket?: boolean;
  }
  interface FastifySchema {
    operationId?: string;
    summary?: string;
    description?: string;
    tags?: readonly string[];
    security?: readonly Record<string, readonly string[]>[];
    'x-module'?: string;
  }
}
