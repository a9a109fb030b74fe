import { loadConfig } from '../../config/load.js';
import { buildApp } from '../../core/app.js';
import type { DatabaseConnection } from '../../core/foundation/db/connection.js';
import { client, type Client } from '../support/http.js';
import { watchStatements, type RecordedStatement } from '../support/statements.js';

export type { RecordedStatement };

export interface Recorder {
  origin: string;
  /** @returns the answer of a request and its statements; it is sent twice, so that caches are filled */
  statements<T>(work: (api: Client) => Promise<T>): Promise<{ answer: T; statements: RecordedStatement[] }>;
  close(): Promise<void>;
}

/**
 * Runs the service inside this process, on the same database, to record the SQL of its requests: the bare SQL is
 * measured with these texts and bindings, so that it stays equal to the service when its code changes.
 * @param env environment of the service
 * @param token bearer token of the requests
 */
export async function startRecorder(
  env: NodeJS.ProcessEnv,
  database: DatabaseConnection,
  token: string,
): Promise<Recorder> {
  const watch = watchStatements();
  try {
    const app = await buildApp({ config: loadConfig(env), database });
    const origin = await app.listen({ host: '127.0.0.1', port: 0 });
    const api = client(origin, token);
    return {
      origin,
      async statements(work) {
        await work(api);
        return await watch.during(() => work(api));
      },
      close: () => app.close().finally(watch.stop),
    };
  } catch (error) {
    watch.stop();
    throw error;
  }
}
