import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

/** Members of a client of pg that its type does not have. */
interface ServerProcess {
  host: string;
  port: number;
  ssl: pg.ClientConfig['ssl'];
  processID: number;
  secretKey: number;
}

/** The same of its connection. */
interface Wire extends pg.Connection {
  connect(portOrSocket: number | string, host?: string): void;
  requestSsl(): void;
  cancel(processId: number, secretKey: number): void;
}

/** Maximum time, in ms, to send a cancellation. */
const SEND_MS = 2_000;

/**
 * Asks PostgreSQL to cancel the statement that a connection is executing, by a connection of its own. A pooler passes this request
 * on to the right server, other than the function pg_cancel_backend, because it knows the key.
 * https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-CANCELING-REQUESTS
 * @returns when the server has received it: the connection must not execute another statement before, which would be cancelled
 * @throws where that is not known, so that the connection must not be used again
 */
export async function cancelStatement(client: pg.ClientBase): Promise<void> {
  const { host, port, ssl, processID, secretKey } = client as unknown as ServerProcess;
  const wire = new pg.Connection({ ssl }) as Wire;
  const send = (): void => wire.cancel(processID, secretKey);
  wire.on('connect', () => (ssl ? wire.requestSsl() : send()));
  wire.on('sslconnect', send);
  if (host.startsWith('/')) wire.connect(`${host}/.s.PGSQL.${port}`);
  else wire.connect(port, host);
  const late = new AbortController();
  try {
    // The server closes the connection when it has sent the signal.
    await Promise.race([
      once(wire, 'end'),
      delay(SEND_MS, undefined, { signal: late.signal }).then(() => {
        throw new Error(`a statement could not be cancelled within ${SEND_MS} ms`);
      }),
    ]);
  } finally {
    late.abort();
    wire.on('error', () => undefined);
    wire.stream.destroy();
  }
}
