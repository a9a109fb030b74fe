/** Nodes are killed between the commit of an invitation and its mail: every stored invitation is mailed, with a valid link. */
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { client, createDatabase, nextAddress, PASSWORD, registerAdmin, sql, until } from '../support/app.js';
import { linksOf, PUBLIC_URL } from '../support/mail-journeys.js';
import { mailServer } from '../support/mail.js';
import { Nodes, random } from '../support/nodes.js';

const KILLS = 6;
/** Most nodes are killed while they wait for the server to acknowledge a mail. */
const ACKNOWLEDGED_MS = 400;

const mail = await mailServer();
mail.delayMs = ACKNOWLEDGED_MS;
const nodes = await Nodes.start(2, await createDatabase(), { OUTBOUND_ALLOW: '127.0.0.1', PUBLIC_URL });
t.teardown(async () => {
  await nodes.stop();
  await mail.close();
});
const { token } = await registerAdmin(nodes.origin(0));
const at = () => client(nodes.origin(), token);
await client(nodes.origin(0), token).patch('/settings/smtp', {
  host: '127.0.0.1',
  port: mail.port,
  security: 'none',
  from_address: 'lintel@example.org',
});

await t.test('every invitation that was stored is mailed with a link that works, once', async (t) => {
  let isOver = false;
  const sending = (async () => {
    for (let i = 0; !isOver; i++) {
      // Without a response it is not known whether the invitation was stored: the database is read at the end.
      await at()
        .post('/users/invitations', { email: `crash-${i}@example.org`, role: 'member' })
        .catch(() => undefined);
      await delay(250);
    }
  })();
  for (let n = 0; n < KILLS; n++) {
    await delay(1_000 + random(1_000));
    await nodes.kill(n % 2);
  }
  isOver = true;
  await sending;
  const stored = await sql<{ email: string }>(nodes.database, 'select email from invitations order by email');
  t.ok(stored.length > 3 * KILLS, `${stored.length} are stored`);
  await until(
    async () =>
      (await sql(nodes.database, `select from jobs where type = 'accounts.mail' and state <> 'done'`)).length === 0,
    180_000,
  );
  t.strictSame(
    [...new Set(mail.mails.flatMap((one) => one.to))].sort(),
    stored.map(({ email }) => email),
    'each has a mail, and no other address',
  );
  t.ok(mail.mails.length > stored.length, 'some were sent by a node that was killed before it stored so');
  t.comment(`${stored.length} invitations, ${mail.mails.length} mails, ${nodes.kills.all} kills`);
  for (const { email } of stored) {
    const mails = mail.mails.filter((one) => one.to.includes(email));
    const statuses: number[] = [];
    for (const one of mails)
      statuses.push(
        (
          await client(nodes.origin(0)).post(
            '/auth/accept-invitation',
            { token: linksOf(one)['accept-invitation'], password: PASSWORD, display_name: 'X' },
            { from: nextAddress() },
          )
        ).status,
      );
    t.strictSame(statuses, [200, ...Array<number>(mails.length - 1).fill(422)], email);
  }
  t.notMatch(nodes.output, /#token=/, 'no log has a link');
  for (const one of mail.mails)
    if (nodes.output.includes(linksOf(one)['accept-invitation']!)) t.fail('a log has a token');
});
