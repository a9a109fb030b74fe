import type { FieldError } from '@lintel/sdk';
import type { UnitOfWork } from '../../../foundation/db/unit-of-work.js';
import type { Problem } from '../../../foundation/errors.js';
import type { Metamodel } from '../../metamodel/index.js';
import type { Authority } from '../rights/authority.js';
import type { CardOperation, CardReference, CardState, RelationInput, WrittenRelation } from '../types.js';
import type { BatchRows } from './batch-rows.js';
import type { PreviewTree } from './preview-tree.js';
import type { SingleInserts } from './single-inserts.js';

/** A component that references cards, and takes part in the transactions that change them. */
export interface CardParticipant {
  /** Cards are about to be deleted: removes the references. */
  deleting?(uow: UnitOfWork, ids: string[]): Promise<void>;
  /** Cards were archived or restored. */
  statusChanged?(uow: UnitOfWork, ids: string[]): Promise<void>;
}

/** A relation of a card's operation, with the place in the body its faults are reported at. */
export interface WantedRelation {
  row: number;
  pointer: string;
  sourceId: string;
  relation: RelationInput;
}

/** Writes the relations that come with cards; implemented by the relations. */
export interface RelationWriter {
  /**
   * Checks relations against the cards as the batch leaves them.
   * @param find finds a card of the batch; undefined for a card that only the database may have
   * @returns faults by index of `wanted`
   */
  check(
    uow: UnitOfWork,
    wanted: readonly WantedRelation[],
    find: (reference: CardReference) => CardState | undefined,
  ): Promise<Map<number, { errors: FieldError[]; cause: Problem }>>;
  /** Writes those that were checked last. @returns by index of `wanted`: id and outcome */
  write(): Promise<Map<number, WrittenRelation>>;
}

export interface BatchOptions {
  uow: UnitOfWork;
  metamodel: Metamodel;
  operations: readonly CardOperation[];
  /** Pointer to the card of operation n in the body. */
  pointer: (index: number) => string;
  /** Cards of the call by `ref`, those of batches before this one included. */
  refs: Map<string, string>;
  authority: Authority;
  /** Whether the caller may see the costs of a stored card, with the roles as the unit of work leaves them. */
  seesCostsOf(id: string, type: string): Promise<boolean>;
  participants: readonly CardParticipant[];
  /** Writes the relations that operations carry; absent where none does. */
  relations?: RelationWriter | undefined;
  /** Of a single write: inserts its card. Names and external ids are left to the constraints, which saves round trips. */
  single?: SingleInserts | undefined;
  /** Of a preview: the result of the batches before this one. Nothing is locked, names and external ids are not checked. */
  previewTree?: PreviewTree | undefined;
}

/** The options, with the rows that the operations have become so far. */
export interface BatchState extends BatchOptions {
  rows: BatchRows;
}
