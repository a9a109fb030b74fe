import type { UnitOfWork } from '@lintel/sdk';
import type { Host } from '../basics.js';
import type { Mapping } from '../mappings/definition.js';

/** What the owner of a mapping is told about one of its runs. */
export type RunNotice = 'run_failed' | 'guard_tripped' | 'review';

const TITLES: Record<RunNotice, (mapping: string) => string> = {
  run_failed: (mapping) => `Synchronisation failed: ${mapping}`,
  guard_tripped: (mapping) => `Cards wait to be archived: ${mapping}`,
  review: (mapping) => `Records wait for review: ${mapping}`,
};

/** Tells the owner of a mapping about a run, in its transaction; notices of one mapping and kind are one notification with a count. */
export async function tellOwner(
  host: Pick<Host, 'notifications'>,
  uow: UnitOfWork,
  mapping: Pick<Mapping, 'id' | 'name' | 'owner_id'>,
  runId: string,
  notice: RunNotice,
): Promise<void> {
  if (mapping.owner_id === null) return;
  await host.notifications.send(uow, {
    to: [mapping.owner_id],
    kind: `cmdbsync.${notice}`,
    subject: { kind: 'cmdbsync_run', id: runId, name: mapping.name },
    title: TITLES[notice](mapping.name),
    path: `/runs/${runId}`,
    group: mapping.id,
  });
}
