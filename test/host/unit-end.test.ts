/** The end of a module's transaction: nothing runs after it, and one that failed is not reported as stored. */
import t from 'tap';
import { registerAdmin, sql, testApp } from '../support/app.js';
import { moduleFolder } from '../support/module-folder.js';
import { runs, writeUnitModule } from '../support/unit-modules.js';

const folder = await moduleFolder(t);
const global = globalThis as unknown as Record<symbol, { rule?: unknown; deleted?: unknown }>;
const hooks: Record<string, (...args: never[]) => Promise<unknown>> = {};
global[Symbol.for('lintel.test.ends')] = hooks;
t.teardown(() => {
  delete global[Symbol.for('lintel.test.ends')];
});
await writeUnitModule(
  folder,
  'stock',
  `cardsDeleted: async (host, unit, ids) => { await globalThis[Symbol.for('lintel.test.ends')].deleted?.(host, unit, ids); },
   cardRules: [{ key: 'first', on: ['create'], cards: async (host, batch) => (await globalThis[Symbol.for('lintel.test.ends')].rule?.(host, batch)) ?? [] }],`,
);
const { database, origin, close } = await testApp({ config: { pluginsDir: folder, logLevel: 'silent' } });
t.teardown(close);
const { api } = await registerAdmin(origin);
const statement = (text: string) => ({ name: '', text });
const stored = async () =>
  (await sql<{ name: string }>(database, 'select name from stock_rows order by 1')).map(({ name }) => name);
const DENIED = 'select * from users';

await t.test('a statement that nobody waits for does not run after the transaction', async (t) => {
  for (const fails of [true, false])
    for (const hops of [0, 1, 2, 3, 4, 6, 8, 10, 15, 20, 30, 50]) {
      let stray: Promise<unknown> | undefined;
      runs('stock', (ctx, host) =>
        host.transactions.run(ctx, async (uow) => {
          await uow.query(statement('select 1'));
          stray = (async () => {
            for (let i = 0; i < hops; i++) await Promise.resolve();
            return await uow.query(statement(`insert into stock_rows (name) values (current_user) returning name`));
          })().catch((error: Error) => error.message);
          if (fails) throw new Error('fails');
          return {};
        }),
      );
      const { status } = await api.post('/stock/run', {});
      t.equal(status, fails ? 500 : 200);
      await stray;
    }
  // Within the transaction it may have run, as the role of the module.
  for (const name of await stored()) t.match(name, /^lintel_\d+_stock$/);
  await sql(database, 'delete from stock_rows');
});

await t.test('a transaction that cannot be committed is an error', async (t) => {
  runs('stock', (ctx, host) =>
    host.transactions.run(ctx, async (uow) => {
      await uow.query(statement(`insert into stock_rows (name) values ('lost')`));
      await uow.query(statement(DENIED)).catch(() => undefined);
      return { ok: true };
    }),
  );
  t.equal((await api.post('/stock/run', {})).status, 500);
  t.strictSame(await stored(), []);
});

await t.test('a rule that loses its lock by a failed statement refuses the write', async (t) => {
  interface Batch {
    lock(name: string): Promise<void>;
    query(statement: object): Promise<unknown>;
  }
  hooks['rule'] = async (_host: unknown, batch: Batch) => {
    await batch.lock('counter');
    await batch.query(statement(DENIED)).catch(() => undefined);
    return [];
  };
  t.match(await api.post('/cards', { type: 'Application', name: 'Unlocked' }), {
    status: 503,
    body: { module: 'stock' },
  });
  delete hooks['rule'];
  t.equal((await api.post('/cards', { type: 'Application', name: 'Unlocked' })).status, 201);
});

await t.test('within a rule, and after the module was switched off, a kept Knex is refused', async (t) => {
  type Host = { db: { knex: { raw(text: string): Promise<unknown> } } };
  let knex: Host['db']['knex'] | undefined;
  runs('stock', async (_ctx, host) => {
    ({ knex } = (host as unknown as Host).db);
    await knex.raw('select 1');
    return {};
  });
  t.equal((await api.post('/stock/run', {})).status, 200);
  hooks['rule'] = async () => {
    await knex!.raw(`insert into stock_rows (name) values ('outside')`);
    return [];
  };
  t.match(await api.post('/cards', { type: 'Application', name: 'By Knex' }), { status: 503 });
  delete hooks['rule'];
  t.strictSame(await stored(), []);
  await api.patch('/settings/modules/stock', { enabled: false });
  await t.rejects(knex!.raw('select 1'));
  await api.patch('/settings/modules/stock', { enabled: true });
});

await t.test('what a module does too late cannot undo the deletion of a card', async (t) => {
  const { id } = (await api.post('/cards', { type: 'Application', name: 'Ends' })).body;
  let late: Promise<unknown> | undefined;
  hooks['deleted'] = async (_host: unknown, unit: { query(statement: object): Promise<unknown> }) => {
    late = (async () => {
      for (let i = 0; i < 5; i++) await Promise.resolve();
      return await unit.query(statement(DENIED));
    })().catch((error: Error) => error.message);
  };
  await api.post(`/cards/${id}/archive`);
  const { status } = await api.del(`/cards/${id}`);
  t.equal((await api.get(`/cards/${id}`)).status, status === 204 ? 404 : 200);
  t.match(await late, /has ended|permission denied/);
});
