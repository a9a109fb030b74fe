/** New passwords and changes of e-mail addresses by mail, over real SMTP. */
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
  type Session,
} from '../support/app.js';
import { linksOf, mailNode } from '../support/mail-journeys.js';

const { node, admin, to, next, settled, close } = await mailNode();
t.teardown(close);
const { origin, database } = node;
const { api } = admin;
const anonymous = client(origin);
const NEW = 'loud-heron-skips-9-puddles';

const forgot = (email: string): Promise<Answer> =>
  anonymous.post('/auth/forgot-password', { email }, { from: nextAddress() });
const reset = (token: string, password = NEW): Promise<Answer> =>
  anonymous.post('/auth/reset-password', { token, password }, { from: nextAddress() });
const logIn = (email: string, password: string): Promise<Answer> =>
  anonymous.post('/auth/login', { email, password }, { from: nextAddress() });
/** Of the link that a user requests. */
async function resetToken(email: string, spelled = email): Promise<string> {
  const before = to(email).length;
  expectStatus(await forgot(spelled), 204, 'a request');
  return linksOf(await next(email, before))['reset-password']!;
}
const eventsOf = async (userId: string, type: string) =>
  (await api.get('/events', { query: { subject_id: userId, type } })).body.items;
const me = (session: Session): Promise<Answer> => session.api.get('/auth/me');

let n = 0;
const change = (user: Session, email = `changed-${++n}@example.org`, password = PASSWORD): Promise<Answer> =>
  user.api.post('/auth/email-change', { current_password: password, email });
const byLink = (step: 'confirm' | 'withdraw', token: string): Promise<Answer> =>
  anonymous.post(`/auth/email-change/${step}`, { token }, { from: nextAddress() });
async function requested(
  user: Session,
  email: string,
): Promise<{ old: Record<string, string>; new: Record<string, string> }> {
  const [a, b] = [to(user.user.email).length, to(email).length];
  expectStatus(await change(user, email), 202, 'a change');
  return { old: linksOf(await next(user.user.email, a)), new: linksOf(await next(email, b)) };
}
const current = async (user: Session) => (await me(user)).body['email'];

await t.test('a link sets the password once, ends all sessions and clears failed log-ins', async (t) => {
  const user = await makeUser(admin, 'member');
  const other = await login(origin, user.user.email);
  await api.patch('/settings', { login_limits: { max_misses: 3, max_misses_unknown_addresses: 3 } });
  for (let i = 0; i < 3; i++) await logIn(user.user.email, 'wrong-guess-of-mine');
  t.equal((await logIn(user.user.email, PASSWORD)).status, 401, 'attempts from unknown addresses are refused');
  const token = await resetToken(user.user.email, ` ${user.user.email.toUpperCase()} `);
  t.match(await reset(token, 'password12'), { status: 422, body: { errors: [{ field: '/password' }] } });
  t.match(await reset(token, user.user.email), { status: 422, body: { errors: [{ field: '/password' }] } });
  t.equal((await me(user)).status, 200, 'nothing has ended yet');
  t.equal((await reset(token)).status, 204);
  t.strictSame([(await me(user)).status, (await me(other)).status], [401, 401]);
  t.equal((await logIn(user.user.email, PASSWORD)).status, 401, 'not the previous one');
  t.equal((await logIn(user.user.email, NEW)).status, 200);
  t.match(await reset(token), { status: 422, body: { code: 'link_invalid' } }, 'a second time');
  await until(async () => (await eventsOf(user.user.id, 'user.unlocked')).length === 1);
  t.match(await eventsOf(user.user.id, 'user.password_changed'), [{ actor: null, data: { by_link: true } }]);
  t.equal((await eventsOf(user.user.id, 'user.password_reset_requested')).length, 1);
  await api.patch('/settings', { login_limits: { max_misses: 5, max_misses_unknown_addresses: 20 } });
});

await t.test('enforced single sign-on: no new passwords and invitations but for the named administrator', async (t) => {
  const [person, emergency] = [await makeUser(admin, 'member'), await makeUser(admin, 'admin')];
  const before = await resetToken(person.user.email);
  const company = {
    kind: 'oidc',
    label: 'Company',
    client_id: 'lintel',
    issuer: 'https://id.example.org',
    is_enabled: true,
  };
  const enforced = { providers: { company }, enforced: true, break_glass_user_id: emergency.user.id };
  expectStatus(await api.patch('/settings/sso', enforced), 200, 'single sign-on');
  t.match(await reset(before), { status: 422, body: { code: 'link_invalid' } }, 'with a link of before');
  const mails = to(person.user.email).length;
  expectStatus(await forgot(person.user.email), 204, 'a request');
  await resetToken(emergency.user.email);
  await settled();
  t.equal(to(person.user.email).length, mails);
  const invitation = { email: 'late@example.org', role: 'member', display_name: 'Late' };
  t.match(await api.post('/users/invitations', invitation), { status: 403, body: { code: 'registration_disabled' } });
  expectStatus(await api.patch('/settings/sso', { enforced: false }), 200, 'no longer enforced');
});

await t.test('of ten parallel requests with the links of one account one succeeds', async (t) => {
  const { email } = (await makeUser(admin, 'member')).user;
  const tokens = [await resetToken(email), await resetToken(email)];
  const answers = await Promise.all(Array.from({ length: 10 }, (_, i) => reset(tokens[i % 2]!, `${NEW}-${i}`)));
  t.equal(answers.filter(({ status }) => status === 204).length, 1);
  for (const answer of answers.filter(({ status }) => status !== 204))
    t.match([answer.status, answer.body.code], [422, 'link_invalid']);
  const won = answers.findIndex(({ status }) => status === 204);
  t.equal((await logIn(email, `${NEW}-${won}`)).status, 200);
});

await t.test('a log-in beside a reset ends with it or is refused, in both orders', async (t) => {
  for (const first of ['log-in', 'reset']) {
    const user = await makeUser(admin, 'member');
    const token = await resetToken(user.user.email);
    const holder = new pg.Client(database);
    await holder.connect();
    await holder.query('begin');
    await holder.query('select from users where id = $1 for update', [user.user.id]);
    const steps = { 'log-in': () => logIn(user.user.email, PASSWORD), reset: () => reset(token) };
    const answers: Record<string, Promise<Answer>> = {};
    for (const [i, step] of (first === 'reset' ? ['reset', 'log-in'] : ['log-in', 'reset']).entries()) {
      answers[step] = steps[step as keyof typeof steps]();
      await until(async () => (await lockWaiters(database)) > i);
    }
    await holder.query('commit');
    await holder.end();
    t.equal((await answers['reset']!).status, 204, first);
    const { status, body } = await answers['log-in']!;
    if (status === 200)
      t.equal(
        (await client(origin, String(body['access_token'])).get('/auth/me')).status,
        401,
        `${first}: it has ended`,
      );
    else t.equal(status, 401, `${first}: it is refused`);
    t.equal(
      (await sql(database, 'select from sessions where user_id = $1 and ended_at is null', [user.user.id])).length,
      0,
    );
  }
});

await t.test('a link ends with the password, the address, the account and its hour', async (t) => {
  const gone = async (what: string, end: (user: Session) => Promise<unknown>): Promise<void> => {
    const user = await makeUser(admin, 'member');
    const token = await resetToken(user.user.email);
    await end(user);
    t.match(await reset(token), { status: 422, body: { code: 'link_invalid' } }, what);
  };
  const patch = (user: Session, body: object) => api.patch(`/users/${user.user.id}`, body);
  await gone('another password', (user) =>
    user.api.post('/auth/change-password', { current_password: PASSWORD, new_password: `${NEW}-1` }),
  );
  await gone('another address', (user) => patch(user, { email: `other-${user.user.email}` }));
  await gone('a disabled account', (user) => patch(user, { is_active: false }));
  await gone('a deleted account', (user) => api.del(`/users/${user.user.id}`));
  await gone('single sign-on', (user) =>
    sql(database, "update users set auth_provider = 'sso' where id = $1", [user.user.id]),
  );
  await gone('an hour', async (user) => {
    const [left] = await sql<{ minutes: number }>(
      database,
      `select round(extract(epoch from t.expires_at - clock_timestamp()) / 60)::int as minutes
        from mail_tokens t join password_resets r on r.id = t.reset_id where r.user_id = $1`,
      [user.user.id],
    );
    t.equal(left!.minutes, 60);
    await sql(
      database,
      `update mail_tokens t set expires_at = clock_timestamp() - interval '1 s' from password_resets r where r.id = t.reset_id and r.user_id = $1`,
      [user.user.id],
    );
  });
});

await t.test('an account without a password gets its first one', async (t) => {
  const email = 'without-password@example.org';
  expectStatus(await api.post('/users', { email, display_name: 'Without', role: 'member' }), 201, 'a user');
  t.equal((await reset(await resetToken(email))).status, 204);
  t.equal((await logIn(email, NEW)).status, 200);
});

await t.test('a link to confirm or accept sets no password, and the other way round', async (t) => {
  const user = await makeUser(admin, 'member');
  const email = 'purpose@example.org';
  expectStatus(await change(user, email), 202, 'a change');
  const links = linksOf(await next(email));
  // The previous address gets a mail, too: the next one to it has the link for a password.
  await next(user.user.email);
  for (const token of Object.values(links)) t.match((await reset(token)).body.code, 'link_invalid');
  const token = await resetToken(user.user.email);
  for (const step of ['confirm', 'withdraw'] as const) t.match((await byLink(step, token)).body.code, 'link_invalid');
  const body = { token, password: NEW, display_name: 'X' };
  const accepted = await anonymous.post('/auth/accept-invitation', body, { from: nextAddress() });
  t.match(accepted.body.code, 'link_invalid');
  t.equal((await reset(token)).status, 204, 'it was not spent');
});

await t.test(
  'no mail for unknown, disabled, service and single sign-on accounts, with the same response',
  async (t) => {
    const [disabled, service, sso, plain] = [
      await makeUser(admin, 'member'),
      await makeUser(admin, 'member', 'service'),
      await makeUser(admin, 'member'),
      await makeUser(admin, 'member'),
    ];
    await api.patch(`/users/${disabled.user.id}`, { is_active: false });
    await sql(database, "update users set auth_provider = 'sso' where id = $1", [sso.user.id]);
    const before = await sql(database, 'select from password_resets');
    const answers: Answer[] = [];
    for (const email of [disabled.user.email, service.user.email, sso.user.email, 'unknown@example.org', 'no address'])
      answers.push(await forgot(email));
    t.equal((await sql(database, 'select from password_resets')).length, before.length);
    answers.push(await forgot(plain.user.email));
    await next(plain.user.email);
    const varying = new Set(['date', 'x-request-id', 'traceparent', 'ratelimit']);
    const shown = answers.map(({ status, body, headers }) => [
      status,
      body,
      [...headers].filter(([name]) => !varying.has(name)),
    ]);
    for (const one of shown) t.strictSame(one, shown[0]);
    t.equal(shown[0]![0], 204);
    for (const { user } of [disabled, service, sso]) t.strictSame(to(user.email), []);
  },
);

await t.test(
  'three mails in an hour to one account, whatever the spelling and the address of the client',
  async (t) => {
    const { email } = (await makeUser(admin, 'member')).user;
    for (const spelling of [email, email.toUpperCase(), ` ${email}`, `${email} `, email, email])
      t.equal((await forgot(spelling)).status, 204);
    await settled();
    t.equal(to(email).length, 3);
    await sql(database, `update mail_limits set at = array(select h - interval '61 minutes' from unnest(at) h)`);
    t.ok(await resetToken(email), 'and again an hour later');
    const from = nextAddress();
    const statuses: number[] = [];
    for (let i = 0; i < 6; i++)
      statuses.push((await anonymous.post('/auth/forgot-password', { email: `x${i}@example.org` }, { from })).status);
    t.strictSame(statuses, [204, 204, 204, 204, 204, 429], 'five in a minute from one address');
  },
);

await t.test('known and unknown addresses take the same time', async (t) => {
  const users = await Promise.all(Array.from({ length: 4 }, () => makeUser(admin, 'member')));
  const timed = async (email: string): Promise<number> => {
    const began = performance.now();
    await forgot(email);
    return performance.now() - began;
  };
  const [known, unknown]: [number[], number[]] = [[], []];
  for (let i = 0; i < 12; i++) {
    known.push(await timed(users[i % 4]!.user.email));
    unknown.push(await timed(`nowhere-${i}@example.org`));
  }
  const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length / 2]!;
  t.comment(`medians: known ${median(known).toFixed(1)} ms, unknown ${median(unknown).toFixed(1)} ms`);
  // Every response is rounded up to a multiple of 300 ms.
  for (const ms of [...known, ...unknown]) t.ok(ms > 298, `${ms} ms`);
  t.ok(Math.abs(median(known) - median(unknown)) < 150, `${median(known)} and ${median(unknown)} ms`);
});

await t.test('without PUBLIC_URL the response is the same, and there is no mail', async (t) => {
  const other = await testApp({ database });
  t.teardown(() => other.close());
  const { email } = (await makeUser(admin, 'member')).user;
  t.equal((await client(other.origin).post('/auth/forgot-password', { email }, { from: nextAddress() })).status, 204);
  t.strictSame(to(email), []);
});

await t.test('an address is changed when the previous and the new one have confirmed, in any order', async (t) => {
  for (const order of [
    ['old', 'new'],
    ['new', 'old'],
  ] as const) {
    const user = await makeUser(admin, 'member');
    const email = `Changed-${++n}@example.org`;
    const links = await requested(user, email);
    t.match((await user.api.get('/auth/email-change')).body, { email, confirmed_by_old_address: false });
    t.strictSame((await byLink('confirm', links[order[0]]['confirm-email']!)).body, { applied: false });
    t.equal(await current(user), user.user.email);
    t.match((await byLink('confirm', links[order[0]]['confirm-email']!)).body.code, 'link_invalid', 'twice by one');
    t.strictSame((await byLink('confirm', links[order[1]]['confirm-email']!)).body, { applied: true });
    t.equal(await current(user), email);
    t.equal((await logIn(email, PASSWORD)).status, 200);
    t.equal((await logIn(user.user.email, PASSWORD)).status, 401);
    t.equal((await user.api.get('/auth/email-change')).status, 404);
    t.equal((await byLink('withdraw', links.old['withdraw-email']!)).status, 422, 'too late');
    await until(async () => (await eventsOf(user.user.id, 'user.updated')).length === 1);
    t.match(await eventsOf(user.user.id, 'user.updated'), [
      { data: { changes: [{ field: 'email', old: user.user.email, new: email }] } },
    ]);
  }
});

await t.test('it can be withdrawn by either link, by the user, and by another request', async (t) => {
  const user = await makeUser(admin, 'member');
  const first = await requested(user, 'first@example.org');
  const second = await requested(user, 'second@example.org');
  t.match((await byLink('confirm', first.old['confirm-email']!)).body.code, 'link_invalid', 'another request');
  t.equal((await byLink('withdraw', second.new['withdraw-email']!)).status, 204);
  t.match((await byLink('confirm', second.old['confirm-email']!)).body.code, 'link_invalid', 'the link');
  const third = await requested(user, 'third@example.org');
  t.equal((await user.api.del('/auth/email-change')).status, 204);
  t.equal((await user.api.del('/auth/email-change')).status, 404);
  t.match((await byLink('confirm', third.new['confirm-email']!)).body.code, 'link_invalid', 'the user');
  t.equal((await byLink('confirm', third.new['withdraw-email']!)).status, 422, 'a token of another purpose');
  t.match(await change(user), { status: 429, body: { code: 'rate_limited' } }, 'a fourth request in an hour');
});

await t.test('whether the new address is taken is told only when both have confirmed', async (t) => {
  const user = await makeUser(admin, 'member');
  const taken = await makeUser(admin, 'member');
  const links = await requested(user, taken.user.email.replace('member', 'MEMBER'));
  t.equal((await byLink('confirm', links.new['confirm-email']!)).status, 200);
  t.match(await byLink('confirm', links.old['confirm-email']!), { status: 409, body: { code: 'email_taken' } });
  t.equal(await current(user), user.user.email);
  t.equal((await api.del(`/users/${taken.user.id}`)).status, 204);
  t.strictSame(
    (await byLink('confirm', links.old['confirm-email']!)).body,
    { applied: true },
    'the link is still valid',
  );

  const two = [await makeUser(admin, 'member'), await makeUser(admin, 'member')];
  const wanted = [await requested(two[0]!, 'both@example.org'), await requested(two[1]!, 'both@example.org')];
  for (const { old } of wanted) await byLink('confirm', old['confirm-email']!);
  const answers = await Promise.all(wanted.map((one) => byLink('confirm', one.new['confirm-email']!)));
  t.strictSame(answers.map(({ status }) => status).sort(), [200, 409], 'of two users one gets it');
});

await t.test('parallel confirmations of both addresses apply the change once', async (t) => {
  const user = await makeUser(admin, 'member');
  const email = 'parallel@example.org';
  const links = await requested(user, email);
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, i) => byLink('confirm', links[i % 2 ? 'old' : 'new']['confirm-email']!)),
  );
  const done = answers.filter(({ status }) => status === 200).map(({ body }) => body['applied']);
  t.strictSame(done.sort(), [false, true]);
  t.equal(await current(user), email);
});

await t.test(
  'it needs the password, a person, and another address; the mail to it has no text of the user',
  async (t) => {
    const user = await makeUser(admin, 'member');
    t.match(await change(user, 'x@example.org', 'wrong-guess-of-mine'), {
      status: 422,
      body: { errors: [{ field: '/current_password' }] },
    });
    t.match(await change(user, user.user.email.toUpperCase()), {
      status: 422,
      body: { errors: [{ field: '/email' }] },
    });
    t.match(await change(user, 'x@y.org\r\nBcc: z@y.org'), { status: 422, body: { errors: [{ field: '/email' }] } });
    const service = await makeUser(admin, 'member', 'service');
    t.match(await change(service), { status: 409, body: { code: 'invalid_state' } });
    expectStatus(await user.api.patch('/auth/me', { display_name: 'Win at evil.example' }), 200, 'a name');
    const email = `changed-${++n}@example.org`;
    await requested(user, email);
    const [mailed] = to(email);
    for (const text of [mailed!.raw, mailed!.text, mailed!.html]) t.notMatch(text, /evil|member-/);
    t.match(to(user.user.email).at(-1)!.text, /^Hello Win at evil\. example,/);
  },
);

await t.test('an administrator’s change of the address ends the one that is pending', async (t) => {
  const user = await makeUser(admin, 'member');
  const links = await requested(user, 'pending@example.org');
  expectStatus(await api.patch(`/users/${user.user.id}`, { email: 'direct@example.org' }), 200, 'a change');
  for (const side of [links.old, links.new])
    t.match(await byLink('confirm', side['confirm-email']!), { status: 422, body: { code: 'link_invalid' } });
});

await t.test('no token is in the log of events or in jobs', async (t) => {
  const token = await resetToken((await makeUser(admin, 'member')).user.email);
  await settled();
  for (const table of ['events', 'event_outbox', 'jobs', 'idempotency_keys', 'password_resets', 'mail_tokens'])
    t.strictSame(await sql(database, `select from ${table} x where strpos(x::text, $1) > 0`, [token]), [], table);
});

await t.test('what has ended is deleted', async (t) => {
  await sql(database, `update mail_tokens set expires_at = clock_timestamp() - interval '1 s'`);
  await sql(database, `update password_resets set created_at = clock_timestamp() - interval '2 days'`);
  await sql(database, `update email_changes set expires_at = clock_timestamp() - interval '91 days'`);
  await sql(database, `update mail_limits set last_at = clock_timestamp() - interval '2 hours'`);
  await sql(
    database,
    `insert into login_devices (user_id, family, network, last_login_at) values ($1, 'Old', 'x', clock_timestamp() - interval '91 days')`,
    [admin.user.id],
  );
  await sql(
    database,
    `insert into invitations (id, email, email_key, role, expires_at) values (gen_random_uuid(), 'x', 'x', 'member', clock_timestamp() - interval '91 days')`,
  );
  expectStatus(await api.post('/settings/jobs/schedules/auth.sessions_cleanup/run'), 202, 'the clean-up');
  await until(async () => (await sql(database, 'select from invitations')).length === 0);
  for (const table of [
    'mail_tokens',
    'password_resets',
    'email_changes',
    'mail_limits',
    "login_devices where family = 'Old'",
  ])
    t.equal((await sql(database, `select from ${table}`)).length, 0, table);
});
