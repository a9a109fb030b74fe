import { randomBytes } from 'node:crypto';
import { createDatabase, sql, withDatabase } from './database.js';
import { databaseProxy, type DatabaseProxy } from './database-proxy.js';
import type { DatabaseConnection } from '../../core/foundation/db/connection.js';

/** A database whose latest writes can be lost, as by a failover to an asynchronous standby. */
export interface LosableDatabase {
  /** For the nodes. */
  connection: DatabaseConnection;
  /** Everything written after this is lost with `lose`. */
  keep(): Promise<void>;
  /** Replaces the database by the state that was kept. */
  lose(): Promise<void>;
  close(): void;
}

/** @param template the database to copy */
export async function losableDatabase(template: string): Promise<LosableDatabase> {
  const database = await createDatabase(template);
  if ('connectionString' in database) throw new Error('needs the embedded server');
  const server = withDatabase(database, 'postgres');
  const name = database.database;
  const kept = `${name}_kept`;
  const proxy: DatabaseProxy = await databaseProxy(database);
  const alone = async (work: () => Promise<void>): Promise<void> => {
    proxy.cut();
    await sql(server, 'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
    await work();
    proxy.restore();
  };
  return {
    connection: proxy.connection,
    keep: async () =>
      await alone(async () => {
        await sql(server, `drop database if exists ${kept}`);
        await sql(server, `create database ${kept} template ${name} strategy file_copy`);
      }),
    lose: async () =>
      await alone(async () => {
        await sql(server, `alter database ${name} rename to ${name}_${randomBytes(3).toString('hex')}`);
        await sql(server, `alter database ${kept} rename to ${name}`);
      }),
    close: () => proxy.close(),
  };
}
