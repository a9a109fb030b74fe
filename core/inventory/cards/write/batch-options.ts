import type { FieldError, RequestContext } from '@lintel/sdk';
import type { UnitOfWork } from '../../../foundation/db/unit-of-work.js';
import type { Problem } from '../../../foundation/errors.js';
import type { Metamodel } from '../../metamodel/index.js';
import type { OwnedRule } from '../../rules.js';
import type { SetChange } from '../../rule-values.js';
import type { Authority } from '../rights/authority.js';
import type { CardOperation, CardReference, CardState, RelationInput, WrittenRelation } from '../types.js';
import type { BatchRows } from './batch-rows.js';
import type { PreviewTree } from './preview-tree.js';
import type { SingleWrites } from './single-writes.js';

/** A component that references cards, and participates in the transactions that change them. */
export interface CardParticipant {
  /** Cards are about to be deleted: removes the references. */
  deleting?(uow: UnitOfWork, ids: string[]): Promise<void>;
  /** Whether it writes when cards are archived or restored; otherwise that may be one statement without a transaction. */
  followsStatus?(): boolean;
  /** Which of the cards cannot be restored together, with the reason; only for thorough checks, as the database refuses them otherwise. */
  notRestorable?(uow: UnitOfWork, ids: string[]): Promise<Map<string, Problem>>;
  /** Cards were archived or restored; called if it follows that. */
  statusChanged?(uow: UnitOfWork, ids: string[]): Promise<void>;
}

/** A relation of a card's operation, with the pointer at which its errors are reported. */
export interface WantedRelation {
  row: number;
  pointer: string;
  sourceId: string;
  relation: RelationInput;
}

/** Writes the relations in operations on cards; implemented by the relations. */
export interface RelationWriter {
  /**
   * Checks relations against the planned state of the cards.
   * @param find finds a card of the batch; undefined for a card that is not in the batch
   * @returns errors by index of `wanted`
   */
  check(
    uow: UnitOfWork,
    wanted: readonly WantedRelation[],
    find: (reference: CardReference) => CardState | undefined,
  ): Promise<Map<number, { errors: FieldError[]; cause: Problem }>>;
  /** Writes the relations that were checked last. */
  write(): Promise<void>;
  /** Id and outcome of the relations that were checked last, by index of `wanted`. */
  results(): Map<number, WrittenRelation>;
}

export interface BatchOptions {
  uow: UnitOfWork;
  /** The caller, for rules; the unit of work of a preview has another context. */
  ctx: RequestContext;
  /** Rules of modules, in their order. */
  rules: readonly OwnedRule[];
  metamodel: Metamodel;
  operations: readonly CardOperation[];
  /** Pointer to the card of operation n in the body. */
  pointer: (index: number) => string;
  /** Cards of the request by `ref`, including those of earlier batches. */
  refs: Map<string, string>;
  authority: Authority;
  /**
   * Whether all that the database would refuse is checked before: in a dry run, which writes nothing, and for a part of a bulk request of
   * which the database has refused a row. Trying ever smaller parts would take long if it refuses many.
   */
  isThorough?: boolean;
  /** Whether the caller may see the costs of a stored card, with the roles as the unit of work leaves them. */
  seesCostsOf(id: string, type: string): Promise<boolean>;
  /** The ids that are cards hidden from the caller. */
  hiddenAmong(ids: readonly string[]): Promise<ReadonlySet<string>>;
  participants: readonly CardParticipant[];
  /** Whether edits leave approvals and the last editor unchanged; see `CardBulkInOptions`. */
  keepsApproval?: boolean | undefined;
  /** Writes the relations in operations; absent if there are none. */
  relations?: RelationWriter | undefined;
  /** For a single write: writes its card. Names and external ids are checked only by the constraints, which saves round trips. */
  single?: SingleWrites | undefined;
  /**
   * Whether the card of a single operation is read without a transaction and lock: the unit of work is repeated if it has
   * changed when it is written.
   */
  isOptimistic?: boolean | undefined;
  /** For a preview: the result of the earlier batches. Nothing is locked, names and external ids are not checked. */
  previewTree?: PreviewTree | undefined;
  /** For a preview: receives what rules of modules set, by card. */
  setByRules?: Map<string, readonly SetChange[]> | undefined;
}

/** The options, with the current result rows of the operations. */
export interface BatchState extends BatchOptions {
  rows: BatchRows;
}
