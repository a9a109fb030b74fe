import type { Analysis, Need } from '../analyses/definition.js';
import type { Host } from '../basics.js';
import { FINDING_NEWS } from '../findings/events.js';
import { MANAGE } from '../permissions.js';
import { replaceCurrent } from './repository.js';
import type { RunWork } from './work.js';

/** Findings or suppliers whose events are emitted in one transaction. */
const BATCH = 500;

/** Ids of those who decide on findings and see some of these, by their roles. @param types all card types */
async function receiversOf(
  host: Host,
  news: readonly { types: readonly string[]; needs: readonly Need[] }[],
  types: readonly string[],
): Promise<string[]> {
  const on = (permission: string, of: readonly string[]) => of.map((type) => ({ permission, type }));
  const ids = new Set<string>();
  for (const one of news) {
    const isRelated = one.needs.includes('relations');
    const holders = await host.users.holding(MANAGE, [
      ...on('cards.view', isRelated ? types : one.types),
      ...(isRelated ? on('relations.view', types) : []),
      ...(one.needs.includes('costs') ? on('costs.view', types) : []),
      ...(one.needs.includes('stakeholders') ? on('stakeholders.view', one.types) : []),
    ]);
    for (const { id } of holders) ids.add(id);
  }
  return [...ids];
}

/**
 * Shows the results of a run in place of those of the run before, in one transaction, and notifies those who decide on findings and see
 * some that are new. The notification has no number: it would count findings that its receiver may not see.
 */
export async function publish(work: RunWork, { kind, title, phases, news = FINDING_NEWS }: Analysis): Promise<void> {
  const { host, runId } = work;
  const types = await work.read(async (inventory) => [...inventory.types.keys()]);
  await work.write(['running'], async (uow) => {
    await replaceCurrent(uow, kind);
    const to = await receiversOf(host, await news.seenBy(uow, runId), types);
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
