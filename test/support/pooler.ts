import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import type { DatabaseConnection } from '../../core/foundation/db/connection.js';

/** Of a message of the server: NotificationResponse. */
const NOTIFICATION = 'A'.charCodeAt(0);
const HEAD_BYTES = 5;

export interface Pooler {
  connection: DatabaseConnection;
  /** Notifications that did not get through. */
  readonly swallowed: number;
  close(): void;
}

/**
 * A way to the database on which LISTEN is taken and no notification ever arrives, as behind a pooler that gives a
 * connection to another client between two transactions.
 */
export async function poolerOf(database: DatabaseConnection): Promise<Pooler> {
  const open = new Set<Socket>();
  let swallowed = 0;
  const target = 'connectionString' in database ? new URL(database.connectionString) : undefined;
  const upstream = (): Socket =>
    'connectionString' in database
      ? connect(Number(target!.port || 5432), target!.hostname)
      : connect(`${database.host}/.s.PGSQL.${database.port}`);
  const server = createServer((socket) => {
    const other = upstream();
    const pass = without(NOTIFICATION, () => {
      swallowed++;
    });
    for (const [from, to, change] of [
      [socket, other, (bytes: Buffer) => bytes],
      [other, socket, pass],
    ] as const) {
      open.add(from);
      from
        .on('error', () => to.destroy())
        .on('close', () => {
          open.delete(from);
          to.destroy();
        })
        .on('data', (bytes: Buffer) => {
          to.write(change(bytes));
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
    get swallowed() {
      return swallowed;
    },
    close: () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

/** Drops the messages of one type from the output of a server, with any chunk boundaries. */
function without(type: number, onDrop: () => void): (bytes: Buffer) => Buffer {
  let rest: Buffer = Buffer.alloc(0);
  return (bytes) => {
    rest = rest.length > 0 ? Buffer.concat([rest, bytes]) : bytes;
    const kept: Buffer[] = [];
    while (rest.length >= HEAD_BYTES) {
      const length = 1 + rest.readInt32BE(1);
      if (rest.length < length) break;
      if (rest[0] === type) onDrop();
      else kept.push(rest.subarray(0, length));
      rest = rest.subarray(length);
    }
    return Buffer.concat(kept);
  };
}
