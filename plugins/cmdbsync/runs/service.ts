import type { PageResult, RequestContext, UnitOfWork } from '@lintel/sdk';
import type { Host } from '../basics.js';
import { refusal } from '../errors.js';
import { lockMapping } from './schedule-repository.js';
import { approve } from '../records/decisions-repository.js';
import { APPLY_JOB } from './definition.js';
import { cancelRecords, findRunView, listRuns, lockRun, setJob, setState, type LockedRun } from './repository.js';
import type { RunApply, RunQuery, RunStart, RunView } from './schemas.js';
import { startRun } from './start.js';

const OPEN = ['queued', 'reading', 'applying', 'review'];

/** Runs of mappings. */
export class RunService {
  constructor(private readonly host: Host) {}

  async list({ mapping_id, state, ...params }: RunQuery): Promise<PageResult<RunView>> {
    return await listRuns(this.host.db, params, { mapping_id, state });
  }

  /** @throws not_found */
  async get(id: string): Promise<RunView> {
    const run = await findRunView(this.host.db, id);
    if (!run) throw this.host.problem('not_found');
    return run;
  }

  /**
   * Starts a run.
   * @throws not_found, validation_failed, invalid_state for a mapping that is switched off, cmdbsync_no_account, cmdbsync_run_active
   */
  async start(ctx: RequestContext, mappingId: string, body: RunStart): Promise<RunView> {
    const { host } = this;
    const id = await host.transactions.run(ctx, async (uow) => {
      const mapping = await lockMapping(uow, mappingId);
      if (!mapping) throw host.problem('not_found');
      if (!mapping.is_enabled)
        throw host.problem('invalid_state', { detail: 'The mapping is switched off.', state: 'disabled', allowed: [] });
      const { direction = mapping.direction, full = false, dry_run = false, auto_apply = mapping.auto_apply } = body;
      if (mapping.direction !== 'both' && direction !== mapping.direction)
        throw host.invalid({
          field: '/direction',
          reason: `must be ${mapping.direction}, the direction of the mapping`,
        });
      const started_by = ctx.actor?.id ?? null;
      return await startRun(host, uow, mapping, {
        direction,
        is_full: full,
        dry_run,
        auto_apply,
        started_by,
        slot: null,
      });
    });
    return await this.get(id);
  }

  /**
   * Ends a run; what it has applied stays. Its job stops with the next page or batch.
   * @throws not_found, invalid_state
   */
  async cancel(ctx: RequestContext, id: string): Promise<RunView> {
    await this.host.transactions.run(ctx, async (uow) => {
      const run = await this.locked(uow, id, OPEN);
      await setState(uow, id, 'cancelled');
      await cancelRecords(uow, id);
      this.tell(uow, run, 'cmdbsync_run.cancelled', 'cancelled');
    });
    return await this.get(id);
  }

  /**
   * Has records that wait be applied by a job, with the rights of the service account of the mapping.
   * @throws not_found, invalid_state, validation_failed with each record that does not wait or is a conflict
   */
  async apply(ctx: RequestContext, id: string, body: RunApply): Promise<RunView> {
    const { host } = this;
    await host.transactions.run(ctx, async (uow) => {
      const run = await this.locked(uow, id, ['review']);
      const ids = 'record_ids' in body ? body.record_ids.map((record) => record.toLowerCase()) : undefined;
      const approved = await approve(uow, id, ids, ctx.actor?.id ?? null);
      const wrong = (ids ?? []).flatMap((record, i) =>
        approved.has(record)
          ? []
          : [{ field: `/record_ids/${i}`, reason: 'names no record of the run that waits and is no conflict' }],
      );
      if (wrong.length > 0) throw host.invalid(...wrong);
      if (approved.size === 0) return;
      uow.emit({
        type: 'cmdbsync_record.approved',
        subject: { kind: 'cmdbsync_record', id },
        data: { run_id: id, count: approved.size },
      });
      await this.continue(uow, run);
    });
    return await this.get(id);
  }

  /** Queues the job that applies approved records, unless it is at work. @param run locked */
  async continue(uow: UnitOfWork, run: LockedRun): Promise<void> {
    if (run.state === 'applying') return;
    const account = run.runs_as === null ? undefined : (await this.host.users.find([run.runs_as])).get(run.runs_as);
    if (!account?.is_active) throw refusal('cmdbsync_no_account');
    await setState(uow, run.id, 'applying');
    const job = await this.host.jobs.enqueue(
      uow,
      APPLY_JOB,
      { run_id: run.id },
      { onBehalfOf: { serviceAccount: account.id } },
    );
    await setJob(uow, run.id, job);
    this.tell(uow, run, 'cmdbsync_run.started', 'applying');
  }

  private tell(uow: UnitOfWork, run: LockedRun, type: string, state: string): void {
    uow.emit({
      type,
      subject: { kind: 'cmdbsync_run', id: run.id },
      data: { mapping_id: run.mapping_id, state, counts: run.counts },
    });
  }

  private async locked(uow: UnitOfWork, id: string, states: readonly string[]): Promise<LockedRun> {
    const { host } = this;
    const run = await lockRun(uow, id);
    if (!run) throw host.problem('not_found');
    host.checkVersion(uow.ctx, run.version, ['state']);
    if (!states.includes(run.state))
      throw host.problem('invalid_state', {
        detail: `The run is ${run.state}.`,
        state: run.state,
        allowed: [...states],
      });
    return run;
  }
}
