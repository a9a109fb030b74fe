import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { loadConfig } from '../../config/load.js';
import type { Config } from '../../config/schema.js';
import { Database } from '../../core/foundation/db/database.js';
import { Secrets } from '../../core/foundation/secrets/index.js';
import { beginKey } from '../../core/foundation/secrets/key-file.js';
import { rotateSecrets } from '../../core/foundation/secrets/rotation.js';
import { client, createDatabase, registerAdmin, sql, until } from '../support/app.js';
import { dataFolder, launchService, postgresProcesses, startService } from '../support/service.js';

const ROTATE = join(dirname(dirname(fileURLToPath(import.meta.url))), '../core/foundation/secrets/rotate.js');
const key = (n: number): string => Buffer.alloc(32, n).toString('base64');
const connection = await createDatabase();
const db = new Database({ connection, max: 8 });
const folder = await mkdtemp(join(tmpdir(), 'lintel-rotate-'));
const data = await dataFolder();
t.teardown(async () => {
  await db.close();
  await rm(folder, { recursive: true });
  await until(() => postgresProcesses(data.path).length === 0, 15_000);
  await data.remove();
});

let folders = 0;
const configIn = (config: Partial<Config> = {}): Config => ({
  ...loadConfig({ DATA_DIR: join(folder, String(++folders)) }),
  ...config,
});
const started = async (config: Config): Promise<Secrets> => {
  const made = new Secrets(db, config);
  await made.start();
  return made;
};
const names = ['one', 'two', 'three'];
const fill = async (secrets: Secrets): Promise<void> => {
  for (const name of names) await secrets.set(name, Buffer.from(`value of ${name}`));
};
const values = async (secrets: Secrets): Promise<(string | undefined)[]> =>
  await Promise.all(names.map(async (name) => (await secrets.get(name))?.toString()));
const sound = names.map((name) => `value of ${name}`);
const quiet = (): void => undefined;

t.test('a key of the environment', async (t) => {
  await fill(await started(configIn({ secretKey: key(1) })));
  await t.rejects(rotateSecrets(db, configIn({ secretKey: key(2) }), quiet), /LINTEL_SECRET_KEY_PREVIOUS/);
  await t.rejects(
    rotateSecrets(db, configIn({ secretKey: key(2), secretKeyPrevious: key(3) }), quiet),
    /neither key opens the stored secrets one, t/,
  );
  t.strictSame(await values(await started(configIn({ secretKey: key(1) }))), sound, 'a refusal changes nothing');
  // Nodes are configured with both keys before, so that secrets can be decrypted before, during and after the rotation.
  const running = await started(configIn({ secretKey: key(1), secretKeyPrevious: key(2) }));
  t.strictSame(await rotateSecrets(db, configIn({ secretKey: key(2), secretKeyPrevious: key(1) }), quiet), {
    changed: 3,
    total: 3,
  });
  t.strictSame(await values(running), sound);
  t.strictSame(
    await rotateSecrets(db, configIn({ secretKey: key(2), secretKeyPrevious: key(1) }), quiet),
    { changed: 0, total: 3 },
    'a second rotation changes nothing',
  );
  t.strictSame(
    await values(await started(configIn({ secretKey: key(2) }))),
    sound,
    'the previous key is not needed any more',
  );
  await t.rejects(started(configIn({ secretKey: key(1) })), /does not open/);
  t.strictSame(
    await sql(connection, `select subject_kind, origin, data from event_outbox where type = 'secrets.rotated'`),
    [{ subject_kind: 'secret', origin: 'rotation', data: { changed: 3 } }],
    'there is one event',
  );
  await sql(connection, 'delete from secrets');
});

t.test('a key file, and every state a crash may leave', async (t) => {
  const config = configIn();
  const { dataDir } = config;
  const [file, next] = [join(dataDir, 'secret.key'), join(dataDir, 'secret.key.next')];
  await fill(await started(config));
  const before = readFileSync(file, 'utf8');
  t.strictSame(await rotateSecrets(db, config, quiet), { changed: 3, total: 3 });
  const after = readFileSync(file, 'utf8');
  t.not(after, before);
  t.notOk(existsSync(next));
  t.strictSame(await values(await started(config)), sound);

  // Killed before anything was encrypted: the next key is not used.
  await beginKey(dataDir);
  t.strictSame(await values(await started(config)), sound);
  t.notOk(existsSync(next));
  t.equal(readFileSync(file, 'utf8'), after);

  // Killed between the transaction and the file: the key is found by decrypting the secrets.
  await copyFile(file, join(folder, 'kept'));
  await rotateSecrets(db, config, quiet);
  await copyFile(file, next);
  await copyFile(join(folder, 'kept'), file);
  await Promise.all(Array.from({ length: 5 }, () => started(config)));
  t.strictSame(await values(await started(config)), sound);
  t.notOk(existsSync(next));

  // The same, and rotated again before a start.
  await copyFile(file, join(folder, 'kept'));
  await rotateSecrets(db, config, quiet);
  await copyFile(file, next);
  await copyFile(join(folder, 'kept'), file);
  t.strictSame(await rotateSecrets(db, config, quiet), { changed: 0, total: 3 });
  t.strictSame(await values(await started(config)), sound);
  await sql(connection, 'delete from secrets');
});

interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  output: string;
}
/** Runs the command. @param killAt it is killed when its output contains this */
async function rotate(env: NodeJS.ProcessEnv, killAt?: string): Promise<Ended> {
  const child = spawn(process.execPath, [ROTATE], {
    cwd: '/',
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (killAt !== undefined && output.includes(killAt)) child.kill('SIGKILL');
    });
  return await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal, output }));
  });
}

t.test('as a command, beside a service and its data folder', async (t) => {
  const dataDir = data.path;
  const file = join(dataDir, 'secret.key');
  const first = await startService({ dataDir });
  const admin = await registerAdmin(first.origin);
  t.equal(
    (
      await admin.api.patch('/settings/smtp', {
        host: '127.0.0.1',
        from_address: 'a@example.org',
        password: 'kept-through-all-of-it',
      })
    ).status,
    200,
  );
  const busy = await rotate({ DATA_DIR: dataDir });
  t.equal(busy.code, 1);
  t.match(busy.output, /another Lintel runs on/);
  await first.stop();

  const original = readFileSync(file, 'utf8');
  const done = await rotate({ DATA_DIR: dataDir });
  t.equal(done.code, 0, done.output);
  t.match(done.output, /is the new key/);
  t.not(readFileSync(file, 'utf8'), original);
  for (const killAt of ['a new key was created', 're-encrypted']) {
    const { signal, output } = await rotate({ DATA_DIR: dataDir }, killAt);
    t.comment(`killed: ${signal ?? 'no, it was through'}; ${output.trim().replaceAll('\n', '; ')}`);
    const service = await startService({ dataDir });
    const again = client(service.origin, admin.token);
    t.equal((await again.get('/auth/me')).status, 200, 'the key of the tokens opens');
    t.match((await again.get('/settings/smtp')).body, { password: { is_set: true } });
    t.notOk(existsSync(`${file}.next`));
    await service.stop();
  }

  await writeFile(file, original);
  const wrong = launchService({ dataDir });
  t.equal((await wrong.exited).code, 1);
  const fatal = wrong.log().find(({ level }) => level >= 60);
  t.match(
    fatal,
    {
      err: {
        message: /secret\.key does not open the stored secrets .*settings\.smtp\.password.*LINTEL_SECRET_KEY_PREVIOUS/,
      },
    },
    'a wrong key is an error at start with instructions',
  );
  t.notMatch(wrong.output(), original.trim());
  const helped = await startService({
    dataDir,
    env: { LINTEL_SECRET_KEY: key(7), LINTEL_SECRET_KEY_PREVIOUS: original.trim() },
  }).catch((error: Error) => error.message);
  t.match(helped, /LINTEL_SECRET_KEY does not open/, 'also a wrong previous key');
  t.match(await rotate({ DATA_DIR: dataDir }), { code: 1, output: /neither key opens/ });
  t.match(await rotate({ DATA_DIR: 'x', LOG_LEVEL: 'loud' }), { code: 1, output: /LOG_LEVEL must be/ });
});
