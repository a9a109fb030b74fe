/** Receivers that hang or fail for days, and the deletion of old deliveries. */
import t from 'tap';
import { systemContext } from '../../core/foundation/context.js';
import { uuidv7 } from '../../core/foundation/ids.js';
import { Outbound } from '../../core/foundation/outbound/index.js';
import { transmit } from '../../core/messaging/webhooks/transmission.js';
import { registerAdmin, sql, testApp, until } from '../support/app.js';
import { webhookTools } from '../support/webhooks.js';

const one = await testApp({ config: { outboundAllow: ['127.0.0.1'] } });
t.teardown(() => one.close());
const { database } = one;
const { api, user } = await registerAdmin(one.origin);

const { hook, create, get, rows } = webhookTools(api, database);

t.test('receivers that hang do not delay others, and time out', async (t) => {
  const hanging = await hook(t, {}, () => undefined);
  const good = await hook(t);
  await create(20);
  await good.receiver.untilAccepted(20, 5_000);
  t.ok(hanging.receiver.requests.length <= 8, 'a few at a time');
  const outbound = new Outbound(['127.0.0.1']);
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 300);
  const given = await transmit(
    outbound,
    { id: 'x', url: hanging.receiver.url, body: '{}', secrets: [] },
    controller.signal,
  );
  t.match(given, { status: null, error: /did not answer: it was cancelled/ });
  const failed = await until(async () => (await rows(hanging.id)).find((r) => r.attempts > 0), 20_000);
  const { log } = (
    await api.get<{ log: { error: string; duration_ms: number }[] }>(`/webhooks/${hanging.id}/deliveries/${failed.id}`)
  ).body;
  t.match(log[0], { status: null, error: /did not answer: the timeout expired/ });
  t.ok(log[0]!.duration_ms >= 14_900 && log[0]!.duration_ms < 17_000, `${log[0]!.duration_ms} ms`);
  await sql(database, `update webhooks set failing_since = now() - interval '1 hour' where id = $1`, [hanging.id]);
  await create(1);
  await good.receiver.untilAccepted(21, 5_000);
});

t.test(
  'a webhook whose attempts failed for days is disabled, with an event; enabled again, it continues',
  async (t) => {
    let open = false;
    const { receiver, id } = await hook(t, {}, () => (open ? 204 : 500));
    await create(1);
    await until(async () => (await get(id)).status.failing_since !== null);
    await sql(database, `update webhooks set failing_since = now() - interval '119 hours' where id = $1`, [id]);
    await until(() => receiver.requests.length >= 2, 10_000);
    await until(async () => (await rows(id))[0]!.attempts >= 2);
    t.equal((await get(id)).is_active, true);
    await sql(database, `update webhooks set failing_since = now() - interval '121 hours' where id = $1`, [id]);
    await sql(database, 'update webhook_deliveries set next_at = now() where webhook_id = $1', [id]);
    t.match(
      await until(async () => {
        const now = await get(id);
        return !now.is_active && now;
      }),
      { disabled_reason: 'failing', status: { pending: 1 } },
    );
    const events = await until(async () => {
      const { items } = (await api.get('/events', { query: { subject_id: id, type: 'webhook.disabled' } })).body;
      return items.length > 0 && items;
    });
    t.match(events, [{ subject: { kind: 'webhook', id }, data: { owner_id: user.id, reason: 'failing' } }]);
    t.equal(events.length, 1);
    open = true;
    await api.patch(`/webhooks/${id}`, { is_active: true });
    await receiver.untilAccepted(1, 3_000);
    t.match(await get(id), { is_active: true, disabled_reason: null, status: { failing_since: null } });
  },
);

t.test('finished deliveries are deleted after 30 days, others are kept', async (t) => {
  const { id } = await hook(t, { is_active: false });
  const ids = [uuidv7(), uuidv7(), uuidv7()];
  const states: [string, string | null][] = [
    ['delivered', '31 days'],
    ['delivered', '29 days'],
    ['pending', null],
  ];
  for (const [i, [state, ago]] of states.entries())
    await sql(
      database,
      `insert into webhook_deliveries (id, webhook_id, position, event_type, subject_id, state, created_at, finished_at) values ($1, $2, $3, 'card.updated', 's', $4, now() - interval '40 days', now() - $5::interval)`,
      [ids[i], id, i + 1, state, ago],
    );
  await one.app.services.jobs.submit(systemContext('test'), 'webhooks.cleanup', {});
  await until(async () => (await rows(id)).length === 2);
  t.strictSame(
    (await rows(id)).map((r) => r.id),
    [ids[1], ids[2]],
  );
});
