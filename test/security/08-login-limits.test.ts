/**
 * Wrong passwords block their source address, and never block the owner at a known address. Runs in a process of its own, with
 * the parameters of the service: it compares how long answers take.
 */
import t from 'tap';
import { client, makeUser, nextAddress, PASSWORD, registerAdmin, sql, testApp, until } from '../support/app.js';
import { loginAttempts, WRONG_PASSWORD } from '../support/login-attempts.js';

const one = await testApp();
const two = await testApp({ database: one.database });
t.teardown(async () => {
  await Promise.all([one.close(), two.close()]);
});
const admin = await registerAdmin(one.origin);
await admin.api.patch('/settings', { rate_limits: { login: 10_000 } });
await until(() => [one, two].every(({ app }) => app.services.settings.current.rate_limits.login === 10_000));

const { attempt, ownAddress, blockUnknownAddresses, isRefused, eventsOf } = loginAttempts(one, 20);

t.test('an attacker who has the e-mail address can block other unknown addresses, but not the owner', async (t) => {
  const { user } = await makeUser(admin, 'member');
  const home = await ownAddress(user.email);
  await blockUnknownAddresses(user.email);
  t.ok(await isRefused(user.email), 'a correct password from an unknown address is refused');
  t.equal(await attempt(user.email, PASSWORD, home), 200, 'it is accepted from the address of the owner');
  t.strictSame(
    await Promise.all(Array.from({ length: 20 }, () => attempt(user.email, WRONG_PASSWORD, nextAddress()))),
    Array(20).fill(401),
  );
  t.equal(await attempt(user.email, PASSWORD, home, two.origin), 200, 'also during a longer attack, on any node');
});

t.test('five misses from one address block that address only', async (t) => {
  const { user } = await makeUser(admin, 'member');
  const [home, attacker] = [await ownAddress(user.email), nextAddress()];
  for (let n = 0; n < 4; n++) await attempt(user.email, WRONG_PASSWORD, attacker);
  t.equal(await attempt(user.email, PASSWORD, attacker), 200, 'four misses do not block, and a log-in clears them');
  for (let n = 0; n < 5; n++) await attempt(user.email, WRONG_PASSWORD, attacker, n % 2 ? one.origin : two.origin);
  t.equal(await attempt(user.email, PASSWORD, attacker), 401);
  t.equal(await attempt(user.email, PASSWORD, nextAddress()), 200);
  for (let n = 0; n < 5; n++) await attempt(user.email, WRONG_PASSWORD, home);
  t.equal(await attempt(user.email, PASSWORD, home), 401, 'an address of the owner is blocked by misses from it');
});

t.test('misses count together within any 15 minutes', async (t) => {
  const { user } = await makeUser(admin, 'member');
  const from = nextAddress();
  const shift = (minutes: number) =>
    sql(
      one.database,
      'update login_misses set at = (select array_agg(h - make_interval(mins => $1)) from unnest(at) as h) where source = $2',
      [minutes, from],
    );
  for (let n = 0; n < 4; n++) await attempt(user.email, WRONG_PASSWORD, from);
  await shift(16);
  for (let n = 0; n < 2; n++) await attempt(user.email, WRONG_PASSWORD, from);
  await shift(14);
  for (let n = 0; n < 2; n++) await attempt(user.email, WRONG_PASSWORD, from);
  const [row] = await sql(
    one.database,
    'select cardinality(at) as n, limited_until from login_misses where source = $1',
    [from],
  );
  t.strictSame(row, { n: 4, limited_until: null }, 'two misses 14 minutes ago and two now');
  await attempt(user.email, WRONG_PASSWORD, from);
  t.equal(await attempt(user.email, PASSWORD, from), 401, 'five within 15 minutes');
});

t.test(
  'an unregistered e-mail address is limited equally, with the same response time, and without hashing',
  async (t) => {
    const { user } = await makeUser(admin, 'member');
    const hasher = Reflect.get(Reflect.get(one.app.services.auth, 'credentials') as object, 'hasher') as {
      verify(...args: unknown[]): Promise<boolean>;
    };
    let verified = 0;
    const verify = hasher.verify.bind(hasher);
    hasher.verify = (...args) => {
      verified++;
      return verify(...args);
    };
    t.teardown(() => {
      hasher.verify = verify;
    });
    const answers = new Set<string>();
    const timed = async (email: string, from: string): Promise<number> => {
      const began = performance.now();
      const { status, headers, body } = await client(one.origin).post(
        '/auth/login',
        { email, password: PASSWORD },
        { from },
      );
      answers.add(JSON.stringify([status, { ...body, request_id: '' }, [...headers.keys()].sort()]));
      return performance.now() - began;
    };
    const emails = [user.email, `nobody-${process.pid}@example.org`];
    const limited = [nextAddress(), nextAddress()];
    for (const [i, email] of emails.entries())
      for (let n = 0; n < 5; n++) await attempt(email, WRONG_PASSWORD, limited[i]!);
    t.equal(verified, 10, 'passwords of both are verified');
    verified = 0;
    const times = [];
    for (let n = 0; n < 5; n++) for (const [i, email] of emails.entries()) times.push(await timed(email, limited[i]!));
    t.equal(verified, 0, 'refused attempts are not verified');
    for (const email of emails) await blockUnknownAddresses(email);
    verified = 0;
    for (let n = 0; n < 5; n++) for (const email of emails) times.push(await timed(email, nextAddress()));
    t.equal(verified, 0, 'neither are those from unknown addresses');
    const verifying = [];
    for (let n = 0; n < 5; n++) verifying.push(await timed(`unknown-${n}@example.org`, nextAddress()));
    t.equal(verified, 5);
    t.equal(answers.size, 1, [...answers].join('\n'));
    const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
    t.comment(`refused at once: ${Math.round(median(times))} ms, wrong: ${Math.round(median(verifying))} ms`);
    t.ok(
      times.every((ms) => ms >= 140),
      'no refusal is faster than the response to a wrong password',
    );
    const stored = await sql(one.database, "select encode(account, 'escape') as account from login_misses");
    t.notMatch(JSON.stringify(stored), /example/, 'the entered e-mail address is not stored');
  },
);

t.test('50 wrong passwords at once over two nodes count exactly', async (t) => {
  const users = [await makeUser(admin, 'member'), await makeUser(admin, 'member')].map(({ user }) => user);
  const from = nextAddress();
  const all = (email: string, source: (n: number) => string) =>
    Promise.all(
      Array.from({ length: 50 }, (_, n) => attempt(email, WRONG_PASSWORD, source(n), n % 2 ? one.origin : two.origin)),
    );
  const statuses = await all(users[0]!.email, () => from);
  t.ok(
    statuses.every((status) => status === 401 || status === 503),
    'refused, or 503',
  );
  const count = async (source: string) =>
    (
      await sql<{ n: number; limited: boolean }>(
        one.database,
        'select cardinality(at) as n, limited_until > now() as limited from login_misses where source = $1 order by limited_until desc limit 1',
        [source],
      )
    )[0];
  t.strictSame(await count(from), { n: 5, limited: true });
  const addresses = Array.from({ length: 50 }, nextAddress);
  await sql(one.database, `delete from login_misses where source = '*'`);
  const many = await all(users[1]!.email, (n) => addresses[n]!);
  t.ok(
    many.every((status) => status === 401 || status === 503),
    `refused, or 503: ${many.join()}`,
  );
  t.strictSame(await count('*'), { n: 20, limited: true });
  t.equal((await eventsOf(users[0]!.id, 'user.locked')).length, 1, 'there is one event');
  t.equal((await eventsOf(users[1]!.id, 'user.locked')).length, 1);
});

t.test('an address without a log-in in 30 days counts as unknown', async (t) => {
  const { user } = await makeUser(admin, 'member');
  const home = await ownAddress(user.email);
  await blockUnknownAddresses(user.email);
  await sql(one.database, `update login_addresses set last_login_at = now() - interval '29 days' where user_id = $1`, [
    user.id,
  ]);
  t.equal(await attempt(user.email, PASSWORD, home), 200);
  await sql(one.database, `update login_addresses set last_login_at = now() - interval '31 days' where user_id = $1`, [
    user.id,
  ]);
  t.equal(await attempt(user.email, PASSWORD, home), 401);
});

t.test('200 wrong log-ins over addresses, headers and spellings stay limited while another user logs in', async (t) => {
  let verified = 0;
  for (const { app } of [one, two]) {
    const hasher = Reflect.get(Reflect.get(app.services.auth, 'credentials') as object, 'hasher') as {
      verify(hash: unknown, password: string, key: string): Promise<boolean>;
    };
    const verify = hasher.verify.bind(hasher);
    hasher.verify = (hash, password, key) => {
      if (password === WRONG_PASSWORD) verified++;
      return verify(hash, password, key);
    };
    t.teardown(() => {
      hasher.verify = verify;
    });
  }
  const [spread, spoofed, other] = [
    await makeUser(admin, 'member'),
    await makeUser(admin, 'member'),
    await makeUser(admin, 'member'),
  ].map(({ user }) => user);
  const home = await ownAddress(other!.email);
  const spellings = [
    (email: string) => email,
    (email: string) => email.toUpperCase(),
    (email: string) => email[0]!.toUpperCase() + email.slice(1),
    (email: string) => [...email].map((c, i) => (i % 2 ? c.toUpperCase() : c)).join(''),
  ];
  const headers = (n: number): Record<string, string>[] => [
    { 'x-forwarded-for': `203.0.113.${n}` },
    { Forwarded: `for=203.0.113.${n}` },
    { 'X-Real-IP': `203.0.113.${n}` },
    { 'X-FORWARDED-FOR': `2001:db8:${n}::1, 203.0.113.${n}` },
    { 'x-client-ip': `203.0.113.${n}`, 'true-client-ip': `203.0.113.${n}`, 'cf-connecting-ip': `203.0.113.${n}` },
  ];
  const guess = async (email: string, n: number, from: string): Promise<number> => {
    const body = { email: spellings[n % 4]!(email), password: WRONG_PASSWORD };
    const node = n % 2 ? one : two;
    return (await client(node.origin).post('/auth/login', body, { from, headers: headers(n % 250)[n % 5]! })).status;
  };
  const attacker = nextAddress();
  const attacks: [what: string, email: string, from: () => string, most: number][] = [
    // Those that run at once are verified before the first of them is counted.
    ['from 100 addresses', spread!.email, nextAddress, 20 + 10],
    ['with 100 headers and one address', spoofed!.email, () => attacker, 5 + 10],
  ];
  for (const [what, email, from, most] of attacks) {
    verified = 0;
    const statuses = new Set<number>();
    for (let batch = 0; batch < 10; batch++) {
      const guesses = Array.from({ length: 10 }, (_, n) => guess(email, batch * 10 + n, from()));
      const logIn = batch % 3 === 2 ? attempt(other!.email, PASSWORD, home) : undefined;
      for (const status of await Promise.all(guesses)) statuses.add(status);
      if (logIn) t.equal(await logIn, 200, 'another user logs in');
    }
    t.ok(verified <= most, `${what}: ${verified} passwords were verified`);
    t.strictSame([...statuses], [401]);
  }
  t.ok(await isRefused(spread!.email), 'the right password is refused from unknown addresses too');
  t.equal(await attempt(spoofed!.email.toUpperCase(), PASSWORD, attacker), 401);

  await admin.api.patch('/settings', { rate_limits: { login: 10 } });
  await until(() => [one, two].every(({ app }) => app.services.settings.current.rate_limits.login === 10));
  const flood = nextAddress();
  const statuses = [];
  for (let n = 0; n < 15; n++) statuses.push(await guess(`unknown-${n}@example.org`, n, flood));
  t.equal(statuses.filter((status) => status === 429).length, 5, `limited on both nodes: ${statuses.join(' ')}`);
  await admin.api.patch('/settings', { rate_limits: { login: 10_000 } });
});
