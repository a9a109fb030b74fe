import type { BulkAnswer, BulkMode } from '../bulk.js';
import type { RequestContext } from '../context.js';
import type { PageResult, ResourceResult, UploadedFile } from '../http.js';
import type { Bindings, ListParams, ModuleServices, UnitOfWork } from '../services.js';
import type { ResourceBulkOperation } from './bulk-operations.js';
import { ResourceFiles, type FileOwner } from './files.js';
import type { ResourceFile } from './files-repository.js';
import { decisiveCards, lookUp } from './known.js';
import type { ResourceOperation, ResourceOutcome, ResourceBulkRow } from './operation.js';
import type { ResourceParts } from './parts.js';
import { findReferences, unknownReferences } from './references.js';
import { requireRight } from './rights.js';
import type { HistoryEntry, ResourceScope, WrittenResource } from './results.js';
import type { Row, Values } from './spec.js';
import { ResourceWriter } from './writer.js';

type Query = ListParams & Values;
/** A resource in a response. */
type Shown = { version: number; body: Values; derived: unknown };
/** Rows that are deleted together with cards are read in parts of this size. */
const AT_ONCE = 10_000;

/** The only way to read and write a resource; input has been validated against its schema. */
export class ResourceCore {
  private readonly writer: ResourceWriter;
  private readonly attached: ResourceFiles | undefined;
  /** Path of the resource's routes; for Location. */
  path: string | undefined;

  constructor(
    private readonly parts: ResourceParts,
    readonly host: ModuleServices,
  ) {
    this.writer = new ResourceWriter(parts, host);
    this.attached = parts.files && new ResourceFiles(parts.files, parts.spec.files!, host);
  }

  async list(ctx: RequestContext, query: Query, scope: ResourceScope = {}): Promise<PageResult<Values>> {
    await this.requireScope(ctx, scope);
    const { rows, links, spec, restricted } = this.parts;
    const bindings = this.host.db.bindings();
    const { page: _p, page_size: _s, cursor: _c, sort_by: _b, sort_dir: _d, total, ...others } = query;
    // A resource may have a filter of this name, which then replaces the parameter of lists.
    const isFilter = spec.filters !== undefined && 'total' in spec.filters;
    const filters = isFilter ? { ...others, total } : others;
    const of = links && scope[links.field];
    const where = await this.conditions(ctx, { ...filters, ...(of !== undefined && { card_id: of }) }, bindings);
    for (const [field, value] of Object.entries(scope))
      if (field !== links?.field) where.push(`r.${this.columnOf(field)} = ${bindings.add(value)}`);
    const page = await rows.page(
      this.host.db,
      { ...query, sort_by: restricted.sortFor(ctx, query.sort_by), total: isFilter ? undefined : total },
      where,
      bindings,
      JSON.stringify([Object.entries(filters).sort(), scope]),
    );
    const bodies = (await this.shown(ctx, page.items)).flatMap((one) => (one ? [one.body] : []));
    for (const body of bodies) for (const name of spec.unlisted ?? []) delete body[name];
    return { ...page, items: bodies };
  }

  /**
   * The conditions of a list, for custom statements over the table, as `r`.
   * @param query the filters of the list
   * @param bindings collect the values
   * @returns conditions, to be joined by AND, including those that exclude hidden resources
   */
  async conditions(ctx: RequestContext, query: Values, bindings: Bindings): Promise<string[]> {
    const { conditions, cards } = this.parts;
    const request = { ctx, host: this.host, query };
    const audience = this.parts.spec.audience?.sql(ctx, (value) => bindings.add(value), 'r');
    const words = this.host.searchFold((query['search'] as string | undefined) ?? '').split(' ');
    return [
      ...(audience === undefined ? [] : [`(${audience})`]),
      ...conditions.flatMap((condition) => condition(query, bindings, request)),
      ...(await cards.where(this.host, ctx, query, bindings)),
      ...[...new Set(words.filter(Boolean))].map(
        (word) => `r.search_text like ${bindings.add(`%${word.replace(/[\\%_]/g, '\\$&')}%`)}`,
      ),
    ];
  }

  private columnOf(field: string): string {
    return this.parts.columns.find(({ name }) => name === field)?.column ?? field;
  }

  /** One resource as a response has it. @throws not_found */
  async resource(ctx: RequestContext, id: string, scope: ResourceScope = {}): Promise<Omit<ResourceResult, 'status'>> {
    await this.requireScope(ctx, scope);
    const one = (await this.shown(ctx, [await this.find(ctx, id, scope)]))[0];
    if (!one) throw this.host.problem('not_found');
    return one;
  }

  /** @throws not_found */
  async get(ctx: RequestContext, id: string, scope?: ResourceScope): Promise<Values> {
    return (await this.resource(ctx, id, scope)).body as Values;
  }

  /** The changes of a resource, latest first. @throws not_found, forbidden */
  async history(
    ctx: RequestContext,
    id: string,
    { page, page_size, cursor, sort_dir, total }: ListParams,
    scope: ResourceScope = {},
  ): Promise<PageResult<HistoryEntry>> {
    await this.requireScope(ctx, scope);
    const row = await this.visible(ctx, id, scope);
    if (this.parts.spec.audience?.seesHistory?.(ctx, row) === false)
      throw this.host.problem('forbidden', { detail: 'Its history may be older than your right to see it.' });
    const bodyMembers = Object.keys(this.parts.spec.transitions?.body ?? {});
    const events = await this.host.events.history(
      { kind: this.parts.spec.kind, id },
      { page, page_size, cursor, sort_dir, total },
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
        ...(Object.fromEntries(bodyMembers.map((name) => [name, data[name] ?? null])) as Values),
        changes: (data['changes'] as HistoryEntry['changes'] | undefined) ?? [],
      })),
    };
  }

  /**
   * @returns the id
   * @throws validation_failed, forbidden, and what `prepare` throws
   */
  async create(ctx: RequestContext, values: Values, scope: ResourceScope = {}): Promise<string> {
    await this.requireScope(ctx, scope);
    return (await this.writer.one(ctx, { op: 'create', values }, scope)).id;
  }

  /** @throws not_found, precondition_failed, validation_failed, forbidden, invalid_state, and what `prepare` throws */
  async update(ctx: RequestContext, id: string, patch: Values, scope: ResourceScope = {}): Promise<void> {
    await this.requireScope(ctx, scope);
    await this.writer.one(ctx, { op: 'update', id, values: patch }, scope);
  }

  /**
   * Executes one operation, which is no deletion, with the condition of the request.
   * @returns the resource as it was written; see `answering`
   * @throws as `create`, `update` and `transition`
   */
  async write(ctx: RequestContext, operation: ResourceOperation, scope: ResourceScope = {}): Promise<WrittenResource> {
    await this.requireScope(ctx, scope);
    return await this.executed(ctx, operation, scope);
  }

  private executed(ctx: RequestContext, operation: ResourceOperation, scope: ResourceScope, cards?: readonly string[]) {
    const work: Parameters<typeof this.answering>[1] = async (written) =>
      (await this.writer.one(ctx, operation, scope, cards, written)).id;
    return this.answering(ctx, work, scope);
  }

  /**
   * Runs a write, and returns the resource as it was written: once the transaction has ended, another request may change or delete it.
   * @param work calls `written` at the end of its transaction, and returns the id
   */
  async answering(
    ctx: RequestContext,
    work: (written: (uow: UnitOfWork, id: string) => Promise<void>) => Promise<string>,
    scope: ResourceScope = {},
  ): Promise<WrittenResource> {
    let stored: Row | undefined;
    const id = await work(async (uow, written) => {
      [stored] = await this.parts.rows.find(this.host.join(uow), [written]);
    });
    // Nothing was written for a repeated Idempotency-Key.
    const [one] = stored && this.isIn(ctx, stored, scope) ? await this.shown(ctx, [stored]) : [];
    return { id, resource: one ?? (await this.resource(ctx, id, scope)) };
  }

  /**
   * Like `update`, if the patch depends on the stored state.
   * @param cards that the patch may reference
   * @param patchOf receives the locked resource with the links visible to the caller
   * @returns the resource as it was written; see `answering`
   */
  async change(
    ctx: RequestContext,
    id: string,
    cards: readonly string[],
    patchOf: (row: Values) => Values,
    scope: ResourceScope = {},
  ): Promise<WrittenResource> {
    await this.requireScope(ctx, scope);
    return await this.executed(ctx, { op: 'update', id, values: patchOf }, scope, cards);
  }

  /** @throws not_found, precondition_failed, forbidden, invalid_state, and what `removing` throws */
  async remove(ctx: RequestContext, id: string, scope: ResourceScope = {}): Promise<void> {
    await this.requireScope(ctx, scope);
    await this.writer.one(ctx, { op: 'delete', id }, scope);
  }

  /** @throws not_found, precondition_failed, forbidden, the problem of `refused` for an impossible transition, errors of the guard */
  async transition(
    ctx: RequestContext,
    id: string,
    to: string,
    body: Values = {},
    scope: ResourceScope = {},
  ): Promise<void> {
    await this.requireScope(ctx, scope);
    await this.writer.one(ctx, { op: 'transition', id, to, body }, scope);
  }

  /** @throws validation_failed with the failed rows, in all_or_nothing, if one failed and it is not a dry run */
  async bulk(
    ctx: RequestContext,
    operations: readonly ResourceBulkOperation[],
    mode: BulkMode,
    scope: ResourceScope = {},
  ): Promise<BulkAnswer<ResourceBulkRow>> {
    await this.requireScope(ctx, scope);
    return await this.writer.bulk(ctx, operations, mode, scope);
  }

  /** The files of a resource. @throws not_found */
  async listFiles(
    ctx: RequestContext,
    id: string,
    params: ListParams,
    scope: ResourceScope = {},
  ): Promise<PageResult<ResourceFile>> {
    await this.requireScope(ctx, scope);
    return await this.files.list((await this.visible(ctx, id, scope)).id, params);
  }

  /** One file of a resource, and its bytes, chunk by chunk. @throws not_found */
  async openFile(
    ctx: RequestContext,
    id: string,
    fileId: string,
    scope: ResourceScope = {},
  ): Promise<{ file: ResourceFile; bytes: AsyncIterable<Buffer> }> {
    await this.requireScope(ctx, scope);
    return await this.files.open((await this.visible(ctx, id, scope)).id, fileId);
  }

  /**
   * Adds files to a resource, all or none.
   * @throws not_found, forbidden, precondition_failed, invalid_state, validation_failed
   */
  async addFiles(
    ctx: RequestContext,
    id: string,
    uploads: readonly UploadedFile[],
    scope: ResourceScope = {},
  ): Promise<ResourceFile[]> {
    await this.requireScope(ctx, scope);
    return await this.files.add(ctx, this.owner(ctx, scope), id.toLowerCase(), uploads);
  }

  /** @throws not_found, forbidden, precondition_failed, invalid_state */
  async removeFile(ctx: RequestContext, id: string, fileId: string, scope: ResourceScope = {}): Promise<void> {
    await this.requireScope(ctx, scope);
    await this.files.remove(this.owner(ctx, scope), id.toLowerCase(), fileId);
  }

  private get files(): ResourceFiles {
    if (!this.attached) throw new Error(`${this.parts.spec.labels} have no files`);
    return this.attached;
  }

  private owner(ctx: RequestContext, scope: ResourceScope): FileOwner {
    return {
      requireWrite: async (id) => {
        await this.visible(ctx, id, scope);
        await this.requireWrite(ctx, id);
      },
      change: async (id, also) => (await this.writer.one(ctx, { op: 'update', id, also }, scope)).also ?? [],
    };
  }

  /** @throws validation_failed, forbidden; the returned function throws what `create` throws otherwise */
  async prepareCreate(
    ctx: RequestContext,
    values: Values,
    scope: ResourceScope = {},
  ): Promise<(uow: UnitOfWork) => Promise<string>> {
    await this.requireScope(ctx, scope);
    const write = await this.writer.prepare(ctx, { op: 'create', values }, scope);
    return async (uow) => (await write(uow)).id;
  }

  async createIn(uow: UnitOfWork, values: Values): Promise<string> {
    return (await this.writer.oneIn(uow, { op: 'create', values })).id;
  }

  async updateIn(uow: UnitOfWork, id: string, patch: Values): Promise<number> {
    return (await this.writer.oneIn(uow, { op: 'update', id, values: patch })).version;
  }

  async removeIn(uow: UnitOfWork, id: string): Promise<void> {
    await this.writer.oneIn(uow, { op: 'delete', id });
  }

  /** Deletes the resources that cannot exist without these cards, with an event for each; for `cardsDeleted` of the manifest. */
  async removeOfCards(uow: UnitOfWork, cards: readonly string[]): Promise<void> {
    const columns = this.parts.cards.requiredColumns;
    if (columns.length === 0) return;
    const ids = await this.parts.rows.idsOf(uow, columns, cards);
    for (let at = 0; at < ids.length; at += AT_ONCE)
      await this.writer.manyIn(
        uow,
        ids.slice(at, at + AT_ONCE).map((id) => ({ op: 'delete', id })),
      );
  }

  async writeIn(uow: UnitOfWork, operations: readonly ResourceOperation[]): Promise<ResourceOutcome[]> {
    return await this.writer.manyIn(uow, operations);
  }

  /** Requires that the caller may change a resource. @throws not_found, forbidden */
  async requireWrite(ctx: RequestContext, id: string): Promise<void> {
    const { spec } = this.parts;
    const { manage } = spec.permissions;
    const row = await this.visible(ctx, id, {});
    if (ctx.permissions.has(manage)) return;
    const known = await lookUp(this.parts, this.host, ctx, [{ op: 'update', id }]);
    requireRight(this.parts, this.host, known, manage, decisiveCards(this.parts, row), 'some');
  }

  /** Checks the objects in the path. @throws not_found if one does not exist or is hidden from the caller */
  private async requireScope(ctx: RequestContext, scope: ResourceScope): Promise<void> {
    if (Object.keys(scope).length === 0) return;
    const { references, links } = this.parts;
    const fields = links ? new Map([...references, [links.field, 'card' as const]]) : references;
    const found = await findReferences(this.host, ctx, fields, [scope]);
    if (unknownReferences(fields, found, scope).length > 0) throw this.host.problem('not_found');
  }

  /** The stored resource. @throws not_found */
  private async find(ctx: RequestContext, id: string, scope: ResourceScope): Promise<Row> {
    const [row] = await this.parts.rows.find(this.host.db, [id]);
    if (!row || !this.isIn(ctx, row, scope)) throw this.host.problem('not_found');
    return row;
  }

  /** Whether a stored resource is in the path of the request, and of those that the caller may see. */
  private isIn(ctx: RequestContext, row: Row, scope: ResourceScope): boolean {
    return (
      this.parts.spec.audience?.sees(ctx, row) !== false &&
      Object.entries(scope).every(([field, value]) => row[field] === value)
    );
  }

  /** Like `find`. @throws not_found, also if it belongs to a hidden card */
  private async visible(ctx: RequestContext, id: string, scope: ResourceScope): Promise<Row> {
    const row = await this.find(ctx, id, scope);
    if ((await this.parts.cards.shown(this.host, ctx, [row]))[0] === undefined) throw this.host.problem('not_found');
    return row;
  }

  /** Resources as the caller sees them, by index; undefined for those of hidden cards. The number of statements does not depend on their number. */
  private async shown(ctx: RequestContext, stored: readonly Row[]): Promise<(Shown | undefined)[]> {
    const { spec, cards, links, restricted } = this.parts;
    const { host } = this;
    const masked = await cards.shown(host, ctx, stored);
    const rows = masked.filter((row) => row !== undefined);
    const linked = links && rows.length > 0 ? await links.shown(host, ctx, rows) : [];
    const presented = rows.length > 0 ? ((await spec.present?.(rows, ctx, host)) ?? []) : [];
    const hiddenFields = [...restricted.hiddenFrom(ctx)];
    let place = 0;
    return masked.map((row, i) => {
      if (!row) return undefined;
      const at = place++;
      const more: Values = {
        ...(links && { [links.field]: linked[at] }),
        ...(spec.transitions && {
          allowed_transitions: spec.transitions.moves[row[spec.transitions.field] as string] ?? [],
        }),
        ...(spec.reference && { reference: spec.reference(row, host) }),
        ...presented[at],
      };
      // The tag must not depend on values that the caller may not see.
      for (const name of hiddenFields) delete more[name];
      const body: Values = { ...row, ...more };
      for (const name of [...(spec.hidden ?? []), ...hiddenFields]) delete body[name];
      const differing = cards.differing(stored[i]!, row);
      // These members can change without a change of the version.
      const unversioned = [...Object.keys(spec.reads ?? {}), ...(spec.derived ?? []).filter((name) => name in body)];
      const derived =
        unversioned.length > 0 || Object.keys(more).length > 0 || hiddenFields.length > 0
          ? [more, unversioned.map((name) => body[name]), differing, ...hiddenFields]
          : differing;
      return { version: row.version, body, derived };
    });
  }
}
