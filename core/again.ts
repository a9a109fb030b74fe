import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

/** Argument of a process that was started in place of one that stopped after an error. */
const STARTED_AGAIN = '--started-again';
/** Exit code by which such a process requests another one: EX_TEMPFAIL of sysexits.h. */
const AGAIN = 75;
const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 60_000;
/** After this time without an error the delay begins anew. */
const STABLE_MS = 600_000;

/** What happens to the processes that were started again. */
interface Watch {
  /** Called before each start. @param delayMs time until then */
  starting(delayMs: number): void;
  exit(code: number): never;
}

/**
 * Ends a process that has stopped after an error, and starts the service again in a new one: this process, whose state is
 * unknown, only passes signals on and returns its exit code. It remains so that its process id stays the one that a supervisor
 * knows. A process that was itself started in this way ends, and the first one starts the next.
 */
export async function startAgain({ starting, exit }: Watch): Promise<never> {
  if (process.argv.includes(STARTED_AGAIN)) return exit(AGAIN);
  let signal: NodeJS.Signals | undefined;
  const waiting = new AbortController();
  let child: ReturnType<typeof spawn> | undefined;
  for (const name of ['SIGTERM', 'SIGINT'] as const) {
    process.removeAllListeners(name);
    process.on(name, () => {
      signal ??= name;
      waiting.abort();
      child?.kill(name);
    });
  }
  for (let delay = FIRST_DELAY_MS; ; delay = Math.min(delay * 2, MAX_DELAY_MS)) {
    starting(delay);
    await sleep(delay, undefined, { signal: waiting.signal }).catch(() => undefined);
    if (signal !== undefined) return exit(0);
    const since = performance.now();
    const [script, ...args] = process.argv.slice(1);
    child = spawn(process.execPath, [...process.execArgv, script!, ...args, STARTED_AGAIN], { stdio: 'inherit' });
    const ended = await new Promise<{ code: number | null }>((resolve) => {
      child!.once('exit', (code) => resolve({ code }));
      child!.once('error', () => resolve({ code: 1 }));
    });
    child = undefined;
    if (ended.code !== AGAIN) return exit(ended.code ?? 1);
    if (performance.now() - since > STABLE_MS) delay = FIRST_DELAY_MS / 2;
  }
}
