import pg from 'pg';
import t from 'tap';
import { registerAdmin, sql, testApp, until } from '../support/app.js';

/** The first bulk request runs before the first statistics: its statements must nevertheless find cards by index. */
const { origin, database, close } = await testApp();
t.teardown(close);
const { api } = await registerAdmin(origin);

const asked = new Map<string, string>();
const answered = new Set<string>();
const original = pg.Client.prototype.query as (...args: unknown[]) => unknown;
pg.Client.prototype.query = function watched(this: pg.Client, ...args: unknown[]) {
  const [{ name, text }] = args as [{ name?: string; text: string }];
  if (name !== undefined) asked.set(name, text);
  const answer = original.apply(this, args) as Promise<unknown> | undefined;
  if (name !== undefined)
    answer?.then(
      () => answered.add(name),
      () => undefined,
    );
  return answer;
} as never;
t.teardown(() => {
  pg.Client.prototype.query = original as never;
});

await t.test('names and external ids are checked by index, also without statistics', async (t) => {
  const operations = (batch: number) =>
    Array.from({ length: 2_000 }, (_, n) => ({
      op: 'upsert',
      ref: `r${n}`,
      card: {
        type: 'BusinessCapability',
        external_id: `${batch}-${n}`,
        name: `Plan ${batch} ${n}`,
        ...(n > 50 && { parent: { ref: `r${n % 50}` } }),
      },
    }));
  for (const batch of [1, 2])
    t.strictSame(
      (await api.post<{ summary: unknown }>('/cards/bulk', { operations: operations(batch) })).body.summary,
      { created: 2_000 },
    );
  const client = new pg.Client(database);
  await client.connect();
  t.teardown(() => client.end());
  await client.query('set plan_cache_mode = force_generic_plan');
  for (const [name, key, parameters] of [
    ['cards-names-taken', 'name_key', 3],
    ['cards-external-ids-taken', 'external_id', 2],
  ] as const) {
    const statement = `"${name} again"`;
    await client.query(`prepare ${statement} as ${asked.get(name)!}`);
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `explain execute ${statement} (${Array.from({ length: parameters }, () => `'{}'`).join()})`,
    );
    const plan = rows.map((row) => row['QUERY PLAN']);
    const conditions = plan.filter((line) => line.includes('Index Cond:'));
    t.ok(
      conditions.length > 0 &&
        conditions.every((line) => line.includes(key)) &&
        !plan.some((line) => line.includes('Seq Scan on cards')),
      `${name}\n${plan.join('\n')}`,
    );
  }
  const [stats] = await sql<{ analysed: boolean }>(
    database,
    `select exists (select from pg_stats where tablename = 'cards') as analysed`,
  );
  t.comment(stats?.analysed === true ? 'the table had statistics already' : 'the table had no statistics');
});

await t.test('pending entries of GIN indexes are flushed soon after a write', async (t) => {
  const pagesOf = async (index: string): Promise<number> =>
    Number((await sql<{ pages: string }>(database, `select gin_clean_pending_list('${index}') as pages`))[0]!.pages);
  const write = async (name: string): Promise<void> => {
    answered.delete('cards-flush-gin');
    t.equal((await api.post('/cards', { type: 'Application', name })).status, 201);
  };
  // On a slow machine the entries may be flushed before they are counted.
  let n = 0;
  await until(async () => {
    await write(`Gathers an entry ${++n}`);
    return (await pagesOf('cards_words')) === 1;
  });
  await until(() => answered.has('cards-flush-gin'));
  await write('Has its entry worked in');
  await until(() => answered.has('cards-flush-gin'));
  for (const index of ['cards_words', 'cards_name_part', 'cards_path', 'card_contents_attributes'])
    t.equal(await pagesOf(index), 0, index);
});
