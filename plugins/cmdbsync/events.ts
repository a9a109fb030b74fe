import { Type, type ModuleManifest } from '@lintel/sdk';
import { connections } from './connections/resource.js';
import { mappings } from './mappings/resource.js';
import { VIEW } from './permissions.js';

const OfRun = Type.Object({
  mapping_id: Type.String(),
  state: Type.String(),
  counts: Type.Optional(Type.Record(Type.String(), Type.Integer())),
  error: Type.Optional(Type.Unknown()),
});

/** No event has values of cards: those are in the events of the cards, with the rights of each reader. */
export const EVENTS: NonNullable<ModuleManifest['events']> = [
  { kind: 'cmdbsync', permission: VIEW, cards: 'none' },
  {
    ...connections.events,
    types: { ...connections.events.types, 'cmdbsync_connection.tested': Type.Object({ ok: Type.Boolean() }) },
  },
  mappings.events,
  {
    kind: 'cmdbsync_run',
    permission: VIEW,
    cards: 'none',
    types: {
      'cmdbsync_run.queued': OfRun,
      'cmdbsync_run.started': OfRun,
      'cmdbsync_run.progressed': OfRun,
      'cmdbsync_run.reviewed': OfRun,
      'cmdbsync_run.finished': OfRun,
      'cmdbsync_run.failed': OfRun,
      'cmdbsync_run.cancelled': OfRun,
    },
  },
  {
    kind: 'cmdbsync_identity',
    permission: VIEW,
    cards: ['card_id'],
    types: {
      'cmdbsync_identity.deleted': Type.Object({ mapping_id: Type.String(), card_id: Type.Optional(Type.String()) }),
    },
  },
  {
    kind: 'cmdbsync_record',
    permission: VIEW,
    cards: 'none',
    types: {
      'cmdbsync_record.resolved': Type.Object({ run_id: Type.String(), take: Type.String() }),
      'cmdbsync_record.approved': Type.Object({ run_id: Type.String(), count: Type.Integer() }),
    },
  },
];
