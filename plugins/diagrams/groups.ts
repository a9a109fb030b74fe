import { Nullable, resource, Type, Uuid, type ModuleServices } from '@lintel/sdk';
import { refusal } from './errors.js';
import { findGroups, isBelow } from './groups-repository.js';
import { MANAGE, VIEW } from './permissions.js';

/** Groups of diagrams, in a hierarchy: the only way to read and write them. */
export const groups = resource({
  kind: 'diagrams_group',
  table: 'diagrams_groups',
  tag: 'diagrams',
  operation: 'DiagramGroup',
  label: 'a group of diagrams',
  labels: 'groups of diagrams',
  permissions: { view: VIEW, manage: MANAGE },
  bounds: [{ most: 5_000 }],
  fields: {
    name: Type.String({ minLength: 1, maxLength: 200, pattern: '^(?!\\s*$)[^\\p{Cc}]*$' }),
    parent_id: Nullable(Uuid({ description: 'The group that contains it.' })),
    position: Type.Integer({
      minimum: 0,
      maximum: 1_000_000,
      default: 0,
      description: 'Its place among its siblings.',
    }),
  },
  references: { parent_id: (host: ModuleServices, _ctx, ids) => findGroups(host.db, ids) },
  computed: { name_key: ({ name }, host) => host.nameKey(name) },
  search: ['name'],
  filters: { parent_id: 'any' },
  sorts: { name: { column: 'name_key', type: 'text' }, position: true },
  defaultSort: 'name',
  example: { name: 'Landscapes', parent_id: null, position: 0 },
  async prepare({ host, uow, id, before, next }) {
    if (!before || next.parent_id === null || next.parent_id === before.parent_id) return;
    // Two moves at once could each be possible, and together form a cycle.
    await host.lock(uow, 'groups');
    if (await isBelow(uow, next.parent_id, id)) throw refusal('diagrams_group_cycle');
  },
});
