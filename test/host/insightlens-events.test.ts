/** Events of analyses on two nodes: those of a run reach streams of the other node, and only receivers who see the cards. */
import t from 'tap';
import { expectStatus, makeUser, registerAdmin, testApp, until, type Client } from '../support/app.js';
import { openStream, type EventStream } from '../support/stream.js';

const one = await testApp();
const two = await testApp({ database: one.database });
t.teardown(async () => {
  await two.close();
  await one.close();
});
const admin = await registerAdmin(one.origin);
const { api } = admin;
const make = async (type: string, name: string, more = {}): Promise<string> =>
  expectStatus(await api.post('/cards', { type, name, ...more }), 201, name).body.id;

const permissions = ['cards.view', 'relations.view', 'stakeholders.view', 'insightlens.view'];
expectStatus(
  await api.post('/roles', {
    key: 'half',
    label: 'Half',
    permissions,
    types: { Application: { 'cards.view': false }, Provider: { 'cards.view': false } },
  }),
  201,
  'a role',
);
expectStatus(
  await api.post('/roles', { key: 'none', label: 'None', permissions: ['cards.view'] }),
  201,
  'a role without the module',
);
const [viewer, half, none] = [
  await makeUser(admin, 'viewer'),
  await makeUser(admin, 'half'),
  await makeUser(admin, 'none'),
];
const streams = await Promise.all([viewer, half, none].map(({ token }) => openStream(two.origin, token)));
t.teardown(() => streams.forEach((stream) => stream.close()));
const [seen, hidden, outside] = streams as [EventStream, EventStream, EventStream];

const analyse = async (client: Client, kind: string): Promise<string> => {
  const { id } = expectStatus(await client.post(`/insightlens/${kind}/analyse`), 201, kind).body;
  await until(async () => (await client.get(`/insightlens/runs/${id}`)).body['state'] === 'done');
  return id;
};
const found = ({ events }: EventStream, event: string): string[] =>
  events
    .filter((one) => one.event === event)
    .flatMap(({ data }) => (data as { data: { card_ids: string[] } }).data.card_ids)
    .sort();

t.test('new findings and suppliers reach the streams of the other node', async (t) => {
  t.strictSame(
    streams.map(({ status }) => status),
    [200, 200, 200],
  );
  const [app, component, acme] = [
    await make('Application', 'Shop'),
    await make('ITComponent', 'Server', { lifecycle: { active: '2015-01-01', endOfLife: '2020-01-01' } }),
    await make('Provider', 'Acme'),
  ];
  const run = await analyse(api, 'security');
  await analyse(api, 'suppliers');
  const about = (card: string) =>
    seen.waitFor(
      ({ event, data }) =>
        event.endsWith('.found') && (data as { data: { card_ids: string[] } }).data.card_ids.includes(card),
    );
  t.match((await about(app)).data, { data: { kind: 'security', run_id: run } });
  await about(component);
  t.match((await about(acme)).event, 'insightlens_supplier.found');
  // Streams have the order of the log: one that has this card has had all events before it.
  const mark = await make('DataObject', 'Mark');
  const isMark = ({ data }: { data: unknown }): boolean => (data as { subject: string }).subject === mark;
  await Promise.all(streams.map((stream) => stream.waitFor(isMark)));
  const others = new Set(found(hidden, 'insightlens_finding.found'));
  t.ok(others.has(component), 'a reader has the findings about cards that this reader sees');
  t.notOk(others.has(app), 'and no others');
  t.strictSame(found(hidden, 'insightlens_supplier.found'), []);
  t.strictSame(
    outside.events.filter(({ event }) => event.startsWith('insightlens')),
    [],
    'without insightlens.view none of the module',
  );
});
