/** Receivers of notifications: the users affected by an event, once each, and no others. */
import t from 'tap';
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
import { untilNotified, newNotifications, notificationsOf } from '../support/notifications.js';
import { applied, staged } from '../support/imports.js';
import { makeRoleUser } from '../support/roles.js';
import { systemContext } from '../../core/foundation/context.js';

const node = await testApp({ config: { logLevel: 'silent' } });
t.teardown(node.close);
const admin = await registerAdmin(node.origin);
const owner = await makeUser(admin, 'member');
const second = await makeUser(admin, 'architect');
const stranger = await makeUser(admin, 'member');
const named = await makeUser(admin, 'viewer');
const withoutApplications = await makeRoleUser(node, admin, 'without_applications', {
  like: 'member',
  types: { Application: { 'cards.view': false } },
});
const withoutFeed = await makeRoleUser(node, admin, 'without_feed', {
  like: 'member',
  without: ['comments.view', 'notifications.own', 'todos.own'],
});
const withoutComments = await makeRoleUser(node, admin, 'without_comments', {
  like: 'member',
  without: ['comments.view', 'todos.own', 'costs.view'],
});
/** The values that an application needs before it can be approved. */
const READY = { businessCriticality: 'missionCritical', timeModel: 'invest' };
const users = { admin, owner, second, stranger, named, withoutApplications, withoutComments };
const { api } = admin;

let n = 0;
const make = async (more: object = {}): Promise<AnyBody> =>
  expectStatus(await api.post('/cards', { type: 'Application', name: `Card ${++n}`, ...more }), 201, 'a card').body;
const stake = async (card: AnyBody, user: Session, role = 'responsible', by = admin): Promise<string> =>
  expectStatus(
    await by.api.post(`/cards/${card.id}/stakeholders`, { user_id: user.user.id, role }),
    201,
    'a stakeholder',
  ).body.id;
/** Creates a card with a responsible owner and a second stakeholder. */
const owned = async (more: object = {}): Promise<AnyBody> => {
  const card = await make(more);
  await stake(card, owner);
  await stake(card, second, 'observer');
  return card;
};
const notificationsAfter = (work: () => Promise<unknown>) => newNotifications(node, users, work);
const comment = async (card: AnyBody, body: string, by: Session = admin, parent_id?: string): Promise<string> =>
  expectStatus(
    await by.api.post(`/cards/${card.id}/comments`, { body, ...(parent_id !== undefined && { parent_id }) }),
    201,
    'a comment',
  ).body.id;
const who = admin.user.display_name;

t.test('assigning a stakeholder role notifies the user, but not for an own assignment', async (t) => {
  const card = await make();
  t.strictSame(await notificationsAfter(() => stake(card, owner)), {
    owner: [`assignment: ${who} gave you the role Responsible on Application “${card.name}”`],
  });
  t.strictSame(await notificationsAfter(() => stake(card, second, 'observer', second)), {});
  t.strictSame(
    await notificationsAfter(() => stake(card, withoutApplications)),
    {},
    'not a user who cannot see the card',
  );
  t.match((await notificationsOf(owner)).at(-1), {
    link: `/cards/${card.id}`,
    subject: { kind: 'card', id: card.id, type: 'Application', name: card.name },
    actor: { id: admin.user.id },
    count: 1,
    read_at: null,
    version: 1,
  });
});

t.test('a change notifies all stakeholders of the card except its author', async (t) => {
  const card = await owned();
  t.strictSame(await notificationsAfter(() => api.patch(`/cards/${card.id}`, { alias: 'x' })), {
    owner: [`card_changed: ${who} changed Application “${card.name}”`],
    second: [`card_changed: ${who} changed Application “${card.name}”`],
  });
  t.strictSame((await notificationsOf(owner)).at(-1)!.fields, ['alias']);
  t.strictSame(Object.keys(await notificationsAfter(() => second.api.patch(`/cards/${card.id}`, { alias: 'y' }))), [
    'owner',
  ]);
  t.strictSame(
    await notificationsAfter(() => api.patch(`/cards/${card.id}`, { alias: 'y' })),
    {},
    'what changes nothing is no news',
  );
  const group = expectStatus(
    await api.post('/metamodel/tag-groups', { name: 'Notification', mode: 'multi' }),
    201,
    'a group',
  ).body;
  const tag = expectStatus(
    await api.post(`/metamodel/tag-groups/${group.id}/tags`, { name: 'Notification' }),
    201,
    'a tag',
  ).body;
  t.match(await notificationsAfter(() => api.put(`/cards/${card.id}/tags`, { tag_ids: [tag.id] })), {
    owner: [`card_changed: ${who} changed the tags of Application “${card.name}”`],
  });
});

t.test('a user who became a stakeholder after a change is not notified', async (t) => {
  const card = await make();
  await api.patch(`/cards/${card.id}`, { alias: 'before' });
  await stake(card, owner);
  await untilNotified(node);
  t.strictSame(
    (await notificationsOf(owner)).filter(({ subject }) => subject.id === card.id).map(({ kind }) => kind),
    ['assignment'],
  );
});

t.test('changes of relations notify the stakeholders of both ends, each once', async (t) => {
  const [a, b] = [await make(), await make()];
  await stake(a, owner);
  await stake(b, second);
  await stake(b, owner);
  const relation = { type: 'related', source_id: a.id, target_id: b.id };
  let id = '';
  t.strictSame(
    await notificationsAfter(async () => {
      id = expectStatus(await api.post('/relations', relation), 201, 'a relation').body.id;
    }),
    {
      owner: [`card_changed: ${who} changed a relation of Application “${a.name}”`],
      second: [`card_changed: ${who} changed a relation of Application “${b.name}”`],
    },
  );
  t.strictSame(Object.keys(await notificationsAfter(() => api.del(`/relations/${id}`))).sort(), ['owner', 'second']);
  const provider = expectStatus(
    await api.post('/cards', { type: 'Provider', name: `Provider ${++n}` }),
    201,
    'a provider',
  ).body;
  await stake(provider, withoutApplications);
  await stake(provider, stranger);
  t.strictSame(
    Object.keys(
      await notificationsAfter(() =>
        api.post('/relations', { type: 'related', source_id: provider.id, target_id: b.id }),
      ),
    ).sort(),
    ['owner', 'second', 'stranger'],
    'not a user who may not see the other end',
  );
});

t.test('approval: given, refused, broken, reset', async (t) => {
  const card = await owned({ attributes: READY });
  const act = (action: string) =>
    notificationsAfter(async () => expectStatus(await api.post(`/cards/${card.id}/approval`, { action }), 200, action));
  t.match(await act('approve'), { owner: [`card_approval: ${who} approved Application “${card.name}”`] });
  t.match(await notificationsAfter(() => api.patch(`/cards/${card.id}`, { description: 'Changed' })), {
    owner: [`card_approval: ${who} changed Application “${card.name}”, which breaks its approval`],
  });
  t.match(await act('reject'), { owner: [`card_approval: ${who} rejected Application “${card.name}”`] });
  t.match(await act('reset'), { second: [`card_approval: ${who} reset the approval of Application “${card.name}”`] });
});

t.test('archived, restored, deleted: the stakeholders of a deleted card are notified too', async (t) => {
  const card = await owned();
  const gone = await stake(card, stranger);
  await api.del(`/cards/${card.id}/stakeholders/${gone}`);
  for (const [verb, work] of [
    ['archived', () => api.post(`/cards/${card.id}/archive`, {})],
    ['restored', () => api.post(`/cards/${card.id}/restore`, {})],
    ['deleted', () => api.del(`/cards/${card.id}`)],
  ] as const) {
    const text = `card_archived: ${who} ${verb} Application “${card.name}”`;
    t.strictSame(await notificationsAfter(work), { owner: [text], second: [text] }, verb);
  }
  t.equal((await notificationsOf(owner)).at(-1)!.link, null);
});

t.test('inherited roles above count', async (t) => {
  const type = expectStatus(
    await api.get<{ stakeholder_roles: { key: string; inherited?: boolean }[] }>('/metamodel/types/Application'),
    200,
    'the type',
  ).body;
  const roles = type.stakeholder_roles.map((role) =>
    role.key === 'business_owner' ? { ...role, inherited: true } : role,
  );
  expectStatus(await api.patch('/metamodel/types/Application', { stakeholder_roles: roles }), 200, 'an inherited role');
  const above = await make();
  const below = await make({ parent_id: (await make({ parent_id: above.id })).id });
  await stake(above, owner, 'business_owner');
  await stake(above, second, 'technical_owner');
  t.strictSame(await notificationsAfter(() => api.patch(`/cards/${below.id}`, { alias: 'deep' })), {
    owner: [`card_changed: ${who} changed Application “${below.name}”`],
  });
});

t.test('comments: stakeholders, the author replied to, and mentioned users', async (t) => {
  const card = await owned();
  const first = await comment(card, 'What is this?', stranger);
  const author = stranger.user.display_name;
  await untilNotified(node);
  t.match((await notificationsOf(owner)).at(-1), {
    kind: 'comment',
    title: `${author} commented on Application “${card.name}”`,
  });
  t.strictSame(await notificationsAfter(() => comment(card, 'A system.', owner, first)), {
    second: [`comment: ${owner.user.display_name} commented on Application “${card.name}”`],
    stranger: [`comment: ${owner.user.display_name} answered your comment on Application “${card.name}”`],
  });
  const text = `Ask @[Somebody](${named.user.id}), @${second.user.email.toUpperCase()}, @[x](${withoutApplications.user.id}), @[y](${withoutFeed.user.id}) or @[z](${withoutComments.user.id}); not mail@${stranger.user.email}, @nobody@example.org. @[Me](${admin.user.id})`;
  const line = `${who} mentioned you on Application “${card.name}”`;
  t.strictSame(await notificationsAfter(() => comment(card, text)), {
    owner: [`comment: ${who} commented on Application “${card.name}”`],
    second: [`mention: ${line}`],
    named: [`mention: ${line}`],
  });
  const event = await until(
    async () =>
      (await api.get('/events', { query: { type: 'card.comment_created', subject_id: card.id } })).body.items[0],
  );
  t.strictSame(
    [...(event['data'] as { mentions: string[] }).mentions].sort(),
    [second, named, withoutApplications, withoutFeed, withoutComments, admin].map(({ user }) => user.id).sort(),
    'ids, no texts',
  );
});

t.test('an edit notifies only newly mentioned users; a text mentions at most fifty', async (t) => {
  const card = await make();
  const id = await comment(card, `@[Named](${named.user.id})`);
  const edit = (body: string) => notificationsAfter(() => api.patch(`/cards/${card.id}/comments/${id}`, { body }));
  t.strictSame(await edit(`@[Named](${named.user.id}), again`), {});
  t.strictSame(Object.keys(await edit(`@[Named](${named.user.id}) and @[S](${stranger.user.id})`)), ['stranger']);
  const many = Array.from({ length: 51 }, (_, i) => `@u${i}@example.org`).join(' ');
  t.match(await api.post(`/cards/${card.id}/comments`, { body: many }), {
    status: 422,
    body: { errors: [{ field: '/body', reason: 'mentions more than 50 users' }] },
  });
  t.equal((await api.post(`/cards/${card.id}/comments`, { body: '@'.repeat(9_999) })).status, 201);
  const began = performance.now();
  t.equal((await api.post(`/cards/${card.id}/comments`, { body: `${'@[a'.repeat(3_300)}` })).status, 201);
  t.equal((await api.post(`/cards/${card.id}/comments`, { body: `@${'a.'.repeat(4_900)}` })).status, 201);
  t.ok(performance.now() - began < 1_000, 'any text is parsed quickly');
});

t.test('to-dos: assigned, reassigned, and done', async (t) => {
  const card = await make();
  const give = async (assignee: Session, by: Session = admin) =>
    expectStatus(
      await by.api.post(`/cards/${card.id}/todos`, { title: 'A secret thing', assignee_id: assignee.user.id }),
      201,
      'a to-do',
    ).body.id;
  let id = '';
  t.strictSame(
    await notificationsAfter(async () => {
      id = await give(owner);
    }),
    { owner: [`assignment: ${who} gave you a to-do on Application “${card.name}”`] },
  );
  const at = `/cards/${card.id}/todos/${id}`;
  t.strictSame(Object.keys(await notificationsAfter(() => api.patch(at, { assignee_id: stranger.user.id }))), [
    'stranger',
  ]);
  t.strictSame(await notificationsAfter(() => stranger.api.patch(at, { status: 'done' })), {
    admin: [`todo_done: ${stranger.user.display_name} finished a to-do you gave on Application “${card.name}”`],
  });
  t.strictSame(await notificationsAfter(() => give(owner, owner)), {}, 'not for an own action');
  t.strictSame(await notificationsAfter(() => give(withoutApplications)), {}, 'not a user who cannot see the card');
  t.strictSame(await notificationsAfter(() => give(withoutComments)), {}, 'not a user without todos.own');
});

t.test('an import notifies the user who ran it, although it is an own action', async (t) => {
  const found = await notificationsAfter(async () =>
    applied(second.api, (await staged(second.api, 'csv', 'type,name\nProvider,Notification\n')).id),
  );
  t.match(found, { second: [/^import_done: Your import of “.+” is done$/] });
  t.strictSame(Object.keys(found), ['second']);
  const again = await notificationsAfter(async () =>
    applied(second.api, (await staged(second.api, 'csv', 'type,name\nProvider,Notification\n')).id),
  );
  t.strictSame(again, {}, 'but not that nothing was changed');
});

t.test('failed jobs and webhooks notify the users who manage them', async (t) => {
  const { jobs, transactions } = node.app.services;
  t.teardown(jobs.register('test.failing', { handler: () => Promise.reject(new Error('no')), maxAttempts: 1 }));
  const fail = async (): Promise<void> => {
    const id = (await jobs.submit(systemContext('test'), 'test.failing', {}))!;
    await until(async () => (await api.get<{ state: string }>(`/settings/jobs/${id}`)).body.state === 'failed');
  };
  t.strictSame(await notificationsAfter(fail), { admin: ['job_failed: The job test.failing has failed'] });
  const again = (
    await notificationsAfter(async () => {
      await fail();
      await fail();
    })
  )['admin'];
  t.match(
    again,
    [/^job_failed: The job test\.failing has failed( [23] times)?$/],
    'repeated failures are one notification',
  );
  const disable = (owner_id: string) =>
    transactions.run(systemContext('job'), async (uow) => {
      uow.emit({
        type: 'webhook.disabled',
        subject: { kind: 'webhook', id: card, name: 'CI' },
        data: { owner_id, reason: 'it failed' },
      });
    });
  const card = (await make()).id;
  t.strictSame(await notificationsAfter(() => disable(admin.user.id)), {
    admin: ['webhook_disabled: The webhook “CI” was switched off'],
  });
  t.strictSame(
    await notificationsAfter(() => disable(owner.user.id)),
    {},
    'a user who may not manage webhooks cannot see it',
  );
});

t.test('costs: names and values are omitted, and a change of costs only notifies users who see costs', async (t) => {
  const card = await make();
  await stake(card, owner, 'observer');
  await stake(card, withoutComments, 'observer');
  t.strictSame(
    Object.keys(
      await notificationsAfter(() => api.patch(`/cards/${card.id}`, { attributes: { costTotalAnnual: 48_151 } })),
    ),
    ['owner'],
  );
  t.strictSame((await notificationsOf(owner)).at(-1)!.fields, []);
  t.strictSame(
    Object.keys(
      await notificationsAfter(() =>
        api.patch(`/cards/${card.id}`, { alias: 'z', attributes: { costTotalAnnual: 48_152 } }),
      ),
    ).sort(),
    ['owner', 'withoutComments'],
  );
  t.strictSame((await notificationsOf(withoutComments)).at(-1)!.fields, ['alias']);
  await stake(card, withoutComments, 'responsible');
  t.strictSame(
    Object.keys(
      await notificationsAfter(() => api.patch(`/cards/${card.id}`, { attributes: { costTotalAnnual: 48_153 } })),
    ).sort(),
    ['owner', 'withoutComments'],
    'a stakeholder role may show costs',
  );
  const stored = await sql(
    node.database,
    `select data from events where type like 'notification.%' union all select data from notifications`,
  );
  t.notMatch(
    JSON.stringify([await notificationsOf(owner), await notificationsOf(withoutComments), stored]),
    /4815[123]|costTotalAnnual/,
  );
});

t.test('deactivated users and users without notifications.own are not notified', async (t) => {
  const card = await make();
  const gone = await makeUser(admin, 'member');
  for (const user of [gone, withoutFeed]) await stake(card, user);
  await untilNotified(node);
  expectStatus(await api.patch(`/users/${gone.user.id}`, { is_active: false }), 200, 'switching off');
  await untilNotified(node);
  await api.patch(`/cards/${card.id}`, { alias: 'off' });
  await untilNotified(node);
  expectStatus(await api.patch(`/users/${gone.user.id}`, { is_active: true }), 200, 'switching on');
  const receivers = (await sql<{ user_id: string }>(node.database, 'select user_id from notifications')).map(
    ({ user_id }) => user_id,
  );
  t.notOk(receivers.includes(withoutFeed.user.id));
  t.equal(receivers.filter((id) => id === gone.user.id).length, 1, 'only the role');
  t.equal((await withoutFeed.api.get('/notifications')).status, 403);
});
