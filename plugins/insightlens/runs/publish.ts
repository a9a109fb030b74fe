import type { Analysis } from '../analyses/definition.js';
import { FINDING_NEWS } from '../findings/events.js';
import { MANAGE } from '../permissions.js';
import { replaceCurrent } from './repository.js';
import type { RunWork } from './work.js';

/** Findings or suppliers whose events are emitted in one transaction. */
const BATCH = 500;

/**
 * Shows the results of a run in place of those of the run before, in one transaction, and notifies those who decide on findings if
 * some are new. The notification has no number: it would count findings that its receiver may not see.
 */
export async function publish(work: RunWork, { kind, title, phases, news = FINDING_NEWS }: Analysis): Promise<void> {
  const { host, runId } = work;
  const receivers = await host.users.holding(MANAGE);
  await work.write(['running'], async (uow) => {
    await replaceCurrent(uow, kind);
    if (await news.hasNew(uow, runId))
      await host.notifications.send(uow, {
        to: receivers.map(({ id }) => id),
        kind: 'insightlens.new_findings',
        subject: { kind: 'insightlens_run', id: runId, name: title },
        title: `New findings: ${title}`,
        path: news.path,
        group: kind,
      });
    return { state: 'done', is_current: true, phase: phases.length, position: null, percent: 100 };
  });
}

/** Emits an event for each finding, or supplier, that no run before has had, in batches; after a crash it goes on with the next one. */
export async function announce(work: RunWork, { news = FINDING_NEWS }: Analysis): Promise<void> {
  for (let n = BATCH; n === BATCH; )
    await work.write(['done'], async (uow, run) => {
      n = await news.announce(uow, run, BATCH);
      return {};
    });
}
