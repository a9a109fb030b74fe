import { DateOnly, Nullable, OneOf, Strict, Type, Uuid, type ModuleManifest } from '@lintel/sdk';
import { STATUSES } from './moves.js';
import { mitigations } from './mitigations/resource.js';

const Change = Type.Object({
  field: Type.String(),
  old: Type.Optional(Type.Unknown()),
  new: Type.Optional(Type.Unknown()),
});
const COMMON = { version: Type.Integer({ minimum: 1 }), reference: Type.String(), changes: Type.Array(Change) };
const Text = Type.Optional(Type.String());

/** Kinds of the events of the module, and their data. */
export const EVENTS: NonNullable<ModuleManifest['events']> = [
  {
    kind: 'risks',
    permission: 'risks.view',
    cards: 'none',
    types: {
      'risks.created': Strict(COMMON),
      'risks.updated': Strict(COMMON),
      'risks.deleted': Strict(COMMON),
      'risks.transitioned': Strict({
        ...COMMON,
        from: OneOf(STATUSES),
        to: OneOf(STATUSES),
        owner_id: Nullable(Uuid()),
        comment: Text,
        rationale: Text,
        expires_on: Type.Optional(DateOnly()),
      }),
      'risks.acceptance_expired': Strict({
        ...COMMON,
        owner_id: Nullable(Uuid()),
        accepted_by: Nullable(Uuid()),
        rationale: Type.String(),
        expires_on: DateOnly(),
      }),
    },
  },
  {
    ...mitigations.events,
    types: {
      ...mitigations.events.types,
      'risks_mitigation.occurrence_ended': Strict({
        risk_id: Uuid(),
        occurrence_id: Uuid(),
        number: Type.Integer(),
        due_date: Nullable(DateOnly()),
        outcome: OneOf(['done', 'skipped'] as const),
        comment: Nullable(Type.String()),
        next: Nullable(Strict({ id: Uuid(), number: Type.Integer(), due_date: Nullable(DateOnly()) })),
      }),
    },
  },
];
