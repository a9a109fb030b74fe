import { Type, type ModuleManifest } from '@lintel/sdk';
import { VIEW } from './permissions.js';

const Change = Type.Object({ field: Type.String(), old: Type.Unknown(), new: Type.Unknown() });
const Changed = Type.Object({ changes: Type.Optional(Type.Array(Change)) });
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
    kind: 'cmdbsync_connection',
    permission: VIEW,
    cards: 'none',
    types: {
      'cmdbsync_connection.created': Changed,
      'cmdbsync_connection.updated': Changed,
      'cmdbsync_connection.deleted': Changed,
      'cmdbsync_connection.tested': Type.Object({ ok: Type.Boolean() }),
    },
  },
  {
    kind: 'cmdbsync_mapping',
    permission: VIEW,
    cards: 'none',
    types: {
      'cmdbsync_mapping.created': Changed,
      'cmdbsync_mapping.updated': Changed,
      'cmdbsync_mapping.deleted': Changed,
    },
  },
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
