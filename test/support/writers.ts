import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { client, type Answer } from './http.js';
import { NoResponse, withTimeout, random, type Nodes } from './nodes.js';

const CAPABILITIES = 30;
/** Number of cards that all writers change. */
const SHARED = 8;
const APPLICATION = 'Application';
const SERVES = 'applicationToBusinessCapability';

/** A sent write; its events have its request id. */
export interface Write {
  requestId: string;
  /** Number of its events if it succeeds. */
  events: number;
  kind: 'single' | 'relation' | 'bulk';
  /** Whether a node acknowledged it; otherwise the outcome is unknown. */
  isConfirmed: boolean;
}

interface Made {
  id: string;
  version: number;
}
interface Bulk {
  results: Made[];
}
interface Order {
  method: 'POST' | 'PATCH' | 'DELETE';
  path: string;
  body?: unknown;
  events: number;
  kind: Write['kind'];
}
interface Application {
  id: string;
  relations: string[];
  unused: string[];
}

/** Many writers that use any node: cards and relations, one by one and in bulk requests, on their own and shared cards. */
export class Writers {
  readonly writes: Write[] = [];
  /** Number of events of confirmed writes. */
  confirmed = 0;
  /** Number of attempts without a successful answer. */
  failures = 0;
  private capabilities: string[] = [];
  private shared: string[] = [];
  private stopped = false;

  /** Whether `stop` was called, also by the end of a test that failed. */
  get isStopped(): boolean {
    return this.stopped;
  }

  constructor(
    private readonly nodes: Nodes,
    private readonly token: string,
  ) {}

  /** Creates the objects that all writers use. */
  async prepare(): Promise<void> {
    const make = async (type: string, name: string, count: number): Promise<string[]> => {
      const operations = Array.from({ length: count }, (_, i) => ({
        op: 'create',
        card: { type, name: `${name} ${i}` },
      }));
      const answer = await this.send<Bulk>({
        method: 'POST',
        path: '/cards/bulk',
        body: { operations },
        events: count,
        kind: 'bulk',
      });
      return answer!.body.results.map(({ id }) => id);
    };
    this.capabilities = await make('BusinessCapability', 'Capability', CAPABILITIES);
    this.shared = await make(APPLICATION, 'Shared', SHARED);
  }

  /** Writes until `stop` is called. @param count number of concurrent writers */
  async run(count: number): Promise<void> {
    await Promise.all(Array.from({ length: count }, (_, writer) => this.write(writer)));
  }

  stop(): void {
    this.stopped = true;
  }

  private async write(writer: number): Promise<void> {
    const mine: Application[] = [];
    const keep = (id: string): void => {
      mine.push({ id, relations: [], unused: [...this.capabilities] });
    };
    for (let i = 0; !this.stopped; i++) {
      const text = `writer ${writer}, change ${i}`;
      const dice = random(100);
      const application = mine[random(mine.length)];
      if (!application || dice < 20) {
        const made = await this.send<Made>({
          method: 'POST',
          path: '/cards',
          body: { type: APPLICATION, name: text },
          events: 1,
          kind: 'single',
        });
        if (made) keep(made.body.id);
      } else if (dice < 66) {
        const id = random(4) === 0 ? this.shared[random(SHARED)]! : application.id;
        await this.send({
          method: 'PATCH',
          path: `/cards/${id}`,
          body: { description: text },
          events: 1,
          kind: 'single',
        });
      } else if (dice < 76) {
        const operations = Array.from({ length: 4 }, (_, n) => ({
          op: 'create',
          card: { type: APPLICATION, name: `${text}, ${n}` },
          relations: [{ type: SERVES, target: { id: this.capabilities[(n + random(20)) % CAPABILITIES] } }],
        }));
        const made = await this.send<Bulk>({
          method: 'POST',
          path: '/cards/bulk',
          body: { operations },
          events: 8,
          kind: 'bulk',
        });
        // The answer has no ids of the relations of new cards, so that other relations are created for later changes.
        if (made) await this.relateInBulk(application);
      } else await this.relate(application, text);
    }
  }

  /** Creates, changes or deletes one relation. */
  private async relate(application: Application, text: string): Promise<void> {
    const [id] = application.relations;
    const target_id = application.unused.pop();
    const dice = random(4);
    if (id !== undefined && dice === 0) {
      application.relations.shift();
      await this.send({ method: 'DELETE', path: `/relations/${id}`, events: 1, kind: 'relation' });
    } else if (id !== undefined && dice < 3) {
      await this.send({
        method: 'PATCH',
        path: `/relations/${id}`,
        body: { description: text },
        events: 1,
        kind: 'relation',
      });
    } else if (target_id !== undefined) {
      const made = await this.send<Made>({
        method: 'POST',
        path: '/relations',
        body: { type: SERVES, source_id: application.id, target_id },
        events: 1,
        kind: 'relation',
      });
      if (made) application.relations.push(made.body.id);
    }
  }

  private async relateInBulk({ id: source_id, relations, unused }: Application): Promise<void> {
    const operations = unused.splice(-4).map((target_id) => ({ op: 'create', type: SERVES, source_id, target_id }));
    if (operations.length === 0) return;
    const made = await this.send<Bulk>({
      method: 'POST',
      path: '/relations/bulk',
      body: { operations },
      events: operations.length,
      kind: 'bulk',
    });
    relations.push(...(made?.body.results.map(({ id }) => id) ?? []));
  }

  /**
   * Sends a write; about half of them have an Idempotency-Key and are repeated on random nodes until they succeed.
   * @returns the successful answer; undefined if there is none
   */
  private async send<T>({ method, path, body, events, kind }: Order): Promise<Answer<T> | undefined> {
    const write: Write = { requestId: randomUUID(), events, kind, isConfirmed: false };
    this.writes.push(write);
    const isKeyed = method !== 'DELETE' && random(2) === 0;
    const headers = { 'x-request-id': write.requestId, ...(isKeyed && { 'idempotency-key': write.requestId }) };
    for (;;) {
      const answer = await this.attempt(() =>
        client(this.nodes.origin(), this.token).send<T>(method, path, body, { headers }),
      );
      if (answer && answer.status < 300) {
        write.isConfirmed = true;
        this.confirmed += events;
        return answer;
      }
      // 409 means that an earlier attempt of this write is still running; any other refusal is a defect.
      const code = answer && (answer.body as { code?: string }).code;
      if (answer && answer.status < 500 && code !== 'idempotency_in_progress')
        throw new Error(`${method} ${path} gave ${answer.status}: ${JSON.stringify(answer.body)}`);
      this.failures++;
      await delay(20 + random(80));
      if (!isKeyed) return undefined;
    }
  }

  /** @returns the result; undefined if the node was killed or does not respond in time */
  private async attempt<T>(request: () => Promise<T>): Promise<T | undefined> {
    try {
      return await withTimeout(request());
    } catch (error) {
      const isCut = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '');
      if (isCut || error instanceof NoResponse) return undefined;
      throw error;
    }
  }
}
