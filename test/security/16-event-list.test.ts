/** Pages, totals and cursors of the audit trail count only visible events; none are removed from a page afterwards. */
import t from 'tap';
import { watchStatements } from '../support/statements.js';
import { makeUser, registerAdmin, sql, testApp, until } from '../support/app.js';

const watch = watchStatements();
t.teardown(watch.stop);
const { app, origin, database, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const other = await makeUser(admin, 'member');
const PUT = `insert into event_outbox (type, occurred_at, origin, subject_kind, subject_id, subject_type, data)
  select $1, clock_timestamp(), 'test', $2, $3 || n, $4, $5::jsonb from generate_series(1, $6::int) n`;
const put = async (
  n: number,
  type: string,
  subject: string,
  data: object,
  subtype: string | null = null,
): Promise<void> => {
  await sql(database, PUT, [type, type.split('.')[0], subject, subtype, JSON.stringify(data), n]);
};
interface LoggedEvent {
  id: number;
  type: string;
  subject: { id: string };
}
interface Page {
  items: LoggedEvent[];
  total: number;
  total_relation: string;
  next_cursor: string | null;
}
const list = async (query: Record<string, string | number> = {}, by = admin): Promise<Page> => {
  const { status, body } = await by.api.get<Page>('/events', { query });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body;
};
const head = async () =>
  Number((await sql<{ position: string }>(database, 'select position from event_head'))[0]!.position);
const numbered = async (): Promise<void> => {
  await until(
    async () => (await sql<{ n: number }>(database, 'select count(*)::int as n from event_outbox'))[0]!.n === 0,
    20_000,
  );
};

t.test('events of other users are neither in pages nor in totals', async (t) => {
  await put(30, 'metamodel.noticed', 'old', {});
  await put(2, 'notification.created', 'own', { user_id: admin.user.id, kind: 'mention' });
  await put(500, 'notification.created', 'theirs', { user_id: other.user.id, kind: 'mention' });
  await numbered();
  const newest = await list({ page_size: 1 });
  t.match(newest.items, [{ type: 'notification.created', subject: { id: /^own/ } }], 'the newest the caller may see');
  t.equal(newest.total, (await head()) - 500);
  const [{ n: all }] = (await sql<{ n: number }>(
    database,
    `select count(*)::int as n from events where subject_kind <> 'notification' or data->>'user_id' = $1`,
    [admin.user.id],
  )) as [{ n: number }];
  t.equal(newest.total, all);
  const seen: number[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Page = await list({ page_size: 7, ...(cursor && { cursor }) });
    t.equal(page.items.length, Math.min(7, all - seen.length), 'pages are full');
    seen.push(...page.items.map(({ id }) => id));
    cursor = page.next_cursor;
  }
  t.equal(new Set(seen).size, all);
  t.equal((await list({ type: 'notification.' })).total, 2);
  t.equal((await list({ subject_id: 'theirs1' })).total, 0);
  t.equal((await list({ page: 2, page_size: 1 })).items.length, 1);
});

t.test('events hidden by the type of a card are neither in pages nor in totals', async (t) => {
  const narrowed = await makeAuditor();
  const [{ id: seen }, { id: unseen }] = [
    (await admin.api.post('/cards', { type: 'Application', name: 'Seen' })).body,
    (await admin.api.post('/cards', { type: 'Provider', name: 'Unseen' })).body,
  ];
  const before = await list({ page_size: 1 }, narrowed);
  await put(3, 'card.updated', 'x', { version: 2 }, 'Application');
  await put(300, 'card.updated', 'y', { version: 2 }, 'Provider');
  await put(300, 'relation.created', 'z', { source_id: seen, target_id: unseen }, 'unknown');
  await put(300, 'adr.created', 'a', { card_id: unseen }, null);
  await put(2, 'relation.created', 'w', { source_id: seen, target_id: seen }, 'unknown');
  await numbered();
  const page = await list({ page_size: 3 }, narrowed);
  t.strictSame(
    page.items.map(({ type }) => type),
    ['relation.created', 'relation.created', 'card.updated'],
  );
  t.equal(page.total, before.total + 5);
  t.match(
    (await list({ page_size: 3, cursor: page.next_cursor! }, narrowed)).items.map(({ type }) => type).slice(0, 2),
    ['card.updated', 'card.updated'],
  );
  t.match(await list({ page_size: 3, type: 'adr.' }, narrowed), { items: [], total: 0, next_cursor: null });
  t.equal((await list({ page_size: 1 })).total, (await head()) - 500, 'other users see them');

  const statements = async (size: number) =>
    (await watch.during(() => list({ page_size: size }, narrowed))).statements.length;
  t.ok(
    (await statements(200)) <= (await statements(1)) + 1,
    'the same statements for 200 as for one, and one that reads cards',
  );

  await put(10_001, 'card.updated', 'v', { version: 2 }, 'Application');
  await numbered();
  t.match(
    await list({ page_size: 1 }, narrowed),
    { total: 10_000, total_relation: 'gte' },
    'a total that needs a check of each event is counted up to 10,000',
  );
});

async function makeAuditor() {
  await admin.api.post('/roles', {
    key: 'narrowed',
    label: 'Narrowed',
    permissions: ['events.audit', 'cards.view', 'relations.view', 'adr.view'],
  });
  await sql(database, `update roles set types = '{"Provider": {"cards.view": false}}' where key = 'narrowed'`);
  await sql(database, `update revisions set revision = revision + 1 where kind = 'permissions'`);
  await until(
    () =>
      app.services.rbac.permissionsOf('narrowed').has('cards.view') &&
      !app.services.rbac.permissionsOf('narrowed').has('cards.view', 'Provider'),
  );
  return await makeUser(admin, 'narrowed');
}
