/** A page of long texts is refused where its items are too large together, and what is read for a user counts for the user. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { availableParallelism } from 'node:os';
import t from 'tap';
import { makeUser, registerAdmin, sql, testApp, until } from '../support/app.js';

const { origin, database, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const viewer = await makeUser(admin, 'viewer');

const EXPORTS = `select from pg_stat_activity where datname = current_database() and query like 'copy%' and state = 'active'`;
/** Texts that compression does not make much shorter. */
const long = (bytes: number): string => randomBytes((bytes / 4) * 3).toString('base64');
for (let n = 0; n < 4; n++)
  await admin.api.post('/cards/bulk', {
    operations: Array.from({ length: 50 }, (_, i) => ({
      op: 'create',
      card: { type: 'Application', name: `Long ${n * 50 + i}`, description: long(48_000) },
    })),
  });

t.test('a list of cards', async (t) => {
  const { status, body } = await viewer.api.get('/cards?page_size=200');
  t.match({ status, body }, { status: 422, body: { code: 'too_expensive', detail: /page_size/ } });
  t.equal((await viewer.api.get('/cards?page_size=200')).status, 422, 'also from memory');
  t.equal((await viewer.api.get('/cards?page_size=100')).body.items.length, 100);
});

t.test('the history of a card', async (t) => {
  const { id } = (await admin.api.post('/cards', { type: 'Application', name: 'Changed' })).body;
  for (let n = 0; n < 100; n++) await admin.api.patch(`/cards/${id}`, { description: long(48_000) });
  const { status, body } = await viewer.api.get(`/cards/${id}/history?page_size=200`);
  t.match({ status, body }, { status: 422, body: { code: 'too_expensive', detail: /page_size/ } });
  t.equal((await viewer.api.get(`/cards/${id}/history?page_size=50`)).body.items.length, 50);
});

const agent = new Agent({ keepAlive: true });
t.teardown(() => agent.destroy());
/** Whether a page is compressed. */
async function isCompressed(): Promise<boolean> {
  const headers = { authorization: `Bearer ${admin.token}`, 'accept-encoding': 'gzip' };
  const sent = request(`${origin}/api/v1/cards?page_size=20`, { agent, headers }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'close');
  const encoding = response.headers['content-encoding'];
  if (encoding === undefined) t.match(response.headers.vary, /accept-encoding/i);
  return encoding === 'gzip';
}

t.test('while responses are being compressed, others are sent as they are', async (t) => {
  const answers = await Promise.all(Array.from({ length: 4 * availableParallelism() }, isCompressed));
  t.ok(answers.includes(false) && answers.includes(true), String(answers));
  await until(isCompressed);
});

const lastCreated = `select name from cards order by id desc limit 1`;
/** Sends requests on a connection, of which the third and the fourth wait for responses that nobody reads. Resolves when the fourth was processed. */
async function pipeline(third: string): Promise<Socket> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  const text = (line: string, ...headers: string[]): string =>
    [`${line} HTTP/1.1`, 'Host: test', `Authorization: Bearer ${admin.token}`, ...headers, '', ''].join('\r\n');
  const name = randomBytes(8).toString('hex');
  const body = JSON.stringify({ type: 'Application', name });
  socket
    .pause()
    .write(
      text('GET /api/v1/cards?page_size=150').repeat(2) +
        text(`GET /api/v1${third}`, 'Accept-Encoding: gzip') +
        text('POST /api/v1/cards', 'Content-Type: application/json', `Content-Length: ${body.length}`) +
        body,
    );
  await until(async () => (await sql<{ name: string }>(database, lastCreated))[0]?.name === name);
  return socket;
}

t.test('a response that waits for an earlier one keeps no place when its connection ends', async () => {
  for (let n = 0; n < 2 * availableParallelism(); n++) (await pipeline('/cards?page_size=20')).destroy();
  await until(isCompressed);
});

t.test('the same for an export', async () => {
  for (let n = 0; n < 4; n++) (await pipeline('/cards/export?format=csv')).destroy();
  // Before an export ends because its reader is behind.
  await until(async () => (await sql(database, EXPORTS)).length === 0, 15_000);
});
