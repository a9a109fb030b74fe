import { OneOf, Type, Uuid, resource } from '@lintel/sdk';
import { initiativesAmong, MAX_DEPENDENCIES } from '../basics.js';
import { CARD_MANAGE, MANAGE, VIEW } from '../permissions.js';
import { DEPENDENCY_TYPES } from '../schedule/types.js';
import { readPlaces } from '../wbs/repository.js';
import { requireAcyclic } from './checks.js';
import { countDependencies } from './repository.js';

const ID = '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b';

/** Dependencies between items of the work breakdown of an initiative. */
export const dependencies = resource({
  kind: 'ppm_dependency',
  table: 'ppm_dependencies',
  tag: 'ppm',
  operation: 'PpmDependency',
  operations: 'PpmDependencies',
  label: 'a dependency between items of a work breakdown',
  labels: 'dependencies between items of a work breakdown',
  permissions: { view: VIEW, manage: MANAGE },
  card: { field: 'card_id', permission: CARD_MANAGE },
  fixed: ['card_id', 'predecessor_id', 'successor_id'],
  fields: {
    card_id: Uuid({ description: 'The initiative.' }),
    predecessor_id: Uuid({ description: 'An item of the work breakdown.' }),
    successor_id: Uuid({ description: 'The item that depends on it.' }),
    type: OneOf(DEPENDENCY_TYPES, {
      default: 'FS',
      description:
        'From the finish (F) or the start (S) of the predecessor to that of the successor: with FS the successor starts after the predecessor has finished.',
    }),
    lag_days: Type.Integer({
      minimum: -999,
      maximum: 999,
      default: 0,
      description: 'Working days between the two; negative: an overlap.',
    }),
  },
  references: { card_id: initiativesAmong },
  filters: { predecessor_id: 'any', successor_id: 'any', type: 'any' },
  example: { card_id: ID, predecessor_id: ID, successor_id: ID, type: 'FS', lag_days: 2 },
  async prepare({ host, uow, before, next }) {
    if (before) return;
    const { card_id, predecessor_id, successor_id } = next;
    const places = await readPlaces(uow, card_id, [predecessor_id, successor_id]);
    const faults = (['predecessor_id', 'successor_id'] as const)
      .filter((field) => !places.has(next[field]))
      .map((field) => ({ field: `/${field}`, reason: 'names no item of the work breakdown of this initiative' }));
    if (predecessor_id === successor_id)
      faults.push({ field: '/successor_id', reason: 'must not be the predecessor itself' });
    if ((await countDependencies(uow, card_id)) >= MAX_DEPENDENCIES)
      faults.push({ field: '', reason: `a plan has at most ${MAX_DEPENDENCIES} dependencies` });
    if (faults.length > 0) throw host.invalid(...faults);
    await requireAcyclic(host, uow, card_id, '/successor_id', { predecessor_id, successor_id });
  },
});
export type Dependencies = ReturnType<typeof dependencies.service>;
