import { WriteConflict } from '../../foundation/db/unit-of-work.js';
import type { BatchOptions } from './batch-options.js';
import { deleteRelations, insertRelations, updateRelations, type NewRelation } from './repository.js';
import { differences } from './state.js';
import type { RelationState } from './types.js';

/** What a checked batch changes. */
interface RelationChanges {
  created: readonly NewRelation[];
  updated: readonly { before: RelationState; after: RelationState }[];
  deleted: readonly RelationState[];
}

/** Rows of one statement: enough that the round trip costs little, few enough to bound the memory. */
const CHUNK = 2_000;

/** Whether a statement failed because a concurrent request related the same two cards. */
const isTaken = (error: unknown): boolean => (error as { constraint?: string }).constraint === 'relations_exists';

/**
 * Writes the changes of a batch and their events.
 * @param result of a single write, which is stored under its Idempotency-Key by the same statement
 */
export async function storeRelations(
  options: BatchOptions,
  { created, updated, deleted }: RelationChanges,
  result: unknown,
): Promise<void> {
  const {
    uow,
    metamodel: { revision },
    operations,
  } = options;
  const emit = (verb: string, { id, type, source_id, target_id }: RelationState, data: Record<string, unknown>) =>
    uow.emit({
      type: `relation.${verb}`,
      subject: { kind: 'relation', id, type },
      data: { source_id, target_id, ...data },
    });
  if (created.length > CHUNK || updated.length + deleted.length > 0) await uow.begin();
  // Deletions come first, because a created relation may have the type and ends of a deleted one.
  if (deleted.length > 0) {
    for (const state of deleted) emit('deleted', state, { version: state.version });
    await deleteRelations(
      uow,
      deleted.map(({ id }) => id),
    );
  }
  for (let i = 0; i < updated.length; i += CHUNK) {
    const chunk = updated
      .slice(i, i + CHUNK)
      .map(({ before, after }) => ({ ...after, changes: differences(before, after) }));
    for (const { changes, ...after } of chunk) emit('updated', after, { version: after.version, changes });
    await updateRelations(uow, chunk, revision);
  }
  for (let i = 0; i < created.length; i += CHUNK) {
    const chunk = created.slice(i, i + CHUNK);
    for (const { state } of chunk)
      emit('created', state, { version: 1, valid_from: state.valid_from, valid_to: state.valid_to });
    await insertRelations(uow, chunk, revision, result).catch((error: unknown) => {
      // The retry finds the relation that an upsert names; a create is refused.
      throw isTaken(error) && operations.every(({ op }) => op !== 'create') ? new WriteConflict() : error;
    });
  }
  await rescoreEnds(options, [...created.map(({ state }) => state), ...deleted]);
}

/** Computes the scores of the cards at ends where a relation of the type is mandatory. */
async function rescoreEnds(
  { uow, metamodel, rescore }: BatchOptions,
  relations: readonly RelationState[],
): Promise<void> {
  const ids = new Set<string>();
  for (const { type, source_id, target_id } of relations) {
    const definition = metamodel.relationTypes.get(type)?.definition;
    if (definition?.source_mandatory) ids.add(source_id);
    if (definition?.target_mandatory) ids.add(target_id);
  }
  if (ids.size > 0) await rescore(uow, [...ids].sort());
}
