/** The acting user: a person or a service account with an active session or API token. */
export interface Actor {
  readonly id: string;
  readonly displayName: string;
  readonly email: string;
  readonly role: string;
  /** Id of the session, or of the API token; empty for work without a request. */
  readonly sessionId: string;
  /** The API token that the request or job uses; absent for a session. */
  readonly token?: ActorToken;
}

/** The API token by which a user acts. */
export interface ActorToken {
  readonly id: string;
  readonly name: string;
}

/** The current application permissions of a role, or those of them that an API token includes. */
export interface PermissionSet {
  /**
   * @param key a permission such as `cards.edit`
   * @param cardType for roles with rules per card type
   */
  has(key: string, cardType?: string): boolean;
  /** Every key held, for display; `*` for the administrator. */
  list(): string[];
}

/** The data of the current request that services need. A job has one too, without an actor. */
export interface RequestContext {
  readonly requestId: string;
  /** Groups all changes of one request or job. */
  readonly changeId: string;
  readonly origin: string;
  readonly actor: Actor | null;
  readonly permissions: PermissionSet;
  /** The versions in If-Match, one of which must match; undefined if the request has no condition. */
  readonly ifMatch: ReadonlySet<number> | undefined;
  /** Whether the route requires a version in If-Match; `checkVersion` refuses a request without one. */
  readonly requiresVersion?: boolean;
  /** `replayed` is set if the outcome of an earlier request was returned instead of executing the request again. */
  readonly idempotency: { readonly key: string; readonly fingerprint: Buffer; replayed: boolean } | undefined;
  readonly dryRun: boolean;
  /** Whether it may write while storage is nearly full: deletions, start and end of sessions, and small tasks of the system. */
  readonly whenFull?: boolean | undefined;
  /** Its signal is aborted when the client closes the connection before it has the response, or when the job must stop. */
  readonly lifetime?: { readonly signal: AbortSignal } | undefined;
}

/** An event of a change; written to the event log in the transaction of the change. */
export interface EventInput {
  /** `<kind>.<past participle>`, such as `card.created`. */
  type: string;
  subject: { kind: string; id: string; type?: string | null; name?: string | null };
  data?: unknown;
  /** Milliseconds since 1970; default: the time of the transaction. */
  at?: string;
}

/** One row of the event log as subscribers receive it. `position` is dense and increasing. */
export interface LogEvent {
  position: number;
  type: string;
  occurred_at: string;
  /** `token` where the user acted by an API token. */
  actor: { id: string; display_name: string; token?: ActorToken } | null;
  origin: string;
  request_id: string | null;
  change_id: string | null;
  subject: { kind: string; id: string; type: string | null; name: string | null };
  data: Record<string, unknown>;
}
