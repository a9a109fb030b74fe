import type { DatabaseConnection } from '../../core/foundation/db/connection.js';
import { databaseProxy } from './database-proxy.js';

/** The type of the message NotificationResponse of the server. */
const NOTIFICATION = 'A'.charCodeAt(0);
const HEAD_BYTES = 5;

export interface Pooler {
  connection: DatabaseConnection;
  /** Number of dropped notifications. */
  readonly dropped: number;
  close(): void;
}

/**
 * A proxy to the database that accepts LISTEN and drops all notifications, as a pooler does that gives a connection to
 * another client between two transactions.
 */
export async function poolerOf(database: DatabaseConnection): Promise<Pooler> {
  let dropped = 0;
  const proxy = await databaseProxy(database, () =>
    without(NOTIFICATION, () => {
      dropped++;
    }),
  );
  return {
    connection: proxy.connection,
    get dropped() {
      return dropped;
    },
    close: () => proxy.close(),
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
