/** A service with a full disk: a small file system in memory, which only root can mount. */
import { execFileSync } from 'node:child_process';
import { chmodSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import t, { type Test as Tap } from 'tap';
import { client, login, registerAdmin, sql, until, type Session } from '../support/app.js';
import { dataFolder, startService } from '../support/service.js';

const MIB = 1_048_576;
const BACK_MS = 60_000;
const LONG = 'x'.repeat(9_000);

/** @returns the folder of a new file system; undefined if nothing can be mounted */
async function smallDisk(t: Tap, mib: number): Promise<string | undefined> {
  const folder = await dataFolder();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mib}m,mode=755`, 'tmpfs', folder.path], { stdio: 'ignore' });
  } catch {
    await folder.remove();
    t.comment('a small file system cannot be mounted here');
    t.pass('not tried');
    return undefined;
  }
  chmodSync(folder.path, 0o755);
  t.teardown(async () => {
    execFileSync('umount', ['-l', folder.path]);
    await folder.remove();
  });
  return folder.path;
}

const free = (folder: string): number => {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
};
/** Writes a file until only `left` bytes are free. @returns a function that deletes it */
function fill(folder: string, left: number): () => void {
  const ballast = join(folder, 'ballast');
  writeFileSync(ballast, '');
  for (let take = free(folder) - left; take > 0; take = Math.min(free(folder) - left, take)) {
    try {
      writeFileSync(ballast, Buffer.alloc(Math.min(take, MIB)), { flag: 'a' });
    } catch {
      break;
    }
  }
  return () => rmSync(ballast);
}

const database = (folder: string) => ({ host: join(folder, 'run'), port: 5432, user: 'lintel', database: 'lintel' });
const comment = (admin: Session, card: string) => admin.api.post(`/cards/${card}/comments`, { body: LONG });

t.test('below the threshold writes are refused, and accepted again when space is free', async (t) => {
  const folder = await smallDisk(t, 700);
  if (folder === undefined) return;
  const service = await startService({
    dataDir: folder,
    env: { STORAGE_MIN_FREE_MB: '200', SHUTDOWN_GRACE_SECONDS: '1' },
  });
  t.teardown(() => service.stop());
  const admin = await registerAdmin(service.origin);
  const card = (await admin.api.post('/cards', { type: 'Application', name: 'One' })).body;
  const freeSpace = fill(folder, 190 * MIB);
  await until(async () => (await comment(admin, card.id)).status === 503, BACK_MS);
  t.match(await comment(admin, card.id), { status: 503, body: { code: 'storage_full' } });
  t.equal((await admin.api.get(`/cards/${card.id}`)).status, 200);
  t.equal((await (await login(service.origin, 'admin@example.org')).api.get('/cards')).status, 200);
  t.match(await client(service.origin).get('/api/ready'), { status: 200, body: { checks: { storage: 'full' } } });
  freeSpace();
  await until(async () => (await comment(admin, card.id)).status === 201, BACK_MS);
  t.match(await client(service.origin).get('/api/ready'), { status: 200, body: { checks: { storage: 'ok' } } });
});

t.test('a completely full disk does not end the service, and no acknowledged write is lost', async (t) => {
  const folder = await smallDisk(t, 500);
  if (folder === undefined) return;
  const service = await startService({
    dataDir: folder,
    env: { STORAGE_MIN_FREE_MB: '0', SHUTDOWN_GRACE_SECONDS: '1' },
  });
  t.teardown(() => service.stop());
  let over = false;
  void service.exited.then(() => {
    over = true;
  });
  const admin = await registerAdmin(service.origin);
  const card = (await admin.api.post('/cards', { type: 'Application', name: 'One' })).body;
  const refusals = new Map<string, number>();
  let acknowledged = 0;
  for (let round = 0; round < 3 && !over; round++) {
    const freeSpace = fill(folder, 0);
    // Existing files of the write-ahead log have space for some writes.
    let refused = 0;
    const end = performance.now() + BACK_MS;
    while (refused < 30 && !over && performance.now() < end) {
      const answers = await Promise.all(
        Array.from({ length: 20 }, () =>
          comment(admin, card.id).catch((error: unknown) => ({
            status: 0,
            body: { code: String(error) },
            headers: new Headers(),
          })),
        ),
      );
      for (const { status, body, headers } of answers) {
        if (status === 201) acknowledged++;
        else {
          refused++;
          refusals.set(`${status} ${body.code}`, (refusals.get(`${status} ${body.code}`) ?? 0) + 1);
          if (!headers.has('retry-after')) refusals.set('without Retry-After', 1);
        }
      }
      if (refused > 0) await pause(300);
    }
    t.ok(refused > 0, 'writes were refused');
    // Without space for the next file of the write-ahead log PostgreSQL ends all sessions, and then itself.
    for (let file = 0; round > 0 && file < 60; file++) {
      const isOut = await sql(
        database(folder),
        `select pg_logical_emit_message(true, 'test', 'full'), pg_switch_wal()`,
      ).then(
        () => false,
        () => true,
      );
      if (isOut) break;
    }
    await pause(3_000);
    t.equal((await client(service.origin).get('/api/health')).status, 200, 'the service is running');
    freeSpace();
    await until(
      async () => over || (await comment(admin, card.id).catch(() => ({ status: 0 }))).status === 201,
      BACK_MS,
    );
    acknowledged++;
  }
  t.match(service.output(), /PostgreSQL has ended: it is started again/, 'PostgreSQL ended and was restarted');
  t.notOk(over, service.output().slice(-800));
  t.ok(
    [...refusals.keys()].every((key) => ['503 storage_full', '503 unavailable'].includes(key)),
    JSON.stringify([...refusals]),
  );
  t.ok(refusals.has('503 storage_full'));
  const [{ n } = { n: 0 }] = await sql<{ n: number }>(database(folder), 'select count(*)::int as n from card_comments');
  t.ok(n >= acknowledged, `acknowledged comments are stored: ${acknowledged} of ${n}`);
});
