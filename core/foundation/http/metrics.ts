import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

/** What is measured belongs to the process, however many apps it holds: collected once. */
let processMetrics: Registry | undefined;

function ofProcess(): Registry {
  if (!processMetrics) {
    processMetrics = new Registry();
    collectDefaultMetrics({ register: processMetrics });
  }
  return processMetrics;
}

/** A figure that is read when it is asked for. */
export interface Reading {
  name: string;
  help: string;
  read(): number;
}

/** Such figures of one name, told apart by one label. */
export interface Readings {
  name: string;
  help: string;
  label: string;
  read(): Iterable<readonly [label: string, value: number]>;
}

/** A value beside its labels. */
export type Labelled = { value: number } & Record<string, string | number>;

export interface Measure {
  name: string;
  help: string;
  labels?: readonly string[] | undefined;
}

const CORE = 'the core';
/** How long a scrape waits for figures of the database. */
const PATIENCE_MS = 1_000;
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** What `read` gives, or nothing where it fails or takes too long: figures are wanted most while something is wrong. */
async function inTime<T>(read: () => Promise<readonly T[]>): Promise<readonly T[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<readonly T[]>((resolve) => {
    timer = setTimeout(() => resolve([]), PATIENCE_MS);
  });
  return await Promise.race([read().catch(() => []), late]).finally(() => clearTimeout(timer));
}

/** The figures of one service. They outlive its app, which is built anew when modules come or change. */
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
   * A counter; of the same name and owner always the same one.
   * @param owner whose it is; nobody else gets one of the name
   * @throws when the name is somebody else's, or none that Prometheus takes
   */
  counter({ name, help, labels = [] }: Measure, owner = CORE): Counter {
    return this.own(
      name,
      owner,
      JSON.stringify(['counter', labels]),
      () => new Counter({ name, help, labelNames: [...labels], registers: [this.registry] }),
    );
  }

  /** As `counter`. @param buckets upper bounds, growing */
  histogram({ name, help, labels = [] }: Measure, buckets: readonly number[], owner = CORE): Histogram {
    return this.own(
      name,
      owner,
      JSON.stringify(['histogram', labels, buckets]),
      () => new Histogram({ name, help, labelNames: [...labels], buckets: [...buckets], registers: [this.registry] }),
    );
  }

  /** Has a figure read whenever somebody scrapes; takes the place of the one of the same name and owner. */
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

  /** As `gauge`, of many. */
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
   * As `gauge`, of several that are read at once; NaN where there is no answer in time.
   * @param read gives a value for each, in order
   */
  together(figures: readonly Measure[], read: () => Promise<readonly number[]>): void {
    let asked: Promise<readonly number[]> | undefined;
    const ask = () =>
      (asked ??= inTime(read).finally(() => {
        asked = undefined;
      }));
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
              this.set((await ask())[i] ?? Number.NaN);
            },
          }),
      );
    });
  }

  /**
   * As `together`, of figures that are told apart by labels; none is left where there is no answer in time.
   * @param read gives for each figure, in order, the values by the labels of the figure
   */
  tables(figures: readonly Measure[], read: () => Promise<readonly Labelled[][]>): void {
    let asked: Promise<readonly Labelled[][]> | undefined;
    const ask = () =>
      (asked ??= inTime(read).finally(() => {
        asked = undefined;
      }));
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
              const rows = (await ask())[i] ?? [];
              this.reset();
              for (const { value, ...of } of rows) this.set(of, value);
            },
          }),
      );
    });
  }

  /**
   * @param route the template, never the path: ids as labels would grow without end
   * @param seconds whole time of the request; undefined for what is open by nature, such as a stream
   * @param module whose route it is
   */
  observe(method: string, route: string, status: number, seconds: number | undefined, module?: string): void {
    this.requests.inc({ method, route, status });
    if (seconds !== undefined) this.durations.observe({ method, route }, seconds);
    if (module === undefined) return;
    this.moduleRequests.inc({ module, status });
    if (seconds !== undefined) this.moduleDurations.observe({ module }, seconds);
  }

  /** The text of the Prometheus exposition format. */
  async text(): Promise<string> {
    return (await Promise.all([this.process.metrics(), this.registry.metrics()])).join('\n');
  }

  /** @param shape what must be the same for the figure to go on; undefined makes a new one each time */
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
