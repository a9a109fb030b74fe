import type { Analysis } from '../analyses/definition.js';
import { announceFindings, hasNewFindings } from '../findings/store-repository.js';
import { tellFound } from '../findings/events.js';
import { MANAGE } from '../permissions.js';
import { replaceCurrent } from './repository.js';
import type { RunWork } from './work.js';

/** Findings whose events are emitted in one transaction. */
const BATCH = 500;

/**
 * Shows the results of a run in place of those of the run before, in one transaction, and notifies those who decide on findings if
 * some are new. The notification has no number: it would count findings that its receiver may not see.
 */
export async function publish(work: RunWork, { kind, title, phases }: Analysis): Promise<void> {
  const { host, runId } = work;
  const receivers = await host.users.holding(MANAGE);
  await work.write(['running'], async (uow) => {
    await replaceCurrent(uow, kind);
    if (await hasNewFindings(uow, runId))
      await host.notifications.send(uow, {
        to: receivers.map(({ id }) => id),
        kind: 'insightlens.new_findings',
        subject: { kind: 'insightlens_run', id: runId, name: title },
        title: `New findings: ${title}`,
        path: '/findings',
        group: kind,
      });
    return { state: 'done', is_current: true, phase: phases.length, position: null, percent: 100 };
  });
}

/** Emits an event for each finding that no run before has had, in batches; after a crash it goes on with the next one. */
export async function announce(work: RunWork): Promise<void> {
  for (let n = BATCH; n === BATCH; )
    await work.write(['done'], async (uow, run) => {
      const found = await announceFindings(uow, run.id, BATCH);
      n = found.length;
      for (const finding of found) tellFound(uow, run.id, { ...finding, kind: run.kind });
      return {};
    });
}
