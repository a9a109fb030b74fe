/** Nodes as separate processes, killed in the last attempt of a job and during the call of `ended`. */
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { client, createDatabase, registerAdmin, sql, until } from '../support/app.js';
import { urlOf } from '../support/database.js';
import { dataFolder, startService } from '../support/service.js';

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const database = await createDatabase();
const folders = [await dataFolder(), await dataFolder()];
const mayEnd = join(folders[0]!.path, 'may-end');
const start = (n: number) =>
  startService({
    dataDir: folders[n]!.path,
    env: {
      DATABASE_URL: urlOf(database),
      LINTEL_SECRET_KEY: Buffer.alloc(32, 'jobs').toString('base64'),
      DATABASE_POOL_MAX: '8',
      LINTEL_PLUGINS_DIR: join(root, 'test/fixtures/modules/tasks'),
      TASKS_MAY_END: mayEnd,
    },
  });
const nodes = [await start(0)];
t.teardown(async () => {
  await Promise.all(nodes.map((node) => node.stop()));
  await Promise.all(folders.map((folder) => folder.remove()));
});
const admin = await registerAdmin(nodes[0]!.origin);

interface Job {
  id: string;
  row: string;
}
const queue = async (kind: string): Promise<Job> => {
  const { body } = await client(nodes[0]!.origin, admin.token).post('/tasks/start', { kind, on_behalf: true });
  const id = body['job_id'] as string;
  const [job] = await sql<{ row: string }>(database, `select payload ->> 'row' as row from jobs where id = $1`, [id]);
  return { id, row: job!.row };
};
const stateOf = async ({ id }: Job) =>
  (
    await sql<{ state: string; error: string | null }>(database, 'select state, error from jobs where id = $1', [id])
  )[0]!;
const rowOf = async ({ row }: Job) =>
  (
    await sql<{ state: string; ends: number; error: string | null }>(
      database,
      'select * from tasks_rows where id = $1',
      [row],
    )
  )[0]!;
const notes = async ({ row }: Job) =>
  (await sql<{ note: string }>(database, 'select note from tasks_notes where row = $1 order by at', [row])).map(
    (n) => n.note,
  );

await t.test('a job whose node is killed in the last attempt fails, and `ended` is called once', async (t) => {
  const job = await queue('waits');
  await until(async () => (await notes(job)).includes('waits'), 10_000);
  // The next claim is the last attempt.
  await sql(database, 'update jobs set attempts = max_attempts where id = $1', [job.id]);
  await nodes[0]!.kill9();
  t.equal((await stateOf(job)).state, 'running');
  t.match(await rowOf(job), { state: 'running', ends: 0 });
  nodes.splice(0, 1, await start(0), await start(1));
  await until(async () => (await rowOf(job)).ends > 0, 40_000);
  t.match(await stateOf(job), { state: 'failed', error: /its node was lost in attempt 2 of 2/ });
  t.match(await rowOf(job), { state: 'failed', ends: 1, error: /its node was lost/ });
});

await t.test('after a node is killed during the call of `ended`, another one makes the call', async (t) => {
  const job = await queue('ends late');
  const ending = await until(
    async () => (await notes(job)).find((note) => note.startsWith('ending '))?.slice('ending '.length),
    10_000,
  );
  t.match(await stateOf(job), { state: 'done' });
  t.match(await rowOf(job), { state: 'running', ends: 0 }, 'the transaction of the call is open');
  const at = nodes.findIndex(({ pid }) => pid === Number(ending));
  await writeFile(mayEnd, '');
  await nodes[at]!.kill9();
  nodes.splice(at, 1);
  await until(async () => (await rowOf(job)).ends > 0, 20_000);
  t.match(await rowOf(job), { state: 'done', ends: 1 });
  t.strictSame(
    (await notes(job)).filter((note) => note.startsWith('ended')),
    ['ended done'],
    'the killed call stored nothing',
  );
});
