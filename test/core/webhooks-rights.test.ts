/** A webhook sends only what its owner may read at the time of sending, regardless of its filters. */
import t from 'tap';
import { makeUser, registerAdmin, sql, testApp, until, type AnyBody, type Session } from '../support/app.js';
import { ApiTokens } from '../support/api-tokens.js';
import { startReceiver, type Answering, type Receiver } from '../support/receiver.js';

const { origin, database, close } = await testApp({ config: { outboundAllow: ['127.0.0.1'] } });
t.teardown(close);
const admin = await registerAdmin(origin);
const { api } = admin;
const COST = 918273645;
const ROLES: Record<string, string[]> = {
  buyer: ['webhooks.manage', 'cards.view', 'relations.view', 'costs.view'],
  clerk: ['webhooks.manage', 'cards.view', 'relations.view'],
  without_cards: ['webhooks.manage'],
};
for (const [key, permissions] of Object.entries(ROLES))
  if ((await api.post('/roles', { key, label: key, permissions })).status !== 201) throw new Error(key);

interface Hook extends AnyBody {
  is_active: boolean;
  disabled_reason: string | null;
}
interface Delivery extends AnyBody {
  state: string;
  event_type: string;
  log: { error: string | null; response: string | null }[];
}
async function hook(
  t: { teardown(work: () => Promise<void>): void },
  owner: Session,
  body: object = {},
  answering?: Answering,
): Promise<{ receiver: Receiver; id: string }> {
  const receiver = await startReceiver(answering);
  const answer = await owner.api.post<Hook>('/webhooks', {
    url: receiver.url,
    types: ['card.', 'relation.', 'user.'],
    ...body,
  });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  t.teardown(async () => {
    await api.del(`/webhooks/${answer.body.id}`);
    await receiver.close();
  });
  return { receiver, id: answer.body.id };
}
let cards = 0;
const card = async (attributes: object = { costTotalAnnual: COST, numberOfUsers: 5 }): Promise<AnyBody> =>
  (await api.post('/cards', { type: 'Application', name: `Costly ${++cards}`, attributes })).body;
const deliveries = async (id: string): Promise<Delivery[]> =>
  (await api.get<{ items: Delivery[] }>(`/webhooks/${id}/deliveries`, { query: { page_size: 200 } })).body.items;
const off = async (id: string): Promise<Hook> =>
  await until(async () => {
    const { body } = await api.get<Hook>(`/webhooks/${id}`);
    return !body.is_active && body;
  });

t.test('events and costs are sent only if the owner may see them', async (t) => {
  const owners = await Promise.all(['buyer', 'clerk', 'without_cards'].map((role) => makeUser(admin, role)));
  const [buyer, clerk, withoutCards] = (await Promise.all(owners.map((owner) => hook(t, owner)))) as [
    Awaited<ReturnType<typeof hook>>,
    Awaited<ReturnType<typeof hook>>,
    Awaited<ReturnType<typeof hook>>,
  ];
  const watcher = await hook(t, admin, { types: ['user.updated'] });
  const { id } = await card();
  await api.patch(`/cards/${id}`, { attributes: { costTotalAnnual: COST + 1, numberOfUsers: 6 } });
  await api.patch(`/users/${owners[0]!.user.id}`, { locale: 'de' });
  await watcher.receiver.untilAccepted(1);
  await Promise.all([buyer.receiver.untilAccepted(3), clerk.receiver.untilAccepted(2)]);
  const changed = ({ accepted }: Receiver) =>
    accepted.find((r) => r.event.type === 'card.updated')!.event.data.changes!;
  t.match(
    changed(buyer.receiver)
      .map((c) => c.field)
      .sort(),
    ['attributes.costTotalAnnual', 'attributes.numberOfUsers'],
  );
  t.strictSame(
    changed(clerk.receiver).map((c) => c.field),
    ['attributes.numberOfUsers'],
  );
  t.match(JSON.stringify(changed(buyer.receiver)), String(COST));
  t.notMatch(clerk.receiver.requests.map((r) => r.body + JSON.stringify(r.headers)).join(), /91827364/);
  t.equal(withoutCards.receiver.requests.length, 0);
  t.equal(watcher.receiver.accepted[0]!.event.subject, owners[0]!.user.id);
  t.ok(
    buyer.receiver.accepted.some((r) => r.event.type === 'user.updated'),
    'the owner may see events about the own account',
  );
  t.notOk(
    clerk.receiver.requests.some((r) => r.event.type.startsWith('user.')),
    'not those about others',
  );
  t.strictSame(await deliveries(withoutCards.id), [], 'hidden events create no deliveries');
});

t.test('conditions reveal nothing about hidden costs', async (t) => {
  const clerk = await makeUser(admin, 'clerk');
  const conditions = [{ field: 'attributes.costTotalAnnual', op: 'changed', value: COST + 2 }];
  const guess = await hook(t, clerk, { conditions });
  const plain = await hook(t, clerk);
  const known = await hook(t, admin, { conditions });
  const { id } = await card();
  await api.patch(`/cards/${id}`, { attributes: { costTotalAnnual: COST + 2 } });
  await known.receiver.untilAccepted(1);
  await plain.receiver.untilAccepted(1);
  await until(async () => (await deliveries(plain.id)).length >= 1);
  t.strictSame([guess.receiver.requests.length, await deliveries(guess.id)], [0, []]);
  const other = await makeUser(admin, 'clerk');
  await other.api.patch(`/webhooks/${known.id}`, {
    conditions: [{ field: 'attributes.costTotalAnnual', op: 'changed' }],
  });
  await api.patch(`/cards/${id}`, { attributes: { costTotalAnnual: COST + 3, numberOfUsers: 9 } });
  await until(() => plain.receiver.accepted.at(-1)?.event.data.changes?.[0]?.field === 'attributes.numberOfUsers');
  t.equal(known.receiver.requests.length, 1, 'also not by a webhook of another owner');
});

t.test('a permission revoked while events are pending applies to these as well', async (t) => {
  const owner = await makeUser(admin, 'buyer');
  const made = await card();
  let open = false;
  const { receiver, id } = await hook(t, owner, { types: ['card.updated'] }, () => (open ? 200 : 500));
  for (const n of [7, 8])
    await api.patch(`/cards/${made.id}`, { attributes: { costTotalAnnual: COST + n, numberOfUsers: n } });
  await until(() => receiver.requests.length > 0);
  t.match(receiver.requests[0]!.body, /9182736/);
  await api.patch(`/users/${owner.user.id}`, { role: 'clerk' });
  const before = receiver.requests.length;
  open = true;
  await receiver.untilAccepted(2);
  t.notMatch(
    receiver.requests
      .slice(before)
      .map((r) => r.body)
      .join(),
    /9182736/,
  );
  t.strictSame(
    receiver.accepted.map((r) => r.event.data.changes!.map((c) => c.field)),
    [['attributes.numberOfUsers'], ['attributes.numberOfUsers']],
  );
  open = false;
  await api.patch(`/cards/${made.id}`, { description: 'Waits' });
  await until(() => receiver.requests.length > before + 2);
  await api.patch(`/users/${owner.user.id}`, { role: 'without_cards' });
  const skipped = await until(async () => (await deliveries(id)).find((d) => d.state === 'skipped'), 10_000);
  const { log } = (await api.get<Delivery>(`/webhooks/${id}/deliveries/${skipped.id}`)).body;
  t.match(log.at(-1), { error: 'The owner of the webhook may not see the event.' });
});

t.test('costs visible by a stakeholder role are sent as long as the owner has the role', async (t) => {
  const clerk = await makeUser(admin, 'clerk');
  const { receiver } = await hook(t, clerk);
  const { id } = await card();
  const stake = (await api.post(`/cards/${id}/stakeholders`, { user_id: clerk.user.id, role: 'responsible' })).body;
  const cost = async (value: number): Promise<string> => {
    await api.patch(`/cards/${id}`, { attributes: { costTotalAnnual: value, numberOfUsers: value } });
    return await until(
      () =>
        receiver.accepted.find((r) =>
          r.event.data.changes?.some((c) => c.new === value && c.field === 'attributes.numberOfUsers'),
        )?.body,
    );
  };
  t.match(await cost(77_001), /costTotalAnnual/);
  await api.del(`/cards/${id}/stakeholders/${stake.id}`);
  t.notMatch(await cost(77_002), /costTotalAnnual/);
});

t.test('nothing is sent for an owner who is deactivated, deleted, or may not manage webhooks any more', async (t) => {
  const ends: [string, string, (user: Session) => Promise<unknown>][] = [
    ['deactivated', 'owner_inactive', (user) => api.patch(`/users/${user.user.id}`, { is_active: false })],
    ['deleted', 'owner_inactive', (user) => api.del(`/users/${user.user.id}`)],
    ['demoted', 'owner_not_permitted', (user) => api.patch(`/users/${user.user.id}`, { role: 'viewer' })],
  ];
  for (const [how, reason, end] of ends) {
    const owner = await makeUser(admin, 'buyer');
    const { receiver, id } = await hook(t, owner);
    await card();
    await receiver.untilAccepted(1);
    t.ok([200, 204].includes(((await end(owner)) as { status: number }).status));
    await card();
    const { disabled_reason } = await off(id);
    t.equal(disabled_reason, reason, how);
    t.equal(receiver.requests.length, 1, how);
    const [event] = await until(async () => {
      const { items } = (await api.get('/events', { query: { subject_id: id, type: 'webhook.disabled' } })).body;
      return items.length > 0 && items;
    });
    t.match(event, { data: { owner_id: owner.user.id, reason } });
    t.equal((await api.patch<AnyBody>(`/webhooks/${id}`, { is_active: true })).body['owner'] !== null, true);
    t.match(
      (await api.get(`/webhooks/${id}`)).body,
      { owner: { id: admin.user.id }, is_active: true, disabled_reason: null },
      'the user who enables it becomes the owner',
    );
    await card();
    await receiver.untilAccepted(2);
  }
  t.equal((await sql(database, 'select from webhooks where owner_id is null')).length, 0);
});

t.test('an owner deleted while events wait: they are not sent', async (t) => {
  const owner = await makeUser(admin, 'buyer');
  let open = false;
  const { receiver, id } = await hook(t, owner, {}, () => (open ? 200 : 500));
  await card();
  await until(() => receiver.requests.length > 0);
  await api.patch(`/users/${owner.user.id}`, { is_active: false });
  open = true;
  t.equal((await off(id)).disabled_reason, 'owner_inactive');
  t.equal(receiver.accepted.length, 0);
  t.equal((await deliveries(id))[0]!.state, 'pending');
});

t.test('the answer of a receiver is shown only to the owner', async (t) => {
  const owner = await makeUser(admin, 'buyer');
  const made = await card();
  const { receiver, id } = await hook(t, owner, { types: ['card.updated'] }, (received, _nth, response) => {
    response.writeHead(200).end(received.body);
  });
  await api.patch(`/cards/${made.id}`, { attributes: { costTotalAnnual: COST + 1 } });
  await receiver.untilAccepted(1);
  const [{ id: did }] = (await until(async () => {
    const all = await deliveries(id);
    return all[0]?.state === 'delivered' && all;
  })) as [Delivery];
  const answer = async (by: Pick<Session, 'api'>): Promise<string | null> =>
    (await by.api.get<Delivery>(`/webhooks/${id}/deliveries/${did}`)).body.log[0]!.response;
  t.match(await answer(owner), /91827364/);
  t.equal(await answer(admin), null);
  const token = await new ApiTokens(origin).of(owner, ['webhooks.manage', 'cards.view', 'relations.view']);
  t.equal(await answer({ api: token }), null, 'a token of the owner that may not see costs');
  t.equal(await answer(await makeUser(admin, 'clerk')), null);
  t.notMatch(
    JSON.stringify((await owner.api.get<object>(`/webhooks/${id}/deliveries`)).body),
    /91827364/,
    'the list has none',
  );
});
