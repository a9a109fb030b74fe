import type { Sight } from '@lintel/sdk';
import type { Analysis } from '../analyses/definition.js';
import type { Host } from '../basics.js';
import { FINDING_NEWS } from '../findings/events.js';
import { MANAGE } from '../permissions.js';
import { replaceCurrent } from './repository.js';
import type { RunWork } from './work.js';

/** Findings or suppliers whose events are emitted in one transaction. */
const BATCH = 500;

/** Ids of those who decide on findings and see some of these, by their roles. */
async function receiversOf(host: Host, news: readonly Sight[]): Promise<string[]> {
  const ids = new Set<string>();
  for (const sight of news) for (const { id } of await host.users.holding(MANAGE, sight)) ids.add(id);
  return [...ids];
}

/**
 * Shows the results of a run in place of those of the run before, in one transaction, and notifies those who decide on findings and see
 * some that are new. The notification has no number: it would count findings that its receiver may not see.
 */
export async function publish(work: RunWork, { kind, title, phases, news = FINDING_NEWS }: Analysis): Promise<void> {
  const { host, runId } = work;
  await work.write(['running'], async (uow) => {
    await replaceCurrent(uow, kind);
    const to = await receiversOf(host, await news.seenBy(uow, runId));
    if (to.length > 0)
      await host.notifications.send(uow, {
        to,
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
