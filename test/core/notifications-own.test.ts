/** Own notifications: list, counts, reading, preferences; those of others are not accessible. */
import pg from 'pg';
import t from 'tap';
import { systemContext } from '../../core/foundation/context.js';
import { boundKnex } from '../../core/foundation/db/bound-knex.js';
import * as migration from '../../migrations/0015_notifications.js';
import {
  createDatabase,
  expectStatus,
  makeUser,
  openStream,
  registerAdmin,
  sql,
  testApp,
  until,
  type AnyBody,
  type Session,
} from '../support/app.js';
import { untilNotified, notificationsOf, type Notification } from '../support/notifications.js';
import { makeRoleUser } from '../support/roles.js';
import { watchStatements } from '../support/statements.js';

const watch = watchStatements();
const node = await testApp({ config: { logLevel: 'silent' } });
t.teardown(node.close);
const admin = await registerAdmin(node.origin);
const owner = await makeUser(admin, 'member');
const other = await makeUser(admin, 'member');
const { api } = admin;
interface Preferences {
  kinds: Record<string, { title: string; description: string; module: string | null; in_app: boolean; email: boolean }>;
  version: number;
}

let n = 0;
const card = async (user: Session = owner): Promise<AnyBody> => {
  const made = expectStatus(await api.post('/cards', { type: 'Application', name: `Own ${++n}` }), 201, 'a card').body;
  expectStatus(
    await api.post(`/cards/${made.id}/stakeholders`, { user_id: user.user.id, role: 'observer' }),
    201,
    'a stakeholder',
  );
  return made;
};
const unread = async (user: Session = owner): Promise<number> =>
  (await user.api.get<{ unread: number }>('/notifications/unread-count')).body.unread;
const choose = (user: Session, kinds: object, headers: Record<string, string> = {}) =>
  user.api.patch<Preferences & AnyBody>('/notifications/preferences', { kinds }, { headers });

t.test('a list with filters, pages and the number of unread ones', async (t) => {
  for (let i = 0; i < 3; i++) await api.patch(`/cards/${(await card()).id}`, { alias: 'x' });
  await untilNotified(node);
  const { body } = await owner.api.get<{ items: Notification[]; total: number; next_cursor: string }>(
    '/notifications',
    {
      query: { page_size: 4 },
    },
  );
  t.match(body, { total: 6, total_relation: 'eq', page: 1, page_size: 4 });
  t.same(
    body.items.map(({ created_at }) => created_at),
    [...body.items.map(({ created_at }) => created_at)].sort().reverse(),
  );
  const rest = await owner.api.get<{ items: Notification[] }>('/notifications', {
    query: { page_size: 4, cursor: body.next_cursor },
  });
  t.equal(new Set([...body.items, ...rest.body.items].map(({ id }) => id)).size, 6);
  t.equal((await notificationsOf(owner, { kind: 'assignment' })).length, 3);
  t.equal((await notificationsOf(owner, { kind: 'assignment,card_changed', unread: true })).length, 6);
  t.equal((await notificationsOf(owner, { unread: false })).length, 0);
  t.equal(await unread(), 6);
  t.equal(await unread(other), 0);
  const { event_id, title } = body.items[0]!;
  t.match(await api.get(`/events/${event_id}`), { status: 200, body: { type: 'card.updated' } }, title);
  const wrong: Record<string, string | number>[] = [{ kind: 'A' }, { unread: 'x' }, { sort_by: 'title' }, { bogus: 1 }];
  for (const query of wrong)
    t.equal((await owner.api.get('/notifications', { query })).status, 422, JSON.stringify(query));
});

t.test('reading one: once, only by its receiver, with its version', async (t) => {
  const [one] = (await notificationsOf(owner, { unread: true })) as [Notification];
  const at = `/notifications/${one.id}`;
  const shown = await owner.api.get(at);
  t.match(shown, { status: 200, body: { id: one.id, version: 1, read_at: null } });
  t.match(shown.headers.get('etag'), /^"1\./);
  t.equal((await owner.api.get(at, { headers: { 'if-none-match': shown.headers.get('etag')! } })).status, 304);
  for (const user of [other, admin]) {
    t.equal((await user.api.get(at)).status, 404);
    t.equal((await user.api.post(`${at}/read`)).status, 404);
  }
  for (const id of ['abc', '01900000-0000-7000-8000-00000000dead'])
    t.equal((await owner.api.post(`/notifications/${id}/read`)).status, 404);
  t.match(await owner.api.post(`${at}/read`, undefined, { headers: { 'if-match': '"7"' } }), {
    status: 412,
    body: { current_version: 1, changed_fields: ['read_at'] },
  });
  const before = await unread();
  const key = { headers: { 'idempotency-key': 'read-1', 'if-match': '"1"' } };
  const read = await owner.api.post<Notification>(`${at}/read`, undefined, key);
  t.match(read, { status: 200, body: { version: 2, read_at: /Z$/ } });
  t.equal((await owner.api.post(`${at}/read`, undefined, key)).headers.get('idempotent-replayed'), 'true');
  t.match((await owner.api.post<Notification>(`${at}/read`)).body, { version: 2, read_at: read.body.read_at });
  t.equal(await unread(), before - 1);
  t.equal((await notificationsOf(owner, { unread: false })).length, 1);
});

t.test('read-all excludes later notifications and those of other users', async (t) => {
  await card(other);
  await untilNotified(node);
  const shown = await notificationsOf(owner, { unread: true });
  await card();
  await untilNotified(node);
  t.equal((await owner.api.post('/notifications/read-all', { until: 'yesterday' })).status, 422);
  t.strictSame((await owner.api.post<unknown>('/notifications/read-all', { until: shown.at(-1)!.updated_at })).body, {
    count: shown.length,
  });
  t.equal(await unread(), 1);
  t.strictSame((await owner.api.post<unknown>('/notifications/read-all')).body, { count: 1 });
  t.strictSame((await owner.api.post<unknown>('/notifications/read-all', {})).body, { count: 0 });
  t.equal(await unread(other), 1);
});

t.test('preferences: defaults, merge patches, versions', async (t) => {
  const first = await owner.api.get<Preferences>('/notifications/preferences');
  t.match(first.body, {
    version: 1,
    kinds: {
      mention: { in_app: true, email: true, module: null },
      comment: { in_app: true, email: false },
      'adr.signature_requested': { module: 'adr', email: true },
    },
  });
  const mailed = Object.entries(first.body.kinds)
    .filter(([, { email, module }]) => email && module === null)
    .map(([kind]) => kind);
  t.strictSame(mailed.sort(), ['assignment', 'card_approval', 'job_failed', 'mention', 'webhook_disabled']);
  const changed = await choose(
    owner,
    { comment: { email: true }, mention: { in_app: false } },
    { 'if-match': first.headers.get('etag')! },
  );
  t.match(changed.body, {
    version: 2,
    kinds: { comment: { in_app: true, email: true }, mention: { in_app: false, email: true } },
  });
  t.match(await choose(owner, { comment: { email: false } }, { 'if-match': '"1"' }), {
    status: 412,
    body: { current_version: 2, changed_fields: ['kinds.comment.email'] },
  });
  t.equal((await choose(owner, { comment: { email: true } })).body.version, 2, 'an equal value creates no version');
  t.match((await choose(owner, { comment: null, mention: { in_app: null } })).body, {
    version: 3,
    kinds: { comment: { email: false }, mention: { in_app: true } },
  });
  t.strictSame(
    (await choose(owner, { nothing: { email: true }, 'a/b': { email: true }, comment: { sms: true } })).body.errors.map(
      ({ field }) => field,
    ),
    ['/kinds/comment/sms'],
  );
  t.strictSame(
    (await choose(owner, { nothing: { email: true }, 'a/b': null })).body.errors.map(({ field }) => field).sort(),
    ['/kinds/a~1b', '/kinds/nothing'],
  );
  for (const kinds of [{ comment: 'all' }, { comment: { email: 'yes' } }, { comment: { email: 1 } }, []])
    t.equal((await choose(owner, kinds)).status, 422);
  t.equal((await other.api.get<Preferences>('/notifications/preferences')).body.version, 1);
  const raced = await Promise.all(
    Array.from({ length: 8 }, () => choose(other, { comment: { email: true } }, { 'if-match': '"1"' })),
  );
  t.strictSame(raced.map(({ status }) => status).sort(), [200, ...Array<number>(7).fill(412)]);
});

t.test('a user who disables a kind gets none, and gets new ones after enabling it again', async (t) => {
  const made = await card();
  await untilNotified(node);
  await choose(owner, { card_changed: { in_app: false } });
  const before = await unread();
  await api.patch(`/cards/${made.id}`, { alias: 'unseen' });
  await untilNotified(node);
  t.equal(await unread(), before);
  await choose(owner, { card_changed: null });
  await api.patch(`/cards/${made.id}`, { alias: 'seen' });
  await untilNotified(node);
  t.equal(await unread(), before + 1);
});

t.test('notifications hidden from the reader are omitted, and visible again with the permission', async (t) => {
  const limited = await makeRoleUser(node, admin, 'limited', { like: 'member' });
  await card(limited);
  await untilNotified(node);
  const [one] = await notificationsOf(limited);
  const rule = async (types: object): Promise<void> => {
    await sql(node.database, `update roles set types = $1 where key = 'limited'`, [JSON.stringify(types)]);
    await sql(node.database, `update revisions set revision = revision + 1 where kind = 'permissions'`);
    const { rbac } = node.app.services;
    await until(
      () => rbac.permissionsOf('limited').has('cards.view', 'Application') === !('Application' in types),
      2_000,
    );
  };
  await rule({ Application: { 'cards.view': false } });
  t.match((await limited.api.get('/notifications')).body, { items: [], total: 0 });
  t.equal(await unread(limited), 0);
  t.equal((await limited.api.get(`/notifications/${one!.id}`)).status, 404);
  t.strictSame((await limited.api.post<unknown>('/notifications/read-all')).body, { count: 0 });
  await rule({});
  t.equal(await unread(limited), 1);
});

t.test('the stream delivers them only to the receiver', async (t) => {
  const streams = await Promise.all(
    [owner, other, admin].map(({ token }) => openStream(node.origin, token, { query: { types: 'notification.' } })),
  );
  t.teardown(() => streams.forEach((stream) => stream.close()));
  const [mine, others, auditor] = streams as [(typeof streams)[0], (typeof streams)[0], (typeof streams)[0]];
  await card(owner);
  const created = await mine!.waitFor(({ event }) => event === 'notification.created');
  const { data, subject } = created.data as {
    data: { user_id: string; kind: string; subject: { id: string } };
    subject: string;
  };
  t.match(data, { user_id: owner.user.id, kind: 'assignment' });
  await owner.api.post(`/notifications/${subject}/read`);
  await mine!.waitFor(({ event }) => event === 'notification.read');
  await card(other);
  await card(owner);
  await owner.api.post('/notifications/read-all');
  await choose(owner, { comment: { email: true } });
  await mine!.waitFor(({ event }) => event === 'notification.preferences_changed');
  await others!.waitFor(({ event }) => event === 'notification.created');
  t.strictSame(
    others!.events.map((event) => (event.data as { data: { user_id: string } }).data.user_id),
    [other.user.id],
  );
  t.strictSame(auditor!.events, []);
  t.ok(mine!.events.every((event) => (event.data as { data: { user_id: string } }).data.user_id === owner.user.id));
});

t.test('the number of statements of lists does not depend on their length', async (t) => {
  const count = async (path: string): Promise<number> =>
    (await watch.during(() => owner.api.get(path))).statements.length;
  t.equal(await count('/notifications?page_size=1'), 1);
  t.equal(await count('/notifications?page_size=50'), 1);
  t.equal(await count('/notifications/unread-count'), 1);
});

t.test(
  'old ones are deleted: read ones after half a year, others after a year; those of a deleted user immediately',
  async (t) => {
    const { jobs } = node.app.services;
    const gone = await makeUser(admin, 'member');
    for (let i = 0; i < 4; i++) await card(gone);
    await untilNotified(node);
    const ids = (await notificationsOf(gone)).map(({ id }) => id);
    const age = (id: string, days: number, read: boolean) =>
      sql(
        node.database,
        `update notifications set created_at = now() - $2 * interval '1 day', updated_at = now() - $2 * interval '1 day',
    read_at = case when $3 then now() - $2 * interval '1 day' end where id = $1`,
        [id, days, read],
      );
    await age(ids[0]!, 181, true);
    await age(ids[1]!, 181, false);
    await age(ids[2]!, 366, false);
    await age(ids[3]!, 179, true);
    const job = (await jobs.submit(systemContext('test'), 'notifications.cleanup', {}))!;
    t.match(
      await until(async () => {
        const { body } = await api.get<{ state: string; result: object }>(`/settings/jobs/${job}`);
        return body.state === 'done' && body.result;
      }),
      { deleted: 2 },
    );
    t.strictSame((await notificationsOf(gone)).map(({ id }) => id).sort(), [ids[1], ids[3]].sort());
    expectStatus(await api.del(`/users/${gone.user.id}`), 204, 'deleting the user');
    t.strictSame(await sql(node.database, 'select id from notifications where user_id = $1', [gone.user.id]), []);
  },
);

t.test('the migration can be reverted', async (t) => {
  const client = new pg.Client({ ...(await createDatabase()) });
  await client.connect();
  t.teardown(() => client.end());
  const tables = async () =>
    (
      await client.query<{ name: string }>(
        `select relname as name from pg_class where relname like 'notification%' order by 1`,
      )
    ).rows.map(({ name }) => name);
  const before = await tables();
  await migration.down(await boundKnex(client));
  t.strictSame(await tables(), []);
  await migration.up(await boundKnex(client));
  t.strictSame(await tables(), before);
});
t.teardown(() => watch.stop());
