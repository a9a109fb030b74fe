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
 * Nodes hear of a change within a second, and until then write scores by the metamodel before it: what is rescored
 * waits for the last of them.
 */
const RESCORE_AFTER_MS = 1_200;

/** Job of the cards that keeps their indexes; the metamodel knows it by its name alone. */
const INDEX_JOB = 'cards.index_attributes';

/** Of a field as it was or is, what decides about its index. */
function indexed(field: unknown): unknown {
  const { filterable, kind } = (field ?? {}) as Partial<FieldDefinition>;
  return filterable === true ? kind : undefined;
}

export interface Subject {
  kind: keyof Touched;
  id: string;
  name: string;
}

/** A change under way: what it is decided by, and what it leaves behind. */
export class MetamodelChange {
  private readonly said: string[] = [];
  private readonly touched: Touched = { card_type: [], relation_type: [], tag_group: [], tag: [] };
  private rescored: Rescored = [];
  private reindexed = false;

  /** @param metamodel as it is stored; nobody else changes it before this ends */
  constructor(
    readonly uow: UnitOfWork,
    readonly metamodel: Metamodel,
  ) {}

  /** Tells the world what happened. @param verb `created`, `updated` or `deleted` */
  tell(verb: 'created' | 'updated' | 'deleted', { kind, id, name }: Subject, changes: readonly Change[]): void {
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
    // Types are known by their key, tags by their name.
    const text = `${kind.replaceAll('_', ' ')} ${kind.startsWith('tag') ? name : id} ${verb === 'updated' ? 'changed' : verb}${fields}`;
    this.said.push(text.length > 300 ? `${text.slice(0, 299)}…` : text);
  }

  /** Has the scores of all cards of these types worked out anew. */
  rescore(types: Rescored): void {
    this.rescored = types === null || this.rescored === null ? null : [...new Set([...this.rescored, ...types])];
  }

  /** @throws 412 unless If-Match, where there is one, names the version */
  checkVersion(version: number, changed: () => readonly string[]): void {
    checkVersion(this.uow.ctx, version, changed);
  }

  /**
   * The refusal of a change that takes away what is used. How much uses it is for who sees the cards it may be.
   * @param cardType the only one whose cards are counted; of any where absent
   */
  inUse(what: string, counts: Record<string, number>, cardType?: string): Problem {
    const { permissions } = this.uow.ctx;
    const isShown =
      hiddenTypes(permissions, cardType === undefined ? this.metamodel.types.keys() : [cardType]).length === 0;
    return problem('in_use', {
      detail: `${what} Empty or change what uses it first; having the change do that comes later.`,
      counts: isShown ? counts : {},
    });
  }

  /** Keeps the revision and queues what follows from it, where anything was told. */
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

/** The one way the metamodel is changed: one change at a time in the cluster, each a revision. */
export class MetamodelWriter {
  constructor(
    private readonly transactions: Transactions,
    private readonly jobs: JobRunner,
    private readonly metamodel: MetamodelService,
  ) {}

  /** Runs `work` as one change; what it returns is what an Idempotency-Key stores. */
  async run<T>(ctx: RequestContext, work: (change: MetamodelChange) => Promise<T>): Promise<T> {
    return await this.transactions.run(ctx, async (uow) => {
      await lockMetamodel(uow);
      const change = new MetamodelChange(uow, await this.metamodel.stored(uow));
      const result = await work(change);
      await change.finish(this.jobs);
      return result;
    });
  }
}
