import type { TSchema } from 'typebox';
import type { RequestContext } from '../context.js';
import type { ModuleServices, UnitOfWork } from '../services.js';

export const STATUSES = ['draft', 'in_review', 'signed', 'superseded'] as const;
/** The status of a document. */
export type DocumentStatus = (typeof STATUSES)[number];

/**
 * Which signatories a document needs besides its author: none; at least one more; or only signatories who are not the
 * author. The authors are the user who started the revision and the user who requested the signatures.
 */
export const FOUR_EYES = ['off', 'another', 'others_only'] as const;
/** `off`: any permitted user signs; `another`: also a user other than the author; `others_only`: no author signs. */
export type FourEyes = (typeof FOUR_EYES)[number];

/** The changes of a transition, for hooks of the module; in the transaction of the transition. */
export interface DocumentMove {
  id: string;
  from: DocumentStatus;
  to: DocumentStatus;
}

/** Options of `documentLifecycle`. */
export interface DocumentLifecycleSpec<Settings> {
  /** Kind of the subject of its events; begins with the module's id. */
  kind: string;
  /** Prefix of the names of its table of signatures and of its constraints: `<prefix>_signatures`. */
  prefix: string;
  /** The module's table of documents: with id, version, created_by, created_at and updated_at as in `resourceColumns`. */
  table: string;
  /** Column with the same value in all revisions of a document; default: `number`. */
  number?: string;
  /** Column with the name of the subject of events; default: `title`. */
  title?: string;
  /** Columns that a new revision copies, including computed ones. */
  copied: readonly string[];
  /** For OpenAPI: the tag, the suffix of operation ids (`Adr`: `signAdr`) and the label in texts. */
  tag: string;
  operation: string;
  label: string;
  permissions: { view: string; manage: string; sign: string };
  /** A stakeholder permission that counts in addition to `manage`; `authorise` then checks it for the document. */
  cardPermission?: string;
  /** Called if the caller has `cardPermission` on some card, but not `manage`. @throws forbidden */
  authorise?(host: ModuleServices<Settings>, ctx: RequestContext, id: string): Promise<void>;
  /** The module's view of one document, as returned by `GET /{id}`. */
  view: TSchema;
  /**
   * Computes what is stored with a draft when signatures are requested, such as figures of that moment. Called before the
   * transaction, because a request that holds a connection must not wait for a second one.
   * @returns a function that stores it: called in the transaction, with the draft locked, before the content is hashed; it
   *   throws if the draft has been changed in between
   */
  freeze?(host: ModuleServices<Settings>, ctx: RequestContext, id: string): Promise<(uow: UnitOfWork) => Promise<void>>;
  /** The signed content, as JSON; read while the row is locked. */
  content(uow: UnitOfWork, id: string): Promise<unknown>;
  /** Copies data of a revision in other tables. */
  copy?(uow: UnitOfWork, from: string, to: string): Promise<void>;
  /** Further effects of a transition in the module; must not change status and version. */
  moved?(uow: UnitOfWork, move: DocumentMove, host: ModuleServices<Settings>): Promise<void>;
  /** Kind of the notification sent to the signatories, declared in the manifest; if absent, none is sent. */
  notification?: string;
  /** The current four-eyes rule; default: off. */
  fourEyes?(settings: Settings): FourEyes;
}
