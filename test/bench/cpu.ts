import { readFileSync, readdirSync, writeFileSync } from 'node:fs';

/** Reads a file of /proc; undefined where it does not exist: on other systems, or after the end of the process. */
function proc(path: string): string | undefined {
  try {
    return readFileSync(`/proc/${path}`, 'utf8');
  } catch {
    return undefined;
  }
}

/** CPU time of all threads of a process so far, in µs. https://docs.kernel.org/scheduler/sched-stats.html */
function cpuOf(pid: number): number | undefined {
  let tasks: string[];
  try {
    tasks = readdirSync(`/proc/${pid}/task`);
  } catch {
    return undefined;
  }
  let nanoseconds = 0;
  for (const task of tasks) nanoseconds += Number(proc(`${pid}/task/${task}/schedstat`)?.split(' ')[0] ?? 0);
  return nanoseconds / 1_000;
}

/** The process and its children: PostgreSQL has one for each connection. */
function withChildren(pid: number): number[] {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    // The name of the program, in parentheses, may contain blanks.
    .filter(
      (child) =>
        Number(
          proc(`${child}/stat`)
            ?.replace(/^.*\) /s, '')
            .split(' ')[1],
        ) === pid,
    );
  return [pid, ...children];
}

/** CPU time per process, in µs. */
type Reading = ReadonlyMap<number, number>;

const read = (pids: number[]): Reading => new Map(pids.map((pid) => [pid, cpuOf(pid) ?? 0]));

/** CPU µs used between two readings; a process that ended in between is omitted, one that began counts completely. */
function used(before: Reading, after: Reading): number {
  let sum = 0;
  for (const [pid, micros] of after) sum += Math.max(0, micros - (before.get(pid) ?? 0));
  return sum;
}

/** CPU µs of the service and of PostgreSQL while something ran. */
export interface CpuUse {
  node: number;
  postgres: number;
}

export class CpuMeter {
  private readonly isThere = proc('self/schedstat') !== undefined;

  /**
   * @param service process id of the service
   * @param postmaster process id of the PostgreSQL server
   */
  constructor(
    private readonly service: () => number,
    private readonly postmaster: number,
  ) {}

  /** Starts to measure. @returns a function that ends it; its result is undefined where the system has no such figures */
  start(): () => CpuUse | undefined {
    if (!this.isThere) return () => undefined;
    const service = this.service();
    const before = { node: read([service]), postgres: read(withChildren(this.postmaster)) };
    return () => ({
      node: used(before.node, read([service])),
      postgres: used(before.postgres, read(withChildren(this.postmaster))),
    });
  }
}

const megabytes = (status: string | undefined, name: string): number | undefined => {
  const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status ?? '')?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
};

/** Resident memory of a process in MB; undefined where the system does not report it. */
export const memoryOf = (pid: number): number | undefined => megabytes(proc(`${pid}/status`), 'VmRSS');

/**
 * Starts to measure the memory of a process.
 * @returns a function that returns the peak above the memory at the start, in MB; undefined where unknown
 */
export function watchMemory(pid: number): () => number | undefined {
  const before = megabytes(proc(`${pid}/status`), 'VmRSS');
  try {
    // Resets the peak: https://docs.kernel.org/filesystems/proc.html
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
  } catch {
    return () => undefined;
  }
  return () => {
    const peak = megabytes(proc(`${pid}/status`), 'VmHWM');
    return before === undefined || peak === undefined ? undefined : Math.max(0, peak - before);
  };
}
