import { bulks } from './contract/bulk.js';
import { atomicity } from './contract/conditions.js';
import { listing } from './contract/listing.js';
import { refusals } from './contract/refusals.js';
import { transitions } from './contract/transitions.js';
import type { Check } from './checks.js';
import type { TestApp } from './app.js';

/** A possible and an impossible transition of a resource created by `create`. */
export interface TransitionContract {
  /** A possible next state. */
  to: string;
  /** Members of the body besides `to`. */
  body?: Readonly<Record<string, unknown>>;
  /** A state that is not a possible next state. */
  refused: string;
  /** Error code of that transition; `invalid_state` if the spec has no `refused`. */
  code: string;
}

/** A resource of a module, with the data that the contract needs. */
export interface ResourceContract {
  app: TestApp;
  /** Path of its list, below `/api/v1`: `${app.prefix}/notes`. */
  path: string;
  /** A valid body of a POST. @param n differs at each call, for unique fields */
  create(n: number): object | Promise<object>;
  /** A merge patch that changes any resource created by `create`. */
  update: Readonly<Record<string, unknown>>;
  /** A nullable field. */
  nullable?: string;
  /** A field that accepts any text, for unusual strings. */
  text?: string;
  /** Invalid bodies of a POST, and the JSON pointers that the response must contain. */
  invalid?: readonly { body: Readonly<Record<string, unknown>>; fields: readonly string[] }[];
  /** Kind of the subject of its events. */
  kind: string;
  /** With bulk requests: the member of an operation with the fields. */
  bulk?: string;
  /** With transitions. */
  transition?: TransitionContract;
  /** Role with all permissions for it; default: `architect`. */
  writer?: string;
  /** Role that may only read it; default: `viewer`. */
  reader?: string;
}

/**
 * The HTTP contract of every resource, as checks for any test runner: pages and cursors, strict bodies and
 * parameters, ETag, If-Match and merge patch, Idempotency-Key, events, permissions, and unusual texts; also of bulk requests and
 * transitions, if `spec` has them.
 */
export function resourceContract(spec: ResourceContract): Check[] {
  return [
    ...listing(spec),
    ...atomicity(spec),
    ...refusals(spec),
    ...(spec.bulk === undefined ? [] : bulks(spec, spec.bulk)),
    ...(spec.transition ? transitions(spec, spec.transition) : []),
  ];
}
