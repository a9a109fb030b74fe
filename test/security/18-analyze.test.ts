/** After a large write the tables are analyzed, without waiting for autovacuum. */
import t from 'tap';
import { expectStatus, registerAdmin, sql, testApp, until } from '../support/app.js';
import { upload, settled } from '../support/imports.js';

const one = await testApp();
const two = await testApp({ database: one.database });
t.teardown(async () => {
  await Promise.all([one.close(), two.close()]);
});
const { database } = one;
await sql(database, `alter table cards set (autovacuum_enabled = false)`);
await sql(database, `alter table relations set (autovacuum_enabled = false)`);
const { api } = await registerAdmin(one.origin);
const CARDS = 3_000;

interface Statistics {
  analyzed: number;
  rows: number;
  changed: number;
}
/** The statistics of PostgreSQL for a table. */
const statistics = async (table: string): Promise<Statistics> =>
  (
    await sql<Statistics & Record<string, unknown>>(
      database,
      `select (s.analyze_count + s.autoanalyze_count)::int as analyzed, c.reltuples::int as rows, s.n_mod_since_analyze::int as changed from pg_stat_user_tables s join pg_class c on c.oid = s.relid where s.relname = $1`,
      [table],
    )
  )[0]!;
const create = async (n: number, name: string): Promise<void> => {
  expectStatus(
    await api.post('/cards/bulk', {
      operations: Array.from({ length: n }, (_, i) => ({
        op: 'create',
        card: { type: 'Application', name: `${name} ${i}` },
      })),
    }),
    200,
    'a bulk',
  );
};

t.test('a small write does not analyze the tables', async (t) => {
  await create(100, 'Few');
  await until(async () => (await statistics('cards')).changed >= 100, 30_000);
  t.equal((await statistics('cards')).analyzed, 0);
});

t.test('a large bulk request: the tables that grew are analyzed once, over all nodes', async (t) => {
  await create(CARDS, 'Many');
  await until(async () => (await statistics('cards')).analyzed > 0, 30_000);
  t.equal((await statistics('cards')).rows, CARDS + 100);
  await until(async () => (await statistics('card_versions')).rows >= CARDS, 30_000);
  t.equal((await statistics('cards')).analyzed, 1);
});

t.test('an import: the tables are analyzed', async (t) => {
  const lines = Array.from({ length: CARDS }, (_, i) => `Provider,Imported ${i}`);
  const made = expectStatus(await upload(api, 'csv', ['type,name', ...lines].join('\n')), 202, 'an upload');
  await settled(api, made.body.id, 60_000);
  expectStatus(await api.post(`/imports/${made.body.id}/apply`), 202, 'applying');
  await until(async () => (await statistics('cards')).rows >= 2 * CARDS, 60_000);
  t.ok((await statistics('cards')).analyzed <= 4, 'not for each transaction');
});
