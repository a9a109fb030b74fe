/** Clearing wrong passwords, requests that they do not block, and the readers of the events. */
import t from 'tap';
import {
  client,
  makeUser,
  nextAddress,
  PASSWORD,
  registerAdmin,
  testApp,
  until,
  type AnyBody,
} from '../support/app.js';
import { loginAttempts, WRONG_PASSWORD } from '../support/login-attempts.js';

const one = await testApp();
t.teardown(() => one.close());
const admin = await registerAdmin(one.origin);
/** The number of wrong passwords from unknown addresses that blocks all unknown addresses. */
const UNKNOWN_MISSES = 8;
await admin.api.patch('/settings', {
  rate_limits: { login: 10_000 },
  login_limits: { max_misses_unknown_addresses: UNKNOWN_MISSES },
});

const { attempt, ownAddress, blockUnknownAddresses, isRefused, eventsOf } = loginAttempts(one, UNKNOWN_MISSES);

t.test('a new password, activation and an administrator unlock', async (t) => {
  const { user } = await makeUser(admin, 'member');
  await blockUnknownAddresses(user.email);
  t.ok(await isRefused(user.email));
  const version = (await admin.api.get(`/users/${user.id}`)).body.version;
  const unlocked = await admin.api.post(`/users/${user.id}/unlock`);
  t.equal(unlocked.status, 204);
  t.equal((await admin.api.get(`/users/${user.id}`)).body.version, version, 'the account is unchanged');
  t.equal(await attempt(user.email, PASSWORD, nextAddress()), 200);
  t.equal((await admin.api.post(`/users/${user.id}/unlock`, {})).status, 204, 'again changes nothing');
  t.equal((await eventsOf(user.id, 'user.unlocked')).length, 1, 'and creates no event');

  await blockUnknownAddresses(user.email);
  t.equal((await admin.api.patch(`/users/${user.id}`, { display_name: 'Renamed' })).status, 200);
  t.ok(await isRefused(user.email), 'another change does not unlock');
  t.equal((await admin.api.patch(`/users/${user.id}`, { is_active: true })).status, 200);
  t.ok(await isRefused(user.email), 'activating an active user does not unlock');
  t.equal((await admin.api.patch(`/users/${user.id}`, { is_active: false })).status, 200);
  t.equal((await admin.api.patch(`/users/${user.id}`, { is_active: true })).status, 200);
  t.notOk(await isRefused(user.email));

  await blockUnknownAddresses(user.email);
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
    'a user whom the caller may not change cannot be unlocked',
  );
});

t.test('a logged-in user can change the password during an attack, and own misses count for the session', async (t) => {
  const victim = await makeUser(admin, 'member');
  await admin.api.patch('/settings', { rate_limits: { change_password: 10_000 } });
  await until(() => one.app.services.settings.current.rate_limits.change_password === 10_000);
  await blockUnknownAddresses(victim.user.email);
  const thief = await makeUser(admin, 'member');
  const change = (api: typeof victim.api, current_password: string) =>
    api.post('/auth/change-password', { current_password, new_password: 'loud-heron-skips-9-puddles' });
  t.equal((await change(victim.api, PASSWORD)).status, 204);
  for (let n = 0; n < 5; n++) t.equal((await change(thief.api, WRONG_PASSWORD)).status, 422);
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
  t.equal(answer.status, 200, 'they do not block log-ins');
  t.equal(
    (await change(client(one.origin, answer.body.access_token), PASSWORD)).status,
    204,
    'they do not block another session',
  );
  t.match((await eventsOf(thief.user.id, 'user.locked'))[0], { scope: 'session', addresses: ['127.0.0.1'] });
});

t.test('the event contains the addresses, for readers with the permission', async (t) => {
  const { user } = await makeUser(admin, 'member');
  const from = nextAddress();
  for (let n = 0; n < 5; n++) await attempt(user.email, WRONG_PASSWORD, from);
  await blockUnknownAddresses(user.email);
  const events = await eventsOf(user.id, 'user.locked');
  t.match(events, [
    { scope: 'address', addresses: [from], locked_until: /^\d{4}-/ },
    { scope: 'unknown_addresses', locked_until: /^\d{4}-/ },
  ]);
  const addresses = events[1]!['addresses'] as string[];
  t.equal(addresses.length, UNKNOWN_MISSES - 4, 'each once');
  t.ok(addresses.includes(from));
  const list = (api: typeof admin.api) =>
    api.get<{ items: AnyBody[] }>('/events', { query: { type: 'user.locked', subject_id: user.id } });
  await until(async () => (await list(admin.api)).body.items.length === 2);
  t.equal((await list((await makeUser(admin, 'architect')).api)).status, 403);
  t.strictSame(await eventsOf('nobody', 'user.locked'), []);
});
