import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import pg from 'pg';
import { loadConfig } from '../../config/load.js';
import { buildApp } from '../../core/app.js';
import type { DatabaseConnection } from '../../core/db/connection.js';
import { client, type Client } from '../helper-http.js';

/** A statement as it was sent. */
export interface RecordedStatement {
  name: string | undefined;
  text: string;
  values: readonly unknown[];
}

export interface Recorder {
  /** @returns the answer of a request and the statements it sent, caches warm */
  statements<T>(work: (api: Client) => Promise<T>): Promise<{ answer: T; statements: RecordedStatement[] }>;
  close(): Promise<void>;
}

/**
 * Runs the service inside this process, on the same database, to take down the SQL that requests really send: the
 * limits are driven with these texts and bindings, whatever the code that makes them looks like.
 * @param env environment of the service
 * @param token bearer token of the requests
 */
export async function startRecorder(env: NodeJS.ProcessEnv, database: DatabaseConnection, token: string): Promise<Recorder> {
  const requests = new AsyncLocalStorage<RecordedStatement[]>();
  let current: RecordedStatement[] = [];
  const begin = (): void => {
    current = [];
    requests.enterWith(current);
  };
  const original = pg.Client.prototype.query as (...args: unknown[]) => unknown;
  pg.Client.prototype.query = function recorded(this: pg.Client, ...args: unknown[]) {
    const [query, values] = args as [string | { name?: string; text: string; values?: unknown[] }, unknown];
    const given = typeof query === 'string' ? { text: query } : query;
    requests.getStore()?.push({ name: given.name, text: given.text, values: given.values ?? (Array.isArray(values) ? values as unknown[] : []) });
    return original.apply(this, args);
  } as never;
  subscribe('http.server.request.start', begin);
  const restore = (): void => {
    unsubscribe('http.server.request.start', begin);
    pg.Client.prototype.query = original as never;
  };
  try {
    const app = await buildApp({ config: loadConfig(env), database });
    const origin = await app.listen({ host: '127.0.0.1', port: 0 });
    const api = client(origin, token);
    return {
      async statements(work) {
        await work(api);
        const answer = await work(api);
        return { answer, statements: current };
      },
      close: () => app.close().finally(restore),
    };
  } catch (error) {
    restore();
    throw error;
  }
}
