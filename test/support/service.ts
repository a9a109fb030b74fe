import { spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, readFileSync, readdirSync, readlinkSync, realpathSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What `npm start` runs. */
export const SERVER = fileURLToPath(new URL('../../../service/core/server.js', import.meta.url));
const READY_MS = 60_000;

export interface UserIds {
  uid: number;
  gid: number;
}

export interface ServiceOptions {
  /** Its whole environment except PATH, HOST, PORT and DATA_DIR, which have defaults. */
  env?: NodeJS.ProcessEnv;
  /** Arguments of its command line. */
  args?: string[];
  /** Its data folder, for example from `dataFolder`. */
  dataDir?: string;
  /** The file that it runs, of another version; default: what `npm start` runs. */
  server?: string;
  /** The account that runs it; needs root. */
  asUser?: UserIds | undefined;
}

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** The service as a separate process, as users run it. */
export interface RunningService {
  pid: number;
  /** Its output so far. */
  output(): string;
  /** Its output, each line parsed. Throws if a line is not JSON. */
  log(): LogLine[];
  /** Resolves when its process has ended and all of its output is read. */
  exited: Promise<Exit>;
  /** Sends SIGTERM and waits for the end. May be called again. */
  stop(): Promise<Exit>;
  /** Sends SIGKILL and waits for the end. */
  kill9(): Promise<Exit>;
}

export interface LogLine {
  level: number;
  msg: string;
  url?: string;
  readyMs?: number;
}

/** Starts the service without waiting until it is ready. */
export function launchService({
  env = {},
  args = [],
  dataDir,
  server = SERVER,
  asUser,
}: ServiceOptions): RunningService {
  const child = spawn(process.execPath, [server, ...args], {
    ...asUser,
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      HOST: '127.0.0.1',
      PORT: '0',
      ...(dataDir !== undefined && { DATA_DIR: dataDir }),
      ...env,
    },
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  const exited = new Promise<Exit>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
  const end = (signal: NodeJS.Signals) => async (): Promise<Exit> => {
    child.kill(signal);
    return await exited;
  };
  return {
    pid: child.pid ?? 0,
    output: () => text,
    exited,
    stop: end('SIGTERM'),
    kill9: end('SIGKILL'),
    log: () =>
      text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as LogLine),
  };
}

/**
 * Starts the service and waits until it reports that it is ready.
 * @returns the service, its origin such as `http://127.0.0.1:40123`, and the ms until it was ready
 * @throws with its output if it ends or is not ready within 60 s
 */
export async function startService(
  options: ServiceOptions,
): Promise<RunningService & { origin: string; readyMs: number }> {
  const service = launchService(options);
  let over: Exit | undefined;
  void service.exited.then(
    (exit) => {
      over = exit;
    },
    () => {
      over = { code: null, signal: null };
    },
  );
  const deadline = performance.now() + READY_MS;
  while (!over && performance.now() < deadline) {
    const ready = /^\{.*"url":"([^"]+)","readyMs":(\d+).*\}$/m.exec(service.output());
    if (ready) return { ...service, origin: ready[1]!, readyMs: Number(ready[2]) };
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await service.kill9();
  throw new Error(
    `the service ${over ? `ended with ${over.code ?? over.signal}` : 'did not get ready'}; it printed:\n${service.output()}`,
  );
}

export interface DataFolder {
  path: string;
  remove(): Promise<void>;
}

/**
 * Creates an empty folder for the data of a service, below another one.
 * @param options.mode mode of the folder above, 0755 if absent
 * @param options.owner owner of the folder
 */
export async function dataFolder({
  mode = 0o755,
  owner,
}: {
  mode?: number;
  owner?: UserIds | undefined;
} = {}): Promise<DataFolder> {
  const above = realpathSync(await mkdtemp(join(tmpdir(), 'lintel-service-')));
  const path = await mkdtemp(join(above, 'data-'));
  chmodSync(above, mode);
  if (owner) chownSync(path, owner.uid, owner.gid);
  const remove = async (): Promise<void> => {
    const elsewhere = dirname(clusterOf(path));
    if (elsewhere !== path) await rm(elsewhere, { recursive: true, force: true });
    await rm(above, { recursive: true, force: true, maxRetries: 3 });
  };
  return { path, remove };
}

/** The folder of the embedded cluster: in the data folder, or at the path stored there. */
export function clusterOf(dataDir: string): string {
  const pointer = join(dataDir, 'pg-location');
  return join(existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : dataDir, 'pg');
}

/** Another account to run a service; undefined unless this process runs as root. */
export function otherUser(): UserIds | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const fields = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .find(([name]) => name === 'nobody');
  if (!fields) throw new Error('there is no account nobody');
  return { uid: Number(fields[2]), gid: Number(fields[3]) };
}

/** Ids of the processes whose working directory is the folder of the cluster: those of its PostgreSQL. Only on Linux. */
export function postgresProcesses(dataDir: string): number[] {
  const cluster = clusterOf(dataDir);
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`) === cluster;
      } catch {
        return false;
      }
    });
}

/** Sends a signal to the processes of `postgresProcesses`, some of which may have ended since they were listed. */
export function signalPostgres(dataDir: string, signal: NodeJS.Signals): void {
  for (const pid of postgresProcesses(dataDir)) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}
