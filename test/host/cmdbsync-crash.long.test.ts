/**
 * The service is killed at random moments of runs, while it reads and while it writes: after a restart the run goes on after the lease of
 * its job of 15 s, each record is one card, and each change is made once.
 */
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { client, createDatabase, expectStatus, registerAdmin, sql } from '../support/app.js';
import { urlOf } from '../support/database.js';
import { dataFolder, startService } from '../support/service.js';
import { SOURCE_FOLDER, SourceServer, Synchronisation } from './cmdbsync-support.js';

const KILLS = 10;
const RECORDS = 6_000;
/** Milliseconds of a run whose job is killed: its lease, and what is left to do on a busy machine. */
const LIMIT_MS = 120_000;
/** Milliseconds after the start of a run within which it is killed. */
const MOST_DELAY_MS = 2_000;

const source = await new SourceServer().listen();
const database = await createDatabase();
const folder = await dataFolder();
const start = () =>
  startService({
    dataDir: folder.path,
    env: {
      DATABASE_URL: urlOf(database),
      LINTEL_SECRET_KEY: Buffer.alloc(32, 'crash').toString('base64'),
      LINTEL_PLUGINS_DIR: SOURCE_FOLDER,
      OUTBOUND_ALLOW: '127.0.0.1',
    },
  });
let node = await start();
t.teardown(async () => {
  await node.stop();
  await folder.remove();
  await source.close();
});
const admin = await registerAdmin(node.origin);
const made = await Synchronisation.make(database, admin, source.url);
expectStatus(await admin.api.patch('/settings/modules/cmdbsync', { settings: { page_size: 200 } }), 200, 'small pages');
for (let i = 0; i < RECORDS; i++) source.put(`r${i}`, { name: `Record ${i}`, note: 'round 0' });
const mapping = await made.mapping();

await t.test(`${KILLS} kills`, async (t) => {
  const killed: Record<string, number> = {};
  for (let round = 1; round <= KILLS; round++) {
    // The first round creates the cards, every other one changes half of them.
    if (round > 1) for (let i = round % 2; i < RECORDS; i += 2) source.put(`r${i}`, { note: `round ${round}` });
    const run = await made.as(client(node.origin, admin.token)).start(mapping, { full: true });
    const moment = Math.random() * MOST_DELAY_MS;
    await delay(moment);
    await node.kill9();
    const [row] = await sql<{ state: string; pages: number }>(
      database,
      'select state, pages from cmdbsync_runs where id = $1',
      [run],
    );
    t.comment(`round ${round}: killed after ${Math.round(moment)} ms, ${row!.state}, ${row!.pages} pages`);
    killed[row!.state] = (killed[row!.state] ?? 0) + 1;
    node = await start();
    const ended = await made.as(client(node.origin, admin.token)).ended(run, LIMIT_MS);
    const counts = round === 1 ? { create: RECORDS } : { update: RECORDS / 2 };
    t.match(ended, {
      state: 'done',
      pages: RECORDS / 200,
      counts: { read: RECORDS, ...counts, applied: Object.values(counts)[0] },
    });
  }
  t.comment(JSON.stringify(killed));
  t.ok((killed['reading'] ?? 0) + (killed['applying'] ?? 0) > KILLS / 2, 'most runs were killed while they worked');
  const events = await sql(
    database,
    `select type, count(*)::int as events, count(distinct subject_id)::int as cards from events
      where subject_type = 'ITComponent' and type like 'card.%' group by type order by type`,
  );
  t.strictSame(
    events,
    [
      { type: 'card.created', events: RECORDS, cards: RECORDS },
      { type: 'card.updated', events: ((KILLS - 1) * RECORDS) / 2, cards: RECORDS },
    ],
    'each record is created once, and each change is made once',
  );
  const [named] = await sql<{ n: number }>(
    database,
    "select count(distinct name)::int as n from cards where type = 'ITComponent'",
  );
  t.equal(named!.n, RECORDS);
  const [linked] = await sql<{ n: number }>(
    database,
    'select count(distinct card_id)::int as n from cmdbsync_identities where mapping_id = $1',
    [mapping],
  );
  t.equal(linked!.n, RECORDS);
});
