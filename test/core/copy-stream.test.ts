/**
 * Statements copied on several connections concurrently: one file, in their order, of one snapshot, with any reader.
 * Runs in a process of its own: it measures memory.
 */
import { once } from 'node:events';
import { text as readText } from 'node:stream/consumers';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import t from 'tap';
import { copyOut, SettingBindings, type CopySource } from '../../core/foundation/db/copy.js';
import { sql, testApp, until } from '../support/app.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const { app, database, close } = await testApp();
t.teardown(close);
const { db } = app.services;
await sql(database, 'create table numbers (n integer)');
await sql(database, 'insert into numbers select generate_series(1, 30000)');

const PARTS = 15;
const WIDTH = 1_000;
const CELL = `lpad(n::text, ${WIDTH}, '.')`;
const mark = (i: number): string => String(i).padStart(4, '0');
/**
 * A COPY of the numbers of parts, each part after its mark.
 * @param cell SQL of the text of number `n` in part `m`
 */
const lane = (
  parts: readonly { marked: number; from: number }[],
  cell = CELL,
): string => `copy (select m, ${cell} from (values ${parts.map(({ marked, from }) => `('${mark(marked)}', ${from})`).join(', ')}) p(m, i),
  lateral (select n from numbers where n > i * 2000 and n <= (i + 1) * 2000 order by n offset 0) x) to stdout`;
const every = Array.from({ length: PARTS }, (_, i) => i);
/** The statements for a number of connections; for one connection without marks. */
const texts =
  (parts: readonly number[], cell?: string) =>
  (of: number): string[] => {
    const all = parts.map((from, marked) => ({ marked, from }));
    return of === 1
      ? [lane(all, cell).replace('m, ', '')]
      : Array.from({ length: of }, (_, n) =>
          lane(
            all.filter(({ marked }) => marked % of === n),
            cell,
          ),
        );
  };
const source =
  (connections: number, given: Partial<CopySource> = {}) =>
  async (): Promise<CopySource> => ({ texts: texts(every), connections, bindings: new SettingBindings(), ...given });
const whole = Array.from({ length: 30_000 }, (_, i) => `${String(i + 1).padStart(WIDTH, '.')}\n`).join('');
const allIdle = (): boolean => db.pool.waitingCount === 0 && db.pool.idleCount === db.pool.totalCount;
const copying = async (how = ''): Promise<number> =>
  (
    await sql<{ n: number }>(
      database,
      `select count(distinct pid)::int as n from pg_stat_activity where datname = current_database() and query like 'copy (%' and state = 'active' ${how}`,
    )
  )[0]!.n;

for (const connections of [1, 2, 3]) {
  await t.test(`on ${connections} at most`, async (t) => {
    t.ok((await readText(await copyOut(db, source(connections)))) === whole, 'all of it, in order');
    // Empty parts: before, between and after the others, and a statement with only empty parts.
    for (const [full, given] of [
      [[0], [0, 15, 16, 17]],
      [[7], [15, 7, 16, 17, 18]],
      [
        [3, 12],
        [15, 3, 16, 12, 17, 18, 19],
      ],
    ] as const) {
      const rows = full.map((i) => whole.slice(i * 2_000 * (WIDTH + 1), (i + 1) * 2_000 * (WIDTH + 1))).join('');
      t.ok(
        (await readText(
          await copyOut(db, source(connections, { texts: texts(given), before: '[', after: ']', skip: WIDTH - 1 })),
        )) === `[${rows.slice(WIDTH - 1)}]`,
        `full: ${full.join()}`,
      );
    }
    t.equal(
      await readText(
        await copyOut(db, source(connections, { texts: texts([15, 16, 17]), before: '[', after: ']', skip: 1 })),
      ),
      '[]',
      'no row at all',
    );
    // Texts in binary format: rows of a few bytes, rows larger than one read, and no rows.
    const binary = (parts: readonly number[], cell?: string) => ({
      isBinary: true,
      before: '[',
      after: ']',
      texts: (of: number) => texts(parts, cell)(of).map((text) => `${text} (format binary)`),
    });
    t.ok(
      (await readText(await copyOut(db, source(connections, binary(every))))) === `[${whole.replaceAll('\n', '')}]`,
      'binary',
    );
    t.ok(
      (await readText(await copyOut(db, source(connections, binary([0, 15, 1, 16], `n::text || '\t"é'`))))) ===
        `[${Array.from({ length: 4_000 }, (_, i) => `${i + 1}\t"é`).join('')}]`,
      'binary, short',
    );
    t.ok(
      (await readText(
        await copyOut(
          db,
          source(connections, binary([15, 14, 16], `case when n > 29980 then repeat(n::text, 50000) else '' end`)),
        ),
      )) === `[${Array.from({ length: 20 }, (_, i) => String(i + 29_981).repeat(50_000)).join('')}]`,
      'binary, long',
    );
    t.equal(await readText(await copyOut(db, source(connections, binary([15, 16, 17])))), '[]', 'binary, none');
    await until(allIdle);
  });
}

await t.test('a slow reader: unread rows wait, and are of the initial snapshot', async (t) => {
  const stream = await copyOut(db, source(2));
  await until(async () => (await copying(`and wait_event = 'ClientWrite'`)) === 2);
  await sql(database, 'insert into numbers select generate_series(1, 30000)');
  t.equal(db.pool.totalCount - db.pool.idleCount, 2, 'both connections are in use');
  // The texts of earlier tests are 30 MB each, and count until they are collected.
  collect();
  const { arrayBuffers } = process.memoryUsage();
  t.ok(arrayBuffers < 100 * 1024 * 1024, `${Math.round(arrayBuffers / 1024 / 1024)} MB`);
  const chunks: Buffer[] = [];
  for await (const chunk of stream) {
    chunks.push(chunk as Buffer);
    if (chunks.length % 20 === 0) await new Promise(setImmediate);
  }
  t.ok(Buffer.concat(chunks).toString() === whole, 'all of it, once');
  await until(allIdle);
  await sql(database, 'truncate numbers');
  await sql(database, 'insert into numbers select generate_series(1, 30000)');
});

await t.test('a reader that disconnects frees all connections', async () => {
  for (let taken = 0; taken < 12; taken++) {
    const stream = await copyOut(db, source(2));
    for (let n = 0; n < taken; n++)
      await new Promise((resolve) => {
        stream.once('data', resolve);
      });
    stream.destroy();
    await until(allIdle);
  }
  await until(async () => (await copying()) === 0);
});

await t.test('a statement that fails breaks the file', async (t) => {
  const broken = (at: number) =>
    copyOut(
      db,
      source(2, { texts: texts(every, `case m when '${mark(at)}' then (1 / (n - n))::text else ${CELL} end`) }),
    );
  await t.rejects(broken(0), { code: '22012' }, 'the first: before anything is sent');
  for (const at of [1, 2, 7, PARTS - 1]) await t.rejects(broken(at).then(readText), { code: '22012' }, `number ${at}`);
  await until(allIdle);
});

await t.test('rows that come in another order break the file', async (t) => {
  const turned = (of: number): string[] =>
    texts(every.slice(0, 4))(of).map((text) => text.replace("'0000', 0", "'0004', 4"));
  await t.rejects(copyOut(db, source(2, { texts: turned })).then(readText), /part 2 came after those of 4/);
  await until(allIdle);
});

await t.test('a connection that is cut breaks the file', async (t) => {
  for (const which of ['min', 'max']) {
    const blamed: Error[] = [];
    const stream = await copyOut({ connect: () => db.connect(), broke: (error) => blamed.push(error) }, source(2));
    const ended = once(stream, 'error');
    await sql(
      database,
      `select pg_terminate_backend((select ${which}(pid) from pg_stat_activity where datname = current_database() and query like 'copy (%'))`,
    );
    stream.resume();
    await ended;
    t.equal(blamed.length, 1, 'the cause is reported once');
    await until(allIdle);
  }
});

await t.test('if the snapshot cannot be shared, one connection copies everything', async (t) => {
  let asked = 0;
  const one = { connect: () => (asked++ === 0 ? db.connect() : Promise.reject(new Error('there is no other'))) };
  t.ok((await readText(await copyOut(one, source(2)))) === whole, 'none');
  // As if the second connection were to another server, which does not have the snapshot.
  let joined = 0;
  const other = {
    connect: async () => {
      const client = await db.connect();
      if (joined++ > 0) {
        const { query } = client;
        client.query = ((text: unknown, ...rest: unknown[]) =>
          (query as (...given: unknown[]) => unknown).call(
            client,
            typeof text === 'string' ? text.replace(/snapshot '.*'/, `snapshot '00000003-000000FF-1'`) : text,
            ...rest,
          )) as typeof client.query;
      }
      return client;
    },
  };
  t.ok((await readText(await copyOut(other, source(2)))) === whole, 'another');
  t.equal(joined, 2, 'the second connection was tried');
  // As with a full disk, the snapshot cannot be exported; the second time the connection is lost as well.
  for (const isLost of [false, true]) {
    const unshared = {
      connect: async () => {
        const client = await db.connect();
        const { query } = client;
        client.query = ((text: unknown, ...rest: unknown[]) =>
          (query as (...given: unknown[]) => unknown).call(
            client,
            typeof text === 'string' ? text.replace('pg_export_snapshot()', '1 / 0') : text,
            ...rest,
          )) as typeof client.query;
        return client;
      },
    };
    const stream = copyOut(unshared, source(2, isLost ? { texts: texts(every, '(1 / (n - n))::text') } : {}));
    if (isLost) await t.rejects(stream, { code: '22012' }, 'the error is reported');
    else t.ok((await readText(await stream)) === whole, 'none to share with');
    await until(allIdle);
  }
  await until(allIdle);
});
