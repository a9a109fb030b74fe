import type { TSchema } from 'typebox';
import type { RequestContext } from '../context.js';
import type { ModuleServices, UnitOfWork } from '../services.js';

export const STATUSES = ['draft', 'in_review', 'signed', 'superseded'] as const;
/** Where a document is in its life. */
export type DocumentStatus = (typeof STATUSES)[number];

/**
 * Which signatories a document needs besides its author: none; at least one more; or only signatories who are not the
 * author. The authors are the user who started the revision and the user who requested the signatures.
 */
export const FOUR_EYES = ['off', 'another', 'others_only'] as const;
/** `off`: any permitted user signs; `another`: also a user other than the author; `others_only`: no author signs. */
export type FourEyes = (typeof FOUR_EYES)[number];

/** What a move changed, for hooks of the module; in the transaction of the move. */
export interface DocumentMove {
  id: string;
  from: DocumentStatus;
  to: DocumentStatus;
}

/** What `documentLife` is told of the documents. */
export interface DocumentLifeSpec<Settings> {
  /** Kind of the subject of its events; begins with the module's id. */
  kind: string;
  /** Begins the names of its table of signatures and of its constraints: `<prefix>_signatures`. */
  prefix: string;
  /** The module's table of documents: id, version, created_by, created_at and updated_at as `resourceColumns` has them. */
  table: string;
  /** Column all revisions of a document share, `number` when absent. */
  number?: string;
  /** Column the subject of an event is named by, `title` when absent. */
  title?: string;
  /** Columns a new revision takes over, those computed from others included. */
  copied: readonly string[];
  /** For OpenAPI: the tag, the name operation ids end with (`Adr` gives `signAdr`) and what a reader calls it. */
  tag: string;
  operation: string;
  label: string;
  permissions: { view: string; manage: string; sign: string };
  /** Lets a stakeholder role count beside `manage`; `authorise` then says whether it does for this document. */
  cardPermission?: string;
  /** Asked where the caller holds `cardPermission` on some card and not `manage`. @throws forbidden */
  authorise?(host: ModuleServices<Settings>, ctx: RequestContext, id: string): Promise<void>;
  /** The module's view of one document, as `GET /{id}` answers it. */
  view: TSchema;
  /** All that is signed, as JSON; read under the lock of the row. */
  content(uow: UnitOfWork, id: string): Promise<unknown>;
  /** Copies what a revision takes over and stands in other tables. */
  copy?(uow: UnitOfWork, from: string, to: string): Promise<void>;
  /** What else a move means to the module; it leaves status and version alone. */
  moved?(uow: UnitOfWork, move: DocumentMove): Promise<void>;
  /** Kind of the notification sent to the signatories, declared in the manifest; if absent, none is sent. */
  notification?: string;
  /** The rule of four eyes as it stands now; off when absent. */
  fourEyes?(settings: Settings): FourEyes;
}
