/** What one user's requests use of a node, connections to the database above all, is a share: the rest is for other users. */
import { connect, type Socket } from 'node:net';
import pg from 'pg';
import t from 'tap';
import { Database } from '../../core/foundation/db/database.js';
import {
  createDatabase,
  makeUser,
  registerAdmin,
  sql,
  testApp,
  until,
  type Answer,
  type Session,
} from '../support/app.js';
import { databaseProxy } from '../support/database-proxy.js';

const POOL = 8;
/** A quarter of the connections. */
const EACH = 2;

const { origin, database, close } = await testApp({ config: { databasePoolMax: POOL } });
t.teardown(close);
const admin = await registerAdmin(origin);
const [viewer, other, member] = [
  await makeUser(admin, 'viewer'),
  await makeUser(admin, 'viewer'),
  await makeUser(admin, 'member'),
];
const {
  body: { id },
} = await admin.api.post('/cards', { type: 'Application', name: 'Ledger', description: 'as it was' });

/** Holds locks until it is called: statements that need them wait. */
async function locked(statement: string): Promise<() => Promise<void>> {
  const client = new pg.Client(database);
  await client.connect();
  await client.query(`begin; ${statement}`);
  return async () => {
    await client.query('rollback');
    await client.end();
  };
}

/** Number of statements of requests that wait for a lock; the service itself reads cards after writes, too. */
async function waiting(): Promise<number> {
  const statements = await sql(
    database,
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
      and query ~ 'card_rows|card_versions|relations|change_row'`,
  );
  return statements.length;
}
const noReads = (): Promise<() => Promise<void>> => locked('lock table cards in access exclusive mode');

/** Sends a request on a connection of its own. */
function send(
  { token }: Session,
  method: string,
  path: string,
  body = '',
  to = origin,
): { socket: Socket; status: Promise<number> } {
  const { hostname, port } = new URL(to);
  const socket = connect(Number(port), hostname);
  const type = body === '' ? '' : 'Content-Type: application/json\r\n';
  socket.write(
    `${method} /api/v1${path} HTTP/1.1\r\nHost: test\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\n${type}Content-Length: ${body.length}\r\n\r\n${body}`,
  );
  const status = new Promise<number>((resolve) => {
    let text = '';
    socket
      .on('error', () => undefined)
      .on('data', (part: Buffer) => (text += part.toString('latin1')))
      .on('close', () => resolve(Number(text.split(' ')[1])));
  });
  return { socket, status };
}

const LISTS = [
  '/cards?sort_by=updated_at',
  '/cards?search=ledger',
  '/relations',
  '/cards/facets',
  `/cards/${id}/history`,
];

await t.test('reads of one user, of any route, hold a quarter of the connections', async (t) => {
  const unlock = await locked('lock table cards, relations, card_versions in access exclusive mode');
  const sent = LISTS.flatMap((path) => Array.from({ length: POOL }, () => viewer.api.get(path)));
  await until(async () => (await waiting()) === EACH);
  t.equal((await admin.api.get('/users')).status, 200, 'a read of another user is answered');
  t.equal((await admin.api.patch('/settings', { currency: 'CHF' })).status, 200, 'and a write');
  const more = Array.from({ length: POOL }, () => other.api.get('/cards?search=ledger'));
  await until(async () => (await waiting()) === 2 * EACH);
  t.equal((await admin.api.get('/users')).status, 200, 'also with more users');
  t.equal(await waiting(), 2 * EACH, 'no more than their shares ran meanwhile');
  await unlock();
  const statuses = (await Promise.all([...sent, ...more])).map(({ status }) => status);
  t.strictSame([...new Set(statuses)], [200], 'waiting requests are answered afterwards');
});

await t.test('a statement is one process of PostgreSQL, without parallel workers', async (t) => {
  for (const free of ['parallel_setup_cost', 'parallel_tuple_cost', 'min_parallel_table_scan_size'])
    await sql(database, `do $$ begin execute format('alter database %I set ${free} = 0', current_database()); end $$`);
  const ofService = new Database({ connection: database, max: 1 });
  t.teardown(() => ofService.close());
  const explain = { name: undefined, text: 'explain select count(*) from cards' };
  t.notMatch(JSON.stringify(await ofService.query(explain)), /Gather/);
});

await t.test('a client that disconnects cancels its statements and gives up its place', async (t) => {
  const unlock = await noReads();
  const sent = Array.from({ length: 5 * POOL }, () => send(viewer, 'GET', '/cards?search=ledger'));
  await until(async () => (await waiting()) === EACH);
  for (const { socket } of sent) socket.destroy();
  await until(async () => (await waiting()) === 0);
  const next = viewer.api.get('/cards?search=ledger');
  await until(async () => (await waiting()) === 1);
  t.equal(await waiting(), 1, 'only the statement of the next request runs');
  await unlock();
  t.equal((await next).status, 200);
});

await t.test('a connection whose cancellation arrives too late is not used again', async (t) => {
  const proxy = await databaseProxy(await createDatabase());
  const app = await testApp({ database: proxy.connection });
  t.teardown(async () => {
    await app.close();
    proxy.close();
  });
  const reader = await registerAdmin(app.origin);
  const blocked = new pg.Client(app.database);
  await blocked.connect();
  await blocked.query('begin; lock table cards in access exclusive mode');
  const { socket } = send(reader, 'GET', '/cards?search=ledger', '', app.origin);
  const SESSIONS = `select pid, wait_event_type = 'Lock' as waits from pg_stat_activity where datname = current_database()`;
  const sessions = async () => (await blocked.query<{ pid: number; waits: boolean }>(SESSIONS)).rows;
  const { pid } = await until(async () => (await sessions()).find(({ waits }) => waits));
  proxy.freezeNew();
  socket.destroy();
  // The service does not know any more whether the server has received the cancellation, and closes the connection with its statement.
  await until(() => proxy.gaveUp > 0);
  await blocked.query('rollback');
  t.ok(await until(async () => !(await sessions()).some((session) => session.pid === pid), 15_000));
  proxy.restore();
  await blocked.end();
});

await t.test('a write that has begun is completed without its client', async (t) => {
  const unlock = await locked(`select from cards where id = '${id}' for update`);
  const key = { headers: { 'idempotency-key': 'gone' } };
  const { socket } = send(admin, 'PATCH', `/cards/${id}`, '{"description":"changed"}');
  await until(async () => (await waiting()) === 1);
  socket.destroy();
  await unlock();
  await until(async () => (await admin.api.get(`/cards/${id}`)).body['description'] === 'changed');
  t.equal((await admin.api.patch(`/cards/${id}`, { description: 'again' }, key)).status, 200);
});

await t.test('a read that takes too long ends with a 422', async (t) => {
  const unlock = await noReads();
  const { status, body } = await viewer.api.get('/cards?search=ledger');
  t.strictSame([status, body.code], [422, 'too_expensive']);
  t.equal(await waiting(), 0, 'and its statement with it');
  await unlock();
});

await t.test('transactions of one user that need further connections do not wait for each other', async (t) => {
  const made = await Promise.all(
    Array.from({ length: 8 * POOL }, (_, i) =>
      member.api.post(
        '/cards',
        { type: 'Application', name: `Card ${i}` },
        { headers: { 'idempotency-key': `k${i}` } },
      ),
    ),
  );
  t.strictSame([...new Set(made.map(({ status }) => status))], [201]);
});

await t.test('the values of all filters, and the words of a search, are bounded together', async (t) => {
  const values = Array.from({ length: 100 }, (_, i) => `v${i}`).join(',');
  const [two, three] = [2, 3].map((n) =>
    ['alias', 'vendor', 'version'].slice(0, n).map((key) => `attributes.${key}[ne]=${values}`),
  ) as [string[], string[]];
  const fields = ['alias', 'vendor', 'version'].map((key) => ({ key, label: key, kind: 'text' }));
  const type = { key: 'Measured', label: 'Measured', sections: [{ key: 'main', label: 'Main', fields }] };
  const made = await admin.api.post('/metamodel/types', type);
  t.equal(made.status, 201, JSON.stringify(made.body));
  t.equal((await viewer.api.get(`/cards?type=Measured&${two.join('&')}`)).status, 200);
  const refused = await viewer.api.get(`/cards?type=Measured&${three.join('&')}`);
  t.equal(refused.status, 422);
  t.match(refused.body.errors, [{ field: 'attributes.version[ne]', reason: /at most 200 values together/ }]);
  const words = (n: number): string => Array.from({ length: n }, (_, i) => `a${i}`).join('%20');
  t.equal((await viewer.api.get(`/cards?search=${words(32)}`)).status, 200);
  const long = await viewer.api.get(`/cards?search=${words(33)}`);
  t.strictSame([long.status, long.body.errors[0]!.field], [422, 'search']);
});

await t.test('places for costly requests and large bodies are held for the work, not for the sending', async (t) => {
  const { hostname, port } = new URL(origin);
  const big = Array.from({ length: 8 }, () => 'GET /api/openapi.json HTTP/1.1\r\nHost: test\r\n\r\n');
  const sockets = [viewer, other].map(({ token }) => {
    const costly = `GET /api/v1/cards/facets HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer ${token}\r\n\r\n`;
    const socket = connect(Number(port), hostname)
      .on('error', () => undefined)
      .pause();
    // The answers to the last requests cannot be sent before those to the first, which are not read.
    socket.write([...big, ...Array.from({ length: 4 }, () => costly)].join(''));
    return socket;
  });
  for (let i = 0; i < 8; i++) t.equal((await admin.api.get('/cards/facets')).status, 200);
  const answers = await Promise.all(
    [viewer, other].flatMap(({ api }) => Array.from({ length: 4 }, () => api.get('/cards/facets'))),
  );
  t.strictSame([...new Set(answers.map(({ status }) => status))], [200], 'the same users are answered, too');
  for (const socket of sockets) socket.destroy();
});

await t.test('the number of open requests of a user is bounded', async (t) => {
  const unlock = await noReads();
  const { hostname, port } = new URL(origin);
  const one = `GET /api/v1/cards?search=ledger HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer ${viewer.token}\r\n\r\n`;
  const sockets = Array.from({ length: 34 }, () =>
    connect(Number(port), hostname)
      .on('error', () => undefined)
      .pause(),
  );
  for (const socket of sockets) socket.write(one.repeat(31));
  // Each of them waits for those before it, unless it is one too many.
  let refused: Answer | undefined;
  const more = setInterval(() => {
    void viewer.api.get('/metamodel/types').then((answer) => {
      if (/open requests/.test(answer.body.detail)) refused = answer;
    });
  }, 50);
  await until(() => refused !== undefined);
  clearInterval(more);
  t.equal(refused!.status, 429);
  t.equal((await other.api.get('/metamodel/types')).status, 200, 'of another user, one more is answered');
  for (const socket of sockets) socket.destroy();
  await until(async () => (await viewer.api.get('/metamodel/types')).status === 200);
  await unlock();
});

await t.test('few requests of a user are processed at a time', async (t) => {
  const unlock = await noReads();
  const most = 32;
  const waitingOnes = Array.from({ length: most }, () => viewer.api.get('/cards?search=ledger'));
  await until(async () => (await waiting()) === EACH);
  let answered = false;
  const next = viewer.api.get('/metamodel/types').then((answer) => {
    answered = true;
    return answer;
  });
  t.equal((await other.api.get('/metamodel/types')).status, 200, 'that of another user is answered');
  t.notOk(answered, 'one more waits, although it needs no connection');
  await unlock();
  t.equal((await next).status, 200);
  await Promise.all(waitingOnes);
});
