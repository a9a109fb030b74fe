/** The database loses its latest writes, as by a failover to an asynchronous standby: nodes, receivers and clients notice. */
import t from 'tap';
import { client, makeUser, openStream, registerAdmin, sql, testApp, until, type AnyBody } from '../support/app.js';
import { STARTED_TEMPLATE } from '../support/database.js';
import { losableDatabase } from '../support/lost-tail.js';
import { webhookTools } from '../support/webhooks.js';

await (await testApp()).close();
const database = await losableDatabase(STARTED_TEMPLATE);
const nodes = [
  await testApp({ database: database.connection, config: { outboundAllow: ['127.0.0.1/32'] } }),
  await testApp({ database: database.connection, config: { outboundAllow: ['127.0.0.1/32'] } }),
] as const;
t.teardown(async () => {
  for (const { close } of nodes) await close();
  database.close();
});
const [one, two] = nodes;
const admin = await registerAdmin(one.origin);
const second = client(two.origin, admin.token);
const { api } = admin;
const member = await makeUser(admin, 'member');
const create = async (name: string, on = api): Promise<AnyBody> => {
  const answer = await until(async () => {
    const tried = await on.post<AnyBody>('/cards', { type: 'Application', name });
    return tried.status !== 503 && tried;
  });
  t.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body;
};
const typesOf = async (on = api): Promise<string[]> =>
  ((await on.get<{ items: { key: string }[] }>('/metamodel/types?page_size=200')).body.items ?? []).map(
    ({ key }) => key,
  );
interface Told {
  data: Record<string, number>;
}
const eventsOf = async (type: string): Promise<Told[]> =>
  (await api.get<{ items: Told[] }>(`/events?type=${type}`)).body.items;
const untilServed = (): Promise<true> =>
  until(async () =>
    (await Promise.all([api, second].map((on) => on.get('/cards?page_size=1')))).every(({ status }) => status === 200),
  );

const tools = webhookTools(api, database.connection);
const { receiver, id: webhook } = await tools.hook(t, { types: ['card.', 'log.'] });
const live = await openStream(two.origin, admin.token);
t.teardown(live.close);
const kept = await create('Kept');
await until(async () => (await tools.rows(webhook))[0]?.state === 'delivered');
const risk = (await api.post<AnyBody>('/risks', { title: 'Kept', category: 'security' })).body;
const before = await live.waitFor(({ event }) => event === 'card.created');
await database.keep();
await untilServed();

t.test('a tail of all kinds is lost', async (t) => {
  t.same(
    nodes.map(({ app }) => app.services.continuity.generation),
    [0, 0],
    'connections that break are no failover',
  );
  const lost = await create('Lost');
  const edited = await api.patch(`/cards/${kept.id}`, { description: 'lost' });
  t.equal(edited.status, 200);
  t.equal((await api.post('/metamodel/types', { key: 'Lost', label: 'Lost' })).status, 201);
  t.equal((await api.patch('/settings', { currency: 'CHF' })).status, 200, 'settings');
  t.equal((await api.patch('/roles/member', { permissions: { 'events.audit': true } })).status, 200, 'role');
  t.equal((await api.post('/risks', { title: 'Lost', category: 'security' })).status, 201, 'risk');
  t.equal((await api.patch(`/risks/${risk.id}`, { description: 'lost' })).status, 200);
  const last = await live.waitFor(
    ({ event, data }) => event.startsWith('risk') && (data as AnyBody).subject !== risk.id,
  );
  await until(() => receiver.accepted.length >= 3);
  t.equal((await second.get(`/cards/${kept.id}`)).body.description, 'lost', 'in memory of the other node');
  t.ok((await typesOf(second)).includes('Lost'), 'the type');

  await database.lose();
  const reset = await live.waitFor(({ event }) => event === 'reset');
  t.match(reset.data, { reason: 'lost' });
  await untilServed();
  for (const on of [api, second]) {
    t.equal((await on.get(`/cards/${lost.id}`)).status, 404);
    t.equal(
      (await on.get(`/cards/${kept.id}`, { headers: { 'if-none-match': edited.headers.get('etag')! } })).status,
      200,
    );
    t.strictSame(
      (await typesOf(on)).filter((key) => key === 'Lost'),
      [],
    );
    t.not((await on.get('/settings')).body.currency, 'CHF');
  }
  const tag = edited.headers.get('etag')!;
  t.equal((await second.patch(`/cards/${kept.id}`, { description: 'other' })).status, 200);
  for (const on of [api, second]) {
    const found = await on.get<AnyBody>(`/cards/${kept.id}`, { headers: { 'if-none-match': tag } });
    t.match(
      found,
      { status: 200, body: { description: 'other', version: 1_000_000 } },
      'the lost version is not given again',
    );
    t.equal((await on.patch(`/cards/${kept.id}`, { description: 'x' }, { headers: { 'if-match': tag } })).status, 412);
  }
  t.equal((await api.patch(`/cards/${kept.id}`, { description: 'next' })).body.version, 1_000_001);
  const history = (await api.get<{ items: AnyBody[] }>(`/cards/${kept.id}/history`)).body.items;
  t.strictSame(
    history.map(({ version }) => version),
    [1_000_001, 1_000_000, 1],
  );
  const patched = await api.patch<AnyBody>(`/risks/${risk.id}`, { description: 'other' });
  t.equal(patched.body.version, 1_000_000, 'of modules');
  t.equal((await api.get(`/risks/${risk.id}`)).body.version, 1_000_000);
  const fresh = await create('Fresh');
  t.equal(
    (await api.patch(`/cards/${fresh.id}`, { description: 'next' })).body.version,
    2,
    'new cards have no lost versions',
  );

  t.equal((await member.api.get('/events')).status, 403, 'the permission is gone');
  const [resumed] = await until(async () => {
    const found = await eventsOf('log.resumed');
    return found.length > 0 && found;
  });
  t.match(resumed!.data, { reason: 'failover', epoch: 2 });
  t.ok(resumed!.data['resumed']! > Number(last.id));
  const truncated = await until(async () => {
    const found = await eventsOf('log.truncated');
    return found.some(({ data }) => data['to']! >= Number(last.id)) && found;
  });
  t.equal(Math.min(...truncated.map(({ data }) => data['from']!)), resumed!.data['ended']! + 1);

  const again = await create('New', second);
  const seen = await live.waitFor(
    ({ event, data }) => event === 'card.created' && (data as AnyBody).subject === again.id,
  );
  t.ok(Number(seen.id) > Number(last.id), 'no position is given twice');
  await until(() => receiver.accepted.some(({ event }) => event.subject === again.id));
  await until(() => receiver.accepted.some(({ event }) => event.type === 'log.truncated'));
  for (const { id, event } of receiver.accepted)
    for (const other of receiver.accepted.filter((one) => one.id === id))
      t.same(
        [other.event.type, other.event.subject],
        [event.type, event.subject],
        'an id is always that of the same event',
      );

  for (const [id, expected] of [
    [before.id, 'card.updated'],
    [last.id, 'reset'],
  ] as const) {
    const stream = await openStream(one.origin, admin.token, { lastEventId: id, query: { types: 'card.' } });
    t.equal((await stream.waitFor(({ event }) => event !== '')).event, expected, id);
    stream.close();
  }
  t.equal((await api.post('/metamodel/types', { key: 'Lost', label: 'Found' })).status, 201);
  await until(async () => (await second.post('/cards', { type: 'Lost', name: 'Of the type' })).status === 201);
  const { behind } = (await one.app.services.subscriptions.lags())[0]!;
  t.ok(behind < 1_000, 'gaps are no events');
});

t.test('a former state is put back while PostgreSQL runs on', async (t) => {
  const own = await testApp({ config: { outboundAllow: ['127.0.0.1/32'] } });
  t.teardown(own.close);
  const owner = await registerAdmin(own.origin);
  const stream = await openStream(own.origin, owner.token, { query: { types: 'card.' } });
  t.teardown(stream.close);
  const add = async (name: string): Promise<string> =>
    (
      await until(async () => {
        const made = await owner.api.post<AnyBody>('/cards', { type: 'Application', name });
        return made.status === 201 && made;
      })
    ).body.id;
  const seenOf = async (id: string) => await stream.waitFor(({ data }) => (data as AnyBody)?.subject === id);
  const kept = await seenOf(await add('Kept'));
  const lost = await seenOf(await add('Lost'));
  await seenOf(await add('Lost too'));
  await sql(
    own.database,
    `begin; alter table events disable trigger all; alter table events_p0 disable trigger all;
    delete from events where position > ${kept.id}; update event_head set position = ${kept.id};
    delete from cards where name like 'Lost%';
    alter table events_p0 enable always trigger events_no_change; alter table events_p0 enable always trigger events_no_truncate;
    alter table events enable always trigger events_no_change; alter table events enable always trigger events_no_truncate; commit`,
  );
  t.match((await stream.waitFor(({ event }) => event === 'reset')).data, { reason: 'lost' });
  const next = await seenOf(await add('Next'));
  t.ok(Number(next.id) > 1_000_000, 'positions that were given are not given again');
  const returned = await openStream(own.origin, owner.token, { lastEventId: lost.id });
  t.equal((await returned.waitFor(() => true)).event, 'reset');
  returned.close();
  const { data } = (await owner.api.get<{ items: Told[] }>('/events?type=log.resumed')).body.items[0]!;
  t.match(data, { reason: 'lost', epoch: 2, ended: Number(kept.id) });
});
