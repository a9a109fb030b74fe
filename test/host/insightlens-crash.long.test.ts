/**
 * The service is killed at random moments of runs of an analysis: after a restart each run goes on after the lease of its job of 15 s, with
 * the findings of a run that was not interrupted, each announced once.
 */
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { client, createDatabase, expectStatus, registerAdmin, sql, until } from '../support/app.js';
import { RULE_IDS } from '../../plugins/insightlens/security/rules.js';
import { urlOf } from '../support/database.js';
import { dataFolder, startService } from '../support/service.js';

const KILLS = 5;
const CARDS = 5_000;
/** Milliseconds of a run whose job is killed: its lease, and what is left to do on a busy machine. */
const LIMIT_MS = 120_000;
/** Milliseconds after the start of a run within which it is killed. */
const MOST_DELAY_MS = 1_500;

const database = await createDatabase();
const folder = await dataFolder();
const start = () =>
  startService({
    dataDir: folder.path,
    env: { DATABASE_URL: urlOf(database), LINTEL_SECRET_KEY: Buffer.alloc(32, 'crash').toString('base64') },
  });
let node = await start();
t.teardown(async () => {
  await node.stop();
  await folder.remove();
});
const admin = await registerAdmin(node.origin);
for (let i = 0; i < CARDS; i += 1_000) {
  const operations = Array.from({ length: 1_000 }, (_, n) => ({
    op: 'create',
    card: { type: 'Application', name: `Application ${i + n}` },
  }));
  expectStatus(await admin.api.post('/cards/bulk', { operations }), 200, 'cards');
}

// One finding of each card.
const rules = RULE_IDS.filter((id) => id !== 'owner-missing').map((id) => ({ id, is_enabled: false }));
expectStatus(await admin.api.patch('/settings/modules/insightlens', { settings: { rules } }), 200, 'one rule');

await t.test(`${KILLS} kills`, async (t) => {
  const killed: string[] = [];
  for (let round = 1; round <= KILLS; round++) {
    const { id } = expectStatus(
      await client(node.origin, admin.token).post('/insightlens/security/analyse'),
      201,
      'a run',
    ).body;
    const moment = Math.random() * MOST_DELAY_MS;
    await delay(moment);
    await node.kill9();
    const [row] = await sql<{ state: string; position: unknown }>(
      database,
      'select state, position from insightlens_runs where id = $1',
      [id],
    );
    killed.push(row!.state === 'running' && row!.position === null ? 'begun' : row!.state);
    t.comment(`round ${round}: killed after ${Math.round(moment)} ms, ${row!.state}, ${JSON.stringify(row!.position)}`);
    node = await start();
    const run = await until(async () => {
      const { body } = await client(node.origin, admin.token).get(`/insightlens/runs/${id}`);
      return body['state'] === 'done' && body;
    }, LIMIT_MS);
    t.match(run, { is_current: true, percent: 100 });
    const [found] = await sql<{ n: number; cards: number }>(
      database,
      `select count(*)::int as n, count(distinct k.card_id)::int as cards from insightlens_results r
        join insightlens_result_cards k using (run_id, finding_id) where r.run_id = $1`,
      [id],
    );
    t.strictSame(found, { n: CARDS, cards: CARDS });
  }
  t.ok(
    killed.some((state) => state !== 'done'),
    `runs were killed while they worked: ${killed.join(', ')}`,
  );
  const [findings] = await sql<{ n: number }>(database, 'select count(*)::int as n from insightlens_findings');
  t.equal(findings!.n, CARDS);
  await until(async () => {
    const [row] = await sql(database, 'select from insightlens_findings where announced_at is null limit 1');
    return !row;
  }, LIMIT_MS);
  const [events] = await sql<{ n: number; subjects: number }>(
    database,
    `select count(*)::int as n, count(distinct subject_id)::int as subjects from events where type = 'insightlens_finding.found'`,
  );
  t.strictSame(events, { n: CARDS, subjects: CARDS }, 'each finding is announced once');
});
