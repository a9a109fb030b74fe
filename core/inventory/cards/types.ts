import type { Condition } from '../../foundation/conditions.js';

/** A card in the write path: editable and derived values, and its position in the tree. */
export interface CardState {
  id: string;
  type: string;
  subtype: string | null;
  name: string;
  description: string | null;
  parent_id: string | null;
  /** Ids from the root to the parent. */
  path_ids: string[];
  lifecycle: Record<string, string>;
  attributes: Record<string, unknown>;
  status: 'ACTIVE' | 'ARCHIVED';
  approval_status: 'DRAFT' | 'APPROVED' | 'REJECTED' | 'BROKEN';
  data_quality: number;
  /** The score for readers who may not see costs. */
  open_quality: number;
  /** The score for readers who may not see all relations, stakeholders or references that count in the others. */
  basic_quality: number;
  external_id: string | null;
  alias: string | null;
  /**
   * Facts that affect the score: `r:<role>` assigned, `g:<tag group>` used, `s:<relation type>` or `t:…` present as
   * source or target.
   */
  facts: readonly string[];
  /** The user who last changed something that an approval covers. */
  edited_by: string | null;
  version: number;
  /** Identifies the stored row (`xmin`), where it was read to be written only if it is still the same. */
  row_version?: string;
}

/** Changes that create a new version of a card; each has an event `card.<verb>` with that version. */
export type VersionVerb = 'created' | 'updated' | 'archived' | 'restored' | 'approved' | 'rejected' | 'approval_reset';

/** The initial state of a card. */
export const BLANK: Omit<CardState, 'id' | 'type'> = {
  subtype: null,
  name: '',
  description: null,
  parent_id: null,
  path_ids: [],
  lifecycle: {},
  attributes: {},
  status: 'ACTIVE',
  approval_status: 'DRAFT',
  data_quality: 0,
  open_quality: 0,
  basic_quality: 0,
  external_id: null,
  alias: null,
  facts: [],
  version: 0,
  edited_by: null,
};

/** Reference to a card by its position. Without `path`: the only active card of that type and name, anywhere. */
export interface CardPlace {
  type: string;
  name: string;
  /** Names of the ancestors, root first, as a list or joined by ` / `; empty for a card without a parent. */
  path?: string[] | string;
}

/** How an operation refers to another card. */
export type CardReference = { id: string } | { ref: string } | { type: string; external_id: string } | CardPlace;

/** A relation in a card's operation, from that card to `target`. */
export interface RelationInput {
  type: string;
  target: CardReference;
  attributes?: Record<string, unknown>;
  description?: string | null;
  valid_from?: string | null;
  valid_to?: string | null;
}

/** The result of a relation in a card's operation. */
export interface WrittenRelation {
  id: string;
  outcome: 'created' | 'updated' | 'unchanged';
}

/**
 * What happens to the children of an archived or deleted card: they are included, lose their parent, or move to the
 * parent of the card.
 */
export type ChildStrategy = 'cascade' | 'disconnect' | 'reparent';

/** Members a client may set; in an update an absent member is unchanged and `null` removes the value. */
export interface CardInput {
  type?: string;
  subtype?: string | null;
  name?: string;
  description?: string | null;
  parent_id?: string | null;
  parent?: CardReference | null;
  lifecycle?: Record<string, string | null>;
  attributes?: Record<string, unknown>;
  external_id?: string | null;
  alias?: string | null;
  /** As in the operation. */
  relations?: readonly RelationInput[];
}

export type Approval = 'approve' | 'reject' | 'reset';
export type OperationKind = 'create' | 'update' | 'upsert' | 'archive' | 'restore' | 'delete' | Approval;

export interface CardOperation {
  op: OperationKind;
  /** Name of the card for other operations of the call. */
  ref?: string | undefined;
  id?: string | undefined;
  /** The expected version, or several of which one must match; otherwise the operation fails. */
  version?: Condition;
  card?: CardInput | undefined;
  /** Relations created or updated together with the card. */
  relations?: readonly RelationInput[] | undefined;
  child_strategy?: ChildStrategy | undefined;
  /** For an approval or rejection. */
  comment?: string | undefined;
}

export type Outcome = 'created' | 'updated' | 'unchanged' | 'archived' | 'restored' | 'deleted' | 'failed';

/** The status set by each approval action. */
export const APPROVALS = { approve: 'APPROVED', reject: 'REJECTED', reset: 'DRAFT' } as const;

export const LIFECYCLE_PHASES = ['plan', 'phaseIn', 'active', 'phaseOut', 'endOfLife'] as const;
export type LifecyclePhase = (typeof LIFECYCLE_PHASES)[number];

/** The latest phase whose date has been reached, in UTC days. */
export function lifecyclePhase(lifecycle: Record<string, string>, today: string): string | null {
  let phase: string | null = null;
  for (const p of LIFECYCLE_PHASES) if (lifecycle[p] !== undefined && lifecycle[p] <= today) phase = p;
  return phase;
}
