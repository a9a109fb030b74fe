/** Notifications by mail, over real SMTP: pending ones are sent in one mail, retried, and only to their receiver. */
import t from 'tap';
import { systemContext } from '../../core/foundation/context.js';
import {
  expectStatus,
  makeUser,
  registerAdmin,
  sql,
  testApp,
  until,
  type AnyBody,
  type Session,
} from '../support/app.js';
import { mailServer, type ReceivedMail } from '../support/mail.js';
import { untilNotified, notificationsOf } from '../support/notifications.js';

const mail = await mailServer();
const node = await testApp({ config: { logLevel: 'silent', outboundAllow: ['127.0.0.1'] } });
t.teardown(async () => {
  await node.close();
  await mail.close();
});
const admin = await registerAdmin(node.origin);
const { api } = admin;
const who = admin.user.display_name;
const smtp = (host: string | null) =>
  api.patch('/settings/smtp', { host, port: mail.port, security: 'none', from_address: 'lintel@example.org' });

let n = 0;
const card = async (name = `Mail ${++n}`): Promise<AnyBody> =>
  expectStatus(await api.post('/cards', { type: 'Application', name }), 201, 'a card').body;
const comment = async (id: string, to: Session, text = ''): Promise<void> =>
  void expectStatus(await api.post(`/cards/${id}/comments`, { body: `@[x](${to.user.id}) ${text}` }), 201, 'a comment');
const jobs = () =>
  sql<{ id: string; state: string; attempts: number; user_id: string; error: string | null }>(
    node.database,
    `select id, state, attempts, error, payload->>'user_id' as user_id from jobs where type = 'notifications.mail' order by id`,
  );
const states = async (user: Session) =>
  (
    await sql<{ mail_state: string | null }>(
      node.database,
      'select mail_state from notifications where user_id = $1 order by created_at, id',
      [user.user.id],
    )
  ).map((row) => row.mail_state);
/** Makes queued mail jobs due now. */
const makeDue = () =>
  sql(
    node.database,
    `update jobs set run_at = clock_timestamp() where type = 'notifications.mail' and state = 'queued'`,
  );
/** Waits until no mail is due: sent, failed permanently, or not to be sent. */
async function mailed(): Promise<void> {
  await untilNotified(node);
  await until(async () => {
    await makeDue();
    return (await jobs()).every(({ state }) => state === 'done' || state === 'failed');
  }, 20_000);
}
const to = (user: Session): ReceivedMail[] => mail.mails.filter((m) => m.to.includes(user.user.email));
const header = (m: ReceivedMail, name: string): string => m.headers.get(name)!.join(' | ');

t.test('without a mail server there are neither mails nor jobs', async (t) => {
  const user = await makeUser(admin, 'member');
  await comment((await card()).id, user);
  await untilNotified(node);
  t.equal((await notificationsOf(user)).length, 1);
  t.strictSame(await jobs(), []);
  t.strictSame(await states(user), [null]);
  t.equal((await smtp('127.0.0.1')).status, 200);
});

t.test('a single notification is a mail with its title, only to its receiver', async (t) => {
  const user = await makeUser(admin, 'member');
  const { id, name } = await card();
  await comment(id, user, 'secret words');
  await mailed();
  const [only] = to(user) as [ReceivedMail];
  t.equal(to(user).length, 1);
  t.strictSame(only.to, [user.user.email]);
  t.equal(header(only, 'subject'), `${who} mentioned you on Application “${name}”`);
  t.equal(header(only, 'from'), 'Lintel <lintel@example.org>');
  t.equal(header(only, 'auto-submitted'), 'auto-generated');
  const [job] = (await jobs()).filter(({ user_id }) => user_id === user.user.id);
  t.equal(header(only, 'message-id'), `<notifications.${job!.id}@example.org>`);
  t.match(only.text, new RegExp(`^${who} mentioned you on Application “${name}”\n`));
  t.notMatch(only.raw, /secret words/);
  t.strictSame(await states(user), ['sent']);
  t.strictSame(to(admin), [], 'a user is not notified of own actions');
});

t.test('a burst is one mail, without notifications that were read or are disabled for mail', async (t) => {
  const user = await makeUser(admin, 'member');
  const cards = await Promise.all(Array.from({ length: 5 }, () => card()));
  for (const { id } of cards) await comment(id, user);
  await untilNotified(node);
  t.equal((await jobs()).filter(({ state, user_id }) => state === 'queued' && user_id === user.user.id).length, 1);
  const [first] = await notificationsOf(user);
  await user.api.post(`/notifications/${first!.id}/read`);
  await api.post(`/cards/${cards[0]!.id}/stakeholders`, { user_id: user.user.id, role: 'observer' });
  await untilNotified(node);
  await api.patch(`/cards/${cards[0]!.id}`, { alias: 'not mailed by default' });
  await mailed();
  t.equal(to(user).length, 1);
  t.equal(header(to(user)[0]!, 'subject'), '5 notifications');
  t.strictSame(
    to(user)[0]!
      .text.split('\n')
      .filter((line) => line.startsWith('- ')),
    [
      ...cards.slice(1).map(({ name }) => `- ${who} mentioned you on Application “${name}”`),
      `- ${who} gave you the role Observer on Application “${cards[0]!.name}”`,
    ],
  );
  t.strictSame(await states(user), [null, 'sent', 'sent', 'sent', 'sent', 'sent', null]);
});

t.test('the preferences at the time of sending apply; mail without the list is possible', async (t) => {
  const [quiet, onlyMail] = [await makeUser(admin, 'member'), await makeUser(admin, 'member')];
  const { id } = await card();
  const prefer = (user: Session, mention: object) =>
    user.api.patch('/notifications/preferences', { kinds: { mention } });
  await prefer(onlyMail, { in_app: false });
  for (const user of [quiet, onlyMail]) await comment(id, user);
  await untilNotified(node);
  await prefer(quiet, { email: false });
  await mailed();
  t.strictSame([to(quiet).length, to(onlyMail).length], [0, 1]);
  t.strictSame(await notificationsOf(onlyMail), []);
  t.strictSame(await states(quiet), [null]);
});

t.test('a receiver who was deactivated or lost the permission meanwhile gets no mail', async (t) => {
  const [gone, blind, machine] = [
    await makeUser(admin, 'member'),
    await makeUser(admin, 'member'),
    await makeUser(admin, 'member'),
  ];
  await sql(
    node.database,
    `insert into roles (key, label, permissions, types) select 'unseeing', 'x', permissions, '{"Application": {"cards.view": false}}' from roles where key = 'member'`,
  );
  await sql(node.database, `update revisions set revision = revision + 1 where kind = 'permissions'`);
  await sql(node.database, `update users set kind = 'service' where id = $1`, [machine.user.id]);
  await until(() => node.app.services.rbac.permissionsOf('unseeing').list().length > 0);
  const { id } = await card();
  for (const user of [gone, blind, machine]) await comment(id, user);
  await untilNotified(node);
  await api.patch(`/users/${gone.user.id}`, { is_active: false });
  await api.patch(`/users/${blind.user.id}`, { role: 'unseeing' });
  await mailed();
  t.strictSame(
    [gone, blind, machine].map((user) => to(user).length),
    [0, 0, 0],
  );
});

t.test('a temporary refusal is retried with the same mail; later notifications are another mail', async (t) => {
  const user = await makeUser(admin, 'member');
  const { id } = await card();
  mail.refuse = { code: 451, message: 'try again later' };
  const before = mail.attempts;
  await comment(id, user);
  await untilNotified(node);
  await makeDue();
  await until(
    async () =>
      mail.attempts > before &&
      (await jobs()).some(
        ({ state, error, user_id }) => user_id === user.user.id && state === 'queued' && error?.includes('451'),
      ),
    10_000,
  );
  t.strictSame(await states(user), ['due']);
  await comment(id, user, 'a second time');
  await untilNotified(node);
  t.equal(
    (await jobs()).filter(({ user_id }) => user_id === user.user.id).length,
    1,
    'the mail that waits does for both',
  );
  mail.refuse = undefined;
  await mailed();
  t.equal(to(user).length, 2);
  const own = (await jobs()).filter(({ user_id }) => user_id === user.user.id);
  t.strictSame(
    to(user).map((m) => header(m, 'message-id')),
    own.map((job) => `<notifications.${job.id}@example.org>`),
  );
  t.strictSame(await states(user), ['sent', 'sent']);
});

t.test('a node lost after the mail was taken sends it again, with the same Message-ID', async (t) => {
  const user = await makeUser(admin, 'member');
  const { id } = await card();
  await comment(id, user);
  await mailed();
  // The state after a crash: the mail was accepted by the server, and that is not stored.
  const [job] = (await jobs()).filter(({ user_id }) => user_id === user.user.id);
  await sql(node.database, `update notifications set mail_state = 'due' where user_id = $1`, [user.user.id]);
  await sql(
    node.database,
    `update jobs set state = 'running', finished_at = null, lease_until = clock_timestamp() - interval '1 s' where id = $1`,
    [job!.id],
  );
  await until(() => to(user).length === 2, 10_000);
  t.equal(header(to(user)[0]!, 'message-id'), header(to(user)[1]!, 'message-id'));
  t.equal(to(user)[0]!.text, to(user)[1]!.text);
});

t.test(
  'a permanent refusal: the job fails after its attempts, with a notification only in the app, and is sent when the job is retried',
  async (t) => {
    const user = await makeUser(admin, 'member');
    const { id } = await card();
    mail.refuse = { code: 550, message: 'no such person' };
    await comment(id, user);
    await mailed();
    const [job] = (await jobs()).filter(({ user_id }) => user_id === user.user.id);
    t.match(job, { state: 'failed', attempts: 6 });
    t.match(job!.error, /refuses .*: 550 no such person/);
    t.strictSame(await states(user), ['failed']);
    await untilNotified(node);
    t.match((await notificationsOf(admin)).at(-1), {
      kind: 'job_failed',
      title: 'The job notifications.mail has failed',
      link: `/settings/jobs/${job!.id}`,
    });
    t.strictSame(await states(admin), [null], 'no mail is sent about a failing mail server');
    mail.refuse = undefined;
    expectStatus(await api.post(`/settings/jobs/${job!.id}/retry`), 200, 'another try');
    await mailed();
    t.equal(to(user).length, 1);
    t.strictSame(await states(user), ['sent']);
  },
);

t.test('a mail without a job after the loss of a node is sent by the clean-up', async (t) => {
  const user = await makeUser(admin, 'member');
  await comment((await card()).id, user);
  await untilNotified(node);
  await sql(node.database, `delete from jobs where type = 'notifications.mail' and state = 'queued'`);
  await sql(node.database, `update notifications set updated_at = now() - interval '2 hours' where user_id = $1`, [
    user.user.id,
  ]);
  const { jobs: runner } = node.app.services;
  await runner.submit(systemContext('test'), 'notifications.cleanup', {});
  await until(async () => {
    await makeDue();
    return to(user).length === 1;
  }, 10_000);
  t.pass('it was');
});

t.test('no name can start a header or a line', async (t) => {
  const user = await makeUser(admin, 'member');
  const { id } = await card(`Evil\r\nBcc: ${admin.user.email}\r\n\r\nBody \u2028line \u202eesrever ${'x'.repeat(400)}`);
  await comment(id, user);
  await mailed();
  const [only] = to(user) as [ReceivedMail];
  t.strictSame(only.to, [user.user.email]);
  t.notOk(only.headers.has('bcc'));
  t.match(
    header(only, 'subject'),
    /^Ada Admin mentioned you on Application “Evil Bcc: admin@example\.org Body line esrever x+…$/,
  );
  t.equal(only.text.split('\n').length, 4);
  t.notMatch(only.text, /[\u2028\u202e]/);
  t.strictSame(to(admin), []);
});
