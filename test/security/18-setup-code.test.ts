/** The first user of a service reachable from other machines needs the code from its log. */
import { networkInterfaces } from 'node:os';
import { pino } from 'pino';
import t from 'tap';
import { isFromLoopback } from '../../core/foundation/http/client-address.js';
import { SetupCode } from '../../core/identity/auth/index.js';
import { client, createDatabase, nextAddress, PASSWORD, sql, testApp, type RequestOptions } from '../support/app.js';

/** The setup code in the log of a node that starts; undefined if there is none. */
async function codeOf({ app }: Awaited<ReturnType<typeof testApp>>): Promise<string | undefined> {
  const lines: { level: number; setup_code?: string; msg: string }[] = [];
  const log = pino(
    { level: 'warn' },
    {
      write: (line: string) => {
        lines.push(JSON.parse(line) as (typeof lines)[number]);
      },
    },
  );
  await new SetupCode(app.services.db, app.services.secrets, log).start();
  if (lines[0]) t.match(lines[0], { level: 40, msg: new RegExp(lines[0].setup_code!) });
  return lines[0]?.setup_code;
}

const body = { email: 'ada@example.org', password: PASSWORD, display_name: 'Ada' };
const register = (origin: string, given: object, options: RequestOptions = {}) =>
  client(origin).post('/auth/register', given, { from: nextAddress(), ...options });
const FORWARDED = { headers: { 'x-forwarded-for': '127.0.0.1' } };

t.test('from other machines the first user needs the code, on any node, and it is valid once', async (t) => {
  const database = await createDatabase();
  const one = await testApp({ database });
  const two = await testApp({ database, config: { trustProxy: 1 } });
  t.teardown(async () => {
    await Promise.all([one.close(), two.close()]);
  });
  const code = await codeOf(one);
  t.match(code, /^[a-z2-9]{4}(-[a-z2-9]{4}){4}$/);
  t.equal(await codeOf(two), code, 'all nodes show the same');
  const missing = await register(one.origin, body, FORWARDED);
  t.match(missing, { status: 403, body: { code: 'setup_code_required' } });
  for (const headers of [
    { forwarded: 'for=127.0.0.1' },
    { 'x-forwarded-host': 'localhost' },
    { 'x-real-ip': '127.0.0.1' },
    { via: '1.1 proxy' },
  ] as Record<string, string>[]) {
    t.match(
      await register(one.origin, body, { headers }),
      { status: 403, body: { code: 'setup_code_required' } },
      Object.keys(headers)[0]!,
    );
  }
  const remote = { headers: { 'x-forwarded-for': '203.0.113.9' } };
  t.match(
    await register(two.origin, body, remote),
    { status: 403, body: { code: 'setup_code_required' } },
    'the address reported by a trusted proxy counts',
  );
  t.match(await register(two.origin, body, FORWARDED), { status: 403 }, 'a request by a proxy is never local');
  for (const wrong of [`${code!.slice(0, -1)}${code!.endsWith('a') ? 'b' : 'a'}`, code!.slice(1), 'x']) {
    t.match(await register(two.origin, { ...body, setup_code: wrong }, remote), {
      status: 403,
      body: { code: 'setup_code_required' },
    });
  }
  t.match(await register(two.origin, { ...body, setup_code: '' }, remote), { status: 422 });
  t.strictSame(await sql(database, 'select id from users'), []);
  const both = await Promise.all(
    [one, two].map(({ origin }, n) =>
      register(
        origin,
        { ...body, email: `u${n}@example.org`, setup_code: code },
        { headers: { 'x-forwarded-for': `203.0.113.${n}` } },
      ),
    ),
  );
  t.strictSame(both.map(({ status }) => status).sort(), [201, 403], 'one of two concurrent requests succeeds');
  t.strictSame(await sql(database, 'select role from users'), [{ role: 'admin' }]);
  t.equal(await codeOf(one), undefined, 'there is no code any more');
  t.strictSame(await sql(database, `select name from secrets where name = 'setup_code'`), []);
  t.match(await register(one.origin, { ...body, setup_code: code }, remote), {
    status: 403,
    body: { code: 'registration_disabled' },
  });
});

t.test('attempts with a code are limited', async (t) => {
  const one = await testApp();
  t.teardown(one.close);
  const from = nextAddress();
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, n) =>
      register(one.origin, { ...body, setup_code: `guess-${n}` }, { from, ...FORWARDED }),
    ),
  );
  t.equal(answers.filter(({ status }) => status === 403).length, 5);
  t.equal(answers.filter(({ status }) => status === 429).length, 3);
});

t.test('from this machine no code is needed', async (t) => {
  const one = await testApp();
  t.teardown(one.close);
  t.equal((await register(one.origin, body)).status, 201);
});

const address = Object.values(networkInterfaces())
  .flat()
  .find((each) => each && !each.internal && each.family === 'IPv4')?.address;

t.test('a request from a non-loopback address of this machine needs the code', async (t) => {
  const one = await testApp();
  t.teardown(one.close);
  const answer = await one.app.inject({
    method: 'POST',
    url: '/api/v1/auth/register',
    payload: body,
    remoteAddress: address ?? '203.0.113.9',
  });
  t.equal(answer.statusCode, 403);
  t.equal(answer.json<{ code: string }>().code, 'setup_code_required');
});

t.test('loopback addresses', async (t) => {
  for (const peer of ['127.0.0.1', '127.9.8.7', '::1', '::ffff:127.0.0.1'])
    t.ok(isFromLoopback(peer, { host: 'localhost' }), peer);
  for (const peer of ['192.168.0.1', '::', 'fe80::1', '::ffff:10.0.0.1', '1.127.0.0', '127.evil', undefined])
    t.notOk(isFromLoopback(peer, {}), String(peer));
});
