/** The size of events: a small change of a large map writes the changed keys to the log, and not the map. */
import t from 'tap';
import { client, expectStatus, makeUser, registerAdmin, sql, testApp, until, type Client } from '../support/app.js';
import { drawing } from '../../plugins/diagrams/test/drawings.js';

const { app, origin, database, close } = await testApp({ config: { publicUrl: 'https://ea.example.org' } });
t.teardown(close);
const admin = await registerAdmin(origin);
const { api } = admin;
const member = await makeUser(admin, 'member');

const make = async (path: string, body: object, by: Client = api): Promise<string> => {
  const made = expectStatus(await by.post(path, body), 201, path).body;
  return made.id ?? (made['key'] as string);
};
const LOG = `select position, type, data from events union all select null, type, data from event_outbox`;
/** What a request writes to the log, without the events of sessions. */
async function written(
  request: () => Promise<{ status: number; body: unknown }>,
): Promise<{ bytes: number; data: string }> {
  const [{ at }] = (await sql<{ at: number }>(
    database,
    `select coalesce(max(position), 0)::int as at from events`,
  )) as [{ at: number }];
  const { status, body } = await request();
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
  const events = await sql<{ data: string }>(
    database,
    `select data::text from (${LOG}) l where (position is null or position > $1) and type !~ '^(session.|notification.(created|updated))'`,
    [at],
  );
  const data = events.map((event) => event.data).join('\n');
  return { bytes: Buffer.byteLength(data), data };
}
/** Waits until all events have their position. */
const settled = () => until(async () => (await sql(database, 'select from event_outbox limit 1')).length === 0);
const many = <T>(n: number, of: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => of(i));

// Large maps of all kinds, to be changed a little.
const preferences = Object.fromEntries(many(300, (i) => [`key_${i}`, `private ${i} `.padEnd(35, 'x')]));
expectStatus(await member.api.patch('/auth/me', { preferences }), 200, 'preferences');
const permissions = (
  await api.get<{ items: { key: string; per_type: boolean }[] }>('/roles/permissions', {
    query: { scope: 'application', page_size: 200 },
  })
).body.items;
const perType = permissions.filter(({ per_type }) => per_type).map(({ key }) => key);
await make('/roles', {
  key: 'large',
  label: 'Large',
  permissions: permissions.map(({ key }) => key),
  types: { Application: Object.fromEntries(perType.map((key) => [key, true])) },
});
const ROLES = '/metamodel/types/Large/stakeholder-roles';
const onCards = (
  await api.get<{ items: { key: string }[] }>('/roles/permissions', { query: { scope: 'card', page_size: 200 } })
).body.items.map(({ key }) => key);
await make('/metamodel/types', {
  key: 'Large',
  label: 'Large',
  stakeholder_roles: many(90, (i) => ({ key: `role_${i}_`.padEnd(60, 'x'), permissions: onCards })),
});
const [{ key: role }] = (await api.get<{ items: [{ key: string }] }>(ROLES)).body.items;
const provider = {
  kind: 'oidc',
  label: 'Company',
  issuer: 'https://login.example.org',
  client_id: 'lintel',
  groups_claim: 'groups',
  role_map: many(50, (i) => ({ group: `group ${i} `.padEnd(100, 'x'), role: 'viewer' })),
};
expectStatus(await api.patch('/settings/sso', { providers: { company: provider } }), 200, 'a provider');
const cards = await Promise.all(many(200, (i) => make('/cards', { type: 'Application', name: `Card ${i}` })));
const diagram = await make('/diagrams', {
  name: 'Large',
  content: drawing(cards.map((card, i) => ({ id: `s${i}`, label: `Card ${i}`, card }))),
});
const report = await make('/reports/saved', {
  name: 'Large',
  report: 'end-of-life',
  parameters: { dependent_type: many(160, () => 'Application').join(','), horizon_days: 1 },
  visibility: 'private',
});
const work = await make('/soaw', {
  title: 'Large',
  sections: many(40, (i) => ({ key: `s${i}`, title: `Section ${i}`, text: `Text ${i} `.padEnd(2_000, 'x') })),
});
const risk = await make('/risks', {
  title: 'Large',
  category: 'security',
  cards: cards.slice(1).map((card_id) => ({ card_id, role: 'affected' })),
});
await settled();

const SMALL: [what: string, path: string, body: object, by?: Client][] = [
  ['preferences', '/auth/me', { preferences: { key_0: 1 } }, member.api],
  ['permissions of a role', '/roles/large', { permissions: { 'cards.delete': false } }],
  ['rules of a role', '/roles/large', { types: { Application: { 'cards.edit': false } } }],
  ['settings', '/settings', { rate_limits: { login: 11 } }],
  ['a provider of single sign-on', '/settings/sso', { providers: { company: { label: 'C' } } }],
  ['a stakeholder role', `${ROLES}/${role}`, { permissions: { 'card.edit': null } }],
  ['a saved report', `/reports/saved/${report}`, { parameters: { horizon_days: 2 } }],
  ['a diagram', `/diagrams/${diagram}`, { description: 'x' }],
  ['notifications', '/notifications/preferences', { kinds: { comment: { in_app: false, email: true } } }, member.api],
];

t.test('the event of a small change of a large map is small', async (t) => {
  for (const [what, path, body, by = api] of SMALL) {
    const sent = Buffer.byteLength(JSON.stringify(body));
    const { bytes, data } = await written(() => by.patch(path, body));
    t.comment(`${what}: ${sent} bytes sent, ${bytes} written`);
    t.ok(bytes > 0 && bytes <= 2 * sent + 200, `${what}: ${sent} bytes sent, ${bytes} written: ${data.slice(0, 300)}`);
    await settled();
  }
  for (const [what, most, request] of [
    ['a link of a risk', 300, () => api.post(`/risks/${risk}/cards`, { card_id: cards[0], role: 'affected' })],
    [
      'a section of a document',
      4_500,
      () =>
        api.send(
          'PUT',
          `/soaw/${work}/sections/s3`,
          { title: 'Section 3', text: 'Short' },
          { headers: { 'if-match': '"1"' } },
        ),
    ],
  ] as const) {
    const { bytes, data } = await written(request);
    t.comment(`${what}: ${bytes} written`);
    t.ok(bytes > 0 && bytes <= most, `${what}: ${bytes} written: ${data.slice(0, 300)}`);
    await settled();
  }
  const { bytes } = await written(() => api.post(ROLES, { key: 'added', permissions: ['card.edit'] }));
  t.comment(`a new stakeholder role: ${bytes} written`);
  t.ok(bytes > 0 && bytes <= 400, `a new stakeholder role: ${bytes} written`);
});

t.test('events of preferences have their names, and no values', async (t) => {
  const { data } = await written(() =>
    member.api.patch('/auth/me', { preferences: { key_1: 'private 1x', key_2: null } }),
  );
  t.strictSame(JSON.parse(data), { changes: [{ field: 'preferences.key_1' }, { field: 'preferences.key_2' }] });
  t.strictSame(
    await sql(database, `select type from (${LOG}) l where data::text like '%private _%x%'`),
    [],
    'no value of a preference is in the log',
  );
});

t.test('an object that names a card stays whole in events, and equal values do too', async (t) => {
  const { changedPart } = await import('../../core/foundation/changed-part.js');
  const of = (id: string, text: string) => ({ links: { id, text }, kept: 1, more: { a: 1, b: 2 } });
  const [card] = cards as [string];
  t.strictSame(changedPart(of(card, 'x'), { ...of(card, 'y'), more: { a: 1, c: 3 } }), {
    old: { links: { id: card, text: 'x' }, more: { b: 2 } },
    new: { links: { id: card, text: 'y' }, more: { c: 3 } },
  });
  t.strictSame(changedPart({ is_set: true }, { is_set: true }), { old: { is_set: true }, new: { is_set: true } });
  const entries = (...texts: string[]) => texts.map((text, i) => ({ key: `k${i}`, text, same: 1 }));
  t.strictSame(changedPart(entries('a', 'b', 'c'), [...entries('a', 'x'), { key: 'new' }]), {
    old: [{ key: 'k1', text: 'b' }, ...entries('a', 'b', 'c').slice(2)],
    new: [{ key: 'k1', text: 'x' }, { key: 'new' }],
  });
  t.strictSame(
    changedPart(entries('a', 'b'), entries('a', 'b').reverse()),
    { old: [{ key: 'k0' }, { key: 'k1' }], new: [{ key: 'k1' }, { key: 'k0' }] },
    'another order',
  );
  t.strictSame(changedPart([1, 2], [1]), { old: [1, 2], new: [1] });
  t.strictSame(changedPart(null, { a: 1 }), { old: null, new: { a: 1 } });
});

t.test('the write limit counts bytes of events', async (t) => {
  await api.patch('/settings', { write_limits: { per_minute: 100 } });
  await until(() => app.services.settings.current.write_limits.per_minute === 100);
  const left = (answer: { headers: Headers }) => Number(/r=(\d+)/.exec(answer.headers.get('ratelimit') ?? '')?.[1]);
  const mine = (await makeUser(admin, 'member')).token;
  const by = client(origin, mine);
  const text = (n: number) => ({ preferences: { [`k${n}`.padEnd(10_000, 'x')]: n } });
  const first = await by.patch('/auth/me', { preferences: { a: 1 } });
  t.equal(left(first), 99, 'a small write is one');
  // The event has the name of the key: about 10 kB, which a write includes.
  t.equal(left(await by.patch('/auth/me', text(1))), 98);
  t.equal(left(await by.patch('/auth/me', { preferences: { a: 2 } })), 97);
  const created = await make('/cards', { type: 'Application', name: 'Long' }, by);
  const long = (of: string) => by.patch(`/cards/${created}`, { description: of.repeat(9_000) });
  const before = left(await long('a'));
  // Both descriptions are in the event, with two bytes for each character.
  await long('ä');
  await long('ö');
  const after = left(await by.patch('/auth/me', { preferences: { a: 3 } }));
  t.ok(before - after >= 4 && before - after <= 6, `${before} left, then ${after}`);
});
