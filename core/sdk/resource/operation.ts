import type { BulkRow } from '../bulk.js';
import type { Values } from './spec.js';

/** An operation on a resource, as its one write path takes it. */
export interface ResourceOperation {
  op: 'create' | 'update' | 'transition' | 'delete';
  /** Names what is created for later operations of the same bulk, or, in the place of `id`, what an earlier one created. */
  ref?: string | undefined;
  id?: string | undefined;
  /** The version it is meant for. */
  version?: number | undefined;
  /** Fields of create and update; or what gives those of an update under the lock, from the fields as the caller sees them. */
  values?: Values | ((seen: Values) => Values) | undefined;
  /** Of a transition: the state to go to, and the other members of its body. */
  to?: string | undefined;
  body?: Values | undefined;
  /** Of a transition the module makes itself: the event in place of `<kind>.transitioned`, and members of it. */
  event?: { type: string; data: Values } | undefined;
}

/** What became of an operation. */
export interface ResourceOutcome {
  outcome: 'created' | 'updated' | 'unchanged' | 'transitioned' | 'deleted';
  id: string;
  version: number;
}

/** The row of an operation in the answer of a bulk. */
export interface ResourceBulkRow extends BulkRow {
  outcome: ResourceOutcome['outcome'] | 'failed';
  ref?: string;
  id?: string;
  /** See `reference` of `ResourceSpec`. */
  reference?: string;
  version?: number;
  /** What a single request of the kind would be refused with. */
  code?: string;
}

/** What the operations of one call have in common. */
export interface Call {
  /** Fields the path says: `{ card_id }` below a card. Resources beyond it are unknown. */
  scope: Readonly<Record<string, string>>;
  /** Whether If-Match of the request is the condition: of single writes. */
  isConditional: boolean;
  /** Whether the module itself writes: it may set assigned fields, and write in states that are read-only. */
  isTrusted: boolean;
}
