import { inChunks } from '../../foundation/db/chunks.js';
import { WriteConflict } from '../../foundation/db/unit-of-work.js';
import type { BatchOptions } from './batch-options.js';
import type { StoredRelation } from './repository.js';
import { differences } from './state.js';
import type { RelationState } from './types.js';
import {
  deleteRelations,
  insertRelations,
  relationInserts,
  updateRelations,
  type NewRelation,
} from './write-repository.js';

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
 * @returns the relation that a single write created or changed
 */
export async function storeRelations(
  options: BatchOptions,
  { created, updated, deleted }: RelationChanges,
  result: unknown,
): Promise<StoredRelation | undefined> {
  const {
    uow,
    metamodel: { revision },
    operations,
    single,
  } = options;
  let written: StoredRelation | undefined;
  const emit = (verb: string, { id, type, source_id, target_id }: RelationState, data: Record<string, unknown>) =>
    uow.emit({
      type: `relation.${verb}`,
      subject: { kind: 'relation', id, type },
      data: { source_id, target_id, ...data },
    });
  const rescored = rescoredEnds(options, [...created.map(({ state }) => state), ...deleted]);
  const statements = Math.sign(deleted.length) + Math.ceil(updated.length / CHUNK) + Math.ceil(created.length / CHUNK);
  if (statements > 1 || rescored.length > 0) await uow.begin();
  // Deletions come first, because a created relation may have the type and ends of a deleted one.
  if (deleted.length > 0) {
    for (const state of deleted) emit('deleted', state, { version: state.version });
    await deleteRelations(
      uow,
      deleted.map(({ id }) => id),
      deleted[0]!.row_version,
    );
  }
  for (let i = 0; i < updated.length; i += CHUNK) {
    const chunk = updated
      .slice(i, i + CHUNK)
      .map(({ before, after }) => ({ changes: differences(before, after), ...after }));
    for (const { changes, ...after } of chunk) emit('updated', after, { version: after.version, changes });
    if (single) written = await single.update(uow, chunk[0]!, revision, result);
    else await updateRelations(uow, chunk, revision);
  }
  const emitCreated = (chunk: readonly NewRelation[]) => {
    for (const { state } of chunk)
      emit('created', state, { version: 1, valid_from: state.valid_from, valid_to: state.valid_to });
  };
  if (single && created.length > 0) {
    emitCreated(created);
    written = await single.insert(uow, created[0]!, revision, result);
  } else {
    const prepare = (chunk: readonly NewRelation[]) => {
      emitCreated(chunk);
      return relationInserts(uow, chunk, revision);
    };
    await inChunks(created, CHUNK, prepare, (values) => insertRelations(uow, values)).catch((error: unknown) => {
      // The retry finds the relation that an upsert names; a create is refused.
      throw isTaken(error) && operations.every(({ op }) => op !== 'create') ? new WriteConflict() : error;
    });
  }
  if (rescored.length > 0) await options.rescore(uow, rescored);
  return written;
}

/** The cards at ends where a relation of the type is mandatory, whose scores change. */
function rescoredEnds({ metamodel }: BatchOptions, relations: readonly RelationState[]): string[] {
  const ids = new Set<string>();
  for (const { type, source_id, target_id } of relations) {
    const definition = metamodel.relationTypes.get(type)?.definition;
    if (definition?.source_mandatory) ids.add(source_id);
    if (definition?.target_mandatory) ids.add(target_id);
  }
  return [...ids].sort();
}
