/** An error that no part of the service caught: requests complete, and the service starts again in a new process. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { createDatabase, login, registerAdmin, until } from '../support/app.js';
import { urlOf } from '../support/database.js';
import { moduleFolder } from '../support/module-folder.js';
import { dataFolder, startService, type LogLine } from '../support/service.js';

const folder = await moduleFolder(t);
const fault = join(folder, 'fault.mjs');
await writeFile(
  fault,
  `process.on('SIGUSR2', () => { throw new Error('of no module'); });
   if (process.argv.includes('--started-again') && process.env.FAILS_AGAIN) throw new Error('cannot start');`,
);
const env = (more = {}) => ({
  LINTEL_SECRET_KEY: Buffer.alloc(32, 'again').toString('base64'),
  NODE_OPTIONS: `--import=${fault}`,
  ...more,
});
type Line = LogLine & { pid: number };

function killIfRunning(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    /* it has ended */
  }
}

await t.test('it starts again with the same data, again after a second error, and ends with a signal', async (t) => {
  const data = await dataFolder();
  const service = await startService({ env: env(), dataDir: data.path });
  const ready = () => (service.log() as Line[]).filter(({ url }) => url !== undefined);
  t.teardown(async () => {
    // The later processes would survive the first one, and keep its output open.
    for (const { pid } of ready().toReversed()) killIfRunning(pid);
    await service.kill9();
    await data.remove();
  });
  const { user } = await registerAdmin(service.origin);
  t.equal(ready()[0]!.pid, service.pid);

  process.kill(service.pid, 'SIGUSR2');
  t.ok(await until(() => ready().length === 2));
  const [, second] = ready();
  t.not(second!.pid, service.pid);
  t.match((await login(second!.url!, user.email)).user, { id: user.id });
  await t.rejects(fetch(`${service.origin}/api/health`), 'the first process serves nothing any more');

  process.kill(second!.pid, 'SIGUSR2');
  t.ok(await until(() => ready().length === 3));
  t.equal(new Set(ready().map(({ pid }) => pid)).size, 3);
  const said = service.log().map(({ msg }) => msg);
  t.ok(said.includes('starting again in 1 s') && said.includes('starting again in 2 s'), said.join('\n'));
  t.strictSame(await service.stop(), { code: 0, signal: null });
  t.throws(() => process.kill(ready()[2]!.pid, 0), 'the last process has ended too');
});

await t.test('a process that cannot start again ends the service with its code', async (t) => {
  const database = await createDatabase();
  const service = await startService({ env: env({ DATABASE_URL: urlOf(database), FAILS_AGAIN: '1' }) });
  t.teardown(() => service.kill9());
  process.kill(service.pid, 'SIGUSR2');
  t.match(await service.exited, { code: 1, signal: null });
});

await t.test('a signal while it waits ends it', async (t) => {
  const database = await createDatabase();
  const service = await startService({ env: env({ DATABASE_URL: urlOf(database) }) });
  t.teardown(() => service.kill9());
  process.kill(service.pid, 'SIGUSR2');
  t.ok(await until(() => service.output().includes('starting again')));
  t.strictSame(await service.stop(), { code: 0, signal: null });
  t.equal(service.log().filter(({ url }) => url !== undefined).length, 1);
});
