import type { RequestContext } from '@lintel/sdk';
import type { Readable } from 'node:stream';
import { visibilityOf } from '../access/index.js';
import { compileFilters, type CardFilters } from '../cards/index.js';
import { Bindings } from '../../foundation/db/list-query.js';
import type { Pace } from '../../foundation/db/reader-pace.js';
import type { Reads } from '../../foundation/db/replica.js';
import type { MetamodelService } from '../metamodel/index.js';
import type { Extensions } from '../extensions.js';
import { exportCards } from './repository.js';
import type { ExportFormat } from './schemas.js';
import { Semaphore } from '../../foundation/semaphore.js';

/** Share of the node's connections that exports may use. */
const CONNECTIONS_SHARE = 0.25;
/** Share of these per user. */
const USER_SHARE = 0.4;
/** Maximum wait for a slot in ms. While other exports wait, a slow reader loses its slot earlier than that. */
const WAIT_MS = 30_000;
const PACE: Pace = { graceMs: 30_000, bytesPerSecond: 32 * 1_024 };
const CONTENDED_PACE: Pace = { graceMs: 10_000, bytesPerSecond: 128 * 1_024 };
/** Per this many connections one additional one may be used by large exports, which then read on two. */
const ONE_MORE_OF = 8;

const utcDay = (): string => new Date().toISOString().slice(0, 10);

/** Exports of cards: streamed, from one snapshot, restricted to what the reader may see. */
export class ExportService {
  private readonly slots: Semaphore;
  /** Slots for second connections. */
  private readonly secondSlots: Semaphore;

  /** @param connections maximum number of connections of this node */
  constructor(
    private readonly reads: Reads,
    private readonly metamodel: MetamodelService,
    private readonly extensions: Extensions,
    connections: number,
  ) {
    const slots = (most: number): Semaphore =>
      new Semaphore({ what: 'exports', most, each: Math.max(1, Math.floor(most * USER_SHARE)), waitMs: WAIT_MS });
    this.slots = slots(Math.max(1, Math.floor(connections * CONNECTIONS_SHARE)));
    this.secondSlots = slots(Math.floor(connections / ONE_MORE_OF));
  }

  /** @throws a 422 for invalid filters */
  check(ctx: RequestContext, filters: CardFilters): void {
    const metamodel = this.metamodel.current;
    compileFilters(filters, new Bindings(), { metamodel, visibility: visibilityOf(ctx, metamodel), today: utcDay() });
  }

  /**
   * @param bom whether CSV begins with a byte order mark
   * @returns a stream that is aborted where it is read too slowly, with a higher minimum speed while other exports wait
   * @throws a 422 for invalid filters, rate_limited where too many exports run
   */
  async export(ctx: RequestContext, format: ExportFormat, filters: CardFilters, bom: boolean): Promise<Readable> {
    // Invalid filters are rejected at once, before waiting for a slot.
    this.check(ctx, filters);
    const metamodel = this.metamodel.current;
    const visibility = visibilityOf(ctx, metamodel);
    const unexportableTypes = [...metamodel.types.keys()].filter(
      (type) => !visibility.hiddenTypes.includes(type) && !ctx.permissions.has('cards.export', type),
    );
    const reader = {
      metamodel,
      visibility,
      unexportableTypes,
      columns: this.extensions.columns(ctx),
      today: utcDay(),
    };
    const user = ctx.actor?.id ?? '';
    const ends = [await this.slots.take(user)];
    const end = () => {
      for (const one of ends) one();
    };
    const second = (): boolean => {
      const release = this.secondSlots.tryTake(user);
      if (release) ends.push(release);
      return release !== undefined;
    };
    const pace = (): Pace => (this.slots.isContended ? CONTENDED_PACE : PACE);
    try {
      const stream = await this.reads.run((from) => exportCards(from, format, filters, reader, { bom, second, pace }));
      return stream.once('close', end);
    } catch (error) {
      end();
      throw error;
    }
  }
}
