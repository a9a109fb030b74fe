import { readFileSync, readdirSync, writeFileSync } from 'node:fs';

/** Reads a file of /proc; undefined where there is none, as on other systems or once the process has ended. */
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
function family(pid: number): number[] {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    // The name of the program, in parentheses, may itself have blanks.
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

/** What was used between two readings; a process that ended in between is left out, one that began counts whole. */
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

  /** Starts to measure. @returns a function that ends it; undefined figures where the system does not tell */
  start(): () => CpuUse | undefined {
    if (!this.isThere) return () => undefined;
    const service = this.service();
    const before = { node: read([service]), postgres: read(family(this.postmaster)) };
    return () => ({
      node: used(before.node, read([service])),
      postgres: used(before.postgres, read(family(this.postmaster))),
    });
  }
}

const megabytes = (status: string | undefined, name: string): number | undefined => {
  const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status ?? '')?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
};

/** Memory a process has of the machine now, in MB; undefined where the system does not tell. */
export const memoryOf = (pid: number): number | undefined => megabytes(proc(`${pid}/status`), 'VmRSS');

/**
 * Starts to watch the memory of a process.
 * @returns a function that tells by how many MB it grew at its highest above the start; undefined where unknown
 */
export function watchMemory(pid: number): () => number | undefined {
  const before = megabytes(proc(`${pid}/status`), 'VmRSS');
  try {
    // Forgets the highest mark so far: https://docs.kernel.org/filesystems/proc.html
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
  } catch {
    return () => undefined;
  }
  return () => {
    const peak = megabytes(proc(`${pid}/status`), 'VmHWM');
    return before === undefined || peak === undefined ? undefined : Math.max(0, peak - before);
  };
}
