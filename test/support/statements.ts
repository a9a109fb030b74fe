import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import pg from 'pg';

/** A sent statement. */
export interface RecordedStatement {
  name: string | undefined;
  text: string;
  values: readonly unknown[];
}

export interface StatementWatch {
  /** Runs `work` and returns the statements of all requests to this process that began meanwhile. */
  during<T>(work: () => Promise<T>): Promise<{ answer: T; statements: RecordedStatement[] }>;
  stop(): void;
}

/**
 * Records the SQL sent by requests. Statements of timers and of the event log are not included, because they belong to no
 * request. Call it before the app is built, and not twice at a time.
 */
export function watchStatements(): StatementWatch {
  const requests = new AsyncLocalStorage<RecordedStatement[]>();
  let sent: RecordedStatement[][] = [];
  const begin = (): void => {
    const statements: RecordedStatement[] = [];
    sent.push(statements);
    requests.enterWith(statements);
  };
  const original = pg.Client.prototype.query as (...args: unknown[]) => unknown;
  pg.Client.prototype.query = function watched(this: pg.Client, ...args: unknown[]) {
    const [query, values] = args as [string | { name?: string; text: string; values?: unknown[] }, unknown];
    const {
      name,
      text,
      values: bound,
    } = typeof query === 'string' ? { name: undefined, text: query, values: undefined } : query;
    // Statements that run in the context of a request by accident: the notification for all writes of some milliseconds,
    // whose timer is set by the first write; and reading the revisions if the timer for it is late.
    if (!/pg_notify|^select kind, revision from revisions$/.test(text))
      requests.getStore()?.push({ name, text, values: bound ?? (Array.isArray(values) ? (values as unknown[]) : []) });
    return original.apply(this, args);
  } as never;
  // The pool sends a query that waited for a connection in the context of the request that released one.
  const connect = pg.Pool.prototype.connect as (callback?: () => void) => unknown;
  pg.Pool.prototype.connect = function bound(this: pg.Pool, callback?: () => void) {
    return connect.call(this, callback && AsyncResource.bind(callback));
  } as never;
  subscribe('http.server.request.start', begin);
  return {
    async during(work) {
      sent = [];
      const answer = await work();
      return { answer, statements: sent.flat() };
    },
    stop() {
      unsubscribe('http.server.request.start', begin);
      pg.Client.prototype.query = original as never;
      pg.Pool.prototype.connect = connect as never;
    },
  };
}
