/** Limits on the writes of a user: off by default; over all nodes, per user, and per operation of bulk requests. */
import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
import { client, login, makeUser, registerAdmin, testApp, until } from '../support/app.js';

const one = await testApp();
const two = await testApp({ database: one.database });
t.teardown(async () => {
  await Promise.all([one.close(), two.close()]);
});
const admin = await registerAdmin(one.origin);
const [member, other] = [await makeUser(admin, 'member'), await makeUser(admin, 'member')];
const nodes = [client(one.origin, member.token), client(two.origin, member.token)];
const PER_MINUTE = 60;
const make = (i: number, name = 'Card') => nodes[i % 2]!.post('/cards', { type: 'Application', name: `${name} ${i}` });
const bulk = (n: number, name: string) =>
  nodes[0]!.post('/cards/bulk', {
    mode: 'per_row',
    operations: Array.from({ length: n }, (_, i) => ({
      op: 'create',
      card: { type: 'Application', name: `${name} ${i}` },
    })),
  });
const limit = async (per_minute: number | null): Promise<void> => {
  await admin.api.patch('/settings', { write_limits: { per_minute } });
  await until(() =>
    [one, two].every(({ app }) => app.services.settings.current.write_limits.per_minute === per_minute),
  );
};

t.test('off: writes are not limited, and have no headers of a limit', async (t) => {
  const answers = await Promise.all(Array.from({ length: 2 * PER_MINUTE }, (_, i) => make(i, 'Free')));
  t.ok(answers.every(({ status }) => status === 201));
  t.notOk(answers[0]!.headers.has('ratelimit'));
});

t.test('on: the number per minute is limited over all nodes', async (t) => {
  await limit(PER_MINUTE);
  const began = performance.now();
  const answers = await Promise.all(Array.from({ length: 3 * PER_MINUTE }, (_, i) => make(i)));
  // Used tokens are refilled meanwhile, one per second.
  const grown = Math.ceil((performance.now() - began) / 1_000);
  const made = answers.filter(({ status }) => status === 201);
  t.ok(made.length >= PER_MINUTE && made.length <= PER_MINUTE + grown, `${made.length} of ${PER_MINUTE} and ${grown}`);
  t.match(made[0]!.headers.get('ratelimit-policy'), '"writes";q=60;w=60');
  const refused = answers.filter(({ status }) => status !== 201);
  for (const answer of refused) t.match(answer, { status: 429, body: { code: 'rate_limited' } });
  t.match(refused[0]!.headers.get('retry-after'), /^[1-9]\d*$/);
  t.match(refused[0]!.headers.get('ratelimit'), /^"writes";r=0;t=\d+$/);
  t.equal(
    (await client(two.origin, other.token).post('/cards', { type: 'Application', name: 'Of another user' })).status,
    201,
    'other users are not limited',
  );
  t.equal((await nodes[0]!.get('/cards')).status, 200, 'reads are not limited');
  t.equal(
    (await (await login(one.origin, member.user.email)).api.post('/auth/logout')).status,
    204,
    'log-in and log-out are not limited',
  );
});

t.test('used tokens are refilled evenly', async (t) => {
  await until(async () => {
    const { status } = await make(0, 'Waited');
    return status === 201 || pause(300).then(() => false);
  }, 30_000);
  t.pass('within seconds');
});

t.test('a bulk request counts its operations, and is executed completely or not at all', async (t) => {
  const rest = client(one.origin, other.token);
  const send = (n: number, name: string) =>
    rest.post<{ results: unknown[] }>('/cards/bulk', {
      mode: 'per_row',
      operations: Array.from({ length: n }, (_, i) => ({
        op: 'create',
        card: { type: 'Provider', name: `${name} ${i}` },
      })),
    });
  t.equal((await send(40, 'First')).status, 200);
  const second = await send(40, 'Second');
  t.match(second, { status: 429, body: { code: 'rate_limited' } });
  t.ok(Number(second.headers.get('retry-after')) > 1, 'until enough tokens for all operations are refilled');
  t.equal((await rest.get('/cards', { query: { type: 'Provider' } })).body.total, 40);
  t.equal((await send(5, 'Third')).status, 200, 'a refused request uses no tokens');
  t.match(await bulk(PER_MINUTE + 1, 'Never'), {
    status: 429,
    body: { detail: 'In this workspace a call may have at most 60 operations.' },
  });
});

t.test('off again, nothing is limited', async (t) => {
  await limit(null);
  t.equal((await bulk(2 * PER_MINUTE, 'Free again')).status, 200);
});
