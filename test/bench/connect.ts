import pg from 'pg';
import type { DatabaseConnection } from '../../core/foundation/db/connection.js';

/** A connection with the settings of the service's connections. The caller ends it. */
export async function connect(database: DatabaseConnection): Promise<pg.Client> {
  const client = new pg.Client({
    ...database,
    application_name: 'lintel bench',
    options: '-c TimeZone=UTC -c DateStyle=ISO -c jit=off',
  });
  // The next statement on a broken connection fails and reports it.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
