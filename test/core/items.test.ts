/** Items of a card: comments, linked documents, to-dos, and the caller's permissions on it. */
import t from 'tap';
import {
  client,
  expectStatus,
  makeUser,
  registerAdmin,
  sql,
  testApp,
  until,
  type AnyBody,
  type Client,
  type Session,
} from '../support/app.js';
import { makeRoleUser } from '../support/roles.js';

const node = await testApp();
const { origin, database, close } = node;
t.teardown(close);
const admin = await registerAdmin(origin);
const architect = await makeUser(admin, 'architect');
const member = await makeUser(admin, 'member');
const viewer = await makeUser(admin, 'viewer');
const other = await makeUser(admin, 'viewer');
const blind = await makeRoleUser(node, admin, 'blind', {
  like: 'architect',
  types: { Application: { 'cards.view': false } },
});
const silent = await makeRoleUser(node, admin, 'silent', { like: 'viewer', without: ['comments.create', 'todos.own'] });
const limited = await makeRoleUser(node, admin, 'limited', {
  like: 'member',
  types: { Application: { 'documents.manage': false, 'comments.create': false } },
});
const { api } = admin;

const NOWHERE = '01900000-0000-7000-8000-00000000dead';
const LINK = { name: 'Manual', url: 'https://example.org/manual' };
const KINDS: Record<string, { body: Record<string, string>; patch: Record<string, string> }> = {
  comments: { body: { body: 'Is this used?' }, patch: { body: 'Is this still used?' } },
  documents: { body: LINK, patch: { name: 'Handbook' } },
  todos: { body: { title: 'Ask the vendor' }, patch: { status: 'done' } },
};
let n = 0;
const make = async (more: object = {}): Promise<AnyBody> =>
  expectStatus(await api.post('/cards', { type: 'Application', name: `Card ${++n}`, ...more }), 201, 'making a card')
    .body;
const stake = async (card: AnyBody, user: Session, role = 'responsible') =>
  void expectStatus(
    await api.post(`/cards/${card.id}/stakeholders`, { user_id: user.user.id, role }),
    201,
    'a stakeholder',
  );
const add = async (card: AnyBody, kind: string, body: object, by: Client = api): Promise<AnyBody> =>
  expectStatus(await by.post(`/cards/${card.id}/${kind}`, body), 201, `adding to ${kind}`).body;
const statusOf = async (answer: Promise<{ status: number }>): Promise<number> => (await answer).status;

for (const [kind, { body, patch }] of Object.entries(KINDS)) {
  t.test(`${kind}: created, read, listed, changed, deleted; each with its event, and the card unchanged`, async (t) => {
    const card = await make();
    const made = await api.post(`/cards/${card.id}/${kind}`, body);
    t.equal(made.status, 201);
    t.equal(made.headers.get('location'), `/api/v1/cards/${card.id}/${kind}/${made.body.id}`);
    t.match(made.body, { ...body, version: 1 });
    const at = `/cards/${card.id}/${kind}/${made.body.id}`;
    const read = await api.get(at);
    t.same(read.body, made.body);
    t.equal(read.headers.get('etag'), made.headers.get('etag'));
    t.equal(await statusOf(api.get(at, { headers: { 'if-none-match': read.headers.get('etag')! } })), 304);
    t.match((await api.get(`/cards/${card.id}/${kind}`)).body, {
      items: [made.body],
      total: 1,
      total_relation: 'eq',
      page: 1,
      page_size: 50,
      next_cursor: null,
    });

    const stale = await api.patch(at, patch, { headers: { 'if-match': '"9"' } });
    t.match(stale.body, {
      status: 412,
      code: 'precondition_failed',
      current_version: 1,
      changed_fields: Object.keys(patch),
    });
    const changed = await api.patch(at, patch, { headers: { 'if-match': read.headers.get('etag')! } });
    t.match(changed.body, { ...body, ...patch, version: 2 });
    t.equal((await api.patch(at, patch)).body.version, 2, 'an equal value creates no version');
    t.equal(await statusOf(api.del(at, { headers: { 'if-match': '"1"' } })), 412);
    t.equal(await statusOf(api.del(at, { headers: { 'if-match': '"2"' } })), 204);
    for (const again of [api.get(at), api.patch(at, patch), api.del(at)]) t.equal(await statusOf(again), 404);

    const { body: now } = await api.get(`/cards/${card.id}`);
    t.match(now, { version: card.version, approval_status: 'DRAFT', updated_at: card['updated_at'] });
    const one = kind.slice(0, -1);
    const types = ['created', 'updated', 'deleted'].map((verb) => `card.${one}_${verb}`);
    const events = await until(async () => {
      const { items } = (
        await api.get('/events', {
          query: { subject_id: card.id, type: types.join(','), sort_by: 'id', sort_dir: 'asc' },
        })
      ).body;
      return items.length >= 3 && items;
    });
    t.same(
      events.map((e) => e.type),
      types,
    );
    t.match(events[0], {
      subject: { kind: 'card', id: card.id, type: 'Application' },
      data: { [one]: { id: made.body.id } },
      actor: { id: admin.user.id },
    });
    t.notMatch(
      JSON.stringify(events.map((e) => e['data'])),
      Object.values(body)[0]!,
      'the event does not contain the text',
    );
  });

  t.test(`${kind}: one Idempotency-Key creates one`, async (t) => {
    const card = await make();
    const send = () => api.post(`/cards/${card.id}/${kind}`, body, { headers: { 'idempotency-key': `${kind}-1` } });
    const [first, second] = [await send(), await send()];
    t.same(second.body, first.body);
    t.equal(second.headers.get('idempotent-replayed'), 'true');
    t.equal((await api.get(`/cards/${card.id}/${kind}`)).body.total, 1);
  });

  t.test(
    `${kind}: not accessible below another, a hidden or no card; read-only on archived cards; deleted with their card`,
    async (t) => {
      const [card, elsewhere] = [await make(), await make()];
      const { id } = await add(card, kind, body);
      for (const wrong of [elsewhere.id, NOWHERE, 'abc']) {
        for (const answer of [
          api.get(`/cards/${wrong}/${kind}/${id}`),
          api.patch(`/cards/${wrong}/${kind}/${id}`, patch),
          api.del(`/cards/${wrong}/${kind}/${id}`),
        ])
          t.equal(await statusOf(answer), 404, wrong);
      }
      for (const wrong of [NOWHERE, 'abc'])
        t.same(
          [
            await statusOf(api.get(`/cards/${wrong}/${kind}`)),
            await statusOf(api.post(`/cards/${wrong}/${kind}`, body)),
          ],
          [404, 404],
          wrong,
        );
      t.equal(await statusOf(api.get(`/cards/${card.id}/${kind}/abc`)), 404);
      const at = `/cards/${card.id}/${kind}`;
      const hidden = [
        blind.api.get(at),
        blind.api.post(at, body),
        blind.api.get(`${at}/${id}`),
        blind.api.patch(`${at}/${id}`, patch),
        blind.api.del(`${at}/${id}`),
      ];
      for (const answer of hidden) t.equal(await statusOf(answer), 404, 'of a hidden type');
      t.equal(await statusOf(client(origin).get(at)), 401);

      expectStatus(await api.post(`/cards/${card.id}/archive`), 200, 'archiving');
      t.same([await statusOf(api.get(at)), await statusOf(api.get(`${at}/${id}`))], [200, 200]);
      for (const answer of [api.post(at, body), api.patch(`${at}/${id}`, patch), api.del(`${at}/${id}`)])
        t.match((await answer).body, { status: 409, code: 'invalid_state' });
      expectStatus(await api.del(`/cards/${card.id}`), 204, 'deleting');
      t.equal((await sql(database, `select from card_${kind} where card_id = $1`, [card.id])).length, 0);
    },
  );
}

t.test('invalid bodies and queries: 422 that names each field', async (t) => {
  const card = await make();
  const wrong: [string, unknown, string[]][] = [
    ['comments', {}, ['/body']],
    ['comments', { body: '' }, ['/body']],
    ['comments', { body: ' \n ' }, ['/body']],
    ['comments', { body: 'x'.repeat(10_001) }, ['/body']],
    ['comments', { body: 5, x: 1 }, ['/body', '/x']],
    ['comments', { body: 'a\u0000' }, ['/body']],
    ['comments', { body: '\ud800' }, ['/body']],
    ['comments', { body: 'x', parent_id: 'abc' }, ['/parent_id']],
    ['comments', { body: 'x', parent_id: NOWHERE }, ['/parent_id']],
    ['documents', {}, ['/name', '/url']],
    ['documents', { ...LINK, name: ' ' }, ['/name']],
    ['documents', { ...LINK, name: 'a\nb' }, ['/name']],
    ['documents', { ...LINK, link_type: 'nope' }, ['/link_type']],
    ['documents', { ...LINK, id: NOWHERE }, ['/id']],
    ...[
      '',
      'x',
      'javascript:alert(1)',
      'data:text/html,x',
      'ftp://example.org',
      '//example.org',
      'http://',
      'https://a b',
      'https://exa\nmple.org',
      'http://[',
      'https://%',
      `https://example.org/${'x'.repeat(2_000)}`,
      7,
      null,
    ].map((url): [string, unknown, string[]] => ['documents', { ...LINK, url }, ['/url']]),
    ['todos', {}, ['/title']],
    ['todos', { title: '\t' }, ['/title']],
    ['todos', { title: 'x'.repeat(501) }, ['/title']],
    ['todos', { title: 'x', status: 'later' }, ['/status']],
    ['todos', { title: 'x', due_date: '2026-02-30' }, ['/due_date']],
    ['todos', { title: 'x', due_date: 'soon', assignee_id: 1 }, ['/assignee_id', '/due_date']],
    ['todos', { title: 'x', assignee_id: NOWHERE }, ['/assignee_id']],
  ];
  for (const [kind, body, fields] of wrong) {
    const answer = await api.post(`/cards/${card.id}/${kind}`, body);
    t.equal(answer.status, 422, `${kind} ${JSON.stringify(body).slice(0, 80)}`);
    t.same(answer.body.errors.map((e) => e.field).sort(), fields, `${kind} ${JSON.stringify(body).slice(0, 80)}`);
  }
  for (const [kind, { body }] of Object.entries(KINDS)) {
    const { id } = await add(card, kind, body);
    for (const patch of [{}, { version: 2 }, { created_at: '2026-01-01T00:00:00Z' }, { card_id: NOWHERE }])
      t.equal(
        await statusOf(api.patch(`/cards/${card.id}/${kind}/${id}`, patch)),
        422,
        `${kind} ${JSON.stringify(patch)}`,
      );
    for (const query of [{ page_size: 201 }, { bogus: 1 }, { sort_by: 'id' }, { cursor: 'x' }] as Record<
      string,
      string | number
    >[])
      t.equal(await statusOf(api.get(`/cards/${card.id}/${kind}`, { query })), 422, `${kind} ${JSON.stringify(query)}`);
  }
  t.equal(
    await statusOf(api.post(`/cards/${card.id}/todos`, { title: 'x', due_date: '0000-01-01' })),
    422,
    'a day in no calendar',
  );
});

t.test('lists of any length are paged, in order, and continued by cursor', async (t) => {
  const card = await make();
  for (const kind of Object.keys(KINDS)) {
    const ids: string[] = [];
    for (let i = 0; i < 5; i++)
      ids.push(
        (await add(card, kind, { ...KINDS[kind]!.body, ...(kind === 'documents' && { name: `Manual ${i}` }) })).id,
      );
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = (await api.get(`/cards/${card.id}/${kind}`, {
        query: { page_size: 2, ...(cursor && { cursor }) },
      })) as { body: AnyBody };
      t.equal(body.total, 5);
      seen.push(...body.items.map((x) => x.id));
      cursor = body.next_cursor;
    }
    t.same(seen, ids, kind);
    t.equal(
      (await api.get(`/cards/${card.id}/${kind}`, { query: { sort_by: 'created_at', sort_dir: 'desc', page_size: 1 } }))
        .body.items[0]!.id,
      ids[4],
      kind,
    );
  }
});

t.test('comments: text is stored unchanged; replies are one level deep and on the same card', async (t) => {
  const [card, elsewhere] = [await make(), await make()];
  const text = '  <b>x</b> & "q" \u202e🙂\n\n= 1 ';
  const first = await add(card, 'comments', { body: text }, viewer.api);
  t.match(first, {
    body: text,
    author: { id: viewer.user.id, display_name: viewer.user.display_name },
    parent_id: null,
    edited_at: null,
    is_deleted: false,
  });
  const answer = await add(card, 'comments', { body: 'yes', parent_id: first.id.toUpperCase() });
  t.equal(answer['parent_id'], first.id);
  const [event] = await until(async () => {
    const { items } = (await api.get('/events', { query: { subject_id: card.id, type: 'card.comment_created' } })).body;
    const found = items.filter(({ data }) => (data as { comment: AnyBody }).comment.id === answer.id);
    return found.length > 0 && found;
  });
  t.match(event, { data: { comment: { parent_id: first.id } } }, 'the event has the stored id, in lower case');
  for (const [on, parent_id] of [
    [card, answer.id],
    [elsewhere, first.id],
  ] as const) {
    t.same(
      (await api.post(`/cards/${on.id}/comments`, { body: 'x', parent_id })).body.errors.map((e) => e.field),
      ['/parent_id'],
    );
  }
  await t.rejects(
    sql(
      database,
      `insert into card_comments (id, card_id, parent_id, body, created_at) values ($1, $2, $3, 'x', now())`,
      [NOWHERE, card.id, answer.id],
    ),
    { code: '23503' },
    'the database refuses it as well',
  );
  const edited = (await viewer.api.patch(`/cards/${card.id}/comments/${first.id}`, { body: 'y' })).body;
  t.match(edited, { body: 'y', version: 2 });
  t.ok(String(edited['edited_at']) >= String(first['created_at']), 'when it was edited');
});

t.test(
  'comments: the author changes and deletes his; others delete with comments.manage or card.manage_comments',
  async (t) => {
    const card = await make();
    const by = async (author: Session) =>
      `/cards/${card.id}/comments/${(await add(card, 'comments', { body: 'x' }, author.api)).id}`;
    const [first, second, third] = [await by(viewer), await by(viewer), await by(viewer)];
    for (const user of [admin, architect, member, other])
      t.match(
        (await user.api.patch(first, { body: 'z' })).body,
        { status: 403, code: 'forbidden' },
        `${user.user.role} cannot change comments of others`,
      );
    t.match((await other.api.del(first)).body, {
      status: 403,
      required_permission: 'comments.manage',
      or_card_permission: 'card.manage_comments',
    });
    t.equal(await statusOf(member.api.del(first)), 403);
    t.equal(await statusOf(viewer.api.del(first)), 204, 'the author');
    t.equal(await statusOf(architect.api.del(second)), 204, 'comments.manage');
    await stake(card, other, 'observer');
    t.equal(await statusOf(other.api.del(third)), 403, 'an observer');
    await stake(card, other);
    t.equal(await statusOf(other.api.del(third)), 204, 'card.manage_comments');
    t.match((await silent.api.post(`/cards/${card.id}/comments`, { body: 'x' })).body, {
      status: 403,
      required_permission: 'comments.create',
      or_card_permission: 'card.create_comments',
    });
    t.equal(await statusOf(limited.api.post(`/cards/${card.id}/comments`, { body: 'x' })), 403, 'a rule for the type');
    for (const user of [silent, limited]) {
      await stake(card, user, 'observer');
      t.equal(await statusOf(user.api.post(`/cards/${card.id}/comments`, { body: 'x' })), 201, 'card.create_comments');
    }
  },
);

t.test('comments: one with replies keeps its place without its text until the last reply is deleted', async (t) => {
  const card = await make();
  const first = await add(card, 'comments', { body: 'secret' }, viewer.api);
  const answers = [
    await add(card, 'comments', { body: 'a', parent_id: first.id }),
    await add(card, 'comments', { body: 'b', parent_id: first.id }),
  ];
  const at = (id: string) => `/cards/${card.id}/comments/${id}`;
  t.equal(await statusOf(viewer.api.del(at(first.id))), 204);
  t.match((await api.get(at(first.id))).body, { body: '', is_deleted: true, version: 2 });
  t.equal((await api.get(`/cards/${card.id}/comments`)).body.total, 3);
  t.equal((await sql(database, `select from card_comments where body = 'secret'`)).length, 0, 'the text is removed');
  for (const answer of [viewer.api.del(at(first.id)), viewer.api.patch(at(first.id), { body: 'again' })])
    t.match((await answer).body, { code: 'invalid_state' });
  t.equal(
    await statusOf(api.post(`/cards/${card.id}/comments`, { body: 'c', parent_id: first.id })),
    422,
    'no more replies',
  );
  // Both replies are deleted concurrently: the second one must also delete the placeholder.
  t.same(await Promise.all(answers.map(({ id }) => statusOf(api.del(at(id))))), [204, 204]);
  t.equal((await api.get(`/cards/${card.id}/comments`)).body.total, 0);
});

t.test('comments: those of a deleted user remain, without an author', async (t) => {
  const card = await make();
  const gone = await makeUser(admin, 'member');
  const { id } = await add(card, 'comments', { body: 'x' }, gone.api);
  const item = await add(card, 'todos', { title: 'x', assignee_id: gone.user.id });
  expectStatus(await api.del(`/users/${gone.user.id}`), 204, 'deleting the user');
  t.match((await api.get(`/cards/${card.id}/comments/${id}`)).body, { body: 'x', author: null });
  t.match((await api.get(`/cards/${card.id}/todos/${item.id}`)).body, { assignee_id: null });
});

t.test(
  'documents: http and https in any spelling, kinds of links; documents.manage or card.manage_documents',
  async (t) => {
    const card = await make();
    for (const url of [
      'HTTP://Example.org',
      'https://de.wikipedia.org/wiki/Straße?x=1#y',
      'http://127.0.0.1:8080/a%20b',
      `https://example.org/${'x'.repeat(1_980)}`,
    ]) {
      t.match(await add(card, 'documents', { ...LINK, name: '  Manual ', url }), {
        url,
        name: 'Manual',
        link_type: 'documentation',
        created_by: admin.user.id,
      });
    }
    const link = await add(card, 'documents', { ...LINK, link_type: 'contract' }, member.api);
    t.match(
      (
        await api.patch(`/cards/${card.id}/documents/${link.id}`, {
          link_type: 'diagram',
          url: 'https://example.org/2',
        })
      ).body,
      { name: 'Manual', link_type: 'diagram', url: 'https://example.org/2' },
    );
    for (const user of [viewer, limited]) {
      t.match(
        (await user.api.post(`/cards/${card.id}/documents`, LINK)).body,
        { status: 403, required_permission: 'documents.manage', or_card_permission: 'card.manage_documents' },
        user.user.role,
      );
      await stake(card, user);
      t.equal(
        await statusOf(user.api.post(`/cards/${card.id}/documents`, LINK)),
        201,
        `${user.user.role} as a stakeholder`,
      );
    }
    t.equal(await statusOf(viewer.api.del(`/cards/${card.id}/documents/${link.id}`)), 204);
  },
);

t.test('to-dos: users manage their own; assigning and changing those of others needs todos.manage', async (t) => {
  const card = await make();
  const path = (id: string) => `/cards/${card.id}/todos/${id}`;
  const own = await add(card, 'todos', { title: ' Ask ', due_date: '2026-03-31' }, viewer.api);
  t.match(own, {
    title: 'Ask',
    status: 'open',
    assignee_id: viewer.user.id,
    created_by: viewer.user.id,
    due_date: '2026-03-31',
  });
  for (const assignee_id of [other.user.id, null])
    t.match((await viewer.api.post(`/cards/${card.id}/todos`, { title: 'x', assignee_id })).body, {
      status: 403,
      required_permission: 'todos.manage',
    });
  t.equal(
    (await viewer.api.patch(path(own.id), { title: 'Ask again', status: 'done', due_date: null })).body['due_date'],
    null,
    'an own to-do',
  );
  t.equal(await statusOf(viewer.api.patch(path(own.id), { assignee_id: other.user.id })), 403, 'not those of others');
  t.equal(await statusOf(other.api.patch(path(own.id), { status: 'open' })), 403);
  t.equal(await statusOf(other.api.del(path(own.id))), 403);

  const given = await add(card, 'todos', { title: 'Do', assignee_id: viewer.user.id.toUpperCase() }, member.api);
  t.equal(given['assignee_id'], viewer.user.id);
  t.equal(
    (await viewer.api.patch(path(given.id), { status: 'done' })).body['status'],
    'done',
    'the assignee closes it',
  );
  t.equal(await statusOf(viewer.api.patch(path(given.id), { title: 'Do less' })), 403);
  t.equal(await statusOf(viewer.api.del(path(given.id))), 403);
  t.equal(
    await statusOf(member.api.patch(path(own.id), { assignee_id: null, title: 'Ask them' })),
    200,
    'todos.manage',
  );
  t.equal(await statusOf(member.api.del(path(own.id))), 204);
  t.equal((await add(card, 'todos', { title: 'x', assignee_id: null }))['assignee_id'], null, 'nobody in particular');
  t.match((await silent.api.get(`/cards/${card.id}/todos`)).body, { status: 403, required_permission: 'todos.own' });

  const away = await makeUser(admin, 'member');
  expectStatus(await api.patch(`/users/${away.user.id}`, { is_active: false }), 200, 'deactivating');
  t.same(
    (await api.post(`/cards/${card.id}/todos`, { title: 'x', assignee_id: away.user.id })).body.errors.map(
      (e) => e.field,
    ),
    ['/assignee_id'],
  );
  t.equal((await api.get(`/cards/${card.id}/todos`, { query: { status: 'done' } })).body.total, 1);
});

t.test('GET /todos: the open to-dos of the caller on visible active cards, the most urgent first', async (t) => {
  const me = await makeUser(admin, 'member');
  const [card, gone, provider] = [await make(), await make(), await make({ type: 'Provider' })];
  const give = (on: AnyBody, title: string, more: object) =>
    add(on, 'todos', { title, assignee_id: me.user.id, ...more });
  await give(card, 'whenever', {});
  await give(card, 'late', { due_date: '2026-05-01' });
  await give(provider, 'soon', { due_date: '2026-02-01' });
  await give(card, 'done', { due_date: '2026-01-01', status: 'done' });
  await give(gone, 'on an archived card', { due_date: '2026-01-01' });
  await add(card, 'todos', { title: 'of somebody else' });
  expectStatus(await api.post(`/cards/${gone.id}/archive`), 200, 'archiving');
  const titles = async (query: Record<string, string> = {}, by = me.api) =>
    (await by.get('/todos', { query })).body.items.map((x) => x['title']);
  t.same(await titles(), ['done', 'soon', 'late', 'whenever']);
  t.match((await me.api.get('/todos')).body, {
    total: 4,
    items: [{}, { card: { id: provider.id, type: 'Provider', name: provider.name } }],
  });
  t.same(await titles({ status: 'open' }), ['soon', 'late', 'whenever']);
  t.same(await titles({ due_from: '2026-02-01', due_until: '2026-05-01' }), ['soon', 'late']);
  t.same(await titles({ due_until: '2026-01-31' }), ['done']);
  for (const query of [
    { status: 'x' },
    { due_from: 'x' },
    { due_until: '2026-02-30' },
    { assignee_id: me.user.id },
  ] as Record<string, string>[])
    t.equal(await statusOf(me.api.get('/todos', { query })), 422, JSON.stringify(query));
  await sql(database, `update users set role = 'blind' where id = $1`, [me.user.id]);
  await sql(database, `update revisions set revision = revision + 1 where kind = 'sessions'`);
  await until(async () => (await titles()).length === 1, 1_000);
  t.same(await titles(), ['soon'], 'those of a hidden type are not there');
  t.equal(await statusOf(client(origin).get('/todos')), 401);
});

t.test('permissions: every permission on the card, with the reason', async (t) => {
  interface Answer {
    can: Record<string, { allowed: boolean; because: string }>;
  }
  const card = await make();
  const can = async (by: Client, id = card.id) => (await by.get<Answer>(`/cards/${id}/permissions`)).body.can;
  const keys = [
    'card.edit',
    'card.archive',
    'card.approve',
    'card.manage_stakeholders',
    'card.manage_relations',
    'card.manage_documents',
    'card.manage_comments',
    'card.create_comments',
    'card.view_costs',
    'card.adr_manage',
  ];
  const all = await can(api);
  for (const key of [...keys, 'cards.view', 'cards.delete'])
    t.match(all[key], { allowed: true, because: /^role admin grants [a-z]+\.[a-z_]+$/ }, key);
  t.match(await can(member.api), {
    'card.edit': { allowed: true, because: 'role member grants cards.edit' },
    'card.view_costs': { allowed: true, because: 'role member grants costs.view' },
    'card.archive': {
      allowed: false,
      because: 'role member does not grant cards.archive, and no stakeholder role grants card.archive',
    },
    'card.adr_manage': { allowed: true, because: 'role member grants adr.manage' },
    'cards.delete': { allowed: false, because: 'role member does not grant cards.delete' },
  });
  t.match((await can(viewer.api))['card.edit'], { allowed: false });
  await stake(card, viewer, 'technical_owner');
  const owner = await can(viewer.api);
  t.match(owner, {
    'card.edit': { allowed: true, because: 'stakeholder role technical_owner grants card.edit' },
    'card.create_comments': { allowed: true, because: 'role viewer grants comments.create' },
    'card.approve': {
      allowed: false,
      because: 'role viewer does not grant cards.approve, and no stakeholder role grants card.approve',
    },
  });
  t.match((await can(limited.api))['card.manage_documents'], {
    allowed: false,
    because: /^role limited does not grant documents\.manage on Application, /,
  });
  const provider = await make({ type: 'Provider' });
  t.match((await can(limited.api, provider.id))['card.manage_documents'], { allowed: true });
  // The write must have the result that the permissions state.
  t.equal(await statusOf(viewer.api.patch(`/cards/${card.id}`, { alias: 'x' })), 200);
  t.equal(await statusOf(viewer.api.post(`/cards/${card.id}/archive`)), 403);
  for (const id of [NOWHERE, 'abc']) t.equal(await statusOf(api.get(`/cards/${id}/permissions`)), 404);
  t.equal(await statusOf(blind.api.get(`/cards/${card.id}/permissions`)), 404);
});

t.test('a card is deleted during 20 concurrent comments: none is left, and there is no 5xx', async (t) => {
  const card = await make();
  const answers = await Promise.all([
    ...Array.from({ length: 20 }, () => api.post(`/cards/${card.id}/comments`, { body: 'x' })),
    api.del(`/cards/${card.id}`),
  ]);
  t.equal(answers.at(-1)!.status, 204);
  for (const { status } of answers.slice(0, -1)) t.ok(status === 201 || status === 404, String(status));
  t.equal((await sql(database, 'select from card_comments where card_id = $1', [card.id])).length, 0);
});
