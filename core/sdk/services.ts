import type { Readable } from 'node:stream';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { EventInput, LogEvent, RequestContext } from './context.js';
import type { BytesResult, PageResult, ResourceResult, SentFile, UploadedFile, UploadLimits } from './http.js';
import type { Knex } from './knex.js';
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

/**
 * A statement that is prepared once per connection. The host adds a digest of the text to the name, so that texts that are
 * put together at run time may share one; begin it with the module's id.
 */
export interface Statement {
  name: string;
  text: string;
}

/** One transaction: the change, its events and its Idempotency-Key commit together or not at all. */
export interface UnitOfWork {
  readonly ctx: RequestContext;
  /** Rows as objects, types parsed. */
  query<R extends Record<string, unknown>>(statement: Statement, values?: unknown[]): Promise<R[]>;
  /** Knex, and Objection by `Model.query(await uow.knex())`, inside this transaction. */
  knex(): Promise<Knex>;
  /** Tells the world; every change of state emits. The subject's kind is one the manifest declares. */
  emit(event: EventInput): void;
  /** Runs `work` so that its failure undoes only what it did. */
  savepoint<T>(work: () => Promise<T>): Promise<T>;
}

/** Collects the bindings of a statement as its text is put together. */
export interface Bindings {
  readonly values: unknown[];
  /** @returns the placeholder of the value, `$n` */
  add(value: unknown): string;
}

/** A sort a resource documents: SQL over the listed table, and the type its cursor value is cast to. */
export interface Sort {
  sql: string;
  type: 'text' | 'timestamptz' | 'integer' | 'numeric' | 'bigint' | 'date' | 'uuid' | 'boolean';
  nullable?: boolean;
  /** Collation of a text sort whose column has none of its own. */
  collate?: string;
}

/** Page, size, cursor, sort and total of a list, as `PageQuery` has them. */
export interface ListParams {
  page?: number | undefined;
  page_size?: number | undefined;
  cursor?: string | undefined;
  sort_by?: string | undefined;
  sort_dir?: 'asc' | 'desc' | undefined;
}

/** What a list is sorted by, and over which table (with its alias) it goes. */
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

/** A list as a repository reads it; see `reads.list`. */
export interface ListRequest {
  spec: ListSpec;
  params: ListParams;
  /** Conditions already bound in `bindings`, joined by AND. */
  where: string[];
  bindings: Bindings;
  /** What the list is of, all filters included: a cursor of another scope is refused. */
  scope: string;
  /** Columns of the answer, over the alias of the spec's table and of `joins`. */
  columns: string;
  joins?: string;
}

/** Reading; writes go through `transactions`. */
export interface ReadPort {
  query<R extends Record<string, unknown>>(statement: Statement, values?: unknown[]): Promise<R[]>;
  readonly knex: Knex;
  bindings(): Bindings;
  /** One page with its exact total, of one snapshot. */
  readPage<R extends Record<string, unknown>>(list: ListRequest): Promise<PageResult<R>>;
}

/** Codes of the platform's error table a module may answer with; its own are in its manifest. */
export type CommonProblemCode =
  | 'not_found'
  | 'forbidden'
  | 'conflict'
  | 'invalid_state'
  | 'four_eyes'
  | 'validation_failed'
  | 'precondition_failed'
  | 'unavailable';

/** What a running job has. A job may run twice, never twice at once: writes call `guard` first in their transaction. */
export interface JobRun {
  readonly id: string;
  readonly payload: Record<string, unknown>;
  /** Aborts when the lease is lost, the time is up or the node stops. */
  readonly signal: AbortSignal;
  readonly ctx: RequestContext;
  progress(progress: Record<string, unknown>): Promise<void>;
  /** @throws unless this run still holds the job's lease */
  guard(uow: UnitOfWork): Promise<void>;
}

/** Does the work of a job; what it returns is stored as the result (JSON), what it throws counts as an attempt. */
export interface JobHandler {
  handler(job: JobRun): Promise<unknown>;
  maxAttempts?: number;
  /** Milliseconds. */
  timeoutMs?: number;
}

/** What the platform gives a module, whether it is on or off. */
export interface ModuleServices<Settings = Record<string, unknown>> {
  readonly log: FastifyBaseLogger;
  readonly transactions: { run<T>(ctx: RequestContext, work: (uow: UnitOfWork) => Promise<T>): Promise<T> };
  readonly db: ReadPort;
  readonly cards: CardPort;
  readonly relations: RelationPort;
  readonly users: UserPort;
  readonly events: EventPort;
  readonly notifications: NotificationPort;
  readonly files: FilePort;
  readonly secrets: SecretPort;
  readonly outbound: OutboundPort;
  readonly metrics: MetricsPort;
  readonly jobs: {
    /** Queues a job of a type the module registers when it is activated, as part of the transaction. */
    enqueue(uow: UnitOfWork, type: string, payload: Record<string, unknown>): Promise<string>;
  };
  readonly http: {
    /** Answers with a page and its Link header. @returns what the handler returns, of the type of the page */
    sendPage<T>(request: FastifyRequest, reply: FastifyReply, page: PageResult<T>): PageResult<T>;
    /** Answers with the resource's ETag; 304 where the caller has it. @returns what the handler returns, of the type of the body */
    sendResource<T>(request: FastifyRequest, reply: FastifyReply, resource: ResourceResult<T>): T;
    /** 204. */
    sendNothing(reply: FastifyReply): null;
    /** Answers with a file, such as a picture or Markdown, and its ETag; 304 where the caller has it. */
    sendBytes(request: FastifyRequest, reply: FastifyReply, file: BytesResult): SentFile;
    /** Answers with a file that is made while it is read. @param fileName ASCII, as it is saved */
    sendStream(reply: FastifyReply, type: string, fileName: string, stream: Readable): SentFile;
    /**
     * Has the routes of a scope of their own take forms (`multipart/form-data`) in place of JSON; call it before they
     * are declared: `app.register(async (scope) => { await http.takeForms(scope, limits); scope.post(…); })`.
     */
    takeForms(scope: FastifyInstance, limits: UploadLimits): Promise<void>;
    /**
     * The files of a form, whole in memory, in their order. The request's Idempotency-Key covers them from then on.
     * @param field the one field there is; it may stand several times
     * @throws 400, 413, 415; validation_failed for a form with other fields or without files
     */
    upload(request: FastifyRequest, reply: FastifyReply, field: string, limits: UploadLimits): Promise<UploadedFile[]>;
  };
  /** The settings as they stand now on this node; read them where they are used. */
  settings(): Settings;
  /** Builds the problem of a code; throw what it returns. */
  problem(code: CommonProblemCode, details?: ProblemDetails): Problem;
  /** The problem of an error that what was sent causes, such as a violated constraint; undefined for other errors. For `BulkRunner`. */
  refusalOf(error: unknown): Problem | undefined;
  /** A 422 for fields of the body; `field` is a JSON pointer. */
  invalid(...errors: Omit<FieldError, 'in'>[]): Problem;
  /**
   * Compares If-Match, under the row lock.
   * @param changed names of the fields the request would change
   * @throws precondition_failed
   */
  checkVersion(ctx: RequestContext, version: number, changed: readonly string[]): void;
  /** What another module offers; undefined while that one is off. The manifest names it under `uses`. */
  capability<T>(capability: Capability<T>): T | undefined;
  /** A UUIDv7. */
  newId(): string;
  /** Key under which names are unique and sorted, `collate "C"`. */
  nameKey(text: string): string;
  /** Text as search sees it: case and accents folded. */
  searchFold(text: string): string;
  /** The context of work no user asked for. @param origin what the event log says of it */
  systemContext(origin: string): RequestContext;
}

/** A subscription to events that survives restarts; each event is given once to one node, in order. */
export interface Subscription {
  /** Unique within the module, and stable: the position is stored under it. */
  name: string;
  /** As for `listen`. */
  pattern: string;
  handler(event: LogEvent, run: { ctx: RequestContext; signal: AbortSignal }): Promise<void>;
  /** Attempts in all before an event is parked, 5 when absent. */
  maxAttempts?: number;
}

/** Ends what was begun; called once. */
export type Disposable = () => void | Promise<void>;

/** What `activate` gets. All that is made through it ends, last first, when the module is switched off. */
export interface ModuleActivation<S, Settings = Record<string, unknown>> {
  readonly services: S;
  readonly host: ModuleServices<Settings>;
  /** Keeps what ends something the module began by other means. */
  use(disposable: Disposable): void;
  /**
   * Hears committed events as they happen, on every node: for caches. What the handler throws is logged, and what
   * happens while the module is off is not heard.
   * @param pattern a type such as `card.archived`; `card.+` is any one word after `card.`, `#` everything
   */
  listen(pattern: string, handler: (event: LogEvent) => void | Promise<void>): void;
  /**
   * Is given every committed event of a pattern in order of position, on one node of the cluster, from a position
   * that is stored: what happens while the module is off comes when it is on again. An event may come twice, after a
   * crash. A handler that fails is called again, in growing intervals; after the last attempt the event is parked,
   * shown in `/settings/modules/{id}`, and the next one comes.
   */
  subscribe(subscription: Subscription): void;
  /** Takes jobs of this type, on this node. @param type begins with `<id>.` */
  job(type: string, handler: JobHandler): void;
  /** Queues a job when the clock says so, once in the cluster. @param schedule.job begins with `<id>.`; a job type registered too */
  cron(schedule: { job: string; expression: string }): void;
}
