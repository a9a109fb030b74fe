import type { RequestContext } from '@lintel/sdk';
import type { Host } from '../basics.js';
import { filterFaults } from '../tables/filters.js';
import { faultsOf, unknownUsers, type Fault } from './rules.js';
import type { Section } from './schema.js';

/**
 * Checks sections of a body for which other tables are read, before the transaction that stores them.
 * @throws validation_failed with everything that is wrong with them
 */
export async function checkSections(host: Host, ctx: RequestContext, sections: readonly Section[]): Promise<void> {
  const faults = await sectionFaults(host, ctx, sections);
  if (faults.length > 0) throw host.invalid(...faults);
}

/** The same as a list. */
export async function sectionFaults(host: Host, ctx: RequestContext, sections: readonly Section[]): Promise<Fault[]> {
  return [
    ...faultsOf(sections),
    ...(await unknownUsers(host, sections)),
    ...(await filterFaults(host as never, ctx, sections)),
  ];
}
