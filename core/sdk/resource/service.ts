import { isDeepStrictEqual } from 'node:util';
import type { LogEvent, RequestContext } from '../context.js';
import type { PageResult, ResourceResult } from '../http.js';
import type { ListParams, ModuleServices, UnitOfWork } from '../services.js';
import { CardFields } from './card-fields.js';
import { fault, normal, type Column } from './columns.js';
import type { Condition } from './filters.js';
import { merged, missing } from './merge.js';
import { unknownReferences } from './references.js';
import type { Raw, ResourceRepository } from './repository.js';
import type { AnySpec, Row, Values } from './spec.js';

type Query = ListParams & Values;
/** What a path says of a resource: `{ card_id }` below a card. Resources beyond it are unknown there. */
export type ResourceScope = Readonly<Record<string, string>>;

/** One change of a resource, from the event log. `version` is null where it made none. */
export interface HistoryEntry {
  version: number | null;
  at: string;
  type: string;
  actor: LogEvent['actor'];
  origin: string;
  change_id: string | null;
  request_id: string | null;
  changes: { field: string; old: unknown; new: unknown }[];
}

export interface ResourceParts {
  spec: AnySpec;
  columns: readonly Column[];
  rows: ResourceRepository;
  conditions: readonly Condition[];
  /** The field events name a resource by. */
  name: string | undefined;
}

/** The only way a resource is read and written; what is sent was held to its schema before. */
export class ResourceCore {
  private readonly references;
  private readonly cards: CardFields;
  /** Where the module's routes are mounted; for Location. */
  path: string | undefined;

  constructor(
    private readonly parts: ResourceParts,
    readonly host: ModuleServices,
  ) {
    this.references = new Map(
      Object.entries(parts.spec.references ?? {}).flatMap(([field, target]) =>
        target ? [[field, target] as const] : [],
      ),
    );
    this.cards = new CardFields(parts.spec, parts.columns, host);
  }

  async list(ctx: RequestContext, query: Query, scope: ResourceScope = {}): Promise<PageResult<Values>> {
    await this.enter(ctx, scope);
    const { rows, conditions } = this.parts;
    const bindings = this.host.db.bindings();
    const where = [
      ...conditions.flatMap((condition) => condition(query, bindings)),
      ...(await this.cards.where(ctx, query, bindings)),
    ];
    for (const [field, value] of Object.entries(scope)) where.push(`r.${field} = ${bindings.add(value)}`);
    for (const word of new Set(
      this.host
        .searchFold((query['search'] as string | undefined) ?? '')
        .split(' ')
        .filter(Boolean),
    ))
      where.push(`r.search_text like ${bindings.add(`%${word}%`)}`);
    const { page: _p, page_size: _s, cursor: _c, sort_by: _b, sort_dir: _d, ...filters } = query;
    const page = await rows.page(
      this.host.db,
      query,
      where,
      bindings,
      JSON.stringify([Object.entries(filters).sort(), scope]),
    );
    const seen = (await this.cards.shown(ctx, page.items)).filter((row) => row !== undefined);
    const shown = await this.present(ctx, seen);
    return { ...page, items: seen.map((row, i) => ({ ...row, ...shown?.[i] })) };
  }

  /** One resource as it is answered. @throws not_found */
  async resource(ctx: RequestContext, id: string, scope: ResourceScope = {}): Promise<Omit<ResourceResult, 'status'>> {
    await this.enter(ctx, scope);
    const stored = await this.find(ctx, id, scope);
    const row = (await this.cards.shown(ctx, [stored]))[0]!;
    const shown = (await this.present(ctx, [row]))?.[0];
    const masked = this.cards.differing(stored, row);
    return { version: row.version, body: { ...row, ...shown }, derived: masked ? [shown, masked] : shown };
  }

  /** @throws not_found */
  async get(ctx: RequestContext, id: string, scope?: ResourceScope): Promise<Values> {
    return (await this.resource(ctx, id, scope)).body as Values;
  }

  /** Who changed what, latest first. @throws not_found */
  async history(
    ctx: RequestContext,
    id: string,
    { page, page_size, cursor, sort_dir }: ListParams,
    scope: ResourceScope = {},
  ): Promise<PageResult<HistoryEntry>> {
    await this.enter(ctx, scope);
    await this.find(ctx, id, scope);
    const events = await this.host.events.history(
      { kind: this.parts.spec.kind, id },
      { page, page_size, cursor, sort_dir },
      ctx,
    );
    return {
      ...events,
      items: events.items.map(({ type, occurred_at, actor, origin, change_id, request_id, data }) => ({
        version: (data['version'] as number | undefined) ?? null,
        at: occurred_at,
        type,
        actor,
        origin,
        change_id,
        request_id,
        changes: (data['changes'] as HistoryEntry['changes'] | undefined) ?? [],
      })),
    };
  }

  /**
   * @returns the id
   * @throws validation_failed, forbidden, and what `prepare` throws
   */
  async create(ctx: RequestContext, input: Values, scope: ResourceScope = {}): Promise<string> {
    await this.enter(ctx, scope);
    const values = this.complete({ ...input, ...scope });
    await this.check(ctx, values, values);
    await this.authorise(ctx, [values], this.parts.spec.permissions.manage);
    return (
      await this.host.transactions.run(ctx, async (uow) => ({ id: await this.createIn(uow, values), version: 1 }))
    ).id;
  }

  /** Changes what differs. @throws not_found, precondition_failed, validation_failed, forbidden, and what `prepare` throws */
  async update(ctx: RequestContext, id: string, patch: Values, scope: ResourceScope = {}): Promise<void> {
    await this.enter(ctx, scope);
    const before = await this.find(ctx, id, scope);
    const kept = await this.cards.kept(ctx, before, patch);
    const [after, said] = [this.patched(before, kept), this.patched(before, patch)];
    // What the caller says must be there for the caller; what is kept beside it is none of the caller's business.
    const touched = Object.fromEntries(
      Object.entries(said).filter(([field]) => field in patch && !isDeepStrictEqual(before[field], after[field])),
    );
    await this.check(ctx, after, touched);
    await this.authorise(ctx, [before, after], this.parts.spec.permissions.manage);
    await this.host.transactions.run(ctx, async (uow) => ({ id, version: await this.updateIn(uow, id, kept, before) }));
  }

  /** @throws not_found, precondition_failed, forbidden, and what `removing` throws */
  async remove(ctx: RequestContext, id: string, scope: ResourceScope = {}): Promise<void> {
    const { spec } = this.parts;
    await this.enter(ctx, scope);
    const before = await this.find(ctx, id, scope);
    await this.authorise(ctx, [before], spec.permissions.remove ?? spec.permissions.manage);
    await this.host.transactions.run(ctx, async (uow) => this.removeIn(uow, id, before));
  }

  /** As `create`, in a transaction of the module's own; what the fields refer to is checked by the database alone. @returns the id */
  async createIn(uow: UnitOfWork, input: Values): Promise<string> {
    const { rows, columns } = this.parts;
    const id = this.host.newId();
    const row = {
      ...this.complete(input),
      id,
      version: 1,
      created_by: uow.ctx.actor?.id ?? null,
      created_at: '',
      updated_at: '',
    };
    const next = await this.prepared(uow, id, undefined, row);
    await rows.insert(uow, id, row.created_by, next, this.computed(next));
    const changes = columns.flatMap(({ name }) =>
      next[name] === null || next[name] === undefined ? [] : [{ field: name, old: null, new: next[name] }],
    );
    this.emit(uow, 'created', next, 1, changes);
    return id;
  }

  /**
   * As `update`, in a transaction of the module's own.
   * @param seen as the caller's rights were judged by
   * @returns the version, the same where nothing changes
   */
  async updateIn(uow: UnitOfWork, id: string, patch: Values, seen?: Row): Promise<number> {
    const { rows, columns } = this.parts;
    const raw = await this.lock(uow, id, seen);
    const before = rows.view(raw);
    const wanted = this.patched(before, patch);
    const differing = (after: Values): string[] =>
      columns.map(({ name }) => name).filter((name) => !isDeepStrictEqual(before[name], after[name]));
    this.host.checkVersion(uow.ctx, raw.version, differing(wanted));
    const faults = columns.flatMap(({ name, schema }) => missing(schema, wanted[name], `/${name}`));
    if (faults.length > 0) throw this.host.invalid(...faults.map((field) => ({ field, reason: 'is required' })));
    const next = await this.prepared(uow, id, before, wanted);
    const changed = differing(next);
    if (changed.length === 0) return raw.version;
    const version = await rows.update(uow, raw, next, new Set(changed), this.computed(next));
    this.emit(
      uow,
      'updated',
      next,
      version,
      changed.map((field) => ({ field, old: before[field], new: next[field] })),
    );
    return version;
  }

  /** As `remove`, in a transaction of the module's own. */
  async removeIn(uow: UnitOfWork, id: string, seen?: Row): Promise<void> {
    const { rows, columns, spec } = this.parts;
    const raw = await this.lock(uow, id, seen);
    const before = rows.view(raw);
    this.host.checkVersion(uow.ctx, raw.version, []);
    await spec.removing?.({ host: this.host, uow, ctx: uow.ctx, id, before });
    await rows.remove(uow, id);
    this.emit(
      uow,
      'deleted',
      before,
      raw.version,
      columns.flatMap(({ name }) => (before[name] === null ? [] : [{ field: name, old: before[name], new: null }])),
    );
  }

  /** @throws not_found where what the path names is nothing the caller sees */
  private async enter(ctx: RequestContext, scope: ResourceScope): Promise<void> {
    if (Object.keys(scope).length > 0 && (await unknownReferences(this.host, ctx, this.references, scope)).length > 0)
      throw this.host.problem('not_found');
  }

  /** A resource as it is stored. @throws not_found, too where it is of a card the caller does not see */
  private async find(ctx: RequestContext, id: string, scope: ResourceScope): Promise<Row> {
    const { rows } = this.parts;
    const row = rows.view(this.within(await rows.find(this.host.db, id), scope));
    if ((await this.cards.shown(ctx, [row]))[0] === undefined) throw this.host.problem('not_found');
    return row;
  }

  private within(raw: Raw | undefined, scope: ResourceScope): Raw {
    if (!raw || Object.entries(scope).some(([field, value]) => raw[field] !== value))
      throw this.host.problem('not_found');
    return raw;
  }

  /** Where the card decides about the caller's rights, it must still be the one they were judged by. */
  private async lock(uow: UnitOfWork, id: string, seen: Row | undefined): Promise<Raw> {
    const raw = this.within(await this.parts.rows.lock(uow, id), {});
    const field = this.parts.spec.card?.field;
    if (field !== undefined && seen && seen[field] !== raw[field])
      throw this.host.problem('conflict', { detail: 'Others changed the same resource; try again.' });
    return raw;
  }

  private complete(input: Values): Values {
    return Object.fromEntries(
      this.parts.columns.map((column) => [
        column.name,
        normal(column, input[column.name] === undefined ? structuredClone(column.initial) : input[column.name]),
      ]),
    );
  }

  private patched(before: Row, patch: Values): Row {
    const changes = this.parts.columns.flatMap((column) => {
      const value = patch[column.name];
      return value === undefined
        ? []
        : [[column.name, normal(column, merged(column.schema, before[column.name], value))]];
    });
    return { ...before, ...(Object.fromEntries(changes) as Values) };
  }

  /** All that schemas cannot say. @param touched fields that are set anew: what was there before is not looked up again */
  private async check(ctx: RequestContext, after: Values, touched: Values): Promise<void> {
    const faults = this.parts.columns.flatMap((column) => {
      const reason = fault(column, after[column.name]);
      const absent = missing(column.schema, after[column.name], `/${column.name}`).map((field) => ({
        field,
        reason: 'is required',
      }));
      return reason === undefined ? absent : [{ field: `/${column.name}`, reason }];
    });
    faults.push(...(await unknownReferences(this.host, ctx, this.references, touched)));
    if (faults.length > 0) throw this.host.invalid(...faults);
  }

  /** The application permission, or a stakeholder role on each card concerned. @throws forbidden */
  private async authorise(ctx: RequestContext, rows: readonly Values[], permission: string): Promise<void> {
    const { card } = this.parts.spec;
    if (ctx.permissions.has(permission)) return;
    const cards = new Set(card ? rows.map((row) => row[card.field] as string | null) : [null]);
    for (const id of cards) {
      if (card && id !== null && (await this.host.cards.may(ctx, id, permission, card.permission))) continue;
      throw this.host.problem('forbidden', {
        detail: `The permission ${permission} is required.`,
        required_permission: permission,
        ...(card && { or_card_permission: card.permission }),
      });
    }
  }

  private async prepared(uow: UnitOfWork, id: string, before: Row | undefined, next: Row): Promise<Row> {
    const set = (await this.parts.spec.prepare?.({ host: this.host, uow, ctx: uow.ctx, id, before, next })) ?? {};
    const changes = this.parts.columns.flatMap((column) =>
      column.name in set ? [[column.name, normal(column, (set as Values)[column.name])]] : [],
    );
    return { ...next, ...(Object.fromEntries(changes) as Values) };
  }

  private computed(row: Row): Values {
    const { computed = {}, search } = this.parts.spec;
    const values = Object.entries(computed).map(([name, compute]) => [name, compute(row, this.host)]);
    const text = search
      ?.flatMap((name) => row[name] ?? [])
      .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
      .join(' ');
    return {
      ...(Object.fromEntries(values) as Values),
      ...(text !== undefined && { search_text: this.host.searchFold(text) }),
    };
  }

  private async present(ctx: RequestContext, rows: readonly Row[]): Promise<Values[] | undefined> {
    return rows.length > 0 ? await this.parts.spec.present?.(rows, ctx, this.host) : undefined;
  }

  private emit(uow: UnitOfWork, what: string, row: Row, version: number, changes: HistoryEntry['changes']): void {
    const {
      spec: { kind },
      name,
    } = this.parts;
    uow.emit({
      type: `${kind}.${what}`,
      subject: { kind, id: row.id, name: name === undefined ? null : String(row[name]) },
      data: { version, changes, ...this.cards.owners(row) },
    });
  }
}
