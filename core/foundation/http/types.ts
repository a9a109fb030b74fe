import type { Access, FieldError, RefusedOperation, RequestContext } from '@lintel/sdk';

/** The routes whose limit the workspace sets. */
export type LimitedRoute = 'login' | 'register' | 'refresh' | 'change_password';

/**
 * Requests in any minute per client address (IPv4, or the /64 of an IPv6 address), or per user where the route is for
 * users: a number, or the setting that has it.
 */
export type RateLimit = ({ perMinute: number } | { setting: LimitedRoute }) & { by?: 'user' };

declare module 'fastify' {
  interface FastifyRequest {
    ctx: RequestContext;
    refusedOperations: readonly RefusedOperation[];
    /** Of a bulk: what is unsafe or ambiguous in its operations, by place. */
    unsafeOperations: ReadonlyMap<number, FieldError[]> | undefined;
  }
  interface FastifyContextConfig {
    access?: Access;
    rateLimit?: RateLimit;
    /** Takes Idempotency-Key. */
    idempotent?: boolean;
    /** Takes If-Match, which a workspace may demand; or demands itself that it names a version. */
    conditional?: boolean | 'required';
    /** May write while storage is nearly full, as every DELETE may. */
    whenFull?: boolean;
    /** Reads JSON Patch (RFC 6902) too. */
    jsonPatch?: boolean;
    /** Takes long on a large inventory: a user runs few such requests at once, the others wait. */
    costly?: boolean;
    bulk?: boolean;
    bodyValues?: number;
    /** Operations a bulk may have; set from its schema. */
    mostOperations?: number;
    /** The handler stores the body while it arrives: it is never in memory as a whole. */
    streamsBody?: boolean;
    /** The module the route belongs to; set by the host. */
    module?: string;
    /** Where it is sent, a ticket that is used once (`?ticket=`) says who calls, in place of the bearer token. */
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
