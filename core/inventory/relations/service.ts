import { BulkRunner, outcomesOf, runSingle, type BulkMode, type RequestContext } from '@lintel/sdk';
import type { Extensions } from '../extensions.js';
import { lacks, type AccessGate } from '../access/index.js';
import { expansionsOf, mandatoryRelations, type CardReads, type CardService, type CardView } from '../cards/index.js';
import type { Database } from '../../foundation/db/database.js';
import { refusalOf } from '../../foundation/db/refusal.js';
import type { Transactions, UnitOfWork } from '../../foundation/db/unit-of-work.js';
import { problem } from '../../foundation/errors.js';
import type { Page } from '../../foundation/http/respond.js';
import type { MetamodelService } from '../metamodel/index.js';
import { RelationBatch } from './batch.js';
import type { BatchOptions, EndAuthority } from './batch-options.js';
import { CardRelations } from './card-relations.js';
import { EndScope, type EndCard, type KnownEnd } from './end-scope.js';
import { RELATION_EXPANSIONS, withCards } from './expansions.js';
import { listRelations, type RelationListQuery, type RelationVisibility } from './list-repository.js';
import { applyRelationRules, type PlannedRelation, type RuledRelations } from './relation-rules.js';
import { crowdedEnds, lockOfCards, neighbours, readRelation, type StoredRelation } from './repository.js';
import { SingleRelations } from './single-writes.js';
import { CARD_MANAGE, MANAGE, type RelationInput, type RelationOperation, type RelationRow } from './types.js';
import { deleteRelations } from './write-repository.js';

interface Written {
  id: string;
  version: number;
  /** The relation after the change; absent if it was deleted. */
  view?: RelationView;
}

export interface RelationView extends Omit<StoredRelation, 'created_at' | 'updated_at' | 'ends_moved' | 'is_below'> {
  created_at: string;
  updated_at: string;
  /** The parts of the view that are not covered by the version, for the ETag; not part of the response. */
  derived: unknown;
  /** The whole cards at the ends, if requested. */
  source_card?: CardView;
  target_card?: CardView;
}

/** The permissions of a caller on relations between any cards. */
export interface RelationRights extends Pick<EndAuthority, 'hiddenTypes' | 'relationlessTypes' | 'seesCosts'> {
  mayRelate(source: EndCard, target: EndCard): boolean;
  /** Calls the rules of modules with changes that are not written. */
  ruled(uow: UnitOfWork, planned: readonly PlannedRelation[]): Promise<RuledRelations>;
}

/** Relations between cards: reads, and the one write path. */
export class RelationService {
  private readonly singles: SingleRelations;

  constructor(
    private readonly db: Database,
    private readonly transactions: Transactions,
    private readonly metamodel: MetamodelService,
    private readonly access: AccessGate,
    private readonly cards: CardService,
    private readonly reads: CardReads,
    private readonly extensions: Pick<Extensions, 'rules'>,
  ) {
    this.singles = new SingleRelations(db);
    cards.join({
      deleting: (uow, ids) => this.removeOfCards(uow, ids),
      notRestorable: async (uow, ids) => {
        const restored = new Set(ids);
        const ends = (await crowdedEnds(uow, ids)).filter((id) => restored.has(id));
        return new Map(ends.map((id) => [id, problem('cardinality')]));
      },
      followsStatus: () => mandatoryRelations(this.metamodel.current).length > 0,
      statusChanged: (uow, ids) => this.rescoreNeighbours(uow, ids),
    });
    cards.relateWith(async (ctx, on) => {
      const authority = await this.authority(ctx, on);
      return (isThorough) =>
        new CardRelations((uow, operations, pointer, find) =>
          this.batch(uow, ctx, authority, { operations, pointer, find, isThorough }),
        );
    });
  }

  /** @throws a 422 listing invalid parameters */
  async list(ctx: RequestContext, query: RelationListQuery): Promise<Page<RelationView>> {
    const expand = expansionsOf(query, RELATION_EXPANSIONS);
    const visibility = await this.visibilityOf(ctx);
    const page = await listRelations(this.db, query, visibility);
    const views = await this.views(ctx, new EndScope(visibility.costs).between, page.items);
    return { ...page, items: await withCards(views, expand, (ids) => this.reads.many(ctx, ids)) };
  }

  /** @throws not_found, a 422 listing unknown expansions */
  async get(ctx: RequestContext, id: string, query: { expand?: string | undefined } = {}): Promise<RelationView> {
    const expand = expansionsOf(query, RELATION_EXPANSIONS);
    const { relationlessTypes: hidden, costs } = await this.visibilityOf(ctx);
    const relation = await readRelation(this.db, id, hidden, costs.scope.roots);
    if (!relation) throw problem('not_found');
    const views = await this.views(ctx, new EndScope(costs).between, [relation]);
    return (await withCards(views, expand, (ids) => this.reads.many(ctx, ids)))[0]!;
  }

  create(ctx: RequestContext, input: RelationInput): Promise<Written> {
    return this.single(ctx, { ...input, op: 'create' });
  }

  update(ctx: RequestContext, id: string, input: RelationInput): Promise<Written> {
    return this.single(ctx, { ...input, op: 'update', id, ...(ctx.ifMatch !== undefined && { version: ctx.ifMatch }) });
  }

  remove(ctx: RequestContext, id: string): Promise<Written> {
    return this.single(ctx, { op: 'delete', id, ...(ctx.ifMatch !== undefined && { version: ctx.ifMatch }) });
  }

  /** Many operations in one transaction; modes and errors as in `CardService.bulk`. */
  async bulk(
    ctx: RequestContext,
    mode: BulkMode,
    operations: RelationOperation[],
  ): Promise<{ change_id: string; summary: Record<string, number>; results: RelationRow[] }> {
    const work = await this.prepare(ctx, operations);
    const { change_id, results } = await this.transactions.run(ctx, async (uow) => {
      uow.kind = 'bulk';
      if (ctx.dryRun) uow.onlyReads();
      return { change_id: ctx.changeId, results: await work(uow, mode) };
    });
    return { change_id, summary: outcomesOf(results), results };
  }

  /**
   * Reads the caller's permissions and returns the function that executes operations in a transaction.
   * @param on the unit of work, if the transaction has begun: it would hold one connection while waiting for another
   */
  async prepare(
    ctx: RequestContext,
    operations: readonly RelationOperation[],
    on?: UnitOfWork,
  ): Promise<(uow: UnitOfWork, mode: BulkMode) => Promise<RelationRow[]>> {
    const authority = await this.authority(ctx, on);
    return (uow, mode) =>
      new BulkRunner<RelationOperation, RelationRow>({
        savepoint: (work) => uow.savepoint(work),
        pass: (part, first) =>
          this.batch(uow, ctx, authority, {
            operations: part,
            pointer: (n) => `/operations/${first + n}`,
            isThorough: ctx.dryRun || part.length < operations.length,
          }),
        failed: (_operation, index, { errors, detail }) => ({
          index,
          outcome: 'failed',
          errors: errors ?? [{ field: `/operations/${index}`, reason: detail, in: 'body' }],
        }),
        refusalOf,
        problem,
      }).run(operations, mode, ctx.dryRun);
  }

  /** Executes operations inside a transaction of the caller, over its connection only. */
  async bulkIn(
    uow: UnitOfWork,
    ctx: RequestContext,
    mode: BulkMode,
    operations: RelationOperation[],
  ): Promise<RelationRow[]> {
    return (await this.prepare(ctx, operations, uow))(uow, mode);
  }

  /** Reads, before any transaction, the caller's permissions for relations between any cards; the id `''` represents a card not created yet. */
  async mayRelate(ctx: RequestContext): Promise<RelationRights> {
    const { load, refuses, seesCosts, hiddenTypes, relationlessTypes } = await this.authority(ctx);
    await load(this.db, 'all');
    return {
      hiddenTypes,
      relationlessTypes,
      mayRelate: (source, target) => refuses(source, target) === undefined,
      ruled: (uow, planned) => {
        const { current: metamodel } = this.metamodel;
        return applyRelationRules(this.extensions.rules(), { uow, ctx, isPreview: true, metamodel }, planned);
      },
      seesCosts,
    };
  }

  private async single(ctx: RequestContext, operation: RelationOperation): Promise<Written> {
    let stored: StoredRelation | undefined;
    const authority = await this.authority(ctx);
    // The first attempt takes no lock; if others change the relation meanwhile, the next one does.
    let isOptimistic = true;
    const done = await this.transactions.run(ctx, async (uow) => {
      const batch = this.batch(uow, ctx, authority, {
        operations: [operation],
        pointer: () => '',
        single: this.singles,
        isOptimistic,
      });
      isOptimistic = false;
      const row = await runSingle(batch);
      // As the statement has left it, so that the response shows this change and not a later one.
      stored = batch.written;
      return { id: row.id!, version: row.version ?? 0 };
    });
    if (operation.op === 'delete') return done;
    const [view] = stored ? await this.views(ctx, authority.seesCosts, [stored]) : [await this.get(ctx, done.id)];
    return { ...done, view: view! };
  }

  private batch(
    uow: UnitOfWork,
    ctx: RequestContext,
    authority: EndAuthority,
    of: Pick<BatchOptions, 'operations' | 'pointer' | 'single' | 'isOptimistic' | 'isThorough' | 'find'>,
  ): RelationBatch {
    return new RelationBatch({
      ...of,
      uow,
      ctx,
      rules: this.extensions.rules(),
      metamodel: this.metamodel.current,
      authority,
      hiddenAmong: (ids) => this.access.hiddenAmong(ctx, ids, uow),
      rescore: (at, ids) => this.cards.rescore(at, ids),
    });
  }

  /**
   * The permissions of the caller: relations.manage, or card.manage_relations on either end or above it.
   * @param on within a transaction, its unit of work: it would otherwise hold one connection while waiting for another
   */
  private async authority(
    ctx: RequestContext,
    on?: UnitOfWork,
  ): Promise<EndAuthority & { load(on: Pick<Database, 'query'>, cards: readonly KnownEnd[] | 'all'): Promise<void> }> {
    const manages = new EndScope(await this.access.extent(ctx, MANAGE, CARD_MANAGE, on));
    const seesCosts = new EndScope(await this.access.costExtent(ctx, on));
    const load = async (on: Pick<Database, 'query'>, cards: readonly KnownEnd[] | 'all') => {
      for (const scope of [manages, seesCosts]) await (cards === 'all' ? scope.loadAll(on) : scope.load(on, cards));
    };
    return {
      load,
      hiddenTypes: this.access.hiddenTypes(ctx),
      relationlessTypes: this.access.relationlessTypes(ctx),
      refuses: (source, target) => (manages.between(source, target) ? undefined : lacks(MANAGE, CARD_MANAGE)),
      seesCosts: seesCosts.between,
    };
  }

  /** What the caller may see of relations. */
  async visibilityOf(ctx: RequestContext): Promise<RelationVisibility> {
    const { hiddenTypes, relationlessTypes } = this.access.visibility(ctx);
    const costs = await this.access.costExtent(ctx);
    return {
      metamodel: this.metamodel.current,
      hiddenTypes,
      relationlessTypes,
      costs,
      costRedactedTypes: [...this.metamodel.current.types.keys()].filter((type) => !costs.byRole(type)),
    };
  }

  /** Relations to archived cards do not count in scores, so archiving and restoring change those of the other ends. */
  private async rescoreNeighbours(uow: UnitOfWork, ids: string[]): Promise<void> {
    const types = mandatoryRelations(this.metamodel.current);
    if (types.length > 0) await this.cards.rescore(uow, await neighbours(uow, ids, types));
  }

  private async removeOfCards(uow: UnitOfWork, cardIds: string[]): Promise<void> {
    const relations = await lockOfCards(uow, cardIds);
    if (relations.length === 0) return;
    for (const { id, type, source_id, target_id, version } of relations) {
      uow.emit({
        type: 'relation.deleted',
        subject: { kind: 'relation', id, type },
        data: { source_id, target_id, version },
      });
    }
    await deleteRelations(
      uow,
      relations.map((r) => r.id),
    );
    const gone = new Set(cardIds);
    const counting = new Set(mandatoryRelations(this.metamodel.current));
    const left = relations
      .filter((r) => counting.has(r.type))
      .flatMap((r) => [r.source_id, r.target_id])
      .filter((id) => !gone.has(id));
    if (left.length > 0) await this.cards.rescore(uow, [...new Set(left)]);
  }

  /** Relations as the caller may see them. */
  private async views(
    ctx: RequestContext,
    seesCosts: EndAuthority['seesCosts'],
    relations: readonly StoredRelation[],
  ): Promise<RelationView[]> {
    const { relationTypes } = this.metamodel.current;
    const named = (r: StoredRelation) =>
      relationTypes
        .get(r.type)
        ?.fields.references(r.attributes)
        .filter(({ kind }) => kind === 'card_reference') ?? [];
    const hidden = await this.access.hiddenAmong(
      ctx,
      relations.flatMap((r) => named(r).map(({ id }) => id)),
    );
    return relations.map((r) =>
      this.view(
        seesCosts,
        r,
        named(r)
          .filter(({ id }) => hidden.has(id))
          .map(({ key }) => key),
      ),
    );
  }

  /** @param unnamed keys of attributes whose values are ids of hidden cards */
  private view(
    seesCosts: EndAuthority['seesCosts'],
    { ends_moved, is_below, ...relation }: StoredRelation,
    unnamed: readonly string[],
  ): RelationView {
    const costs = this.metamodel.current.relationCostKeys(relation.type);
    const open = costs.size === 0 || is_below === true || seesCosts(relation.source, relation.target);
    const isShown = (key: string): boolean => (open || !costs.has(key)) && !unnamed.includes(key);
    const attributes =
      open && unnamed.length === 0
        ? relation.attributes
        : Object.fromEntries(Object.entries(relation.attributes).filter(([key]) => isShown(key)));
    const derived =
      open && !ends_moved && unnamed.length === 0
        ? undefined
        : [open, ends_moved && [relation.source.name, relation.target.name], ...unnamed];
    return {
      ...relation,
      attributes,
      derived,
      created_at: relation.created_at.toISOString(),
      updated_at: relation.updated_at.toISOString(),
    };
  }
}
