import { setTimeout as delay } from 'node:timers/promises';
import type { DatabaseConnection } from '../../core/foundation/db/connection.js';
import { sql, urlOf } from './database.js';
import { dataFolder, startService, type DataFolder } from './service.js';

type Service = Awaited<ReturnType<typeof startService>>;

const SECRET = Buffer.alloc(32, 'crash').toString('base64');
/** After this time without a response a client tries another node. */
const TIMEOUT_MS = 1_000;
const ASSIGNS_POSITIONS = /"time":(\d+)[^\n]*this node assigns the positions of events/g;

export const random = (n: number): number => Math.floor(Math.random() * n);

/** No response within the timeout; the outcome is unknown. */
export class NoResponse extends Error {}

/** @throws NoResponse after a second; later results of the work are ignored */
export async function withTimeout<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NoResponse()), TIMEOUT_MS);
  });
  work.catch(() => undefined);
  return await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Nodes of one service as separate processes with one database, which can be killed and suspended while they work. */
export class Nodes {
  /** Number of killed nodes, and of those among them that assigned the positions of events. */
  readonly kills = { all: 0, ofHolder: 0 };
  /** The log lines of killed nodes. */
  private killedOutput = '';

  private constructor(
    private readonly services: Service[],
    private readonly folders: DataFolder[],
    readonly database: DatabaseConnection,
    private readonly env: NodeJS.ProcessEnv,
  ) {}

  /** @param env additions to their environment */
  static async start(count: number, database: DatabaseConnection, env: NodeJS.ProcessEnv = {}): Promise<Nodes> {
    const nodes = new Nodes([], [], database, {
      DATABASE_URL: urlOf(database),
      LINTEL_SECRET_KEY: SECRET,
      DATABASE_POOL_MAX: '16',
      ...env,
    });
    for (let n = 0; n < count; n++) {
      nodes.folders.push(await dataFolder());
      nodes.services.push(await nodes.launch(n));
    }
    return nodes;
  }

  /** The origin of a node, by default of a random one. A node that was just killed refuses connections. */
  origin(n = random(this.services.length)): string {
    return this.services[n]!.origin;
  }

  /** The log lines of all nodes so far, including killed ones. */
  get output(): string {
    return this.killedOutput + this.services.map((service) => service.output()).join('');
  }

  /** The index of the node that assigns the positions of events, according to the logs. */
  get holder(): number {
    const since = this.services.map((service) =>
      Number([...service.output().matchAll(ASSIGNS_POSITIONS)].at(-1)?.[1] ?? 0),
    );
    return since.indexOf(Math.max(...since));
  }

  /** Kills a node and starts it again. */
  async kill(n: number): Promise<void> {
    const service = this.services[n]!;
    this.kills.all++;
    if (n === this.holder) this.kills.ofHolder++;
    await service.kill9();
    this.killedOutput += service.output();
    this.services[n] = await this.launch(n);
  }

  /** Suspends the node that assigns the positions of events, its connections open, until another one has replaced it. */
  async freezeHolder(): Promise<void> {
    const { holder } = this;
    const { pid } = this.services[holder]!;
    process.kill(pid, 'SIGSTOP');
    try {
      for (const end = performance.now() + 20_000; this.holder === holder; await delay(50)) {
        if (performance.now() > end) throw new Error('no node replaced the suspended one');
      }
      // Events get positions while it is suspended.
      const before = await this.head();
      for (const end = performance.now() + 10_000; (await this.head()) < before + 50; await delay(50)) {
        if (performance.now() > end) throw new Error('no positions are assigned in place of the suspended node');
      }
    } finally {
      process.kill(pid, 'SIGCONT');
    }
  }

  /** The last assigned position. */
  async head(): Promise<number> {
    return Number((await sql<{ position: string }>(this.database, 'select position from event_head'))[0]!.position);
  }

  /** Whether every event has its position. */
  async isNumbered(): Promise<boolean> {
    return (await sql(this.database, 'select from event_outbox limit 1')).length === 0;
  }

  async stop(): Promise<void> {
    await Promise.all(this.services.map((service) => service.stop()));
    await Promise.all(this.folders.map((folder) => folder.remove()));
  }

  private async launch(n: number): Promise<Service> {
    return await startService({ dataDir: this.folders[n]!.path, env: this.env });
  }
}
