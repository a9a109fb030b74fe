/** The processes of a node, which all queues share, and the turns of users. */
import { availableParallelism } from 'node:os';
import { Child } from './child.js';
import { Turns } from './turns.js';

/** Two at least: an order of one user then never waits for that of a single other one. */
const MOST_PROCESSES = Math.min(Math.max(availableParallelism(), 2), 4);

/** The turns of all queues. */
export const turns = new Turns(MOST_PROCESSES);

interface Idle {
  child: Child;
  /** Ends it after a time without an order. */
  timer: NodeJS.Timeout;
}

/** Processes without an order; the one that had the last order is the last. */
const idle: Idle[] = [];
/** Processes with an order. */
const busy = new Set<Child>();

function take(found: Idle): Child {
  clearTimeout(found.timer);
  idle.splice(idle.indexOf(found), 1);
  return found.child;
}

/** A process for an order: one that has its script, any other one, or a new one. */
export function takeChild(script: string, memoryMb: number): Child {
  for (const one of idle.filter(({ child }) => child.isSpent)) void take(one).kill();
  const usable = idle.filter(({ child }) => child.memoryMb === memoryMb);
  const found = usable.findLast(({ child }) => child.scripts.has(script)) ?? usable.at(-1);
  if (!found && idle.length + busy.size >= MOST_PROCESSES && idle[0]) void take(idle[0]).kill();
  const child = found ? take(found) : new Child(memoryMb);
  child.hold(true);
  busy.add(child);
  return child;
}

/** Gives a process back after its order, to be used again. @param idleMs ends it after this time without an order */
export function giveChild(child: Child, idleMs: number): void {
  busy.delete(child);
  if (child.isSpent) {
    void child.kill();
    return;
  }
  // An idle process must not keep the service running.
  child.hold(false);
  const one: Idle = {
    child,
    timer: setTimeout(() => void take(one).kill(), idleMs).unref(),
  };
  idle.push(one);
}

/** Ends the processes that have loaded a script, at once or after the order of another queue: its next version is loaded anew. */
export async function endScript(script: string): Promise<void> {
  for (const child of busy) if (child.scripts.has(script)) child.retire();
  await Promise.all(idle.filter(({ child }) => child.scripts.has(script)).map((one) => take(one).kill()));
}

/** Kills a process with an order. */
export async function killChild(child: Child): Promise<void> {
  await child.kill();
  busy.delete(child);
}

/** Starts a process instead of one that was killed, which loads its scripts: the next order may be that of another user. */
export function replaceChild(child: Child, idleMs: number): void {
  if (idle.length + busy.size >= MOST_PROCESSES) return;
  const next = new Child(child.memoryMb);
  for (const script of child.scripts) next.load(script);
  giveChild(next, idleMs);
}
