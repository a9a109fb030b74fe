/** How migrations of one history are divided into transactions, who may run them, and what is refused. */
import type { FastifyBaseLogger } from 'fastify';
import pg from 'pg';
import t from 'tap';
import { migrate, migrateCore, type Division, type History, type Migration } from '../../core/foundation/db/migrate.js';
import { client, createDatabase, sql, testApp, until } from '../support/app.js';
import { transactionPoolerOf } from '../support/transaction-pooler.js';
import type { DatabaseConnection } from '../../core/foundation/db/connection.js';

const HISTORY = 'made_migrations';
const made = (migrations: Record<string, Migration>, version = '1.0.0'): History => ({
  table: HISTORY,
  migrations,
  release: { name: 'Made', version },
});

/** A migration that runs one statement. */
const of = (text: string): Migration => ({
  up: async (knex) => void (await knex.raw(text)),
  down: async () => undefined,
});
const FIRST = { '1_first': of('create table made (n int)') };
const NEXT = { ...FIRST, '2_row': of('insert into made values (2)'), '3_fails': of('select no_such_column from made') };

const rows = (database: DatabaseConnection): Promise<object[]> => sql(database, 'table made');

/** Applies the first migration, and then two more, of which the second one fails. */
async function failing(database: DatabaseConnection, division: Division): Promise<unknown> {
  await migrate(database, made(FIRST), { division });
  return await migrate(database, made(NEXT), { division }).catch((error: unknown) => error);
}

t.test('all in one: a failure leaves nothing of the call', async (t) => {
  const database = await createDatabase();
  t.match(await failing(database, 'all in one'), { code: '42703' });
  t.strictSame(await rows(database), []);
});

t.test('one each: a failure leaves the migrations before it, and they are not repeated', async (t) => {
  const database = await createDatabase();
  t.match(await failing(database, 'one each'), { code: '42703' });
  t.strictSame(await rows(database), [{ n: 2 }]);
  const corrected = {
    ...NEXT,
    '3_fails': of('insert into made values (3)'),
    '4_last': of('insert into made values (4)'),
  };
  t.strictSame(await migrate(database, made(corrected), { division: 'one each' }), ['3_fails', '4_last']);
  t.strictSame(await rows(database), [{ n: 2 }, { n: 3 }, { n: 4 }]);
});

t.test('one each: the first migrations of a history are one transaction', async (t) => {
  const database = await createDatabase();
  await t.rejects(migrate(database, made(NEXT), { division: 'one each' }), { code: '42703' });
  t.strictSame(await sql(database, `select to_regclass('made') as made, to_regclass('${HISTORY}') as history`), [
    { made: null, history: null },
  ]);
});

/** What the function logged as warnings. */
function warnings(): { log: { warn: FastifyBaseLogger['warn'] }; texts: string[] } {
  const texts: string[] = [];
  return { texts, log: { warn: (_fields: unknown, text?: string) => void texts.push(text ?? '') } };
}

const HOLDS = (name: string): string =>
  `select pid from pg_locks join pg_database d on d.oid = database where datname = '${name}' and locktype = 'advisory' and objid = 7315001`;

for (const kind of ['transaction', 'session'])
  t.test(`waiting for the lock of migrations, held by a ${kind}: the log names the holder`, async (t) => {
    const database = await createDatabase();
    const holder = new pg.Client({ ...database, application_name: 'another node' });
    await holder.connect();
    t.teardown(() => holder.end());
    const [{ pid }] = (await holder.query<{ pid: number }>('select pg_backend_pid() as pid')).rows as [{ pid: number }];
    if (kind === 'transaction') await holder.query('begin; select pg_advisory_xact_lock(7315001)');
    else await holder.query('select pg_advisory_lock(7315001)');
    const { log, texts } = warnings();
    const done = migrate(database, made(FIRST), { log });
    await until(() => texts.length > 0, 20_000);
    t.match(texts, [
      new RegExp(
        `waiting for the lock of migrations, which process ${pid} of PostgreSQL \\(another node, from .+\\) holds in a transaction since \\d{4}-`,
      ),
    ]);
    await holder.query(kind === 'transaction' ? 'commit' : 'select pg_advisory_unlock(7315001)');
    t.strictSame(await done, ['1_first']);
    t.equal(texts.length, 1, 'it is logged again only after a minute');
  });

t.test('limits of the role on the time of statements and locks do not apply to migrations', async (t) => {
  const database = await createDatabase();
  const { datname, usename } = (
    await sql<{ datname: string; usename: string }>(
      database,
      'select current_database() as datname, current_user as usename',
    )
  )[0]!;
  await sql(database, `alter role "${usename}" in database "${datname}" set statement_timeout to '50ms'`);
  await migrate(database, made({ '1_slow': of('create table made as select 1 as n from pg_sleep(0.2)') }));
  t.equal((await rows(database)).length, 1);
});

for (const order of ['last', 'first'] as const)
  t.test(`through a pooler of transactions (${order} idle session): refused, and no lock remains`, async (t) => {
    const database = await createDatabase();
    const pooler = await transactionPoolerOf(database, order);
    t.teardown(() => pooler.close());
    await t.rejects(migrateCore(pooler.connection), { message: /a pooler in transaction or statement mode/ });
    const { datname } = (await sql<{ datname: string }>(database, 'select current_database() as datname'))[0]!;
    t.strictSame(await sql(database, HOLDS(datname)), []);
    // Also where it is not noticed.
    t.strictSame(await migrate(pooler.connection, made(NEXT)).catch(({ code }) => code), '42703');
    t.strictSame(await migrate(pooler.connection, made(FIRST)), ['1_first']);
    t.strictSame(await sql(database, HOLDS(datname)), [], 'no session of the pooler holds the lock');
  });

t.test('a database migrated by a newer version: refused, with both versions and what to do', async (t) => {
  const database = await createDatabase();
  await migrate(database, made(FIRST));
  const second = { ...FIRST, '2_row': of('insert into made values (2)') };
  await migrate(database, made(second, '2.0.0'));
  await t.rejects(migrate(database, made(FIRST)), {
    message:
      'the tables were migrated by Made 2.0.0, and this is Made 1.0.0, which does not contain the migrations 2_row: ' +
      'start Made 2.0.0 again, or restore a backup that was made before the upgrade',
  });
  await sql(database, `alter table ${HISTORY} drop column version`);
  await t.rejects(migrate(database, made(FIRST)), {
    message:
      /^the tables were migrated by another version of Made, whose number was not stored, and this is Made 1\.0\.0, /,
  });
  const third = { ...second, '3_row': of('insert into made values (3)') };
  t.strictSame(
    await migrate(database, made(third, '3.0.0')),
    ['3_row'],
    'a history of a former version gets the column',
  );
  await t.rejects(migrate(database, made(FIRST)), {
    message: /by Made 3\.0\.0, .* the migrations 2_row, 3_row: start Made 3/,
  });
});

t.test('several nodes at once: each migration is applied by one of them', async (t) => {
  const database = await createDatabase();
  const slow = (n: number) => of(`select pg_sleep(0.05); insert into made values (${n})`);
  const all = { ...FIRST, '2_row': slow(2), '3_row': slow(3) };
  await migrate(database, made(FIRST));
  const done = await Promise.all([1, 2, 3].map(() => migrate(database, made(all), { division: 'one each' })));
  t.strictSame(done.flat().sort(), ['2_row', '3_row']);
  t.strictSame(await rows(database), [{ n: 2 }, { n: 3 }]);
});

t.test('migrations that were renamed or became part of others are not unknown', async (t) => {
  const database = await createDatabase();
  await sql(
    database,
    `update lintel_migrations set name = '0045_basic_quality' where name = '0042_basic_quality';
     insert into lintel_migrations (name) values ('0029_status_changes')`,
  );
  await migrateCore(database);
  const app = await testApp({ database });
  t.teardown(() => app.close());
  t.match(await client(app.origin).get('/api/ready'), { status: 200, body: { checks: { migrations: 'ok' } } });
});
