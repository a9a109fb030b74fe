import { Type } from '@lintel/sdk';
import { lifecycle } from './lifecycle.js';
import { VIEW } from './permissions.js';

const changes = Type.Array(Type.Object({ field: Type.String(), old: Type.Unknown(), new: Type.Unknown() }));

/** The data of decision events, by type. */
export const EVENTS = {
  kind: 'adr',
  permission: VIEW,
  cards: 'none' as const,
  types: {
    'adr.created': Type.Object({
      number: Type.String(),
      status: Type.String(),
      card_ids: Type.Array(Type.String()),
      file: Type.Optional(Type.String()),
    }),
    'adr.updated': Type.Object({ version: Type.Integer(), changes, file: Type.Optional(Type.String()) }),
    'adr.deleted': Type.Object({ number: Type.String() }),
    'adr.draft_stale': Type.Object({ number: Type.String(), untouched_since: Type.String() }),
    ...lifecycle.eventTypes,
  },
};
