import t from 'tap';
import { makeUser, registerAdmin, sql, testApp, until } from '../support/app.js';
import { filler, lines, previewer, settled, staged, upload } from '../support/imports.js';

const { origin, database, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const { api } = admin;
const { make, previewed } = previewer(api);
/** Rows of one transaction. */
const CHUNK = 2_000;
/** Ten transactions: two of them run at the same time. */
const ROWS = 10 * CHUNK;

const written = async (id: string): Promise<number> =>
  (
    await sql<{ n: number }>(
      database,
      'select count(*)::int as n from import_rows where import_id = $1 and applied_at is not null',
      [id],
    )
  )[0]!.n;
/** The result of the only job that applies an import, when it has ended, which is after the import has. */
const resultOf = async (importId: string): Promise<unknown> =>
  await until(async () => {
    const [job] = await sql<{ result: unknown }>(
      database,
      `select result from jobs where type = 'imports.apply' and state = 'done' and payload->>'import_id' = $1`,
      [importId],
    );
    return job;
  });
/** Starts an import, and waits until its first rows are written. */
const begun = async (rows: readonly unknown[]): Promise<string> => {
  const { id } = await staged(api, 'ndjson', lines(rows));
  t.equal((await api.post(`/imports/${id}/apply`)).status, 202);
  await until(async () => (await written(id)) > 0, 60_000);
  return id;
};

t.test('cards are moved in the order of the file, also in transactions of one level', async (t) => {
  const x = await make({ type: 'Application', name: 'Above' });
  const y = await make({ type: 'Application', name: 'Between', parent_id: x.id });
  const w = await make({ type: 'Application', name: 'Below', parent_id: y.id });
  await previewed(
    t,
    [
      { type: 'Application', id: y.id, parent_id: null },
      // More work than the rows after the next move.
      ...filler(CHUNK - 1, 'Long').map((row) => ({ ...row, description: 'long '.repeat(400) })),
      { type: 'Application', id: x.id, parent_id: w.id },
      ...filler(CHUNK + 1, 'Short'),
    ],
    'a card is placed below another one that an earlier row takes out of its tree',
  );
  const [made] = await sql<{ id: string }>(database, 'select id from imports');
  t.strictSame(await resultOf(made!.id), { result: { rows: 2 * CHUNK + 2 } });
});

t.test('the job counts the rows of all transactions', async (t) => {
  const id = await begun(filler(2 * CHUNK + 1, 'Counted'));
  t.match(await settled(api, id), { state: 'applied', progress: { done: 2 * CHUNK + 1, total: 2 * CHUNK + 1 } });
  t.strictSame(await resultOf(id), { result: { rows: 2 * CHUNK + 1 } });
});

t.test('an import is cancelled after the transactions that are running', async (t) => {
  const id = await begun(filler(ROWS, 'Cancelled'));
  t.equal((await api.del(`/imports/${id}`)).status, 204);
  const then = await written(id);
  t.ok(then < ROWS - 2 * CHUNK, `${then} of ${ROWS} rows were written`);
  await until(
    async () =>
      (
        await sql<{ state: string }>(
          database,
          'select j.state from imports i join jobs j on j.id = i.job_id where i.id = $1',
          [id],
        )
      )[0]!.state === 'done',
  );
  t.equal(await written(id), then, 'none was written afterwards');
  t.match(await settled(api, id), { state: 'cancelled', progress: { done: then, total: ROWS } });
});

t.test('an import is deleted after the transactions of its preview that are running', async (t) => {
  const { body } = await upload(api, 'ndjson', lines(filler(ROWS, 'Deleted')));
  await until(
    async () =>
      (await sql(database, `select from imports where id = $1 and state = 'parsing' and done > 0`, [body.id])).length >
      0,
    60_000,
  );
  t.equal((await api.del(`/imports/${body.id}`)).status, 204);
  await until(async () => {
    const [job] = await sql<{ state: string; result: unknown }>(
      database,
      `select state, result from jobs where type = 'imports.parse' and payload->>'import_id' = $1`,
      [body.id],
    );
    if (job?.state !== 'done') return false;
    t.strictSame(job.result, { gone: true }, 'rows were left');
    return true;
  });
  t.strictSame(await sql(database, 'select n from import_rows where import_id = $1 limit 1', [body.id]), []);
});

t.test('the parent of many imported cards can be changed meanwhile', async (t) => {
  const parent = await make({ type: 'Application', name: 'Parent' });
  const id = await begun(
    Array.from({ length: ROWS }, (_, i) => ({ type: 'Application', name: `Child ${i}`, parent_id: parent.id })),
  );
  t.equal((await api.patch(`/cards/${parent.id}`, { description: 'changed' })).status, 200);
  const then = await written(id);
  t.ok(then < ROWS - 2 * CHUNK, `${then} of ${ROWS} rows were written`);
  t.match(await settled(api, id), { state: 'applied', counts: { card: { create: ROWS } } });
});

t.test('an import that was cancelled while its user lost the permission ends', async (t) => {
  const importer = await makeUser(admin, 'architect');
  const { id } = await staged(importer.api, 'ndjson', lines(filler(1, 'Lost')));
  await sql(database, `update users set is_active = false where id = $1`, [importer.user.id]);
  await sql(database, `update imports set state = 'cancelled' where id = $1`, [id]);
  await sql(
    database,
    `insert into jobs (id, type, payload, origin, max_attempts, run_at) values ($1, 'imports.apply', jsonb_build_object('import_id', $1::uuid, 'user_id', $2::uuid), 'import', 3, clock_timestamp())`,
    [id, importer.user.id],
  );
  const job = await until(async () => {
    const [found] = await sql<{ state: string; attempts: number; result: unknown }>(
      database,
      `select state, attempts, result from jobs where id = $1 and state not in ('running') and attempts > 0`,
      [id],
    );
    return found;
  });
  t.strictSame(job, { state: 'done', attempts: 1, result: { gone: true } });
});
