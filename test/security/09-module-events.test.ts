/** Events of a module about cards that are hidden from a reader do not exist for the reader, whatever the reader may see of the module. */
import t from 'tap';
import { makeUser, openStream, registerAdmin, sql, testApp, until } from '../support/app.js';
import { moduleFolder, writeModule } from '../support/module-folder.js';

const folder = await moduleFolder(t);
await writeModule(
  folder,
  `
import { Type, Strict, defineModule } from '@lintel/sdk';
export default defineModule({
  id: 'leases', version: '1.0.0', title: 'Leases', description: 'Leases of applications.', host: '^0.1.0',
  permissions: [{ key: 'leases.view', description: 'See leases.', roles: [] }],
  events: [
    { kind: 'leases', permission: 'leases.view', cards: ['card_id', 'card_ids'] },
    { kind: 'leases_none', permission: 'leases.view', cards: 'none' },
    { kind: 'leases_closed', permission: 'leases.view' },
    { kind: 'leases_own', permission: 'leases.view', cards: 'none', only: 'user_id' },
  ],
  services: () => ({}),
  routes: async (app, { host }) => {
    app.post('', { config: { access: { permission: 'leases.view' } }, schema: { operationId: 'emitLease', summary: 'Emit', tags: ['leases'], body: Strict({ kind: Type.String({ maxLength: 40 }), name: Type.String({ maxLength: 100 }), data: Type.String({ maxLength: 1000 }) }), response: { 200: Type.Object({}) } } },
      async (request) => { const { kind, name, data } = request.body; await host.transactions.run(request.ctx, async (unit) => unit.emit({ type: kind + '.signed', subject: { kind, id: host.newId(), name }, data: JSON.parse(data) })); return {}; });
  },
  openapi: { tags: [{ name: 'leases', description: 'Leases.' }] },
  enabledByDefault: true,
});`,
  { id: 'leases' },
);
const { app, origin, database, close } = await testApp({ config: { pluginsDir: folder } });
t.teardown(close);
const admin = await registerAdmin(origin);
const card = async (type: string, name: string) =>
  (await admin.api.post('/cards', { type, name })).body['id'] as string;
const [open, hidden] = [await card('Application', 'Open'), await card('Provider', 'Zebra')];

const [newest] = (await admin.api.get<{ items: { id: number }[] }>('/events', { query: { page_size: 1 } })).body.items;
const before = newest!.id;
const MANY = ['events.audit', 'leases.view'];
const ROLES: Record<string, { permissions: string[]; types: object }> = {
  only_module: { permissions: MANY, types: {} },
  by_rule: { permissions: [...MANY, 'cards.view'], types: { Provider: { 'cards.view': false } } },
  all_cards: { permissions: [...MANY, 'cards.view'], types: {} },
};
const readers: Record<string, Awaited<ReturnType<typeof makeUser>>> = {};
for (const [key, { permissions, types }] of Object.entries(ROLES)) {
  await admin.api.post('/roles', { key, label: key, permissions });
  await sql(database, 'update roles set types = $2 where key = $1', [key, JSON.stringify(types)]);
  await sql(database, `update revisions set revision = revision + 1 where kind = 'permissions'`);
  readers[key] = await makeUser(admin, key);
}
await until(() => !app.services.rbac.permissionsOf('by_rule').has('cards.view', 'Provider'));

interface Page {
  items: { subject: { name: string } }[];
  total: number;
  next_cursor: string | null;
}
const EVENTS: readonly { kind: string; name: string; data: object; seenBy: string[] }[] = [
  { kind: 'leases', name: 'of none', data: { card_id: null }, seenBy: ['only_module', 'by_rule', 'all_cards'] },
  { kind: 'leases', name: 'of Open', data: { card_id: open, card_ids: [open] }, seenBy: ['by_rule', 'all_cards'] },
  { kind: 'leases', name: 'of Zebra', data: { card_id: hidden.toUpperCase() }, seenBy: ['all_cards'] },
  { kind: 'leases', name: 'of Open and Zebra', data: { card_ids: [open, hidden] }, seenBy: ['all_cards'] },
  { kind: 'leases_none', name: 'a plan', data: {}, seenBy: ['only_module', 'by_rule', 'all_cards'] },
  {
    kind: 'leases_none',
    name: 'a plan with ids',
    data: { rows: [{ id: hidden }] },
    seenBy: ['only_module', 'by_rule', 'all_cards'],
  },
  { kind: 'leases_closed', name: 'may name Zebra', data: {}, seenBy: ['all_cards'] },
  { kind: 'leases_own', name: 'of all', data: { user_id: null }, seenBy: ['only_module', 'by_rule', 'all_cards'] },
  { kind: 'leases_own', name: 'of one', data: { user_id: readers['by_rule']!.user.id }, seenBy: ['by_rule'] },
  { kind: 'leases_own', name: 'of another', data: { user_id: admin.user.id }, seenBy: [] },
];
const FORMER = { name: 'of a module that was removed', seenBy: ['all_cards'] };
const live = await Promise.all(
  Object.values(readers).map(({ token }) =>
    openStream(origin, token, { query: { types: 'leases.,leases_none.,leases_closed.,leases_own.,leases_former.' } }),
  ),
);
t.teardown(() => live.forEach((stream) => stream.close()));
for (const { kind, name, data } of EVENTS) await admin.api.post('/leases', { kind, name, data: JSON.stringify(data) });
await sql(
  database,
  `insert into event_outbox (type, occurred_at, origin, subject_kind, subject_id, subject_name, data)
     values ('leases_former.signed', clock_timestamp(), 'test', 'leases_former', '1', 'of a module that was removed', '{}')`,
);
await admin.api.post('/leases', { kind: 'leases_none', name: 'the last', data: '{}' });

for (const [i, [role, { api, token }]] of Object.entries(readers).entries()) {
  await t.test(`for ${role}`, async (t) => {
    const expected = [
      ...[...EVENTS, FORMER].filter(({ seenBy }) => seenBy.includes(role)).map(({ name }) => name),
      'the last',
    ];
    type Seen = { data: { subject: { name: string } } };
    const nameOf = ({ data }: { data: unknown }) => (data as Partial<Seen>).data?.subject.name;
    const namesOf = (stream: (typeof live)[number]) => stream.events.flatMap((event) => nameOf(event) ?? []);
    const isLast = (event: { data: unknown }) => nameOf(event) === 'the last';
    await live[i]!.waitFor(isLast);
    t.strictSame(namesOf(live[i]!), expected, 'the stream');
    const resumed = await openStream(origin, token, {
      lastEventId: before,
      query: { types: 'leases.,leases_none.,leases_closed.,leases_own.,leases_former.' },
    });
    await resumed.waitFor(isLast);
    resumed.close();
    t.strictSame(namesOf(resumed), expected, 'the stream, resumed');
    const query = {
      type: 'leases.,leases_none.,leases_closed.,leases_own.,leases_former.',
      page_size: 1,
      sort_dir: 'asc',
    };
    const listed: string[] = [];
    let page = (await api.get<Page>('/events', { query })).body;
    t.equal(page.total, expected.length, 'the total of the list');
    for (;;) {
      t.equal(page.items.length, 1, 'no page is short');
      listed.push(page.items[0]!.subject.name);
      if (page.next_cursor === null) break;
      page = (await api.get<Page>('/events', { query: { ...query, cursor: page.next_cursor } })).body;
    }
    t.strictSame(listed, expected, 'the list');
    if (role !== 'all_cards')
      t.notMatch(JSON.stringify([live[i]!.events, resumed.events]).toLowerCase(), hidden, 'no id of the hidden card');
  });
}
