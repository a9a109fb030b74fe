import { createServer, type Server, type Socket } from 'node:net';

type Reply = string | number | null | Error | Reply[];
/** A list of times with its expiry, all in ms since 1970. */
interface Entry {
  times: number[];
  endsAt: number;
}

/** The response of a server to a connection without or with a wrong log-in. */
const NO_AUTH = 'NOAUTH Authentication required.';
const WRONG_PASSWORD = 'WRONGPASS invalid username-password pair or user is disabled.';
const PING = 'PONG';

/**
 * A small server of the protocol of Redis (RESP 2) for tests without Redis: log-in, and EVAL of the only script of the
 * service, which is implemented here in JavaScript. Running the tests with TEST_REDIS_URL checks that a real server
 * gives the same results.
 */
export class RedisServer {
  /** The stored values with their expiry. */
  readonly data = new Map<string, Entry>();
  /** All commands in order, except AUTH. */
  readonly commands: string[][] = [];
  /** If set, it reads commands and never answers. */
  isMute = false;
  private server: Server | undefined;
  private readonly sockets = new Set<Socket>();
  private port = 0;

  constructor(private readonly password?: string) {}

  /** Listens on a free port, after `kill` on the previous one. */
  async start(): Promise<this> {
    const server = (this.server = createServer((socket) => this.serve(socket)));
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve));
    this.port = (server.address() as { port: number }).port;
    return this;
  }

  /** @param password the password in the URL */
  url(password = this.password): string {
    return `redis://${password === undefined ? '' : `:${password}@`}127.0.0.1:${this.port}`;
  }

  get connections(): number {
    return this.sockets.size;
  }

  /** Stops like a crash: connections are reset and all data is lost. */
  async kill(): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      this.server?.close(() => resolve());
    });
    for (const socket of this.sockets) socket.resetAndDestroy();
    this.data.clear();
    await closed;
  }

  private serve(socket: Socket): void {
    this.sockets.add(socket);
    const session = new Session(this, this.password);
    let pending = Buffer.alloc(0);
    socket.on('close', () => this.sockets.delete(socket)).on('error', () => undefined);
    socket.on('data', (part: Buffer) => {
      pending = Buffer.concat([pending, part]);
      for (let read = command(pending); read; read = command(pending)) {
        pending = pending.subarray(read.length);
        const reply = session.run(read.words);
        if (!this.isMute) socket.write(encode(reply));
      }
    });
  }

  /** The value of a key that has not expired. */
  live(key: string): Entry | undefined {
    const entry = this.data.get(key);
    if (entry && entry.endsAt <= Date.now()) this.data.delete(key);
    return this.data.get(key);
  }
}

/** One connection and whether it is logged in. */
class Session {
  private isLoggedIn: boolean;

  constructor(
    private readonly server: RedisServer,
    private readonly password: string | undefined,
  ) {
    this.isLoggedIn = password === undefined;
  }

  run(words: string[]): Reply {
    const name = words[0]!.toUpperCase();
    if (name === 'AUTH') {
      this.isLoggedIn = words.at(-1) === this.password;
      return this.isLoggedIn ? 'OK' : new Error(WRONG_PASSWORD);
    }
    if (!this.isLoggedIn) return new Error(NO_AUTH);
    this.server.commands.push(words);
    switch (name) {
      case 'PING':
        return PING;
      case 'SELECT':
        return 'OK';
      case 'EVAL':
        return this.hit(words[3]!, Number(words[4]), Number(words[5]));
      default:
        return new Error(`ERR unknown command '${name}'`);
    }
  }

  /** The script of limit-store-redis.ts. */
  private hit(key: string, limit: number, windowMs: number): Reply {
    const now = Date.now();
    const times = (this.server.live(key)?.times ?? []).filter((time) => time > now - windowMs);
    const allowed = times.length < limit;
    if (allowed) times.push(now);
    if (allowed) this.server.data.set(key, { times, endsAt: now + windowMs });
    return [Number(allowed), times.length, times[Math.max(0, times.length - limit)]! + windowMs - now];
  }
}

/** The first command of the bytes, an array of bulk strings; undefined while it is incomplete. */
function command(bytes: Buffer): { words: string[]; length: number } | undefined {
  let at = 0;
  const line = (): string | undefined => {
    const end = bytes.indexOf('\r\n', at);
    if (end < 0) return undefined;
    const text = bytes.toString('latin1', at, end);
    at = end + 2;
    return text;
  };
  const head = line();
  if (head === undefined) return undefined;
  if (!head.startsWith('*')) throw new Error(`no command of RESP: ${head}`);
  const words: string[] = [];
  for (let n = Number(head.slice(1)); n > 0; n--) {
    const size = line();
    if (size === undefined) return undefined;
    const end = at + Number(size.slice(1));
    if (bytes.length < end + 2) return undefined;
    words.push(bytes.toString('utf8', at, end));
    at = end + 2;
  }
  return { words, length: at };
}

function encode(reply: Reply): string {
  if (reply === null) return '$-1\r\n';
  if (Array.isArray(reply)) return `*${reply.length}\r\n${reply.map(encode).join('')}`;
  if (reply instanceof Error) return `-${reply.message}\r\n`;
  return typeof reply === 'number' ? `:${reply}\r\n` : `+${reply}\r\n`;
}
