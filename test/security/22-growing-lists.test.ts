/**
 * Every list that a user can grow has a bound. Each POST and PUT has a row in `growing-lists.ts`, and the bounds that are cheap to
 * reach are reached: the stored rows are multiplied in the database up to one less, and two concurrent requests share the last.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { expectStatus, makeUser, registerAdmin, sql, testApp, type Client, type TestApp } from '../support/app.js';
import { STORED, type Reach } from '../support/growing-lists.js';

const node = await testApp({ config: { publicUrl: 'https://ea.example.org', outboundAllow: ['127.0.0.1'] } });
t.teardown(node.close);
const { database } = node;
const admin = await registerAdmin(node.origin);
const made = async (path: string, body: object, api: Client = admin.api): Promise<string> =>
  expectStatus(await api.post(path, body), 201, `POST ${path}`).body.id;

const smtp = { host: '127.0.0.1', port: 9, security: 'none', from_address: 'lintel@example.org' };
expectStatus(await admin.api.patch('/settings/smtp', smtp), 200, 'the mail settings');
const initiative = await made('/cards', { type: 'Initiative', name: 'Migration' });
const webhook = await made('/webhooks', { name: 'Filled', url: 'https://hooks.example.org/lintel' });
const [delivery] = await sql<{ id: string }>(
  database,
  `insert into webhook_deliveries (id, webhook_id, position, event_type, subject_id, state, next_at, finished_at)
    select gen_random_uuid(), $1, 1, 'card.created', $2, 'delivered', null, now() returning id`,
  [webhook, initiative],
);
const objects: Record<string, string> = {
  initiative,
  webhook,
  delivery: delivery!.id,
  process: await made('/cards', { type: 'BusinessProcess', name: 'Ordering' }),
  service: await made('/users', { email: 'pump@example.org', display_name: 'Pump', role: 'viewer', kind: 'service' }),
  task: await made(`/ppm/initiatives/${initiative}/tasks`, { title: 'First' }),
  risk: await made('/risks', { title: 'Unsupported database', category: 'technology' }),
  soaw: await made('/soaw', { title: 'Move to the cloud' }),
  connection: await made('/cmdbsync/connections', {
    name: 'First',
    connector: 'netbox',
    config: { url: 'https://netbox.example.com' },
    secrets: { token: '0123456789abcdef' },
  }),
};
const placed = (text: string): string => text.replace(/\{(\w+)\}/g, (_, name: string) => objects[name] ?? name);
const bodyOf = ({ body }: Reach, n: number): object => JSON.parse(placed(JSON.stringify(body(n)))) as object;

/** Stores copies of the row that was stored last, until `count` count. */
async function multiply(
  { database }: Pick<TestApp, 'database'>,
  { table, unique = {}, per = [], where = 'true' }: Reach,
  count: number,
): Promise<() => Promise<number>> {
  const columns = await sql<{ name: string }>(
    database,
    `select column_name as name from information_schema.columns where table_name = $1 and is_generated = 'NEVER'`,
    [table],
  );
  const names = columns.map(({ name }) => name);
  const key = names.includes('id') ? 'id' : 'key';
  const [last] = await sql<{ key: string }>(
    database,
    `select r.${key}::text as key from ${table} r where ${where} order by r.created_at desc limit 1`,
  );
  const same = per.map((column) => `r.${column} = o.${column}`).join(' and ') || 'true';
  const counted = async (): Promise<number> =>
    (
      await sql<{ n: number }>(
        database,
        `select count(*)::int as n from ${table} r, ${table} o where o.${key}::text = $1 and ${same} and ${where}`,
        [last!.key],
      )
    )[0]!.n;
  const values = names.map((name) => unique[name] ?? (name === 'id' ? 'gen_random_uuid()' : `r.${name}`));
  await sql(
    database,
    `insert into ${table} (${names.map((name) => `"${name}"`).join(', ')})
      select ${values.join(', ')} from ${table} r cross join generate_series(1, $2::int) n where r.${key}::text = $1`,
    [last!.key, count - (await counted())],
  );
  return counted;
}

t.test('each POST and PUT has a row, and each row a route', async (t) => {
  const routes = node.app.routeTable.filter(({ method }) => method === 'POST' || method === 'PUT');
  t.ok(routes.length > 140);
  t.strictSame(routes.map(({ operationId }) => operationId).sort(), Object.keys(STORED).sort());
});

t.test('tests named by rows exist, and look for the problem', async (t) => {
  for (const [operation, stored] of Object.entries(STORED)) {
    if (stored.kind !== 'bounded' || !stored.testedBy) continue;
    const path = fileURLToPath(new URL(`../../../test/${stored.testedBy}.test.ts`, import.meta.url));
    const looksFor = stored.code === 'rate_limited' ? /rate_limited|\b429\b/ : new RegExp(stored.code);
    t.ok(existsSync(path) && looksFor.test(readFileSync(path, 'utf8')), operation);
  }
});

for (const [operation, stored] of Object.entries(STORED)) {
  if (stored.kind !== 'bounded' || !stored.reach) continue;
  const { reach, code, bound } = stored;
  t.test(`${operation}: ${bound}`, async (t) => {
    const path = placed(reach.path);
    const first = await admin.api.post(path, bodyOf(reach, 0));
    t.ok(first.status === 201 || first.status === 202, `${first.status} ${JSON.stringify(first.body)}`);
    // A user has one active proposal.
    if (operation === 'createInsightProposal') await admin.api.post(`${path}/${first.body.id}/cancel`, {});
    const counted = await multiply(node, reach, reach.most - 1);
    t.equal(await counted(), reach.most - 1);
    const answers = await Promise.all([1, 2].map((n) => admin.api.post(path, bodyOf(reach, n))));
    const refused = answers.filter(({ status }) => status >= 400);
    t.equal(refused.length, 1, JSON.stringify(answers.map(({ status, body }) => [status, body])));
    t.match(refused[0]?.body, { code });
    t.equal(await counted(), reach.most);
    await sql(
      database,
      `delete from ${reach.table} r where ${reach.where ?? 'true'} and r.created_at > now() - interval '1 h' and false`,
    );
  });
}

t.test('of a list that users share, one user takes a fifth and leaves room for others', async (t) => {
  const { reach } = STORED['createSoawComment'] as { reach: Reach };
  const path = `/soaw/${await made('/soaw', { title: 'Shared' })}/comments`;
  const [greedy, other] = await Promise.all([makeUser(admin, 'viewer'), makeUser(admin, 'viewer')]);
  const share = reach.most / 5;
  await made(path, { text: 'The first.' }, greedy.api);
  await multiply(node, reach, share - 1);
  const answers = await Promise.all([1, 2].map((n) => greedy.api.post(path, { text: `Comment ${n}` })));
  t.strictSame(answers.map(({ status }) => status).sort(), [201, 409]);
  t.match(answers.find(({ status }) => status === 409)?.body, {
    code: 'limit_reached',
    limit: share,
    detail: /of one user/,
  });
  t.equal((await other.api.post(path, { text: 'Another user.' })).status, 201);
  t.equal((await admin.api.post(path, { text: 'An administrator.' })).status, 201);
});
