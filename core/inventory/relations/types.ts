import type { FieldError } from '@lintel/sdk';
import type { CardReference } from '../cards/index.js';
import type { Condition } from '../../foundation/conditions.js';

/** The application permission to write relations, and the permission of a stakeholder role that suffices on an end. */
export const MANAGE = 'relations.manage';
export const CARD_MANAGE = 'card.manage_relations';

/** A relation in the write path. */
export interface RelationState {
  id: string;
  type: string;
  source_id: string;
  target_id: string;
  /** Types of the cards at the ends. */
  source_type: string;
  target_type: string;
  attributes: Record<string, unknown>;
  description: string | null;
  /** Days, YYYY-MM-DD. */
  valid_from: string | null;
  valid_to: string | null;
  version: number;
  /** Identifies the stored row (`xmin`), where it was read to be written only if it is still the same. */
  row_version?: string;
}

export interface RelationInput {
  type?: string;
  source_id?: string;
  target_id?: string;
  /** The cards at the ends, instead of their ids; `{ref}` only for relations in operations on cards. */
  source?: CardReference;
  target?: CardReference;
  attributes?: Record<string, unknown>;
  description?: string | null;
  valid_from?: string | null;
  valid_to?: string | null;
}

export interface RelationOperation extends RelationInput {
  op: 'create' | 'update' | 'upsert' | 'delete';
  id?: string;
  /** The expected version, or several of which one must match; otherwise the row fails. */
  version?: Condition;
}

/** The data of a card at an end in the write path. */
export interface End {
  id: string;
  type: string;
  status: 'ACTIVE' | 'ARCHIVED';
  external_id: string | null;
}

export interface RelationRow {
  index: number;
  id?: string;
  version?: number;
  outcome: 'created' | 'updated' | 'unchanged' | 'deleted' | 'failed';
  errors?: FieldError[];
}
