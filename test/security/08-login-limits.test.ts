/** Wrong passwords have tries refused where they came from, and never shut out an owner at an address of theirs. */
import t from 'tap';
import { cleanAttempts, cleanHits, DatabaseLimitStore, RateLimiter } from '../../core/auth/index.js';
import { client, makeUser, nextAddress, PASSWORD, registerAdmin, sql, testApp, until, type AnyBody } from '../helper.js';

const WRONG = 'wrong-guess-of-mine';
const one = await testApp();
const two = await testApp({ database: one.database });
t.teardown(async () => { await Promise.all([one.close(), two.close()]); });
const admin = await registerAdmin(one.origin);
await admin.api.patch('/settings', { rate_limits: { login: 10_000 } });
await until(() => [one, two].every(({ app }) => app.services.settings.current.rate_limits.login === 10_000));

const attempt = async (email: string, password: string, from: string, origin = one.origin): Promise<number> => (await client(origin).post('/auth/login', { email, password }, { from })).status;
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
const isRefused = async (email: string): Promise<boolean> => await attempt(email, PASSWORD, nextAddress()) === 401;
const eventsOf = async (id: string, type: string): Promise<Record<string, unknown>[]> => (await sql<{ data: Record<string, unknown> }>(one.database,
  'select data from (select id, type, subject_id, data from event_outbox union all select position, type, subject_id, data from events) as e where subject_id = $1 and type = $2 order by id', [id, type])).map(({ data }) => data);

t.test('who knows an address shuts out other strangers, and not the owner', async (t) => {
  const { user } = await makeUser(admin, 'member');
  const home = await ownAddress(user.email);
  await besiege(user.email);
  t.ok(await isRefused(user.email), 'a right password from an address like those of the attack is refused');
  t.equal(await attempt(user.email, PASSWORD, home), 200, 'from the address of the owner it is not');
  t.strictSame(await Promise.all(Array.from({ length: 40 }, () => attempt(user.email, WRONG, nextAddress()))), Array(40).fill(401));
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
  const shift = (minutes: number) => sql(one.database, 'update login_misses set at = (select array_agg(h - make_interval(mins => $1)) from unnest(at) as h) where source = $2', [minutes, from]);
  for (let n = 0; n < 4; n++) await attempt(user.email, WRONG, from);
  await shift(16);
  for (let n = 0; n < 2; n++) await attempt(user.email, WRONG, from);
  await shift(14);
  for (let n = 0; n < 2; n++) await attempt(user.email, WRONG, from);
  const [row] = await sql(one.database, 'select cardinality(at) as n, limited_until from login_misses where source = $1', [from]);
  t.strictSame(row, { n: 4, limited_until: null }, 'two of 14 minutes ago, two of now');
  await attempt(user.email, WRONG, from);
  t.equal(await attempt(user.email, PASSWORD, from), 401, 'five within 15 minutes');
});

t.test('an address nobody is registered under is limited alike, after the same time, and neither costs hashing then', async (t) => {
  const { user } = await makeUser(admin, 'member');
  const hasher = Reflect.get(Reflect.get(one.app.services.auth, 'credentials') as object, 'hasher') as { verify(...args: unknown[]): Promise<boolean> };
  let verified = 0;
  const verify = hasher.verify.bind(hasher);
  hasher.verify = (...args) => { verified++; return verify(...args); };
  t.teardown(() => { hasher.verify = verify; });
  const answers = new Set<string>();
  const timed = async (email: string, from: string): Promise<number> => {
    const began = performance.now();
    const { status, headers, body } = await client(one.origin).post('/auth/login', { email, password: PASSWORD }, { from });
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
  t.ok(times.every((ms) => ms >= 140), 'no refusal comes sooner than a wrong password is answered');
  const stored = await sql(one.database, 'select encode(account, \'escape\') as account from login_misses');
  t.notMatch(JSON.stringify(stored), /example/, 'what was typed as an address is not stored');
});

t.test('50 wrong passwords at once over two nodes count exactly', async (t) => {
  const users = [await makeUser(admin, 'member'), await makeUser(admin, 'member')].map(({ user }) => user);
  const from = nextAddress();
  const all = (email: string, source: (n: number) => string) => Promise.all(Array.from({ length: 50 }, (_, n) => attempt(email, WRONG, source(n), n % 2 ? one.origin : two.origin)));
  const statuses = await all(users[0]!.email, () => from);
  t.ok(statuses.every((status) => status === 401 || status === 503), 'refused, or told to come again');
  const count = async (source: string) => (await sql<{ n: number; limited: boolean }>(one.database, 'select cardinality(at) as n, limited_until > now() as limited from login_misses where source = $1 order by limited_until desc limit 1', [source]))[0];
  t.strictSame(await count(from), { n: 5, limited: true });
  const addresses = Array.from({ length: 50 }, nextAddress);
  await sql(one.database, `delete from login_misses where source = '*'`);
  const many = await all(users[1]!.email, (n) => addresses[n]!);
  t.ok(many.every((status) => status === 401));
  t.strictSame(await count('*'), { n: 20, limited: true });
  t.equal((await eventsOf(users[0]!.id, 'user.locked')).length, 1, 'and it is told once');
  t.equal((await eventsOf(users[1]!.id, 'user.locked')).length, 1);
});

t.test('a new password, activation and an administrator unlock', async (t) => {
  const { user } = await makeUser(admin, 'member');
  await besiege(user.email);
  t.ok(await isRefused(user.email));
  const version = (await admin.api.get(`/users/${user.id}`)).body.version;
  const unlocked = await admin.api.post(`/users/${user.id}/unlock`);
  t.equal(unlocked.status, 204);
  t.equal((await admin.api.get(`/users/${user.id}`)).body.version, version, 'the account is as it was');
  t.equal(await attempt(user.email, PASSWORD, nextAddress()), 200);
  t.equal((await admin.api.post(`/users/${user.id}/unlock`, {})).status, 204, 'again changes nothing');
  t.equal((await eventsOf(user.id, 'user.unlocked')).length, 1, 'and tells nothing');

  await besiege(user.email);
  t.equal((await admin.api.patch(`/users/${user.id}`, { display_name: 'Renamed' })).status, 200);
  t.ok(await isRefused(user.email), 'another change does not');
  t.equal((await admin.api.patch(`/users/${user.id}`, { is_active: true })).status, 200);
  t.ok(await isRefused(user.email), 'nor does activation of who is active');
  t.equal((await admin.api.patch(`/users/${user.id}`, { is_active: false })).status, 200);
  t.equal((await admin.api.patch(`/users/${user.id}`, { is_active: true })).status, 200);
  t.notOk(await isRefused(user.email));

  await besiege(user.email);
  t.ok(await isRefused(user.email));
  t.equal((await admin.api.patch(`/users/${user.id}`, { password: 'loud-heron-skips-9-puddles' })).status, 200);
  t.equal(await attempt(user.email, 'loud-heron-skips-9-puddles', nextAddress()), 200);
});

t.test('who may unlock', async (t) => {
  const member = await makeUser(admin, 'member');
  t.match(await member.api.post(`/users/${admin.user.id}/unlock`), { status: 403, body: { required_permission: 'users.manage' } });
  t.equal((await client(one.origin).post(`/users/${admin.user.id}/unlock`)).status, 401);
  t.equal((await admin.api.post('/users/01900000-0000-7000-8000-000000000000/unlock')).status, 404);
  t.equal((await admin.api.post(`/users/${member.user.id}/unlock`, { now: true })).status, 422);
  await admin.api.post('/roles', { key: 'desk', label: 'Desk', permissions: ['users.manage'] });
  const desk = await makeUser(admin, 'desk');
  t.equal((await desk.api.post(`/users/${admin.user.id}/unlock`)).status, 403, 'nobody of whom they may change nothing');
});

t.test('a user who is logged in changes the password whatever others try, and their own misses count for the session', async (t) => {
  const victim = await makeUser(admin, 'member');
  await admin.api.patch('/settings', { rate_limits: { change_password: 10_000 } });
  await until(() => one.app.services.settings.current.rate_limits.change_password === 10_000);
  await besiege(victim.user.email);
  const thief = await makeUser(admin, 'member');
  const change = (api: typeof victim.api, current_password: string) => api.post('/auth/change-password', { current_password, new_password: 'loud-heron-skips-9-puddles' });
  t.equal((await change(victim.api, PASSWORD)).status, 204);
  for (let n = 0; n < 5; n++) t.equal((await change(thief.api, WRONG)).status, 422);
  t.match(await change(thief.api, PASSWORD), { status: 422, body: { errors: [{ field: '/current_password' }] } }, 'five misses within the session');
  const from = await ownAddress(thief.user.email);
  const answer = await client(one.origin).post<{ access_token: string }>('/auth/login', { email: thief.user.email, password: PASSWORD }, { from });
  t.equal(answer.status, 200, 'log-ins are not refused for them');
  t.equal((await change(client(one.origin, answer.body.access_token), PASSWORD)).status, 204, 'nor is another session');
  t.match((await eventsOf(thief.user.id, 'user.locked'))[0], { scope: 'session', addresses: ['127.0.0.1'] });
});

t.test('the event tells the addresses, to those who may read it', async (t) => {
  const { user } = await makeUser(admin, 'member');
  const from = nextAddress();
  for (let n = 0; n < 5; n++) await attempt(user.email, WRONG, from);
  await besiege(user.email);
  const told = await eventsOf(user.id, 'user.locked');
  t.match(told, [{ scope: 'address', addresses: [from], locked_until: /^\d{4}-/ }, { scope: 'unknown_addresses', locked_until: /^\d{4}-/ }]);
  const addresses = told[1]!['addresses'] as string[];
  t.equal(addresses.length, 16, 'each once');
  t.ok(addresses.includes(from));
  const list = (api: typeof admin.api) => api.get<{ items: AnyBody[] }>('/events', { query: { type: 'user.locked', subject_id: user.id } });
  await until(async () => (await list(admin.api)).body.items.length === 2);
  t.equal((await list((await makeUser(admin, 'architect')).api)).status, 403);
  t.strictSame(await eventsOf('nobody', 'user.locked'), []);
});

t.test('of any minute as many requests are let through as are allowed', async (t) => {
  const node = () => new RateLimiter(new DatabaseLimitStore(one.app.services.db));
  const limiter = node();
  const shift = (key: string, seconds: number) => sql(one.database, 'update rate_hits set at = (select array_agg(h - make_interval(secs => $1) order by h) from unnest(at) as h) where key = $2', [seconds, key]);
  const key = 'sliding';
  for (let n = 0; n < 5; n++) t.match(await limiter.hit(key, 10), { allowed: true, remaining: 9 - n, reset: 60 });
  await shift(key, 40);
  for (let n = 0; n < 5; n++) t.match(await limiter.hit(key, 10), { allowed: true, remaining: 4 - n, reset: 20 });
  for (let n = 0; n < 20; n++) t.match(await limiter.hit(key, 10), { allowed: false, remaining: 0, reset: 20 }, 'whatever minute the clock shows');
  t.match(await limiter.hit(key, 3), { allowed: false, reset: 60 }, 'of a lower limit, when enough have left');
  await shift(key, 21);
  const later = node();
  for (let n = 0; n < 5; n++) t.match(await later.hit(key, 10), { allowed: true, remaining: 4 - n, reset: 39 }, 'those that have left make room for as many');
  t.match(await later.hit(key, 10), { allowed: false, reset: 39 });
  await sql(one.database, 'delete from rate_hits where key = $1', [key]);
  t.match(await later.hit(key, 10), { allowed: false, reset: 39 }, 'until then the database is not asked');
  t.match(await later.hit(key, 11), { allowed: true }, 'unless the limit is another');
  const hits = await Promise.all(Array.from({ length: 50 }, () => limiter.hit('at once', 7)));
  t.equal(hits.filter(({ allowed }) => allowed).length, 7);
  const [row] = await sql(one.database, `select cardinality(at) as n from rate_hits where key = 'at once'`);
  t.equal(row!['n'], 7, 'what is refused takes no room');
});

t.test('what limits nothing any more is deleted', async (t) => {
  const { db } = one.app.services;
  await sql(one.database, `insert into login_misses select sha256(n::text::bytea), 'gone', array[now() - interval '1 hour'], null, now() - interval '1 minute' from generate_series(1, 12000) as n`);
  await sql(one.database, `insert into login_misses values ('here', 'stays', array[now()], null, now() + interval '1 minute')`);
  await sql(one.database, `insert into login_addresses values ($1, 'gone', now() - interval '31 days'), ($1, 'stays', now() - interval '29 days')`, [admin.user.id]);
  await cleanAttempts(db);
  await cleanHits(db);
  t.strictSame(await sql(one.database, `select source as s from login_misses where source in ('gone', 'stays') union all select address from login_addresses where address in ('gone', 'stays')`), [{ s: 'stays' }, { s: 'stays' }]);
});

t.test('an address nobody has logged in from in 30 days is not known any more', async (t) => {
  const { user } = await makeUser(admin, 'member');
  const home = await ownAddress(user.email);
  await besiege(user.email);
  await sql(one.database, `update login_addresses set last_login_at = now() - interval '29 days' where user_id = $1`, [user.id]);
  t.equal(await attempt(user.email, PASSWORD, home), 200);
  await sql(one.database, `update login_addresses set last_login_at = now() - interval '31 days' where user_id = $1`, [user.id]);
  t.equal(await attempt(user.email, PASSWORD, home), 401);
});
