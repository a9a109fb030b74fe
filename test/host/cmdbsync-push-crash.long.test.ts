/**
 * The service is killed at random moments of runs in both directions: after a restart the run goes on after the lease of its job, both
 * sides agree, and nothing is created twice in the other system.
 */
import type { ServerResponse } from 'node:http';
import t from 'tap';
import { client, createDatabase, expectStatus, registerAdmin, sql, type AnyBody } from '../support/app.js';
import { urlOf } from '../support/database.js';
import { dataFolder, startService } from '../support/service.js';
import { SOURCE_FOLDER, SourceServer, Synchronisation, field } from './cmdbsync-support.js';

const KILLS = 10;
const RECORDS = 2_000;
/** Changes on each side, and new cards, of a round. */
const CHANGES = 200;
const NEW = 60;
/** Milliseconds of a run whose job is killed: its lease, and what is left to do on a busy machine. */
const LIMIT_MS = 120_000;

const source = await new SourceServer().listen();
source.columns = ['name', 'note', 'rank'];
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
/** On a busy machine the import of a module may exceed its time limit: the service then runs without it, and is started again. */
async function startWithModule(): Promise<typeof node> {
  for (;;) {
    const started = await start();
    if ((await client(started.origin, admin.token).get('/cmdbsync/runs')).status !== 404) return started;
    await started.stop();
  }
}
t.teardown(async () => {
  await node.stop();
  await folder.remove();
  await source.close();
});
const admin = await registerAdmin(node.origin);
const made = await Synchronisation.make(database, admin, source.url);
expectStatus(await admin.api.patch('/settings/modules/cmdbsync', { settings: { page_size: 200 } }), 200, 'small pages');
for (let i = 0; i < RECORDS; i++) source.put(`r${i}`, { name: `Record ${i}`, note: 'round 0', rank: '0' });
const mapping = await made.mapping({
  direction: 'both',
  creates_remote: true,
  fields: [field('name', 'name'), field('note', 'description', 'ea'), field('rank', 'alias')],
});
const api = () => client(node.origin, admin.token);
const bulk = async (operations: object[]): Promise<void> => {
  const { body } = expectStatus(await api().post('/cards/bulk', { operations }), 200, 'changes');
  t.notOk((body['summary'] as AnyBody)['failed']);
};
const loaded = await made.run(mapping);
const rows = await sql<{ external_id: string; card_id: string }>(
  database,
  'select external_id, card_id from cmdbsync_identities where mapping_id = $1',
  [mapping],
);
const cardOf = new Map(rows.map(({ external_id, card_id }) => [external_id, card_id]));

/** Kills the service at a write of a run, before or after the other system has made the change. */
function killAt(moment: number, isAfter: boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    let n = 0;
    const act = async (response: ServerResponse): Promise<boolean> => {
      if (n++ !== moment) return false;
      await node.kill9().then(() => resolve(), reject);
      response.destroy();
      return true;
    };
    source.before = async (_url, response, method) => !isAfter && method !== 'GET' && (await act(response));
    source.after = async (_method, response) => isAfter && (await act(response));
  });
}

await t.test(`${KILLS} kills`, async (t) => {
  t.match(loaded, { state: 'done', counts: { create: RECORDS, applied: RECORDS } });
  let unknown = 0;
  for (let round = 1; round <= KILLS; round++) {
    const first = ((round - 1) * CHANGES) % RECORDS;
    const ids = Array.from({ length: CHANGES }, (_, i) => `r${first + i}`);
    await bulk(ids.map((id) => ({ op: 'update', id: cardOf.get(id)!, card: { description: `round ${round}` } })));
    await bulk(
      Array.from({ length: NEW }, (_, i) => ({
        op: 'create',
        card: { type: 'ITComponent', name: `New ${round}.${i}`, description: `new in round ${round}` },
      })),
    );
    for (const id of ids) source.put(id, { rank: `${round}` });
    const moment = Math.floor(Math.random() * (CHANGES + NEW));
    const death = killAt(moment, round % 2 === 0);
    const run = await made.as(api()).start(mapping, { full: round % 2 === 0 });
    await death;
    const [row] = await sql<{ state: string; sent: number }>(
      database,
      `select state, (select count(*)::int from cmdbsync_records where run_id = $1 and state = 'sent') as sent from cmdbsync_runs where id = $1`,
      [run],
    );
    const written = source.written.length;
    t.comment(`round ${round}: killed at write ${moment}, ${row!.state}, ${written} writes so far, ${row!.sent} sent`);
    unknown += row!.sent;
    node = await startWithModule();
    const ended = await made.as(api()).ended(run, LIMIT_MS);
    t.match(ended, { state: 'done', counts: { update: CHANGES, remote_update: CHANGES, remote_create: NEW } });
    t.notOk((ended['counts'] as Record<string, number>)['failed']);
  }
  t.comment(`of ${unknown} creations it was not known whether they were made`);
  const made_ = source.writtenTo('servers', 'POST');
  t.equal(made_.length, KILLS * NEW, 'each record is created once');
  t.equal(new Set(made_.map(({ values }) => values['name'])).size, KILLS * NEW);
  t.equal(source.table().size, RECORDS + KILLS * NEW);
});

await t.test('both sides agree, and three further runs change nothing', async (t) => {
  const cards = await sql<{ external_id: string; name: string; description: string; alias: string | null }>(
    database,
    `select i.external_id, c.name, c.description, c.alias from cmdbsync_identities i join card_rows c on c.id = i.card_id
      where i.mapping_id = $1`,
    [mapping],
  );
  t.equal(cards.length, RECORDS + KILLS * NEW);
  const differing = cards.filter(({ external_id, name, description, alias }) => {
    const { values } = source.table().get(external_id)!;
    return values['name'] !== name || values['note'] !== description || (values['rank'] ?? null) !== alias;
  });
  t.strictSame(differing, []);
  const count = async (): Promise<unknown> => [
    await sql(database, `select count(*)::int as n from events where type like 'card.%'`),
    source.written.length,
  ];
  const before = await count();
  for (const body of [{}, { full: true }, { direction: 'push' }])
    t.match(await made.as(api()).run(mapping, body), { state: 'done' });
  t.strictSame(await count(), before);
});
