/** Attacks on what users do by mail: requests that cross each other, hostile input, and replies of mail servers. */
import pg from 'pg';
import t from 'tap';
import {
  client,
  expectStatus,
  lockWaiters,
  makeUser,
  nextAddress,
  PASSWORD,
  sql,
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
const NEW = 'loud-heron-skips-9-puddles';
let n = 0;
const address = (): string => `attacked-${++n}@example.org`;

const invite = async (by: Session = admin, role = 'member'): Promise<AnyBody & { email: string }> =>
  expectStatus(await by.api.post('/users/invitations', { email: address(), role }), 201, 'inviting').body as AnyBody & {
    email: string;
  };
const post = (path: string, body: object): Promise<Answer> =>
  anonymous.post(`/auth/${path}`, body, { from: nextAddress() });
const accept = (token: string): Promise<Answer> =>
  post('accept-invitation', { token, password: NEW, display_name: 'Grace Hopper' });
const acceptToken = async (email: string, after = 0) => linksOf(await next(email, after))['accept-invitation']!;
const resetToken = async (email: string): Promise<string> => {
  const before = to(email).length;
  expectStatus(await post('forgot-password', { email }), 204, 'a request');
  return linksOf(await next(email, before))['reset-password']!;
};
const changeLinks = async ({ api: own, user }: Session, email: string) => {
  const before = [to(user.email).length, to(email).length];
  expectStatus(await own.post('/auth/email-change', { current_password: PASSWORD, email }), 202, 'a change');
  const [old, other] = [await next(user.email, before[0]), await next(email, before[1])].map(linksOf);
  return { old: old!, other: other! };
};
/** Runs a statement and keeps its transaction open until all requests wait for its lock, in their order. */
async function inTurn(statement: string, values: unknown[], ...requests: (() => Promise<Answer>)[]): Promise<Answer[]> {
  const holder = new pg.Client(database);
  await holder.connect();
  const answers: Promise<Answer>[] = [];
  try {
    await holder.query('begin');
    await holder.query(statement, values);
    for (const request of requests) {
      answers.push(request());
      await until(async () => (await lockWaiters(database)) >= answers.length);
    }
    await holder.query('commit');
    return await Promise.all(answers);
  } finally {
    await holder.end();
  }
}
const INVALID = { status: 422, body: { code: 'link_invalid' } };
const HOLD_INVITATION = 'select from invitations where id = $1 for update';
const HOLD_USER = 'select from users where id = $1 for update';

await t.test('an invitation resent while it is accepted by the earlier link: the link has ended', async (t) => {
  const made = await invite();
  const first = await acceptToken(made.email);
  const [resent, accepted] = await inTurn(
    HOLD_INVITATION,
    [made.id],
    () => api.post(`/users/invitations/${made.id}/resend`),
    () => accept(first),
  );
  t.equal(resent!.status, 200);
  t.match(accepted, INVALID, 'which was valid when the request began');
  t.equal((await accept(await acceptToken(made.email, 1))).status, 200);
});

await t.test('accepting beside withdrawing and resending: the first one counts', async (t) => {
  for (const [what, other, lost] of [
    ['withdraw', (id: string) => api.del(`/users/invitations/${id}`), 204],
    ['resend', (id: string) => api.post(`/users/invitations/${id}/resend`), 200],
  ] as const) {
    const [one, two] = [await invite(), await invite()];
    const tokens = [await acceptToken(one.email), await acceptToken(two.email)];
    const won = await inTurn(
      HOLD_INVITATION,
      [one.id],
      () => accept(tokens[0]!),
      () => other(one.id),
    );
    t.match(won, [{ status: 200 }, { status: 409, body: { code: 'invalid_state' } }], `accept, ${what}`);
    const late = await inTurn(
      HOLD_INVITATION,
      [two.id],
      () => other(two.id),
      () => accept(tokens[1]!),
    );
    t.match(late, [{ status: lost }, INVALID], `${what}, accept`);
  }
});

await t.test('a deletion of the inviter that deadlocks with an acceptance runs again', async (t) => {
  const by = await makeUser(admin, 'admin');
  const made = await invite(by);
  const token = await acceptToken(made.email);
  const holder = new pg.Client(database);
  await holder.connect();
  await holder.query('begin');
  await holder.query('select from sessions where user_id = $1 for update', [by.user.id]);
  // The deletion has locked the user, and waits; the acceptance has locked the invitation, and waits for the user.
  const deleted = api.del(`/users/${by.user.id}`);
  await until(async () => (await lockWaiters(database)) >= 1);
  const accepted = accept(token);
  // PostgreSQL looks for a deadlock once, a second after the wait began: then it is the deletion that fails.
  await until(
    async () =>
      (
        await sql(
          database,
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%for share%'
            and clock_timestamp() - query_start > current_setting('deadlock_timeout')::interval * 1.2`,
        )
      ).length > 0,
  );
  await holder.query('commit');
  await holder.end();
  t.match(await Promise.all([deleted, accepted]), [{ status: 204 }, { status: 200 }]);
  t.equal((await sql(database, 'select from invitations where id = $1 and invited_by is null', [made.id])).length, 1);
});

await t.test('links of a user who is deleted, disabled or changed while they are used', async (t) => {
  const DELETE = 'delete from users where id = $1';
  const DISABLE = 'update users set is_active = false where id = $1';
  const RENAME = `update users set email = 'x' || email, email_key = 'x' || email_key where id = $1`;
  for (const statement of [DELETE, DISABLE, RENAME]) {
    const user = await makeUser(admin, 'member');
    const token = await resetToken(user.user.email);
    const links = await changeLinks(user, address());
    const answers = await inTurn(
      statement,
      [user.user.id],
      () => post('reset-password', { token, password: NEW }),
      () => post('email-change/confirm', { token: links.old['confirm-email'] }),
      () => post('email-change/confirm', { token: links.other['confirm-email'] }),
    );
    t.match(answers, [INVALID, INVALID, INVALID], statement);
  }
  const user = await makeUser(admin, 'member');
  const links = await changeLinks(user, address());
  t.match(
    await inTurn(DELETE, [user.user.id], () => post('email-change/withdraw', { token: links.old['withdraw-email'] })),
    [INVALID],
  );
});

await t.test('a reset beside a change of the password or of the address: the first one counts', async (t) => {
  const change = (user: Session) =>
    user.api.post('/auth/change-password', { current_password: PASSWORD, new_password: `${NEW}-2` });
  for (const isFirst of [true, false]) {
    const user = await makeUser(admin, 'member');
    const token = await resetToken(user.user.email);
    const steps = [() => post('reset-password', { token, password: NEW }), () => change(user)];
    const answers = await inTurn(HOLD_USER, [user.user.id], ...(isFirst ? steps : steps.toReversed()));
    t.equal(answers[0]!.status, 204);
    t.equal(answers[1]!.status, 422, isFirst ? 'the password is another one' : 'the link has ended');
  }
  const user = await makeUser(admin, 'member');
  const token = await resetToken(user.user.email);
  const links = await changeLinks(user, address());
  await post('email-change/confirm', { token: links.old['confirm-email'] });
  const answers = await inTurn(
    HOLD_USER,
    [user.user.id],
    () => post('email-change/confirm', { token: links.other['confirm-email'] }),
    () => post('reset-password', { token, password: NEW }),
  );
  t.match(answers, [{ status: 200, body: { applied: true } }, INVALID]);
});

await t.test('a change that an administrator has overtaken is neither mailed nor shown', async (t) => {
  const user = await makeUser(admin, 'member');
  const email = address();
  mail.refuse = { code: 451, message: 'later' };
  expectStatus(await user.api.post('/auth/email-change', { current_password: PASSWORD, email }), 202, 'a change');
  await until(
    async () => (await sql(database, `select from jobs where state = 'queued' and error is not null`)).length === 2,
  );
  expectStatus(await api.patch(`/users/${user.user.id}`, { email: address() }), 200, 'a change');
  mail.refuse = undefined;
  await sql(database, `update jobs set run_at = clock_timestamp() where state = 'queued' and error is not null`);
  await settled();
  t.strictSame([to(user.user.email), to(email)], [[], []], 'the previous address may be why it was changed');
  t.equal((await user.api.get('/auth/email-change')).status, 404);
});

await t.test('a request for a change that is withdrawn at once is answered with what it has made', async (t) => {
  const user = await makeUser(admin, 'member');
  const answers = await Promise.all([
    user.api.post('/auth/email-change', { current_password: PASSWORD, email: address() }),
    ...Array.from({ length: 4 }, () => user.api.del('/auth/email-change')),
  ]);
  t.match(answers[0], { status: 202, body: { confirmed_by_old_address: false } });
  for (const { status } of answers.slice(1)) t.ok([204, 404].includes(status));
  await settled();
});

await t.test('a reply of the mail server with the link, encoded or cut, does not reveal the token', async (t) => {
  const refusals = {
    plain: (token: string) => `spam: ${token}`,
    base64: (token: string) => `spam: ${Buffer.from(`x#token=${token}`).toString('base64')}`,
    quoted: (token: string) => `spam: #token=3D${token.slice(0, 30)}=`,
    cut: (token: string) => `spam: ${token.slice(0, -3)}`,
  };
  for (const [what, message] of Object.entries(refusals)) {
    const user = await makeUser(admin, 'member');
    mail.refuse = { code: 554, message };
    expectStatus(await post('forgot-password', { email: user.user.email }), 204, 'a request');
    const [job] = await until(async () => {
      const jobs = await sql<{ id: string; error: string }>(
        database,
        `select j.id, j.error from jobs j join password_resets r on r.id::text = j.payload->>'id' where r.user_id = $1 and j.error is not null`,
        [user.user.id],
      );
      return jobs.length > 0 && jobs;
    });
    mail.refuse = undefined;
    t.match(job!.error, /554 spam: /, `${what}: what the administrator sees`);
    t.notMatch(job!.error, /[\w=-]{20}/, what);
    await sql(database, `update jobs set state = 'failed', finished_at = clock_timestamp() where id = $1`, [job!.id]);
  }
});

await t.test('no text that is sent in place of an address or a token is an error of the service', async (t) => {
  const texts = ['\u0000', '\ud800', '\u202e', 'ﷺ'.repeat(320), "' or 1=1 --", '%', 'a@b\r\nBcc: c@d.e', ' '];
  for (const text of texts) {
    t.ok(
      [204, 422].includes((await post('forgot-password', { email: text })).status),
      encodeURIComponent(text.toWellFormed()).slice(0, 40),
    );
    for (const [path, more] of [
      ['reset-password', { password: NEW }],
      ['accept-invitation', { password: NEW }],
      ['email-change/confirm', {}],
      ['email-change/withdraw', {}],
    ] as const)
      t.equal(
        (await post(path, { token: text, ...more })).status,
        422,
        `${path} ${encodeURIComponent(text.toWellFormed()).slice(0, 40)}`,
      );
  }
  for (const email of [
    '"quoted local"@example.org',
    'a@b.org, c@d.org',
    'a@b.org;c@d.org',
    '<a@b.org>',
    'x <a@b.org>',
    'a@b.org\u0000',
    'a@b.org\u2028x@y.org',
    'a(comment)@b.org',
    'group:a@b.org;',
    'a@[127.0.0.1]',
    'a@b',
    'a@@b.org',
  ])
    t.match(
      await api.post('/users/invitations', { email, role: 'member' }),
      { status: 422, body: { errors: [{ field: '/email' }] } },
      encodeURIComponent(email),
    );
});

await t.test('a spelling that is only equal by folding is mailed to the address of the account', async (t) => {
  const made = expectStatus(
    await api.post('/users', {
      email: 'mike@strasse.example',
      display_name: 'Mike',
      role: 'member',
      password: PASSWORD,
    }),
    201,
    'a user',
  );
  t.ok(made.body.id);
  for (const spelled of ['MI\u212aE@straße.example', 'ｍike@strasse.example'])
    expectStatus(await post('forgot-password', { email: spelled }), 204, spelled);
  await settled();
  t.equal(to('mike@strasse.example').length, 2, 'not to the address that was entered, whose owner may be another');
  t.equal(mail.mails.filter((one) => /stra(ß|xn)|xn--/.test(one.to.join())).length, 0);
  t.match(await api.post('/users/invitations', { email: 'mi\u212ae@straße.example', role: 'member' }), {
    status: 409,
    body: { code: 'email_taken' },
  });
});

await t.test('a name, a program and the name of an inviter are no links', async (t) => {
  const by = await makeUser(admin, 'admin');
  const name = 'Claim at https://evil.example/x or www.evil.example, J.R.R. or 192.0.2.1 or evil\u3002example';
  expectStatus(await by.api.patch('/auth/me', { display_name: name }), 200, 'a name');
  const { email } = await invite(by);
  expectStatus(await post('forgot-password', { email: by.user.email }), 204, 'a request');
  const before = to(by.user.email).length;
  await settled();
  const login = { email: by.user.email, password: PASSWORD };
  for (const agent of ['curl/8', 'evil.example/1'])
    expectStatus(
      await anonymous.post('/auth/login', login, { from: nextAddress(), headers: { 'user-agent': agent } }),
      200,
      agent,
    );
  await settled();
  const mails = [await next(email), ...to(by.user.email)];
  t.ok(mails.length >= before + 3);
  for (const { text, html, headers } of mails)
    for (const part of [text, html, headers.get('subject')![0]!])
      t.notMatch(part, /https?:\/\/evil|evil[.\u3002]example|192\.0\.2\.1/, part.slice(0, 40));
  t.match(mails[1]!.text, 'Claim at https: //evil. example/x or www. evil. example, J. R. R. or 192. 0. 2. 1');
});
