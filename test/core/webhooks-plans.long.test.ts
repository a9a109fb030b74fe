import pg from 'pg';
import t from 'tap';
import type { Database, Statement } from '../../core/foundation/db/database.js';
import type { UnitOfWork } from '../../core/foundation/db/unit-of-work.js';
import { uuidv7 } from '../../core/foundation/ids.js';
import { claimDeliveries, settleDelivery } from '../../core/messaging/webhooks/queue-repository.js';
import { registerAdmin, testApp } from '../support/app.js';

const one = await testApp();
t.teardown(() => one.close());
const { api, user } = await registerAdmin(one.origin);
const pending = async (id: string): Promise<number> =>
  (await api.get<{ status: { pending: number } }>(`/webhooks/${id}`)).body.status.pending;

t.test('the cost of a claim from a queue of a hundred thousand depends only on due deliveries', async (t) => {
  await one.app.services.webhookDispatch.close();
  const client = new pg.Client(one.database);
  await client.connect();
  t.teardown(() => client.end());
  const ids = [uuidv7(), uuidv7(), uuidv7()];
  for (const id of ids)
    await client.query(
      `insert into webhooks (id, url, owner_id, from_position, created_at, updated_at) values ($1, 'http://127.0.0.1:9/', $2, 0, now(), now())`,
      [id, user.id],
    );
  // Three webhooks: all deliveries wait for one subject, all are in back-off, all are due.
  const fill = `insert into webhook_deliveries (id, webhook_id, position, event_type, subject_id, next_at) select gen_random_uuid(), $1, n, 'card.updated', `;
  await client.query(
    `${fill} 'one', case when n = 1 then now() + interval '1 hour' end from generate_series(1, 100000) n`,
    [ids[0]],
  );
  await client.query(`${fill} 's' || n, now() + interval '1 hour' from generate_series(1, 100000) n`, [ids[1]]);
  await client.query(`${fill} 's' || n, now() from generate_series(1, 20000) n`, [ids[2]]);
  await client.query('analyze webhook_deliveries; analyze webhooks');
  const began = performance.now();
  const claims = await claimDeliveries(one.app.services.db, new Map(), 32);
  const ms = performance.now() - began;
  t.equal(claims.filter((c) => c.webhook_id === ids[2]).length, 8);
  t.notOk(claims.some((c) => c.webhook_id === ids[0] || c.webhook_id === ids[1]));
  t.comment(`claimed in ${ms.toFixed(1)} ms`);
  // The cost is measured in pages, which other load on the machine does not affect.
  let pages = 0;
  const explaining = {
    query: async ({ text }: Statement, values: unknown[]) => {
      await client.query('begin');
      const {
        rows: [row],
      } = await client.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
        `explain (analyze, buffers, format json) ${text}`,
        values,
      );
      const { Plan } = row!['QUERY PLAN'][0];
      pages += Plan['Shared Hit Blocks']! + Plan['Shared Read Blocks']!;
      const { rows } = await client.query(text, values);
      await client.query('rollback');
      return rows as unknown[];
    },
  };
  await claimDeliveries(explaining as unknown as Database, new Map(), 32);
  t.comment(`claim: ${pages} pages`);
  t.ok(pages < 1_000, `a claim reads only due deliveries: ${pages} pages`);
  pages = 0;
  const {
    rows: [head],
  } = await client.query<{ id: string; fence: string }>(
    `select id, fence from webhook_deliveries where webhook_id = $1 and next_at is not null`,
    [ids[0]],
  );
  await settleDelivery(
    explaining as unknown as UnitOfWork,
    { ...head!, webhook_id: ids[0]! },
    () => ({ state: 'delivered', isAttempt: true, entry: { status: 200, error: null } }),
    120,
  );
  t.comment(`outcome: ${pages} pages`);
  t.ok(pages < 500, `storing an outcome finds the next delivery of the subject by index: ${pages} pages`);
  const page = await api.get(`/webhooks/${ids[1]}/deliveries`);
  t.match(page, { status: 200, body: { total: 100_000, items: { length: 50 } } });
  t.equal(await pending(ids[0]!), 10_000, 'counted so far');
  t.equal((await api.del(`/webhooks/${ids[2]}`)).status, 204);
  t.equal(
    (await client.query('select from webhook_deliveries where webhook_id = $1', [ids[2]])).rowCount,
    0,
    'a webhook is deleted with its deliveries',
  );
});
