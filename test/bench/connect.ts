import pg from 'pg';
import type { DatabaseConnection } from '../../core/foundation/db/connection.js';

/** A plain connection, with the settings the service's own have. The caller ends it. */
export async function connect(database: DatabaseConnection): Promise<pg.Client> {
  const client = new pg.Client({
    ...database,
    application_name: 'lintel bench',
    options: '-c TimeZone=UTC -c DateStyle=ISO -c jit=off',
  });
  // A connection that breaks is told by the statement that finds it broken.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
