import { nextVersion } from '../versions.js';
import { TimeSlice, type EventInput, type RequestContext } from '@lintel/sdk';
import type { Knex } from 'knex';
import type pg from 'pg';
import { problem } from '../errors.js';
import { withChangedParts } from '../changed-part.js';
import type { ChangeNotifier } from './change-notifier.js';
import { eventBudgetOf } from './event-budget.js';
import { boundKnex } from './bound-knex.js';
import type { ConnectionUse } from './connection-shares.js';
import { queryOnce, RAW_TEXT, type Database, type Statement } from './database.js';
import { FLUSH, flushValue } from './flush.js';
import { nativeError } from './native-error.js';
import { readingIn, type Reading } from './reading.js';
import type { RevisionKind, Revisions } from './revisions.js';
import { RoleSwitch, sentBy, type Sent, type StatementRole } from './statement-role.js';
import type { Statistics } from './statistics.js';
import type { Storage } from './storage.js';

const RETRIES = 5;
/** Events that one statement writes whatever their length, and the characters from which a statement writes no more. */
const FEW_EVENTS = 20;
const FLUSHED = 1_000_000;
/** Violated when a card or relation was validated against a metamodel that has just been changed. */
const OUTDATED = ['relations_rule', 'cards_type_fkey'];
/** Serialisation failure, deadlock or outdated metamodel: a retry with refreshed caches gives the right result. */
export function mayRetry(error: unknown): boolean {
  const { code, constraint } = nativeError(error);
  return ['40001', '40P01'].includes(code ?? '') || OUTDATED.includes(constraint ?? '');
}

/**
 * What was checked before the write no longer holds. Carries the code of a serialisation failure, so that the unit of
 * work is retried.
 */
export class WriteConflict extends Error {
  readonly code = '40001';
  constructor() {
    super('others changed the same rows');
  }
}

const LOCK_KEY = {
  name: 'idempotency-lock',
  text: `select pg_try_advisory_xact_lock(hashtextextended($1 || ' ' || $2, 7)) as locked`,
};
// A separate statement, because its snapshot must be taken after the lock is held.
const READ_KEY = {
  name: 'idempotency-read',
  text: `select encode(fingerprint, 'hex') as fingerprint, result from idempotency_keys
    where user_id = $1 and key = $2 and created_at > clock_timestamp() - interval '24 hours'`,
};
const FLUSH_ONLY = { name: 'flush', text: `with ${FLUSH} select 1` };
const BUMP = { name: 'bump', text: 'update revisions set revision = revision + 1 where kind = any($1)' };

/**
 * One transaction with everything it must write: the change row, the events, the cache revisions. Nothing is sent
 * before the first statement; a unit whose only statement is its last runs without BEGIN and COMMIT.
 */
export class UnitOfWork {
  readonly events: EventInput[] = [];
  kind: 'single' | 'bulk' | 'import' | 'sync' | 'job' = 'single';
  /** Number of events written, an approximation of the number of changed rows. */
  emitted = 0;
  /** Bytes of these events; counted where the context has a budget for them. */
  eventBytes = 0;
  private readonly bumped = new Set<RevisionKind>();
  private connecting: Promise<pg.PoolClient> | undefined;
  private beginning: Promise<void> | undefined;
  private changeWritten = false;
  private keyWritten = false;
  private bound: Promise<Knex> | undefined;
  private isOver = false;
  private isReadOnly = false;
  /** Created by the first statement that runs as a role. */
  private roles: RoleSwitch | undefined;

  /** @param connect takes a connection: one for each statement before the transaction, one for the transaction */
  constructor(
    readonly ctx: RequestContext,
    private readonly connect: (purpose: ConnectionUse) => Promise<pg.PoolClient>,
  ) {}

  /** Whether nothing was sent yet, so that a single statement may still form the whole transaction. */
  get isUntouched(): boolean {
    return this.beginning === undefined && !this.ctx.dryRun && this.bumped.size === 0;
  }

  private client(): Promise<pg.PoolClient> {
    return (this.connecting ??= this.connect('session'));
  }

  /** Sends a statement. @param role undefined: as the user of the service */
  private async send<R extends pg.QueryResultRow>(sent: Sent, role?: StatementRole): Promise<pg.QueryResult<R>> {
    // Its connection may be in use by others, and outside of a transaction no role can be set.
    if (this.isOver) throw new Error('the unit of work has ended');
    const client = await this.client();
    if (role) this.roles ??= new RoleSwitch(client);
    return (this.roles ? await this.roles.run(sent, role) : await client.query(sent)) as pg.QueryResult<R>;
  }

  /** Knex and Objection on this transaction. @param role as which its statements run; undefined: the user of the service */
  async knex(role?: StatementRole): Promise<Knex> {
    await this.begin();
    const bind = async (): Promise<Knex> =>
      boundKnex(
        sentBy(await this.client(), (sent) => this.send(sent, role)),
        true,
      );
    return await (role ? bind() : (this.bound ??= bind()));
  }

  /**
   * Runs a statement in the transaction; returns rows as objects with parsed types.
   * @param role as which it runs; undefined: the user of the service
   */
  async query<R extends pg.QueryResultRow>(
    statement: Statement,
    values: unknown[] = [],
    role?: StatementRole,
  ): Promise<R[]> {
    await this.begin();
    return (await this.send<R>({ ...statement, values }, role)).rows;
  }

  /**
   * Runs a reading statement without beginning the transaction; within it, where it has begun. What it returns may have
   * changed when the unit of work writes.
   */
  async read<R extends pg.QueryResultRow>(statement: Statement, values: unknown[]): Promise<R[]> {
    if (this.beginning || this.isOver) return (await this.send<R>({ ...statement, values })).rows;
    // Released at once: the write may be part of a shared statement, which needs a connection while this unit waits.
    return queryOnce<R>(() => this.connect('statement'), { ...statement, values });
  }

  /** Runs a statement in the transaction; returns rows as arrays of raw text. */
  async rows(statement: Statement, values: unknown[] = []): Promise<(string | null)[][]> {
    await this.begin();
    return await this.raw(statement, values);
  }

  /**
   * Runs a statement that includes the flush (`with ${FLUSH}`, and `flushed()` as its first value). If no statement ran
   * before it, it is its own transaction, which saves two round trips.
   */
  async last<R extends pg.QueryResultRow>(statement: Statement, values: unknown[]): Promise<R[]> {
    if (this.ctx.dryRun || this.bumped.size > 0) await this.begin();
    return (await this.send<R>({ ...statement, values })).rows;
  }

  /** As `last`; returns rows as arrays of raw text. */
  async lastRows(statement: Statement, values: unknown[]): Promise<(string | null)[][]> {
    if (this.ctx.dryRun || this.bumped.size > 0) await this.begin();
    return await this.raw(statement, values);
  }

  private async raw(statement: Statement, values: unknown[]): Promise<(string | null)[][]> {
    const sent = { ...statement, values, rowMode: 'array' as const, types: RAW_TEXT as never };
    return (await this.send(sent)).rows as unknown as (string | null)[][];
  }

  /** Adds an event. Of maps in its `changes` only the changed keys are kept, so that it is not larger than the change. */
  emit(event: EventInput): void {
    const data = withChangedParts(event.data);
    this.events.push(data === event.data ? event : { ...event, data });
  }

  /** Invalidates the cache of `kind` on every node once this transaction commits. */
  bump(kind: RevisionKind): void {
    this.bumped.add(kind);
  }

  /**
   * The value of the flush parameter, for a statement that writes the change row and the events itself.
   * @param result stored for replays of the Idempotency-Key, if already known
   */
  flushed(result?: unknown): string {
    const first = !this.changeWritten;
    const keyed = this.ctx.idempotency !== undefined && !this.keyWritten && result !== undefined;
    this.changeWritten = true;
    this.keyWritten ||= keyed;
    this.emitted += this.events.length;
    if (this.events.length > 0 && eventBudgetOf(this.ctx))
      this.eventBytes += Buffer.byteLength(JSON.stringify(this.events));
    return flushValue(this.ctx, {
      kind: first ? this.kind : null,
      events: this.events.splice(0),
      key: keyed ? { result } : undefined,
    });
  }

  /** See `nextVersion`. */
  readonly nextVersion = nextVersion;

  /** Runs `work` in a savepoint, so that its failure undoes only its own changes. */
  async savepoint<T>(work: () => Promise<T>): Promise<T> {
    await this.begin();
    await this.send('savepoint s');
    const { changeWritten, keyWritten, emitted, eventBytes } = this;
    const events = [...this.events];
    try {
      const result = await work();
      await this.send('release savepoint s');
      return result;
    } catch (error) {
      await this.send('rollback to savepoint s; release savepoint s');
      Object.assign(this, { changeWritten, keyWritten, emitted, eventBytes });
      // Events emitted before may have been written within the savepoint, and are still to be written.
      this.events.splice(0, Infinity, ...events);
      throw error;
    }
  }

  /**
   * Statements that only read, in a part of the transaction that `end` ends: one that writes fails.
   * @param ms timeout of each statement
   */
  reading(ms: number): Reading {
    return readingIn({ begin: () => this.begin(), send: (sent, role) => this.send(sent, role) }, ms);
  }

  begin(): Promise<void> {
    return (this.beginning ??= (async () => {
      await this.send(this.isReadOnly ? 'begin read only' : 'begin');
    })());
  }

  /** Makes a transaction that has not begun read-only: a statement that writes or locks rows fails. */
  onlyReads(): void {
    this.isReadOnly = true;
  }

  /** @returns whether anything was written to the event log */
  async commit(result: unknown): Promise<boolean> {
    if (this.bumped.size > 0) await this.query(BUMP, [[...this.bumped]]);
    await this.flushLong();
    const keyDue = this.ctx.idempotency !== undefined && !this.keyWritten && !this.ctx.dryRun;
    if (this.events.length > 0 || keyDue) await this.last(FLUSH_ONLY, [this.flushed(result ?? null)]);
    this.isOver = true;
    if (this.beginning) await this.finish(this.ctx.dryRun ? 'rollback' : 'commit');
    return this.changeWritten;
  }

  /** Writes the events of a large change in parts, in time slices; the last part is left to `commit`. */
  private async flushLong(): Promise<void> {
    if (this.events.length <= FEW_EVENTS) return;
    const slice = new TimeSlice();
    let length = 0;
    for (const event of this.events.splice(0)) {
      this.events.push(event);
      length += JSON.stringify(event.data ?? null).length;
      if (length > FLUSHED) {
        await this.begin();
        await this.query(FLUSH_ONLY, [this.flushed()]);
        length = 0;
      }
      if (slice.isOver) await slice.next();
    }
  }

  async rollback(): Promise<void> {
    this.isOver = true;
    if (this.beginning) await this.finish('rollback');
    this.beginning = undefined;
  }

  /**
   * Ends the transaction. Statements that the work did not wait for are refused from then on, as they would run after it.
   * @throws where PostgreSQL rolled back instead of committing, because an earlier statement failed and its error was caught
   */
  private async finish(how: 'commit' | 'rollback'): Promise<void> {
    const client = await this.client();
    const { command } = this.roles ? await this.roles.run(how, undefined) : await client.query(how);
    if (how === 'commit' && command === 'ROLLBACK')
      throw new Error('nothing was stored: a statement of the transaction had failed, and its error was caught');
  }

  /** Releases the connection, if one was taken. @param broken the error, where the connection must not be reused */
  async release(broken?: Error): Promise<void> {
    this.isOver = true;
    (await this.connecting?.catch(() => undefined))?.release(broken);
  }

  get revisionsMoved(): boolean {
    return this.bumped.size > 0;
  }
}

/** Called before and after each write. */
interface TransactionsBeside {
  storage?: Pick<Storage, 'demand' | 'failed'>;
  statistics?: Pick<Statistics, 'wrote'>;
}

/** Opens units of work; all writes go through this class. */
export class Transactions {
  constructor(
    private readonly db: Database,
    private readonly notifier: ChangeNotifier,
    private readonly revisions: Revisions,
    private readonly beside: TransactionsBeside = {},
  ) {}

  /**
   * Runs `work` as one transaction. With an Idempotency-Key, the stored result of a completed request is returned
   * instead of running again. The result of `work` is what is stored: ids and versions, never content.
   * @returns what `work` returned, now or when the key was first used
   * @throws what `work` throws, after a rollback; storage_full where there is no disk space for a write
   */
  async run<T>(ctx: RequestContext, work: (uow: UnitOfWork) => Promise<T>): Promise<T> {
    this.beside.storage?.demand(ctx);
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.once(ctx, work);
      } catch (error) {
        this.beside.storage?.failed(error);
        if (attempt >= RETRIES || !mayRetry(error)) throw error;
        await this.revisions.refresh().catch(() => undefined);
      }
    }
  }

  private async once<T>(ctx: RequestContext, work: (uow: UnitOfWork) => Promise<T>): Promise<T> {
    const uow = new UnitOfWork(ctx, (purpose) => this.db.connect(purpose));
    let broken: Error | undefined;
    let result: T;
    try {
      const stored = await this.replay<T>(uow);
      if (stored) return stored.result;
      result = await work(uow);
      if ((await uow.commit(result)) && !ctx.dryRun) {
        this.notifier.notify('outbox');
        this.beside.statistics?.wrote(uow.emitted);
      }
    } catch (error) {
      await uow.rollback().catch((e: Error) => {
        broken = e;
      });
      throw error;
    } finally {
      await uow.release(broken);
    }
    // Runs after the connection is released: the caches are refreshed over pool connections, and all of them may be in
    // use by units of work. A committed change is not undone because a cache cannot be refreshed now; polling refreshes
    // it later.
    // What was committed is not refused any more because it cannot be counted.
    if (uow.eventBytes > 0 && !ctx.dryRun)
      await eventBudgetOf(ctx)
        ?.wrote(uow.eventBytes)
        .catch(() => undefined);
    if (uow.revisionsMoved) {
      await this.revisions.refresh().catch(() => undefined);
      this.notifier.notify('revisions');
    }
    return result;
  }

  private async replay<T>(uow: UnitOfWork): Promise<{ result: T } | undefined> {
    const { idempotency, actor } = uow.ctx;
    if (!idempotency || !actor || uow.ctx.dryRun) return undefined;
    const values = [actor.id, idempotency.key];
    const [lock] = await uow.query<{ locked: boolean }>(LOCK_KEY, values);
    if (!lock?.locked) throw problem('idempotency_in_progress', { headers: { 'retry-after': '1' } });
    const [stored] = await uow.query<{ fingerprint: string; result: T }>(READ_KEY, values);
    if (!stored) return undefined;
    if (stored.fingerprint !== idempotency.fingerprint.toString('hex')) throw problem('idempotency_key_reused');
    await uow.rollback();
    idempotency.replayed = true;
    return { result: stored.result };
  }
}
