import { asService } from '../request-use.js';
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

/** Milliseconds between two readings of the delay of the event loop; with the default, 10, an idle process wakes up a hundred times a second. */
const LAG_MS = 50;

/** Default metrics belong to the process, however many apps it contains, and are collected once. */
let processMetrics: Registry | undefined;

function ofProcess(): Registry {
  if (!processMetrics) {
    processMetrics = new Registry();
    collectDefaultMetrics({ register: processMetrics, eventLoopMonitoringPrecision: LAG_MS });
  }
  return processMetrics;
}

/** A gauge whose value is read at each scrape. */
interface Reading {
  name: string;
  help: string;
  read(): number;
}

/** Gauges of the same name with one label. */
interface Readings {
  name: string;
  help: string;
  label: string;
  read(): Iterable<readonly [label: string, value: number]>;
}

/** A value and its labels. */
type Labelled = { value: number } & Record<string, string | number>;

interface Measure {
  name: string;
  help: string;
  labels?: readonly string[] | undefined;
}

/** Owner of the metrics that no module registered. */
const CORE = 'the core';
/** Timeout in ms for figures that a scrape reads from the database. */
const TIMEOUT_MS = 1_000;
/** Upper bounds of the buckets of durations. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * Returns the result of `read`, or nothing where it fails or times out: metrics must remain available during an outage.
 */
async function inTime<T>(read: () => Promise<readonly T[]>): Promise<readonly T[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<readonly T[]>((resolve) => {
    timer = setTimeout(() => resolve([]), TIMEOUT_MS);
  });
  return await Promise.race([read().catch(() => []), late]).finally(() => clearTimeout(timer));
}

/** `read` as a function that several gauges call at each scrape, and that reads once for all of them. */
function readOnce<T>(read: () => Promise<readonly T[]>): () => Promise<readonly T[]> {
  let pending: Promise<readonly T[]> | undefined;
  return () =>
    (pending ??= asService(() => inTime(read)).finally(() => {
      pending = undefined;
    }));
}

/** The metrics of one service. They persist when the app is rebuilt because modules were added or changed. */
export class Metrics {
  readonly contentType = Registry.PROMETHEUS_CONTENT_TYPE;
  private readonly registry = new Registry();
  private readonly process = ofProcess();
  private readonly held = new Map<string, { owner: string; shape: string; metric: unknown }>();
  private readonly requests = this.counter({
    name: 'http_requests_total',
    help: 'Requests answered, by route template.',
    labels: ['method', 'route', 'status'],
  });
  private readonly durations = this.histogram(
    {
      name: 'http_request_duration_seconds',
      help: 'From the first header to the last byte of the answer.',
      labels: ['method', 'route'],
    },
    SECONDS,
  );
  private readonly moduleRequests = this.counter({
    name: 'lintel_module_requests_total',
    help: 'Requests answered by routes of a module.',
    labels: ['module', 'status'],
  });
  private readonly moduleDurations = this.histogram(
    {
      name: 'lintel_module_request_seconds',
      help: 'Duration of requests answered by routes of a module.',
      labels: ['module'],
    },
    SECONDS,
  );

  /**
   * Returns the counter of a name and owner, creating it at the first call.
   * @param owner owner of the name; another owner cannot use it
   * @throws when the name belongs to another owner, or Prometheus does not accept it
   */
  counter({ name, help, labels = [] }: Measure, owner = CORE): Counter {
    return this.own(
      name,
      owner,
      JSON.stringify(['counter', labels]),
      () => new Counter({ name, help, labelNames: [...labels], registers: [this.registry] }),
    );
  }

  /** As `counter`. @param buckets upper bounds, ascending */
  histogram({ name, help, labels = [] }: Measure, buckets: readonly number[], owner = CORE): Histogram {
    return this.own(
      name,
      owner,
      JSON.stringify(['histogram', labels, buckets]),
      () => new Histogram({ name, help, labelNames: [...labels], buckets: [...buckets], registers: [this.registry] }),
    );
  }

  /** Registers a gauge that is read at each scrape; replaces the gauge of the same name and owner. */
  gauge({ name, help, read }: Reading, owner = CORE): void {
    this.own(
      name,
      owner,
      undefined,
      () =>
        new Gauge({
          name,
          help,
          registers: [this.registry],
          collect() {
            this.set(read());
          },
        }),
    );
  }

  /** As `gauge`, with one value per label. */
  gauges({ name, help, label, read }: Readings): void {
    this.own(
      name,
      CORE,
      undefined,
      () =>
        new Gauge({
          name,
          help,
          labelNames: [label],
          registers: [this.registry],
          collect() {
            this.reset();
            for (const [of, value] of read()) this.set({ [label]: of }, value);
          },
        }),
    );
  }

  /**
   * As `gauge`, for several gauges with one common read; NaN where there is no answer in time.
   * @param read returns one value per gauge, in order
   */
  together(figures: readonly Measure[], read: () => Promise<readonly number[]>): void {
    const values = readOnce(read);
    figures.forEach(({ name, help }, i) => {
      this.own(
        name,
        CORE,
        undefined,
        () =>
          new Gauge({
            name,
            help,
            registers: [this.registry],
            async collect() {
              this.set((await values())[i] ?? Number.NaN);
            },
          }),
      );
    });
  }

  /**
   * As `together`, for gauges with labels; no values where there is no answer in time.
   * @param read returns for each gauge, in order, the values with their labels
   */
  tables(figures: readonly Measure[], read: () => Promise<readonly Labelled[][]>): void {
    const tables = readOnce(read);
    figures.forEach(({ name, help, labels = [] }, i) => {
      this.own(
        name,
        CORE,
        undefined,
        () =>
          new Gauge({
            name,
            help,
            labelNames: [...labels],
            registers: [this.registry],
            async collect() {
              const rows = (await tables())[i] ?? [];
              this.reset();
              for (const { value, ...of } of rows) this.set(of, value);
            },
          }),
      );
    });
  }

  /**
   * @param route the template, never the path: ids as labels would grow without bound
   * @param seconds duration of the request; undefined for long-lived responses such as a stream
   * @param module the module of the route
   */
  observe(method: string, route: string, status: number, seconds: number | undefined, module?: string): void {
    this.requests.inc({ method, route, status });
    if (seconds !== undefined) this.durations.observe({ method, route }, seconds);
    if (module === undefined) return;
    this.moduleRequests.inc({ module, status });
    if (seconds !== undefined) this.moduleDurations.observe({ module }, seconds);
  }

  /** The metrics in the Prometheus text format. */
  async text(): Promise<string> {
    return (await Promise.all([this.process.metrics(), this.registry.metrics()])).join('\n');
  }

  /** Removes the metrics of a module that is not installed any more, and those of its routes. */
  async drop(module: string): Promise<void> {
    for (const [name, { owner }] of [...this.held]) {
      if (owner !== module) continue;
      this.registry.removeSingleMetric(name);
      this.held.delete(name);
    }
    const { values } = await this.moduleRequests.get();
    for (const { labels } of values) if (labels['module'] === module) this.moduleRequests.remove(labels);
    this.moduleDurations.remove({ module });
  }

  /** @param shape must be equal for the existing metric to be reused; undefined always creates a new one */
  private own<M>(name: string, owner: string, shape: string | undefined, make: () => M): M {
    const before = this.held.get(name);
    if (before && before.owner !== owner) throw new Error(`the metric ${name} belongs to ${before.owner}`);
    if (before && before.shape === shape) return before.metric as M;
    this.registry.removeSingleMetric(name);
    this.held.delete(name);
    const metric = make();
    this.held.set(name, { owner, shape: shape ?? '', metric });
    return metric;
  }
}
