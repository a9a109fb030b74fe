/**
 * A card of a hidden type has no visible events, and its id and name are in no event about something
 * else: in the audit trail, by id, in the stream, by webhook, as a notification and in the histories of modules; for
 * every kind of event.
 */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import {
  makeUser,
  openStream,
  registerAdmin,
  sql,
  testApp,
  until,
  type AnyBody,
  type EventStream,
  type Session,
} from '../support/app.js';
import { untilNotified, notificationsOf } from '../support/notifications.js';
import { startReceiver, type Receiver } from '../support/receiver.js';

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const node = await testApp({
  config: { outboundAllow: ['127.0.0.1'], pluginsDir: join(root, 'test/fixtures/modules/library') },
});
const { app, origin, database, close } = node;
t.teardown(close);
const admin = await registerAdmin(origin);
const made = async (path: string, body: object): Promise<AnyBody> => {
  const answer = await admin.api.post(path, body);
  if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
};

const SECRET = 'Zebra';
await made('/metamodel/relation-types', { key: 'touches', label: 'touches', source_type: '*', target_type: '*' });
const visible = await made('/cards', { type: 'Application', name: 'Open' });
const hidden = await made('/cards', { type: 'Provider', name: `${SECRET} Inc` });
const gone = await made('/cards', { type: 'Provider', name: `${SECRET} gone` });
const [H, G, V] = [hidden['id'] as string, gone['id'] as string, visible['id'] as string];
const goneRelation = await made('/relations', { type: 'touches', source_id: V, target_id: G });

/** All permissions of a reader except cards.view. */
const EVERYTHING = [
  'events.audit',
  'webhooks.manage',
  'notifications.own',
  'relations.view',
  'stakeholders.view',
  'comments.view',
  'todos.own',
  'costs.view',
  'jobs.manage',
  'settings.manage',
  'users.manage',
  'roles.manage',
  'cards.import',
  'adr.view',
  'adr.manage',
  'risks.view',
  'risks.manage',
  'library.view',
  'library.manage',
];
/** Two roles that hide the type: by a rule against it, and by lacking cards.view except for another type. */
const ROLES: Record<string, { permissions: string[]; types: object }> = {
  by_rule: { permissions: [...EVERYTHING, 'cards.view'], types: { Provider: { 'cards.view': false } } },
  by_lack: { permissions: EVERYTHING, types: { Application: { 'cards.view': true } } },
};
interface Reader {
  user: Session;
  stream: EventStream;
  receiver: Receiver;
  hook: string;
}
const readers: Record<string, Reader> = {};
async function reader(key: string, types: object): Promise<Reader> {
  await sql(database, 'update roles set types = $2 where key = $1', [key, JSON.stringify(types)]);
  await sql(database, `update revisions set revision = revision + 1 where kind = 'permissions'`);
  const user = await makeUser(admin, key);
  await until(() => app.services.rbac.permissionsOf(key).has('cards.view', 'Provider') === (key === 'wide'));
  const receiver = await startReceiver();
  const hook = await user.api.post('/webhooks', { url: receiver.url, types: [] });
  if (hook.status !== 201) throw new Error(JSON.stringify(hook.body));
  return { user, stream: await openStream(origin, user.token), receiver, hook: hook.body['id'] as string };
}
for (const [key, { permissions, types }] of Object.entries({
  ...ROLES,
  wide: { permissions: [...EVERYTHING, 'cards.view'], types: {} },
})) {
  await made('/roles', { key, label: key, permissions });
  readers[key] = await reader(key, types);
}
t.teardown(async () => {
  for (const { stream, receiver } of Object.values(readers)) {
    stream.close();
    await receiver.close();
  }
});
const [narrow, wide] = [['by_rule', 'by_lack'].map((key) => readers[key]!), readers['wide']!];
const secrets = new RegExp([H, G, SECRET].join('|'), 'i');

/** Every type of event that the core emits about a card. */
const CARD_TYPES = [
  'created',
  'updated',
  'approved',
  'rejected',
  'approval_reset',
  'archived',
  'restored',
  'deleted',
  'stakeholder_added',
  'stakeholder_removed',
  'tags_changed',
  ...['comment', 'document', 'todo'].flatMap((item) =>
    ['created', 'updated', 'deleted'].map((verb) => `${item}_${verb}`),
  ),
].map((verb) => `card.${verb}`);
/** Kinds of subjects other than cards: of the core, of modules, and of a fixture. */
const OTHER_KINDS = [
  'relation',
  'settings',
  'module',
  'job',
  'import',
  'webhook',
  'adr',
  'risks',
  'risks_mitigation',
  'library_book',
  'library_charter',
];
const U = '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b';
/** Data of events with hidden cards, and what a reader who may not see these gets. */
const SHAPES: readonly (readonly [name: string, data: object, left: object])[] = [
  ['a list of ids', { card_ids: [H, V, G] }, { card_ids: [V] }],
  [
    'links',
    {
      cards: [
        { card_id: H, role: 'affected', name: SECRET },
        { card_id: V, role: 'affected' },
      ],
    },
    { cards: [{ card_id: V, role: 'affected' }] },
  ],
  [
    'changes of a list',
    {
      changes: [
        { field: 'card_ids', old: [V], new: [V, H.toUpperCase()] },
        { field: 'title', old: 'a', new: 'b' },
      ],
    },
    { changes: [{ field: 'title', old: 'a', new: 'b' }] },
  ],
  [
    'changes of links',
    {
      changes: [
        {
          field: 'cards',
          old: [],
          new: [
            { card_id: H, role: 'affected' },
            { card_id: V, role: 'affected' },
          ],
        },
      ],
    },
    { changes: [{ field: 'cards', old: [], new: [{ card_id: V, role: 'affected' }] }] },
  ],
  [
    'a change of one',
    { changes: [{ field: 'owner_card', old: H, new: V }] },
    { changes: [{ field: 'owner_card', old: null, new: V }] },
  ],
  ['an object about one', { about: { id: H, name: SECRET }, note: 'kept' }, { about: null, note: 'kept' }],
  ['keys', { counts: { [H]: 1, [V]: 2 } }, { counts: { [V]: 2 } }],
  ['other ids', { user_ids: [U], version: 3 }, { user_ids: [U], version: 3 }],
];
const put = async (
  type: string,
  kind: string,
  id: string,
  data: object,
  subject: { type?: string; name?: string } = {},
): Promise<void> => {
  await sql(
    database,
    `insert into event_outbox (type, occurred_at, origin, subject_kind, subject_id, subject_type, subject_name, data) values ($1, clock_timestamp(), 'test', $2, $3, $4, $5, $6)`,
    [type, kind, id, subject.type ?? null, subject.name ?? null, JSON.stringify(data)],
  );
};
interface LoggedEvent {
  id: number;
  type: string;
  subject: { kind: string; id: string };
  data: AnyBody;
}
const trail = async (
  user: Session,
  query: Record<string, string> = {},
): Promise<{ items: LoggedEvent[]; total: number }> => {
  const items: LoggedEvent[] = [];
  for (let [cursor, total] = ['', 0]; ; ) {
    const { status, body } = await user.api.get<{ items: LoggedEvent[]; total: number; next_cursor: string | null }>(
      '/events',
      { query: { page_size: 200, ...query, ...(cursor && { cursor }) } },
    );
    if (status !== 200) throw new Error(JSON.stringify(body));
    items.push(...body.items);
    total = body.total;
    if (body.next_cursor === null) return { items, total };
    cursor = body.next_cursor;
  }
};
let marks = 0;
/** Waits until all events so far are in the audit trail, the streams and the receivers of all readers. */
async function settled(): Promise<void> {
  const mark = `mark-${++marks}`;
  await put('metamodel.noticed', 'metamodel', mark, {});
  await untilNotified(node);
  await Promise.all(
    Object.values(readers).map(async ({ stream, receiver }) => {
      await stream.waitFor((e) => JSON.stringify(e.data).includes(mark), 20_000);
      await until(() => receiver.accepted.some(({ body }) => body.includes(mark)), 60_000);
    }),
  );
  // Deliveries are ordered only per subject: earlier ones may arrive after the mark.
  await until(
    async () => (await sql(database, `select from webhook_deliveries where state = 'pending'`)).length === 0,
    60_000,
  );
}
const start = app.services.events.head;

t.test('no event about a hidden card is listed, counted, found, streamed or sent', async (t) => {
  for (const type of CARD_TYPES)
    await put(
      type,
      'card',
      H,
      { version: 1, comment: { id: U, parent_id: null } },
      { type: 'Provider', name: `${SECRET} Inc` },
    );
  for (const type of ['relation.created', 'relation.updated', 'relation.deleted']) {
    await put(type, 'relation', U, { source_id: V, target_id: H, changes: [] }, { type: 'touches' });
    await put(type, 'relation', goneRelation['id'] as string, { source_id: G, target_id: V }, { type: 'touches' });
  }
  for (const kind of OTHER_KINDS.filter((kind) => kind !== 'relation')) {
    await put(`${kind}.happened`, kind, U, { card_id: H, card_name: SECRET });
    await put(`${kind}.noted`, kind, H, { note: SECRET });
  }
  await settled();
  const all = (await trail(wide.user)).items;
  const about = all.filter((event) => secrets.test(JSON.stringify(event)));
  t.ok(
    CARD_TYPES.every((type) => about.some((event) => event.type === type && event.subject.id === H)),
    'a reader who sees the card gets all of them',
  );
  t.ok(OTHER_KINDS.every((kind) => about.some((event) => event.subject.kind === kind)));
  for (const { user, stream, receiver } of narrow) {
    const { items, total } = await trail(user);
    t.equal(items.length, total, 'the total is the number of shown events');
    t.notMatch(JSON.stringify(items), secrets, `${user.user.role}: the trail`);
    t.ok(
      items.some(({ subject }) => subject.id === V),
      'other events are shown',
    );
    for (const query of [
      { subject_id: H } as Record<string, string>,
      { subject_id: G },
      { subject_id: goneRelation['id'] as string },
      { type: 'unheard_of.' },
    ])
      t.strictSame((await user.api.get('/events', { query })).body.total, 0, JSON.stringify(query));
    for (const { id, type } of about) t.equal((await user.api.get(`/events/${id}`)).status, 404, `${type} by id`);
    t.notMatch(JSON.stringify(stream.events), secrets, 'the stream');
    t.notMatch(receiver.requests.map(({ body }) => body).join(), secrets, 'the webhook');
    const again = await openStream(origin, user.token, { lastEventId: start });
    t.teardown(again.close);
    await again.waitFor((e) => JSON.stringify(e.data).includes(`mark-${marks}`), 10_000);
    t.notMatch(JSON.stringify(again.events), secrets, 'the stream from the log');
    const { body } = await user.api.get(`/webhooks/${wide.hook}/deliveries`, { query: { page_size: 200 } });
    t.ok(body.total > 0);
    t.notMatch(JSON.stringify(body), secrets, 'deliveries to others');
    t.equal((await user.api.get(`/webhooks/${wide.hook}/deliveries`, { query: { subject_id: H } })).body.total, 0);
  }
  t.match(
    wide.receiver.requests.map(({ body }) => body).join(),
    secrets,
    'they were sent to a reader who may see them',
  );
});

t.test('ids of hidden cards are removed from events about other subjects', async (t) => {
  const from = app.services.events.head;
  for (const kind of OTHER_KINDS) {
    for (const [i, [, data]] of SHAPES.entries())
      await put(
        `${kind}.changed`,
        kind,
        `${kind}-${i}`,
        { ...data, ...(kind === 'relation' && { source_id: V, target_id: V }) },
        kind === 'relation' ? { type: 'touches' } : {},
      );
  }
  await put(
    'card.updated',
    'card',
    V,
    {
      version: 2,
      parent_id: H,
      changes: [
        { field: 'parent_id', old: H, new: V },
        { field: 'attributes.partner', old: null, new: H },
        { field: 'attributes', old: { a: 1 }, new: { a: 2, b: H } },
      ],
    },
    { type: 'Application' },
  );
  await settled();
  for (const { user, stream, receiver } of [...narrow, wide]) {
    const isWide = user === wide.user;
    const events = new Map(
      (await trail(user)).items
        .filter(({ id }) => id > from)
        .map((event) => [`${event.type} ${event.subject.id}`, event]),
    );
    const sent = new Map(
      receiver.requests.map(({ event }) => [
        `${event.type} ${event.data.subject.id}`,
        event.data as unknown as AnyBody,
      ]),
    );
    const streamed = new Map(
      stream.events.map((e) => [
        `${e.event} ${(e.data as { data: { subject: { id: string } } }).data.subject.id}`,
        (e.data as { data: AnyBody }).data,
      ]),
    );
    for (const kind of OTHER_KINDS) {
      for (const [i, [name, data, left]] of SHAPES.entries()) {
        const key = `${kind}.changed ${kind}-${i}`;
        const shown = isWide ? data : left;
        const what = `${user.user.role}: ${kind}, ${name}`;
        t.match(events.get(key)?.data, shown, `${what}, listed`);
        t.match((await user.api.get(`/events/${events.get(key)?.id ?? 0}`)).body.data, shown, `${what}, by id`);
        t.match(streamed.get(key), shown, `${what}, streamed`);
        t.match(sent.get(key), shown, `${what}, sent`);
        if (!isWide) t.notMatch(JSON.stringify([events.get(key), streamed.get(key), sent.get(key)]), secrets, what);
      }
    }
    const moved = events.get(`card.updated ${V}`)?.data;
    if (isWide) t.equal(moved?.['parent_id'], H);
    else
      t.strictSame(moved, {
        version: 2,
        parent_id: null,
        changes: [
          { field: 'parent_id', old: null, new: V },
          { field: 'attributes', old: { a: 1 }, new: { a: 2, b: null } },
        ],
      });
  }
});

t.test('modules omit hidden cards from responses and histories, and keep them', async (t) => {
  const adr = await made('/adr', { title: 'Named', card_ids: [V, H] });
  const risk = await made('/risks', {
    title: 'Named',
    category: 'technology',
    cards: [
      { card_id: V, role: 'affected' },
      { card_id: H, role: 'contributing' },
    ],
  });
  const ofVisible = await made('/library/books', { title: 'Of the visible', card_id: V, related: [V, H] });
  const ofHidden = await made('/library/books', { title: `${SECRET} book`, card_id: H });
  await admin.api.patch(`/adr/${adr['id']}`, { card_ids: [H] });
  await admin.api.patch(`/adr/${adr['id']}`, { card_ids: [V, H] });
  await settled();
  for (const { user, stream, receiver } of narrow) {
    const paths = [
      '/adr',
      `/adr/${adr['id']}`,
      `/adr?card_id=${V}`,
      `/cards/${V}/adrs`,
      '/adr/graph',
      '/risks',
      `/risks/${risk['id']}`,
      `/risks/${risk['id']}/cards`,
      `/risks/${risk['id']}/history`,
      `/cards/${V}/risks`,
      '/risks/metrics',
      '/risks/matrix',
      `/risks/${risk['id']}/propagation`,
      '/library/books',
      `/library/books/${ofVisible['id']}`,
      `/library/books/${ofVisible['id']}/history`,
    ];
    for (const path of paths) {
      const { status, body } = await user.api.get(path);
      t.equal(status, 200, path);
      t.notMatch(JSON.stringify(body), secrets, `${user.user.role}: ${path}`);
    }
    t.match((await user.api.get(`/adr/${adr['id']}`)).body, { card_ids: [V] });
    t.match((await user.api.get('/library/books')).body, { total: 1, items: [{ id: ofVisible['id'], related: [V] }] });
    for (const path of [
      `/library/books/${ofHidden['id']}`,
      `/library/books/${ofHidden['id']}/history`,
      `/cards/${H}/adrs`,
      `/cards/${H}/risks`,
    ])
      t.equal((await user.api.get(path)).status, 404, path);
    for (const path of [
      `/adr?card_id=${H}`,
      `/risks?card_id=${H}`,
      '/risks?card_role=contributing',
      `/library/books?card_id=${H}`,
      `/library/books?related=${H}`,
      `/adr?card_id=${U}`,
    ])
      t.equal((await user.api.get(path)).body.total, 0, path);
    t.match((await user.api.get('/risks/metrics?card_role=contributing')).body, { total: { count: 0 } });
    for (const [path, body] of [
      ['/adr', { title: 'x', card_ids: [H] }],
      [`/adr/${adr['id']}`, { card_ids: [H] }],
      ['/risks', { title: 'x', category: 'technology', cards: [{ card_id: H, role: 'affected' }] }],
      ['/library/books', { title: 'x', card_id: H }],
    ] as const) {
      const answer = path.startsWith('/adr/') ? await user.api.patch(path, body) : await user.api.post(path, body);
      t.match(answer, { status: 422 }, `${path} names no card`);
    }
    const stale = await user.api.patch(
      `/risks/${risk['id']}`,
      { cards: [{ card_id: V, role: 'affected' }] },
      { headers: { 'if-match': '"99"' } },
    );
    t.match(stale, { status: 412, body: { changed_fields: [] } }, 'hidden cards are not among the changed fields');
    t.notMatch(
      JSON.stringify([stream.events, receiver.requests.map(({ body }) => body)]),
      secrets,
      'events of all these',
    );
  }
  const { user } = narrow[0]!;
  t.match(await user.api.patch(`/adr/${adr['id']}`, { card_ids: [] }), { status: 200, body: { card_ids: [] } });
  t.match(
    (await admin.api.get(`/adr/${adr['id']}`)).body,
    { card_ids: [H] },
    'cards that the caller does not see are kept',
  );
  t.match(await user.api.patch(`/library/books/${ofVisible['id']}`, { related: [] }), {
    status: 200,
    body: { related: [] },
  });
  t.match((await admin.api.get(`/library/books/${ofVisible['id']}`)).body, { related: [H] });
  t.match(await user.api.patch(`/risks/${risk['id']}`, { cards: [] }), { status: 200, body: { cards: [] } });
  t.match((await admin.api.get(`/risks/${risk['id']}`)).body, { cards: [{ card_id: H, role: 'contributing' }] });
});

t.test('no user is notified about a hidden card, regardless of roles on it', async (t) => {
  for (const { user } of [...narrow, wide])
    await made(`/cards/${H}/stakeholders`, { user_id: user.user.id, role: 'responsible' });
  const named = [...narrow, wide].map(({ user }) => `@[x](${user.user.id})`).join(' ');
  await made(`/cards/${H}/comments`, { body: `${named} look` });
  await admin.api.patch(`/cards/${H}`, { description: SECRET });
  await made('/relations', { type: 'touches', source_id: V, target_id: H });
  await settled();
  t.ok(
    (await notificationsOf(wide.user)).some(({ subject }) => subject.id === H),
    'a user who sees the card is notified',
  );
  for (const { user, stream } of narrow) {
    t.strictSame(await notificationsOf(user), []);
    t.notMatch(JSON.stringify(stream.events), secrets);
  }
  // A notification about a card that was hidden later is neither listed nor counted nor found.
  const [known] = (await notificationsOf(wide.user)).filter(({ subject }) => subject.id === H);
  await sql(database, `update roles set types = '{"Provider": {"cards.view": false}}' where key = 'wide'`);
  await sql(database, `update revisions set revision = revision + 1 where kind = 'permissions'`);
  await until(() => !app.services.rbac.permissionsOf('wide').has('cards.view', 'Provider'));
  t.strictSame(await notificationsOf(wide.user), []);
  t.match((await wide.user.api.get('/notifications/unread-count')).body, { unread: 0 });
  t.equal((await wide.user.api.get(`/notifications/${known!['id']}`)).status, 404);
  await until(
    async () =>
      wide.user.api
        .get(`/webhooks/${wide.hook}`)
        .then(({ body }) => (body as unknown as { status: { pending: number } }).status.pending === 0),
    60_000,
  );
  const before = wide.receiver.requests.length;
  await admin.api.patch(`/cards/${H}`, { description: 'again' });
  await admin.api.patch(`/cards/${V}`, { description: 'seen' });
  await settled();
  t.notMatch(
    wide.receiver.requests
      .slice(before)
      .map(({ body }) => body)
      .join(),
    secrets,
    'webhooks use the current permissions of their owner',
  );
  t.match(
    wide.receiver.requests
      .slice(before)
      .map(({ body }) => body)
      .join(),
    new RegExp(V),
  );
});
