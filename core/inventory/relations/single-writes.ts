import type { Database } from '../../foundation/db/database.js';
import { rowWithFlush } from '../../foundation/db/flush.js';
import { eachOnce, Grouped } from '../../foundation/db/grouped.js';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import {
  readEnds,
  readEndsTogether,
  readRelations,
  readRelationsTogether,
  type ExternalKey,
  type StoredRelation,
} from './repository.js';
import type { End, RelationState } from './types.js';
import {
  insertRelation,
  newRow,
  updateRelation,
  writeSingles,
  type ChangedRelation,
  type NewRelation,
} from './write-repository.js';

/** A relation to write, with the JSON of its row and of the flush of its unit of work. */
interface SingleRelation {
  id: string;
  json: string;
}

const idOf = ({ id }: { id: string }): string => id;
const sizeOf = ({ json }: SingleRelation): number => json.length;

/** Reads and writes the relations of concurrent requests in shared statements where nothing else happens in their units of work. */
export class SingleRelations {
  private readonly relations: Grouped<{ id: string }, RelationState>;
  private readonly ends: Grouped<string[], End[]>;
  private readonly inserts: Grouped<SingleRelation, StoredRelation>;
  private readonly updates: Grouped<SingleRelation, StoredRelation>;

  constructor(db: Database) {
    this.relations = new Grouped(eachOnce((asked) => readRelationsTogether(db, asked.map(idOf)), idOf));
    this.ends = new Grouped(async (asked) => {
      const found = new Map((await readEndsTogether(db, [...new Set(asked.flat())])).map((end) => [end.id, end]));
      return asked.map((ids) => ids.flatMap((id) => found.get(id) ?? []));
    });
    const write = (how: 'insert' | 'update') => (rows: readonly SingleRelation[]) =>
      writeSingles(
        db,
        how,
        rows.map(({ json }) => json),
      );
    this.inserts = new Grouped(eachOnce(write('insert'), idOf), sizeOf);
    this.updates = new Grouped(eachOnce(write('update'), idOf), sizeOf);
  }

  /** Reads a relation as `readRelations`. */
  async read(uow: UnitOfWork, id: string): Promise<RelationState[]> {
    const relation = uow.isUntouched ? await this.relations.add({ id }) : undefined;
    return relation ? [relation] : await readRelations(uow, [id]);
  }

  /** Reads the cards at the ends as `readEnds`. */
  async readEnds(uow: UnitOfWork, ids: string[], keys: readonly ExternalKey[]): Promise<End[]> {
    const isFree = uow.isUntouched && ids.length > 0 && keys.length === 0;
    return (isFree ? await this.ends.add(ids) : undefined) ?? (await readEnds(uow, ids, keys));
  }

  /**
   * Inserts a relation as `insertRelation`; separately if the shared statement skips it, so that it fails with its own error.
   * @param result stored under the Idempotency-Key
   */
  async insert(uow: UnitOfWork, relation: NewRelation, revision: string, result: unknown): Promise<StoredRelation> {
    const { isUntouched } = uow;
    const flush = uow.flushed(result);
    const { id } = relation.state;
    return (
      (isUntouched
        ? await this.inserts.add({ id, json: rowWithFlush(newRow(relation), revision, flush) })
        : undefined) ?? (await insertRelation(uow, relation, revision, flush))
    );
  }

  /** Updates a relation as `updateRelation`, in a shared statement if it was read with `read` and is not locked. */
  async update(uow: UnitOfWork, relation: ChangedRelation, revision: string, result: unknown): Promise<StoredRelation> {
    const isFree = uow.isUntouched && relation.row_version !== undefined;
    const flush = uow.flushed(result);
    return (
      (isFree
        ? await this.updates.add({ id: relation.id, json: rowWithFlush({ ...relation }, revision, flush) })
        : undefined) ?? (await updateRelation(uow, relation, revision, flush))
    );
  }
}
