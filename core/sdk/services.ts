import type { Readable } from 'node:stream';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ConnectorPort } from './connectors.js';
import type { EventInput, LogEvent, RequestContext } from './context.js';
import type { BytesResult, PageResult, ResourceResult, SentFile, UploadedFile, UploadLimits } from './http.js';
import type { InventoryPort } from './inventory.js';
import type { JobHandler, JobPort } from './jobs.js';
import type { Knex } from './knex.js';
import type { ModelPort } from './language-models.js';
import type { Capability } from './module.js';
import type {
  CardPort,
  EventPort,
  FilePort,
  MetricsPort,
  NotificationPort,
  OutboundPort,
  RelationPort,
  SecretPort,
  UserPort,
} from './ports.js';
import type { FieldError, Problem, ProblemDetails } from './problem.js';
import type { ReportPort, SpreadsheetPort } from './reports.js';

/**
 * A statement that is prepared once per connection; begin its `name` with the module's id. The host appends a digest of
 * the text to the name, so that texts built at run time may share a name.
 */
export interface Statement {
  name: string;
  text: string;
}

/** One transaction: the change, its events and its Idempotency-Key commit together or not at all. */
export interface UnitOfWork {
  readonly ctx: RequestContext;
  /** Returns rows as objects with parsed types. The SQL of an external module has rights to its own tables only (see docs/adr/0023); so have `knex` and `host.db`. */
  query<R extends Record<string, unknown>>(statement: Statement, values?: unknown[]): Promise<R[]>;
  /** Knex, and Objection by `Model.query(await uow.knex())`, inside this transaction. */
  knex(): Promise<Knex>;
  /**
   * Emits an event; every change of state must emit one. The manifest declares the kind of the subject. Of maps in entries of
   * `changes` only the changed keys are stored.
   */
  emit(event: EventInput): void;
  /** The version of a row after its next change: the next number, except that versions of lost writes are not given again after a failover. */
  nextVersion(row: { id: string; version: number }): number;
  /** Runs `work`; if it fails, only its own changes are reverted. */
  savepoint<T>(work: () => Promise<T>): Promise<T>;
}

/** Collects the bindings of a statement while its text is assembled. */
export interface Bindings {
  readonly values: unknown[];
  /** @returns the placeholder of the value, `$n` */
  add(value: unknown): string;
}

/** A documented sort of a resource: SQL over the listed table, and the type its cursor value is cast to. */
export interface Sort {
  sql: string;
  type: 'text' | 'timestamptz' | 'integer' | 'numeric' | 'bigint' | 'date' | 'uuid' | 'boolean';
  nullable?: boolean;
  /** Collation of a text sort whose column does not define one. */
  collate?: string;
}

/** Page, size, cursor, sort and total of a list, as `PageQuery` has them. */
export interface ListParams {
  page?: number | undefined;
  page_size?: number | undefined;
  cursor?: string | undefined;
  sort_by?: string | undefined;
  sort_dir?: 'asc' | 'desc' | undefined;
  /** `none`: the hits are not counted. */
  total?: string | undefined;
}

/** The table of a list (with its alias) and its sorts. */
export interface ListSpec {
  /** Table with its alias, as in FROM. */
  table: string;
  /** Unique column that breaks ties. */
  id: string;
  idType?: Sort['type'];
  sorts: Record<string, Sort>;
  defaultSort: string;
  defaultDir?: 'asc' | 'desc';
}

/** The query of a list by a repository; see `reads.list`. */
export interface ListRequest {
  spec: ListSpec;
  params: ListParams;
  /** Conditions already bound in `bindings`, joined by AND. */
  where: string[];
  bindings: Bindings;
  /** Identifies the list, including all filters: a cursor of another scope is refused. */
  scope: string;
  /** Columns of the result, over the alias of the spec's table and of `joins`. */
  columns: string;
  joins?: string;
}

/** Reading; writes go through `transactions`. */
export interface ReadPort {
  query<R extends Record<string, unknown>>(statement: Statement, values?: unknown[]): Promise<R[]>;
  readonly knex: Knex;
  bindings(): Bindings;
  /** One page with its exact total, from one snapshot; without a total if the request has `total=none`. */
  readPage<R extends Record<string, unknown>>(list: ListRequest): Promise<PageResult<R>>;
}

/** Codes of the platform's error table that a module may use; its own are in its manifest. */
export type CommonProblemCode =
  | 'not_found'
  | 'forbidden'
  | 'conflict'
  | 'invalid_state'
  | 'four_eyes'
  | 'validation_failed'
  | 'precondition_failed'
  | 'unavailable';

/** Options of `host.lock`. */
export interface LockOptions {
  /** Longest wait in milliseconds, up to 30,000; default: 5,000. */
  waitMs?: number;
}

/** Settings of the workspace that modules may need to show values. */
export interface Workspace {
  title: string;
  /** ISO 4217 code. */
  currency: string;
  /** Month in which the fiscal year begins, from 1. */
  fiscalYearStart: number;
  /** BCP 47 tags; the first is the default. */
  locales: readonly string[];
  /** Address at which users reach the service, without a slash at the end; undefined if the operator has not set it. */
  publicUrl: string | undefined;
}

/** The logo of the workspace. */
export interface WorkspaceLogo {
  /** Media type, as determined by the bytes. */
  type: 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif' | 'image/svg+xml';
  bytes: Buffer;
  /** Increases with each change. */
  version: number;
}

/** The services of the platform for a module, whether it is enabled or disabled. */
export interface ModuleServices<Settings = Record<string, unknown>> {
  readonly log: FastifyBaseLogger;
  readonly transactions: { run<T>(ctx: RequestContext, work: (uow: UnitOfWork) => Promise<T>): Promise<T> };
  /**
   * The unit of work of this module in the transaction of another module, which passed its own to a capability: events are
   * checked against the manifest of this module, and everything commits with the caller's transaction or not at all.
   * Returns a unit of work of this module unchanged. Do not pass it on to another transaction.
   * @throws if the module was disabled
   */
  join(uow: UnitOfWork): UnitOfWork;
  /**
   * Locks a name until the transaction ends: a second transaction of any node that locks it waits. Other modules have
   * their own names. Transactions that lock several names lock them in the same order.
   * @param name 1 to 500 characters, such as `invoice 2026`
   * @throws conflict if it is still locked after the wait: the transaction then cannot continue, unless in a savepoint
   */
  lock(uow: UnitOfWork, name: string, options?: LockOptions): Promise<void>;
  readonly db: ReadPort;
  readonly cards: CardPort;
  readonly relations: RelationPort;
  readonly inventory: InventoryPort;
  readonly reports: ReportPort;
  readonly spreadsheets: SpreadsheetPort;
  readonly connectors: ConnectorPort;
  readonly users: UserPort;
  readonly events: EventPort;
  readonly notifications: NotificationPort;
  readonly files: FilePort;
  readonly secrets: SecretPort;
  readonly outbound: OutboundPort;
  readonly ai: ModelPort;
  readonly metrics: MetricsPort;
  readonly jobs: JobPort;
  readonly http: {
    /** Sends a page with its Link header. @returns the return value for the handler, of the type of the page */
    sendPage<T>(request: FastifyRequest, reply: FastifyReply, page: PageResult<T>): PageResult<T>;
    /**
     * Pages a list that is completely in memory, by the same rules as a page of the database.
     * @param id unique member that breaks ties
     * @param defaultSort the member used if the request names none
     * @param list identifies the list and its filters: a cursor of another one is refused
     */
    pageOf<T extends object>(
      all: T[],
      id: keyof T & string,
      defaultSort: keyof T & string,
      params: ListParams,
      list: string,
    ): PageResult<T>;
    /** Sends a resource with its ETag; 304 if the client has this version. @returns the return value for the handler, of the type of the body */
    sendResource<T>(request: FastifyRequest, reply: FastifyReply, resource: ResourceResult<T>): T;
    /** 202 with the id of a queued job and the address of its status in `Location`. @returns the return value for the handler, as in `JobAccepted` */
    sendJob(reply: FastifyReply, id: string): { job_id: string };
    /** 204. */
    sendNothing(reply: FastifyReply): null;
    /** Sends a file, such as an image or Markdown, with its ETag; 304 if the client has this version. */
    sendBytes(request: FastifyRequest, reply: FastifyReply, file: BytesResult): SentFile;
    /** Sends a file that is generated while it is sent. @param fileName the file name for saving, in ASCII */
    sendStream(reply: FastifyReply, type: string, fileName: string, stream: Readable): SentFile;
    /**
     * Makes the routes of a scope accept forms (`multipart/form-data`) instead of JSON; call it before they
     * are declared: `app.register(async (scope) => { await http.takeForms(scope, limits); scope.post(…); })`.
     */
    takeForms(scope: FastifyInstance, limits: UploadLimits): Promise<void>;
    /**
     * Returns the files of a form, completely in memory, in their order, and includes them in the fingerprint of the Idempotency-Key.
     * @param field the name of the only field; it may occur several times
     * @throws 400, 413, 415; validation_failed for a form with other fields or without files
     */
    upload(request: FastifyRequest, reply: FastifyReply, field: string, limits: UploadLimits): Promise<UploadedFile[]>;
  };
  /** The current settings on this node; read them where they are used. */
  settings(): Settings;
  /**
   * Runs work whose result several requests share, such as reading what is then kept in memory: it counts for none of their users, and
   * goes on when the request that started it is aborted. It must be short, and its cost must not depend on the request.
   */
  shared<T>(work: () => T): T;
  /** The current settings of the workspace on this node. */
  workspace(): Workspace;
  /** The logo of the workspace, cached on the node; undefined if there is none. */
  logo(): Promise<WorkspaceLogo | undefined>;
  /**
   * Creates the problem of a code; throw the returned problem.
   * @param code of the platform, or one of the manifest's `errors`
   * @throws if there is no such code
   */
  problem(code: CommonProblemCode | `${string}_${string}`, details?: ProblemDetails): Problem;
  /** The problem of an error caused by the request, such as a violated constraint; undefined for other errors. For `BulkRunner`. */
  refusalOf(error: unknown): Problem | undefined;
  /** A 422 for fields of the body; `field` is a JSON pointer. */
  invalid(...errors: Omit<FieldError, 'in'>[]): Problem;
  /**
   * Compares If-Match with the version of the locked row.
   * @param changed names of the fields the request would change
   * @throws precondition_failed
   */
  checkVersion(ctx: RequestContext, version: number, changed: readonly string[]): void;
  /** A capability of another module; undefined while that module is disabled. The manifest lists it under `uses`. */
  capability<T>(capability: Capability<T>): T | undefined;
  /** A UUIDv7. */
  newId(): string;
  /** Key under which names are unique and sorted, `collate "C"`. */
  nameKey(text: string): string;
  /** Text normalised for search: case and accents folded. */
  searchFold(text: string): string;
  /** The context of work without a user. @param origin the `origin` of its events */
  systemContext(origin: string): RequestContext;
}

/** A subscription to events with a stored position; each event is delivered once, to one node, in order. */
export interface Subscription {
  /** Unique within the module, and stable: the position is stored under it. */
  name: string;
  /** As for `listen`; of several, all events are delivered in one order. */
  pattern: string | readonly string[];
  handler(event: LogEvent, run: { ctx: RequestContext; signal: AbortSignal }): Promise<void>;
  /** Number of attempts before an event is parked; default: 5. */
  maxAttempts?: number;
}

/** Stops what was started; called once. */
export type Disposable = () => void | Promise<void>;

/** The parameter of `activate`. Everything created with it is stopped in reverse order when the module is disabled. */
export interface ModuleActivation<S, Settings = Record<string, unknown>> {
  readonly services: S;
  readonly host: ModuleServices<Settings>;
  /** Registers a function that stops something else the module started. */
  use(disposable: Disposable): void;
  /**
   * Delivers committed events on every node, for caches. Errors of the handler are logged; events that
   * happen while the module is disabled are not delivered.
   * @param pattern a type such as `card.archived`; `card.+` matches any one word after `card.`, `#` everything
   */
  listen(pattern: string, handler: (event: LogEvent) => void | Promise<void>): void;
  /**
   * Calls the handler on every node after the settings of the module have changed, while it is enabled. Errors are logged.
   * @param handler receives the settings before; `host.settings()` has the new ones
   */
  onSettings(handler: (before: Settings) => void | Promise<void>): void;
  /**
   * Calls the handler on this node when the database may have lost writes that were read before, such as after a failover: the module forgets
   * what it has in memory.
   */
  onDatabaseReplaced(handler: () => void): void;
  /**
   * Delivers every committed event of a pattern in order of position, on one node of the cluster, from a stored
   * position: events that happen while the module is disabled are delivered when it is enabled again. After a crash an event may be
   * delivered twice. A handler that fails is called again with increasing delays; after the last attempt the event is parked,
   * listed in `/settings/modules/{id}`, and the next one is delivered.
   */
  subscribe(subscription: Subscription): void;
  /** Registers the handler of a job type on this node. @param type begins with `<id>.` */
  job(type: string, handler: JobHandler): void;
  /** Queues a job by a schedule, once in the cluster. @param schedule.job begins with `<id>.`; a registered job type */
  cron(schedule: { job: string; expression: string }): void;
}
