import type { RequestContext } from './context.js';
import type { Problem } from './problem.js';
import type { Statement } from './services.js';

/** What a write does to a card; several at once if a bulk request has several operations on it. */
export type CardChangeKind = 'create' | 'update' | 'archive' | 'restore' | 'delete' | 'approve' | 'reject' | 'reset';
/** What a write does to a relation. */
export type RelationChangeKind = 'create' | 'update' | 'delete';

/** A complete card, whatever the caller may see of it. */
export interface RuleCard {
  id: string;
  type: string;
  subtype: string | null;
  name: string;
  description: string | null;
  parent_id: string | null;
  lifecycle: Record<string, string>;
  attributes: Record<string, unknown>;
  status: 'ACTIVE' | 'ARCHIVED';
  approval_status: 'DRAFT' | 'APPROVED' | 'REJECTED' | 'BROKEN';
  external_id: string | null;
  alias: string | null;
  version: number;
}

/** A card at an end of a relation. In the preview of an import `id` is null for a card that the import creates. */
export interface RuleEnd {
  id: string | null;
  type: string;
}

/** A complete relation. In the preview of an import `id` is null for a new one. */
export interface RuleRelation {
  id: string | null;
  type: string;
  source: RuleEnd;
  target: RuleEnd;
  attributes: Record<string, unknown>;
  description: string | null;
  valid_from: string | null;
  valid_to: string | null;
}

/** The planned change of one card; copies, so that changing them has no effect. */
export interface CardChange {
  readonly kinds: readonly CardChangeKind[];
  /** Undefined for a new card. */
  readonly before: RuleCard | undefined;
  /** Undefined for a card to be deleted. */
  readonly after: RuleCard | undefined;
  /** The fields that the caller sent, such as `name` and `attributes.owner`. */
  readonly given: readonly string[];
}

/** The planned change of one relation; copies, as of cards. */
export interface RelationChange {
  readonly kind: RelationChangeKind;
  readonly before: RuleRelation | undefined;
  readonly after: RuleRelation | undefined;
  /** The values that the caller sent, such as `description` and `attributes.supportType`. */
  readonly given: readonly string[];
}

/** The planned changes of one write. */
export interface RuleBatch<Change> {
  /** Of the caller; in the preview of an import, of the user who uploaded it. */
  readonly ctx: RequestContext;
  /** Whether nothing will be written: the preview of an import. */
  readonly isPreview: boolean;
  readonly changes: readonly Change[];
  /** Reads in the transaction of the write; a statement that writes fails. */
  query<R extends Record<string, unknown>>(statement: Statement, values?: unknown[]): Promise<R[]>;
  /**
   * Locks a name of the module until the transaction ends, as `host.lock`: a rule that compares cards with each other locks
   * before it reads. If another write holds it for too long, the write is tried again, and refused with 409 in the end. Previews and
   * dry runs lock nothing.
   */
  lock(name: string): Promise<void>;
  /** Complete cards by id, as the write leaves them, in one statement; unknown ids are omitted. */
  cards(ids: readonly string[]): Promise<Map<string, RuleCard>>;
}

/** What a rule decides about a change; a change without a decision is accepted. */
export interface RuleDecision<Change> {
  /** One of the changes of the batch. */
  change: Change;
  /** Refuses the change with 422; `field` is a JSON pointer in the card or relation, such as `/attributes/owner`. The caller reads them. */
  errors?: readonly { field: string; reason: string }[];
  /** Refuses the change with a problem of the module's own codes or a common one, with a status below 500. */
  problem?: Problem;
}

/** The same for a card, which a rule may also complete. */
export interface CardDecision extends RuleDecision<CardChange> {
  /**
   * Values of a created or updated card for fields that the caller did not send; fields that the caller or an earlier rule
   * has set are kept. They are checked against the metamodel and become part of the change.
   */
  set?: { attributes?: Readonly<Record<string, unknown>>; description?: string | null };
}

/** The same for a relation, which a rule may also complete. */
export interface RelationDecision extends RuleDecision<RelationChange> {
  /** Values of a created or updated relation for fields that the caller did not send, as of a card. */
  set?: {
    attributes?: Readonly<Record<string, unknown>>;
    description?: string | null;
    /** YYYY-MM-DD. */
    valid_from?: string | null;
    /** YYYY-MM-DD. */
    valid_to?: string | null;
  };
}

/** A rule that a module adds to writes of cards and relations, however they are written. */
export interface CardRule<S> {
  /** Unique within the module. */
  key: string;
  /** Card types of `cards`; default: all. */
  types?: readonly string[];
  /** Relation types of `relations`; default: all. */
  relationTypes?: readonly string[];
  /** Kinds of changes; default: `create` and `update`. */
  on?: readonly CardChangeKind[];
  /**
   * Decides about all changes of cards in one write. It may be called several times for one write. Within it the host can
   * not be used, only `batch`. Timeout: two seconds and one millisecond per change.
   * @returns the decisions; an error, an overrun or an invalid result refuses the whole write with 503
   */
  cards?(services: S, batch: RuleBatch<CardChange>): Promise<readonly CardDecision[]>;
  /** The same for relations; those that are deleted together with a card are not included. */
  relations?(services: S, batch: RuleBatch<RelationChange>): Promise<readonly RelationDecision[]>;
}
