/** What callers are told while the database cannot be reached, and that the service recovers of itself. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import t from 'tap';
import type { DatabaseConnection } from '../../core/db/connection.js';
import { client, createDatabase, registerAdmin, testApp, until } from '../helper.js';

/** Stands between the app and its database, so that the way can be cut. */
async function wayTo(database: DatabaseConnection): Promise<{ connection: DatabaseConnection; cut(): void; mend(): void; close(): void }> {
  const open = new Set<Socket>();
  let isCut = false;
  const target = 'connectionString' in database ? new URL(database.connectionString) : undefined;
  const upstream = (): Socket => ('connectionString' in database ? connect(Number(target!.port || 5432), target!.hostname) : connect(`${database.host}/.s.PGSQL.${database.port}`));
  const server = createServer((socket) => {
    if (isCut) { socket.resetAndDestroy(); return; }
    const other = upstream();
    for (const [from, to] of [[socket, other], [other, socket]] as const) {
      open.add(from);
      from.on('error', () => to.destroy()).on('close', () => { open.delete(from); to.destroy(); }).pipe(to);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  if (target) { target.hostname = '127.0.0.1'; target.port = String(port); }
  return {
    connection: 'connectionString' in database ? { connectionString: target!.href } : { ...database, host: '127.0.0.1', port },
    cut: () => { isCut = true; for (const socket of open) socket.destroy(); },
    mend: () => { isCut = false; },
    close: () => { server.close(); for (const socket of open) socket.destroy(); },
  };
}

const way = await wayTo(await createDatabase());
const { origin, close } = await testApp({ database: way.connection, config: { logLevel: 'fatal' } });
t.teardown(async () => { await close(); way.close(); });
const admin = await registerAdmin(origin);
const card = (await admin.api.post('/cards', { type: 'Application', name: 'Before' })).body;
const guest = client(origin);

t.test('while the database is away: 503 with a time to come back, no other 5xx', async (t) => {
  way.cut();
  const ready = await until(async () => { const answer = await guest.get('/api/ready'); return answer.status === 503 && answer; });
  t.match(ready.body, { code: 'unavailable', checks: { database: 'failed', migrations: 'unknown' } });
  for (const answer of [
    await admin.api.get('/cards'), await admin.api.get(`/cards/${card.id}`), await admin.api.post('/cards', { type: 'Application', name: 'Lost' }),
    await admin.api.patch(`/cards/${card.id}`, { alias: 'lost' }), await guest.post('/auth/login', { email: 'admin@example.org', password: 'some-password' }),
    await admin.api.get('/users'), await admin.api.get('/adr'), await admin.api.get('/events'),
  ]) {
    t.match(answer, { status: 503, body: { code: 'unavailable', status: 503 } });
    t.match(answer.headers.get('retry-after'), /^\d+$/);
    t.notMatch(JSON.stringify(answer.body), /ECONN|connect|socket|127\.0\.0\.1/, 'nothing of what is inside');
  }
  t.equal((await guest.get('/api/health')).status, 200, 'the process is alive');
  t.equal((await guest.get('/api/openapi.json')).status, 200);
});

t.test('once it is back, all is as before', async (t) => {
  way.mend();
  await until(async () => (await guest.get('/api/ready')).status === 200, 20_000);
  await until(async () => (await admin.api.get('/cards')).status === 200);
  t.match((await admin.api.get(`/cards/${card.id}`)).body, { name: 'Before', version: card.version });
  t.equal((await admin.api.get('/cards')).body.total, 1, 'what was refused was not done');
  t.equal((await admin.api.post('/cards', { type: 'Application', name: 'After' })).status, 201);
});
