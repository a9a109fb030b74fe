import type { RequestContext } from '@lintel/sdk';
import { hiddenTypes } from '../access/index.js';
import { checkVersion } from '../../foundation/conditions.js';
import type { Transactions, UnitOfWork } from '../../foundation/db/unit-of-work.js';
import { problem, type Problem } from '../../foundation/errors.js';
import type { JobRunner } from '../../foundation/jobs/index.js';
import { eventChanges, type Change } from './differences.js';
import type { Metamodel } from './metamodel.js';
import { lockMetamodel } from './repository.js';
import { addRevision, type Touched } from './revision-repository.js';
import type { Rescored } from './rescoring.js';
import type { MetamodelService } from './service.js';
import type { FieldDefinition } from './types.js';

/**
 * Delay in ms of the rescoring job: other nodes load a change within a second, and until then write scores with the
 * previous metamodel.
 */
const RESCORE_AFTER_MS = 1_200;

/**
 * Type of the job that creates and drops indexes on attributes according to the metamodel. Its handler belongs to the
 * cards, which are above this room.
 */
export const INDEX_JOB = 'cards.index_attributes';

/** The properties of a field that determine its index. */
function indexed(field: unknown): unknown {
  const { filterable, kind } = (field ?? {}) as Partial<FieldDefinition>;
  return filterable === true ? kind : undefined;
}

interface Subject {
  kind: keyof Touched;
  id: string;
  name: string;
}

/** A metamodel change in progress: its basis and its effects. */
export class MetamodelChange {
  private readonly said: string[] = [];
  private readonly touched: Touched = { card_type: [], relation_type: [], tag_group: [], tag: [] };
  private rescored: Rescored = [];
  private reindexed = false;

  /** @param metamodel the stored metamodel, locked until this change ends */
  constructor(
    readonly uow: UnitOfWork,
    readonly metamodel: Metamodel,
  ) {}

  /** Emits the event of a change. @param verb `created`, `updated` or `deleted` */
  emit(verb: 'created' | 'updated' | 'deleted', { kind, id, name }: Subject, changes: readonly Change[]): void {
    this.touched[kind].push(id);
    this.reindexed ||=
      kind === 'card_type' &&
      (verb === 'deleted' || changes.some((c) => c.field.startsWith('fields.') && indexed(c.old) !== indexed(c.new)));
    const event = kind === 'card_type' ? 'type' : kind;
    this.uow.emit({
      type: `metamodel.${event}_${verb}`,
      subject: { kind: 'metamodel', id, type: kind, name },
      data: { ...eventChanges(changes) },
    });
    const fields = verb === 'updated' ? `: ${changes.map((c) => c.field).join(', ')}` : '';
    // Types are identified by their key, tags by their name.
    const text = `${kind.replaceAll('_', ' ')} ${kind.startsWith('tag') ? name : id} ${verb === 'updated' ? 'changed' : verb}${fields}`;
    this.said.push(text.length > 300 ? `${text.slice(0, 299)}…` : text);
  }

  /** Schedules recomputing the scores of all cards of these types. */
  rescore(types: Rescored): void {
    this.rescored = types === null || this.rescored === null ? null : [...new Set([...this.rescored, ...types])];
  }

  /** @throws 412 where If-Match is present and does not match the version */
  checkVersion(version: number, changed: () => readonly string[]): void {
    checkVersion(this.uow.ctx, version, changed);
  }

  /**
   * The problem for a change that removes something in use. The counts are included only for callers who may see all
   * cards counted.
   * @param cardType the only type whose cards are counted; all types where absent
   */
  inUse(what: string, counts: Record<string, number>, cardType?: string): Problem {
    const { permissions } = this.uow.ctx;
    const isShown =
      hiddenTypes(permissions, cardType === undefined ? this.metamodel.types.keys() : [cardType]).length === 0;
    return problem('in_use', {
      detail: `${what} Change or delete the objects that use it first.`,
      counts: isShown ? counts : {},
    });
  }

  /** Stores the revision and queues dependent jobs, if anything was changed. */
  async finish(jobs: JobRunner): Promise<void> {
    if (this.said.length === 0) return;
    await addRevision(this.uow, this.said.join('; '), this.touched);
    this.uow.bump('metamodel');
    if (this.reindexed) await jobs.enqueue(this.uow, INDEX_JOB, {});
    if (this.rescored === null || this.rescored.length > 0)
      await jobs.enqueue(
        this.uow,
        'cards.rescore',
        { types: this.rescored },
        { runAt: new Date(Date.now() + RESCORE_AFTER_MS) },
      );
  }
}

/** All changes of the metamodel go through this class: one at a time in the cluster, each a revision. */
export class MetamodelWriter {
  constructor(
    private readonly transactions: Transactions,
    private readonly jobs: JobRunner,
    private readonly metamodel: MetamodelService,
  ) {}

  /** Runs `work` as one change; its result is stored for the Idempotency-Key. */
  async run<T>(ctx: RequestContext, work: (change: MetamodelChange) => Promise<T>): Promise<T> {
    return await this.transactions.run(ctx, (uow) => this.within(uow, work));
  }

  /** Runs `work` as one change that is part of a unit of work. */
  async within<T>(uow: UnitOfWork, work: (change: MetamodelChange) => Promise<T>): Promise<T> {
    await lockMetamodel(uow);
    const change = new MetamodelChange(uow, await this.metamodel.stored(uow));
    const result = await work(change);
    await change.finish(this.jobs);
    return result;
  }
}
