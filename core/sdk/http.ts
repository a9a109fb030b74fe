import type { Access } from './access.js';
import type { RefusedOperation } from './bulk.js';
import type { RequestContext } from './context.js';

/** The return value of a handler that sent a file; assignable to every response schema. */
export type SentFile = never;

/** A page of a list in a response. */
export interface PageResult<T> {
  items: T[];
  /** Null with `total=none`. */
  total: number | null;
  total_relation: 'eq' | 'gte' | 'none';
  page: number;
  page_size: number;
  next_cursor: string | null;
}

/** One resource in a response: `version` becomes the ETag. */
export interface ResourceResult<T = unknown> {
  /** Default: 200. */
  status?: number;
  version: number;
  /** Data of the view that is not determined by the version, added or omitted: its digest becomes part of the tag. */
  derived?: unknown;
  body: T;
}

/** Limits of a form. */
export interface UploadLimits {
  files: number;
  /** Of all files together. */
  bytes: number;
}

/** A file of a form, whole. */
export interface UploadedFile {
  /** Without folders and control characters; empty if the client sent none. */
  name: string;
  /** Media type sent by the client. */
  type: string;
  bytes: Buffer;
}

/** Bytes other than JSON in a response: `version` becomes the ETag. */
export interface BytesResult {
  version: number;
  /** As for a resource. */
  derived?: unknown;
  /** Media type. */
  type: string;
  /** Or a function that makes them, called only if the client does not have them. */
  bytes: Buffer | (() => Promise<Buffer>);
}

// Members of `config` and `schema` of a route, and of the request passed to its handler.
declare module 'fastify' {
  interface FastifyRequest {
    ctx: RequestContext;
    /** For a route with `config.bulk`: the operations that do not match the schema; `body.operations` has the others. */
    refusedOperations: readonly RefusedOperation[];
  }
  interface FastifyContextConfig {
    /** The access rule; a module with a route without it is not loaded. */
    access?: Access;
    /** Accepts Idempotency-Key. */
    idempotent?: boolean;
    /** Accepts If-Match, which a workspace may require; `required`: a version is required, for irreversible operations. */
    conditional?: boolean | 'required';
    /**
     * The body is a bulk request, `{mode?, operations: […]}`: its operations are read and checked one by one, and in the mode
     * `per_row` only those that do not match the schema fail; see `answerBulk`. `maxItems` in the schema of the body limits
     * their number. Bodies may have 32 MiB, if the route has no `bodyLimit`.
     */
    bulk?: boolean;
    /**
     * Takes long on a large inventory: few such requests of a user run concurrently, further ones wait, at most 10 s. `memory`: also
     * holds much memory meanwhile, such as a plan of 10,000 items; one of these is processed of a user, and four on a node.
     */
    costly?: boolean | 'memory';
    /**
     * Name of a setting of the module: the maximum number of requests per minute and client address to its routes with this setting,
     * on all nodes together; 0 is no limit. A request beyond it is a 429.
     */
    addressLimit?: string;
    /** Maximum number of values of a JSON body, including keys; default: 20,000, or 3,000,000 for a bulk request. */
    bodyValues?: number;
  }
  interface FastifySchema {
    operationId?: string;
    summary?: string;
    description?: string;
    tags?: readonly string[];
  }
}
