import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import t from 'tap';
import { registerAdmin, sql, testApp } from '../support/app.js';

/** A minimal mail server, which accepts one mail per connection and records the commands. */
interface Talk {
  commands: string[];
  mail: string;
}
const talks: Talk[] = [];
const replies = new Map<string, string>();
const sockets = new Set<Socket>();
let isMute = false;

function serve(socket: Socket): void {
  sockets.add(socket);
  socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
  if (isMute) return;
  const talk: Talk = { commands: [], mail: '' };
  talks.push(talk);
  let received = '';
  let isData = false;
  const usual: Record<string, string> = {
    EHLO: '250-mail\r\n250 AUTH PLAIN',
    AUTH: '235 welcome',
    MAIL: '250 ok',
    RCPT: '250 ok',
    DATA: '354 go on',
    QUIT: '221 bye',
  };
  socket.write('220 mail\r\n');
  socket.setEncoding('utf8').on('data', (part: string) => {
    received += part;
    for (let end = received.indexOf('\r\n'); end >= 0; end = received.indexOf('\r\n')) {
      const line = received.slice(0, end);
      received = received.slice(end + 2);
      if (isData && line !== '.') {
        talk.mail += `${line}\n`;
        continue;
      }
      const verb = isData ? 'MESSAGE' : line.split(' ')[0]!.toUpperCase();
      isData = verb === 'DATA';
      if (verb !== 'MESSAGE') talk.commands.push(line);
      socket.write(`${replies.get(verb) ?? usual[verb] ?? (verb === 'MESSAGE' ? '250 queued as 1' : '500 what')}\r\n`);
    }
  });
}
const server = createServer(serve).listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as { port: number };

const PASSWORD = 'hunter2-of-the-mail-server';
const app = await testApp({ config: { outboundAllow: ['127.0.0.1'] } });
t.teardown(async () => {
  await app.close();
  for (const socket of sockets) socket.destroy();
  server.close();
});
const admin = await registerAdmin(app.origin);

interface Trial {
  ok: boolean;
  latency_ms: number;
  detail: string;
}
const test = async (): Promise<Trial> => (await admin.api.post<Trial>('/settings/smtp/test')).body;
const patch = (body: object) => admin.api.patch('/settings/smtp', body);

t.test('nothing is set initially, and invalid values are refused', async (t) => {
  t.strictSame((await admin.api.get<object>('/settings/smtp')).body, {
    host: null,
    port: 587,
    security: 'starttls',
    user: null,
    from_address: null,
    from_name: null,
    password: { is_set: false },
    version: 1,
  });
  t.match(await test(), { ok: false, detail: 'No mail server is set.' });
  const faults = await patch({
    host: 'a b',
    port: 0,
    security: 'ssl',
    user: 'a\r\nb',
    from_address: 'x',
    from_name: 'a\nBcc: evil@example.org',
    password: '',
    secure: true,
  });
  t.strictSame(faults.body.errors.map((e) => e.field).sort(), [
    '/from_address',
    '/from_name',
    '/host',
    '/password',
    '/port',
    '/secure',
    '/security',
    '/user',
  ]);
  t.strictSame(
    (await patch({ host: '127.0.0.1' })).body.errors.map((e) => e.field),
    ['/from_address'],
  );
});

t.test('the caller gets a mail', async (t) => {
  t.match(await patch({ host: '127.0.0.1', port, security: 'none', from_address: 'lintel@example.org' }), {
    status: 200,
    body: { version: 2 },
  });
  t.match(await test(), { ok: true, detail: `The mail to ${admin.user.email} was accepted: 250 queued as 1` });
  const { commands, mail } = talks.at(-1)!;
  t.ok(
    commands.includes('MAIL FROM:<lintel@example.org>') && commands.includes(`RCPT TO:<${admin.user.email}>`),
    commands.join(' | '),
  );
  t.match(mail, /^From: Lintel <lintel@example\.org>$/m);
  t.match(mail, /^Subject: Lintel: test of the mail settings$/m);
});

t.test('the password is used, and never returned', async (t) => {
  t.match((await patch({ user: 'lintel', password: PASSWORD, from_name: 'Größe' })).body, {
    password: { is_set: true },
    from_name: 'Größe',
    version: 3,
  });
  t.equal((await test()).ok, true);
  const auth = talks.at(-1)!.commands.find((line) => line.startsWith('AUTH PLAIN'));
  t.equal(Buffer.from(auth!.split(' ')[2]!, 'base64').toString(), `\0lintel\0${PASSWORD}`);
  replies.set('AUTH', `535 not ${PASSWORD}, surely`);
  t.match(await test(), { ok: false, detail: `127.0.0.1:${port} refuses user and password: 535 not …, surely.` });
  replies.clear();
  t.notMatch(JSON.stringify((await admin.api.get<object>('/settings/smtp')).body), PASSWORD);
  for (const table of ['events', 'event_outbox', 'settings', 'idempotency_keys']) {
    t.strictSame(
      await sql(app.database, `select count(*)::int as n from ${table} x where x::text like $1`, [`%${PASSWORD}%`]),
      [{ n: 0 }],
      `not in ${table}`,
    );
  }
});

t.test('the password is not sent to another server, and not unencrypted if it was encrypted before', async (t) => {
  t.match(await patch({ host: 'mail.example.org' }), { status: 422, body: { errors: [{ field: '/password' }] } });
  t.equal((await patch({ host: null })).status, 200);
  t.equal((await patch({ host: 'mail.example.org' })).status, 422, 'also not by changing it twice');
  t.match((await patch({ host: '127.0.0.1', security: 'tls', password: PASSWORD })).body, {
    password: { is_set: true },
  });
  t.equal((await patch({ security: 'none' })).status, 422);
  t.equal((await patch({ security: 'starttls' })).status, 200);
});

t.test('required encryption that is not available is a failure before any command', async (t) => {
  t.match(await test(), { ok: false, detail: /offers no TLS that can be trusted/ });
  t.notOk(talks.at(-1)!.commands.some((line) => /^(AUTH|MAIL)/.test(line)));
  t.equal((await patch({ security: 'tls' })).status, 200);
  t.match(await test(), { ok: false });
});

t.test('an external failure is a result', async (t) => {
  t.match((await patch({ security: 'none', user: null, password: null })).body, {
    password: { is_set: false },
    user: null,
  });
  for (const [verb, reply, detail] of [
    ['MAIL', '550 no', 'refuses sender or recipient: 550 no'],
    ['RCPT', '550 nobody\x1b[31m here', 'refuses sender or recipient'],
    ['MESSAGE', '554 spam', 'refuses the mail: 554 spam'],
    ['EHLO', 'hello', 'does not speak SMTP'],
  ] as const) {
    replies.set(verb, reply);
    const result = await test();
    t.match(result, { ok: false, detail });
    t.notMatch(result.detail, /\p{Cc}/u);
    replies.clear();
  }
  await patch({ host: '169.254.169.254' });
  t.match(await test(), { ok: false, detail: /OUTBOUND_ALLOW/ });
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port: closed } = silent.address() as { port: number };
  await new Promise((resolve) => silent.close(resolve));
  await patch({ host: '127.0.0.1', port: closed });
  t.match(await test(), { ok: false, detail: `127.0.0.1:${closed} refuses the connection.` });
});

t.test('a silent server is aborted after a limited time', async (t) => {
  isMute = true;
  await patch({ port });
  const result = await test();
  t.match(result, { ok: false, detail: `127.0.0.1:${port} did not answer in time.` });
  t.ok(result.latency_ms >= 14_000 && result.latency_ms < 30_000, `${result.latency_ms} ms`);
});
