import { setTimeout as delay } from 'node:timers/promises';
import { ConnectorError, type Connector, type ConnectorFault, type ConnectorRecord } from '@lintel/sdk';
import type { SyncMetrics } from '../runs/metrics.js';
import { storable } from '../transforms/values.js';
import { isRecordId } from '../reading/read.js';

/** Requests that write at the same time. */
export const CONCURRENCY = 4;
/** How often a request is sent, and milliseconds before the first repetition; each further one waits twice as long. */
const ATTEMPTS = 5;
const DELAY_MS = 400;
/** Records in a row that the other system does not handle, after which the run fails. */
const MOST_IN_A_ROW = 3;
/** Characters of a reason. */
const MOST_REASON = 1_000;

/** Faults of the whole system rather than of one record: requests are repeated after them. */
const TEMPORARY: readonly ConnectorFault[] = ['unreachable', 'rate_limited'];
/** Faults after which no further request makes sense. */
const FINAL: readonly ConnectorFault[] = ['authentication', 'invalid_settings'];
/** Faults after which it is not known whether a record was created. */
const UNKNOWN: readonly ConnectorFault[] = ['unreachable', 'invalid_answer'];

/** What became of a request. */
export type Answer =
  | { kind: 'done'; record: ConnectorRecord }
  | { kind: 'refused'; reason: string }
  /** It is not known whether the record was created. */
  | { kind: 'unknown'; reason: string }
  /** The work ends, so that it was not sent, or its response was not waited for: `Remote.ensureGoing` throws. */
  | { kind: 'unsent' }
  | { kind: 'stopped' };

type Attempt =
  | { kind: 'done'; record: ConnectorRecord | undefined }
  | { kind: 'fault'; fault: ConnectorFault; reason: string };
class Stopped extends Error {}

/** Requests that write to another system, repeated with increasing delays; all of one job. */
export class Remote {
  private inARow = 0;
  private stop: Error | undefined;

  constructor(
    private readonly connector: Connector,
    private readonly table: string,
    private readonly signal: AbortSignal,
    private readonly metrics: SyncMetrics,
  ) {}

  get canLookUp(): boolean {
    return this.connector.findCreated !== undefined;
  }

  /** @throws the reason why no further request is sent: a ConnectorError of the whole system, or the reason of the signal */
  ensureGoing(): void {
    this.signal.throwIfAborted();
    if (this.stop !== undefined) throw this.stop;
  }

  /** Changes a record. */
  async update(id: string, values: Readonly<Record<string, unknown>>): Promise<Answer> {
    return await this.guarded(async () => {
      const answer = await this.repeated('update', async () => await this.connector.update!(this.table, id, values));
      if (answer.kind === 'fault') return { kind: 'refused', reason: answer.reason };
      return { kind: 'done', record: answer.record! };
    });
  }

  /**
   * Creates a record. Before each repetition the other system is asked for it; if it cannot be asked, a request whose outcome is not known
   * is not repeated.
   * @param isSent whether it may have been sent before
   */
  async create(values: Readonly<Record<string, unknown>>, correlationId: string, isSent: boolean): Promise<Answer> {
    // Without a way to look it up, a person has decided that it was not created.
    let mayExist = isSent && this.canLookUp;
    const answer = await this.guarded(async () => {
      let last: { fault: ConnectorFault; reason: string } = { fault: 'unreachable', reason: '' };
      for (let n = 0; n < ATTEMPTS; n++) {
        if (n > 0) await this.pause(n);
        if (n > 0 || isSent) {
          const found = await this.lookUp(correlationId);
          if (found?.kind === 'fault') return { kind: mayExist ? 'unknown' : 'refused', reason: found.reason };
          if (found?.record) return { kind: 'done', record: found.record };
        }
        const before = mayExist;
        const answer = await this.once('create', async () => {
          mayExist = true;
          const record = await this.connector.create!(this.table, values, correlationId);
          if (!isRecordId(record.id)) throw new ConnectorError('invalid_answer', 'The created record has no valid id.');
          return record;
        });
        if (answer.kind === 'done') return { kind: 'done', record: answer.record! };
        last = answer;
        const isUnknown = UNKNOWN.includes(answer.fault);
        mayExist = before || isUnknown;
        if (isUnknown && !this.canLookUp) break;
        if (!isUnknown && !TEMPORARY.includes(answer.fault)) break;
      }
      this.note(last.fault, last.reason);
      return { kind: mayExist ? 'unknown' : 'refused', reason: last.reason };
    });
    return answer.kind === 'stopped' && !mayExist ? { kind: 'unsent' } : answer;
  }

  /** The record of a creation whose outcome is not known; `refused` if there is none. */
  async find(correlationId: string): Promise<Answer> {
    return await this.guarded(async () => {
      const found = await this.lookUp(correlationId);
      if (found?.kind === 'done' && found.record) return { kind: 'done', record: found.record };
      return { kind: found?.kind === 'fault' ? 'unknown' : 'refused', reason: '' };
    });
  }

  private async lookUp(correlationId: string): Promise<Attempt | undefined> {
    if (!this.connector.findCreated) return undefined;
    const { connector, table } = this;
    return await this.repeated('look_up', async () => await connector.findCreated!(table, correlationId));
  }

  private async repeated(operation: string, send: () => Promise<ConnectorRecord | undefined>): Promise<Attempt> {
    for (let n = 1; ; n++) {
      const answer = await this.once(operation, send);
      if (answer.kind === 'done') return answer;
      if (n < ATTEMPTS && TEMPORARY.includes(answer.fault)) await this.pause(n);
      else {
        this.note(answer.fault, answer.reason);
        return answer;
      }
    }
  }

  private async once(operation: string, send: () => Promise<ConnectorRecord | undefined>): Promise<Attempt> {
    try {
      this.ensureGoing();
    } catch {
      throw new Stopped();
    }
    try {
      const record = await send();
      this.inARow = 0;
      this.metrics.written(operation, 'ok');
      return { kind: 'done', record };
    } catch (error) {
      if (!(error instanceof ConnectorError)) throw error;
      this.metrics.written(operation, error.fault);
      return { kind: 'fault', fault: error.fault, reason: storable(error.message, MOST_REASON) };
    }
  }

  /** After a fault that repetitions have not removed. */
  private note(fault: ConnectorFault, reason: string): void {
    if (TEMPORARY.includes(fault)) this.inARow += 1;
    else this.inARow = 0;
    if (FINAL.includes(fault) || this.inARow >= MOST_IN_A_ROW) this.stop ??= new ConnectorError(fault, reason);
  }

  private async pause(n: number): Promise<void> {
    await delay(DELAY_MS * 2 ** (n - 1) * (0.75 + Math.random() / 2), undefined, { signal: this.signal });
  }

  /** An error of one request must not lose the answers of those that are under way with it. */
  private async guarded(work: () => Promise<Answer>): Promise<Answer> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Stopped)) this.stop ??= error instanceof Error ? error : new Error(String(error));
      return { kind: 'stopped' };
    }
  }
}

/** Does work for items, a few at a time. @returns the results in the order of the items */
export async function pooled<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length) {
      const place = next++;
      results[place] = await work(items[place]!);
    }
  };
  await Promise.all(Array.from({ length: Math.min(CONCURRENCY, items.length) }, worker));
  return results;
}
