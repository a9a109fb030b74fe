/** A value that only the database refuses is a 422 that names its field, where PostgreSQL tells it. */
import t from 'tap';
import { databaseProblem } from '../../core/foundation/db/constraints.js';
import { createDatabase, sql } from '../support/app.js';

const database = await createDatabase();
await sql(
  database,
  `create table things (days integer check (days < 3), size smallint, day date, constraint things_order check (size < days))`,
);

const refusals: [values: string, field: string][] = [
  ['(3, null, null)', '/days'],
  ['(2, 2, null)', ''],
  ['(2, 40000, null)', ''],
  [`(2, 1, '2026-02-31')`, ''],
];
for (const [values, field] of refusals)
  t.test(values, async (t) => {
    const error: unknown = await sql(database, `insert into things values ${values}`).catch((e: unknown) => e);
    t.match(databaseProblem(error), {
      status: 422,
      code: 'validation_failed',
      errors: [{ field, in: 'body' }],
      cause: error,
    });
    t.match(databaseProblem(error, 'query'), { errors: [{ field, in: 'query' }] });
  });
