import { writeSync } from 'node:fs';

let lines = '';

function flush(): void {
  const batch = lines;
  lines = '';
  if (batch !== '') process.stdout.write(batch);
}

// The reader of the log has disconnected; the service continues.
process.stdout.on('error', () => undefined);

/** Writes the remaining lines synchronously, because nothing asynchronous runs after `exit`. */
process.on('exit', () => {
  try {
    if (lines !== '') writeSync(1, lines);
  } catch {
    /* The reader has disconnected. */
  }
});

/**
 * Writes log lines to standard output, with one write per turn of the event loop instead of one per line: a write to a
 * pipe costs more than producing the line.
 */
export const LOG_OUTPUT = {
  write(line: string): void {
    if (lines === '') setImmediate(flush);
    lines += line;
  },
};
