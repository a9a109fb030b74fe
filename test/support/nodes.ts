import { setTimeout as delay } from 'node:timers/promises';
import type { DatabaseConnection } from '../../core/foundation/db/connection.js';
import { sql, urlOf } from './database.js';
import { dataFolder, startService, type DataFolder } from './service.js';

type Service = Awaited<ReturnType<typeof startService>>;

const SECRET = Buffer.alloc(32, 'crash').toString('base64');
/** A node that hangs keeps its callers waiting; they go elsewhere. */
const PATIENCE_MS = 1_000;
const NUMBERS = /"time":(\d+)[^\n]*this node assigns the positions of events/g;

export const random = (n: number): number => Math.floor(Math.random() * n);

/** No response within the timeout; the outcome is unknown. */
export class Hangs extends Error {}

/** @throws Hangs after a second; later results of the work are ignored */
export async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Hangs()), PATIENCE_MS);
  });
  work.catch(() => undefined);
  return await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Nodes of one service, processes of their own over one database, to be killed and stopped while they work. */
export class Nodes {
  /** How often a node was killed, and how often that was the one that numbers the events. */
  readonly kills = { all: 0, ofHolder: 0 };
  /** The log lines of killed nodes. */
  private past = '';

  private constructor(
    private readonly services: Service[],
    private readonly folders: DataFolder[],
    readonly database: DatabaseConnection,
    private readonly env: NodeJS.ProcessEnv,
  ) {}

  /** @param env their environment, beside the database and its key */
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

  /** Address of one of them; of whichever when none is named. One that was just killed refuses. */
  origin(n = random(this.services.length)): string {
    return this.services[n]!.origin;
  }

  /** All that the nodes logged so far, those that were killed included. */
  get output(): string {
    return this.past + this.services.map((service) => service.output()).join('');
  }

  /** The node that numbers the events, according to the logs. */
  get holder(): number {
    const since = this.services.map((service) => Number([...service.output().matchAll(NUMBERS)].at(-1)?.[1] ?? 0));
    return since.indexOf(Math.max(...since));
  }

  /** Ends a node as a crash would and starts another in its place. */
  async kill(n: number): Promise<void> {
    const service = this.services[n]!;
    this.kills.all++;
    if (n === this.holder) this.kills.ofHolder++;
    await service.kill9();
    this.past += service.output();
    this.services[n] = await this.launch(n);
  }

  /** Has the node that numbers the events stand still, its connections open, until another one has taken its place. */
  async freezeHolder(): Promise<void> {
    const { holder } = this;
    const { pid } = this.services[holder]!;
    process.kill(pid, 'SIGSTOP');
    try {
      for (const end = performance.now() + 20_000; this.holder === holder; await delay(50)) {
        if (performance.now() > end) throw new Error('nobody took the place of a node that hangs');
      }
      // Others continue while it is suspended.
      const before = await this.head();
      for (const end = performance.now() + 10_000; (await this.head()) < before + 50; await delay(50)) {
        if (performance.now() > end) throw new Error('nothing is numbered in place of a node that hangs');
      }
    } finally {
      process.kill(pid, 'SIGCONT');
    }
  }

  /** The last position given. */
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
