import type { CardOperation, RelationOperation } from './bulk-operations.js';
import type { LogEvent, RequestContext } from './context.js';
import type { PageResult } from './http.js';
import type { ListParams, UnitOfWork } from './services.js';

/** A card, as far as every reader of it may see it. `status` is ACTIVE or ARCHIVED. */
export interface CardRef {
  id: string;
  type: string;
  name: string;
  status: string;
}

/** A card as `GET /cards/{id}` answers it to the caller: costs are missing where the caller may not see them. */
export type CardView = CardRef & Record<string, unknown>;

/** What became of a bulk. `results` has a row for each operation, by its place; `outcome` is `created`, `updated`, `unchanged`, `failed` and the like. */
export interface BulkOutcome {
  change_id: string;
  summary: Record<string, number>;
  results: { index: number; ref?: string; id?: string; version?: number; outcome: string; errors?: unknown[] }[];
}

/** `mode`: whether one bad operation refuses all (the default) or fails alone. `dryRun`: all checks, nothing stored. */
export interface BulkOptions {
  mode?: 'all_or_nothing' | 'per_row';
  dryRun?: boolean;
}

/** Cards reached over relations. */
export interface ImpactReach {
  /** Nearest first; the cards gone out from are none of them. `path` are the ids of the relations, from there on. */
  nodes: { id: string; type: string; name: string; depth: number; path: string[] }[];
  /** Every relation followed. */
  edges: { id: string; type: string; source_id: string; target_id: string }[];
  /** There is more than is told. */
  truncated: boolean;
}

/** The cards as modules may see them: with the rights of the context, in one statement however many. */
export interface CardPort {
  /** @throws not_found when there is no such card or the caller may not see it */
  get(ctx: RequestContext, id: string): Promise<CardRef>;
  /**
   * For cards a body names.
   * @param field JSON pointer of the list in the body; the faults are reported below it
   * @throws validation_failed naming each id that is no card the caller may see
   */
  ensureVisible(ctx: RequestContext, ids: readonly string[], field: string): Promise<void>;
  /** What there is of these cards for the caller, by id; ids that are none are left out. */
  find(ctx: RequestContext, ids: readonly string[]): Promise<Map<string, CardRef>>;
  /**
   * Which of these ids must not be shown to the caller: those of cards hidden from the caller. Queries the database
   * only if any card is hidden from the caller; ids of no card then count as hidden, as the two are indistinguishable.
   * @returns ids in lower case
   */
  hidden(ctx: RequestContext, ids: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * SQL of whether a column names a card the caller sees, for what lists, filters and counts by cards.
   * @param column with its alias, such as `l.card_id`; part of the text, so never from outside
   * @param bind gives the placeholder of a value
   */
  visibleSql(ctx: RequestContext, column: string, bind: (value: unknown) => string): string;
  /** Whole cards, as `GET /cards/{id}` answers them. */
  read(ctx: RequestContext, ids: readonly string[]): Promise<CardView[]>;
  /** @param query the parameters of `GET /cards` */
  list(ctx: RequestContext, query: Readonly<Record<string, string | number>>): Promise<PageResult<CardView>>;
  /**
   * Writes cards, and relations beside them, as `POST /cards/bulk` does, in a transaction of its own.
   * @throws what that route answers with, unless `mode` is `per_row`
   */
  bulk(ctx: RequestContext, operations: readonly CardOperation[], options?: BulkOptions): Promise<BulkOutcome>;
  /**
   * What is reached from these cards, as `GET /cards/{id}/impact` has it of one; each by the way that is shortest.
   * @param query.depth relations to the farthest, 1 to 6; 3 when absent
   * @param query.direction downstream when absent
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
  /** Whether the caller may act on the card: by the application permission, or by a stakeholder role on it. */
  may(ctx: RequestContext, cardId: string, permission: string, cardPermission?: string): Promise<boolean>;
  /** The ids of those cards the caller may act on so, in as many statements however many; in lower case. */
  mayAmong(
    ctx: RequestContext,
    cardIds: readonly string[],
    permission: string,
    cardPermission?: string,
  ): Promise<Set<string>>;
}

/** A relation as `GET /relations` answers it to the caller. */
export interface RelationView extends Record<string, unknown> {
  id: string;
  type: string;
  source_id: string;
  target_id: string;
}

/** The relations as modules may see and write them: with the rights of the context. */
export interface RelationPort {
  /** @param query the parameters of `GET /relations` */
  list(ctx: RequestContext, query: Readonly<Record<string, string | number>>): Promise<PageResult<RelationView>>;
  /** Writes relations as `POST /relations/bulk` does, in a transaction of its own. */
  bulk(ctx: RequestContext, operations: readonly RelationOperation[], options?: BulkOptions): Promise<BulkOutcome>;
}

/** An account, as far as modules see it. */
export interface UserRef {
  id: string;
  display_name: string;
  is_active: boolean;
}

/** The accounts of the workspace. */
export interface UserPort {
  /** By id; ids of no user are left out. */
  find(ids: readonly string[]): Promise<Map<string, UserRef>>;
  /** @throws validation_failed naming each id that is no active user, below the field */
  ensureActive(ids: readonly string[], field: string): Promise<void>;
  /** The active users whose role holds the permission now. */
  holding(permission: string): Promise<UserRef[]>;
}

/** A stored file. */
export interface StoredFileRef {
  id: string;
  /** Bytes. */
  size: number;
  /** Hexadecimal. */
  sha256: string;
}

/** Files in the database, in chunks, so that every node has them. Keep their ids in a table of the module. */
export interface FilePort {
  /**
   * Stores a stream as it arrives; nothing of it stays where it fails.
   * @param options.maxBytes a longer one is refused with 413
   * @param options.keepHours after which it may be cleaned up; for ever when absent
   */
  write(
    ctx: RequestContext,
    stream: AsyncIterable<Buffer>,
    options: { maxBytes: number; keepHours?: number },
  ): Promise<StoredFileRef>;
  /** The bytes, chunk by chunk; none where it is gone. */
  read(id: string): AsyncIterable<Buffer>;
  remove(id: string, uow?: UnitOfWork): Promise<void>;
}

/** Small values encrypted at rest under a key that is not in the database. Names are the module's own. */
export interface SecretPort {
  get(name: string): Promise<string | undefined>;
  set(name: string, value: string, uow?: UnitOfWork): Promise<void>;
  remove(name: string, uow?: UnitOfWork): Promise<void>;
}

/** A request to another server; GET where no method is named. */
export interface OutboundRequest {
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | Buffer;
  /** Milliseconds for all of it, 10,000 when absent. */
  timeoutMs?: number;
  /** Bytes of the answer, 5 MiB when absent; a longer one fails. */
  maxBytes?: number;
  /** 5 when absent; each is checked as the first address is. With 0 the redirect itself is the answer. */
  maxRedirects?: number;
  signal?: AbortSignal;
}

/** The answer of another server, whatever its status; header names are lower case. */
export interface OutboundAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: Buffer;
  /** Where the answer came from, after redirects. */
  url: string;
  text(): string;
  json(): unknown;
}

/** Requests to the outside. Private addresses are refused unless `OUTBOUND_ALLOW` names them. */
export interface OutboundPort {
  /** @throws outbound_refused, outbound_failed */
  request(url: string, request?: OutboundRequest): Promise<OutboundAnswer>;
}

/** The event log, as the caller may see it. */
export interface EventPort {
  /**
   * What the log holds of one subject, latest first: the history of a resource. Filled in with what was committed before.
   * Ids of cards the caller may not see are taken out.
   * @param ctx of the request that is answered; without it all cards are hidden
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

/** Figures in `/api/metrics`, named `lintel_<module>_<name>`. Asking for one of the same name gives the same. */
export interface MetricsPort {
  counter(name: string, help: string, labels?: readonly string[]): MetricCounter;
  /** @param read called for each scrape of the metrics */
  gauge(name: string, help: string, read: () => number): void;
  histogram(name: string, help: string, buckets: readonly number[], labels?: readonly string[]): MetricHistogram;
}

/** What a module tells people. */
export interface ModuleNotice {
  /** Ids of users. Who is not active, may not see the subject, or does it himself, is left out. */
  to: readonly string[];
  /** One the manifest declares under `notifications`. */
  kind: string;
  /** Of a kind the manifest declares under `events`, whose permission its receivers need; or a card, with its type. */
  subject: { kind: string; id: string; type?: string; name?: string };
  /** One line, such as `Signature requested: Use PostgreSQL`. No values a receiver may not see. */
  title: string;
  /** Where the subject is, below the module's own paths; `/<id of the subject>` when absent. */
  path?: string;
  /** Notices of one user, kind and group are one notification, which counts them. */
  group?: string;
}

/** Notifications in the app and by mail, as each receiver wants them. */
export interface NotificationPort {
  /** Tells people as part of the transaction, in as many statements however many they are. */
  send(uow: UnitOfWork, notices: ModuleNotice | readonly ModuleNotice[]): Promise<void>;
}
