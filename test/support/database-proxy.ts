import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import type { DatabaseConnection } from '../../core/foundation/db/connection.js';

/** A proxy to the database that can close its connections, or suspend all traffic and new connections. */
export interface DatabaseProxy {
  connection: DatabaseConnection;
  cut(): void;
  freeze(): void;
  restore(): void;
  close(): void;
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
          to.destroy();
        })
        .on('data', (bytes: Buffer) => {
          const changed = change(bytes);
          if (isFrozen) held.push(() => to.write(changed));
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
    restore: () => {
      isCut = isFrozen = false;
      for (const send of held.splice(0)) send();
    },
    close: () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
