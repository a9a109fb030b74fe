import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import type { DatabaseConnection } from '../../core/foundation/db/connection.js';

/** A proxy to the database that can close its connections, or suspend all traffic and new connections. */
export interface DatabaseProxy {
  connection: DatabaseConnection;
  cut(): void;
  freeze(): void;
  /** Suspends connections that begin from now on, until `restore`. */
  freezeNew(): void;
  restore(): void;
  close(): void;
  /** Connections that their client has closed while they were suspended by `freezeNew`. */
  readonly gaveUp: number;
}

/**
 * Starts a proxy between the app and its database.
 * @param filter called for each connection, returns a function that changes the output of the server
 */
export async function databaseProxy(
  database: DatabaseConnection,
  filter: () => (bytes: Buffer) => Buffer = () => (bytes) => bytes,
): Promise<DatabaseProxy> {
  const open = new Set<Socket>();
  let isCut = false;
  let isFrozen = false;
  let isNewFrozen = false;
  let gaveUp = 0;
  const held: (() => void)[] = [];
  const target = 'connectionString' in database ? new URL(database.connectionString) : undefined;
  const upstream = (): Socket =>
    'connectionString' in database
      ? connect(Number(target!.port || 5432), target!.hostname)
      : connect(`${database.host}/.s.PGSQL.${database.port}`);
  const server = createServer((socket) => {
    if (isCut) {
      socket.resetAndDestroy();
      return;
    }
    const other = upstream();
    const isNew = isNewFrozen;
    for (const [from, to, change] of [
      [socket, other, (bytes: Buffer) => bytes],
      [other, socket, filter()],
    ] as const) {
      open.add(from);
      // Data of a suspended proxy is sent after it is resumed, like that of a suspended server.
      from
        .on('error', () => to.destroy())
        .on('close', () => {
          open.delete(from);
          if (isNew && isNewFrozen && from === socket) gaveUp++;
          to.destroy();
        })
        .on('data', (bytes: Buffer) => {
          const changed = change(bytes);
          if (isFrozen || (isNew && isNewFrozen)) held.push(() => to.write(changed));
          else to.write(changed);
        });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  if (target) {
    target.hostname = '127.0.0.1';
    target.port = String(port);
  }
  return {
    connection:
      'connectionString' in database ? { connectionString: target!.href } : { ...database, host: '127.0.0.1', port },
    cut: () => {
      isCut = true;
      for (const socket of open) socket.destroy();
    },
    freeze: () => {
      isFrozen = true;
    },
    freezeNew: () => {
      isNewFrozen = true;
    },
    restore: () => {
      isCut = isFrozen = isNewFrozen = false;
      for (const send of held.splice(0)) send();
    },
    get gaveUp() {
      return gaveUp;
    },
    close: () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
