/** Values of a former cost field stay hidden in all reads of the event log, after the field is removed or changed. */
import t from 'tap';
import { makeUser, openStream, registerAdmin, testApp, until, type AnyBody } from '../support/app.js';
import { untilNotified, notificationsOf } from '../support/notifications.js';
import { startReceiver } from '../support/receiver.js';

const node = await testApp({ config: { outboundAllow: ['127.0.0.1'] } });
const { app, origin, close } = node;
t.teardown(close);
const admin = await registerAdmin(origin);
const done = async (answer: Promise<{ status: number; body: AnyBody }>): Promise<AnyBody> => {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return body;
};
const type = (fields: object[]): object => ({
  key: 'Asset',
  label: 'Asset',
  stakeholder_roles: [{ key: 'watcher', label: 'Watcher', permissions: {} }],
  sections: [{ key: 'main', label: 'Main', fields }],
});
const [cost, plain] = ['cost', 'number'].map((kind) => [
  { key: 'fee', label: 'Fee', kind },
  { key: 'size', label: 'Size', kind: 'number' },
]) as [object[], object[]];
const SECRET = /41414141|42424242|43434343|44444444/;

t.test('events hide what was a cost when they were written', async (t) => {
  await done(admin.api.post('/metamodel/types', type(cost)));
  await done(
    admin.api.post('/metamodel/relation-types', {
      key: 'pays',
      label: 'pays',
      source_type: 'Asset',
      target_type: 'Asset',
      fields: [{ key: 'rate', kind: 'cost' }],
    }),
  );
  const permissions = ['events.audit', 'webhooks.manage', 'cards.view', 'relations.view', 'notifications.own'];
  for (const [key, more] of [
    ['clerk', []],
    ['buyer', ['costs.view']],
  ] as const)
    await done(admin.api.post('/roles', { key, label: key, permissions: [...permissions, ...more] }));
  const [clerk, buyer] = [await makeUser(admin, 'clerk'), await makeUser(admin, 'buyer')];
  const [live, receiver] = [await openStream(origin, clerk.token), await startReceiver(() => 204)];
  t.teardown(async () => {
    live.close();
    await receiver.close();
  });

  const [one, two] = [
    await done(admin.api.post('/cards', { type: 'Asset', name: 'One', attributes: { fee: 41414141, size: 1 } })),
    await done(admin.api.post('/cards', { type: 'Asset', name: 'Two' })),
  ];
  await done(admin.api.patch(`/cards/${one['id']}`, { attributes: { fee: 42424242, size: 2 } }));
  const relation = await done(
    admin.api.post('/relations', {
      type: 'pays',
      source_id: one['id'],
      target_id: two['id'],
      attributes: { rate: 43434343 },
    }),
  );
  await done(admin.api.patch(`/relations/${relation['id']}`, { attributes: { rate: 44444444 } }));

  // The cost fields are emptied, removed, and created again with the same keys as plain numbers.
  await done(admin.api.patch(`/cards/${one['id']}`, { attributes: { fee: null } }));
  await done(
    admin.api.patch('/metamodel/types/Asset', { sections: [{ key: 'main', label: 'Main', fields: plain.slice(1) }] }),
  );
  await done(admin.api.patch('/metamodel/types/Asset', { sections: [{ key: 'main', label: 'Main', fields: plain }] }));
  await done(admin.api.patch(`/relations/${relation['id']}`, { attributes: { rate: null } }));
  await done(admin.api.patch('/metamodel/relation-types/pays', { fields: [] }));
  await done(admin.api.patch('/metamodel/relation-types/pays', { fields: [{ key: 'rate', kind: 'number' }] }));
  t.notOk(
    [...app.services.metamodel.current.types.get('Asset')!.fields.costKeys].includes('fee'),
    'the field is no cost any more',
  );
  await done(admin.api.post(`/cards/${one['id']}/stakeholders`, { user_id: clerk.user.id, role: 'watcher' }));
  await done(clerk.api.post('/webhooks', { url: receiver.url, types: ['card.', 'relation.'] }));
  await done(admin.api.patch(`/cards/${one['id']}`, { attributes: { fee: 41414141, size: 3 } }));
  await untilNotified(node);

  for (const subject_id of [one['id'], relation['id']] as string[]) {
    const trail = async (user: typeof clerk) =>
      (
        await user.api.get<{ items: { id: number; data: AnyBody }[] }>('/events', {
          query: { subject_id, page_size: 200 },
        })
      ).body.items;
    t.match(JSON.stringify(await trail(buyer)), SECRET, 'a user who may see costs gets them');
    const items = await trail(clerk);
    t.ok(items.length > 1);
    t.notMatch(JSON.stringify(items), SECRET, 'listed');
    for (const { id } of items)
      t.notMatch(JSON.stringify((await clerk.api.get(`/events/${id}`)).body), SECRET, 'by id');
  }
  t.match(
    JSON.stringify(
      (await clerk.api.get('/events', { query: { subject_id: one['id'] as string, type: 'card.updated' } })).body,
    ),
    /attributes\.size/,
    'fields that were never costs are shown',
  );
  const again = await openStream(origin, clerk.token, { lastEventId: 0 });
  t.teardown(again.close);
  for (const stream of [live, again]) {
    await stream.waitFor((e) => e.event === 'card.updated' && JSON.stringify(e.data).includes('"new":3'), 10_000);
    t.notMatch(JSON.stringify(stream.events), SECRET, 'streamed');
  }
  await until(() => receiver.accepted.some(({ body }) => body.includes('attributes.size')), 20_000);
  t.notMatch(receiver.requests.map(({ body }) => body).join(), SECRET, 'sent');
  const [notification] = (await notificationsOf(clerk)).filter(({ kind }) => kind === 'card_changed');
  t.strictSame(notification?.fields, ['attributes.size'], 'notified');
});
