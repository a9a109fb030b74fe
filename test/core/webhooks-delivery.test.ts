import { gzipSync } from 'node:zlib';
import { Webhook } from 'standardwebhooks';
import t from 'tap';
import { registerAdmin, sql, testApp, until, type AnyBody } from '../support/app.js';
import { startReceiver, type Answering, type Received, type Receiver } from '../support/receiver.js';

const { origin, database, close } = await testApp({ config: { outboundAllow: ['127.0.0.1'] } });
t.teardown(close);
const { api, user } = await registerAdmin(origin);

interface Attempt {
  at: string;
  status: number | null;
  error: string | null;
  response: string | null;
  duration_ms: number;
}
interface Delivery extends AnyBody {
  event_id: number;
  state: string;
  attempts: number;
  next_at: string | null;
  log: Attempt[];
  last_attempt: Attempt | null;
  subject_id: string;
}
interface Hook extends AnyBody {
  secret: string;
  is_active: boolean;
  status: Record<string, unknown>;
}

/** Creates a receiver and a webhook to it. */
async function hook(
  t: { teardown(work: () => Promise<void>): void },
  body: object = {},
  answering?: Answering,
): Promise<{ receiver: Receiver; id: string; secret: string }> {
  const receiver = await startReceiver(answering);
  const answer = await api.post<Hook>('/webhooks', { url: receiver.url, types: ['card.'], ...body });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  t.teardown(async () => {
    await api.del(`/webhooks/${answer.body.id}`);
    await receiver.close();
  });
  return { receiver, id: answer.body.id, secret: answer.body.secret };
}
let cards = 0;
const card = async (body: object = {}): Promise<AnyBody> =>
  (await api.post('/cards', { type: 'Application', name: `Sent ${++cards}`, ...body })).body;
const rename = async (id: string): Promise<void> => void (await api.patch(`/cards/${id}`, { name: `Sent ${++cards}` }));
const deliveries = async (id: string, query: Record<string, string> = {}): Promise<Delivery[]> =>
  (await api.get<{ items: Delivery[] }>(`/webhooks/${id}/deliveries`, { query: { page_size: 200, ...query } })).body
    .items;
const get = async (id: string): Promise<Hook> => (await api.get<Hook>(`/webhooks/${id}`)).body;
const delivery = async (id: string, did: string): Promise<Delivery> =>
  (await api.get<Delivery>(`/webhooks/${id}/deliveries/${did}`)).body;
const settled = async (id: string, n: number, state = 'delivered'): Promise<Delivery[]> =>
  await until(async () => {
    const found = await deliveries(id, { state });
    return found.length >= n && found;
  }, 10_000);
const verify = (secret: string, { body, headers }: Received): unknown =>
  new Webhook(secret).verify(body, headers as Record<string, string>);

t.test('an event arrives as a CloudEvent that the official library verifies', async (t) => {
  const { receiver, id, secret } = await hook(t);
  const made = await card();
  const [received] = await receiver.untilAccepted(1);
  t.match(received, {
    method: 'POST',
    path: '/hook',
    headers: { 'content-type': 'application/cloudevents+json; charset=utf-8' },
  });
  t.match(verify(secret, received!), {
    specversion: '1.0',
    type: 'card.created',
    source: '/api/v1',
    subject: made.id,
    datacontenttype: 'application/json',
    data: { actor: { id: user.id }, origin: 'api', subject: { kind: 'card', id: made.id, name: made.name } },
  });
  t.equal(received!.id, `evt_${received!.event.id}`);
  t.equal(
    (await api.get(`/events/${received!.event.id}`)).body.type,
    'card.created',
    'its id is the position in the log',
  );
  t.throws(() => verify(`whsec_${Buffer.alloc(32).toString('base64')}`, received!), 'another secret does not');
  t.throws(() => verify(secret, { ...received!, body: received!.body.replace('api', 'ipa') }), 'nor another body');
  t.throws(() => verify(secret, { ...received!, headers: { ...received!.headers, 'webhook-id': 'evt_1' } }));
  const [done] = await settled(id, 1);
  t.match(done, {
    webhook_id: id,
    event_id: Number(received!.event.id),
    event_type: 'card.created',
    subject_id: made.id,
    state: 'delivered',
    attempts: 1,
    next_at: null,
    finished_at: String,
    last_attempt: { status: 204, error: null },
  });
  t.match((await api.get<Hook>(`/webhooks/${id}`)).body, {
    status: { pending: 0, failing_since: null, last_status: 204, last_error: null, last_success_at: String },
    version: 1,
  });
});

t.test('only matching events are delivered: types, and conditions that all hold', async (t) => {
  const all = await hook(t, { types: [] });
  const exact = await hook(t, { types: ['card.created', 'relation.'] });
  const picky = await hook(t, {
    conditions: [
      { field: 'subject.type', op: 'in', value: ['Application', 'ITComponent'] },
      { field: 'subject.name', op: 'contains', value: 'wanted' },
      { field: 'origin', op: 'ne', value: 'cron' },
    ],
  });
  const changed = await hook(t, {
    types: ['card.updated'],
    conditions: [{ field: 'attributes.numberOfUsers', op: 'changed', value: 7 }],
  });
  const nobody = await hook(t, { conditions: [{ field: 'data.changes.__proto__', op: 'exists' }] });
  const foreign = await hook(t, { conditions: [{ field: 'actor.id', op: 'ne', value: user.id }] });
  const one = await card({ name: 'wanted one', attributes: { numberOfUsers: 3 } });
  const two = await card({ name: 'wanted two', type: 'Provider' });
  await api.patch(`/cards/${one.id}`, { attributes: { numberOfUsers: 6 } });
  await api.patch(`/cards/${one.id}`, { description: 'Told in words' });
  await api.patch(`/cards/${one.id}`, { attributes: { numberOfUsers: 7 } });
  await api.post('/relations', { type: 'related', source_id: one.id, target_id: two.id });
  const relation = await until(() => exact.receiver.accepted.find((r) => r.event.type === 'relation.created'));
  t.equal(relation.event.data.subject.kind, 'relation');
  await until(() => all.receiver.accepted.some((r) => r.event.type === 'relation.created'));
  await Promise.all([
    exact.receiver.untilAccepted(3),
    picky.receiver.untilAccepted(4),
    changed.receiver.untilAccepted(1),
    until(async () => (await get(picky.id)).status['pending'] === 0),
  ]);
  const types = (r: Receiver): string[] => r.accepted.map((x) => x.event.type).sort();
  t.strictSame(types(exact.receiver), ['card.created', 'card.created', 'relation.created']);
  t.strictSame(types(picky.receiver), ['card.created', 'card.updated', 'card.updated', 'card.updated']);
  t.ok(picky.receiver.accepted.every((r) => r.event.subject === one.id));
  t.strictSame(
    changed.receiver.accepted.map((r) => r.event.data.changes),
    [[{ field: 'attributes.numberOfUsers', old: 6, new: 7 }]],
  );
  t.strictSame([types(nobody.receiver), types(foreign.receiver)], [[], []]);
  t.ok(types(all.receiver).includes('webhook.created'), 'no filter means all types, including those of webhooks');
});

t.test('a receiver that fails every third time gets all events, in order per subject', async (t) => {
  let nth = 0;
  const { receiver, id } = await hook(t, { types: ['card.created', 'card.updated'] }, () =>
    ++nth % 3 === 0 ? 500 : 200,
  );
  const made = await Promise.all(Array.from({ length: 6 }, () => card()));
  for (let round = 0; round < 4; round++) await Promise.all(made.map(({ id: subject }) => rename(subject)));
  const taken = await receiver.untilAccepted(30, 30_000);
  await settled(id, 30);
  const ids = made.map((c) => c.id);
  const log = await sql<{ position: string; subject_id: string }>(
    database,
    `select position, subject_id from events where subject_id = any($1) and type in ('card.created', 'card.updated') order by position`,
    [ids],
  );
  t.equal(log.length, 30);
  t.ok(receiver.requests.length > 30, 'some were received more than once');
  t.equal(new Set(receiver.requests.map((r) => r.id)).size, 30, 'and are known by their id');
  t.equal(taken.length, 30, 'none was taken twice');
  for (const subject of ids) {
    const wanted = log.filter((e) => e.subject_id === subject).map((e) => e.position);
    t.strictSame(
      taken.filter((r) => r.event.subject === subject).map((r) => r.event.id),
      wanted,
    );
    const seen = receiver.requests.filter((r) => r.event.subject === subject);
    t.ok(
      seen.every((r, i) => i === 0 || seen[i - 1]!.answeredAt! <= r.at),
      'one after the other',
    );
  }
  const retried = (await deliveries(id)).find((d) => d.attempts > 1)!;
  const { log: attempts } = await delivery(id, retried.id);
  t.match(attempts[0], { status: 500, error: /500/ });
  t.match(attempts.at(-1), { status: 200, error: null });
  const waits = attempts.slice(1).map((a, i) => Date.parse(a.at) - Date.parse(attempts[i]!.at));
  t.ok(waits[0]! >= 790, `the second attempt is after about a second, not ${waits[0]} ms`);
});

t.test('a failing subject delays no other, and continues after all attempts have failed', async (t) => {
  const bad = await card();
  // The webhook gets the events that are ordered after it was created.
  await until(async () => (await api.get('/events', { query: { subject_id: bad.id } })).body.total === 1);
  const { receiver, id } = await hook(t, {}, (r) => (r.event.subject === bad.id ? 503 : 200));
  await rename(bad.id);
  await rename(bad.id);
  const good = await card();
  await rename(good.id);
  await receiver.untilAccepted(2);
  t.ok(receiver.accepted.every((r) => r.event.subject === good.id));
  const pending = await until(async () => {
    const all = await deliveries(id, { state: 'pending', subject_id: bad.id });
    return all.some((d) => d.attempts > 0) && all;
  });
  t.equal(pending.length, 2);
  const [second, first] = pending as [Delivery, Delivery];
  t.match([first.attempts > 0, second.attempts, second.next_at], [true, 0, null], 'the second waits for the first');
  const log = JSON.stringify(
    Array.from({ length: 12 }, (_, i) => ({
      at: new Date(i).toISOString(),
      status: 500,
      error: 'x',
      duration_ms: 1,
      response: null,
      owner_id: null,
    })),
  );
  await sql(database, 'update webhook_deliveries set attempts = 30, next_at = now(), log = $2 where id = $1', [
    first.id,
    log,
  ]);
  const failed = await until(async () => {
    const d = await delivery(id, first.id);
    return d.state !== 'pending' && d;
  });
  t.match(
    failed,
    { state: 'failed', attempts: 31, next_at: null, finished_at: String },
    'a receiver that accepts other events gets more attempts than one that accepts none',
  );
  t.match(
    [failed.log.length, failed.log[0]!.at, failed.log[11]!.status],
    [12, new Date(1).toISOString(), 503],
    'the last twelve are kept',
  );
  await until(() => receiver.requests.some((r) => r.id === `evt_${second.event_id}`));
  t.match(await api.get(`/webhooks/${id}`), {
    body: { status: { pending: 1, failing_since: String, last_status: 503 } },
  });
});

t.test('after a rotation the previous secret also signs for one day', async (t) => {
  const { receiver, id, secret } = await hook(t);
  const rotated = (await api.post<Hook>(`/webhooks/${id}/rotate-secret`)).body.secret;
  await card();
  const [received] = await receiver.untilAccepted(1);
  t.ok(verify(secret, received!));
  t.ok(verify(rotated, received!));
  t.equal(String(received!.headers['webhook-signature']).split(' ').length, 2);
  await sql(database, `update webhooks set previous_secret_until = now() - interval '1 second' where id = $1`, [id]);
  await card();
  const [, later] = await receiver.untilAccepted(2);
  t.throws(() => verify(secret, later!));
  t.ok(verify(rotated, later!));
  t.equal((await api.get<AnyBody>(`/webhooks/${id}`)).body['previous_secret_until'], null);
});

t.test('a delivered event is sent again on request, with the same id', async (t) => {
  const { receiver, id } = await hook(t);
  const made = await card();
  await receiver.untilAccepted(1);
  const [first] = await settled(id, 1);
  const again = await api.post<Delivery>(`/webhooks/${id}/deliveries/${first!.id}/redeliver`, undefined, {
    headers: { 'idempotency-key': 'again' },
  });
  t.match(again, {
    status: 202,
    body: { redelivery_of: first!.id, event_id: first!.event_id, subject_id: made.id, log: [] },
  });
  t.equal(again.headers.get('location'), `/api/v1/webhooks/${id}/deliveries/${again.body.id}`);
  const [one, two] = await receiver.untilAccepted(2);
  t.strictSame([two!.id, two!.body], [one!.id, one!.body]);
  await settled(id, 2);
  const replay = await api.post<Delivery>(`/webhooks/${id}/deliveries/${first!.id}/redeliver`, undefined, {
    headers: { 'idempotency-key': 'again' },
  });
  t.strictSame([replay.headers.get('idempotent-replayed'), replay.body.id], ['true', again.body.id]);
  t.match(
    await until(
      async () => (await api.get('/events', { query: { subject_id: id, type: 'webhook.redelivered' } })).body.items[0],
    ),
    { data: { delivery_id: again.body.id, redelivery_of: first!.id } },
  );
  receiver.answering = () => 500;
  await rename(made.id);
  const stuck = await until(async () => (await deliveries(id, { state: 'pending' }))[0]);
  t.match(await api.post(`/webhooks/${id}/deliveries/${stuck.id}/redeliver`), {
    status: 409,
    body: { code: 'invalid_state' },
  });
  receiver.answering = () => 200;
  await api.post(`/webhooks/${id}/deliveries/${first!.id}/redeliver`);
  await receiver.untilAccepted(3, 700);
  t.equal(receiver.accepted[2]!.id, one!.id, 'it waits for nothing else of its subject');
  await api.patch(`/webhooks/${id}`, { is_active: false });
  t.match(await api.post(`/webhooks/${id}/deliveries/${first!.id}/redeliver`), { status: 409 });
});

t.test('answers of all kinds', async (t) => {
  const elsewhere = await startReceiver();
  t.teardown(() => elsewhere.close());
  const cases: [string, Answering, object][] = [
    [
      'redirect',
      (_r, _n, response) => {
        response.writeHead(307, { location: elsewhere.url }).end();
      },
      { status: 307, error: /redirects are not followed/ },
    ],
    [
      'giant',
      (_r, _n, response) => {
        response.writeHead(200);
        const more = (): void => {
          if (!response.destroyed) response.write(Buffer.alloc(65_536, 'x'), more);
        };
        more();
      },
      { status: 200, error: null, response: /^x{1000}$/ },
    ],
    [
      'zipped',
      (_r, _n, response) => {
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'));
      },
      { status: 200, error: null },
    ],
    [
      'odd text',
      (_r, _n, response) => {
        response.writeHead(400).end('a\u0000b\u001b[31m\r\nc \ud83d\ude00');
      },
      { status: 400, error: /400/, response: 'a b [31m c 😀' },
    ],
    [
      'cut off',
      (_r, _n, response) => {
        response.destroy();
      },
      { status: null, error: /closed the connection/ },
    ],
    [
      'many headers',
      (_r, _n, response) => {
        response.setHeader('x-long', 'x'.repeat(40_000)).end();
      },
      { status: null, error: /too many headers/ },
    ],
    ['informal', () => 299, { status: 299, error: null }],
  ];
  for (const [name, answering, expected] of cases) {
    const { receiver, id } = await hook(t, {}, answering);
    await card();
    await until(() => receiver.requests.length > 0);
    const attempted = await until(async () => (await deliveries(id)).find((d) => d.last_attempt !== null), 10_000);
    t.match((await delivery(id, attempted.id)).log[0], expected, name);
  }
  t.equal(elsewhere.requests.length, 0);
});

t.test('Retry-After is respected, and 410 disables the webhook', async (t) => {
  const busy = await hook(t, {}, (_r, n, response) => {
    response.writeHead(n === 1 ? 429 : 200, { 'retry-after': '3' }).end();
  });
  const dated = await hook(t, {}, (_r, _n, response) => {
    response.writeHead(503, { 'retry-after': new Date(Date.now() + 3_600_000).toUTCString() }).end();
  });
  const patient = await hook(t, {}, (_r, _n, response) => {
    response.writeHead(503, { 'retry-after': '999999999' }).end();
  });
  const gone = await hook(t, {}, () => 410);
  await card();
  const waits = async (id: string): Promise<number> => {
    const next = await until(
      async () => (await deliveries(id)).find((d) => d.attempts > 0 && d.next_at !== null),
      10_000,
    );
    return Date.parse(next.next_at!) - Date.now();
  };
  const [hour, day] = [await waits(dated.id), await waits(patient.id)];
  t.ok(hour > 3_500_000 && hour <= 3_600_000, `${hour} ms`);
  t.ok(day > 86_000_000 && day <= 86_400_000, `${day} ms: bounded to a day`);
  const off = await until(async () => {
    const { body } = await api.get<Hook>(`/webhooks/${gone.id}`);
    return !body.is_active && body;
  });
  t.match(off, { is_active: false, disabled_reason: 'gone', status: { pending: 1, last_status: 410 }, version: 2 });
  t.match((await api.get('/events', { query: { subject_id: gone.id, type: 'webhook.disabled' } })).body.items, [
    { actor: null, data: { owner_id: user.id, reason: 'gone' } },
  ]);
  await card();
  await busy.receiver.untilAccepted(2);
  const [first, second] = busy.receiver.requests.filter((r) => r.id === busy.receiver.requests[0]!.id);
  t.ok(second!.at - first!.at >= 2_900, `${second!.at - first!.at} ms`);
  t.equal(gone.receiver.requests.length, 1, 'one that is off is sent nothing');
  gone.receiver.answering = () => 200;
  await api.patch(`/webhooks/${gone.id}`, { is_active: true });
  await gone.receiver.untilAccepted(1);
  t.equal(
    gone.receiver.accepted[0]!.id,
    gone.receiver.requests[0]!.id,
    'enabled again, it continues with pending events',
  );
  t.match((await api.get<AnyBody>(`/webhooks/${gone.id}`)).body, { disabled_reason: null, is_active: true });
  await card();
  await gone.receiver.untilAccepted(2);
  t.equal(gone.receiver.accepted.length, 2, 'events while it was disabled are not sent');
});

t.test('a test is sent immediately and its result returned', async (t) => {
  const { receiver, id, secret } = await hook(t, { is_active: false });
  t.match(await api.post(`/webhooks/${id}/test`), {
    status: 200,
    body: { ok: true, detail: 'The receiver answered 204.' },
  });
  t.match(verify(secret, receiver.requests[0]!), {
    specversion: '1.0',
    type: 'webhook.test',
    subject: id,
    data: { webhook: { id } },
  });
  receiver.answering = (_r, _n, response) => {
    response.writeHead(500).end(`no\u0000way ${secret}`);
  };
  const failed = await api.post<AnyBody>(`/webhooks/${id}/test`);
  t.match(failed, { status: 200, body: { ok: false, detail: 'The receiver answered 500. no way …' } });
  await receiver.close();
  t.match(await api.post(`/webhooks/${id}/test`), {
    status: 200,
    body: { ok: false, detail: /refuses the connection/ },
  });
  t.strictSame(await deliveries(id), []);
});

t.test('deliveries are filtered and paged', async (t) => {
  const { receiver, id } = await hook(t, { types: ['card.'] });
  const one = await card();
  const two = await card();
  await rename(one.id);
  await api.post(`/cards/${two.id}/archive`, {});
  await receiver.untilAccepted(4);
  await settled(id, 4);
  t.strictSame(
    (await deliveries(id, { subject_id: one.id })).map((d) => d['event_type']),
    ['card.updated', 'card.created'],
    'the latest first',
  );
  t.equal((await deliveries(id, { type: 'card.archived' })).length, 1);
  t.equal((await deliveries(id, { type: 'card.' })).length, 4);
  t.equal((await deliveries(id, { type: 'card' })).length, 0);
  t.equal((await deliveries(id, { state: 'failed,skipped,pending' })).length, 0);
  const page = (await api.get(`/webhooks/${id}/deliveries`, { query: { page_size: 3, state: 'delivered' } })).body;
  t.match(page, { total: 4, items: { length: 3 } });
  const rest = (
    await api.get(`/webhooks/${id}/deliveries`, {
      query: { page_size: 3, state: 'delivered', cursor: page.next_cursor! },
    })
  ).body;
  t.equal(new Set([...page.items, ...rest.items].map((d) => d.id)).size, 4);
  const other = await hook(t);
  t.equal(
    (await api.get(`/webhooks/${other.id}/deliveries/${page.items[0]!.id}`)).status,
    404,
    'of another webhook it is not',
  );
});
