/** How migrations of one history are divided into transactions. */
import t from 'tap';
import { migrate, type Division, type Migration } from '../../core/foundation/db/migrate.js';
import { createDatabase, sql } from '../support/app.js';
import type { DatabaseConnection } from '../../core/foundation/db/connection.js';

const HISTORY = 'made_migrations';

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
  await migrate(database, HISTORY, FIRST, division);
  return await migrate(database, HISTORY, NEXT, division).catch((error: unknown) => error);
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
  t.strictSame(await migrate(database, HISTORY, corrected, 'one each'), ['3_fails', '4_last']);
  t.strictSame(await rows(database), [{ n: 2 }, { n: 3 }, { n: 4 }]);
});

t.test('one each: the first migrations of a history are one transaction', async (t) => {
  const database = await createDatabase();
  await t.rejects(migrate(database, HISTORY, NEXT, 'one each'), { code: '42703' });
  t.strictSame(await sql(database, `select to_regclass('made') as made, to_regclass('${HISTORY}') as history`), [
    { made: null, history: null },
  ]);
});
