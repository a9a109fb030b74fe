/** Invitations by mail, over real SMTP: who may invite, what the link allows, and that it works once. */
import pg from 'pg';
import t from 'tap';
import {
  client,
  expectStatus,
  lockWaiters,
  login,
  makeUser,
  nextAddress,
  PASSWORD,
  sql,
  testApp,
  until,
  type Answer,
  type AnyBody,
  type Session,
} from '../support/app.js';
import { linksOf, mailNode } from '../support/mail-journeys.js';

const { node, mail, admin, to, next, settled, close } = await mailNode();
t.teardown(close);
const { origin, database } = node;
const { api } = admin;
const anonymous = client(origin);
let n = 0;
const address = (): string => `invited-${++n}@example.org`;

const invite = async (body: object = {}, by: Session = admin): Promise<AnyBody> =>
  expectStatus(await by.api.post('/users/invitations', { email: address(), role: 'member', ...body }), 201, 'inviting')
    .body;
const tokenOf = async (email: string, after = 0): Promise<string> =>
  linksOf(await next(email, after))['accept-invitation']!;
const accept = (token: string, more: object = {}): Promise<Answer> =>
  anonymous.post(
    '/auth/accept-invitation',
    { token, password: PASSWORD, display_name: 'Grace Hopper', ...more },
    { from: nextAddress() },
  );
const found = async (id: string): Promise<AnyBody> =>
  (await api.get('/users/invitations', { query: { page_size: 200 } })).body.items.find((one) => one.id === id)!;

await t.test('an invited person accepts with a password, and is logged in with the role', async (t) => {
  const email = address();
  const made = await invite({ email: ` ${email} `, role: 'architect', display_name: 'Grace', locale: 'de-AT' });
  t.match(made, {
    email,
    role: 'architect',
    display_name: 'Grace',
    locale: 'de-AT',
    status: 'pending',
    invited_by: { id: admin.user.id, display_name: 'Ada Admin' },
    user_id: null,
    ended_at: null,
  });
  t.equal(Math.round((Date.parse(String(made['expires_at'])) - Date.now()) / 3_600_000), 7 * 24);
  const received = await next(email);
  t.strictSame(received.to, [email]);
  t.equal(received.headers.get('subject')?.[0], 'Ada Admin lädt Sie zu Lintel ein');
  t.match(received.headers.get('message-id')?.[0], /^<accounts\.[0-9a-f-]{36}@example\.org>$/);
  const token = await tokenOf(email);
  const answer = await accept(token);
  t.equal(answer.headers.get('cache-control'), 'no-store');
  t.match(answer, {
    status: 200,
    body: { token_type: 'bearer', user: { email, role: 'architect', display_name: 'Grace Hopper', locale: 'de-AT' } },
  });
  t.equal((await client(origin, String(answer.body['access_token'])).get('/auth/me')).status, 200);
  const { user } = await login(origin, email);
  t.match(await found(made.id), { status: 'accepted', user_id: user.id });
  t.match(await accept(token), { status: 422, body: { code: 'link_invalid' } }, 'a second time');
});

await t.test('of ten parallel requests with one link one succeeds', async (t) => {
  const { email } = (await invite()) as { email?: string };
  const token = await tokenOf(email!);
  const answers = await Promise.all(Array.from({ length: 10 }, () => accept(token)));
  t.equal(answers.filter(({ status }) => status === 200).length, 1);
  for (const answer of answers.filter(({ status }) => status !== 200))
    t.match([answer.status, answer.body.code], [422, 'link_invalid']);
  t.equal((await sql(database, 'select from users where email = $1', [email])).length, 1);
});

await t.test('the password is checked before the link is spent; a name is needed from someone', async (t) => {
  const { email } = (await invite({ display_name: 'Proposed' })) as { email?: string };
  const token = await tokenOf(email!);
  t.match(await accept(token, { password: '1234567890' }), { status: 422, body: { errors: [{ field: '/password' }] } });
  t.match(await accept(token, { password: email }), { status: 422, body: { errors: [{ field: '/password' }] } });
  t.match((await accept(token, { display_name: undefined })).body['user'], { display_name: 'Proposed' });
  const unnamed = (await invite()) as { email?: string };
  const other = await tokenOf(unnamed.email!);
  t.match(await accept(other, { display_name: undefined, password: '1234567890' }), {
    status: 422,
    body: { errors: [{ field: '/password' }, { field: '/display_name' }] },
  });
  for (const wrong of ['x', other.toLowerCase(), `${other}A`, other.slice(0, -1)])
    t.match(await accept(wrong), { status: 422, body: { code: 'link_invalid' } });
});

await t.test('resending ends earlier links, withdrawing ends all', async (t) => {
  const made = (await invite()) as AnyBody & { email: string };
  const first = await tokenOf(made.email);
  t.match(await api.post(`/users/invitations/${made.id}/resend`), { status: 200, body: { id: made.id } });
  const second = await tokenOf(made.email, 1);
  t.not(first, second);
  t.match(await accept(first), { status: 422, body: { code: 'link_invalid' } });
  t.equal((await api.del(`/users/invitations/${made.id}`)).status, 204);
  t.match(await accept(second), { status: 422, body: { code: 'link_invalid' } });
  t.equal((await found(made.id))['status'], 'withdrawn');
  t.match(await api.post(`/users/invitations/${made.id}/resend`), { status: 409, body: { code: 'invalid_state' } });
  t.match(await api.del(`/users/invitations/${made.id}`), { status: 409, body: { code: 'invalid_state' } });
  t.equal((await api.del(`/users/invitations/${admin.user.id}`)).status, 404);
  t.equal((await invite({ email: made.email }))['status'], 'pending', 'and another one can be made');
});

await t.test('ten mails in an hour to one address', async (t) => {
  const made = await invite();
  const statuses: number[] = [];
  for (let i = 0; i < 10; i++) statuses.push((await api.post(`/users/invitations/${made.id}/resend`)).status);
  t.strictSame(statuses, [...Array<number>(9).fill(200), 429]);
});

await t.test('an API token neither invites nor withdraws', async (t) => {
  const { id } = await invite();
  const { body } = await api.post('/auth/tokens', { name: 'Guarded', permissions: ['*'] });
  const program = client(origin, String(body['token']));
  for (const answer of [
    await program.post('/users/invitations', { email: address(), role: 'member' }),
    await program.post(`/users/invitations/${id}/resend`),
    await program.del(`/users/invitations/${id}`),
    await program.post('/auth/email-change', { email: address(), current_password: PASSWORD }),
  ])
    t.match(answer, { status: 403, body: { code: 'session_required' } });
});

await t.test('an invitation that is withdrawn before its mail is sent sends none', async (t) => {
  // Otherwise the mails of earlier tests are refused too, and sent again half a minute later.
  await settled();
  mail.refuse = { code: 451, message: 'later' };
  const made = (await invite()) as AnyBody & { email: string };
  const job = await until(
    async () =>
      (
        await sql<{ id: string; error: string }>(
          database,
          `select id, error from jobs where payload->>'id' = $1 and state = 'queued' and error is not null`,
          [made.id],
        )
      )[0],
  );
  t.match(job.error, /451 later/);
  t.equal((await api.del(`/users/invitations/${made.id}`)).status, 204);
  mail.refuse = undefined;
  await sql(database, `update jobs set run_at = clock_timestamp() where id = $1`, [job.id]);
  await settled();
  t.strictSame(to(made.email), []);
});

await t.test('a link ends after seven days, and the invitation can be resent or made again', async (t) => {
  const made = (await invite()) as AnyBody & { email: string };
  const token = await tokenOf(made.email);
  await sql(database, `update invitations set expires_at = clock_timestamp() - interval '1 s' where id = $1`, [
    made.id,
  ]);
  t.match(await accept(token), { status: 422, body: { code: 'link_invalid' } });
  t.equal((await found(made.id))['status'], 'expired');
  t.match(
    (await api.get('/users/invitations', { query: { status: 'expired' } })).body.items.map(({ id }) => id),
    [made.id],
  );
  t.equal((await api.post(`/users/invitations/${made.id}/resend`)).status, 200);
  await sql(database, `update invitations set expires_at = clock_timestamp() - interval '1 s' where id = $1`, [
    made.id,
  ]);
  t.equal((await invite({ email: made.email }))['status'], 'pending');
  t.equal((await found(made.id))['status'], 'expired');
});

await t.test('one pending invitation to an address, and none to one with an account', async (t) => {
  const email = address();
  const attempts = await Promise.all(
    Array.from({ length: 5 }, () => api.post('/users/invitations', { email, role: 'member' })),
  );
  t.strictSame(attempts.map(({ status }) => status).sort(), [201, 409, 409, 409, 409]);
  t.equal(attempts.find(({ status }) => status === 409)!.body.code, 'invitation_exists');
  t.match(await api.post('/users/invitations', { email: 'ADMIN@example.org', role: 'member' }), {
    status: 409,
    body: { code: 'email_taken' },
  });
  const token = await tokenOf(email);
  expectStatus(await api.post('/users', { email, display_name: 'Earlier' }), 201, 'a user');
  t.match(await accept(token), { status: 409, body: { code: 'email_taken' } });
  t.match(
    await api.post('/users/invitations', { email: 'a b', role: 'Nope', display_name: 'a\r\nBcc: x@y.z', locale: 'x' }),
    {
      status: 422,
    },
  );
  t.match(await api.post('/users/invitations', { email: address(), role: 'nope' }), {
    status: 422,
    body: { errors: [{ field: '/role' }] },
  });
});

await t.test('the role may have no more than the inviter has, when it is made and when it is accepted', async (t) => {
  const permissions = ['cards.view', 'cards.edit', 'users.manage'];
  expectStatus(await api.post('/roles', { key: 'steward', label: 'Steward', permissions }), 201, 'a role');
  expectStatus(
    await api.post('/roles', { key: 'editor', label: 'Editor', permissions: ['cards.edit'] }),
    201,
    'a role',
  );
  const steward = await makeUser(admin, 'steward');
  const refused = await steward.api.post('/users/invitations', { email: address(), role: 'admin' });
  t.match(refused, { status: 403, body: { code: 'forbidden' } });
  const byAdmin = (await invite({ role: 'admin' })) as AnyBody & { email: string };
  t.equal((await steward.api.post(`/users/invitations/${byAdmin.id}/resend`)).status, 403);
  t.equal((await steward.api.del(`/users/invitations/${byAdmin.id}`)).status, 403);

  const made = (await invite({ role: 'editor' }, steward)) as AnyBody & { email: string };
  const token = await tokenOf(made.email);
  const lost = async (what: string): Promise<unknown> =>
    t.match(await accept(token), { status: 422, body: { code: 'link_invalid', detail: /may no longer/ } }, what);
  await api.patch('/roles/editor', { permissions: ['cards.edit', 'cards.approve'] });
  await lost('the role gained a permission');
  await api.patch('/roles/editor', { permissions: ['cards.edit'] });
  await api.patch('/roles/steward', { permissions: ['cards.view', 'cards.edit'] });
  await lost('the inviter may not manage users any more');
  await api.patch('/roles/steward', { permissions });
  await api.post('/roles/editor/archive');
  await lost('the role is archived');
  await api.post('/roles/editor/restore');
  await api.patch(`/users/${steward.user.id}`, { is_active: false });
  await lost('the inviter is disabled');
  expectStatus(await api.del(`/users/${steward.user.id}`), 204, 'deletion');
  await lost('the inviter is deleted');
  t.equal((await found(made.id))['invited_by'], null);
  t.equal((await api.post(`/users/invitations/${made.id}/resend`)).status, 200, 'by another user');
  t.equal((await accept(await tokenOf(made.email, 1))).status, 200);
});

await t.test('a change of the inviter that is committed first counts', async (t) => {
  expectStatus(
    await api.post('/roles', { key: 'clerk', label: 'Clerk', permissions: ['cards.view', 'users.manage'] }),
    201,
    'a role',
  );
  expectStatus(
    await api.post('/roles', { key: 'reader', label: 'Reader', permissions: ['cards.view'] }),
    201,
    'a role',
  );
  const clerk = await makeUser(admin, 'clerk');
  const made = (await invite({ role: 'reader' }, clerk)) as AnyBody & { email: string };
  const token = await tokenOf(made.email);
  const email = address();
  const holder = new pg.Client(database);
  await holder.connect();
  await holder.query('begin');
  await holder.query(`update users set role = 'reader' where id = $1`, [clerk.user.id]);
  const answers = [accept(token), clerk.api.post('/users/invitations', { email, role: 'clerk' })];
  await until(async () => (await lockWaiters(database)) >= 2);
  await holder.query('commit');
  await holder.end();
  t.match(await Promise.all(answers), [
    { status: 422, body: { code: 'link_invalid' } },
    { status: 403, body: { code: 'forbidden' } },
  ]);
  t.strictSame(await sql(database, 'select from users where email = $1', [made.email]), []);
});

await t.test('no hostile name starts a header, markup or another link', async (t) => {
  expectStatus(await api.patch('/auth/me', { display_name: '<img src=x onerror=alert(1)> "& {email}' }), 200, 'a name');
  const email = address();
  await invite({ email, display_name: '🦊'.repeat(200) });
  const received = await next(email);
  expectStatus(await api.patch('/auth/me', { display_name: 'Ada Admin' }), 200, 'a name');
  t.notMatch(received.html, /<img/);
  t.match(received.html, /&lt;img src=x onerror=alert\(1\)&gt; &quot;&amp; \{email\}/);
  t.match(received.headers.get('subject')?.[0], /^<img src=x onerror=alert\(1\)> "& \{email\} invites you to Lintel$/);
  t.match(received.text, /^Hello (🦊)+…,\n/u);
  t.equal(received.html.match(/<a /g)?.length, 2);
  t.strictSame([...received.headers.keys()].sort(), [
    'auto-submitted',
    'content-type',
    'date',
    'from',
    'message-id',
    'mime-version',
    'subject',
    'to',
  ]);
});

await t.test('no token is in the database: neither in events, jobs nor elsewhere', async (t) => {
  const { email } = (await invite()) as { email?: string };
  const token = await tokenOf(email!);
  await settled();
  const tables = await sql<{ name: string }>(
    database,
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = current_schema() and c.relkind in ('r', 'p')`,
  );
  for (const { name } of tables)
    t.strictSame(await sql(database, `select from "${name}" x where strpos(x::text, $1) > 0`, [token]), [], name);
  mail.refuse = { code: 554, message: 'spam' };
  const echoed = (await invite()) as AnyBody;
  mail.refuse = { code: 554, message: 'spam: {token}' };
  await until(async () => {
    await sql(database, `update jobs set run_at = clock_timestamp() where payload->>'id' = $1 and state = 'queued'`, [
      echoed.id,
    ]);
    return (await sql(database, `select from jobs where payload->>'id' = $1 and state = 'failed'`, [echoed.id]))[0];
  });
  mail.refuse = undefined;
  const [job] = await sql<{ error: string }>(database, `select error from jobs where payload->>'id' = $1`, [echoed.id]);
  t.match(job!.error, /554 spam: …/, 'a server that repeats the mail does not reveal it to administrators');
});

await t.test(
  'a node lost after the mail was taken sends it again; both links are of the same invitation',
  async (t) => {
    const made = (await invite()) as AnyBody & { email: string };
    const first = await tokenOf(made.email);
    await settled();
    await sql(
      database,
      `update jobs set state = 'running', finished_at = null, lease_until = clock_timestamp() - interval '1 s' where payload->>'id' = $1`,
      [made.id],
    );
    const again = await next(made.email, 1);
    t.strictSame(again.headers.get('message-id'), to(made.email)[0]!.headers.get('message-id'));
    t.equal((await accept(first)).status, 200);
    t.match(await accept(linksOf(again)['accept-invitation']!), { status: 422, body: { code: 'link_invalid' } });
  },
);

await t.test(
  'without PUBLIC_URL or a mail server: 409 that names what is missing, and nothing is stored',
  async (t) => {
    const other = await testApp({ database });
    t.teardown(() => other.close());
    const there = client(other.origin, admin.token);
    const email = address();
    t.match(await there.post('/users/invitations', { email, role: 'member' }), {
      status: 409,
      body: { code: 'mail_unavailable', missing: ['PUBLIC_URL'] },
    });
    t.strictSame(await sql(database, 'select from invitations where email = $1', [email]), []);
  },
);
