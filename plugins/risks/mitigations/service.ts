import type {
  ListParams,
  ModuleServices,
  PageResult,
  RequestContext,
  ResourceResult,
  ResourceService,
  UnitOfWork,
  WrittenResource,
} from '@lintel/sdk';
import type { Register } from '../register/resource.js';
import { nextDate } from './recurrence.js';
import {
  beginOccurrence,
  endOccurrence,
  listOccurrences,
  lockMitigation,
  occurrenceStatus,
  postponeOccurrence,
  shareRisk,
  type LockedMitigation,
} from './repository.js';
import {
  mitigations,
  type CompleteBody,
  type MitigationCreate,
  type MitigationPatch,
  type OccurrenceQuery,
  type OccurrenceView,
} from './resource.js';

type Dates = Pick<LockedMitigation, 'due_date' | 'recurrence' | 'ends_on' | 'status'>;
const isOpen = ({ status }: Pick<LockedMitigation, 'status'>): boolean =>
  status === 'planned' || status === 'in_progress';

/** The mitigations of risks. An open mitigation has one open occurrence, other mitigations have none. */
export class MitigationService {
  private readonly rows: ResourceService;

  constructor(
    private readonly host: ModuleServices,
    private readonly register: Register,
  ) {
    this.rows = mitigations.service(host) as unknown as ResourceService;
  }

  /** @throws not_found if the risk does not exist */
  list(
    ctx: RequestContext,
    risk_id: string,
    query: ListParams & Record<string, unknown>,
  ): ReturnType<ResourceService['list']> {
    return this.rows.list(ctx, query, { risk_id });
  }

  /** @throws not_found */
  resource(ctx: RequestContext, risk_id: string, id: string): Promise<Omit<ResourceResult, 'status'>> {
    return this.rows.resource(ctx, id, { risk_id });
  }

  /** @throws not_found */
  history(ctx: RequestContext, risk_id: string, id: string, query: ListParams): ReturnType<ResourceService['history']> {
    return this.rows.history(ctx, id, query, { risk_id });
  }

  /** @throws not_found */
  async occurrences(
    ctx: RequestContext,
    risk_id: string,
    id: string,
    query: OccurrenceQuery,
  ): Promise<PageResult<OccurrenceView>> {
    await this.rows.get(ctx, id, { risk_id });
    return await listOccurrences(this.host.db, query, id);
  }

  /** @throws not_found, forbidden, invalid_state where the risk is closed, validation_failed */
  async create(ctx: RequestContext, risk_id: string, body: MitigationCreate): Promise<WrittenResource> {
    await this.register.requireWrite(ctx, risk_id);
    await this.checkOwner(body.owner_id);
    const dates: Dates = {
      due_date: body.due_date ?? null,
      recurrence: body.recurrence ?? 'none',
      ends_on: body.ends_on ?? null,
      status: body.status ?? 'planned',
    };
    return await this.answering(ctx, risk_id, async (uow) => {
      await this.enter(uow, risk_id);
      this.checkDates(dates);
      const id = await this.rows.createIn(uow, {
        ...body,
        title: body.title.trim(),
        risk_id,
        series_start: dates.due_date,
      });
      if (isOpen(dates)) await beginOccurrence(uow, this.host.newId(), id, dates.due_date);
      return { id, version: 1 };
    });
  }

  /** Runs a write of a mitigation in a transaction. */
  private answering(
    ctx: RequestContext,
    risk_id: string,
    work: (uow: UnitOfWork) => Promise<{ id: string; version: number }>,
  ): Promise<WrittenResource> {
    return this.rows.answering(
      ctx,
      async (written) =>
        (
          await this.host.transactions.run(ctx, async (uow) => {
            const result = await work(uow);
            await written(uow, result.id);
            return result;
          })
        ).id,
      { risk_id },
    );
  }

  /** @throws not_found, forbidden, precondition_failed, invalid_state, validation_failed */
  async update(ctx: RequestContext, risk_id: string, id: string, patch: MitigationPatch): Promise<WrittenResource> {
    await this.register.requireWrite(ctx, risk_id);
    const owners = typeof patch.owner_id === 'string' ? await this.host.users.find([patch.owner_id]) : undefined;
    return await this.answering(ctx, risk_id, async (uow) => {
      await this.enter(uow, risk_id);
      const before = await this.lock(uow, id, risk_id);
      const after = { ...before, ...patch };
      // A wrong version is reported before other errors.
      if (!ctx.ifMatch || ctx.ifMatch.has(before.version)) {
        this.checkDates(after);
        const owner = patch.owner_id?.toLowerCase();
        if (owner !== undefined && owner !== before.owner_id && !owners?.get(owner)?.is_active)
          throw this.host.invalid({ field: '/owner_id', reason: 'names no active user' });
      }
      const isMoved = (['due_date', 'recurrence', 'recurrence_interval'] as const).some(
        (field) => after[field] !== before[field],
      );
      const title = patch.title?.trim();
      const version = await this.rows.updateIn(uow, id, {
        ...patch,
        ...(title !== undefined && { title }),
        ...(isMoved && { series_start: after.due_date }),
      });
      await this.follow(uow, before, after);
      return { id, version };
    });
  }

  /** @throws not_found, forbidden, precondition_failed, invalid_state */
  async remove(ctx: RequestContext, risk_id: string, id: string): Promise<void> {
    await this.register.requireWrite(ctx, risk_id);
    await this.host.transactions.run(ctx, async (uow) => {
      await this.enter(uow, risk_id);
      await this.lock(uow, id, risk_id);
      await this.rows.removeIn(uow, id);
    });
  }

  /**
   * Ends the open occurrence and creates the next one of the series; without a next one the mitigation is done.
   * @throws not_found, forbidden, precondition_failed, invalid_state where it is not open any more
   */
  async complete(
    ctx: RequestContext,
    risk_id: string,
    id: string,
    occurrenceId: string,
    body: CompleteBody,
  ): Promise<WrittenResource> {
    await this.register.requireWrite(ctx, risk_id);
    const { outcome = 'done', comment = null } = body ?? {};
    return await this.answering(ctx, risk_id, async (uow) => {
      await this.enter(uow, risk_id);
      const before = await this.lock(uow, id, risk_id);
      this.host.checkVersion(ctx, before.version, []);
      const state = await occurrenceStatus(uow, occurrenceId, id);
      if (state === undefined) throw this.host.problem('not_found');
      if (state !== 'open') throw this.host.problem('invalid_state', { detail: `The occurrence is ${state}.`, state });
      const ended = (await endOccurrence(uow, id, outcome, comment))!;
      const due = this.nextDue(before);
      const next = due === undefined ? null : await beginOccurrence(uow, this.host.newId(), id, due);
      const last = before.recurrence === 'none' && outcome === 'skipped' ? 'cancelled' : 'done';
      const version = await this.rows.updateIn(
        uow,
        id,
        next ? { due_date: due, status: 'in_progress' } : { status: last },
      );
      uow.emit({
        type: 'risks_mitigation.occurrence_ended',
        subject: { kind: 'risks_mitigation', id, name: before.title },
        data: {
          risk_id,
          occurrence_id: ended.id,
          number: ended.number,
          due_date: ended.due_date,
          outcome,
          comment,
          next,
        },
      });
      return { id, version };
    });
  }

  private nextDue({
    recurrence,
    recurrence_interval,
    series_start,
    due_date,
    ends_on,
  }: LockedMitigation): string | undefined {
    if (due_date === null) return undefined;
    const next = nextDate(recurrence, recurrence_interval, series_start ?? due_date, due_date);
    return next !== undefined && (ends_on === null || next <= ends_on) ? next : undefined;
  }

  /** Updates the open occurrence after a change of the mitigation by a user. */
  private async follow(uow: UnitOfWork, before: LockedMitigation, after: LockedMitigation): Promise<void> {
    if (isOpen(before) && !isOpen(after))
      await endOccurrence(uow, before.id, after.status === 'done' ? 'done' : 'cancelled', null);
    else if (!isOpen(before) && isOpen(after)) await beginOccurrence(uow, this.host.newId(), before.id, after.due_date);
    else if (isOpen(after) && after.due_date !== before.due_date)
      await postponeOccurrence(uow, before.id, after.due_date);
  }

  private checkDates({ due_date, recurrence, ends_on, status }: Dates): void {
    const faults = [];
    if (recurrence !== 'none' && due_date === null && isOpen({ status }))
      faults.push({ field: '/due_date', reason: 'is required where the mitigation recurs' });
    if (recurrence === 'none' && ends_on !== null)
      faults.push({ field: '/ends_on', reason: 'is only for a mitigation that recurs' });
    if (ends_on !== null && due_date !== null && ends_on < due_date)
      faults.push({ field: '/ends_on', reason: 'must not be before due_date' });
    if (faults.length > 0) throw this.host.invalid(...faults);
  }

  private async checkOwner(owner: string | null | undefined): Promise<void> {
    if (typeof owner !== 'string' || (await this.host.users.find([owner])).get(owner.toLowerCase())?.is_active) return;
    throw this.host.invalid({ field: '/owner_id', reason: 'names no active user' });
  }

  /** @throws not_found, invalid_state where the risk is closed */
  private async enter(uow: UnitOfWork, riskId: string): Promise<void> {
    const status = await shareRisk(uow, riskId);
    if (status === undefined) throw this.host.problem('not_found');
    if (status === 'closed')
      throw this.host.problem('invalid_state', {
        detail: 'A closed risk is read-only; reopen it first.',
        state: status,
      });
  }

  private async lock(uow: UnitOfWork, id: string, riskId: string): Promise<LockedMitigation> {
    const row = await lockMitigation(uow, id, riskId);
    if (!row) throw this.host.problem('not_found');
    return row;
  }
}
