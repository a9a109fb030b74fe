import type { MetricsPort } from '@lintel/sdk';
import type { FastifyBaseLogger } from 'fastify';
import type { HostServices } from '../services.js';

const NAME = /^[a-z][a-z0-9_]{0,60}$/;

/** Metrics of one module, which persist while it is disabled and when it is updated. */
export function metricsPort(module: string, { metrics }: HostServices, log: FastifyBaseLogger): MetricsPort {
  const named = (name: string): string => {
    if (!NAME.test(name))
      throw new Error(`the metric ${name} of ${module} must be lower case letters, digits and underscores`);
    return `lintel_${module}_${name}`;
  };
  return {
    counter(name, help, labels) {
      const counter = metrics.counter({ name: named(name), help, labels }, module);
      return { inc: (values = {}, by = 1) => counter.inc(values, by) };
    },

    gauge(name, help, read) {
      metrics.gauge(
        {
          name: named(name),
          help,
          read() {
            try {
              return Number(read());
            } catch (err) {
              // An error in one module's metric must not fail the scrape of all others.
              log.error({ err, metric: named(name) }, 'a figure of the module could not be read');
              return Number.NaN;
            }
          },
        },
        module,
      );
    },

    histogram(name, help, buckets, labels) {
      const histogram = metrics.histogram({ name: named(name), help, labels }, buckets, module);
      return { observe: (value, values = {}) => histogram.observe(values, value) };
    },
  };
}
