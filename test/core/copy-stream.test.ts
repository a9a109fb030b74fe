/** Statements that are copied on several connections at once: one file, in their order, of one snapshot, whatever the reader does. */
import { once } from 'node:events';
import { text as readText } from 'node:stream/consumers';
import t from 'tap';
import { copyOut, SettingBindings, type CopySource } from '../../core/db/copy.js';
import { sql, testApp, until } from '../helper.js';

const { app, database, close } = await testApp();
t.teardown(close);
const { db } = app.services;
await sql(database, 'create table numbers (n integer)');
await sql(database, 'insert into numbers select generate_series(1, 30000)');

const RANGES = 15;
const WIDTH = 1_000;
const range = (i: number): string => `copy (select lpad(n::text, ${WIDTH}, '.') from numbers where n > ${i * 2_000} and n <= ${(i + 1) * 2_000} order by n) to stdout`;
const texts = Array.from({ length: RANGES }, (_, i) => range(i));
const source = (given: Partial<CopySource> = {}) => async (): Promise<CopySource> => ({ texts, bindings: new SettingBindings(), ...given });
const whole = Array.from({ length: 30_000 }, (_, i) => `${String(i + 1).padStart(WIDTH, '.')}\n`).join('');
const allIdle = (): boolean => db.pool.waitingCount === 0 && db.pool.idleCount === db.pool.totalCount;
const copying = async (): Promise<number> =>
  (await sql<{ n: number }>(database, `select count(distinct pid)::int as n from pg_stat_activity where datname = current_database() and query like 'copy (%' and state = 'active'`))[0]!.n;

for (const connections of [1, 2, 3]) {
  await t.test(`on ${connections} at most`, async (t) => {
    t.ok(await readText(await copyOut(db, source(), { connections })) === whole, 'all of it, in order');
    t.equal(await readText(await copyOut(db, source({ texts: [range(RANGES), range(0), range(RANGES)], before: '[', after: ']', skip: WIDTH - 1 }), { connections })),
      `[${whole.slice(WIDTH - 1, 2_000 * (WIDTH + 1))}]`, 'empty ones, and what stands around');
    await until(allIdle, 5_000);
  });
}

await t.test('a reader that takes its time: what is ahead of it waits, and is of the snapshot of the beginning', async (t) => {
  const stream = await copyOut(db, source(), { connections: 2 });
  await until(async () => await copying() <= 1, 5_000);
  await sql(database, 'insert into numbers select generate_series(1, 30000)');
  t.ok(db.pool.totalCount - db.pool.idleCount === 2, 'both connections are held');
  const { arrayBuffers } = process.memoryUsage();
  t.ok(arrayBuffers < 100 * 1024 * 1024, `${Math.round(arrayBuffers / 1024 / 1024)} MB`);
  const chunks: Buffer[] = [];
  for await (const chunk of stream) {
    chunks.push(chunk as Buffer);
    if (chunks.length % 20 === 0) await new Promise(setImmediate);
  }
  t.ok(Buffer.concat(chunks).toString() === whole, 'all of it, once');
  await until(allIdle, 5_000);
  await sql(database, 'truncate numbers');
  await sql(database, 'insert into numbers select generate_series(1, 30000)');
});

await t.test('a reader that leaves frees all connections', async () => {
  for (let taken = 0; taken < 12; taken++) {
    const stream = await copyOut(db, source(), { connections: 2 });
    for (let n = 0; n < taken; n++) await new Promise((resolve) => { stream.once('data', resolve); });
    stream.destroy();
    await until(allIdle, 5_000);
  }
  await until(async () => await copying() === 0, 5_000);
});

await t.test('a statement that fails breaks the file', async (t) => {
  const broken = (at: number) => copyOut(db, source({ texts: texts.map((one, i) => (i === at ? `copy (select 1 / (n - n) from numbers) to stdout` : one)) }), { connections: 2 });
  await t.rejects(broken(0), { code: '22012' }, 'the first: before anything is sent');
  for (const at of [1, 2, 7, RANGES - 1]) await t.rejects(broken(at).then(readText), { code: '22012' }, `number ${at}`);
  await until(allIdle, 5_000);
});

await t.test('a connection that is cut breaks the file', async (t) => {
  for (const which of ['min', 'max']) {
    const blamed: Error[] = [];
    const stream = await copyOut({ connect: () => db.connect(), broke: (error) => blamed.push(error) }, source(), { connections: 2 });
    const ended = once(stream, 'error');
    await sql(database, `select pg_terminate_backend((select ${which}(pid) from pg_stat_activity where datname = current_database() and query like 'copy (%'))`);
    stream.resume();
    await ended;
    t.equal(blamed.length, 1, 'whose fault it is, is told once');
    await until(allIdle, 5_000);
  }
});

await t.test('another server, or none: one connection does it all', async (t) => {
  let asked = 0;
  const one = { connect: () => (asked++ === 0 ? db.connect() : Promise.reject(new Error('there is no other'))) };
  t.ok(await readText(await copyOut(one, source(), { connections: 2 })) === whole, 'none');
  // As on another server, the snapshot is not known there.
  let joined = 0;
  const other = { connect: async () => {
    const client = await db.connect();
    if (joined++ > 0) {
      const { query } = client;
      client.query = ((text: unknown, ...rest: unknown[]) => (query as (...given: unknown[]) => unknown).call(client, typeof text === 'string' ? text.replace(/snapshot '.*'/, `snapshot '00000003-000000FF-1'`) : text, ...rest)) as typeof client.query;
    }
    return client;
  } };
  t.ok(await readText(await copyOut(other, source(), { connections: 2 })) === whole, 'another');
  t.equal(joined, 2, 'it was asked');
  // As with a full disk, the snapshot cannot be written down for others; the second time nothing can be read either.
  for (const isLost of [false, true]) {
    const unshared = { connect: async () => {
      const client = await db.connect();
      const { query } = client;
      client.query = ((text: unknown, ...rest: unknown[]) => (query as (...given: unknown[]) => unknown).call(client, typeof text === 'string' ? text.replace('pg_export_snapshot()', '1 / 0') : text, ...rest)) as typeof client.query;
      return client;
    } };
    const stream = copyOut(unshared, source(isLost ? { texts: ['copy (select 1 / (n - n) from numbers) to stdout', range(0)] } : {}), { connections: 2 });
    if (isLost) await t.rejects(stream, { code: '22012' }, 'what is wrong is said');
    else t.ok(await readText(await stream) === whole, 'none to share with');
    await until(allIdle, 5_000);
  }
  await until(allIdle, 5_000);
});
