import { bulks } from './contract/bulk.js';
import { atomicity } from './contract/conditions.js';
import { listing } from './contract/listing.js';
import { refusals } from './contract/refusals.js';
import { transitions } from './contract/transitions.js';
import type { Check } from './checks.js';
import type { TestApp } from './app.js';

/** A move of what `create` made, and one it is refused. */
export interface TransitionContract {
  /** A state it may go to. */
  to: string;
  /** Members of that body besides `to`. */
  body?: Readonly<Record<string, unknown>>;
  /** A state it may not go to at once. */
  refused: string;
  /** Code of that refusal, `invalid_state` when the spec has no `refused`. */
  code: string;
}

/** A resource of a module, and what the contract needs to know of it. */
export interface ResourceContract {
  app: TestApp;
  /** Of its list, below `/api/v1`: `${app.prefix}/notes`. */
  path: string;
  /** Body of a POST that is taken. @param n differs at each call, for what must be unique */
  create(n: number): object | Promise<object>;
  /** A merge patch that changes what `create` made, whichever of them. */
  update: Readonly<Record<string, unknown>>;
  /** A field that may be null. */
  nullable?: string;
  /** A field that takes any text, for hostile strings. */
  text?: string;
  /** Bodies of a POST that are refused, and the JSON pointers the answer must name. */
  invalid?: readonly { body: Readonly<Record<string, unknown>>; fields: readonly string[] }[];
  /** Kind of the subject of its events. */
  kind: string;
  /** Where it has a bulk: the member of an operation that holds the fields. */
  bulk?: string;
  /** Where it has transitions. */
  transition?: TransitionContract;
  /** Role that may do everything with it, `architect` when absent. */
  writer?: string;
  /** Role that may only read it, `viewer` when absent. */
  reader?: string;
}

/**
 * The HTTP contract of every resource, as checks for any test runner: pages and cursors, strict bodies and
 * parameters, ETag, If-Match and merge patch, Idempotency-Key, events, permissions, and unusual texts; also of bulks and
 * transitions, if `spec` names them.
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
