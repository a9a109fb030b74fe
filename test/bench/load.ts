import type pg from 'pg';
import type { DatabaseConnection } from '../../core/foundation/db/connection.js';
import { connect } from './connect.js';
import type { CpuMeter } from './cpu.js';
import type { RecordedStatement } from './record.js';
import { Wire } from './wire.js';
import { sumWritten, type WriteMeter, type Written } from './writes.js';

/** One of several concurrent workers, each of which repeats one step. */
export interface Lane {
  /** Runs the step once. @throws unless it succeeds */
  once(): Promise<void>;
  close(): void | Promise<void>;
}

/** The steps of several lanes during a measurement. */
export interface Sample {
  perSecond: number;
  /** Milliseconds per step. */
  p50: number;
  p99: number;
  /** CPU µs per step; undefined where the system does not report it. */
  node: number | undefined;
  postgres: number | undefined;
}

/** A sample of one side of a comparison. */
export interface Side extends Sample {
  /** The rate as a share of the last side's. */
  share: number;
  /** What all its rounds wrote, if that was measured, and their number of steps. */
  written: Written | undefined;
  steps: number;
}

/** @param share such as 0.99 */
export function percentile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);

/**
 * Repeats the step of all lanes for a time.
 * @returns latencies in ms
 */
async function busy(lanes: readonly Lane[], seconds: number): Promise<number[]> {
  const latencies: number[] = [];
  const end = performance.now() + seconds * 1_000;
  await Promise.all(
    lanes.map(async (lane) => {
      for (let began = performance.now(); began < end; ) {
        await lane.once();
        const now = performance.now();
        latencies.push(now - began);
        began = now;
      }
    }),
  );
  return latencies;
}

interface Round extends Sample {
  latencies: number[];
  written: Written | undefined;
}

async function round(lanes: readonly Lane[], seconds: number, cpu: CpuMeter, writes?: WriteMeter): Promise<Round> {
  const written = await writes?.start();
  const stop = cpu.start();
  const began = performance.now();
  const latencies = await busy(lanes, seconds);
  const elapsed = (performance.now() - began) / 1_000;
  const use = stop();
  const n = latencies.length;
  return {
    perSecond: n / elapsed,
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    node: use && use.node / n,
    postgres: use && use.postgres / n,
    latencies,
    written: await written?.(),
  };
}

const ROUNDS = 3;
const WARM_UP_SHARE = 0.25;

/**
 * Compares several sides: each is warmed up, then they are measured in turn, so that other load on the machine affects
 * all of them.
 * @param seconds of each side, all rounds together
 * @param writes measures what the sides write, if it is given
 * @returns the sides: medians of the rounds
 */
export async function compare(
  sides: readonly (readonly Lane[])[],
  seconds: number,
  cpu: CpuMeter,
  writes?: WriteMeter,
): Promise<Side[]> {
  try {
    for (const lanes of sides) await busy(lanes, seconds * WARM_UP_SHARE);
    const rounds: Round[][] = [];
    for (let i = 0; i < ROUNDS; i++) {
      const turn: Round[] = [];
      for (const lanes of sides) turn.push(await round(lanes, seconds / ROUNDS, cpu, writes));
      rounds.push(turn);
    }
    return sides.map((_, side) => {
      const of = rounds.map((turn) => turn[side]!);
      const micros = (key: 'node' | 'postgres') =>
        of.some((s) => s[key] === undefined) ? undefined : median(of.map((s) => s[key]!));
      const all = of.flatMap((s) => s.latencies);
      return {
        perSecond: median(of.map((s) => s.perSecond)),
        p50: percentile(all, 0.5),
        p99: percentile(all, 0.99),
        node: micros('node'),
        postgres: micros('postgres'),
        share: median(rounds.map((turn) => turn[side]!.perSecond / turn.at(-1)!.perSecond)),
        written: writes && sumWritten(of.map((s) => s.written!)),
        steps: all.length,
      };
    });
  } finally {
    await Promise.all(
      sides.flat().map(async (lane) => {
        await lane.close();
      }),
    );
  }
}

/** Runs the lanes until the service has compiled its frequent code, so that the first measured row is not the slowest. */
export async function warmUp(lanes: readonly Lane[], seconds: number): Promise<void> {
  try {
    await busy(lanes, Math.max(0.8, seconds));
  } finally {
    for (const lane of lanes) await lane.close();
  }
}

/**
 * Lanes that send requests.
 * @param next the next request of a lane
 * @param taken called with the head of each answer that has the expected status
 */
export async function httpLanes(
  port: number,
  count: number,
  status: number,
  next: (lane: number) => Buffer,
  taken?: (lane: number, head: string) => void,
): Promise<Lane[]> {
  return await Promise.all(
    Array.from({ length: count }, async (_, lane) => {
      const wire = await Wire.open(port);
      return {
        async once() {
          const request = next(lane);
          const reply = await wire.send(request);
          if (reply.status !== status)
            throw new Error(
              `${request.toString('latin1', 0, request.indexOf('\r\n'))} gave ${reply.status}, not ${status}`,
            );
          taken?.(lane, reply.head);
        },
        close: () => wire.close(),
      };
    }),
  );
}

const RAW_TEXT = { getTypeParser: () => (value: string) => value };

/** Lanes that send one statement each over a connection of their own; values of the answers are not parsed. */
export async function sqlLanes(
  connection: DatabaseConnection,
  count: number,
  next: (lane: number) => RecordedStatement,
): Promise<Lane[]> {
  return await Promise.all(
    Array.from({ length: count }, async (_, lane) => {
      const client = await connect(connection);
      return {
        async once() {
          const { name, text, values } = next(lane);
          await client.query({
            ...(name !== undefined && { name }),
            text,
            values: values as unknown[],
            rowMode: 'array',
            types: RAW_TEXT as unknown as pg.CustomTypesConfig,
          });
        },
        close: () => client.end(),
      };
    }),
  );
}
