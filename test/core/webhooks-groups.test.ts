/** Outcomes of deliveries are stored together; each is stored as if it were alone. */
import pg from 'pg';
import t from 'tap';
import { systemContext } from '../../core/foundation/context.js';
import { uuidv7 } from '../../core/foundation/ids.js';
import { settleDeliveries, type Outcome } from '../../core/messaging/webhooks/queue-repository.js';
import { registerAdmin, sql, testApp, until } from '../support/app.js';
import { webhookTools } from '../support/webhooks.js';

const { app, origin, database, close } = await testApp({ config: { outboundAllow: ['127.0.0.1'] } });
t.teardown(close);
const { api } = await registerAdmin(origin);
const { hook, create, get, rows } = webhookTools(api, database);

/** Counts the statements of this process by name, until the end of the test. */
function countStatements(t: { teardown(work: () => void): void }): Map<string, number> {
  const counts = new Map<string, number>();
  const original = pg.Client.prototype.query as (...args: unknown[]) => unknown;
  pg.Client.prototype.query = function counted(this: pg.Client, ...args: unknown[]) {
    const { name } = args[0] as { name?: string };
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
    return original.apply(this, args);
  } as never;
  t.teardown(() => {
    pg.Client.prototype.query = original as never;
  });
  return counts;
}

/** Locks a webhook, so that no outcome is stored meanwhile. @returns a function that releases it */
async function lock(t: { teardown(work: () => Promise<void>): void }, id: string): Promise<() => Promise<void>> {
  const client = new pg.Client(database);
  await client.connect();
  t.teardown(() => client.end());
  await client.query('begin');
  await client.query('select from webhooks where id = $1 for no key update', [id]);
  return async () => void (await client.query('commit'));
}

const DELIVERIES = 40;

/** A receiver that accepts all requests, but answers none before `answer` is called. */
function patient(): { answering: () => Promise<number>; answer: () => void } {
  let answer = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  return {
    answering: async () => {
      await held;
      return 204;
    },
    answer: () => answer(),
  };
}

t.test(
  'receivers are sent further events while outcomes are being stored, and these are stored together',
  async (t) => {
    const { answering, answer } = patient();
    const { receiver, id } = await hook(t, {}, answering);
    const counts = countStatements(t);
    await create(DELIVERIES);
    await until(async () => (await rows(id)).length === DELIVERIES);
    t.ok(receiver.requests.length <= 8, 'a few at a time');
    const release = await lock(t, id);
    answer();
    await receiver.untilAccepted(DELIVERIES);
    t.equal((await get(id)).status.pending, DELIVERIES, 'no outcome is stored');
    await release();
    await until(async () => (await get(id)).status.pending === 0);
    t.ok(counts.get('webhook-settle')! <= 5, `${counts.get('webhook-settle')} statements store ${DELIVERIES} outcomes`);
    t.ok(counts.get('webhook-claim')! <= DELIVERIES, `${counts.get('webhook-claim')} claims`);
    t.ok((await rows(id)).every((row) => row.state === 'delivered' && row.attempts === 1 && row.fence === '1'));
    t.equal(receiver.requests.length, DELIVERIES, 'each is sent once');
  },
);

t.test('an outcome that cannot be stored does not affect the others of its group', async (t) => {
  const { answering, answer } = patient();
  const { receiver, id } = await hook(t, {}, answering);
  const cards = await create(DELIVERIES);
  // One of the last, so that it is stored together with others.
  const refused = cards.at(-2)!;
  await sql(
    database,
    `create function refuse_delivery() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$`,
  );
  await sql(
    database,
    `create trigger refuse_delivery before update on webhook_deliveries for each row
      when (new.state = 'delivered' and new.subject_id = '${refused}') execute function refuse_delivery()`,
  );
  t.teardown(() => sql(database, 'drop function refuse_delivery() cascade'));
  await until(async () => (await rows(id)).length === DELIVERIES);
  const release = await lock(t, id);
  answer();
  await receiver.untilAccepted(DELIVERIES);
  await release();
  const states = async (): Promise<string[]> => (await rows(id)).map(({ state }) => state);
  await until(async () => (await states()).filter((state) => state === 'delivered').length === DELIVERIES - 1, 10_000);
  t.equal((await states()).filter((state) => state === 'pending').length, 1, 'only that one is not stored');
});

t.test(
  'the outcomes of a group are stored in their order, except for claims that another node has taken over',
  async (t) => {
    const [one, two] = [await hook(t, { is_active: false }), await hook(t, { is_active: false })];
    await sql(database, `update webhooks set failing_since = now() - interval '2 hours' where id = $1`, [two.id]);
    const deliveries = [
      { webhook: one.id, subject: 'a', outcome: 'accepted' },
      { webhook: one.id, subject: 'b', outcome: 'taken over' },
      { webhook: one.id, subject: 'c', outcome: 'failed' },
      { webhook: two.id, subject: 'a', outcome: 'failed' },
      { webhook: two.id, subject: 'd', outcome: 'retried' },
      { webhook: two.id, subject: 'e', outcome: 'skipped' },
      { webhook: two.id, subject: 'f', outcome: 'deleted' },
    ].map((delivery) => ({ ...delivery, id: uuidv7() }));
    for (const [position, { id, webhook, subject, outcome }] of deliveries.entries()) {
      if (outcome !== 'deleted')
        await sql(
          database,
          `insert into webhook_deliveries (id, webhook_id, position, event_type, subject_id, fence, next_at, lease_until)
        values ($1, $2, $3, 'card.updated', $4, $5, now() + interval '1 hour', now() + interval '1 hour')`,
          [id, webhook, position + 1, subject, outcome === 'taken over' ? 8 : 7],
        );
      await sql(
        database,
        `insert into webhook_deliveries (id, webhook_id, position, event_type, subject_id) values ($1, $2, $3, 'card.updated', $4)`,
        [uuidv7(), webhook, position + 101, subject],
      );
    }
    const outcomeOf = (outcome: string): Outcome => {
      const error = outcome === 'accepted' ? null : outcome;
      return {
        state:
          outcome === 'accepted'
            ? 'delivered'
            : outcome === 'skipped'
              ? 'skipped'
              : outcome === 'retried'
                ? 'pending'
                : 'failed',
        isAttempt: outcome !== 'skipped',
        entry: { status: error === null ? 204 : 500, error },
        ...(outcome === 'retried' && { waitMs: 60_000 }),
      };
    };
    const settled = await app.services.transactions.run(systemContext('test'), (uow) =>
      settleDeliveries(
        uow,
        deliveries.map(({ id, webhook, outcome }) => ({
          claim: { id, webhook_id: webhook, fence: '7' },
          outcomeOf: () => outcomeOf(outcome),
        })),
        1,
      ),
    );
    t.match(settled, [
      { hasFailedTooLong: false, isNextDue: true },
      undefined,
      { hasFailedTooLong: false },
      { hasFailedTooLong: true },
      { hasFailedTooLong: true, waitMs: 60_000 },
      { hasFailedTooLong: true },
      undefined,
    ]);
    const stored = await sql<{ subject_id: string; next: boolean } & Record<string, unknown>>(
      database,
      `select d.subject_id, d.state, d.attempts, d.fence, d.log -> -1 ->> 'error' as error, n.next_at is not null as next
    from webhook_deliveries d left join webhook_deliveries n on n.webhook_id = d.webhook_id and n.subject_id = d.subject_id and n.position > 100
    where d.webhook_id = any($1) and d.position < 100 order by d.position`,
      [[one.id, two.id]],
    );
    t.strictSame(stored, [
      { subject_id: 'a', state: 'delivered', attempts: 1, fence: '7', error: null, next: true },
      { subject_id: 'b', state: 'pending', attempts: 0, fence: '8', error: null, next: false },
      { subject_id: 'c', state: 'failed', attempts: 1, fence: '7', error: 'failed', next: true },
      { subject_id: 'a', state: 'failed', attempts: 1, fence: '7', error: 'failed', next: true },
      { subject_id: 'd', state: 'pending', attempts: 1, fence: '7', error: 'retried', next: false },
      { subject_id: 'e', state: 'skipped', attempts: 0, fence: '7', error: 'skipped', next: true },
    ]);
    t.match((await get(one.id)).status, {
      last_status: 500,
      last_error: 'failed',
      last_success_at: String,
      failing_since: String,
    });
    t.match((await get(two.id)).status, { last_status: 500, last_error: 'retried', last_success_at: null });
  },
);

t.test(
  'the events of each card are in order under failures, and each failed one is retried before the next',
  async (t) => {
    const failing = new Set<string>();
    const { receiver, id } = await hook(t, { types: ['card.updated'] }, ({ id: event }, nth) => {
      if (nth % 4 !== 0 || failing.has(event)) return 204;
      failing.add(event);
      return 500;
    });
    const cards = await create(12);
    for (let round = 0; round < 4; round++)
      await api.post('/cards/bulk', {
        mode: 'all_or_nothing',
        operations: cards.map((card) => ({ op: 'update', id: card, card: { description: `Round ${round}` } })),
      });
    await receiver.untilAccepted(4 * cards.length, 20_000);
    t.ok(failing.size > 5, `${failing.size} failed once`);
    for (const card of cards) {
      const positions = receiver.requests.filter((r) => r.event.subject === card).map((r) => Number(r.event.id));
      t.strictSame(
        positions,
        positions.toSorted((a, b) => a - b),
        'retries included',
      );
    }
    await until(async () => (await get(id)).status.pending === 0);
    t.equal(receiver.accepted.length, 4 * cards.length, 'each is accepted once');
  },
);
