/** API tokens on two nodes: revoking takes effect within a second, also for open streams; keys rotate; behind a proxy. */
import t, { type Test } from 'tap';
import { client, makeUser, openStream, registerAdmin, testApp, until, type Session } from '../support/app.js';
import { ApiTokens, type MadeToken } from '../support/api-tokens.js';

const KEYS = ['a', 'b', 'c'].map((letter) => `${letter}-key-of-the-test-0123456789abcdefgh`) as [
  string,
  string,
  string,
];

const one = await testApp({ config: { jwtSecret: KEYS[0] } });
// The second node does not get notifications, so that it detects changes only by polling.
const two = await testApp({
  database: one.database,
  config: { jwtSecret: KEYS[1], jwtSecretPrevious: KEYS[0], trustProxy: 1 },
});
await two.app.services.notifier.close();
const three = await testApp({
  database: one.database,
  config: { jwtSecret: KEYS[2], jwtSecretPrevious: `${KEYS[1]},${KEYS[0]}` },
});
t.teardown(async () => {
  await Promise.all([one.close(), two.close(), three.close()]);
});
const admin = await registerAdmin(one.origin);
const tokens = new ApiTokens(one.origin);
const MOST_MS = 1_000;

/** Revokes a token on the first node, and requires that the second one refuses it and ends its stream in a second. */
async function revoked(t: Test, { token }: MadeToken, revoke: () => Promise<{ status: number }>): Promise<void> {
  const onTwo = client(two.origin, token);
  t.equal((await onTwo.get('/auth/me')).status, 200, 'before');
  const stream = await openStream(two.origin, token);
  t.equal(stream.status, 200);
  t.teardown(stream.close);
  t.ok((await revoke()).status < 300, 'revoked');
  const began = performance.now();
  t.equal((await client(one.origin, token).get('/auth/me')).status, 401, 'on the node itself at once');
  await until(async () => (await onTwo.get('/auth/me')).status === 401, 5_000);
  await stream.ended;
  const ms = performance.now() - began;
  t.ok(ms < MOST_MS, `on the other node after ${Math.round(ms)} ms, with its stream`);
}

t.test('revoking acts on all nodes within a second', async (t) => {
  const user = await makeUser(admin, 'member');
  const made = (owner: Session = user) => tokens.made(owner, ['cards.view']);
  await t.test('by the owner', async (t) => {
    const token = await made();
    await revoked(t, token, () => user.api.del(`/auth/tokens/${token.id}`));
  });
  await t.test('by an administrator', async (t) => {
    const token = await made();
    await revoked(t, token, () => admin.api.del(`/users/${user.user.id}/tokens/${token.id}`));
  });
  await t.test('by deactivation, for good', async (t) => {
    const token = await made();
    await revoked(t, token, () => admin.api.patch(`/users/${user.user.id}`, { is_active: false }));
    await admin.api.patch(`/users/${user.user.id}`, { is_active: true });
    t.equal((await client(one.origin, token.token).get('/auth/me')).status, 401, 'also when active again');
  });
  await t.test('by deletion of the account', async (t) => {
    const token = await made(await makeUser(admin, 'member'));
    const { id } = (await client(one.origin, token.token).get('/auth/me')).body;
    await revoked(t, token, () => admin.api.del(`/users/${id}`));
  });
});

t.test('a permission taken from the role is taken from the token on all nodes, streams included', async (t) => {
  await admin.api.post('/roles', { key: 'reader', label: 'R', permissions: ['cards.view', 'relations.view'] });
  const reader = await makeUser(admin, 'reader');
  const { token } = await tokens.made(reader, ['cards.view']);
  const stream = await openStream(two.origin, token);
  t.teardown(stream.close);
  const create = async (name: string) => (await admin.api.post('/cards', { type: 'Application', name })).body.id;
  const before = await create('Before');
  await stream.waitFor((e) => JSON.stringify(e.data).includes(before), 10_000);
  await admin.api.patch('/roles/reader', { permissions: { 'cards.view': false } });
  const after = await create('After');
  await until(async () => (await client(two.origin, token).get('/cards')).status === 403, MOST_MS);
  await admin.api.post('/metamodel/tag-groups', { name: 'Later', mode: 'multi' });
  await stream.waitFor((e) => e.event.startsWith('metamodel.'), 10_000);
  t.notOk(stream.events.some((e) => JSON.stringify(e.data).includes(after)));
});

t.test('a token that expires ends its stream', async (t) => {
  const user = await makeUser(admin, 'member');
  const expires_at = new Date(Date.now() + 3_000).toISOString();
  const { token } = await tokens.made(user, ['cards.view'], { expires_at });
  const stream = await openStream(two.origin, token);
  await stream.ended;
  t.equal((await client(two.origin, token).get('/auth/me')).status, 401);
  t.match((await user.api.get('/auth/tokens')).body, { total: 0 });
});

t.test('tokens remain valid when the key changes, as long as their key is configured', async (t) => {
  const user = await makeUser(admin, 'member');
  const { token } = await tokens.made(user, ['cards.view']);
  for (const { origin } of [one, two, three]) t.equal((await client(origin, token).get('/cards')).status, 200);
  const lastKey = await testApp({ database: one.database, config: { jwtSecret: KEYS[2], jwtSecretPrevious: KEYS[1] } });
  t.equal((await client(lastKey.origin, token).get('/cards')).status, 401);
  await lastKey.close();
  const [head, claims, signature] = token.split('.') as [string, string, string];
  const kid = (value: unknown) =>
    `${Buffer.from(JSON.stringify({ alg: 'HS256', typ: 'JWT', kid: value })).toString('base64url')}.${claims}.${signature}`;
  for (const forged of [
    kid('x'),
    kid('../../etc/passwd'),
    kid(null),
    kid({ a: 1 }),
    `${head.slice(1)}.${claims}.${signature}`,
  ])
    t.equal((await client(one.origin, forged).get('/cards')).status, 401);
});

t.test('behind a proxy the address is the one that the proxy reports', async (t) => {
  const user = await makeUser(admin, 'member');
  const { token } = await tokens.made(user, ['cards.view'], { address_ranges: ['198.51.100.0/24', '2001:db8::/32'] });
  const from = async (address: string, origin = two.origin) =>
    (await client(origin, token).get('/cards', { headers: { 'x-forwarded-for': address } })).status;
  t.equal(await from('198.51.100.7'), 200);
  t.equal(await from('2001:db8::7'), 200);
  t.equal(await from('::ffff:198.51.100.7'), 200);
  t.equal(await from('203.0.113.1'), 401);
  t.equal(await from('198.51.100.7, 203.0.113.1'), 401, 'only the address of the last proxy is trusted');
  t.equal(await from('198.51.100.7', one.origin), 401, 'a node without a proxy');
});
