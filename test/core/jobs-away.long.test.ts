/** Running jobs during an outage of the database, shorter and longer than their lease. */
import t from 'tap';
import type { JobRun } from '../../core/foundation/jobs/index.js';
import { createDatabase, testApp, until } from '../support/app.js';
import { gate, jobsAt, registerJob } from '../support/jobs.js';
import { databaseProxy } from '../support/database-proxy.js';

const database = await createDatabase();
const proxy = await databaseProxy(database);
const node = await testApp({ database: proxy.connection, config: { logLevel: 'silent' } });
t.teardown(async () => {
  proxy.restore();
  await node.close();
  proxy.close();
});
const { inState, row, submit } = jobsAt(node, database);

await t.test(
  'the outcome of a job during an outage is stored afterwards, and the job does not run again',
  async (t) => {
    const end = gate();
    let runs = 0;
    registerJob(t, [node], 'test.outlasts', {
      handler: async () => {
        runs++;
        await end.opened;
        return 'kept';
      },
    });
    const id = await submit('test.outlasts');
    await until(() => runs === 1);
    proxy.cut();
    end.open();
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    t.match(await row(id), { state: 'running', attempts: 1 });
    proxy.restore();
    t.match(await inState(id, 'done', 20_000), { result: 'kept', attempts: 1, fence: '1' });
    t.equal(runs, 1);
  },
);

await t.test(
  'after 20 s without the database the signal of the job is aborted, and the job starts again',
  async (t) => {
    const runs: JobRun[] = [];
    const refused: unknown[] = [];
    const { transactions } = node.app.services;
    registerJob(t, [node], 'test.expires', {
      handler: async (run) => {
        runs.push(run);
        if (runs.length > 1) return 'second';
        await new Promise((resolve) => {
          run.signal.addEventListener('abort', resolve, { once: true });
        });
        await until(() => runs.length > 1, 30_000);
        await transactions.run(run.ctx, (uow) => run.guard(uow)).catch((error: unknown) => refused.push(error));
        return 'first';
      },
    });
    const id = await submit('test.expires');
    await until(() => runs.length === 1);
    proxy.cut();
    const began = performance.now();
    await until(() => runs[0]!.signal.aborted, 18_000);
    t.ok(performance.now() - began < 15_000, 'the signal is aborted before another node may run the job');
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, 20_000 - (performance.now() - began))));
    proxy.restore();
    t.match(await inState(id, 'done', 20_000), {
      result: 'second',
      attempts: 2,
      fence: '2',
      failures: [{ error: 'its node was lost' }],
    });
    await until(() => refused.length === 1);
    t.match(refused[0], /not held/);
  },
);
