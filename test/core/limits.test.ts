import t from 'tap';
import { clientKey } from '../../core/foundation/http/client-address.js';
import { cleanHits } from '../../core/identity/auth/index.js';
import { client, login, nextAddress, registerAdmin, sql, testApp } from '../support/app.js';

const one = await testApp();
const two = await testApp({ database: one.database });
t.teardown(async () => {
  await Promise.all([one.close(), two.close()]);
});
const admin = await registerAdmin(one.origin);

const LIMIT = 10;
/** More than the limit. */
const LOGINS = 20;

t.test('the limit of log-ins applies to an address on all nodes, whatever headers the client sends', async (t) => {
  const from = nextAddress();
  const names = [
    'x-forwarded-for',
    'X-Forwarded-For',
    'forwarded',
    'x-real-ip',
    'x-client-ip',
    'true-client-ip',
    'cf-connecting-ip',
  ];
  const answers = await Promise.all(
    Array.from({ length: LOGINS + 1 }, (_, n) =>
      client(n % 2 ? one.origin : two.origin).post(
        '/auth/login',
        { email: `nobody-${n}@example.org`, password: 'wrong-guess-of-mine' },
        { from, headers: { [names[n % names.length]!]: `203.0.113.${n}` } },
      ),
    ),
  );
  const refused = answers.filter((a) => a.status === 429);
  t.equal(refused.length, answers.length - LIMIT, 'as many as are allowed are let in');
  t.equal(answers.filter((a) => a.status === 401).length, answers.length - refused.length);
  t.match(refused[0]!.body, { code: 'rate_limited' });
  const wait = Number(refused[0]!.headers.get('retry-after'));
  t.ok(wait >= 1 && wait <= 60);
  t.match(refused[0]!.headers.get('ratelimit-policy'), /;q=10;w=60$/);
  t.match(refused[0]!.headers.get('ratelimit'), /;r=0;t=\d+$/);
  t.ok(await login(one.origin, admin.user.email), 'another address is let in');
});

t.test('a route without a limit is not counted', async (t) => {
  const from = nextAddress();
  const before = await sql(one.database, 'select sum(cardinality(at))::int as n from rate_hits');
  for (let n = 0; n < 30; n++) t.equal((await admin.api.get('/auth/me', { from })).status, 200);
  t.strictSame(await sql(one.database, 'select sum(cardinality(at))::int as n from rate_hits'), before);
});

t.test('behind a trusted proxy the address reported by it counts, and no other header', async (t) => {
  const proxied = await testApp({ database: one.database, config: { trustProxy: 1 } });
  t.teardown(proxied.close);
  const from = nextAddress();
  const hit = (forwarded: string) =>
    client(proxied.origin).post(
      '/auth/login',
      { email: 'nobody@example.org', password: 'wrong-guess-of-mine' },
      { from, headers: { 'x-forwarded-for': forwarded } },
    );
  const apart = await Promise.all(Array.from({ length: LOGINS + 1 }, (_, n) => hit(`203.0.113.${100 + n}`)));
  t.notOk(
    apart.some((a) => a.status === 429),
    'clients of the proxy are counted apart',
  );
  const same = await Promise.all(Array.from({ length: LOGINS + 1 }, (_, n) => hit(`198.51.100.${n}, 203.0.113.7`)));
  t.ok(
    same.some((a) => a.status === 429),
    'an address sent by the client does not count',
  );
});

t.test('the key by which a client is counted', async (t) => {
  t.equal(clientKey('192.0.2.7'), '192.0.2.7');
  t.equal(clientKey('::ffff:192.0.2.7'), '192.0.2.7');
  t.equal(clientKey('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64');
  t.equal(clientKey('2001:DB8:1:2::9'), clientKey('2001:0db8:0001:0002:ffff::1'));
  t.not(clientKey('2001:db8:1:3::1'), clientKey('2001:db8:1:2::1'));
  t.equal(clientKey('::1'), '0:0:0:0::/64');
  t.equal(clientKey('fe80::1%eth0'), 'fe80:0:0:0::/64');
  t.equal(clientKey('64:ff9b::192.0.2.33'), '64:ff9b:0:0::/64');
});

t.test('rows older than a minute are deleted', async (t) => {
  await sql(
    one.database,
    `insert into rate_hits values ('old', array[now() - interval '61 s'], true, now() - interval '61 s'), ('new', array[now() - interval '61 s', now()], true, now())`,
  );
  await cleanHits(one.app.services.db);
  t.strictSame(await sql(one.database, `select key from rate_hits where key in ('old', 'new')`), [{ key: 'new' }]);
});
