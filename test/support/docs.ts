import { execFile } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export type Language = 'ts' | 'js' | 'sh' | 'json';

/** A block of code of a page. */
export interface Block {
  /** Its position, for messages. */
  place: string;
  language: Language;
  text: string;
  /** The file named in its first line. */
  file: string | undefined;
  /** JSON after a shell block, with only text between, is the expected output of that block. */
  after: Block | undefined;
}

const LANGUAGES = new Set(['ts', 'js', 'sh', 'json']);
const FENCE = /^```(\S*)$/;

/**
 * Reads every block of code of a page.
 * @throws for a block that cannot be run: of another language, or code without its file name
 */
export function blocksOf(name: string, text: string): Block[] {
  const blocks: Block[] = [];
  const lines = text.split('\n');
  for (let i = 0; i < lines.length; i++) {
    const language = FENCE.exec(lines[i]!)?.[1];
    if (language === undefined) {
      if (lines[i]!.trimStart().startsWith('```'))
        throw new Error(`${name}:${i + 1}: ${lines[i]} begins no block that is run`);
      continue;
    }
    const place = `${name}:${i + 1}`;
    const end = lines.indexOf('```', i + 1);
    if (!LANGUAGES.has(language) || end < 0)
      throw new Error(`${place}: nothing runs a block of ${language || 'no language'}`);
    const own = lines.slice(i + 1, end);
    const file = /^\/\/ (\S+\.[jt]s)$/.exec(own[0] ?? '')?.[1];
    const isCode = language === 'ts' || language === 'js';
    if (isCode && !file?.endsWith(`.${language}`)) throw new Error(`${place}: its first line does not name its file`);
    const before = blocks.at(-1);
    blocks.push({
      place,
      language: language as Language,
      text: `${own.join('\n')}\n`,
      file: isCode ? file : undefined,
      after: language === 'json' && before?.language === 'sh' ? before : undefined,
    });
    i = end;
  }
  return blocks;
}

/** Every page of a folder, by its name without extension. */
export function pagesOf(folder: string): Map<string, Block[]> {
  return new Map(
    readdirSync(folder)
      .filter((file) => file.endsWith('.md'))
      .sort()
      .map((file) => [file.replace(/\.md$/, ''), blocksOf(file, readFileSync(join(folder, file), 'utf8'))]),
  );
}

/** Runs a program. @returns its output @throws with its output if it fails */
export function run(command: string, args: string[], cwd: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(
      command,
      args,
      { cwd, env: { ...process.env, ...env }, maxBuffer: 10_000_000 },
      (error, stdout, stderr) => {
        if (error) reject(new Error(`${command} ${args.join(' ')}: ${String(error.code)}\n${stdout}${stderr}`));
        else resolve(stdout);
      },
    );
  });
}

/** Runs a block unchanged in a shell, which stops at the first command that fails. */
export const shell = (block: Block, cwd: string, env: NodeJS.ProcessEnv = {}): Promise<string> =>
  run('sh', ['-euc', block.text], cwd, env);

/** The members of `expected` that differ in `actual`; additional members of `actual` are ignored. */
export function differences(expected: unknown, actual: unknown, at = ''): string[] {
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return [`${at}: ${JSON.stringify(actual)}`];
    return expected.flatMap((value, i) => differences(value, actual[i], `${at}/${i}`));
  }
  if (typeof expected === 'object' && expected !== null && typeof actual === 'object' && actual !== null) {
    return Object.entries(expected).flatMap(([key, value]) =>
      differences(value, (actual as Record<string, unknown>)[key], `${at}/${key}`),
    );
  }
  return expected === actual ? [] : [`${at}: ${JSON.stringify(actual)}`];
}
