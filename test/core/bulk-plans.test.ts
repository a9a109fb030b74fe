import pg from 'pg';
import t from 'tap';
import { registerAdmin, sql, testApp } from '../helper.js';

/** The first bulk comes before the first statistics: what is asked for each of its cards must find it by its keys even so. */
const { origin, database, close } = await testApp();
t.teardown(close);
const { api } = await registerAdmin(origin);

const asked = new Map<string, string>();
const original = pg.Client.prototype.query as (...args: unknown[]) => unknown;
pg.Client.prototype.query = function watched(this: pg.Client, ...args: unknown[]) {
  const [{ name, text }] = args as [{ name?: string; text: string }];
  if (name !== undefined) asked.set(name, text);
  return original.apply(this, args);
} as never;
t.teardown(() => { pg.Client.prototype.query = original as never; });

await t.test('whether names and external ids are taken is looked up by index, however little the planner knows', async (t) => {
  const operations = (batch: number) => Array.from({ length: 2_000 }, (_, n) => ({ op: 'upsert', ref: `r${n}`, card: { type: 'BusinessCapability', external_id: `${batch}-${n}`, name: `Plan ${batch} ${n}`, ...(n > 50 && { parent: { ref: `r${n % 50}` } }) } }));
  for (const batch of [1, 2]) t.strictSame((await api.post<{ summary: unknown }>('/cards/bulk', { operations: operations(batch) })).body.summary, { created: 2_000 });
  const client = new pg.Client(database);
  await client.connect();
  t.teardown(() => client.end());
  await client.query('set plan_cache_mode = force_generic_plan');
  for (const [name, key, parameters] of [['cards-names-taken', 'name_key', 3], ['cards-external-ids-taken', 'external_id', 2]] as const) {
    const statement = `"${name} again"`;
    await client.query(`prepare ${statement} as ${asked.get(name)!}`);
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain execute ${statement} (${Array.from({ length: parameters }, () => `'{}'`).join()})`);
    const plan = rows.map((row) => row['QUERY PLAN']);
    const conditions = plan.filter((line) => line.includes('Index Cond:'));
    t.ok(conditions.length > 0 && conditions.every((line) => line.includes(key)) && !plan.some((line) => line.includes('Seq Scan on cards')), `${name}\n${plan.join('\n')}`);
  }
  const [stats] = await sql<{ analysed: boolean }>(database, `select exists (select from pg_stats where tablename = 'cards') as analysed`);
  t.comment(stats?.analysed === true ? 'the table had statistics by then' : 'the table had no statistics');
});
