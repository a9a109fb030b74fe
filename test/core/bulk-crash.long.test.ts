import t from 'tap';
import { client, createDatabase, registerAdmin, sql } from '../support/app.js';
import { urlOf } from '../support/database.js';
import { dataFolder, startService } from '../support/service.js';

const KILLS = 10;
const OPERATIONS = 10_000;
const SECRET = Buffer.alloc(32, 'crash').toString('base64');

const database = await createDatabase();
const folder = await dataFolder();
const start = () =>
  startService({ dataDir: folder.path, env: { DATABASE_URL: urlOf(database), LINTEL_SECRET_KEY: SECRET } });
let node = await start();
t.teardown(async () => {
  await node.stop();
  await folder.remove();
});
const { token } = await registerAdmin(node.origin);

/** Operations for a tree of capabilities with three levels by ref, and for applications related to them; all new in each round. */
function operationsOf(round: number): object[] {
  const tree = OPERATIONS / 2;
  return Array.from({ length: OPERATIONS }, (_, i) =>
    i < tree
      ? {
          op: 'upsert',
          ref: `c${i}`,
          card: {
            type: 'BusinessCapability',
            external_id: `r${round}-c${i}`,
            name: `Round ${round} capability ${i}`,
            ...(i >= 50 && { parent: { ref: `c${i < 500 ? i % 50 : 50 + (i % 450)}` } }),
          },
        }
      : {
          op: 'upsert',
          card: {
            type: 'Application',
            external_id: `r${round}-a${i}`,
            name: `Round ${round} application ${i}`,
            description: 'created in one request',
          },
          relations: [{ type: 'applicationToBusinessCapability', target: { ref: `c${i - tree}` } }],
        },
  );
}

const counts = async (round: number) =>
  (
    await sql<Record<string, number>>(
      database,
      `
  with made as (select id from cards where external_id like 'r${round}-%'),
    rel as (select r.id from relations r join made on made.id = r.source_id),
    log as (select subject_id from events union all select subject_id from event_outbox)
  select (select count(*)::int from made) as cards, (select count(*)::int from rel) as relations,
    (select count(*)::int from card_versions v join made using (id)) as versions, (select count(*)::int from relation_versions v join rel using (id)) as relation_versions,
    (select count(*)::int from log join made on made.id::text = log.subject_id) as card_events, (select count(*)::int from log join rel on rel.id::text = log.subject_id) as relation_events`,
    )
  )[0]!;
const WHOLE = {
  cards: OPERATIONS,
  relations: OPERATIONS / 2,
  versions: OPERATIONS,
  relation_versions: OPERATIONS / 2,
  card_events: OPERATIONS,
  relation_events: OPERATIONS / 2,
};
const NOTHING = Object.fromEntries(Object.keys(WHOLE).map((key) => [key, 0]));

await t.test(`${KILLS} kills during a bulk of ${OPERATIONS} operations: all of them are stored or none`, async (t) => {
  const began = performance.now();
  const first = await client(node.origin, token).post('/cards/bulk', { operations: operationsOf(0) });
  const took = performance.now() - began;
  t.equal(first.status, 200);
  t.strictSame(await counts(0), WHOLE);
  let wholes = 0;
  for (let round = 1; round <= KILLS; round++) {
    const answer = client(node.origin, token)
      .post('/cards/bulk', { operations: operationsOf(round) })
      .then(
        ({ status }) => status,
        () => undefined,
      );
    // The kills are spread over the duration of the request and a little longer.
    await new Promise((resolve) => {
      setTimeout(resolve, (took * round) / (KILLS - 1));
    });
    await node.kill9();
    const status = await answer;
    // PostgreSQL rolls back transactions of the killed node when it detects the closed connections.
    node = await start();
    const after = await counts(round);
    if (status === 200) t.strictSame(after, WHOLE, `round ${round} was confirmed`);
    else
      t.ok(
        [WHOLE, NOTHING].some((whole) => JSON.stringify(whole) === JSON.stringify(after)),
        `round ${round}: ${JSON.stringify(after)}`,
      );
    if (after['cards'] === OPERATIONS) wholes++;
    const again = await client(node.origin, token).post<{ summary: Record<string, number> }>('/cards/bulk', {
      operations: operationsOf(round),
    });
    t.strictSame(
      again.body.summary,
      after['cards'] === 0 ? { created: OPERATIONS } : { unchanged: OPERATIONS },
      'sent again, it is done once',
    );
    t.strictSame(await counts(round), WHOLE);
  }
  t.ok(wholes < KILLS, `${wholes} of ${KILLS} were through before the kill`);
  t.strictSame(
    await sql(
      database,
      `select type, sum(n)::int as n from card_counts group by 1 having sum(n) <> (select count(*) from cards c where c.type = card_counts.type)`,
    ),
    [],
    'totals are exact',
  );
  t.comment(`a bulk took ${Math.round(took)} ms; ${wholes} of ${KILLS} were through before the kill`);
});
