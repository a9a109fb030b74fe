/** Comments do not reveal the account of an e-mail address; mentioned users are notified nevertheless. */
import t from 'tap';
import { makeUser, openStream, registerAdmin, testApp, until, type AnyBody } from '../support/app.js';
import { untilNotified, notificationsOf } from '../support/notifications.js';
import { startReceiver } from '../support/receiver.js';

const node = await testApp({ config: { outboundAllow: ['127.0.0.1'] } });
const { origin, close } = node;
t.teardown(close);
const admin = await registerAdmin(origin);
const post = async (path: string, body: object, by = admin): Promise<AnyBody> => {
  const answer = await by.api.post(path, body);
  if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
};

t.test('a mention by e-mail notifies only the mentioned user', async (t) => {
  await post('/roles', {
    key: 'curious',
    label: 'Curious',
    permissions: [
      'cards.view',
      'comments.view',
      'comments.create',
      'events.audit',
      'webhooks.manage',
      'notifications.own',
    ],
  });
  const [curious, victim, other] = [
    await makeUser(admin, 'curious'),
    await makeUser(admin, 'member'),
    await makeUser(admin, 'member'),
  ];
  const { id: card } = await post('/cards', { type: 'Application', name: 'Discussed' });
  const [stream, receiver] = [await openStream(origin, curious.token), await startReceiver()];
  t.teardown(async () => {
    stream.close();
    await receiver.close();
  });
  await post('/webhooks', { url: receiver.url, types: ['card.comment_created', 'card.comment_updated'] }, curious);

  const comment = await post(
    `/cards/${card}/comments`,
    { body: `@${victim.user.email} and @[Other](${other.user.id}) and @nobody@example.org` },
    curious,
  );
  await post(`/cards/${card}/comments`, { body: `@${victim.user.email} alone` }, curious);
  await curious.api.patch(`/cards/${card}/comments/${comment['id']}`, {
    body: `@${victim.user.email}, @[Other](${other.user.id}) and @${admin.user.email}`,
  });
  t.notMatch(JSON.stringify(comment), victim.user.id, 'the answer does not contain the user');
  await untilNotified(node);
  for (const user of [victim, other])
    t.ok(
      (await notificationsOf(user)).some(({ kind }) => kind === 'mention'),
      `${user.user.display_name} is notified`,
    );
  t.ok(
    (await notificationsOf(admin)).some(({ kind }) => kind === 'mention'),
    'a user mentioned by a later edit is notified',
  );

  await stream.waitFor((e) => e.event === 'card.comment_updated', 10_000);
  await until(() => receiver.accepted.some(({ body }) => body.includes('card.comment_updated')), 20_000);
  const trail = (
    await curious.api.get<{ items: AnyBody[] }>('/events', {
      query: {
        subject_id: card as string,
        type: 'card.comment_created,card.comment_updated',
        sort_dir: 'asc',
        sort_by: 'id',
      },
    })
  ).body.items;
  t.strictSame(
    trail.map(({ data }) => (data as AnyBody)['mentions']),
    [[other.user.id], undefined, undefined],
    'only ids that the author wrote are shown',
  );
  for (const { id } of trail)
    t.notMatch(JSON.stringify((await curious.api.get(`/events/${id as string}`)).body), victim.user.id);
  for (const [where, text] of [
    ['trail', JSON.stringify(trail)],
    ['stream', JSON.stringify(stream.events)],
    ['webhook', receiver.requests.map(({ body }) => body).join()],
  ] as const) {
    t.match(text, 'comment_created', where);
    t.notMatch(text, victim.user.id, `${where}: not the user of the address`);
    t.notMatch(text, /mentioned_by_id/, `${where}: not the stored member`);
  }
  t.notMatch(JSON.stringify(trail.map(({ data }) => data)), admin.user.id);

  const seen = (
    await admin.api.get<{ items: AnyBody[] }>('/events', {
      query: { subject_id: card as string, type: 'card.comment_created', sort_dir: 'asc', sort_by: 'id' },
    })
  ).body.items;
  t.match(
    seen.map(({ data }) => data),
    [{ mentions: [victim.user.id, other.user.id].sort() }, { mentions: [victim.user.id] }].map(({ mentions }) => ({
      mentions: mentions.length === 2 ? Array : mentions,
    })),
    'a user who manages users sees all mentions',
  );
  t.notMatch(JSON.stringify(seen), /mentioned_by_id/);
});
