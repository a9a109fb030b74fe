import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import pg from 'pg';

/** A statement as it was sent. */
export interface RecordedStatement {
  name: string | undefined;
  text: string;
  values: readonly unknown[];
}

export interface StatementWatch {
  /** Runs `work`, and returns the statements of all requests to this process that began meanwhile. */
  during<T>(work: () => Promise<T>): Promise<{ answer: T; statements: RecordedStatement[] }>;
  stop(): void;
}

/**
 * Records the SQL sent by requests. Statements of timers and the event log are not included,
 * because it belongs to no request. Watch before the app is built, and once at a time.
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
    // One notification is sent for all writes of some milliseconds; its timer runs in the context of the first write.
    // A claim of jobs begins in the context of the write that queued one. A node that was too busy to read the
    // revisions by its timer reads them in a request.
    if (name !== 'job-claim' && !/pg_notify|^select kind, revision from revisions$/.test(text))
      requests.getStore()?.push({ name, text, values: bound ?? (Array.isArray(values) ? (values as unknown[]) : []) });
    return original.apply(this, args);
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
    },
  };
}
