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
  external_id: string | null;
  alias: string | null;
  /** Stakeholder roles somebody holds on it. */
  roles_held: number;
  version: number;
}

/** How an operation names another card. */
export type CardReference = { id: string } | { ref: string } | { type: string; external_id: string };

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
}

export type OperationKind = 'create' | 'update' | 'upsert' | 'archive' | 'restore' | 'delete';

export interface CardOperation {
  op: OperationKind;
  /** Names the card for other operations of the call. */
  ref?: string | undefined;
  id?: string | undefined;
  /** The version the caller saw; another one fails the row. */
  version?: number | undefined;
  card?: CardInput | undefined;
}

export type Outcome = 'created' | 'updated' | 'unchanged' | 'archived' | 'restored' | 'deleted' | 'failed';

export const LIFECYCLE_PHASES = ['plan', 'phaseIn', 'active', 'phaseOut', 'endOfLife'] as const;

/** The last phase that has begun, in UTC days. */
export function lifecyclePhase(lifecycle: Record<string, string>, today: string): string | null {
  let phase: string | null = null;
  for (const p of LIFECYCLE_PHASES) if (lifecycle[p] !== undefined && lifecycle[p] <= today) phase = p;
  return phase;
}
