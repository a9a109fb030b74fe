import assert from 'node:assert/strict';
import type { Knex } from '../knex.js';
import type { ModuleMigration } from '../module.js';
import { catalogue } from './catalogue-repository.js';
import type { Check } from './checks.js';
import { createDatabase } from './database.js';
import { platform } from './platform.js';

/** Options of `migrationContract`. */
export interface MigrationContract {
  module: { readonly id: string; readonly migrations?: Readonly<Record<string, ModuleMigration>> };
}

/** The object in a line of the catalogue; for a column, index, constraint or trigger, its table. */
const nameOf = (line: string): string => /^(?:materialized )?\S+ ([^\s.]+)/.exec(line)?.[1] ?? line;

/**
 * The contract of migrations, as checks for any test runner: each can be reverted and run again, all created objects
 * are named after the module, and the core is neither changed nor is anything left in it.
 */
export function migrationContract({ module }: MigrationContract): Check[] {
  const migrations = Object.entries(module.migrations ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  const own = (line: string): boolean => nameOf(line) === module.id || nameOf(line).startsWith(`${module.id}_`);

  return [
    {
      name: 'objects created by migrations are named after the module, and the core is not changed',
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
      name: 'reverting all migrations leaves no objects',
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

/** Like the platform: each in a separate transaction. */
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
