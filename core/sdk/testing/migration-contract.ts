import assert from 'node:assert/strict';
import type { Knex } from '../knex.js';
import type { ModuleMigration } from '../module.js';
import { catalogue } from './catalogue-repository.js';
import type { Check } from './checks.js';
import { createDatabase } from './database.js';
import { platform } from './platform.js';

/** What `migrationContract` is told. */
export interface MigrationContract {
  module: { readonly id: string; readonly migrations?: Readonly<Record<string, ModuleMigration>> };
}

/** The word a line of the catalogue names: of a column, index, constraint or trigger, its table. */
const nameOf = (line: string): string => /^(?:materialized )?\S+ ([^\s.]+)/.exec(line)?.[1] ?? line;

/**
 * What is promised of migrations, as checks for any test runner: each can be undone and done again, all that they make
 * is the module's own by its name, and nothing of the core is touched or left behind.
 */
export function migrationContract({ module }: MigrationContract): Check[] {
  const migrations = Object.entries(module.migrations ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  const own = (line: string): boolean => nameOf(line) === module.id || nameOf(line).startsWith(`${module.id}_`);

  return [
    {
      name: 'what migrations make is named after the module, and nothing of the core is touched',
      run: () =>
        withDatabase(async (knex) => {
          const before = await catalogue(knex);
          for (const [, migration] of migrations) await run(knex, migration, 'up');
          assert.deepEqual(
            (await catalogue(knex)).filter((line) => !own(line)),
            before.filter((line) => !own(line)),
          );
        }),
    },
    ...migrations.map(
      ([name], i): Check => ({
        name: `${name} can be undone and done again`,
        run: () =>
          withDatabase(async (knex) => {
            for (const [, migration] of migrations.slice(0, i)) await run(knex, migration, 'up');
            const migration = migrations[i]![1];
            const before = await catalogue(knex);
            await run(knex, migration, 'up');
            const after = await catalogue(knex);
            await run(knex, migration, 'down');
            assert.deepEqual(await catalogue(knex), before, 'down leaves nothing');
            await run(knex, migration, 'up');
            assert.deepEqual(await catalogue(knex), after, 'up makes the same again');
          }),
      }),
    ),
    {
      name: 'all of them undone leave nothing',
      run: () =>
        withDatabase(async (knex) => {
          const before = await catalogue(knex);
          for (const [, migration] of migrations) await run(knex, migration, 'up');
          for (const [, migration] of [...migrations].reverse()) await run(knex, migration, 'down');
          assert.deepEqual(await catalogue(knex), before);
        }),
    },
  ];
}

/** As the platform does: each in a transaction of its own. */
async function run(knex: Knex, migration: ModuleMigration, way: 'up' | 'down'): Promise<void> {
  await knex.transaction(async (transaction) => {
    await migration[way](transaction);
  });
}

async function withDatabase(work: (knex: Knex) => Promise<void>): Promise<void> {
  const [lintel, database] = [await platform(), await createDatabase()];
  try {
    const knex = lintel.knex({ client: 'pg', connection: database.connection, pool: { min: 0, max: 1 } });
    try {
      await work(knex);
    } finally {
      await knex.destroy();
    }
  } finally {
    await database.remove();
  }
}
