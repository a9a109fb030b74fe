import { writeSync } from 'node:fs';

let lines = '';

function flush(): void {
  const batch = lines;
  lines = '';
  if (batch !== '') process.stdout.write(batch);
}

// Whoever read the log is gone; the service is not.
process.stdout.on('error', () => undefined);

/** What is left when the process ends goes out at once: nothing asynchronous happens any more. */
process.on('exit', () => {
  try {
    if (lines !== '') writeSync(1, lines);
  } catch {
    /* nobody reads any more */
  }
});

/**
 * Where log lines go: standard output, in one write a turn of the event loop rather than one a line. A write to a
 * pipe costs more than all the rest of a line.
 */
export const LOG_OUTPUT = {
  write(line: string): void {
    if (lines === '') setImmediate(flush);
    lines += line;
  },
};
