import module from 'node:module';
import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { ConfigError, loadConfig } from '../config/load.js';
import type { Config } from '../config/schema.js';
import { startAgain } from './again.js';
import type { DatabaseConnection } from './foundation/db/connection.js';
import type { ModuleHost } from './modules/index.js';
import { EmbeddedError, startEmbedded, type EmbeddedDatabase } from './foundation/db/embedded.js';

const LEVELS = { debug: 20, info: 30, warn: 40, error: 50, fatal: 60 } as const;
type Level = keyof typeof LEVELS;

/** Time in ms for pending operations to end after the grace period, when the sockets have been destroyed. */
const ABORT_GRACE_MS = 500;
const DATABASE_STOP_MS = 1_000;
/** After this time the process exits; the database's watchdog then stops the database. */
const EXIT_MS = 300;
/**
 * npm forwards a signal that the terminal has also sent: a repetition within this time is not a second request to stop.
 */
const SAME_SIGNAL_MS = 1_000;
/** Connections of the embedded database in addition to the pool: listeners, locks, migrations, superuser reserve. */
const SPARE_CONNECTIONS = 30;
const EMBEDDED_CONNECTIONS = 60;

/** A log line in the format of the app's logger, for messages before the app exists. */
function line(level: Level, message: string, fields: object = {}): string {
  return `${JSON.stringify({ level: LEVELS[level], time: Date.now(), pid: process.pid, hostname: os.hostname(), ...fields, msg: message })}\n`;
}

function described(error: unknown): { err: { type: string; message: string; stack?: string } } {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  return { err: { type: name, message, ...(stack !== undefined && { stack }) } };
}

/** One process: its database, its app and the order of their shutdown. */
class Service {
  private app: FastifyInstance | undefined;
  /** There before the app: modules may fail while it is built. */
  private modules: ModuleHost | undefined;
  private database: EmbeddedDatabase | undefined;
  private starting: Promise<void> | undefined;
  private stopping: Promise<void> | undefined;
  private stoppingSince = 0;
  private isReady = false;
  private isToStartAgain = false;
  private readonly stopped = new AbortController();
  private readonly secondSignal = new AbortController();

  constructor(private readonly config: Config) {}

  /** Starts the service; any error is logged and ends the process with code 1. */
  start(): void {
    this.starting = this.run();
    this.starting.catch((error: unknown) => {
      if (error === this.stopped.signal.reason) return;
      if (error instanceof EmbeddedError) this.log('fatal', error.message);
      else this.log('fatal', `the service could not start: ${described(error).err.message}`, error);
      this.stop(1);
    });
  }

  /** Drains requests and ends the process; the first call determines the exit code. */
  stop(code: number): void {
    if (this.stopping) return;
    this.stoppingSince = performance.now();
    this.stopped.abort();
    this.stopping = this.drain(code);
  }

  onSignal(name: NodeJS.Signals): void {
    if (this.stopping && performance.now() - this.stoppingSince > SAME_SIGNAL_MS) this.secondSignal.abort();
    if (this.stopping) return;
    this.log('info', `stopping on ${name}`);
    this.stop(0);
  }

  /**
   * An error of a module fails what it occurred in. After any other, the state of the process is unknown: it completes its
   * requests, and the service starts again in a new process.
   */
  onUncaught(event: string, error: unknown): void {
    if (this.modules?.uncaught(error)) return;
    this.log('fatal', `${event}: the service is stopping`, error);
    // An error before it was ready would occur again.
    this.isToStartAgain ||= this.isReady && !this.stopping;
    this.stop(1);
  }

  log(level: Level, message: string, error?: unknown): void {
    if (this.app) this.app.log[level](error === undefined ? {} : { err: error }, message);
    else if (this.logs(level)) process.stdout.write(line(level, message, error === undefined ? {} : described(error)));
  }

  /** Whether code of a module is running. */
  get isInModule(): boolean {
    return this.modules?.running !== undefined;
  }

  private logs(level: Level): boolean {
    const least = this.config.logLevel;
    if (least === 'silent') return false;
    return LEVELS[level] >= (least === 'trace' ? 0 : LEVELS[least]);
  }

  private async run(): Promise<void> {
    const { config } = this;
    // The database starts in a separate process while this one loads the app.
    const [database, { buildApp }] = await Promise.all([this.openDatabase(), import('./app.js')]);
    if (this.stopping) return;
    const app = await buildApp({ config, database, signal: this.stopped.signal }, (modules) => {
      this.modules = modules;
    });
    this.app = app;
    if (this.stopping) return;
    const url = await app.listen({ port: config.port, host: config.host });
    this.isReady = true;
    // performance.now() counts from the start of the process.
    app.log.info({ url, readyMs: Math.round(performance.now()) }, `Lintel is ready at ${url}`);
  }

  private async openDatabase(): Promise<DatabaseConnection> {
    const { databaseUrl, databasePoolMax, dataDir } = this.config;
    if (databaseUrl !== undefined) return { connectionString: databaseUrl };
    this.log('info', `using the embedded database in ${dataDir}: it is for one node; set DATABASE_URL to run several`);
    const connections = Math.max(EMBEDDED_CONNECTIONS, databasePoolMax + SPARE_CONNECTIONS);
    const database = await startEmbedded({
      dataDir,
      log: (text, level) => this.log(level, text),
      flags: ['-c', `max_connections=${connections}`],
    });
    this.database = database;
    void database.lost.then((reason) => {
      this.log('fatal', reason.message);
      this.stop(1);
    });
    return database.connection;
  }

  /** Stops in order, each step with a timeout: requests, the app's resources, the database. */
  private async drain(code: number): Promise<void> {
    const graceMs = this.config.shutdownGraceSeconds * 1_000;
    if (this.app && code === 0) await this.serveOn(this.app);
    const last = setTimeout(() => process.exit(1), graceMs + ABORT_GRACE_MS + DATABASE_STOP_MS + EXIT_MS);
    const end = performance.now() + graceMs;
    try {
      if (this.starting) await this.within(this.starting, graceMs);
      if (this.app) await this.closeApp(this.app, end - performance.now());
      await this.database?.stop(DATABASE_STOP_MS);
    } catch (error) {
      this.log('error', 'the service did not stop cleanly', error);
    }
    clearTimeout(last);
    this.log('info', 'stopped');
    if (!this.isToStartAgain) process.exit(code);
    await startAgain({
      starting: (delayMs) => this.log('info', `starting again in ${delayMs / 1_000} s`),
      exit: (status) => process.exit(status),
    });
  }

  /** Continues to serve while load balancers and clients switch to other nodes. */
  private async serveOn({ services }: FastifyInstance): Promise<void> {
    const seconds = this.config.shutdownDelaySeconds;
    services.draining.begin();
    if (seconds === 0) return;
    this.log('info', `not ready any more; continuing to serve for ${seconds} s`);
    await this.within(new Promise<void>(() => undefined), seconds * 1_000);
  }

  private async closeApp(app: FastifyInstance, graceMs: number): Promise<void> {
    const closed = Promise.resolve(app.close()).catch((error: unknown) =>
      this.log('error', 'the app did not close cleanly', error),
    );
    if (await this.within(closed, graceMs)) return;
    this.log('warn', 'requests that did not complete in time are aborted');
    app.server.closeAllConnections();
    await Promise.race([closed, sleep(ABORT_GRACE_MS)]);
  }

  /** @returns whether it settled before the timeout, or before a second signal */
  private async within(promise: Promise<void>, ms: number): Promise<boolean> {
    const settled = promise.then(
      () => true,
      () => true,
    );
    const expired = sleep(Math.max(0, ms), false, { signal: this.secondSignal.signal }).catch(() => false);
    return await Promise.race([settled, expired]);
  }
}

function readConfig(): Config {
  try {
    const config = loadConfig(process.env);
    if (!process.argv.includes('--safe-mode')) return config;
    const { pluginsDir: _folder, ...own } = config;
    return { ...own, modules: [], safeMode: true };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(
      line('fatal', `the configuration cannot be used:\n${error.message}`, { problems: error.problems }),
    );
    process.exit(1);
  }
}

// Node.js 22.8 and later keep compiled code there, beside the code that it was compiled from; where that cannot be written, it is not kept.
(module as { enableCompileCache?: (directory: string) => unknown }).enableCompileCache?.(
  fileURLToPath(new URL('.compile-cache', import.meta.url)),
);
// The reader of the output may have disconnected; the service continues.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
const service = new Service(readConfig());
if (process.argv.includes('--safe-mode'))
  service.log('warn', 'safe mode: only the modules of Lintel itself are loaded');
// A module must not end the process for all users.
const exit = process.exit.bind(process);
process.exit = (code) => {
  if (service.isInModule) throw new Error('a module may not end the process');
  return exit(code);
};
process.on('SIGTERM', (name) => service.onSignal(name));
process.on('SIGINT', (name) => service.onSignal(name));
for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(event, (error: unknown) => service.onUncaught(event, error));
}
// Node.js prints warnings as text, but the log is JSON.
process.removeAllListeners('warning');
process.on('warning', (warning) => service.log('warn', warning.message, warning));
service.start();
