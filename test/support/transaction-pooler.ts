import { createServer, type AddressInfo, type Socket } from 'node:net';
import pg from 'pg';
import type { DatabaseConnection } from '../../core/foundation/db/connection.js';

/** Which of the idle sessions gets the next transaction: the one that became idle last, or the one that did first. */
export type PoolOrder = 'last' | 'first';

export interface TransactionPooler {
  connection: DatabaseConnection;
  /** Process ids of its sessions at the server. */
  readonly pids: readonly number[];
  close(): Promise<void>;
}

/** Length of the type and the length of a message. */
const HEAD_BYTES = 5;
const [READY, TERMINATE, IDLE] = ['Z', 'X', 'I'].map((letter) => letter.charCodeAt(0)) as [number, number, number];
const SESSIONS = 3;

/** Splits what a socket sends into messages of the protocol. */
class Messages {
  private rest = Buffer.alloc(0);
  /** @param head bytes before the length: 0 for the first message of a client, which has no type */
  constructor(private head: 0 | 1) {}

  *split(bytes: Buffer): Generator<Buffer> {
    this.rest = Buffer.concat([this.rest, bytes]);
    while (this.rest.length >= this.head + HEAD_BYTES - 1) {
      const length = this.head + this.rest.readInt32BE(this.head);
      if (this.rest.length < length) return;
      const message = this.rest.subarray(0, length);
      this.rest = this.rest.subarray(length);
      this.head = 1;
      yield message;
    }
  }
}

/** A session at the server, which transactions of any client use. */
interface Session {
  client: pg.Client;
  stream: Socket;
  pid: number;
}

async function openSession(database: DatabaseConnection): Promise<Session> {
  const client = new pg.Client({ ...database, application_name: 'transaction pooler' });
  client.on('error', () => undefined);
  await client.connect();
  const { connection, processID: pid } = client as pg.Client & { connection: { stream: Socket }; processID: number };
  // From now on its messages are those of the clients of the pooler.
  connection.stream.removeAllListeners('data');
  return { client, stream: connection.stream, pid };
}

/** What a server sends at the begin of a connection: no password, a key for cancellation, ready. */
function greeting(): Buffer {
  const key = Buffer.from([0x4b, 0, 0, 0, 12, 0, 0, 0, 0, 1, 2, 3, 4]);
  key.writeInt32BE(1 + Math.floor(Math.random() * 2 ** 30), HEAD_BYTES);
  return Buffer.concat([Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0]), key, Buffer.from([READY, 0, 0, 0, 5, IDLE])]);
}

/**
 * Starts a pooler that gives each transaction any of three sessions at the server, as PgBouncer does with
 * `pool_mode = transaction`.
 */
export async function transactionPoolerOf(database: DatabaseConnection, order: PoolOrder): Promise<TransactionPooler> {
  const sessions = await Promise.all(Array.from({ length: SESSIONS }, () => openSession(database)));
  const idle = [...sessions];
  const waiting: ((session: Session) => void)[] = [];
  const take = async (): Promise<Session> =>
    (order === 'last' ? idle.pop() : idle.shift()) ?? (await new Promise((resolve) => waiting.push(resolve)));
  const release = (session: Session): void => {
    const next = waiting.shift();
    if (next) next(session);
    else idle.push(session);
  };

  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    const sent = new Messages(0);
    let isGreeted = false;
    let used: Promise<Session> | undefined;
    const use = async (): Promise<Session> => {
      const session = await take();
      const answers = new Messages(1);
      const onData = (bytes: Buffer): void => {
        for (const message of answers.split(bytes)) {
          socket.write(message);
          if (message[0] !== READY || message[HEAD_BYTES] !== IDLE) continue;
          session.stream.off('data', onData);
          used = undefined;
          release(session);
        }
      };
      session.stream.on('data', onData);
      return session;
    };
    const forward = async (message: Buffer): Promise<void> => {
      const session = await (used ??= use());
      session.stream.write(message);
    };
    socket
      .on('error', () => undefined)
      .on('close', () => open.delete(socket))
      .on('data', (bytes: Buffer) => {
        for (const message of sent.split(bytes)) {
          if (!isGreeted) socket.write(greeting());
          else if (message[0] === TERMINATE) socket.end();
          else void forward(message);
          isGreeted = true;
        }
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const { database: name = '', user = '' } = sessions[0]!.client;
  return {
    connection: { host: '127.0.0.1', port, user, database: name },
    pids: sessions.map(({ pid }) => pid),
    close: async () => {
      for (const socket of open) socket.destroy();
      for (const { stream } of sessions) stream.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
