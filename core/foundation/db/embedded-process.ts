import { spawn } from 'node:child_process';
import path from 'node:path';
import { postgresEnvironment } from './embedded-cluster.js';
import { unusable, type Place } from './embedded-place.js';

/** Only part of the socket's file name: no TCP port is opened. */
export const PORT = 5432;

export type EmbeddedLogLevel = 'debug' | 'info' | 'warn' | 'error';
/** Receives the log messages of the embedded database, one line per call. */
export type EmbeddedLog = (text: string, level: EmbeddedLogLevel) => void;

/** How PostgreSQL ended. */
export interface Ended {
  /** The last lines PostgreSQL wrote. */
  text: string;
  /** The watchdog shell was killed: PostgreSQL may still be running without it. */
  unattended: boolean;
}

export interface Postmaster {
  /** Resolves when connections are accepted; rejects when PostgreSQL ends before that. */
  ready: Promise<void>;
  ended: Promise<Ended>;
  /** Requests a fast (INT) or immediate (QUIT) shutdown. */
  signal(name: 'INT' | 'QUIT'): void;
}

/**
 * A shell between this process and PostgreSQL stops PostgreSQL whenever this process ends, for any reason: the kernel
 * then closes the pipe the shell reads. As PostgreSQL's parent the shell prevents reuse of its process id, so a signal
 * cannot reach another process. The shell does not hold the log pipe open.
 */
const SHELL = `
"$@" </dev/null &
p=$!
exec 2>/dev/null
while read -r s; do kill -s "$s" "$p"; done
kill -s INT "$p"
wait "$p"
`;

const SETTINGS: Record<string, string> = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '60',
  shared_buffers: '256MB',
  // A container's /dev/shm is small: memory for parallel plans is reserved in the main shared memory.
  min_dynamic_shared_memory: '128MB',
  huge_pages: 'off',
  work_mem: '16MB',
  maintenance_work_mem: '128MB',
  effective_cache_size: '1GB',
  random_page_cost: '1.1',
  jit: 'off',
  // Imports write large amounts of data: fewer checkpoints, further apart.
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  // The first change of a page after a checkpoint writes the whole page to the WAL. Compressing that page took three
  // times as long as the change itself, for every page of every index that contains a card.
  wal_compression: 'off',
  wal_buffers: '32MB',
  // Cancels a statement whose client has disconnected.
  client_connection_check_interval: '5s',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  log_destination: 'stderr',
  logging_collector: 'off',
  log_line_prefix: '%b|',
  log_checkpoints: 'off',
  // Neither values nor statement texts are logged.
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
};

const READY = 'database system is ready to accept connections';
const LOG_LINE = /^(?:([a-z ]+)\|)?([A-Z0-9]+): +(.*)$/;
const KEPT_CHARACTERS = 4000;

/**
 * Starts PostgreSQL on a cluster.
 * @param flags further arguments of `postgres`, after the default ones, which they override
 */
export function startPostmaster(
  { cluster, socket, account }: Place,
  native: string,
  flags: string[],
  log: EmbeddedLog,
): Postmaster {
  const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const program = [
    path.join(native, 'bin/postgres'),
    '-D',
    cluster,
    '-p',
    String(PORT),
    '-k',
    socket,
    ...settings,
    ...flags,
  ];
  // Runs in its own session: Ctrl-C reaches only the service, which completes running requests before it stops the
  // database.
  const shell = spawn('/bin/sh', ['-c', SHELL, 'lintel-postgres', ...program], {
    ...account,
    cwd: '/',
    env: postgresEnvironment(),
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  // Writing to a shell that has ended is not an error: its end is reported separately.
  shell.stdin.on('error', () => undefined);
  let text = '';
  let silent = false;
  const ended = new Promise<Ended>((resolve) => {
    shell.once('error', (error) => resolve({ text: error.message, unattended: false }));
    shell.once('exit', (_code, signal) => resolve({ text: text.trim(), unattended: signal !== null && !silent }));
  });
  // The pipe closes with the last process of the cluster, so the end of PostgreSQL is noticed while the shell is still
  // reading.
  shell.stderr.once('end', () => {
    silent = true;
    shell.stdin.end();
  });
  let accepting = false;
  const ready = new Promise<void>((resolve, reject) => {
    eachLine(shell.stderr, (line) => {
      text = `${text}${line}\n`.slice(-KEPT_CHARACTERS);
      report(line, accepting, log);
      if (!line.includes(READY)) return;
      accepting = true;
      resolve();
    });
    void ended.then((end) => reject(unusable(`PostgreSQL did not start: ${readable(end.text)}`)));
  });
  return {
    ready,
    ended,
    signal: (name) => {
      shell.stdin.write(`${name}\n`);
    },
  };
}

function eachLine(stream: NodeJS.ReadableStream, take: (line: string) => void): void {
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(line);
  });
  stream.once('end', () => {
    if (rest !== '') take(rest);
  });
}

/**
 * Errors caused by a client are reported to that client, and the reason why PostgreSQL does not start is in the error
 * of `ready`; this function logs PostgreSQL's own errors after startup.
 */
function report(line: string, accepting: boolean, log: EmbeddedLog): void {
  const [, source, severity, message] = LOG_LINE.exec(line) ?? [];
  const own = accepting && source !== undefined && source !== 'client backend';
  if (own && ['ERROR', 'FATAL', 'PANIC'].includes(severity ?? '')) log(`postgres ${source}: ${message}`, 'error');
  else if (own && severity === 'WARNING') log(`postgres ${source}: ${message}`, 'warn');
  else log(`postgres: ${line}`, 'debug');
}

/** Only the error messages, without prefixes. */
function readable(text: string): string {
  const lines = text
    .split('\n')
    .map((line) => LOG_LINE.exec(line))
    .filter((match) => match?.[2] === 'FATAL' || match?.[2] === 'PANIC');
  return lines.length > 0 ? lines.map((match) => match?.[3]).join('; ') : text;
}
