import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { loadConfig } from '../../config/load.js';
import type { Config } from '../../config/schema.js';
import { Database } from '../../core/foundation/db/database.js';
import { Secrets } from '../../core/foundation/secrets/index.js';
import { createDatabase, sql } from '../support/app.js';

const KEYS = [1, 2, 3].map((n) => Buffer.alloc(32, n));
const folder = await mkdtemp(join(tmpdir(), 'lintel-secrets-'));
const connection = await createDatabase();
const db = new Database({ connection, max: 8 });
t.teardown(async () => {
  await db.close();
  await rm(folder, { recursive: true });
});

const secrets = (config: Partial<Config>): Secrets =>
  new Secrets(db, { ...loadConfig({ DATA_DIR: join(folder, 'data') }), ...config });
const hex = (n: number): string => KEYS[n]!.toString('hex');
const base64 = (n: number): string => KEYS[n]!.toString('base64');

t.test('a secret can only be decrypted with its key and name', async (t) => {
  const first = secrets({ secretKey: hex(0) });
  await first.start();
  await first.set('smtp', Buffer.from('hunter2-hunter2'));
  t.equal((await first.get('smtp'))!.toString(), 'hunter2-hunter2');
  t.equal(await first.get('absent'), undefined);
  const [row] = await sql<{ ciphertext: Buffer }>(connection, 'select ciphertext from secrets');
  t.notOk(row!.ciphertext.includes('hunter2'));
  await sql(connection, `insert into secrets (name, ciphertext) select 'moved', ciphertext from secrets`);
  await t.rejects(first.get('moved'), /does not open/, 'a ciphertext belongs to its name');
  await sql(
    connection,
    `update secrets set ciphertext = set_byte(ciphertext, 30, get_byte(ciphertext, 30) # 1) where name = 'moved'`,
  );
  await t.rejects(first.get('moved'), /does not open/);
  await sql(connection, `delete from secrets where name = 'moved'`);
  await first.set('smtp', Buffer.from('hunter2-hunter2'));
  const [again] = await sql<{ ciphertext: Buffer }>(connection, 'select ciphertext from secrets');
  t.notOk(row!.ciphertext.equals(again!.ciphertext), 'encrypted anew each time');
});

t.test('a wrong key is an error at start, the previous one is accepted and replaced', async (t) => {
  await t.rejects(
    secrets({ secretKey: hex(1) }).start(),
    /LINTEL_SECRET_KEY does not open the stored secrets smtp.*LINTEL_SECRET_KEY_PREVIOUS/,
  );
  const rotated = secrets({ secretKey: base64(1), secretKeyPrevious: base64(0) });
  await rotated.start();
  t.equal((await rotated.get('smtp'))!.toString(), 'hunter2-hunter2');
  const alone = secrets({ secretKey: hex(1) });
  await alone.start();
  t.equal((await alone.get('smtp'))!.toString(), 'hunter2-hunter2');
  await t.rejects(secrets({ secretKey: 'too short' }).start(), /32 bytes/);
  await sql(connection, 'delete from secrets');
});

t.test('nodes that start concurrently create one key file and one secret', async (t) => {
  const nodes = Array.from({ length: 20 }, () => secrets({ secretKey: undefined }));
  await Promise.all(nodes.map((node) => node.start()));
  const values = await Promise.all(nodes.map((node, n) => node.getOrCreate('jwt', () => Buffer.from(`made by ${n}`))));
  t.equal(new Set(values.map(String)).size, 1);
  t.strictSame(await readdir(join(folder, 'data')), ['secret.key'], 'no temporary file is left');
  t.equal((await stat(join(folder, 'data', 'secret.key'))).mode & 0o777, 0o600);
  t.equal(Buffer.from(await readFile(join(folder, 'data', 'secret.key'), 'utf8'), 'base64').length, 32);
});
