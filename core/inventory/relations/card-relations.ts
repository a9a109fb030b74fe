import type { FieldError } from '@lintel/sdk';
import type { CardReference, CardState, RelationWriter, WantedRelation, WrittenRelation } from '../cards/index.js';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import type { Problem } from '../../foundation/errors.js';
import type { RelationBatch } from './batch.js';
import type { RelationOperation } from './types.js';

type MakeBatch = (
  uow: UnitOfWork,
  operations: RelationOperation[],
  pointer: (n: number) => string,
  find: (reference: CardReference) => CardState | undefined,
) => RelationBatch;

/** The relations in operations on cards: checked each time the cards are planned, written once. */
export class CardRelations implements RelationWriter {
  private batch: RelationBatch | undefined;

  constructor(private readonly make: MakeBatch) {}

  async check(
    uow: UnitOfWork,
    wanted: readonly WantedRelation[],
    find: (reference: CardReference) => CardState | undefined,
  ): Promise<Map<number, { errors: FieldError[]; cause: Problem }>> {
    const operations = wanted.map(
      ({ sourceId, relation }): RelationOperation => ({ ...relation, op: 'upsert', source: { id: sourceId } }),
    );
    const batch = this.make(uow, operations, (n) => wanted[n]!.pointer, find);
    this.batch = batch;
    await batch.check();
    const faults = new Map<number, { errors: FieldError[]; cause: Problem }>();
    for (const { index, outcome, errors = [] } of batch.rows)
      if (outcome === 'failed') faults.set(index, { errors, cause: await batch.problem(index) });
    return faults;
  }

  async write(): Promise<void> {
    await this.batch!.write();
  }

  results(): Map<number, WrittenRelation> {
    // All operations are upserts, and failed rows have been refused.
    return new Map(this.batch!.rows.map(({ index, ...row }) => [index, row as WrittenRelation]));
  }
}
