import type { Services } from './container.js';
import type { Interruption } from './foundation/db/continuity.js';

/**
 * What a node has in memory of the database, to be read again when another server continues it.
 * @returns the steps, in order, and what follows when no step has failed
 */
export function renewalOf(
  services: Services,
): [steps: ((interruption: Interruption) => void | Promise<void>)[], afterwards: () => void] {
  const {
    events,
    continuity,
    tokenKeys,
    metamodel,
    revisions,
    onceCosts,
    modules,
    cardReads,
    impact,
    jobs,
    streams,
    attributeIndexes,
  } = services;
  return [
    [
      async (interruption) => await events.rewind(interruption),
      // How versions continue.
      async () => void (await continuity.read()),
      async () => await tokenKeys.start(),
      async () => await metamodel.renew(),
      () => onceCosts.forget(),
      // Sessions, roles, settings, and the state of modules.
      async () => await revisions.renew(),
      async () => void (await onceCosts.current()),
      async () => await modules.renew(),
      () => cardReads.forget(),
      () => impact.renew(),
      async () => await jobs.interrupt(),
    ],
    () => {
      streams.doubt();
      void attributeIndexes.start();
    },
  ];
}
