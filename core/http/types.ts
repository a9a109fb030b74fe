import type { Access, FieldError, RefusedOperation, RequestContext } from '@lintel/sdk';
import type { Identity } from '../auth/index.js';
import type { LimitedRoute } from '../settings/index.js';

/** Requests per minute and client address (IPv4, or the /64 of an IPv6 address): a number, or the setting that has it. */
export type RateLimit = { perMinute: number } | { setting: LimitedRoute };

declare module 'fastify' {
  interface FastifyRequest {
    ctx: RequestContext;
    identity: Identity | null;
    refusedOperations: readonly RefusedOperation[];
    /** Of a bulk: what is unsafe or ambiguous in its operations, by place. */
    unsafeOperations: ReadonlyMap<number, FieldError[]> | undefined;
  }
  interface FastifyContextConfig {
    access?: Access;
    rateLimit?: RateLimit;
    /** Takes Idempotency-Key. */
    idempotent?: boolean;
    /** Takes If-Match; a workspace may demand it. */
    conditional?: boolean;
    /** Reads JSON Patch (RFC 6902) too. */
    jsonPatch?: boolean;
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
