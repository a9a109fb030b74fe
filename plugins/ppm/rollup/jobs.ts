import type { JobRun, LogEvent, RequestContext, UnitOfWork } from '@lintel/sdk';
import { INITIATIVE_TYPE, type Host } from '../basics.js';
import { ratesOf } from '../money/settings.js';
import {
  lockDue,
  markAll,
  markExisting,
  noteWritten,
  readOverdue,
  readValues,
  readWaiting,
  type PlanValues,
} from './repository.js';
import { CARD_FIELDS, FIELD_KEYS, ORIGIN, type CardField } from './fields.js';
import { ROLL_UP } from './queue.js';

/** The job that writes roll-ups whose own job failed, or whose plans were not changed themselves. */
export const ROLL_UP_OVERDUE = 'ppm.roll_up_overdue';
/** The job that compares all cards with their plans, once a day. */
export const ROLL_UP_ALL = 'ppm.roll_up_all';
/** Milliseconds after which a write counts as overdue, and the number of those of one run. */
const OVERDUE_MS = 30_000;
const MOST_OVERDUE = 2_000;

/** Writes budget, actual costs and dates of plans to their cards. */
export class RollUpJobs {
  constructor(private readonly host: Host) {}

  /** Writes one card. @returns what was done */
  async one(job: JobRun): Promise<{ outcome: string }> {
    return { outcome: await this.write(job, String(job.payload['card_id'])) };
  }

  /** Writes cards that should have been written before; a card that cannot be written is tried again later. @returns numbers of cards */
  async overdue(job: JobRun, ms = OVERDUE_MS): Promise<{ written: number; failed: number }> {
    const due = await readOverdue(this.host.db, ms, MOST_OVERDUE);
    let failed = 0;
    for (const [i, id] of due.entries()) {
      if (job.signal.aborted) return { written: i - failed, failed };
      try {
        await this.write(job, id);
      } catch (error) {
        if (job.signal.aborted) throw error;
        failed += 1;
        this.host.log.warn({ err: error, card_id: id }, 'ppm: a roll-up could not be written');
      }
    }
    return { written: due.length - failed, failed };
  }

  /** Compares all cards with their plans: rates and fields of the metamodel may have changed. The job of overdue writes does the rest. */
  async all(job: JobRun): Promise<{ written: number; failed: number }> {
    await this.host.transactions.run(job.ctx, async (uow) => {
      await job.guard(uow);
      for (const { card_id, run_at } of await markAll(uow))
        await this.host.jobs.enqueue(uow, ROLL_UP, { card_id }, { runAt: run_at });
    });
    const done = await this.overdue(job, 0);
    await this.host.transactions.run(job.ctx, async (uow) => {
      await job.guard(uow);
      for (const { card_id, run_at } of await readWaiting(uow, MOST_OVERDUE))
        await this.host.jobs.enqueue(uow, ROLL_UP, { card_id }, { runAt: run_at });
    });
    return done;
  }

  /** A change outside of the plans that concerns them: settings, the module itself, a restored card. */
  async heard({ type, subject, data }: LogEvent, ctx: RequestContext): Promise<void> {
    if (type === 'card.restored') {
      await this.host.transactions.run(ctx, (uow) => this.restored(uow, subject.id));
      return;
    }
    const fields = (data['changes'] as { field: string }[] | undefined)?.map(({ field }) => field) ?? [];
    const isOwn = subject.id === 'ppm' && (type === 'module.enabled' || fields.includes('settings.exchange_rates'));
    const isWorkspace = fields.includes('currency') || fields.includes('fiscal_year_start');
    if (!isOwn && !(type === 'settings.updated' && isWorkspace)) return;
    await this.host.transactions.run(ctx, async (uow) => {
      await this.host.jobs.enqueue(uow, ROLL_UP_ALL, {});
    });
  }

  private async restored(uow: UnitOfWork, cardId: string): Promise<void> {
    for (const { run_at } of await markExisting(uow, cardId))
      await this.host.jobs.enqueue(uow, ROLL_UP, { card_id: cardId }, { runAt: run_at ?? undefined });
  }

  private async write(job: JobRun, cardId: string): Promise<string> {
    const { host } = this;
    const ctx = { ...host.systemContext(ORIGIN), changeId: job.ctx.changeId };
    const writable = await this.fields(ctx);
    return await host.transactions.run(ctx, async (uow) => {
      await job.guard(uow);
      const before = await lockDue(uow, cardId);
      if (!before) return 'not due';
      const { rates, fiscalYearStart } = ratesOf(host);
      const values = await readValues(uow, host.db.bindings(), cardId, rates, fiscalYearStart);
      // An archived card is written when it is restored.
      if (values?.status !== 'ACTIVE') {
        await noteWritten(uow, cardId, before);
        return 'archived';
      }
      const { attributes, rolledUp } = planned(values, before, writable);
      const { outcome, refused } = await this.writeCard(uow, cardId, attributes);
      for (const key of refused) delete rolledUp[key];
      await noteWritten(uow, cardId, rolledUp);
      return outcome;
    });
  }

  /** Writes the card, and clears the fields whose values it refuses, such as a negative sum: an outdated one would be wrong. */
  private async writeCard(
    uow: UnitOfWork,
    id: string,
    attributes: Record<string, unknown>,
  ): Promise<{ outcome: string; refused: string[] }> {
    const refused: string[] = [];
    const left = { ...attributes };
    for (;;) {
      if (Object.keys(left).length === 0) return { outcome: 'unchanged', refused };
      const { results } = await this.host.cards.bulkIn(uow, [{ op: 'update', id, card: { attributes: left } }], {
        mode: 'per_row',
        keepsApproval: true,
      });
      const [{ outcome, errors = [] } = { outcome: 'failed' as const }] = results;
      if (outcome !== 'failed') return { outcome, refused };
      const wrong = Object.keys(left).filter((key) => errors.some(({ field }) => field.includes(`/attributes/${key}`)));
      this.host.log.warn({ card_id: id, fields: wrong, errors }, 'ppm: the card refuses values of its plan');
      if (wrong.length === 0) throw this.host.problem('conflict', { detail: 'The card could not be written.' });
      for (const key of wrong) {
        if (left[key] === null) delete left[key];
        else left[key] = null;
        if (!refused.includes(key)) refused.push(key);
      }
    }
  }

  /** The fields that cards have: an administrator may have removed some from the metamodel. */
  private async fields(ctx: RequestContext): Promise<ReadonlySet<CardField>> {
    return await this.host.inventory.read(ctx, {}, async (inventory) => {
      const isThere = (key: CardField): boolean => {
        const field = inventory.field(`attributes.${key}`, [INITIATIVE_TYPE]);
        return field?.kind === (CARD_FIELDS[key] ? 'number' : 'date');
      };
      return new Set(FIELD_KEYS.filter(isThere));
    });
  }
}

/** The attributes to write, null for those whose source is gone, and the fields that are computed from now on. */
function planned(
  values: PlanValues,
  before: Readonly<Record<string, true>>,
  writable: ReadonlySet<CardField>,
): { attributes: Record<string, unknown>; rolledUp: Record<string, true> } {
  const attributes: Record<string, unknown> = {};
  const rolledUp: Record<string, true> = {};
  for (const key of FIELD_KEYS) {
    if (!writable.has(key)) continue;
    const value = values[key];
    if (value !== null) rolledUp[key] = true;
    if (value !== null) attributes[key] = CARD_FIELDS[key] ? Number(value) : value;
    else if (before[key]) attributes[key] = null;
  }
  return { attributes, rolledUp };
}
