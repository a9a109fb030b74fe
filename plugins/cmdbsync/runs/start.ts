import type { UnitOfWork } from '@lintel/sdk';
import type { Host } from '../basics.js';
import { refusal } from '../errors.js';
import type { Mapping } from '../mappings/definition.js';
import { RUN_JOB, type Run } from './definition.js';
import { carrySent, endReviews, insertRun, setJob } from './repository.js';

/** What starts a run: a user with options, or a schedule. */
export interface StartOptions extends Pick<Run, 'direction' | 'is_full' | 'dry_run' | 'auto_apply'> {
  /** Null: by schedule. */
  started_by: string | null;
  slot: Date | null;
}

/**
 * Queues a run of a mapping in the transaction. Records of earlier runs that wait are given up, unless it is a dry run.
 * @param mapping locked against changes
 * @returns the id of the run
 * @throws cmdbsync_no_account, cmdbsync_run_active
 */
export async function startRun(
  host: Host,
  uow: UnitOfWork,
  mapping: Pick<Mapping, 'id' | 'name' | 'runs_as' | 'watermark'>,
  options: StartOptions,
): Promise<string> {
  const { runs_as } = mapping;
  const account = runs_as === null ? undefined : (await host.users.find([runs_as])).get(runs_as);
  if (!account?.is_active) throw refusal('cmdbsync_no_account');
  if (!options.dry_run)
    for (const { id, counts } of await endReviews(uow, mapping.id))
      uow.emit({
        type: 'cmdbsync_run.finished',
        subject: { kind: 'cmdbsync_run', id, name: mapping.name },
        data: { mapping_id: mapping.id, state: 'done', counts },
      });
  const id = host.newId();
  // Without a watermark, everything is read; a push reads nothing by itself.
  const isFull = options.is_full || (options.direction !== 'push' && mapping.watermark === null);
  await insertRun(uow, {
    ...options,
    id,
    mapping_id: mapping.id,
    is_full: isFull,
    since: isFull || options.direction === 'push' ? null : mapping.watermark,
  });
  if (options.direction !== 'pull' && !options.dry_run) await carrySent(uow, mapping.id, id);
  const job = await host.jobs.enqueue(uow, RUN_JOB, { run_id: id }, { onBehalfOf: { serviceAccount: account.id } });
  await setJob(uow, id, job);
  uow.emit({
    type: 'cmdbsync_run.queued',
    subject: { kind: 'cmdbsync_run', id, name: mapping.name },
    data: { mapping_id: mapping.id, state: 'queued' },
  });
  return id;
}
