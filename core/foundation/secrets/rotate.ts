/**
 * `npm run secrets:rotate`: re-encrypts the stored secrets with another key. Reads the configuration of the service.
 */
import { ConfigError, loadConfig } from '../../../config/load.js';
import type { DatabaseConnection } from '../db/connection.js';
import { Database } from '../db/database.js';
import { EmbeddedError, startEmbedded } from '../db/embedded.js';
import { RotationError, rotateSecrets } from './rotation.js';

const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

/** Opens the configured database. The embedded one is opened exclusively, so that no service runs at the same time. */
async function openDatabase(
  databaseUrl: string | undefined,
  dataDir: string,
): Promise<{ connection: DatabaseConnection; stop: () => Promise<void> }> {
  if (databaseUrl !== undefined) return { connection: { connectionString: databaseUrl }, stop: async () => undefined };
  const embedded = await startEmbedded({
    dataDir,
    log: (text, level) => {
      if (level === 'warn' || level === 'error') process.stderr.write(`${text}\n`);
    },
  });
  return { connection: embedded.connection, stop: () => embedded.stop() };
}

async function run(): Promise<void> {
  const config = loadConfig(process.env);
  const { connection, stop } = await openDatabase(config.databaseUrl, config.dataDir);
  const db = new Database({ connection, max: 2 });
  try {
    await rotateSecrets(db, config, say);
  } finally {
    await db.close();
    await stop();
  }
}

try {
  await run();
} catch (error) {
  const isKnown = error instanceof RotationError || error instanceof ConfigError || error instanceof EmbeddedError;
  process.stderr.write(
    `the secrets were not rotated: ${isKnown ? error.message : String((error as Error).stack ?? error)}\n`,
  );
  process.exitCode = 1;
}
