import { spawn } from 'node:child_process';
import path from 'node:path';
import { postgresEnvironment } from './embedded-cluster.js';
import { unusable, type Place } from './embedded-place.js';

/** No TCP port is opened: it only names the socket file. */
export const PORT = 5432;

export type EmbeddedLogLevel = 'debug' | 'info' | 'warn' | 'error';
/** Receives what the embedded database has to say, one line a call. */
export type EmbeddedLog = (text: string, level: EmbeddedLogLevel) => void;

/** How PostgreSQL ended. */
export interface Ended {
  /** The last lines it wrote. */
  text: string;
  /** The shell was killed: PostgreSQL may live on without it. */
  unattended: boolean;
}

export interface Postmaster {
  /** Resolves when connections are accepted; rejects when PostgreSQL ends before. */
  ready: Promise<void>;
  ended: Promise<Ended>;
  /** Asks for a fast (INT) or immediate (QUIT) shutdown. */
  signal(name: 'INT' | 'QUIT'): void;
}

/**
 * A shell between us and PostgreSQL makes it end with us, however we end: the kernel closes the pipe it reads. Being
 * the parent it owns the process id, so that no signal can hit another process. It does not keep the log pipe open.
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
  // A container's /dev/shm is small: parallel plans get their memory here.
  min_dynamic_shared_memory: '128MB',
  huge_pages: 'off',
  work_mem: '16MB',
  maintenance_work_mem: '128MB',
  effective_cache_size: '1GB',
  random_page_cost: '1.1',
  jit: 'off',
  // Imports write much at once: fewer, longer checkpoints.
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  // The first change of a page after a checkpoint puts all of it into the log: compressing it took three times as long as
  // the change, at every page of every index that a card is in.
  wal_compression: 'off',
  wal_buffers: '32MB',
  // A statement whose client has gone does not run on.
  client_connection_check_interval: '5s',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  log_destination: 'stderr',
  logging_collector: 'off',
  log_line_prefix: '%b|',
  log_checkpoints: 'off',
  // Neither values nor statements reach the log.
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
};

const READY = 'database system is ready to accept connections';
const LOG_LINE = /^(?:([a-z ]+)\|)?([A-Z0-9]+): +(.*)$/;
const KEPT_CHARACTERS = 4000;

/**
 * Starts PostgreSQL on a cluster.
 * @param flags more arguments of `postgres`, after our own, which they override
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
  // In a session of its own: Ctrl-C reaches the service alone, which drains before it stops the database.
  const shell = spawn('/bin/sh', ['-c', SHELL, 'lintel-postgres', ...program], {
    ...account,
    cwd: '/',
    env: postgresEnvironment(),
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  // Writing to a shell that has gone is no error: its end is reported by itself.
  shell.stdin.on('error', () => undefined);
  let text = '';
  let silent = false;
  const ended = new Promise<Ended>((resolve) => {
    shell.once('error', (error) => resolve({ text: error.message, unattended: false }));
    shell.once('exit', (_code, signal) => resolve({ text: text.trim(), unattended: signal !== null && !silent }));
  });
  // Closed by the last process of the cluster, so that its end is noticed though the shell is still reading.
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
 * What a client did wrong is that client's to report, and why PostgreSQL does not start is in the error of `ready`;
 * what it suffers later is told here.
 */
function report(line: string, accepting: boolean, log: EmbeddedLog): void {
  const [, source, severity, message] = LOG_LINE.exec(line) ?? [];
  const own = accepting && source !== undefined && source !== 'client backend';
  if (own && ['ERROR', 'FATAL', 'PANIC'].includes(severity ?? '')) log(`postgres ${source}: ${message}`, 'error');
  else if (own && severity === 'WARNING') log(`postgres ${source}: ${message}`, 'warn');
  else log(`postgres: ${line}`, 'debug');
}

/** The reasons alone, without prefixes. */
function readable(text: string): string {
  const lines = text
    .split('\n')
    .map((line) => LOG_LINE.exec(line))
    .filter((match) => match?.[2] === 'FATAL' || match?.[2] === 'PANIC');
  return lines.length > 0 ? lines.map((match) => match?.[3]).join('; ') : text;
}
