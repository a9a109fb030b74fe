import type { CardOperation, RelationOperation } from './bulk-operations.js';
import type { LogEvent, RequestContext } from './context.js';
import type { PageResult } from './http.js';
import type { FieldError } from './problem.js';
import type { ListParams, UnitOfWork } from './services.js';

/** The members of a card that every reader of it may see. `status` is ACTIVE or ARCHIVED. */
export interface CardRef {
  id: string;
  type: string;
  name: string;
  status: string;
}

/** A card as returned to the caller by `GET /cards/{id}`: without costs that the caller may not see. */
export type CardView = CardRef & Record<string, unknown>;

/** What an operation of `cards.bulk` did; an approval is `updated`. */
export type CardOutcome = 'created' | 'updated' | 'unchanged' | 'archived' | 'restored' | 'deleted' | 'failed';
/** What an operation of `relations.bulk` did. */
export type RelationOutcome = 'created' | 'updated' | 'unchanged' | 'deleted' | 'failed';

/** The result of one operation. */
export interface BulkResult<Outcome extends string> {
  /** Position of the operation. */
  index: number;
  ref?: string;
  id?: string;
  version?: number;
  outcome: Outcome;
  /** Of a failed operation that does not match the schema, in the mode `per_row`. */
  code?: 'validation_failed';
  errors?: FieldError[];
}

/** The result of an operation on a card. */
export interface CardResult extends BulkResult<CardOutcome> {
  /** Results of the relations in the operation, in their order. */
  relations?: { id: string; outcome: 'created' | 'updated' | 'unchanged' }[];
}

/** The result of a bulk request: `results` has a row for each operation, in their order; `summary` is the number of rows by outcome. */
export interface BulkOutcome<Result extends BulkResult<string> = CardResult> {
  change_id: string;
  summary: Partial<Record<Result['outcome'], number>>;
  results: Result[];
}

/** `mode`: whether one failed operation rejects all (the default) or only fails itself. `dryRun`: all checks, nothing is stored. */
export interface BulkOptions {
  mode?: 'all_or_nothing' | 'per_row';
  dryRun?: boolean;
}

/** Options of `cards.bulkIn`. */
export interface CardBulkInOptions extends BulkOptions {
  /**
   * Updates change neither an approval (APPROVED remains) nor who edited the card last, for values that the module computes
   * from what its users have entered elsewhere, such as sums. Default: false.
   */
  keepsApproval?: boolean;
}

/** Cards reached over relations. */
export interface ImpactReach {
  /** Nearest first, without the starting cards. `path` has the ids of the relations from a starting card. */
  nodes: { id: string; type: string; name: string; depth: number; path: string[] }[];
  /** Every relation followed. */
  edges: { id: string; type: string; source_id: string; target_id: string }[];
  /** The result is incomplete because of its limits. */
  truncated: boolean;
}

/** A card whose name equals or resembles a given one. */
export interface NamedCard extends CardRef {
  /** 1 for a name that is equal except for case and accents; less for similar ones, by the share of common trigrams. */
  score: number;
}

/** Options of `CardPort.findByName`. */
export interface NameSearch {
  /** Keys of card types; default: all. */
  types?: readonly string[] | undefined;
  /** Cards for each name, 1 to 20; default: 5. */
  most?: number;
}

/** Access to cards with the permissions of the context, in one statement for any number of cards. */
export interface CardPort {
  /** @throws not_found if the card does not exist or the caller may not see it */
  get(ctx: RequestContext, id: string): Promise<CardRef>;
  /**
   * Checks cards referenced by a body.
   * @param field JSON pointer of the list in the body; errors are reported below it
   * @throws validation_failed with each id that is not a card visible to the caller
   */
  ensureVisible(ctx: RequestContext, ids: readonly string[], field: string): Promise<void>;
  /** Those of these cards that the caller may see, by id; other ids are omitted. */
  find(ctx: RequestContext, ids: readonly string[]): Promise<Map<string, CardRef>>;
  /**
   * The cards of one type with these external ids that the caller may see, by external id, in one statement.
   * @param externalIds at most 20,000
   */
  findByExternalId(ctx: RequestContext, type: string, externalIds: readonly string[]): Promise<Map<string, CardRef>>;
  /**
   * The active cards visible to the caller whose names or aliases equal or resemble these names, in one statement.
   * @param names at most 200
   * @returns for each name, in order, the cards with the highest score, 0.3 or more
   */
  findByName(ctx: RequestContext, names: readonly string[], options?: NameSearch): Promise<NamedCard[][]>;
  /**
   * Which of these ids must not be shown to the caller: those of cards hidden from the caller. Queries the database
   * only if any card is hidden from the caller; ids of no card then count as hidden, as the two are indistinguishable.
   * @returns ids in lower case
   */
  hidden(ctx: RequestContext, ids: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * Whether the values of a filter of `GET /cards` are ids of cards: those of `parent_id`, `related_to` and others of their kind, and of
   * attributes that are references to cards. An attribute that no card type has counts as one, because it may have been.
   * @param filter its name, with or without an operator
   * @param types keys of the card types that are filtered; default: all
   */
  namesCards(filter: string, types?: readonly string[]): boolean;
  /**
   * As `seesCosts`, for stored copies of amounts: a card that was deleted since is judged by the type it had. Whether the card itself
   * is visible is not checked. The number of statements is constant.
   * @param cards with their types
   * @returns ids in lower case
   */
  withCosts(ctx: RequestContext, cards: readonly { id: string; type: string }[]): Promise<ReadonlySet<string>>;
  /**
   * SQL condition that the card in a column is visible to the caller, for lists, filters and counts by cards.
   * @param column with its alias, such as `l.card_id`; part of the SQL text, so it must never contain input
   * @param bind returns the placeholder of a value
   */
  visibleSql(ctx: RequestContext, column: string, bind: (value: unknown) => string): string;
  /**
   * SQL of a subquery with the cards visible to the caller, to be joined to: columns `id`, `type`, `subtype`, `name`, `status`,
   * `external_id` and `version`, such as `join ${host.cards.visibleCards(ctx, bind)} c on c.id = l.card_id`.
   * @param bind returns the placeholder of a value
   */
  visibleCards(ctx: RequestContext, bind: (value: unknown) => string): string;
  /** Complete cards, as returned by `GET /cards/{id}`. */
  read(ctx: RequestContext, ids: readonly string[]): Promise<CardView[]>;
  /** @param query the parameters of `GET /cards` */
  list(ctx: RequestContext, query: Readonly<Record<string, string | number>>): Promise<PageResult<CardView>>;
  /**
   * Writes cards, and their relations, like `POST /cards/bulk`, in a separate transaction.
   * @throws the problem that this route returns, unless `mode` is `per_row`
   */
  bulk(ctx: RequestContext, operations: readonly CardOperation[], options?: BulkOptions): Promise<BulkOutcome>;
  /**
   * The same inside a transaction of the module, with the permissions of `uow.ctx` and over its connection: cards,
   * relations, rows of the module, events and the Idempotency-Key commit together or not at all. If it throws, its own
   * changes are reverted and the transaction can continue. With `dryRun` it only checks, and locks nothing.
   */
  bulkIn(uow: UnitOfWork, operations: readonly CardOperation[], options?: CardBulkInOptions): Promise<BulkOutcome>;
  /**
   * The cards reachable from these cards, as `GET /cards/{id}/impact` returns them for one; each with its shortest path.
   * @param query.depth maximum number of relations of a path, 1 to 6; default: 3
   * @param query.direction default: downstream
   * @throws forbidden without relations.view
   */
  impact(
    ctx: RequestContext,
    cardIds: readonly string[],
    query?: {
      direction?: 'downstream' | 'upstream' | 'both' | undefined;
      depth?: number | undefined;
      relation_type?: string | undefined;
    },
  ): Promise<ImpactReach>;
  /**
   * Which of these cards are visible to the caller together with their costs: by role for their type, or by a stakeholder role. The
   * number of statements is constant.
   * @returns ids in lower case
   */
  seesCosts(ctx: RequestContext, cardIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Whether the caller may act on the card: by the application permission, or by a stakeholder role on it. */
  may(ctx: RequestContext, cardId: string, permission: string, cardPermission?: string): Promise<boolean>;
  /** The ids of those cards on which the caller has the permission, in lower case; the number of statements is constant. */
  mayAmong(
    ctx: RequestContext,
    cardIds: readonly string[],
    permission: string,
    cardPermission?: string,
  ): Promise<Set<string>>;
}

/** A relation as returned to the caller by `GET /relations`. */
export interface RelationView extends Record<string, unknown> {
  id: string;
  type: string;
  source_id: string;
  target_id: string;
}

/** Options of `relations.bulkIn`. */
export interface RelationBulkInOptions extends BulkOptions {
  /**
   * Whose permissions count. `caller` (the default): those of `uow.ctx`. `module`: every relation may be written, also between
   * cards hidden from the caller, because the module has decided that this step is the grant, such as the approval of a document by
   * a user with the permission of the module. The user of `uow.ctx` remains the actor of the changes and events. All other checks apply.
   */
  authority?: 'caller' | 'module';
}

/** Access to relations with the permissions of the context. */
export interface RelationPort {
  /** @param query the parameters of `GET /relations` */
  list(ctx: RequestContext, query: Readonly<Record<string, string | number>>): Promise<PageResult<RelationView>>;
  /** Writes relations like `POST /relations/bulk`, in a separate transaction. */
  bulk(
    ctx: RequestContext,
    operations: readonly RelationOperation[],
    options?: BulkOptions,
  ): Promise<BulkOutcome<BulkResult<RelationOutcome>>>;
  /**
   * The same inside a transaction of the module, as `CardPort.bulkIn`.
   * @param options.authority whether the permissions of the caller count; with `module`, results may name hidden cards: do not return them
   */
  bulkIn(
    uow: UnitOfWork,
    operations: readonly RelationOperation[],
    options?: RelationBulkInOptions,
  ): Promise<BulkOutcome<BulkResult<RelationOutcome>>>;
}

/** The members of an account that modules can read. */
export interface UserRef {
  id: string;
  display_name: string;
  is_active: boolean;
}

/** What a user sees who sees cards of these types, and what else is named. */
export interface Sight {
  /** Keys of card types. */
  types: readonly string[];
  /** Costs and relations are those of all cards, stakeholders those of cards of the types. */
  needs: readonly ('costs' | 'relations' | 'stakeholders')[];
}

/** The accounts of the workspace. */
export interface UserPort {
  /** By id; unknown ids are omitted. */
  find(ids: readonly string[]): Promise<Map<string, UserRef>>;
  /** @throws validation_failed with each id that is not an active user, below the field */
  ensureActive(ids: readonly string[], field: string): Promise<void>;
  /**
   * Checks the service account that is to run jobs of the module; see `onBehalfOf` of `jobs.enqueue`. Locks the roles until the
   * transaction ends.
   * @param field JSON pointer of the member with its id
   * @throws validation_failed unless it is an active service account; forbidden if its role, or its stakeholder roles, grant a permission
   *   that the user of `uow.ctx` does not have; session_required for an API token, after whose end the account would act
   */
  ensureRunsAs(uow: UnitOfWork, id: string, field: string): Promise<void>;
  /**
   * The active users whose role currently has the permission.
   * @param sight what the role must also permit to see: a notification must not tell its receiver of what this user may not see
   */
  holding(permission: string, sight?: Sight): Promise<UserRef[]>;
  /**
   * The active users who may act on a card: by the application permission, or by a stakeholder role on the card or an inherited one
   * above it. For receivers of notifications; a service checks the rights of a caller with `cards.may`.
   */
  holdingOn(cardId: string, permission: string, cardPermission: string): Promise<UserRef[]>;
}

/** A stored file. */
export interface StoredFileRef {
  id: string;
  /** Bytes. */
  size: number;
  /** Hexadecimal. */
  sha256: string;
}

/** Files in the database, in chunks, so that every node can read them. Store their ids in a table of the module. */
export interface FilePort {
  /**
   * Stores a stream as it arrives; if it fails, nothing is stored.
   * @param options.maxBytes a longer one is refused with 413
   * @param options.keepHours hours after which it may be deleted; default: never
   */
  write(
    ctx: RequestContext,
    stream: AsyncIterable<Buffer>,
    options: { maxBytes: number; keepHours?: number },
  ): Promise<StoredFileRef>;
  /** Keeps files that were stored with `keepHours`, if the transaction commits; in one statement. */
  keep(ids: readonly string[], uow: UnitOfWork): Promise<void>;
  /** The bytes, chunk by chunk; none if the file was deleted. */
  read(id: string): AsyncIterable<Buffer>;
  remove(id: string, uow?: UnitOfWork): Promise<void>;
}

/** Small values encrypted at rest under a key that is not in the database. Names are scoped to the module. */
export interface SecretPort {
  get(name: string): Promise<string | undefined>;
  set(name: string, value: string, uow?: UnitOfWork): Promise<void>;
  remove(name: string, uow?: UnitOfWork): Promise<void>;
}

/** When a request is sent again. */
export interface OutboundRetries {
  /** Maximum number of attempts, the first one included; at most 10. */
  attempts: number;
  /** Maximum time of all attempts and the delays between them, in milliseconds; default: 60,000, at most 600,000. */
  maxTotalMs?: number;
  /**
   * Also retries POST and PATCH. Only for requests that the other system recognises when they are repeated, such as by
   * an Idempotency-Key: without a response it is unknown whether the first one had an effect.
   */
  anyMethod?: boolean;
}

/** A request to another server; the default method is GET. */
export interface OutboundRequest {
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | Buffer;
  /** Timeout of the whole request, or of each attempt, in milliseconds; default: 10,000. */
  timeoutMs?: number;
  /** Maximum size of the response in bytes, default: 5 MiB; a longer one fails. */
  maxBytes?: number;
  /** Maximum number of redirects, default: 5; each address is checked like the first one. With 0 the redirect itself is the response. */
  maxRedirects?: number;
  signal?: AbortSignal;
  /**
   * Sends the request again, after increasing delays with jitter, if no complete response arrives or the response is 429, 502, 503
   * or 504. `Retry-After` is obeyed; if it exceeds the remaining time, the response is returned. Without retries, the request is
   * sent once. Delays end when the signal is aborted or the module is disabled.
   */
  retries?: OutboundRetries;
}

/** The response of another server, with any status; header names are in lower case. */
export interface OutboundAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: Buffer;
  /** The URL of the response, after redirects. */
  url: string;
  text(): string;
  /**
   * The body as JSON, parsed at once.
   * @throws outbound_failed where it is no JSON, or more than 1 MiB or 50,000 values: `readJson` parses longer ones
   */
  json(): unknown;
  /**
   * The body as JSON, parsed in time slices, so that a long one does not block other requests.
   * @throws outbound_failed where it is no JSON, nested deeper than 64 levels, or has more than 2,000,000 values, keys included, or an
   *   object of more than 100,000 members
   */
  readJson(): Promise<unknown>;
}

/** Outbound requests. Private addresses are refused unless they are in `OUTBOUND_ALLOW`. */
export interface OutboundPort {
  /** @throws outbound_refused, outbound_failed; an Error for retries of POST and PATCH without `anyMethod` */
  request(url: string, request?: OutboundRequest): Promise<OutboundAnswer>;
}

/** The events that the caller may see. */
export interface EventPort {
  /**
   * The events of one subject, latest first: the history of a resource. Includes all changes committed before.
   * Ids of cards that the caller may not see are removed.
   * @param ctx of the current request; without it all cards are hidden
   */
  history(
    subject: { kind: string; id: string },
    params: ListParams,
    ctx?: RequestContext,
  ): Promise<PageResult<LogEvent>>;
}

/** A counter of `/api/metrics`; see `MetricsPort`. */
export interface MetricCounter {
  inc(labels?: Readonly<Record<string, string>>, by?: number): void;
}
/** A histogram of `/api/metrics`; see `MetricsPort`. */
export interface MetricHistogram {
  observe(value: number, labels?: Readonly<Record<string, string>>): void;
}

/** Metrics in `/api/metrics`, named `lintel_<module>_<name>`. A second call with the same name returns the same metric. */
export interface MetricsPort {
  counter(name: string, help: string, labels?: readonly string[]): MetricCounter;
  /** @param read called for each scrape of the metrics */
  gauge(name: string, help: string, read: () => number): void;
  histogram(name: string, help: string, buckets: readonly number[], labels?: readonly string[]): MetricHistogram;
}

/** A notification sent by a module. */
export interface ModuleNotice {
  /** Ids of the receivers. Inactive users, users who may not see the subject, and the acting user are omitted. */
  to: readonly string[];
  /** A kind declared in the manifest under `notifications`. */
  kind: string;
  /** Of a kind declared in the manifest under `events`, whose permission its receivers need; or a card, with its type. */
  subject: { kind: string; id: string; type?: string; name?: string };
  /** One line, such as `Signature requested: Use PostgreSQL`. It must not contain values that a receiver may not see. */
  title: string;
  /** Path of the subject, below the prefix of the module; default: `/<id of the subject>`. */
  path?: string;
  /** Notices of one user, kind and group are one notification with a count. */
  group?: string;
}

/** Notifications in the app and by mail, by the preferences of each receiver. */
export interface NotificationPort {
  /** Sends notifications as part of the transaction; the number of statements is constant. */
  send(uow: UnitOfWork, notices: ModuleNotice | readonly ModuleNotice[]): Promise<void>;
}
