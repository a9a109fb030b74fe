import type { Inventory, RequestContext, Sight, TimeSlice, UnitOfWork } from '@lintel/sdk';
import type { Host } from '../basics.js';

/**
 * What a reader has to see, besides the cards of a finding, for the finding to exist for this reader: the costs of all cards, the relations
 * of all cards, the stakeholders of its cards.
 */
export type Need = 'costs' | 'relations' | 'stakeholders';

/** From the least to the most severe. */
export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Largest number of cards that one finding may depend on. */
export const MOST_CARDS = 200;
/** Largest number of findings of one call of `store`. */
export const MOST_FINDINGS = 1_000;
/** Largest size of the evidence of one finding, in characters of JSON. */
export const MOST_EVIDENCE = 16_000;

/** A finding as an analysis states it. */
export interface NewFinding {
  /**
   * What it is about, unique within the analysis: the rule and ids of cards in a fixed order, such as `owner-missing:<id>` or
   * `pair:<smaller id>:<larger id>`; never a name. At most 300 characters. The decisions of people are kept under it.
   */
  key: string;
  rule: string;
  severity: Severity;
  /** 0 to 100, such as a similarity; null if the rule holds or does not. */
  score: number | null;
  /** Every card from which it was concluded, 1 to 200: it is shown to those who see all of them. */
  cards: readonly { id: string; role: string }[];
  /** What else it was concluded from. */
  needs: readonly Need[];
  /** The reasons as data, without names of cards and, unless it needs `costs`, without amounts. */
  evidence: Readonly<Record<string, unknown>>;
}

/** The states in which people put the findings of an analysis. */
export interface States {
  initial: string;
  /** By state, those that may follow; all states are keys. */
  moves: Readonly<Record<string, readonly string[]>>;
  /** Those that need a note. */
  withNote: readonly string[];
}

/** How far a phase is. */
export interface PhaseProgress {
  /** JSON: from where the phase continues after a crash. Without it the phase starts again, and what it has stored is deleted. */
  position?: unknown;
  /** Share of the phase that is complete, 0 to 1. */
  share?: number;
}

/** What a phase works with. */
export interface AnalysisWork {
  readonly host: Host;
  readonly runId: string;
  /** The UTC day on which the run was queued, YYYY-MM-DD: the same after a crash. */
  readonly day: string;
  /** Of the system: an analysis sees the whole landscape, its readers what they may see. */
  readonly ctx: RequestContext;
  /** Aborted when the run is cancelled, the node stops or the lease is lost; work between two calls of `store` checks it. */
  readonly signal: AbortSignal;
  /** For work on the event loop of more than some milliseconds: `if (slice.isOver) await slice.next()`. */
  readonly slice: TimeSlice;
  /** The last stored position of this phase; null at its begin. */
  readonly position: unknown;
  /** Reads the landscape in one snapshot. */
  read<T>(work: (inventory: Inventory) => Promise<T>): Promise<T>;
  /**
   * Stores up to 1,000 findings and the position, in one transaction with a constant number of statements. A finding whose key the run
   * has stored before is replaced. Cards that were deleted meanwhile make the attempt fail: it is repeated.
   * @throws RunEnded if the run was cancelled
   */
  store(findings: readonly NewFinding[], progress?: PhaseProgress): Promise<void>;
  /** The same for rows of own tables, which have the id of the run. */
  step(write: (uow: UnitOfWork) => Promise<void>, progress?: PhaseProgress): Promise<void>;
}

/** A part of an analysis: it reads its own input, since memory does not survive a crash. */
export interface Phase {
  key: string;
  run(work: AnalysisWork): Promise<void>;
  /** Deletes what the phase has stored in own tables, before it starts again. Findings are deleted by the run. */
  reset?(uow: UnitOfWork, runId: string): Promise<void>;
}

/** What a run has found that no run before it had. */
export interface News {
  /** Where it is shown, for the notification. */
  path: string;
  /** What readers need to see those of a run that are new, each combination once: the types of their cards, and what else. */
  seenBy(uow: UnitOfWork, runId: string): Promise<Sight[]>;
  /** Emits an event for each, at most `limit`, and marks it as announced. @returns their number */
  announce(uow: UnitOfWork, run: { id: string; kind: string }, limit: number): Promise<number>;
}

/** An analysis of the landscape. */
export interface Analysis {
  /** Also the segment of its path: `POST /insightlens/{kind}/analyse`. */
  kind: string;
  title: string;
  states: States;
  /** Default: its findings. */
  news?: News;
  /** In their order. Each is deterministic: the same landscape gives the same findings. */
  phases: readonly Phase[];
}
