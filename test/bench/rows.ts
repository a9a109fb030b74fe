import type { Sample, Side } from './load.js';
import { short, type Row } from './report.js';

/** A row that compares the rates of two sides. @param target least share of the limit */
export function rateRow(work: string, side: Side, limitName: string, limit: Sample, target?: number): Row {
  return {
    work,
    figure: side.perSecond,
    unit: '/s',
    limit: { name: limitName, value: limit.perSecond, unit: '/s' },
    ratio: side.share,
    ...(target !== undefined && { target: { text: `≥ ${target * 100} %`, holds: side.share >= target } }),
    p50: side.p50,
    p99: side.p99,
    node: side.node,
    postgres: side.postgres,
  };
}

/** A row of the CPU time of one request, service and PostgreSQL together. @param most the target in µs */
export function cpuRow(work: string, side: Sample, bare: Sample, most: number): Row[] {
  if (side.node === undefined || side.postgres === undefined || bare.postgres === undefined) return [];
  const sum = side.node + side.postgres;
  return [
    {
      work,
      figure: sum,
      unit: 'µs',
      limit: { name: 'bare SQL', value: bare.postgres, unit: 'µs' },
      ratio: sum / bare.postgres,
      target: { text: `≤ ${short(most)} µs`, holds: sum <= most },
    },
  ];
}

/** A row of latency, one request at a time. */
export function latencyRow(
  work: string,
  side: Sample,
  by: 'p50' | 'p99',
  limitName: string,
  limit: Sample,
  target: { text: string; holds: (ms: number, ratio: number) => boolean },
): Row {
  const ratio = side[by] / limit.p50;
  return {
    work,
    figure: side[by],
    unit: `ms ${by}`,
    limit: { name: limitName, value: limit.p50, unit: 'ms p50' },
    ratio,
    target: { text: target.text, holds: target.holds(side[by], ratio) },
    p50: side.p50,
    p99: side.p99,
    node: side.node,
    postgres: side.postgres,
  };
}
