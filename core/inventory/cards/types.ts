import type { Condition } from '../../foundation/conditions.js';

/** A card as the write path holds it: what is edited, what is derived, and its place in the tree. */
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
  /** The same for readers who may not see costs. */
  open_quality: number;
  external_id: string | null;
  alias: string | null;
  /** What around the card counts in its score: `r:<role>` held, `g:<tag group>` filled, `s:<relation type>` or `t:…` related. */
  facts: readonly string[];
  /** Who changed last what an approval is about. */
  edited_by: string | null;
  version: number;
}

/** What makes a new version of a card; each is told by an event `card.<verb>` with that version. */
export const VERSION_VERBS = [
  'created',
  'updated',
  'archived',
  'restored',
  'approved',
  'rejected',
  'approval_reset',
] as const;
export type VersionVerb = (typeof VERSION_VERBS)[number];

/** A card before anything is said of it. */
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
  external_id: null,
  alias: null,
  facts: [],
  version: 0,
  edited_by: null,
};

/** A card named by where it stands. Without `path`, the one active card of that type and name, wherever it is. */
export interface CardPlace {
  type: string;
  name: string;
  /** Names of the ancestors, root first, as a list or joined by ` / `; empty for a card without a parent. */
  path?: string[] | string;
}

/** How an operation names another card. */
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

/** A relation of a card's operation, once it is written. */
export interface WrittenRelation {
  id: string;
  outcome: 'created' | 'updated' | 'unchanged';
}

/** What becomes of the children of a card that goes: they go too, lose their parent, or move up to the parent's parent. */
export type ChildStrategy = 'cascade' | 'disconnect' | 'reparent';

/** What a caller may set; on an update what is absent stays and `null` removes. */
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
  /** As those of its operation. */
  relations?: readonly RelationInput[];
}

export type Approval = 'approve' | 'reject' | 'reset';
export type OperationKind = 'create' | 'update' | 'upsert' | 'archive' | 'restore' | 'delete' | Approval;

export interface CardOperation {
  op: OperationKind;
  /** Names the card for other operations of the call. */
  ref?: string | undefined;
  id?: string | undefined;
  /** The version the caller saw, or several any of which will do; another one fails the row. */
  version?: Condition;
  card?: CardInput | undefined;
  /** Made, or brought to what is said here, together with the card. */
  relations?: readonly RelationInput[] | undefined;
  child_strategy?: ChildStrategy | undefined;
  /** Of an approval or a rejection. */
  comment?: string | undefined;
}

export type Outcome = 'created' | 'updated' | 'unchanged' | 'archived' | 'restored' | 'deleted' | 'failed';

/** What a status given by an action is called in the event log. */
export const APPROVALS = { approve: 'APPROVED', reject: 'REJECTED', reset: 'DRAFT' } as const;

export const LIFECYCLE_PHASES = ['plan', 'phaseIn', 'active', 'phaseOut', 'endOfLife'] as const;

/** The last phase that has begun, in UTC days. */
export function lifecyclePhase(lifecycle: Record<string, string>, today: string): string | null {
  let phase: string | null = null;
  for (const p of LIFECYCLE_PHASES) if (lifecycle[p] !== undefined && lifecycle[p] <= today) phase = p;
  return phase;
}
