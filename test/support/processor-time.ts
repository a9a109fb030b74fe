import { readFileSync } from 'node:fs';

/**
 * @returns the processor time of the calling thread in ms, which, unlike elapsed time, does not depend on other work of the
 *   machine; elsewhere than on Linux that of the process
 */
export function threadTime(): number {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e3;
  }
}

/** Clock ticks of `/proc` in a second; the same on all Linux systems. */
const TICKS = 100;

/** @returns the processor time of this process and its ended child processes in seconds; elsewhere than on Linux without the latter */
export function processorTime(): number {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    // The name of the program, in parentheses, may contain spaces; utime, stime, cutime and cstime are fields 14 to 17.
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 15);
    return fields.reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  }
}
