/** Wrong passwords have tries refused where they came from, and never shut out an owner at an address of theirs. */
import t from 'tap';
import { client, makeUser, nextAddress, PASSWORD, registerAdmin, sql, testApp, until } from '../support/app.js';

const WRONG = 'wrong-guess-of-mine';
const one = await testApp();
const two = await testApp({ database: one.database });
t.teardown(async () => {
  await Promise.all([one.close(), two.close()]);
});
const admin = await registerAdmin(one.origin);
await admin.api.patch('/settings', { rate_limits: { login: 10_000 } });
await until(() => [one, two].every(({ app }) => app.services.settings.current.rate_limits.login === 10_000));

const attempt = async (email: string, password: string, from: string, origin = one.origin): Promise<number> =>
  (await client(origin).post('/auth/login', { email, password }, { from })).status;
/** Logs in once from an address, which is known from then on. */
async function ownAddress(email: string): Promise<string> {
  const from = nextAddress();
  t.equal(await attempt(email, PASSWORD, from), 200);
  return from;
}
/** Wrong passwords from as many addresses nobody logs in from as have all of them refused. */
async function besiege(email: string): Promise<void> {
  await Promise.all(Array.from({ length: 20 }, () => attempt(email, WRONG, nextAddress())));
}
const isRefused = async (email: string): Promise<boolean> => (await attempt(email, PASSWORD, nextAddress())) === 401;
const eventsOf = async (id: string, type: string): Promise<Record<string, unknown>[]> =>
  (
    await sql<{ data: Record<string, unknown> }>(
      one.database,
      'select data from (select id, type, subject_id, data from event_outbox union all select position, type, subject_id, data from events) as e where subject_id = $1 and type = $2 order by id',
      [id, type],
    )
  ).map(({ data }) => data);

t.test('an attacker who has the e-mail address can block other unknown addresses, but not the owner', async (t) => {
  const { user } = await makeUser(admin, 'member');
  const home = await ownAddress(user.email);
  await besiege(user.email);
  t.ok(await isRefused(user.email), 'a right password from an address like those of the attack is refused');
  t.equal(await attempt(user.email, PASSWORD, home), 200, 'from the address of the owner it is not');
  t.strictSame(
    await Promise.all(Array.from({ length: 20 }, () => attempt(user.email, WRONG, nextAddress()))),
    Array(20).fill(401),
  );
  t.equal(await attempt(user.email, PASSWORD, home, two.origin), 200, 'however long it lasts, on any node');
});

t.test('five misses from one address have it refused, and no other', async (t) => {
  const { user } = await makeUser(admin, 'member');
  const [home, attacker] = [await ownAddress(user.email), nextAddress()];
  for (let n = 0; n < 4; n++) await attempt(user.email, WRONG, attacker);
  t.equal(await attempt(user.email, PASSWORD, attacker), 200, 'four do not, and are forgiven');
  for (let n = 0; n < 5; n++) await attempt(user.email, WRONG, attacker, n % 2 ? one.origin : two.origin);
  t.equal(await attempt(user.email, PASSWORD, attacker), 401);
  t.equal(await attempt(user.email, PASSWORD, nextAddress()), 200);
  for (let n = 0; n < 5; n++) await attempt(user.email, WRONG, home);
  t.equal(await attempt(user.email, PASSWORD, home), 401, 'that of the owner, too, for misses from there');
});

t.test('misses count together within 15 minutes, whenever these begin', async (t) => {
  const { user } = await makeUser(admin, 'member');
  const from = nextAddress();
  const shift = (minutes: number) =>
    sql(
      one.database,
      'update login_misses set at = (select array_agg(h - make_interval(mins => $1)) from unnest(at) as h) where source = $2',
      [minutes, from],
    );
  for (let n = 0; n < 4; n++) await attempt(user.email, WRONG, from);
  await shift(16);
  for (let n = 0; n < 2; n++) await attempt(user.email, WRONG, from);
  await shift(14);
  for (let n = 0; n < 2; n++) await attempt(user.email, WRONG, from);
  const [row] = await sql(
    one.database,
    'select cardinality(at) as n, limited_until from login_misses where source = $1',
    [from],
  );
  t.strictSame(row, { n: 4, limited_until: null }, 'two of 14 minutes ago, two of now');
  await attempt(user.email, WRONG, from);
  t.equal(await attempt(user.email, PASSWORD, from), 401, 'five within 15 minutes');
});

t.test(
  'an address nobody is registered under is limited alike, after the same time, and neither costs hashing then',
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
    for (const [i, email] of emails.entries()) for (let n = 0; n < 5; n++) await attempt(email, WRONG, limited[i]!);
    t.equal(verified, 10, 'as many are verified of either');
    verified = 0;
    const times = [];
    for (let n = 0; n < 5; n++) for (const [i, email] of emails.entries()) times.push(await timed(email, limited[i]!));
    t.equal(verified, 0, 'a refused try is not verified');
    for (const email of emails) await besiege(email);
    verified = 0;
    for (let n = 0; n < 5; n++) for (const email of emails) times.push(await timed(email, nextAddress()));
    t.equal(verified, 0, 'nor are those from unknown addresses');
    const verifying = [];
    for (let n = 0; n < 5; n++) verifying.push(await timed(`somebody-${n}@example.org`, nextAddress()));
    t.equal(verified, 5);
    t.equal(answers.size, 1, [...answers].join('\n'));
    const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
    t.comment(`refused at once: ${Math.round(median(times))} ms, wrong: ${Math.round(median(verifying))} ms`);
    t.ok(
      times.every((ms) => ms >= 140),
      'no refusal comes sooner than a wrong password is answered',
    );
    const stored = await sql(one.database, "select encode(account, 'escape') as account from login_misses");
    t.notMatch(JSON.stringify(stored), /example/, 'what was typed as an address is not stored');
  },
);

t.test('50 wrong passwords at once over two nodes count exactly', async (t) => {
  const users = [await makeUser(admin, 'member'), await makeUser(admin, 'member')].map(({ user }) => user);
  const from = nextAddress();
  const all = (email: string, source: (n: number) => string) =>
    Promise.all(
      Array.from({ length: 50 }, (_, n) => attempt(email, WRONG, source(n), n % 2 ? one.origin : two.origin)),
    );
  const statuses = await all(users[0]!.email, () => from);
  t.ok(
    statuses.every((status) => status === 401 || status === 503),
    'refused, or told to come again',
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
  t.ok(many.every((status) => status === 401));
  t.strictSame(await count('*'), { n: 20, limited: true });
  t.equal((await eventsOf(users[0]!.id, 'user.locked')).length, 1, 'and it is told once');
  t.equal((await eventsOf(users[1]!.id, 'user.locked')).length, 1);
});

t.test('an address without a log-in in 30 days counts as unknown', async (t) => {
  const { user } = await makeUser(admin, 'member');
  const home = await ownAddress(user.email);
  await besiege(user.email);
  await sql(one.database, `update login_addresses set last_login_at = now() - interval '29 days' where user_id = $1`, [
    user.id,
  ]);
  t.equal(await attempt(user.email, PASSWORD, home), 200);
  await sql(one.database, `update login_addresses set last_login_at = now() - interval '31 days' where user_id = $1`, [
    user.id,
  ]);
  t.equal(await attempt(user.email, PASSWORD, home), 401);
});
