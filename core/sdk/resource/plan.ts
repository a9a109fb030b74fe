import { isDeepStrictEqual } from 'node:util';
import type { EventInput } from '../context.js';
import type { ModuleServices, UnitOfWork } from '../services.js';
import { ChangeLog, differences, differsUnlogged } from './changes.js';
import { normal } from './columns.js';
import { FieldValues, type Fault } from './field-values.js';
import { decisiveCards, type Known } from './known.js';
import type { Call, ResourceOperation, ResourceOutcome } from './operation.js';
import type { ResourceParts } from './parts.js';
import { requireRight } from './rights.js';
import type { Row, Values } from './spec.js';
import { refuseReadOnly, requireTransition } from './states.js';

/** Applies operations to locked resources in memory, one after the other; a refused operation changes nothing. */
export class ResourcePlan {
  /** The state of changed resources after the operations; undefined for deleted ones. */
  readonly after = new Map<string, Row | undefined>();
  /** The last state of resources that were created and deleted by the same operations. */
  readonly gone = new Map<string, Row>();
  private readonly fields: FieldValues;
  private readonly log: ChangeLog;

  /**
   * @param stored the locked resources
   * @param refs ids of created resources by `ref`; operations add theirs
   */
  constructor(
    private readonly parts: ResourceParts,
    private readonly host: ModuleServices,
    private readonly uow: UnitOfWork,
    private readonly stored: ReadonlyMap<string, Row>,
    private readonly known: Known,
    private readonly call: Call,
    private readonly refs: Map<string, string>,
  ) {
    this.fields = new FieldValues(parts, known, call.isTrusted);
    this.log = new ChangeLog(parts, host);
  }

  /** Applies one operation. @throws the problem of a corresponding single request, with pointers into the body of that request */
  async apply(operation: ResourceOperation): Promise<ResourceOutcome> {
    if (operation.op === 'create') return this.create(operation);
    const before = this.find(operation);
    if (operation.op === 'update') return this.update(before, operation);
    return operation.op === 'delete' ? this.remove(before, operation) : this.move(before, operation);
  }

  /** The events of all operations; requires that `derived` fields are set. */
  events(): Iterable<EventInput> {
    return this.log.events((id) => this.after.get(id) ?? this.gone.get(id));
  }

  /** Sets the `derived` fields of a resource. @param set the fields returned by `prepareAll` */
  derive(row: Row, set: Values | undefined): void {
    for (const { name, ...column } of this.parts.columns)
      if (this.parts.spec.derived?.includes(name) && set?.[name] !== undefined)
        row[name] = normal({ name, ...column }, set[name]);
  }

  private async create({ ref, values = {} }: ResourceOperation): Promise<ResourceOutcome> {
    const { transitions, permissions } = this.parts.spec;
    const { scope, isTrusted } = this.call;
    const input: Values = { ...(typeof values === 'object' ? values : {}), ...scope };
    if (transitions && input[transitions.field] === undefined) input[transitions.field] = transitions.initial;
    const id = this.host.newId();
    const row: Row = {
      ...this.fields.initial(input),
      id,
      version: 1,
      created_by: this.uow.ctx.actor?.id ?? null,
      created_at: '',
      updated_at: '',
    };
    if (!isTrusted) {
      this.refuseRestricted(input);
      this.refuse(this.fields.faultsOfNew(row, input));
      this.requireRight(permissions.manage, decisiveCards(this.parts, row), 'every');
    }
    const next = await this.prepared(undefined, row);
    if (ref !== undefined) this.refs.set(ref, id);
    this.after.set(id, next);
    this.log.record({ kind: 'created', row: next, changes: differences(this.parts, undefined, next) });
    return { outcome: 'created', id, version: 1 };
  }

  private async update(before: Row, operation: ResourceOperation): Promise<ResourceOutcome> {
    const { parts, fields } = this;
    const { manage } = parts.spec.permissions;
    const owners = decisiveCards(parts, before);
    this.requireRight(manage, owners, 'some');
    const { values = {} } = operation;
    if (typeof values === 'object') this.refuseRestricted(values);
    const changed = (): string[] =>
      typeof values === 'object'
        ? differences(parts, before, fields.kept(before, fields.patched(before, values), values)).map(
            ({ field }) => field,
          )
        : [];
    this.checkVersion(before, operation, changed);
    this.refuseReadOnly(before);
    const patch = typeof values === 'object' ? values : values(fields.seen(before));
    if (typeof values !== 'object') this.refuseRestricted(patch);
    const patched = fields.patched(before, patch);
    const wanted = fields.kept(before, patched, patch);
    const touched = Object.fromEntries(
      Object.entries(patched).filter(([field]) => field in patch && !isDeepStrictEqual(before[field], patched[field])),
    );
    this.refuse(fields.faultsOfChanged(wanted, patch, touched));
    const next = await this.prepared(before, wanted);
    const moved = new Set(decisiveCards(parts, next).filter((card) => !owners.includes(card)));
    if (parts.links?.permission !== undefined) {
      const { put, gone } = parts.links.moved(before, next);
      for (const card of [...put.map(({ card_id }) => card_id), ...gone]) moved.add(card);
    }
    if (moved.size > 0) this.requireRight(manage, [...moved], 'every');
    const also = await operation.also?.(this.uow);
    const changes = [...differences(parts, before, next), ...(also ?? [])];
    const isChanged = changes.length > 0 || differsUnlogged(parts, before, next);
    if (!isChanged) return { outcome: 'unchanged', id: before.id, version: before.version };
    next.version = this.uow.nextVersion(before);
    this.after.set(before.id, next);
    this.log.record({ kind: 'updated', row: next, changes });
    return { outcome: 'updated', id: before.id, version: next.version, ...(also && { also }) };
  }

  private async move(before: Row, { to, body = {}, event, ...operation }: ResourceOperation): Promise<ResourceOutcome> {
    const { host, uow, parts } = this;
    const { spec } = parts;
    const transitions = spec.transitions!;
    this.requireRight(spec.permissions.manage, decisiveCards(parts, before), 'some');
    this.checkVersion(before, operation, () => []);
    if (to === undefined) throw host.invalid({ field: '/to', reason: 'is required' });
    const permission = transitions.permissions?.[to];
    if (permission !== undefined && !this.call.isTrusted && !uow.ctx.permissions.has(permission))
      throw host.problem('forbidden', {
        detail: `The permission ${permission} is required.`,
        required_permission: permission,
      });
    const from = before[transitions.field] as string;
    requireTransition(spec, host, from, to);
    const set = (await transitions.guard?.({ host, uow, ctx: uow.ctx, before, from, to, body })) ?? {};
    const next = await this.prepared(before, {
      ...this.fields.patched(before, set as Values),
      [transitions.field]: to,
    });
    next.version = uow.nextVersion(before);
    this.after.set(before.id, next);
    const members = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
    this.log.record({
      kind: 'transitioned',
      row: next,
      changes: differences(parts, before, next),
      more: event?.data ?? { from, to, ...members },
      type: event?.type,
    });
    return { outcome: 'transitioned', id: before.id, version: next.version };
  }

  private async remove(before: Row, operation: ResourceOperation): Promise<ResourceOutcome> {
    const { host, uow, parts } = this;
    const { spec } = parts;
    const { permissions } = spec;
    this.requireRight(permissions.remove ?? permissions.manage, decisiveCards(parts, before), 'every');
    this.checkVersion(before, operation, () => []);
    this.refuseReadOnly(before);
    await spec.removing?.({ host, uow, ctx: uow.ctx, id: before.id, before });
    this.after.set(before.id, undefined);
    if (!this.stored.has(before.id)) this.gone.set(before.id, { ...before });
    this.log.record({ kind: 'deleted', row: before, changes: differences(parts, before, undefined) });
    return { outcome: 'deleted', id: before.id, version: before.version };
  }

  /** The resource of an operation. @throws not_found; conflict if it was moved to a card that was not looked up */
  private find({ id, ref }: ResourceOperation): Row {
    const known = id?.toLowerCase() ?? (ref === undefined ? undefined : this.refs.get(ref));
    if (known === undefined)
      throw this.host.invalid(
        ref === undefined
          ? { field: '/id', reason: 'is required' }
          : { field: '/ref', reason: 'names no resource created by an earlier operation' },
      );
    const row = this.after.has(known) ? this.after.get(known) : this.stored.get(known);
    if (!row || Object.entries(this.call.scope).some(([field, value]) => row[field] !== value))
      throw this.host.problem('not_found');
    if (!this.call.isTrusted && this.parts.spec.audience?.sees(this.uow.ctx, row) === false)
      throw this.host.problem('not_found');
    const owners = this.parts.cards.owningCards(row);
    if (owners.some((card) => !this.known.wasLookedUp(card)))
      throw this.host.problem('conflict', { detail: 'Others changed the same resource; try again.' });
    if (owners.some((card) => !this.known.sees(card))) throw this.host.problem('not_found');
    return row;
  }

  private requireRight(permission: string, cards: readonly string[], how: 'some' | 'every'): void {
    requireRight(this.parts, this.host, this.known, permission, cards, how);
  }

  private checkVersion(row: Row, { version }: Pick<ResourceOperation, 'version'>, changed: () => string[]): void {
    const { ctx } = this.uow;
    if (this.call.isConditional) this.host.checkVersion(ctx, row.version, ctx.ifMatch ? changed() : []);
    else if (version !== undefined && version !== row.version)
      throw this.host.problem('precondition_failed', { current_version: row.version, changed_fields: changed() });
  }

  private refuseReadOnly(row: Row): void {
    if (!this.call.isTrusted) refuseReadOnly(this.parts.spec, this.host, row);
  }

  /** Refuses values of fields that the caller may not see. @throws forbidden */
  private refuseRestricted(values: Values): void {
    if (this.call.isTrusted) return;
    const refused = this.parts.restricted.refused(this.uow.ctx, values);
    if (!refused) return;
    throw this.host.problem('forbidden', {
      detail: `The permission ${refused.permission} is required.`,
      required_permission: refused.permission,
      errors: refused.errors.map((error) => ({ ...error, in: 'body' as const })),
    });
  }

  private refuse(faults: readonly Fault[]): void {
    if (faults.length > 0) throw this.host.invalid(...faults);
  }

  /** The resource with the fields that `prepare` sets. */
  private async prepared(before: Row | undefined, next: Row): Promise<Row> {
    const { host, uow } = this;
    const set = await this.parts.spec.prepare?.({ host, uow, ctx: uow.ctx, id: next.id, before, next });
    return this.fields.replaced(next, (set ?? {}) as Values);
  }
}
