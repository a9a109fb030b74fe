/** No webhook reaches an internal address: by notation, name or redirect. A listener there receives nothing. */
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { createServer } from 'node:http';
import t from 'tap';
import { uuidv7 } from '../../core/foundation/ids.js';
import { registerAdmin, sql, testApp, until, type AnyBody } from '../support/app.js';

const { origin, database, close } = await testApp({ config: { outboundAllow: ['127.0.0.2'] } });
t.teardown(close);
const { api, user } = await registerAdmin(origin);

let knocks = 0;
const inside = createTcpServer((socket) => {
  knocks++;
  socket.destroy();
});
await new Promise<void>((resolve) => {
  inside.listen(0, '127.0.0.1', resolve);
});
const { port } = inside.address() as AddressInfo;
const inside6 = createTcpServer((socket) => {
  knocks++;
  socket.destroy();
});
await new Promise<void>((resolve) => {
  inside6.once('error', () => resolve()).listen(port, '::1', resolve);
});
let answers = 0;
const outside = createServer((request, response) => {
  answers++;
  request.resume();
  const { searchParams } = new URL(request.url!, 'http://x');
  response.writeHead(Number(searchParams.get('status')), { location: searchParams.get('to')! }).end();
});
await new Promise<void>((resolve) => {
  outside.listen(0, '127.0.0.2', resolve);
});
const out = `http://127.0.0.2:${(outside.address() as AddressInfo).port}`;
t.teardown(() => {
  inside.close();
  inside6.close();
  outside.closeAllConnections();
  outside.close();
});

const HOSTS = [
  '127.0.0.1',
  '127.1',
  '0177.0.0.1',
  '0x7f.1',
  '2130706433',
  '0x7f000001',
  '017700000001',
  '127.0.0.1.',
  '%31%32%37.0.0.1',
  '①②⑦.⓪.⓪.①',
  '127。0。0。1',
  '0.0.0.0',
  '0',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[64:ff9b::127.0.0.1]',
  '[2002:7f00:1::]',
  '[fe80::1]',
  '[fd00::1]',
  '10.0.0.1',
  '169.254.169.254',
  '192.168.0.1',
  '100.64.0.1',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'ｌocalhost',
];

t.test('a stored address that is not allowed is not called', async (t) => {
  // Inserted directly without the check of the API, because the configuration and the addresses of names can change later.
  const ids: string[] = [];
  for (const host of HOSTS) {
    const id = uuidv7();
    ids.push(id);
    await sql(
      database,
      `insert into webhooks (id, url, types, owner_id, from_position, created_at, updated_at) select $1, $2, '{card.created}', $3, position, now(), now() from event_head`,
      [id, `http://${host}:${port}/hook`, user.id],
    );
    const { secret } = (await api.post<AnyBody & { secret: string }>(`/webhooks/${id}/rotate-secret`)).body;
    if (!secret.startsWith('whsec_')) throw new Error('no secret');
  }
  await api.post('/cards', { type: 'TechCategory', name: 'Nobody inside hears of it' });
  for (const [i, id] of ids.entries()) {
    const found = await until(async () => {
      const { items } = (
        await api.get<{ items: { attempts: number; last_attempt: { error: string } }[] }>(`/webhooks/${id}/deliveries`)
      ).body;
      return items[0] && items[0].attempts > 0 && items[0];
    }, 20_000);
    t.match(
      found.last_attempt.error,
      /is not a public address, and OUTBOUND_ALLOW does not list it|has no address/,
      HOSTS[i]!,
    );
    t.match(await api.post(`/webhooks/${id}/test`), { status: 200, body: { ok: false } }, HOSTS[i]!);
    await api.del(`/webhooks/${id}`);
  }
  t.equal(knocks, 0);
});

t.test('no redirect is followed', async (t) => {
  for (const status of [301, 302, 303, 307, 308]) {
    for (const to of [
      `http://127.0.0.1:${port}/`,
      `http://localhost:${port}/`,
      `//127.1:${port}/`,
      `${out}/?status=200&to=x`,
    ]) {
      const { id } = (
        await api.post('/webhooks', { url: `${out}/?status=${status}&to=${encodeURIComponent(to)}`, is_active: false })
      ).body;
      const before = answers;
      t.match(await api.post(`/webhooks/${id}/test`), {
        body: { ok: false, detail: new RegExp(`answered ${status}, and redirects are not followed`) },
      });
      t.equal(answers, before + 1);
    }
  }
  t.equal(knocks, 0);
});
