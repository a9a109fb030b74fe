/** Several nodes, and nodes that are lost, held up or closed. */
import t from 'tap';
import { systemContext } from '../../core/foundation/context.js';
import { uuidv7 } from '../../core/foundation/ids.js';
import { settleDelivery, type Claim } from '../../core/messaging/webhooks/queue-repository.js';
import { registerAdmin, sql, testApp, until } from '../support/app.js';
import { webhookTools } from '../support/webhooks.js';

const config = { outboundAllow: ['127.0.0.1'] };
const one = await testApp({ config });
const two = await testApp({ config, database: one.database });
t.teardown(async () => {
  await Promise.all([one.close(), two.close()]);
});
const { database } = one;
const { api } = await registerAdmin(one.origin);

const { hook, create, get, rows } = webhookTools(api, database);

t.test('two nodes deliver each event once, none at the same time twice, and each card in its order', async (t) => {
  const under = new Map<string, number>();
  let most = 0;
  const { receiver, id } = await hook(t, {}, async (r) => {
    const subject = r.event.subject;
    under.set(subject, (under.get(subject) ?? 0) + 1);
    most = Math.max(most, under.get(subject)!);
    await new Promise((resolve) => setTimeout(resolve, 5));
    under.set(subject, under.get(subject)! - 1);
    return 200;
  });
  const ids = await create(40);
  for (let round = 0; round < 4; round++) {
    await api.post('/cards/bulk', {
      mode: 'all_or_nothing',
      operations: ids.map((card) => ({ op: 'update', id: card, card: { description: `Round ${round}` } })),
    });
  }
  const taken = await receiver.untilAccepted(200, 20_000);
  await until(async () => (await get(id)).status.pending === 0);
  t.equal(receiver.requests.length, 200);
  t.equal(new Set(taken.map((r) => r.id)).size, 200);
  t.equal(most, 1, 'of one card one at a time');
  for (const card of ids) {
    const positions = taken.filter((r) => r.event.subject === card).map((r) => Number(r.event.id));
    t.strictSame(
      positions,
      [...positions].sort((a, b) => a - b),
    );
  }
  t.ok((await rows(id)).every((r) => r.state === 'delivered' && r.attempts === 1 && r.fence === '1'));
});

t.test('a delivery of a lost node is made by another, and the lost node cannot store its outcome', async (t) => {
  const { receiver, id } = await hook(t, { is_active: false });
  await api.patch(`/webhooks/${id}`, {
    is_active: true,
    conditions: [{ field: 'subject.name', op: 'eq', value: 'nobody' }],
  });
  const [card] = await create(1);
  // The delivery is inserted as claimed by a lost node before the webhook can claim it.
  const event = await until(
    async () =>
      (await sql<{ position: string }>(database, 'select position from events where subject_id = $1', [card]))[0],
  );
  await api.patch(`/webhooks/${id}`, { conditions: [] });
  const lost: Pick<Claim, 'id' | 'webhook_id' | 'fence'> = { id: uuidv7(), webhook_id: id, fence: '1' };
  await sql(
    database,
    `insert into webhook_deliveries (id, webhook_id, position, event_type, subject_id, fence, next_at, lease_until)
    values ($1, $2, $3, 'card.created', $4, 1, now() + interval '2 seconds', now() + interval '2 seconds')`,
    [lost.id, id, event.position, card],
  );
  const settle = async () =>
    await one.app.services.transactions.run(
      systemContext('test'),
      async (uow) =>
        await settleDelivery(
          uow,
          lost,
          () => ({ state: 'failed', isAttempt: true, entry: { status: 500, error: 'stale' } }),
          1,
        ),
    );
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  t.equal(receiver.requests.length, 0, 'it is not claimed during the lease');
  const [received] = await receiver.untilAccepted(1);
  t.equal(received!.id, `evt_${event.position}`);
  await until(async () => (await rows(id))[0]?.state === 'delivered');
  t.equal(await settle(), undefined);
  t.match(await rows(id), [{ state: 'delivered', attempts: 1, fence: '2' }]);
  t.equal((await get(id)).status.failing_since, null);
});

t.test('a node that closes releases unfinished deliveries immediately', async (t) => {
  const third = await testApp({ config, database });
  t.teardown(() => third.close());
  const { receiver, id } = await hook(t, {}, () => undefined);
  await Promise.all([one, two].map(({ app }) => app.services.webhookDispatch.close()));
  await create(1);
  await until(() => receiver.requests.length === 1);
  receiver.answering = () => 200;
  const began = performance.now();
  await third.close();
  t.ok(performance.now() - began < 5_000, 'it waits for no receiver longer than a moment');
  t.match(await rows(id), [{ state: 'pending', attempts: 0 }]);
  const fourth = await testApp({ config, database });
  t.teardown(() => fourth.close());
  await receiver.untilAccepted(1, 5_000);
  t.match(
    await until(async () => {
      const all = await rows(id);
      return all[0]?.state === 'delivered' && all;
    }),
    [{ attempts: 1 }],
  );
});
