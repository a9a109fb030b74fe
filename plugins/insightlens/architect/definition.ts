import type { Static } from '@lintel/sdk';
import type { ChangeSet, DesignView } from './schemas.js';
import type { ModelUse } from '../models/schemas.js';

export const PROPOSE_JOB = 'insightlens.propose';
export const PROPOSAL_STATES = ['queued', 'running', 'ready', 'failed', 'cancelled', 'committed'] as const;
export type ProposalState = (typeof PROPOSAL_STATES)[number];
export const OPTION_KINDS = ['reuse', 'extend', 'buy', 'build'] as const;

/** A relation type by which a change set connects two types of cards. */
export interface Connection {
  type: string;
  source: string;
  target: string;
}

/** What was concluded without a model; ids only, so that it is shown with the names and rights of its reader. */
export interface Design extends Static<typeof DesignView> {
  connections: Connection[];
  hasInitiative: boolean;
  /** The option whose change set is that of the proposal; none for one that was edited. */
  chosen?: string | null;
  /** Versions of the cards that it names, by id, as they were when it was made, edited or refreshed; not of proposals of earlier versions. */
  versions?: Record<string, number>;
}

/** What the model adds; checked, with references of its own to cards. */
export interface Advice {
  summary: string;
  options: { id: string; reason: string }[];
  risks: string[];
  citations: { ref: string; card_id: string }[];
}

/** What a commit has created. */
export interface Outcome {
  initiative_id: string | null;
  cards: { ref: string; id: string }[];
  relation_ids: string[];
  adr: { id: string; number: string } | null;
  adr_reason: 'not_wanted' | 'no_module' | null;
}

/** A proposal as it is stored. */
export interface Proposal {
  id: string;
  version: number;
  state: ProposalState;
  asked_by: string;
  title: string;
  requirement: string;
  job_id: string | null;
  design: Design | null;
  advice: Advice | null;
  model: ModelUse | null;
  change_set: ChangeSet | null;
  error: { code: string; detail: string } | null;
  outcome: Outcome | null;
  committed_by: string | null;
  committed_at: Date | null;
  created_at: Date;
  finished_at: Date | null;
}

/** All cards that a design and a change set name. */
export function namedCards(design: Design | null, changes: ChangeSet | null): string[] {
  const ids = [
    ...(design?.capabilities ?? []).map(({ card_id }) => card_id),
    ...(design?.cards ?? []).map(({ card_id }) => card_id),
    ...(design?.dependencies?.cards ?? []).map(({ card_id }) => card_id),
    ...(changes?.relations ?? []).flatMap(({ source, target }) => [source.id, target.id]),
  ];
  return [...new Set(ids.filter((id) => id !== undefined))].sort();
}
