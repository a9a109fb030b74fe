import type { CardReference } from '../cards/index.js';
import type { Condition } from '../../foundation/conditions.js';

/** The application permission to write relations, and the permission of a stakeholder role that suffices on an end. */
export const MANAGE = 'relations.manage';
export const CARD_MANAGE = 'card.manage_relations';

/** A relation as the write path holds it. */
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
}

/** How an operation names one end: `ref` only where it comes with the cards of a bulk. */
export type EndReference = CardReference;

export interface RelationInput {
  type?: string;
  source_id?: string;
  target_id?: string;
  source?: EndReference;
  target?: EndReference;
  attributes?: Record<string, unknown>;
  description?: string | null;
  valid_from?: string | null;
  valid_to?: string | null;
}

export interface RelationOperation extends RelationInput {
  op: 'create' | 'update' | 'upsert' | 'delete';
  id?: string;
  /** The version the caller saw, or several any of which will do; another one fails the row. */
  version?: Condition;
}

/** What the write path must know of a card at an end. */
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
  errors?: { field: string; reason: string; in: 'body' | 'query' | 'path' | 'header' }[];
}
