import { Type, type ModuleManifest } from '@lintel/sdk';
import { FEED_EVENTS } from './feeds/events.js';
import { VIEW } from './permissions.js';

/** No numbers: a number of findings would count those that a receiver may not see. */
const OfRun = Type.Object({
  kind: Type.String(),
  state: Type.String(),
  phase: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  percent: Type.Optional(Type.Integer()),
  error: Type.Optional(Type.Unknown()),
});
/** Without content: a proposal is private. */
const OfProposal = Type.Object({ asked_by: Type.String() });
const CARDS = Type.Array(Type.String());
const Found = Type.Object({ kind: Type.String(), run_id: Type.String(), card_ids: CARDS });
const Moved = Type.Object({
  kind: Type.Optional(Type.String()),
  from: Type.Optional(Type.String()),
  to: Type.Optional(Type.String()),
  note: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  card_ids: CARDS,
});

const Supplier = Type.Object({ card_ids: CARDS });
const FoundSupplier = Type.Object({ run_id: Type.String(), card_ids: CARDS });

/**
 * Events of findings have neither rule nor evidence: these may rest on relations or stakeholders, and are read from the finding with
 * the rights of the reader. Of findings that rest on costs, only decisions have an event, without what was decided.
 */
export const EVENTS: NonNullable<ModuleManifest['events']> = [
  { kind: 'insightlens', permission: VIEW, cards: 'none' },
  ...FEED_EVENTS,
  {
    kind: 'insightlens_run',
    permission: VIEW,
    cards: 'none',
    types: {
      'insightlens_run.queued': OfRun,
      'insightlens_run.started': OfRun,
      'insightlens_run.progressed': OfRun,
      'insightlens_run.finished': OfRun,
      'insightlens_run.failed': OfRun,
      'insightlens_run.cancelled': OfRun,
    },
  },
  {
    kind: 'insightlens_finding',
    permission: VIEW,
    cards: ['card_ids'],
    types: { 'insightlens_finding.found': Found, 'insightlens_finding.transitioned': Moved },
  },
  {
    kind: 'insightlens_supplier',
    permission: VIEW,
    cards: ['card_ids'],
    types: { 'insightlens_supplier.found': FoundSupplier, 'insightlens_supplier.decided': Supplier },
  },
  {
    kind: 'insightlens_proposal',
    permission: VIEW,
    cards: 'none',
    only: 'asked_by',
    types: {
      'insightlens_proposal.requested': OfProposal,
      'insightlens_proposal.designed': OfProposal,
      'insightlens_proposal.failed': OfProposal,
      'insightlens_proposal.cancelled': OfProposal,
      'insightlens_proposal.updated': OfProposal,
      'insightlens_proposal.committed': OfProposal,
      'insightlens_proposal.deleted': OfProposal,
    },
  },
];
