import {
  Problem,
  type BulkOutcome,
  type BulkResult,
  type FieldError,
  type RelationOutcome,
  type RequestContext,
  type UnitOfWork,
} from '@lintel/sdk';
import { refusal } from '../errors.js';
import type { Host } from '../basics.js';
import {
  addMade,
  readLinkedCards,
  readMade,
  releaseMade,
  type LinkedCard,
  type MadeRelation,
} from './implied-repository.js';
import { impliedBy, type ImpliedTypes } from './relation-types.js';

type Outcome = BulkOutcome<BulkResult<RelationOutcome>>;
type Db = Pick<UnitOfWork, 'query'>;

/** Whose relations are brought up to date, and by what. */
export interface ImpliedScope {
  processId: string;
  versionId: string;
  types: ImpliedTypes;
  /** Only relations with these cards; null: all. */
  among: readonly string[] | null;
  /** `module`: publishing is the grant; `caller`: the caller needs the rights. */
  authority: 'module' | 'caller';
}

/** What the links of a version add to and remove from the relations of the process. */
export interface ImpliedChange {
  wanted: { card_id: string; type: string; isProcessSource: boolean }[];
  removed: MadeRelation[];
}

const keyOf = (cardId: string, type: string): string => `${cardId} ${type}`;
const MOST_REASONS = 20;

/** The relations that links of published flows imply. */
export class ImpliedRelations {
  private readonly system: RequestContext;

  constructor(private readonly host: Host) {
    this.system = host.systemContext('bpm');
  }

  /**
   * Compares the links of a version with the relations made before.
   * @throws bpm_relation_type if a link needs a relation type that does not exist or does not fit
   */
  async plan(db: Db, { processId, versionId, types, among }: Omit<ImpliedScope, 'authority'>): Promise<ImpliedChange> {
    const linked = await readLinkedCards(this.host, db, this.system, versionId, processId, among);
    const made = await readMade(db, processId, among);
    const has = new Set(made.map(({ card_id, type }) => keyOf(card_id, type)));
    const implied = linked.flatMap((card) => this.relationOf(types, card));
    const stays = new Set(implied.map(({ card_id, type }) => keyOf(card_id, type)));
    return {
      // An archived card gets no relation, but one that was made before is kept for its restoration.
      wanted: implied.filter(({ isActive, card_id, type }) => isActive && !has.has(keyOf(card_id, type))),
      removed: made.filter(({ card_id, type }) => !stays.has(keyOf(card_id, type))),
    };
  }

  /**
   * Makes the relations that links imply, and removes those that the module made and that no link implies any more. A relation that
   * exists already is left to the user who made it, and one that was changed since is no longer the module's.
   * @throws bpm_relation_type, bpm_relations_refused
   */
  async apply(uow: UnitOfWork, scope: ImpliedScope): Promise<{ made: number; removed: number }> {
    const { processId, authority } = scope;
    const { wanted, removed } = await this.plan(uow, scope);
    const gone = await this.remove(uow, removed, authority);
    if (wanted.length === 0) return { made: 0, removed: gone };
    const answer = await this.run(
      () =>
        this.host.relations.bulkIn(
          uow,
          wanted.map(({ card_id, type, isProcessSource }) => ({
            op: 'upsert' as const,
            type,
            source_id: isProcessSource ? processId : card_id,
            target_id: isProcessSource ? card_id : processId,
          })),
          { authority },
        ),
      wanted.map(({ type }) => type),
    );
    const created = answer.results.flatMap(({ index, outcome, id, version }): MadeRelation[] => {
      const { card_id, type } = wanted[index]!;
      return outcome === 'created' ? [{ relation_id: id!, card_id, type, made_version: version ?? 1 }] : [];
    });
    await addMade(uow, processId, created);
    return { made: created.length, removed: gone };
  }

  private async remove(
    uow: UnitOfWork,
    removed: readonly MadeRelation[],
    authority: ImpliedScope['authority'],
  ): Promise<number> {
    if (removed.length === 0) return 0;
    const { results } = await this.run(
      () =>
        this.host.relations.bulkIn(
          uow,
          removed.map(({ relation_id, made_version }) => ({
            op: 'delete' as const,
            id: relation_id,
            version: made_version,
          })),
          { authority, mode: 'per_row' },
        ),
      removed.map(({ type }) => type),
    );
    const failed = results.filter(({ outcome }) => outcome === 'failed');
    const changed = failed.filter(({ errors = [] }) => errors.some(({ field }) => field.endsWith('/version')));
    // A relation of an archived card cannot be removed until the card is restored: the next publication removes it.
    const hidden = failed.filter(({ errors = [] }) => errors.some(({ field }) => field.endsWith('/id')));
    const refused = failed.filter((row) => !changed.includes(row) && !hidden.includes(row));
    if (refused.length > 0)
      throw refusedRelations(
        refused.flatMap(({ errors = [] }) => errors),
        refused.map(({ index }) => removed[index]!.type),
      );
    await releaseMade(
      uow,
      changed.map(({ index }) => removed[index]!.relation_id),
    );
    return removed.length - failed.length;
  }

  /** Runs a write of relations. Its errors are about relations that the caller did not name, possibly with hidden cards. */
  private async run(write: () => Promise<Outcome>, types: readonly string[]): Promise<Outcome> {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof Problem) || error.status >= 500 || error.status === 403) throw error;
      throw refusedRelations(error.errors ?? [{ field: '', reason: error.title, in: 'body' }], types);
    }
  }

  private relationOf(
    types: ImpliedTypes,
    { card_id, type, status }: LinkedCard,
  ): (ImpliedChange['wanted'][number] & { isActive: boolean })[] {
    const implied = impliedBy(types, type);
    if (!implied) return [];
    const { key, isProcessSource } = implied;
    return [{ card_id, type: key, isProcessSource, isActive: status === 'ACTIVE' }];
  }
}

const refusedRelations = (errors: readonly FieldError[], types: readonly string[]): Problem =>
  refusal('bpm_relations_refused', {
    reasons: [...new Set(errors.map(({ reason }) => reason))].slice(0, MOST_REASONS),
    relation_types: [...new Set(types)].sort(),
  });
