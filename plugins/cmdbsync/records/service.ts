import type { PageResult, RequestContext, UnitOfWork } from '@lintel/sdk';
import type { Host } from '../basics.js';
import { findMapping } from '../mappings/load-repository.js';
import { findRunView, lockRun } from '../runs/repository.js';
import type { RunService } from '../runs/service.js';
import { decided } from './decide.js';
import { countWaiting, decide, isLinked, lockRecord, runOfRecord, type LockedRecord } from './decisions-repository.js';
import { findRecord, listRecords } from './repository.js';
import type { RecordQuery, RecordView, Resolve } from './schemas.js';
import { rightsOf, viewRecords } from './views.js';

/** States of records about which a person decides; a creation that was sent while the run waits is not known to have happened. */
const DECIDABLE: readonly string[] = ['pending', 'sent'];

/** The records of runs, and the decisions of people about them. */
export class RecordService {
  constructor(
    private readonly host: Host,
    private readonly runs: RunService,
  ) {}

  /** @throws not_found for an unknown run */
  async list(ctx: RequestContext, runId: string, query: RecordQuery): Promise<PageResult<RecordView>> {
    const { host } = this;
    if (!(await findRunView(host.db, runId))) throw host.problem('not_found');
    const rights = await rightsOf(host, ctx);
    const page = await listRecords(host, ctx, rights.types, runId, query);
    return { ...page, items: await viewRecords(host, ctx, rights, page.items) };
  }

  /** @throws not_found */
  async get(ctx: RequestContext, id: string): Promise<RecordView> {
    const { host } = this;
    const rights = await rightsOf(host, ctx);
    const row = await findRecord(host, ctx, rights.types, id);
    if (!row) throw host.problem('not_found');
    return (await viewRecords(host, ctx, rights, [row]))[0]!;
  }

  /**
   * Stores the decision of a person and has it applied by a job.
   * @throws not_found, invalid_state, validation_failed
   */
  async resolve(ctx: RequestContext, id: string, body: Resolve): Promise<RecordView> {
    const { host } = this;
    // What the caller may not see cannot be decided.
    const hidden = (await this.get(ctx, id)).diff.filter(({ is_withheld }) => is_withheld).map(({ field }) => field);
    const chosen = body.fields ?? Object.keys(body.values ?? {});
    if (['cmdb', 'ea', 'value'].includes(body.take))
      for (const field of hidden)
        if (chosen.length === 0 || chosen.includes(field))
          throw host.invalid({ field: '/fields', reason: `includes ${field}, whose values the caller may not see` });
    if (body.card_id !== undefined) await host.cards.ensureVisible(ctx, [body.card_id], '/card_id');
    await host.transactions.run(ctx, async (uow) => {
      const runId = await runOfRecord(uow, id);
      // The run before its records, as the job locks them.
      const run = runId === undefined ? undefined : await lockRun(uow, runId);
      const record = run && (await lockRecord(uow, id));
      if (!run || !record) throw host.problem('not_found');
      // While the job is at work, a creation that was sent may still succeed.
      const isOpen = record.state === 'pending' ? ['review', 'applying'] : record.state === 'sent' ? ['review'] : [];
      if (!isOpen.includes(run.state))
        throw host.problem('invalid_state', {
          detail: `The record is ${record.state} and its run ${run.state}: there is nothing to decide.`,
          state: record.state,
          allowed: [...DECIDABLE],
        });
      await this.ensureFree(uow, run.mapping_id, record, body);
      const next = decided(host, record, body);
      await decide(uow, next, ctx.actor?.id ?? null);
      uow.emit({
        type: 'cmdbsync_record.resolved',
        subject: { kind: 'cmdbsync_record', id },
        data: { run_id: run.id, take: body.take },
      });
      // Also ends a run of which nothing waits any more.
      const goesOn =
        next.state === 'approved' || (next.state === 'resolved' && (await countWaiting(uow, run.id)) === 0);
      if (goesOn) await this.runs.continue(uow, run);
    });
    return await this.get(ctx, id);
  }

  private async ensureFree(uow: UnitOfWork, mappingId: string, record: LockedRecord, body: Resolve): Promise<void> {
    if (body.take !== 'link' || body.card_id === undefined) return;
    const { host } = this;
    const card = await host.cards.get(uow.ctx, body.card_id);
    const mapping = await findMapping(uow, mappingId);
    if (card.type !== mapping?.card_type || card.status !== 'ACTIVE')
      throw host.invalid({ field: '/card_id', reason: `names no active card of the type ${record.card_type}` });
    if (await isLinked(uow, mappingId, card.id))
      throw host.invalid({ field: '/card_id', reason: 'is linked to another record' });
  }
}
