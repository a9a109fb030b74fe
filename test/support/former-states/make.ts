/**
 * Makes the fixture of a state: starts the service of a built checkout of any version on a new database, fills it through its
 * API, records what the API then gives, and dumps the database.
 *
 *     node dist/test/support/former-states/make.js 2026-11-27 <folder of the checkout> postgres://user@host:port
 *
 * The server must be one whose version `pg_dump` on this machine has, best the oldest supported one: dumps can be restored into newer
 * versions only.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { login } from '../app.js';
import { sql } from '../database.js';
import { dataFolder, startService } from '../service.js';
import { fill } from './fill.js';
import { record } from './record.js';
import { STATE_ENV, write } from './states.js';

const DATABASE = `lintel_former_state_${process.pid}`;
/** What `npm start` ran, in the order of versions. */
const SERVERS = ['service/core/server.js', 'dist/core/server.js'];

const [name, checkout, server] = process.argv.slice(2);
if (name === undefined || checkout === undefined || server === undefined)
  throw new Error('usage: make.js <name> <folder of a built checkout> <URL of a database server>');
const file = SERVERS.map((path) => join(checkout, path)).find((path) => existsSync(path));
if (file === undefined) throw new Error(`${checkout} is not built`);

const url = new URL(server);
url.pathname = '/postgres';
await sql({ connectionString: url.href }, `drop database if exists ${DATABASE} with (force)`);
await sql({ connectionString: url.href }, `create database ${DATABASE} encoding 'UTF8' template template0`);
url.pathname = `/${DATABASE}`;
const folder = await dataFolder();
const service = await startService({
  server: file,
  dataDir: folder.path,
  env: { DATABASE_URL: url.href, ...STATE_ENV },
});
try {
  const { written, token } = await fill(service.origin);
  const { api } = await login(service.origin, 'admin@example.org');
  const recording = await record(api);
  await service.stop();
  const dump = execFileSync(
    'pg_dump',
    ['--no-owner', '--no-privileges', '--inserts', '--rows-per-insert=50', `--dbname=${url.href}`],
    {
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    },
  );
  const sizes = await write(name, { dump, recording, token });
  process.stdout.write(`${name}: ${written.size} operations, ${Object.keys(recording).length} answers, ${sizes}\n`);
} finally {
  await service.stop();
  await folder.remove();
  await sql({ connectionString: `${server}/postgres` }, `drop database if exists ${DATABASE} with (force)`);
}
