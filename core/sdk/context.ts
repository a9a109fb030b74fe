/** Who acts: a person or a service account with a live session. */
export interface Actor {
  readonly id: string;
  readonly displayName: string;
  readonly email: string;
  readonly role: string;
  readonly sessionId: string;
}

/** The application permissions of a role, as they stand now. */
export interface PermissionSet {
  /**
   * @param key a permission such as `cards.edit`
   * @param cardType where the role carries rules per card type
   */
  has(key: string, cardType?: string): boolean;
  /** Every key held, for display; `*` for the administrator. */
  list(): string[];
}

/** Everything a service must know of the request it works for. A job has one too, with no actor. */
export interface RequestContext {
  readonly requestId: string;
  /** Groups all that one request or job changed. */
  readonly changeId: string;
  readonly origin: string;
  readonly actor: Actor | null;
  readonly permissions: PermissionSet;
  /** The versions If-Match names, any of which will do; undefined where the request has no condition. */
  readonly ifMatch: ReadonlySet<number> | undefined;
  /** Whether the route demands that If-Match names a version; `checkVersion` refuses a request without one. */
  readonly requiresVersion?: boolean;
  /** `replayed` is set once an earlier request's outcome was given back instead of running again. */
  readonly idempotency: { readonly key: string; readonly fingerprint: Buffer; replayed: boolean } | undefined;
  readonly dryRun: boolean;
  /** Whether it may write while storage is nearly full: what deletes, what begins or ends sessions, and small work of the system. */
  readonly whenFull?: boolean | undefined;
}

/** What a change tells the world; written to the event log in the change's own transaction. */
export interface EventInput {
  /** `<kind>.<past participle>`, such as `card.created`. */
  type: string;
  subject: { kind: string; id: string; type?: string | null; name?: string | null };
  data?: unknown;
  /** Milliseconds since 1970; the transaction's clock when absent. */
  at?: string;
}

/** One row of the event log as subscribers receive it. `position` is dense and grows. */
export interface LogEvent {
  position: number;
  type: string;
  occurred_at: string;
  actor: { id: string; display_name: string } | null;
  origin: string;
  request_id: string | null;
  change_id: string | null;
  subject: { kind: string; id: string; type: string | null; name: string | null };
  data: Record<string, unknown>;
}
