/** Running exports: readers that disconnect, stall or are slow, a database that goes down, and concurrency limits. */
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import t from 'tap';
import { copyOut, SettingBindings } from '../../core/foundation/db/copy.js';
import { Semaphore } from '../../core/foundation/semaphore.js';
import { client, expectStatus, registerAdmin, sql, testApp, until } from '../support/app.js';

const CARDS = 3_000;
/** Bytes of a description: an export is many times larger than all buffers between the database and a reader. */
const LONG = 20_000;
const POOL = 6;

const { app, origin, database, close } = await testApp({ config: { databasePoolMax: POOL } });
t.teardown(close);
const { api, token } = await registerAdmin(origin);
for (let from = 0; from < CARDS; from += 1_000) {
  const operations = Array.from({ length: 1_000 }, (_, i) => ({
    op: 'create',
    card: { type: 'Application', name: `Card ${from + i}` },
  }));
  expectStatus(await api.post('/cards/bulk', { operations }), 200, 'creating cards');
}
await sql(database, `update cards set description = repeat('0123456789', ${LONG / 10})`);

const PATH = '/api/v1/cards/export?format=ndjson';
/** Requests an export and reads only its head. */
async function begin(): Promise<IncomingMessage> {
  const request = httpRequest(`${origin}${PATH}`, { headers: { authorization: `Bearer ${token}` }, agent: false });
  request.end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
}
const copying = async (): Promise<number> =>
  (
    await sql<{ n: number }>(
      database,
      `select count(*)::int as n from pg_stat_activity where datname = current_database() and query like 'copy (%' and state = 'active'`,
    )
  )[0]!.n;
const allIdle = (): boolean =>
  app.services.db.pool.waitingCount === 0 && app.services.db.pool.idleCount === app.services.db.pool.totalCount;

t.test('the whole export arrives in chunks, from one snapshot', async (t) => {
  const response = await begin();
  t.equal(response.headers['transfer-encoding'], 'chunked');
  t.equal(response.headers['content-length'], undefined);
  await until(async () => (await copying()) === 1, 5_000);
  // Most of the export is not sent yet; later changes must not be in it.
  expectStatus(await api.post('/cards', { type: 'Application', name: 'Too late' }), 201, 'a card');
  await sql(database, `update cards set alias = 'too late'`);
  const lines = (await readText(response)).trim().split('\n');
  t.equal(lines.length, CARDS);
  t.notOk(lines.some((line) => line.includes('oo late')));
  t.ok(
    lines.every((line) => (JSON.parse(line) as { description: string }).description.length === LONG),
    'every line is whole',
  );
  t.equal((await readText(await begin())).trim().split('\n').length, CARDS + 1);
});

t.test('disconnected readers release their connections', async (t) => {
  for (let i = 0; i < 3 * POOL; i++) {
    const response = await begin();
    await once(response, 'readable');
    response.destroy();
  }
  // Some disconnect while they wait in the queue.
  const waiting = Array.from({ length: 2 * POOL }, () =>
    httpRequest(`${origin}${PATH}`, { headers: { authorization: `Bearer ${token}` }, agent: false }),
  );
  const holder = await begin();
  for (const request of waiting) request.on('error', () => undefined).end();
  t.equal((await api.get('/cards')).status, 200, 'the others have begun');
  for (const request of waiting) request.destroy();
  holder.destroy();
  await until(async () => (await copying()) === 0, 5_000);
  await until(allIdle, 5_000);
  t.equal((await readText(await begin())).trim().split('\n').length, CARDS + 1);
});

t.test('waiting exports do not block the database connections of other requests', async (t) => {
  const slow = [];
  // With so few connections one export runs at a time, and the others wait.
  for (let i = 0; i < 4; i++) slow.push(begin());
  const first = await Promise.race(slow);
  t.equal(await copying(), 1);
  for (const answer of await Promise.all(Array.from({ length: 20 }, () => api.get('/cards'))))
    t.equal(answer.status, 200);
  const lengths = await Promise.all([
    readText(first),
    ...slow.map(async (answer) => {
      const response = await answer;
      return response === first ? '' : await readText(response);
    }),
  ]);
  t.equal(lengths.filter((text) => text.length > CARDS * LONG).length, 4, 'each has its turn');
});

t.test('a database that breaks the connection breaks the file, and nothing else', async (t) => {
  const response = await begin();
  await once(response, 'readable');
  await sql(
    database,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'copy (%'`,
  );
  await t.rejects(readText(response), { code: 'ECONNRESET' }, 'the reader sees that it is not whole');
  t.equal((await api.get('/cards')).status, 200);
  t.equal((await readText(await begin())).trim().split('\n').length, CARDS + 1);
});

t.test('a reader that does not read is disconnected', async (t) => {
  const text = `copy (select repeat('x', 1000) from generate_series(1, 100000)) to stdout`;
  const stream = await copyOut(
    app.services.db,
    async () => ({ texts: () => [text], bindings: new SettingBindings() }),
    { pace: () => ({ graceMs: 50, bytesPerSecond: 1e9 }) },
  );
  stream.read(1);
  const [error] = (await once(stream, 'error')) as [Error];
  t.match(error.message, /the reader is \d+ ms behind/);
  await until(allIdle, 5_000);
});

t.test('bindings: every value is unchanged, and is only a value', async (t) => {
  const values = [
    `'`,
    `''); drop table cards; --`,
    '\\',
    '$1',
    `{a,"b",\\c,NULL}`,
    '',
    ' ',
    '日本 🚀',
    'x\ny\tz\r',
    `\\'`,
    '"',
  ];
  const read = async (value: unknown, cast = ''): Promise<unknown> => {
    const bindings = new SettingBindings();
    const text = `copy (select to_json((${bindings.add('another')}, ${bindings.add(value)}${cast})::record)->'f2') to stdout (format csv, quote E'\\x01', delimiter E'\\x02')`;
    return JSON.parse(
      await readText(await copyOut(app.services.db, async () => ({ texts: () => [text], bindings }))),
    ) as unknown;
  };
  for (const value of values) t.equal(await read(value), value);
  t.same(await read(values, '::text[]'), values);
  t.same(await read(['a', null, 'NULL'], '::text[]'), ['a', null, 'NULL']);
  t.same(await read([], '::text[]'), []);
  t.equal(await read(-12.5), -12.5);
  t.equal(await read(true), true);
  t.equal(await read(null, '::text'), null);
  t.same(await read({ a: [1, `'`] }, '::jsonb'), { a: [1, `'`] });
  t.equal(await read(new Date(0), '::timestamptz'), '1970-01-01T00:00:00+00:00');
  await t.rejects(read('x', '::uuid'), { code: '22P02' });
  await until(allIdle, 5_000);
});

t.test('queueing: a limited number runs at once, the others wait for a limited time', async (t) => {
  const turns = new Semaphore({ what: 'exports', most: 1, each: 1, waitMs: 100 });
  const end = await turns.take('one');
  for (const outcome of await Promise.allSettled([turns.take('one'), turns.take('one')]))
    t.match(outcome, { status: 'rejected', reason: { code: 'rate_limited', status: 429 } });
  const third = turns.take('one');
  end();
  end();
  const endThird = await third;
  await t.rejects(turns.take('one'), { code: 'rate_limited' }, 'ending twice is one turn');
  endThird();
  (await turns.take('one'))();
});

t.test('HEAD returns the headers of GET, without the file', async (t) => {
  const head = (query: Record<string, string>) => api.send('HEAD', '/cards/export', undefined, { query });
  const named = (headers: Headers) =>
    ['content-type', 'content-disposition', 'content-length', 'vary', 'cache-control'].map((name) => headers.get(name));
  for (const format of ['csv', 'ndjson', 'json']) {
    const query = { format, search: 'late' };
    const [answer, file] = [await head(query), await api.get('/cards/export', { query })];
    t.equal(answer.status, 200);
    t.equal(answer.body, undefined);
    t.strictSame(named(answer.headers), named(file.headers), format);
  }
  for (const [name, value] of [
    ['attributes.bogus', '1'],
    ['format', 'xml'],
    ['parent_id', 'x'],
  ] as const)
    t.equal((await head({ [name]: value })).status, 422, name);
  t.equal((await client(origin).send('HEAD', '/cards/export')).status, 401);
  // The only place is used, and the database runs its COPY.
  const response = await begin();
  t.teardown(() => response.destroy());
  t.equal((await head({})).status, 200, 'it needs no turn');
  t.equal(await copying(), 1);
  response.destroy();
  await until(allIdle, 5_000);
});

t.test('an export on two connections is the same file', async (t) => {
  const more = await testApp({ database, config: { databasePoolMax: 2 * POOL } });
  t.teardown(more.close);
  for (let from = 0; from < 17; from++) {
    const operations = Array.from({ length: 1_000 }, (_, i) => ({
      op: 'create',
      card: {
        type: i % 3 === 0 ? 'Objective' : 'Application',
        name: `More ${from} ${i}`,
        external_id: `x${from}-${i}`,
        alias: '=1',
        attributes: i % 3 === 0 ? {} : { numberOfUsers: i },
      },
    }));
    expectStatus(await api.post('/cards/bulk', { operations }), 200, 'creating cards');
  }
  const head = { authorization: `Bearer ${token}` };
  await sql(database, 'analyze cards');
  const response = await fetch(`${more.origin}${PATH}`, { headers: head });
  await until(async () => (await copying()) === 2, 5_000);
  t.equal((await response.text()).trim().split('\n').length, (await api.get('/cards?page_size=1')).body.total);
  // The largest sample of a column: more boundaries than there are cards in a part.
  for (const places of [100, 10_000]) {
    await sql(database, `alter table cards alter column id set statistics ${places}`);
    await sql(database, 'analyze cards');
    for (const query of [
      'format=csv',
      'format=ndjson',
      'format=json',
      'format=csv&type=Application',
      'format=json&status=ACTIVE,ARCHIVED',
      'format=csv&type=Objective',
      'format=csv&search=more',
    ]) {
      const [one, two] = await Promise.all(
        [origin, more.origin].map(async (at) =>
          (await fetch(`${at}/api/v1/cards/export?${query}`, { headers: head })).text(),
        ),
      );
      t.ok(one === two, `${query}, ${places} places: ${one!.length} and ${two!.length} characters`);
    }
  }
});
