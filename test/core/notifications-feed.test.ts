/** Each event creates one notification: grouped for many cards, with two nodes, and after a failed transaction. */
import type { LogEvent } from '@lintel/sdk';
import t from 'tap';
import { systemContext } from '../../core/foundation/context.js';
import { UnitOfWork } from '../../core/foundation/db/unit-of-work.js';
import {
  client,
  expectStatus,
  makeUser,
  registerAdmin,
  sql,
  testApp,
  type AnyBody,
  type Session,
} from '../support/app.js';
import { untilNotified, notificationsOf, type Notification } from '../support/notifications.js';

const a = await testApp({ config: { logLevel: 'silent' } });
const b = await testApp({ config: { logLevel: 'silent' }, database: a.database });
t.teardown(() => Promise.all([a.close(), b.close()]));
const admin = await registerAdmin(a.origin);
const owner = await makeUser(admin, 'member');
const { api } = admin;
const who = admin.user.display_name;

let n = 0;
const cards = async (count: number): Promise<string[]> => {
  const operations = Array.from({ length: count }, () => ({
    op: 'create',
    card: { type: 'Application', name: `Fed ${++n}` },
  }));
  return expectStatus(
    await api.post<{ results: { id: string }[] }>('/cards/bulk', { mode: 'all_or_nothing', operations }),
    200,
    'cards',
  ).body.results.map(({ id }) => id);
};
/** Inserted directly, because the API creates one stakeholder at a time. */
const addStakeholders = (ids: readonly string[], user: Session) =>
  sql(
    a.database,
    `insert into card_stakeholders (id, card_id, user_id, role, created_at) select gen_random_uuid(), unnest($1::uuid[]), $2, 'responsible', now() - interval '1 minute'`,
    [ids, user.user.id],
  );
const bulk = async (operations: object[]): Promise<void> =>
  void expectStatus(await api.post<AnyBody>('/cards/bulk', { mode: 'all_or_nothing', operations }), 200, 'a bulk');
const last = async (user: Session = owner): Promise<Notification> => (await notificationsOf(user)).at(-1)!;

t.test('a bulk of 2,000 cards is one notification, which counts them', async (t) => {
  const ids = await cards(2_000);
  await addStakeholders(ids, owner);
  await untilNotified(a);
  await bulk(ids.map((id) => ({ op: 'update', id, card: { alias: 'all' } })));
  await untilNotified(a);
  t.match(
    (await notificationsOf(owner)).map(({ kind, count, title, fields }) => ({ kind, count, title, fields })),
    [{ kind: 'card_changed', count: 2_000, title: `${who} changed 2,000 cards`, fields: [] }],
  );
  await bulk(ids.slice(0, 700).map((id) => ({ op: 'archive', id })));
  await untilNotified(a);
  t.match(await last(), { kind: 'card_archived', count: 700, title: `${who} archived 700 cards` });
  t.equal((await notificationsOf(owner)).length, 2);
  const [{ events } = { events: 0 }] = await sql<{ events: number }>(
    a.database,
    `select count(*)::int as events from events where type = 'notification.created'`,
  );
  t.equal(events, 2);
});

t.test('a group that grows after it was read is unread again', async (t) => {
  const [one] = await cards(1);
  await addStakeholders([one!], owner);
  const event = (position: number): LogEvent => ({
    position,
    type: 'card.updated',
    occurred_at: new Date().toISOString(),
    actor: null,
    origin: 'import',
    request_id: null,
    change_id: '01900000-0000-7000-8000-000000000001',
    subject: { kind: 'card', id: one!, type: 'Application', name: 'Fed' },
    data: { changes: [{ field: 'alias', old: null, new: 'x' }] },
  });
  const { notificationFeed: feed, transactions } = a.app.services;
  const handle = (...positions: number[]) =>
    transactions.run(systemContext('test'), (uow) => feed.handle(uow, positions.map(event)));
  await handle(9_000_001, 9_000_002);
  const { id } = await last();
  await owner.api.post(`/notifications/${id}/read`);
  await handle(9_000_003);
  t.match(await last(), { id, count: 3, read_at: null, version: 3, event_id: 9_000_003 });
  await handle(9_000_003);
  t.match(await last(), { id, count: 3, version: 3 }, 'a read notification is not counted again');
});

t.test('two nodes and 40 concurrent changes: each creates one notification', async (t) => {
  const ids = await cards(40);
  await addStakeholders(ids, owner);
  await untilNotified(a);
  const before = (await notificationsOf(owner)).length;
  const nodes = [api, client(b.origin, admin.token)];
  await Promise.all(
    ids.map(async (id, i) =>
      expectStatus(await nodes[i % 2]!.patch(`/cards/${id}`, { alias: `c${i}` }), 200, 'a change'),
    ),
  );
  await untilNotified(a);
  await untilNotified(b);
  const notifications = (await notificationsOf(owner)).slice(before);
  t.strictSame(notifications.map(({ subject }) => subject.id).sort(), [...ids].sort());
  t.ok(notifications.every(({ count, version }) => count === 1 && version === 1));
});

t.test('a failed transaction leaves nothing, and everything is created once afterwards', async (t) => {
  const ids = await cards(5);
  await addStakeholders(ids, owner);
  await untilNotified(a);
  const before = (await notificationsOf(owner)).length;
  // Fails when the position is updated, after all other writes. It counts by a sequence, which a rollback does not reset.
  await sql(a.database, 'create sequence stumbles');
  await sql(
    a.database,
    `create function stumble() returns trigger language plpgsql as $$ begin
    if nextval('stumbles') <= 7 then raise exception 'stumbles' using errcode = '40001'; end if; return new; end $$`,
  );
  await sql(
    a.database,
    `create trigger stumble before update on subscriptions for each row when (old.name = 'notifications') execute function stumble()`,
  );
  await Promise.all(ids.map((id) => api.patch(`/cards/${id}`, { alias: 'again' })));
  await untilNotified(a);
  await sql(a.database, 'drop trigger stumble on subscriptions');
  const [{ n: stumbles } = { n: 0 }] = await sql<{ n: number }>(
    a.database,
    'select last_value::int as n from stumbles',
  );
  t.ok(stumbles > 7, `${stumbles} tries`);
  const notifications = (await notificationsOf(owner)).slice(before);
  t.strictSame(notifications.map(({ subject }) => subject.id).sort(), [...ids].sort());
  t.ok(notifications.every(({ count }) => count === 1));
});

t.test('the number of statements of a chunk does not depend on the number of events and users', async (t) => {
  const users = await Promise.all(Array.from({ length: 12 }, () => makeUser(admin, 'member')));
  const ids = await cards(60);
  for (const user of users) await addStakeholders(ids, user);
  await untilNotified(a);
  const { notificationFeed: feed, db } = a.app.services;
  const events = (count: number, position: number): LogEvent[] =>
    ids.slice(0, count).flatMap((id, i) =>
      ['card.updated', 'card.comment_created', 'card.archived'].map(
        (type, k): LogEvent => ({
          position: position + 3 * i + k,
          type,
          occurred_at: new Date().toISOString(),
          actor: null,
          origin: 'api',
          request_id: null,
          change_id: `01900000-0000-7000-8000-${String(position + i).padStart(12, '0')}`,
          subject: { kind: 'card', id, type: 'Application', name: 'Fed' },
          data:
            type === 'card.updated'
              ? { changes: [{ field: 'attributes.costTotalAnnual', old: 1, new: 2 }] }
              : { comment: { id, parent_id: id }, mentions: users.map(({ user }) => user.id) },
        }),
      ),
    );
  const statements = async (count: number, position: number): Promise<{ sent: number; notifications: number }> => {
    let sent = 0;
    const uow = new UnitOfWork(systemContext('test'), async () => {
      const client = await db.pool.connect();
      const query = client.query.bind(client) as (...args: unknown[]) => unknown;
      client.query = ((...args: unknown[]) => {
        sent++;
        return query(...args);
      }) as typeof client.query;
      return client;
    });
    await feed.handle(uow, events(count, position));
    const notifications = uow.events.length;
    await uow.rollback();
    await uow.release(new Error('not to be used again'));
    return { sent, notifications };
  };
  const [few, many] = [await statements(1, 8_000_000), await statements(60, 8_100_000)];
  t.equal(many.sent, few.sent);
  t.ok(many.notifications > 20 * few.notifications, `${few.notifications} and ${many.notifications} notifications`);
});
