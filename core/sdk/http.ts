import type { Access } from './access.js';
import type { RefusedOperation } from './bulk.js';
import type { RequestContext } from './context.js';

/** What a handler returns once a file is sent: it fits a route of any response schema. */
export type SentFile = never;

/** A list as it is answered. */
export interface PageResult<T> {
  items: T[];
  total: number;
  total_relation: 'eq' | 'gte';
  page: number;
  page_size: number;
  next_cursor: string | null;
}

/** One resource as it is answered: `version` becomes the ETag. */
export interface ResourceResult<T = unknown> {
  /** 200 when absent. */
  status?: number;
  version: number;
  /** What the view holds beside the version's own content, or leaves out of it: its digest becomes part of the tag. */
  derived?: unknown;
  body: T;
}

/** What a form may hold at most. */
export interface UploadLimits {
  files: number;
  /** Of all files together. */
  bytes: number;
}

/** A file of a form, whole. */
export interface UploadedFile {
  /** Without folders and control characters; empty where the client gave none. */
  name: string;
  /** Media type, as the client says. */
  type: string;
  bytes: Buffer;
}

/** Bytes that are no JSON as they are answered: `version` becomes the ETag. */
export interface BytesResult {
  version: number;
  /** As for a resource. */
  derived?: unknown;
  /** Media type. */
  type: string;
  bytes: Buffer;
}

// What a route states in `config` and `schema`, and what its handler finds on the request.
declare module 'fastify' {
  interface FastifyRequest {
    ctx: RequestContext;
    /** Of a route with `config.bulk`: the operations that are not as the schema says; `body.operations` has the others. */
    refusedOperations: readonly RefusedOperation[];
  }
  interface FastifyContextConfig {
    /** Who may call; a route without it fails its module. */
    access?: Access;
    /** Takes Idempotency-Key. */
    idempotent?: boolean;
    /** Takes If-Match, which a workspace may demand; `required` demands that it names a version, for what cannot be undone. */
    conditional?: boolean | 'required';
    /**
     * The body is a bulk, `{mode?, operations: […]}`: its operations are read and checked one by one, and in the mode
     * `per_row` those that are not as the schema says fail alone; see `answerBulk`. The schema of the body says by
     * `maxItems` how many there may be. Bodies may have 32 MiB, where the route has no `bodyLimit`.
     */
    bulk?: boolean;
    /** Takes long on a large inventory: a user runs few such requests at once, the others wait, at most 10 s. */
    costly?: boolean;
    /** Values a JSON body may hold, keys included; 20,000 when absent, 3,000,000 of a bulk. */
    bodyValues?: number;
  }
  interface FastifySchema {
    operationId?: string;
    summary?: string;
    description?: string;
    tags?: readonly string[];
  }
}
