import type { BulkRow } from '../bulk.js';
import type { UnitOfWork } from '../services.js';
import type { FieldChange } from './changes.js';
import type { Values } from './spec.js';

/** One write operation on a resource. */
export interface ResourceOperation {
  op: 'create' | 'update' | 'transition' | 'delete';
  /** Of create: identifies the resource for later operations of the same bulk. Of others: the `ref` of an earlier one, instead of `id`. */
  ref?: string | undefined;
  id?: string | undefined;
  /** The expected version. */
  version?: number | undefined;
  /** Fields of create and update; for update also a function that returns them from the locked resource as the caller sees it. */
  values?: Values | ((seen: Values) => Values) | undefined;
  /** Of a transition: the next state, and the other members of its body. */
  to?: string | undefined;
  body?: Values | undefined;
  /**
   * Of update: a further change of the locked resource, after its checks and in its transaction.
   * @returns what changed; without any, and without changed fields, the resource is unchanged
   */
  also?: ((uow: UnitOfWork) => Promise<FieldChange[]>) | undefined;
  /** Of a transition by the module itself: the event type instead of `<kind>.transitioned`, and members of its data. */
  event?: { type: string; data: Values } | undefined;
}

/** The result of a successful operation. */
export interface ResourceOutcome {
  outcome: 'created' | 'updated' | 'unchanged' | 'transitioned' | 'deleted';
  id: string;
  version: number;
  /** The changes that `also` of the operation returned. */
  also?: readonly FieldChange[];
}

/** The row of an operation in the response of a bulk request. */
export interface ResourceBulkRow extends BulkRow {
  outcome: ResourceOutcome['outcome'] | 'failed';
  ref?: string;
  id?: string;
  /** See `reference` of `ResourceSpec`. */
  reference?: string;
  version?: number;
  /** The error code of a corresponding single request. */
  code?: string;
}

/** Properties common to all operations of a call. */
export interface Call {
  /** Values of fields in the path: `{ card_id }` below a card. Resources with other values are a 404. */
  scope: Readonly<Record<string, string>>;
  /** Whether If-Match of the request is checked, as for single writes. */
  isConditional: boolean;
  /** Whether the module itself writes: it may set assigned fields, and write in read-only states. */
  isTrusted: boolean;
  /** Whether the operations are checked and not written: then nothing is locked. */
  isDryRun?: boolean;
}
