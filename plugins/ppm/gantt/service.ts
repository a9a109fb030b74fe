import { laterProblem, WorkerQueue, WorkerQueueError } from '@lintel/sdk/drawing';
import type { BytesResult, RequestContext } from '@lintel/sdk';
import { requireInitiative, type Host } from '../basics.js';
import type { BaselineReader } from '../baselines/reader.js';
import { dateOf } from '../calendar/days.js';
import { completions } from '../schedule/completion.js';
import { today, type Plans } from '../schedule/plan.js';
import { mapInSlices, visitInSlices } from '../slices.js';
import { ganttOf } from './build.js';
import { drawGantt } from './draw.js';
import type { Gantt } from './chart.js';
import type { GanttQuery, GanttView } from './schemas.js';
import type { Order } from './worker.js';

/** Time for one drawing in milliseconds. */
const LIMIT_MS = 15_000;
/** Charts with more rows are drawn in another process. */
const SMALL = 40;

/** A chart, with the items of its rows. */
interface Built {
  cardId: string;
  gantt: Gantt;
  ids: string[];
  floats: number[];
  total: number;
  from: number;
  baseline: GanttView['baseline'];
}

/** Gantt charts of plans. */
export class GanttService {
  private queue: WorkerQueue<Order, string> | undefined;

  constructor(
    private readonly host: Host,
    private readonly plans: Plans,
    private readonly baselines: BaselineReader,
  ) {}

  /** Ends what is drawn; a later drawing begins anew. */
  async close(): Promise<void> {
    const ended = this.queue;
    this.queue = undefined;
    await ended?.close();
  }

  /** @throws not_found, invalid_state */
  async get(ctx: RequestContext, cardId: string, query: GanttQuery): Promise<GanttView> {
    const { gantt, ids, floats, total, from, baseline, cardId: id } = await this.#build(ctx, cardId, query);
    const { rows } = gantt;
    let [least, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    await visitInSlices(rows, ({ start, finish }) => {
      least = Math.min(least, start);
      last = Math.max(last, finish);
    });
    return {
      card_id: id,
      title: gantt.title,
      start_date: rows.length === 0 ? null : dateOf(least),
      finish_date: rows.length === 0 ? null : dateOf(last),
      today: dateOf(gantt.today),
      from_row: from + 1,
      total_rows: total,
      rows: await mapInSlices(rows, ({ start, finish, isCritical, baseline: was, href: _href, ...row }, i) => ({
        id: ids[i]!,
        ...row,
        start_date: dateOf(start),
        finish_date: dateOf(finish),
        critical: isCritical,
        total_float: floats[i]!,
        baseline: was && { start_date: dateOf(was.start), finish_date: dateOf(was.finish) },
      })),
      dependencies: await mapInSlices(gantt.links, (link) => ({
        predecessor_id: ids[link.from]!,
        successor_id: ids[link.to]!,
        type: link.type,
        critical: link.isCritical,
      })),
      non_working: gantt.nonWorking.filter((day) => day >= least && day <= last).map(dateOf),
      baseline,
    };
  }

  /** The chart as SVG; drawn only if the client does not have it. @throws not_found, invalid_state; rate_limited, unavailable */
  async draw(ctx: RequestContext, cardId: string, query: GanttQuery): Promise<Omit<BytesResult, 'type'>> {
    const { gantt } = await this.#build(ctx, cardId, query);
    const { locales, publicUrl } = this.host.workspace();
    const { width = 1_200, theme = 'light', lang = locales[0] ?? 'en' } = query;
    const options = { width, theme, lang, publicUrl };
    return {
      version: 1,
      derived: [gantt, options],
      bytes: async () =>
        Buffer.from(
          gantt.rows.length <= SMALL ? drawGantt(gantt, options) : await this.#inProcess(ctx, { gantt, options }),
        ),
    };
  }

  async #build(ctx: RequestContext, cardId: string, query: GanttQuery): Promise<Built> {
    const card = await requireInitiative(this.host, ctx, cardId);
    const baseline = query.baseline_id === undefined ? null : await this.baselines.find(card.id, query.baseline_id);
    const plan = await this.plans.scheduled(ctx, await this.plans.load(card.id));
    const { items, times, days, dependencies, calendar } = plan;
    const done = await completions(items, times.items);
    const from = Math.min((query.from_row ?? 1) - 1, items.length);
    const count = Math.min(query.rows ?? items.length, items.length - from);
    const range = [from, from + count] as const;
    const shown = await mapInSlices(items.slice(...range), ({ row, outline, depth }, i) => ({
      id: row.id,
      outline,
      depth,
      title: row.title,
      is_milestone: row.is_milestone,
      completion: done[from + i]!,
      href: `/api/v1/ppm/initiatives/${card.id}/wbs/${row.id}`,
    }));
    const gantt = await ganttOf({
      title: card.name,
      items: shown,
      times,
      days,
      dependencies,
      calendar,
      today: today(),
      baseline: baseline && { name: baseline.name, days: baseline.days },
      from,
      total: items.length,
    });
    return {
      cardId: card.id,
      gantt,
      ids: shown.map(({ id }) => id),
      floats: times.items.slice(...range).map(({ totalFloat }) => totalFloat),
      total: items.length,
      from,
      baseline: baseline && { id: baseline.id, name: baseline.name },
    };
  }

  async #inProcess(ctx: RequestContext, order: Order): Promise<string> {
    const script = new URL('./worker.js', import.meta.url);
    this.queue ??= new WorkerQueue<Order, string>({ script, limitMs: LIMIT_MS });
    try {
      return await this.queue.run(order, ctx);
    } catch (error) {
      const later = laterProblem(this.host, error);
      if (later) throw later;
      if (!(error instanceof WorkerQueueError)) throw error;
      throw this.host.problem('unavailable', {
        detail: 'The chart could not be drawn now. Ask for fewer rows, or try again later.',
        headers: { 'retry-after': '5' },
      });
    }
  }
}
