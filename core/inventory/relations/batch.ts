import { ErrorBudget, TimeSlice, type BulkPass, type FieldError } from '@lintel/sdk';
import { COST_REFUSED, costsHidden, lacks, seesRelation } from '../access/index.js';
import { isStale, latestSeen } from '../../foundation/conditions.js';
import { WriteConflict } from '../../foundation/db/unit-of-work.js';
import { problem, validationFailed, type Problem } from '../../foundation/errors.js';
import { missingObjects, openReferences, REFERENCE_REFUSED, referencesIn } from '../cards/index.js';
import { uuidv7 } from '../../foundation/ids.js';
import { nextVersion } from '../../foundation/versions.js';
import type { RelationType } from '../metamodel/index.js';
import type { BatchOptions } from './batch-options.js';
import { storeRelations } from './batch-store.js';
import type { EndCard } from './end-scope.js';
import { Ends } from './ends.js';
import { endErrors, fixedErrors, valueErrors } from './input-errors.js';
import { Holders } from './holders.js';
import { applyRelationRules, givenOf, type PlannedRelation, type RelationRefusal } from './relation-rules.js';
import { lockByEnds, lockRelations, readByEnds, readRelations, type StoredRelation } from './repository.js';
import { changedFields } from '../changes.js';
import { changesSince } from '../changes-repository.js';
import { differences, merged } from './state.js';
import type { End, RelationInput, RelationOperation, RelationRow, RelationState } from './types.js';
import type { NewRelation } from './write-repository.js';

/** How often a batch is planned again without the rows that rules refused. */
const ROUNDS = 12;

const pairKey = (type: string, source: string, target: string) => `${type} ${source} ${target}`;
const sourceOf = ({ source_id, source_type }: RelationState): EndCard => ({ id: source_id, type: source_type });
const targetOf = ({ target_id, target_type }: RelationState): EndCard => ({ id: target_id, type: target_type });

/** The one write path of relations; a single write is a batch of one. */
export class RelationBatch implements BulkPass<RelationRow> {
  readonly rows: RelationRow[];
  private readonly problems = new Map<number, Problem>();
  private readonly ends: Ends;
  private readonly existing = new Map<string, RelationState>();
  private readonly pairs = new Map<string, string>();
  private readonly created = new Map<string, NewRelation>();
  private readonly updated = new Map<string, { before: RelationState; after: RelationState }>();
  private readonly deleted: RelationState[] = [];
  /** Keys of the users and cards that attributes refer to and that do not exist; see `objectKey`. */
  private gone: ReadonlySet<string> = new Set();
  /** Ids of hidden cards that the relations refer to; undefined where the caller sees cards of all types. */
  private unseen: ReadonlySet<string> | undefined;
  private budget = new ErrorBudget();
  /** Rows that rules of modules refused. */
  private readonly refused = new Map<number, RelationRefusal>();
  /** In a thorough check. */
  private holders: Holders | undefined;
  /** The relation that a single write created or changed. */
  written: StoredRelation | undefined;

  constructor(private readonly o: BatchOptions) {
    this.rows = o.operations.map((_, index) => ({ index, outcome: 'failed' }));
    this.ends = new Ends(o.operations, o.authority.hiddenTypes);
  }

  /** The problem returned for a single request with this operation; that of a stale version has the changed fields. */
  async problem(index: number): Promise<Problem> {
    const failure = this.problems.get(index) ?? validationFailed(this.rows[index]!.errors ?? []);
    if (failure.code === 'precondition_failed')
      failure.extensions['changed_fields'] = await this.changedFields(this.o.operations[index]!.id!);
    return failure;
  }

  /**
   * Loads, locks and checks; nothing is written yet. Locking a row writes to it, and most relations of a repeated import
   * have not changed. Therefore relations that upserts name are first read without locks, and then those that change are
   * locked. If one of them was changed meanwhile, all are locked and the batch is planned again. A single operation may
   * write at once, if the row is still the one that was read. A dry run locks nothing.
   */
  async check(): Promise<readonly RelationRow[]> {
    const { uow, operations, isOptimistic, isThorough, single } = this.o;
    const isDryRun = this.o.ctx.dryRun && !single;
    const byId = operations.flatMap((o) => (o.op !== 'create' && o.id !== undefined ? [o.id.toLowerCase()] : []));
    const read = isDryRun ? readRelations : lockRelations;
    const named = byId.length === 0 ? [] : isOptimistic ? await single!.read(uow, byId[0]!) : await read(uow, byId);
    for (const r of named) this.keep(r);
    await this.ends.load(uow, this.o.find, single);
    await this.o.authority.load(uow, [
      ...this.ends.all(),
      ...named.flatMap((r) => [{ id: r.source_id }, { id: r.target_id }]),
    ]);
    this.gone = await missingObjects(
      uow,
      operations.flatMap((o) => (o.attributes ? (this.typeOf(o)?.fields.references(o.attributes) ?? []) : [])),
      this.o.authority.hiddenTypes,
    );
    const pairs = this.pairsOf(isThorough === true);
    const paired = pairs.length > 0 ? await readByEnds(uow, pairs) : [];
    let known = [...named, ...paired];
    if (isThorough) await this.loadHolders(pairs);
    // Another node may have stored relations of a type that this node has not read yet: the unit of work runs again with it.
    if (known.some(({ type }) => !this.o.metamodel.relationTypes.has(type))) throw new WriteConflict();
    await this.work(known);
    const touched = paired.filter((r) => this.updated.has(r.id));
    if (touched.length > 0 && !isDryRun && !(await this.confirm(touched))) {
      known = [...named, ...(await lockByEnds(uow, pairs))];
      await this.work(known);
    }
    for (let round = 1; await this.isRefusedByRules(); round++) {
      if (round === ROUNDS)
        throw problem('conflict', {
          detail: 'Too many operations depend on operations that fail; send fewer operations at once.',
        });
      await this.work(known);
    }
    return this.rows;
  }

  /** The ends of the relations that upserts name; if `all`, also of those that are created. */
  private pairsOf(all: boolean): { type: string; source_id: string; target_id: string }[] {
    return this.o.operations.flatMap((o, index) => {
      const isSought = o.op === 'upsert' ? o.id === undefined : all && o.op === 'create';
      if (!isSought || o.type === undefined) return [];
      const [source, target] = [this.ends.card(index, 'source'), this.ends.card(index, 'target')];
      return source && target ? [{ type: o.type, source_id: source.id, target_id: target.id }] : [];
    });
  }

  private async loadHolders(pairs: readonly { type: string; source_id: string; target_id: string }[]): Promise<void> {
    const { uow, metamodel, operations } = this.o;
    const deleted = operations.flatMap(({ op, id }) => (op === 'delete' ? (id?.toLowerCase() ?? []) : []));
    const typed = pairs.flatMap((pair) => {
      const type = metamodel.relationTypes.get(pair.type);
      return type ? [{ ...pair, type }] : [];
    });
    this.holders = await Holders.load(uow, typed, new Set(deleted));
  }

  /** Calls the rules of modules with the planned changes, which they may complete. @returns whether further rows were refused */
  private async isRefusedByRules(): Promise<boolean> {
    const { rules, uow, ctx, find, metamodel, operations, pointer } = this.o;
    if (!rules.some(({ rule }) => rule.relations)) return false;
    const rowsOf = this.rowsById();
    const planned = (change: Pick<PlannedRelation, 'kind' | 'before' | 'after'>): PlannedRelation => {
      const rows = rowsOf.get((change.after ?? change.before)!.id) ?? [];
      return { ...change, given: rows.flatMap((index) => givenOf(operations[index]!)), pointer: '' };
    };
    const changes = [
      ...[...this.created.values()].map(({ state }) => planned({ kind: 'create', before: undefined, after: state })),
      ...[...this.updated.values()].map((change) => planned({ kind: 'update', ...change })),
      ...this.deleted.map((state) => planned({ kind: 'delete', before: state, after: undefined })),
    ];
    const write = { uow, ctx, isPreview: false, metamodel, find };
    const { refused, completed } = await applyRelationRules(rules, write, changes);
    for (const [n, { errors, cause }] of refused) {
      const { before, after } = changes[n]!;
      for (const index of rowsOf.get((after ?? before)!.id) ?? [])
        if (this.rows[index]!.outcome !== 'unchanged')
          this.refused.set(index, {
            errors: errors.map((error) => ({ ...error, field: `${pointer(index)}${error.field}` })),
            cause,
          });
    }
    for (const { after } of completed.values()) {
      const made = this.created.get(after.id);
      if (made) made.state = after;
      else this.updated.get(after.id)!.after = after;
    }
    return refused.size > 0;
  }

  /** The rows that concern each relation and did not fail. */
  private rowsById(): Map<string, number[]> {
    const rows = new Map<string, number[]>();
    for (const { id, index, outcome } of this.rows) {
      if (id === undefined || outcome === 'failed') continue;
      const known = rows.get(id);
      if (known) known.push(index);
      else rows.set(id, [index]);
    }
    return rows;
  }

  /** Locks relations that were read without locks. @returns whether they are unchanged since then */
  private async confirm(read: readonly RelationState[]): Promise<boolean> {
    const versions = new Map((await lockByEnds(this.o.uow, read)).map((r) => [r.id, r.version]));
    return read.every((r) => versions.get(r.id) === r.version);
  }

  /** Plans all operations on the relations that exist. */
  private async work(relations: readonly RelationState[]): Promise<void> {
    for (const map of [this.problems, this.existing, this.pairs, this.created, this.updated]) map.clear();
    this.deleted.length = 0;
    this.holders?.restart();
    for (const r of relations) this.keep(r);
    this.unseen = await this.hiddenReferences(relations);
    this.budget = new ErrorBudget();
    const slice = new TimeSlice();
    for (const [index, o] of this.o.operations.entries()) {
      this.rows[index] = { index, outcome: 'failed' };
      const refusal = this.refused.get(index);
      if (!refusal) this.plan(o, index);
      else {
        this.failAll(index, refusal.errors);
        if (refusal.cause) this.problems.set(index, refusal.cause);
      }
      if (slice.isOver) await slice.next();
    }
  }

  /** The hidden cards that attributes of the relations refer to; read only for callers from whom some type is hidden. */
  private async hiddenReferences(relations: readonly RelationState[]): Promise<ReadonlySet<string> | undefined> {
    const { authority, metamodel, hiddenAmong } = this.o;
    if (authority.hiddenTypes.length === 0) return undefined;
    const ids = relations.flatMap(({ type, attributes }) => {
      const fields = metamodel.relationTypes.get(type)?.fields;
      return fields ? referencesIn(fields, attributes) : [];
    });
    return await hiddenAmong(ids);
  }

  private typeOf({ id, type }: RelationOperation): RelationType | undefined {
    const key = type ?? (id === undefined ? undefined : this.existing.get(id.toLowerCase())?.type);
    return key === undefined ? undefined : this.o.metamodel.relationTypes.get(key);
  }

  /** Writes the rows that did not fail. */
  async write(): Promise<void> {
    const { created, updated, deleted } = this;
    const { id, version } = this.rows[0] ?? {};
    const changes = { created: [...created.values()], updated: [...updated.values()], deleted };
    this.written = await storeRelations(this.o, changes, { id, version });
  }

  /** Whether the relation is hidden from the caller, because the card at an end is. */
  private isHidden(relation: RelationState): boolean {
    return !seesRelation(relation, this.o.authority.relationlessTypes);
  }

  private keep(relation: RelationState): void {
    this.existing.set(relation.id, relation);
    this.pairs.set(pairKey(relation.type, relation.source_id, relation.target_id), relation.id);
  }

  private plan(operation: RelationOperation, index: number): void {
    const id = operation.id?.toLowerCase() ?? (operation.op === 'upsert' ? this.seenPair(operation, index) : undefined);
    if (operation.op === 'create' || (operation.op === 'upsert' && id === undefined)) {
      this.create(operation, index);
      return;
    }
    const current = id === undefined ? undefined : this.existing.get(id);
    if (!current || this.isHidden(current)) {
      this.fail(index, 'id', 'names no relation', problem('not_found'));
      return;
    }
    this.rows[index]!.id = current.id;
    const refusal = this.o.authority.refuses(sourceOf(current), targetOf(current));
    if (refusal) {
      this.fail(index, 'op', refusal.detail, refusal);
      return;
    }
    if (isStale(operation.version, current.version)) {
      this.fail(
        index,
        'version',
        `is stale, the relation is at ${current.version}`,
        problem('precondition_failed', { current_version: current.version, changed_fields: [] }),
      );
    } else if (operation.op === 'delete') {
      this.deleted.push(this.updated.get(current.id)?.before ?? current);
      this.updated.delete(current.id);
      this.existing.delete(current.id);
      this.pairs.delete(pairKey(current.type, current.source_id, current.target_id));
      this.rows[index]!.outcome = 'deleted';
    } else this.update(current, operation, index);
  }

  /** The relation between the ends of an upsert. A hidden one does not exist: the refusal must not tell of it. */
  private seenPair({ type }: RelationOperation, index: number): string | undefined {
    const [source, target] = [this.ends.card(index, 'source'), this.ends.card(index, 'target')];
    if (type === undefined || !source || !target) return undefined;
    const id = this.pairs.get(pairKey(type, source.id, target.id));
    return id === undefined || this.isHidden(this.existing.get(id)!) ? undefined : id;
  }

  private create(input: RelationOperation, index: number): void {
    const type = input.type === undefined ? undefined : this.o.metamodel.relationTypes.get(input.type);
    const at = this.o.pointer(index);
    const errors = [
      ...endErrors(type, input, this.ends, index, at),
      ...(type ? valueErrors(type, input, undefined, this.gone, at) : []),
    ];
    if (errors.length > 0) {
      this.failAll(index, errors);
      return;
    }
    const [source, target] = [this.ends.card(index, 'source')!, this.ends.card(index, 'target')!];
    const refusal = this.refusesCreate(source, target);
    if (refusal) {
      this.fail(index, 'op', refusal.detail, refusal);
      return;
    }
    if (this.refusesCosts(type!, input, source, target, index)) return;
    const key = pairKey(type!.key, source.id, target.id);
    if (this.pairs.has(key)) {
      this.fail(index, 'target_id', 'is related so already', problem('relation_exists'));
      return;
    }
    if (this.holders?.take({ type: type!, source_id: source.id, target_id: target.id }) === false) {
      const refusal = problem('cardinality');
      this.fail(index, 'target_id', refusal.detail, refusal);
      return;
    }
    const state = merged(
      type!,
      {
        id: uuidv7(),
        type: type!.key,
        source_id: source.id,
        target_id: target.id,
        source_type: source.type,
        target_type: target.type,
        attributes: type!.fields.defaults(),
        description: null,
        valid_from: null,
        valid_to: null,
        version: 1,
      },
      input,
    );
    this.keep(state);
    this.created.set(state.id, { state, type: type!, source, target });
    Object.assign(this.rows[index]!, { id: state.id, version: 1, outcome: 'created' });
  }

  private update(current: RelationState, given: RelationOperation, index: number): void {
    const type = this.o.metamodel.relationTypes.get(current.type)!;
    if (this.refusesCosts(type, given, sourceOf(current), targetOf(current), index)) return;
    const at = this.o.pointer(index);
    const { open, refused } = openReferences(type.fields, current.attributes, given.attributes, this.unseen);
    const input: RelationOperation = open ? { ...given, attributes: open } : given;
    const errors = [
      ...refused.map(
        (key): FieldError => ({ field: `${at}/attributes/${key}`, reason: REFERENCE_REFUSED, in: 'body' }),
      ),
      ...fixedErrors(input, current, this.ends, index, at),
      ...valueErrors(type, input, current, this.gone, at),
    ];
    if (errors.length > 0) {
      this.failAll(index, errors);
      return;
    }
    const made = this.created.get(current.id);
    const before = this.updated.get(current.id)?.before ?? current;
    const after = merged(type, current, input);
    if (differences(current, after).length === 0) {
      Object.assign(this.rows[index]!, { version: current.version, outcome: 'unchanged' });
      return;
    }
    this.existing.set(after.id, after);
    if (made) made.state = after;
    else {
      after.version = nextVersion(before);
      this.updated.set(after.id, { before, after });
    }
    Object.assign(this.rows[index]!, { version: after.version, outcome: 'updated' });
  }

  private refusesCosts(
    type: RelationType,
    input: RelationInput,
    source: EndCard,
    target: EndCard,
    index: number,
  ): boolean {
    const keys = Object.keys(input.attributes ?? {}).filter((key) => type.fields.costKeys.has(key));
    if (keys.length === 0 || this.o.authority.seesCosts(source, target)) return false;
    for (const key of keys) this.fail(index, `attributes/${key}`, COST_REFUSED, costsHidden());
    return true;
  }

  /** A caller may not create a relation that the caller could not see. */
  private refusesCreate(source: End, target: End): Problem | undefined {
    const { authority } = this.o;
    return (
      authority.refuses(source, target) ??
      ([source, target].some(({ type }) => authority.relationlessTypes.includes(type))
        ? lacks('relations.view')
        : undefined)
    );
  }

  /** Fields that changed since the version named by If-Match; none if there is no such version. */
  private async changedFields(id: string): Promise<string[]> {
    const { uow, metamodel, authority } = this.o;
    const version = latestSeen(uow.ctx.ifMatch);
    const now = this.existing.get(id.toLowerCase());
    if (!version || !now) return [];
    const closed = new Set(
      authority.seesCosts(sourceOf(now), targetOf(now)) ? [] : metamodel.relationCostKeys(now.type),
    );
    // The name of such a field would tell that it got, or lost, a card that is not visible.
    if (authority.hiddenTypes.length > 0)
      for (const key of metamodel.relationTypes.get(now.type)?.fields.cardKeys ?? []) closed.add(key);
    const fields = changedFields(await changesSince(uow, 'relation', now.id, version));
    return fields.filter((field) => !field.startsWith('attributes.') || !closed.has(field.slice('attributes.'.length)));
  }

  private fail(index: number, field: string, reason: string, cause?: Problem): void {
    this.failAll(index, [{ field: `${this.o.pointer(index)}/${field}`, reason, in: 'body' }]);
    if (cause && !this.problems.has(index)) this.problems.set(index, cause);
  }

  private failAll(index: number, errors: FieldError[]): void {
    Object.assign(this.rows[index]!, {
      outcome: 'failed',
      errors: [...(this.rows[index]!.errors ?? []), ...(this.rows.length === 1 ? errors : this.budget.take(errors))],
    });
  }
}
