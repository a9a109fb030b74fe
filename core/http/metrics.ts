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

/** The figures of one app, in a registry of its own. */
export class Metrics {
  readonly contentType = Registry.PROMETHEUS_CONTENT_TYPE;
  private readonly registry = new Registry();
  private readonly process = ofProcess();
  private readonly requests = new Counter({
    name: 'http_requests_total', help: 'Requests answered, by route template.', labelNames: ['method', 'route', 'status'] as const, registers: [this.registry],
  });
  private readonly durations = new Histogram({
    name: 'http_request_duration_seconds', help: 'From the first header to the last byte of the answer.', labelNames: ['method', 'route'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10], registers: [this.registry],
  });

  /** Adds a gauge; nothing is called until somebody scrapes. */
  gauge({ name, help, read }: Reading): void {
    new Gauge({ name, help, registers: [this.registry], collect() { this.set(read()); } });
  }

  /**
   * @param route the template, never the path: ids as labels would grow without end
   * @param seconds whole time of the request; undefined for what is open by nature, such as a stream
   */
  observe(method: string, route: string, status: number, seconds: number | undefined): void {
    this.requests.inc({ method, route, status });
    if (seconds !== undefined) this.durations.observe({ method, route }, seconds);
  }

  /** The text of the Prometheus exposition format. */
  async text(): Promise<string> {
    return (await Promise.all([this.process.metrics(), this.registry.metrics()])).join('\n');
  }
}
