import { isDeepStrictEqual } from 'node:util';
import type { EventInput } from '../context.js';
import type { FieldError, Problem } from '../problem.js';
import type { ModuleServices, UnitOfWork } from '../services.js';
import { fault, normal } from './columns.js';
import { decisiveCards, type Known } from './known.js';
import { merged, missing } from './merge.js';
import type { Call, ResourceOperation, ResourceOutcome } from './operation.js';
import type { ResourceParts } from './parts.js';
import { unknownReferences } from './references.js';
import type { ResourceChangeKind, Row, Values } from './spec.js';

type Fault = Omit<FieldError, 'in'>;
interface Event {
  kind: ResourceChangeKind;
  row: Row;
  changes: { field: string; old: unknown; new: unknown }[];
  more: Values;
  type?: string;
}

/** Works out what operations make of resources, one after the other: each is done or refused as a whole. */
export class ResourcePlan {
  /** Ids of what is created, in order. */
  readonly created: string[] = [];
  /** Resources as the operations leave them; undefined for those that are deleted. */
  readonly after = new Map<string, Row | undefined>();
  /** Resources as they were before they were deleted, of those the same operations created. */
  readonly gone = new Map<string, Row>();
  private readonly recorded: Event[] = [];

  /**
   * @param stored resources under their locks
   * @param refs ids of what was created, by `ref`
   */
  constructor(
    private readonly parts: ResourceParts,
    private readonly host: ModuleServices,
    private readonly uow: UnitOfWork,
    private readonly stored: ReadonlyMap<string, Row>,
    private readonly known: Known,
    private readonly call: Call,
    private readonly refs: Map<string, string>,
  ) {}

  /** @throws the problem a single request would be answered with; its fields are pointers into that request's body */
  async apply(operation: ResourceOperation): Promise<ResourceOutcome> {
    if (operation.op === 'create') return this.create(operation);
    const before = this.find(operation);
    if (operation.op === 'update') return this.update(before, operation);
    return operation.op === 'delete' ? this.remove(before, operation) : this.move(before, operation);
  }

  /** The events of all operations; call it once `derived` fields are set. */
  *events(): Iterable<EventInput> {
    const { spec, cards, name } = this.parts;
    for (const { kind, row: changed, changes, more, type } of this.recorded) {
      const row = this.withDerived(changed);
      yield {
        type: type ?? `${spec.kind}.${kind}`,
        subject: { kind: spec.kind, id: row.id, name: name === undefined ? null : String(row[name]) },
        data: {
          version: row.version,
          ...(spec.reference && { reference: spec.reference(row, this.host) }),
          changes,
          ...cards.owners(row),
          ...spec.eventData?.({ kind, row }),
          ...more,
        },
      };
    }
  }

  /** Sets fields that are derived of all rows together. */
  derive(row: Row, set: Values | undefined): void {
    for (const { name, ...column } of this.parts.columns)
      if (this.parts.spec.derived?.includes(name) && set?.[name] !== undefined)
        row[name] = normal({ name, ...column }, set[name]);
  }

  /** A row of an event with the `derived` fields its resource has in the end. */
  private withDerived(row: Row): Row {
    const last = this.after.get(row.id) ?? this.gone.get(row.id);
    const derived = this.parts.spec.derived ?? [];
    return last ? { ...row, ...(Object.fromEntries(derived.map((name) => [name, last[name]])) as Values) } : row;
  }

  private async create({ ref, values = {} }: ResourceOperation): Promise<ResourceOutcome> {
    const { spec, links, columns } = this.parts;
    const { scope, isTrusted } = this.call;
    const { transitions } = spec;
    const input: Values = { ...(typeof values === 'object' ? values : {}), ...scope };
    if (transitions && input[transitions.field] === undefined) input[transitions.field] = transitions.initial;
    const id = this.host.newId();
    const fields = columns.map((column) => {
      const value = input[column.name];
      if (value === undefined) return [column.name, normal(column, structuredClone(column.initial))];
      // Operations of a bulk are merge patches, whatever they do.
      return [column.name, normal(column, isTrusted ? value : merged(column.schema, undefined, value))];
    });
    const row: Row = {
      ...(Object.fromEntries(fields) as Values),
      ...(links && { [links.field]: links.normal(input[links.field] ?? []) }),
      id,
      version: 1,
      created_by: this.uow.ctx.actor?.id ?? null,
      created_at: '',
      updated_at: '',
    };
    if (!isTrusted) {
      const absent = columns.filter(
        ({ name, initial }) => name in spec.fields && initial === undefined && input[name] === undefined,
      );
      this.refuse([
        ...absent.map(({ name }) => ({ field: `/${name}`, reason: 'is required' })),
        ...(links ? links.faults(links.of(input), (card) => this.known.sees(card)) : []),
        ...this.faultsOf(row, row),
      ]);
      this.requireRight(spec.permissions.manage, decisiveCards(this.parts, row), 'every');
    }
    const next = await this.prepared(undefined, row);
    this.created.push(id);
    if (ref !== undefined) this.refs.set(ref, id);
    this.after.set(id, next);
    this.record('created', next, this.differences(undefined, next));
    return { outcome: 'created', id, version: 1 };
  }

  private async update(before: Row, operation: ResourceOperation): Promise<ResourceOutcome> {
    const { spec, links } = this.parts;
    const { manage } = spec.permissions;
    const owners = decisiveCards(this.parts, before);
    this.requireRight(manage, owners, 'some');
    const { values = {} } = operation;
    const changed = (): string[] =>
      typeof values === 'object'
        ? this.differences(before, this.kept(before, this.patched(before, values), values)).map(({ field }) => field)
        : [];
    this.checkVersion(before, operation, changed);
    this.refuseReadOnly(before);
    const patch = typeof values === 'object' ? values : values(this.seen(before));
    const said = this.patched(before, patch);
    const wanted = this.kept(before, said, patch);
    const touched = Object.fromEntries(
      Object.entries(said).filter(([field]) => field in patch && !isDeepStrictEqual(before[field], said[field])),
    );
    const linked = links && patch[links.field] !== undefined ? links : undefined;
    const fixed = this.call.isTrusted ? [] : (spec.fixed ?? []).filter((field) => field in touched);
    this.refuse([
      ...fixed.map((field) => ({ field: `/${field}`, reason: 'stays as it was created' })),
      ...(linked && !this.call.isTrusted ? linked.faults(linked.of(patch), (card) => this.known.sees(card)) : []),
      ...(linked ? linked.tooMany(linked.of(wanted)) : []),
      ...this.faultsOf(wanted, this.call.isTrusted ? {} : touched),
    ]);
    const next = await this.prepared(before, wanted);
    const moved = new Set(decisiveCards(this.parts, next).filter((card) => !owners.includes(card)));
    if (links?.permission !== undefined) {
      const { put, gone } = links.moved(before, next);
      for (const card of [...put.map(({ card_id }) => card_id), ...gone]) moved.add(card);
    }
    if (moved.size > 0) this.requireRight(manage, [...moved], 'every');
    const changes = this.differences(before, next);
    if (changes.length === 0) return { outcome: 'unchanged', id: before.id, version: before.version };
    next.version = before.version + 1;
    this.after.set(before.id, next);
    this.record('updated', next, changes);
    return { outcome: 'updated', id: before.id, version: next.version };
  }

  private async move(before: Row, { to, body = {}, event, ...operation }: ResourceOperation): Promise<ResourceOutcome> {
    const { spec } = this.parts;
    const transitions = spec.transitions!;
    this.requireRight(spec.permissions.manage, decisiveCards(this.parts, before), 'some');
    this.checkVersion(before, operation, () => []);
    if (to === undefined) throw this.host.invalid({ field: '/to', reason: 'is required' });
    const permission = transitions.permissions?.[to];
    if (permission !== undefined && !this.call.isTrusted && !this.uow.ctx.permissions.has(permission))
      throw this.host.problem('forbidden', {
        detail: `The permission ${permission} is required.`,
        required_permission: permission,
      });
    const from = before[transitions.field] as string;
    const allowed = transitions.moves[from] ?? [];
    if (!allowed.includes(to)) {
      const detail = `From ${from} ${spec.label} goes to ${allowed.join(' or ') || 'no other state'}, not to ${to}.`;
      throw (
        transitions.refused?.({ detail, from, to, allowed }) ??
        this.host.problem('invalid_state', { detail, state: from, to, allowed })
      );
    }
    const { host, uow } = this;
    const set = (await transitions.guard?.({ host, uow, ctx: uow.ctx, before, from, to, body })) ?? {};
    const next = await this.prepared(before, { ...this.patched(before, set as Values), [transitions.field]: to });
    next.version = before.version + 1;
    this.after.set(before.id, next);
    const said = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
    this.record(
      'transitioned',
      next,
      this.differences(before, next),
      event?.data ?? { from, to, ...said },
      event?.type,
    );
    return { outcome: 'transitioned', id: before.id, version: next.version };
  }

  private async remove(before: Row, operation: ResourceOperation): Promise<ResourceOutcome> {
    const { spec } = this.parts;
    this.requireRight(spec.permissions.remove ?? spec.permissions.manage, decisiveCards(this.parts, before), 'every');
    this.checkVersion(before, operation, () => []);
    this.refuseReadOnly(before);
    const { host, uow } = this;
    await spec.removing?.({ host, uow, ctx: uow.ctx, id: before.id, before });
    this.after.set(before.id, undefined);
    if (!this.stored.has(before.id)) this.gone.set(before.id, { ...before });
    this.record('deleted', before, this.differences(before, undefined));
    return { outcome: 'deleted', id: before.id, version: before.version };
  }

  /** @throws not_found, conflict where it went to another card while its rights were looked up */
  private find({ id, ref }: ResourceOperation): Row {
    const known = id?.toLowerCase() ?? (ref === undefined ? undefined : this.refs.get(ref));
    if (known === undefined)
      throw this.host.invalid(
        ref === undefined
          ? { field: '/id', reason: 'is required' }
          : { field: '/ref', reason: 'names nothing an earlier operation created' },
      );
    const row = this.after.has(known) ? this.after.get(known) : this.stored.get(known);
    if (!row || Object.entries(this.call.scope).some(([field, value]) => row[field] !== value))
      throw this.host.problem('not_found');
    const owners = this.parts.cards.owningCards(row);
    if (owners.some((card) => !this.known.wasAsked(card)))
      throw this.host.problem('conflict', { detail: 'Others changed the same resource; try again.' });
    if (owners.some((card) => !this.known.sees(card))) throw this.host.problem('not_found');
    return row;
  }

  /**
   * The application permission, or a stakeholder role on cards.
   * @param cards those of the resource
   * @param how many of them there must be a role on
   * @throws forbidden
   */
  private requireRight(permission: string, cards: readonly string[], how: 'some' | 'every'): void {
    const writable = this.known.writable(permission);
    if (!writable) return;
    const may = (card: string): boolean => writable.has(card);
    if (cards.length > 0 && (how === 'some' ? cards.some(may) : cards.every(may))) return;
    throw lacking(this.parts, this.host, permission);
  }

  private checkVersion(row: Row, { version }: Pick<ResourceOperation, 'version'>, changed: () => string[]): void {
    const { ctx } = this.uow;
    if (this.call.isConditional) this.host.checkVersion(ctx, row.version, ctx.ifMatch ? changed() : []);
    else if (version !== undefined && version !== row.version)
      throw this.host.problem('precondition_failed', { current_version: row.version, changed_fields: changed() });
  }

  private refuseReadOnly(row: Row): void {
    const { label, transitions } = this.parts.spec;
    const state = transitions && (row[transitions.field] as string);
    if (this.call.isTrusted || state === undefined || !transitions?.readOnly?.includes(state)) return;
    throw this.host.problem('invalid_state', {
      detail: `In the state ${state} ${label} is read-only; move it first.`,
      state,
      allowed: transitions.moves[state] ?? [],
    });
  }

  /** The fields as the caller sees them. */
  private seen(row: Row): Values {
    const { links } = this.parts;
    return links ? { ...row, [links.field]: links.of(row).filter(({ card_id }) => this.known.sees(card_id)) } : row;
  }

  /** With a merge patch. */
  private patched(before: Row, patch: Values): Row {
    const { columns, links } = this.parts;
    const changes = columns.flatMap((column) => {
      const value = patch[column.name];
      return value === undefined
        ? []
        : [[column.name, normal(column, merged(column.schema, before[column.name], value))]];
    });
    const linked = links && patch[links.field] !== undefined ? links.normal(patch[links.field]) : undefined;
    return { ...before, ...(Object.fromEntries(changes) as Values), ...(linked && { [links!.field]: linked }) };
  }

  /** With the hidden cards that the fields of a patch named before: they are not the caller's to take away. */
  private kept(before: Row, patched: Row, patch: Values): Row {
    const { links, cards } = this.parts;
    const sent = Object.fromEntries(Object.keys(patch).map((field) => [field, patched[field]]));
    const row = { ...patched, ...cards.kept(before, sent, (card) => !this.known.sees(card)), id: before.id };
    if (!links || patch[links.field] === undefined) return row;
    const hidden = links.of(before).filter(({ card_id }) => !this.known.sees(card_id));
    const shown = [...new Map(links.of(patched).map((link) => [link.card_id, link])).values()];
    return { ...row, [links.field]: links.normal([...shown, ...hidden]) };
  }

  /** All that schemas cannot say. @param touched fields that are set anew: what was there before is not looked up again */
  private faultsOf(row: Row, touched: Values): Fault[] {
    const { columns, references, links } = this.parts;
    const faults = columns.flatMap((column): Fault[] => {
      const reason = this.call.isTrusted ? undefined : fault(column, row[column.name]);
      if (reason !== undefined) return [{ field: `/${column.name}`, reason }];
      return missing(column.schema, row[column.name], `/${column.name}`).map((field) => ({
        field,
        reason: 'is required',
      }));
    });
    const named = links ? { ...touched, [links.field]: undefined } : touched;
    return [...faults, ...unknownReferences(references, this.known.references, named)];
  }

  private refuse(faults: readonly Fault[]): void {
    if (faults.length > 0) throw this.host.invalid(...faults);
  }

  private async prepared(before: Row | undefined, next: Row): Promise<Row> {
    const { spec, columns, links } = this.parts;
    const { host, uow } = this;
    const set = ((await spec.prepare?.({ host, uow, ctx: uow.ctx, id: next.id, before, next })) ?? {}) as Values;
    const changes = columns.flatMap((column) =>
      column.name in set ? [[column.name, normal(column, set[column.name])]] : [],
    );
    return {
      ...next,
      ...(Object.fromEntries(changes) as Values),
      ...(links && set[links.field] !== undefined && { [links.field]: links.normal(set[links.field]) }),
    };
  }

  private differences(before: Row | undefined, after: Row | undefined): Event['changes'] {
    const { logged, links } = this.parts;
    const fields = logged.map(({ name }) => ({
      field: name,
      old: before?.[name] ?? null,
      new: after?.[name] ?? null,
    }));
    if (links)
      fields.push({ field: links.field, old: before ? links.of(before) : [], new: after ? links.of(after) : [] });
    return fields.filter((change) => !isDeepStrictEqual(change.old, change.new));
  }

  private record(
    kind: ResourceChangeKind,
    row: Row,
    changes: Event['changes'],
    more: Values = {},
    type?: string,
  ): void {
    this.recorded.push({ kind, row, changes, more, ...(type !== undefined && { type }) });
  }
}

/** The problem of a caller who may not write a resource. */
export function lacking({ spec, links }: ResourceParts, host: ModuleServices, permission: string): Problem {
  const cardPermission = spec.card?.permission ?? links?.permission;
  return host.problem('forbidden', {
    detail: `The permission ${permission} is required.`,
    required_permission: permission,
    ...(cardPermission !== undefined && { or_card_permission: cardPermission }),
  });
}
