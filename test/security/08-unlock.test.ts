/** Clearing wrong passwords, requests that they do not block, and the readers of the events. */
import t from 'tap';
import {
  client,
  makeUser,
  nextAddress,
  PASSWORD,
  registerAdmin,
  sql,
  testApp,
  until,
  type AnyBody,
} from '../support/app.js';

const WRONG = 'wrong-guess-of-mine';
const one = await testApp();
t.teardown(() => one.close());
const admin = await registerAdmin(one.origin);
/** Wrong passwords from unknown addresses that have tries from there refused. */
const STRANGERS = 8;
await admin.api.patch('/settings', {
  rate_limits: { login: 10_000 },
  login_limits: { max_misses_unknown_addresses: STRANGERS },
});

const attempt = async (email: string, password: string, from: string): Promise<number> =>
  (await client(one.origin).post('/auth/login', { email, password }, { from })).status;
/** Logs in once from an address, which is known from then on. */
async function ownAddress(email: string): Promise<string> {
  const from = nextAddress();
  t.equal(await attempt(email, PASSWORD, from), 200);
  return from;
}
/** Wrong passwords from as many addresses nobody logs in from as have all of them refused. */
async function besiege(email: string): Promise<void> {
  await Promise.all(Array.from({ length: STRANGERS }, () => attempt(email, WRONG, nextAddress())));
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

t.test('permissions to unlock', async (t) => {
  const member = await makeUser(admin, 'member');
  t.match(await member.api.post(`/users/${admin.user.id}/unlock`), {
    status: 403,
    body: { required_permission: 'users.manage' },
  });
  t.equal((await client(one.origin).post(`/users/${admin.user.id}/unlock`)).status, 401);
  t.equal((await admin.api.post('/users/01900000-0000-7000-8000-000000000000/unlock')).status, 404);
  t.equal((await admin.api.post(`/users/${member.user.id}/unlock`, { now: true })).status, 422);
  await admin.api.post('/roles', { key: 'desk', label: 'Desk', permissions: ['users.manage'] });
  const desk = await makeUser(admin, 'desk');
  t.equal(
    (await desk.api.post(`/users/${admin.user.id}/unlock`)).status,
    403,
    'nobody of whom they may change nothing',
  );
});

t.test(
  'a user who is logged in changes the password whatever others try, and their own misses count for the session',
  async (t) => {
    const victim = await makeUser(admin, 'member');
    await admin.api.patch('/settings', { rate_limits: { change_password: 10_000 } });
    await until(() => one.app.services.settings.current.rate_limits.change_password === 10_000);
    await besiege(victim.user.email);
    const thief = await makeUser(admin, 'member');
    const change = (api: typeof victim.api, current_password: string) =>
      api.post('/auth/change-password', { current_password, new_password: 'loud-heron-skips-9-puddles' });
    t.equal((await change(victim.api, PASSWORD)).status, 204);
    for (let n = 0; n < 5; n++) t.equal((await change(thief.api, WRONG)).status, 422);
    t.match(
      await change(thief.api, PASSWORD),
      { status: 422, body: { errors: [{ field: '/current_password' }] } },
      'five misses within the session',
    );
    const from = await ownAddress(thief.user.email);
    const answer = await client(one.origin).post<{ access_token: string }>(
      '/auth/login',
      { email: thief.user.email, password: PASSWORD },
      { from },
    );
    t.equal(answer.status, 200, 'log-ins are not refused for them');
    t.equal(
      (await change(client(one.origin, answer.body.access_token), PASSWORD)).status,
      204,
      'nor is another session',
    );
    t.match((await eventsOf(thief.user.id, 'user.locked'))[0], { scope: 'session', addresses: ['127.0.0.1'] });
  },
);

t.test('the event contains the addresses, for readers with the permission', async (t) => {
  const { user } = await makeUser(admin, 'member');
  const from = nextAddress();
  for (let n = 0; n < 5; n++) await attempt(user.email, WRONG, from);
  await besiege(user.email);
  const told = await eventsOf(user.id, 'user.locked');
  t.match(told, [
    { scope: 'address', addresses: [from], locked_until: /^\d{4}-/ },
    { scope: 'unknown_addresses', locked_until: /^\d{4}-/ },
  ]);
  const addresses = told[1]!['addresses'] as string[];
  t.equal(addresses.length, STRANGERS - 4, 'each once');
  t.ok(addresses.includes(from));
  const list = (api: typeof admin.api) =>
    api.get<{ items: AnyBody[] }>('/events', { query: { type: 'user.locked', subject_id: user.id } });
  await until(async () => (await list(admin.api)).body.items.length === 2);
  t.equal((await list((await makeUser(admin, 'architect')).api)).status, 403);
  t.strictSame(await eventsOf('nobody', 'user.locked'), []);
});
