import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import type { DatabaseConnection } from '../../core/foundation/db/connection.js';

/** A proxy to the database that can close its connections, or suspend all traffic and new connections. */
export interface Way {
  connection: DatabaseConnection;
  cut(): void;
  freeze(): void;
  mend(): void;
  close(): void;
}

/** A proxy between the app and its database. */
export async function wayTo(database: DatabaseConnection): Promise<Way> {
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
    for (const [from, to] of [
      [socket, other],
      [other, socket],
    ] as const) {
      open.add(from);
      // Suspended data arrives later, as from a server that was suspended and resumed.
      from
        .on('error', () => to.destroy())
        .on('close', () => {
          open.delete(from);
          to.destroy();
        })
        .on('data', (bytes) => {
          if (isFrozen) held.push(() => to.write(bytes));
          else to.write(bytes);
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
    mend: () => {
      isCut = isFrozen = false;
      for (const send of held.splice(0)) send();
    },
    close: () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
