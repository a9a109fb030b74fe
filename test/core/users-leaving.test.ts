import t from 'tap';
import { makeUser, openStream, registerAdmin, sql, testApp, until, type AnyBody } from '../support/app.js';

const { origin, database, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const { api } = admin;
const [leaver, stays] = [await makeUser(admin, 'member'), await makeUser(admin, 'viewer')];
const make = async (as = api): Promise<AnyBody> =>
  (await as.post('/cards', { type: 'TechCategory', name: `Left ${Math.random()}` })).body;
const stake = async (card: string, user: string, role: string): Promise<void> => {
  const { status, body } = await api.post(`/cards/${card}/stakeholders`, { user_id: user, role });
  if (status !== 201) throw new Error(JSON.stringify(body));
};
const [own, alone, shared] = [await make(leaver.api), await make(), await make()];
for (const [card, user, role] of [
  [own.id, leaver, 'responsible'],
  [own.id, leaver, 'observer'],
  [alone.id, leaver, 'responsible'],
  [shared.id, leaver, 'responsible'],
  [shared.id, stays, 'responsible'],
] as const)
  await stake(card, user.user.id, role);
const get = async (id: string): Promise<AnyBody> => (await api.get(id.startsWith('/') ? id : `/cards/${id}`)).body;
const score = async (id: string): Promise<number> => (await get(id))['data_quality'] as number;
const before = {
  own: await score(own.id),
  alone: await score(alone.id),
  shared: await score(shared.id),
  version: (await get(own.id)).version,
};

await t.test(
  'a deleted user: cards created by the user remain, roles are removed, with score, history and event',
  async (t) => {
    const stream = await openStream(origin, admin.token);
    t.equal((await api.del(`/users/${leaver.user.id}`)).status, 204);
    t.equal((await api.get(`/users/${leaver.user.id}`)).status, 404);
    t.equal((await leaver.api.get('/auth/me')).status, 401);
    const card = await get(own.id);
    t.match(card, { name: own.name, version: before.version, stakeholders: [] });
    t.equal(card['created_by'], leaver.user.id, 'the creator is kept');
    t.ok((await score(own.id)) < before.own, 'two roles without stakeholders');
    t.ok((await score(alone.id)) < before.alone, 'one role without stakeholders');
    t.equal(await score(shared.id), before.shared, 'another user has the role');
    await stream.waitFor(({ event }) => event === 'user.deleted');
    const gone = stream.events
      .filter(({ event }) => event === 'card.stakeholder_removed')
      .map(({ data }) => data as { subject: string; data: { data?: unknown } });
    t.equal(gone.length, 4);
    for (const id of [own.id, alone.id, shared.id])
      t.ok(
        gone.some((event) => JSON.stringify(event).includes(id)),
        id,
      );
    stream.close();
    const rows = await sql<{ changes: { field: string; old: unknown; new: unknown }[] }>(
      database,
      'select changes from card_changes where card_id = $1 order by at desc limit 1',
      [own.id],
    );
    t.match(
      rows[0]!.changes.sort((a, b) => a.field.localeCompare(b.field)),
      [
        { field: 'stakeholders.observer', old: { user_id: leaver.user.id }, new: null },
        { field: 'stakeholders.responsible', old: { user_id: leaver.user.id }, new: null },
      ],
    );
    t.strictSame(await sql(database, 'select id from card_stakeholders where user_id = $1', [leaver.user.id]), []);
  },
);

await t.test('a user deleted while becoming a stakeholder of many cards has no role afterwards', async (t) => {
  for (let round = 0; round < 3; round++) {
    const user = (await api.post('/users', { email: `racing-${round}@example.org`, display_name: 'R', role: 'viewer' }))
      .body;
    const cards = await Promise.all(Array.from({ length: 12 }, () => make()));
    const scores = await Promise.all(cards.map(({ id }) => score(id)));
    const additions = cards.map(({ id }) =>
      api.post(`/cards/${id}/stakeholders`, { user_id: user.id, role: 'responsible' }),
    );
    if (round > 0) await Promise.race(additions);
    const deleted = await api.del(`/users/${user.id}`);
    const answers = await Promise.all(additions);
    t.equal(deleted.status, 204);
    t.strictSame(
      answers.map((a) => a.status).filter((s) => s !== 201 && s !== 422 && s !== 409),
      [],
    );
    t.strictSame(
      await Promise.all(cards.map(({ id }) => score(id))),
      scores,
      'the deleted user does not count in scores',
    );
    t.strictSame(await sql(database, 'select id from card_stakeholders where user_id = $1', [user.id]), []);
    const expected = answers.filter((a) => a.status === 201).length;
    const counts = await until(async () => {
      const [row] = await sql<{ waiting: number; added: number; removed: number }>(
        database,
        `select (select count(*)::int from event_outbox) as waiting,
        count(*) filter (where type = 'card.stakeholder_added')::int as added, count(*) filter (where type = 'card.stakeholder_removed')::int as removed
        from events where data->'stakeholder'->>'user_id' = $1`,
        [user.id],
      );
      return row!.waiting === 0 && row;
    });
    t.match(counts, { added: expected, removed: expected }, 'each event of an addition has one of a removal');
  }
});

await t.test('to-dos of a deleted user have no assignee, with events', async (t) => {
  const user = await makeUser(admin, 'member');
  const card = await make();
  const todo = (await api.post(`/cards/${card.id}/todos`, { title: 'Hand over', assignee_id: user.user.id })).body;
  const own = (await user.api.post(`/cards/${card.id}/todos`, { title: 'Own' })).body;
  const link = await user.api.post(`/cards/${card.id}/documents`, { name: 'Manual', url: 'https://example.org' });
  const [at, document] = [`/cards/${card.id}/todos/${todo.id}`, `/cards/${card.id}/documents/${link.body.id}`];
  const etag = (await api.get(at)).headers.get('etag')!;
  t.equal((await api.del(`/users/${user.user.id}`)).status, 204);
  t.match(await api.get(at, { headers: { 'if-none-match': etag } }), {
    status: 200,
    body: { assignee_id: null, version: 2 },
  });
  t.equal((await api.patch(at, { status: 'done' }, { headers: { 'if-match': etag } })).status, 412, 'it changed');
  t.match(await api.get(document, { headers: { 'if-none-match': link.headers.get('etag')! } }), {
    status: 200,
    body: { created_by: null, version: 1 },
  });
  const events = await until(async () => {
    const rows = await sql<{ data: unknown }>(
      database,
      `select data from events where type = 'card.todo_updated' and subject_id = $1`,
      [card.id],
    );
    return rows.length > 1 && rows.map(({ data }) => data);
  });
  t.match(
    events.map((data) => data as AnyBody).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
    [todo.id, own.id].map((id) => ({
      todo: { id, assignee_id: null, status: 'open' },
      changed_fields: ['assignee_id'],
    })),
  );
});
