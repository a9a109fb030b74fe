import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const RUN = fileURLToPath(new URL('../run.js', import.meta.url));

export interface SuiteRun {
  code: number | null;
  output: string;
  /** The lines of its output; the last one has the totals. */
  lines: string[];
}

/**
 * Runs the tests by the command that `npm test` uses.
 * @param args its arguments
 * @param node the binary of Node.js
 * @param env differences from the environment of this process
 */
export async function runSuite(
  args: readonly string[],
  { node = process.execPath, env = {} }: { node?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<SuiteRun> {
  const child = spawn(node, [RUN, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output, lines: output.trimEnd().split('\n') };
}
