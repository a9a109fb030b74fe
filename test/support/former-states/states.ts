import { readdirSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { SECRET_KEY } from '../app.js';
import type { Recording } from './record.js';

/** Environment of the services that make a state and open it, besides the database. */
export const STATE_ENV = { LINTEL_SECRET_KEY: SECRET_KEY, PUBLIC_URL: 'https://lintel.example.org' };

/** Below the repository, not of compiled files. */
const FOLDER = new URL('../../../../test/fixtures/states/', import.meta.url);

/** A database that a former version made, and what its API gave. */
export interface FormerState {
  /** SQL that makes it in an empty database. */
  dump: string;
  recording: Recording;
  /** An API token of its administrator; undefined where the version had none. */
  token?: string | undefined;
}

/** Names of the states, which are days. */
export const STATES: readonly string[] = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.sql.gz'))
  .map((file) => file.slice(0, -'.sql.gz'.length))
  .sort();

const fileOf = (name: string, kind: 'sql' | 'json'): URL => new URL(`${name}.${kind}.gz`, FOLDER);

export async function readState(name: string): Promise<FormerState> {
  const read = async (kind: 'sql' | 'json'): Promise<string> =>
    (await promisify(gunzip)(await readFile(fileOf(name, kind)))).toString('utf8');
  return { dump: await read('sql'), ...(JSON.parse(await read('json')) as Omit<FormerState, 'dump'>) };
}

/**
 * Writes the files of a state.
 * @returns their sizes, in words
 */
export async function write(name: string, { dump, ...others }: FormerState): Promise<string> {
  await mkdir(FOLDER, { recursive: true });
  // Lines that begin with a backslash are commands of psql.
  const text = dump.replaceAll(/^\\.*\n/gm, '').replaceAll(/^--.*\n/gm, '');
  const [sql, json] = [
    await promisify(gzip)(text, { level: 9 }),
    await promisify(gzip)(JSON.stringify(others, null, 1), { level: 9 }),
  ];
  await writeFile(fileOf(name, 'sql'), sql);
  await writeFile(fileOf(name, 'json'), json);
  return `${sql.length} bytes of SQL, ${json.length} of answers, compressed`;
}
