import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { DatabaseConnection } from '../../core/foundation/db/connection.js';
import { urlOf } from '../support/database.js';
import { SERVER } from '../support/service.js';
import { requestBytes, Wire } from './wire.js';

const READY_MS = 60_000;
const STOP_MS = 15_000;
const PROBE_MS = 5;

/** Killed when this process exits; an embedded database ends with its service. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** The service as users run it: a separate process that writes its log. */
export interface Service {
  pid: number;
  port: number;
  origin: string;
  /** Milliseconds from the start of the process to the first answer that it is ready. */
  readyMs: number;
  /** Sends SIGTERM, and SIGKILL after 15 s. May be called twice. */
  stop(): Promise<void>;
}

/** Key of access tokens: sections that need thousands of sessions create them without logging in. */
export const TOKEN_KEY = 'bench-key-of-access-tokens-0123456789';

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return port;
}

/**
 * Environment of a service.
 * @param dataDir its data folder
 * @param database its database; an embedded one if absent
 */
export function serviceEnvironment(dataDir: string, port: number, database?: DatabaseConnection): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    HOST: '127.0.0.1',
    PORT: String(port),
    DATA_DIR: dataDir,
    JWT_SECRET: TOKEN_KEY,
    OUTBOUND_ALLOW: '127.0.0.1',
    ...(database && { DATABASE_URL: urlOf(database), LINTEL_SECRET_KEY: Buffer.alloc(32, 'bench').toString('base64') }),
  };
}

/**
 * Starts the service.
 * @param log file for its output
 * @param profile folder for a CPU profile, which is written when it ends
 * @throws with the end of its log if it ends or is not ready within 60 s
 */
export async function startService(env: NodeJS.ProcessEnv, log: string, profile?: string): Promise<Service> {
  const port = Number(env['PORT']);
  const output = openSync(log, 'a');
  const began = performance.now();
  const child = spawn(
    process.execPath,
    [...(profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`]), SERVER],
    { env, stdio: ['ignore', output, output] },
  );
  closeSync(output);
  running.add(child);
  let isOver = false;
  const ended = new Promise<void>((resolve) => {
    const over = (): void => {
      isOver = true;
      running.delete(child);
      resolve();
    };
    child.once('error', over).once('exit', over);
  });
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> =>
    (stopping ??= (async () => {
      child.kill('SIGTERM');
      const force = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      await ended;
      clearTimeout(force);
    })());
  const deadline = began + READY_MS;
  while (!isOver && performance.now() < deadline) {
    if (await isReady(port))
      return { pid: child.pid!, port, origin: `http://127.0.0.1:${port}`, readyMs: performance.now() - began, stop };
    await delay(PROBE_MS);
  }
  await stop();
  throw new Error(`the service did not get ready; its log ends with:\n${readFileSync(log, 'utf8').slice(-2_000)}`);
}

async function isReady(port: number): Promise<boolean> {
  let wire: Wire | undefined;
  try {
    wire = await Wire.open(port);
    return (await wire.send(requestBytes('GET', '/api/ready'))).status === 200;
  } catch {
    return false;
  } finally {
    wire?.close();
  }
}
