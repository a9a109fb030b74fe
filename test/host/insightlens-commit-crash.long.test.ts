/** The service is killed while proposals are committed: of each, everything was created or nothing, and a repeated request completes it once. */
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { client, createDatabase, expectStatus, registerAdmin, sql, until } from '../support/app.js';
import { urlOf } from '../support/database.js';
import { dataFolder, startService } from '../support/service.js';

const KILLS = 8;
/** Cards of a change set, so that a commit takes long enough to be killed in its midst. */
const CARDS = 50;
const RELATIONS = 200;

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
const capabilities: string[] = [];
for (let i = 0; i < 5; i++) {
  const body = { type: 'BusinessCapability', name: `Capability ${i}` };
  capabilities.push(String(expectStatus(await admin.api.post('/cards', body), 201, 'a capability').body.id));
}
const PATH = '/insightlens/architect/proposals';
const api = () => client(node.origin, admin.token);

/** What there is of a commit: its cards, their relations, and its decision. */
async function made(title: string): Promise<number[]> {
  const [row] = await sql<{ cards: number; relations: number; adrs: number }>(
    database,
    `select (select count(*) from cards where name = $1 or name like $1 || ' app %')::int as cards,
      (select count(*) from relations r join cards c on c.id = r.source_id where c.name = $1 or c.name like $1 || ' app %')::int as relations,
      (select count(*) from adr_decisions where title = $1)::int as adrs`,
    [title],
  );
  return [row!.cards, row!.relations, row!.adrs];
}

await t.test(`${KILLS} kills`, async (t) => {
  const seen: string[] = [];
  for (let round = 1; round <= KILLS; round++) {
    const title = `Target ${round}`;
    const asked = await api().post(PATH, { requirement: 'Sell online', title, use_model: false });
    const { id } = expectStatus(asked, 201, 'a proposal').body;
    await until(async () => (await api().get(`${PATH}/${id}`)).body['state'] === 'ready', 30_000);
    const apps = Array.from({ length: CARDS - 1 }, (_, i) => `a${i}`);
    const relations = apps.flatMap((ref) =>
      capabilities.map((card) => ({ type: 'applicationToBusinessCapability', source: { ref }, target: { id: card } })),
    );
    const change_set = {
      cards: [
        { ref: 'initiative', type: 'Initiative', name: title },
        ...apps.map((ref, i) => ({ ref, type: 'Application', name: `${title} app ${i}` })),
      ],
      relations: relations.slice(0, RELATIONS),
    };
    expectStatus(await api().patch(`${PATH}/${id}`, { change_set }), 200, 'the change set');
    const commit = () => api().post(`${PATH}/${id}/commit`, {}, { headers: { 'idempotency-key': `commit-${round}` } });
    const first = commit().catch(() => undefined);
    const moment = Math.random() * 150;
    await delay(moment);
    await node.kill9();
    await first;
    const all = [CARDS, RELATIONS, 1];
    const after = await made(title);
    const [row] = await sql<{ state: string }>(database, 'select state from insightlens_proposals where id = $1', [id]);
    t.comment(`round ${round}: killed after ${Math.round(moment)} ms, ${row!.state}, ${after.join(' ')}`);
    t.strictSame(after, row!.state === 'committed' ? all : [0, 0, 0], 'everything or nothing');
    seen.push(row!.state);
    node = await start();
    const repeated = expectStatus(await commit(), 200, 'the request again').body;
    t.equal(repeated['state'], 'committed');
    t.strictSame(await made(title), all, 'once');
  }
  t.ok(seen.includes('ready'), `some were killed before their end: ${seen.join(', ')}`);
});
