/** The service is killed while flows are published: version, links and relations are all stored, or none of them. */
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { client, createDatabase, makeUser, registerAdmin, sql, type Session } from '../support/app.js';
import { urlOf } from '../support/database.js';
import { dataFolder, startService } from '../support/service.js';
import { Flow, flow } from '../../plugins/bpm/test/support.js';

const KILLS = 10;
/** Applications linked by one version: four tasks with fifty each. */
const TASKS = ['A', 'B', 'C', 'D'];
const LINKED = TASKS.length * 50;
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
const admin = await registerAdmin(node.origin);
const member = await makeUser(admin, 'member');
/** The same session at the service that runs now. */
const now = (session: Session): Session => ({ ...session, api: client(node.origin, session.token) });

const made = await admin.api.post<{ results: { id: string }[] }>('/cards/bulk', {
  operations: Array.from({ length: LINKED * 1.5 }, (_, i) => ({
    op: 'create',
    card: { type: 'Application', name: `Application ${i}` },
  })),
});
const applications = made.body.results.map(({ id }) => id);
const process = new Flow((await admin.api.post('/cards', { type: 'BusinessProcess', name: 'Killed' })).body.id);
const XML = flow(Object.fromEntries(TASKS.map((task) => [`Task${task}`, task])));

/** The applications of a round: every second round half of them are others. */
const linksOf = (round: number): string[] => applications.slice(round % 2 ? LINKED / 2 : 0).slice(0, LINKED);

/** Creates and submits a version that is linked with the applications of the round. @returns its id */
async function submitted(round: number): Promise<string> {
  const by = now(member);
  const { id } = (await process.upload(by, XML)).body;
  const links = linksOf(round);
  for (const [i, task] of TASKS.entries()) {
    const answer = await process.link(
      by,
      await process.element(by, `Task${task}`, id),
      links.slice(i * 50, i * 50 + 50),
    );
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  }
  t.equal((await process.move(by, id, 'submit')).status, 200);
  return id;
}

interface Stored {
  states: Record<string, string>;
  links: number;
  related: string[];
  remembered: string[];
}

/** What is stored of the process. */
async function stored(version: string): Promise<Stored> {
  const [row] = await sql<Stored & Record<string, unknown>>(
    database,
    `select (select jsonb_object_agg(id, state) from bpm_versions where card_id = $1) as states,
      (select count(*)::int from bpm_element_links l join bpm_elements e on e.id = l.element_id where e.version_id = $2) as links,
      (select coalesce(array_agg(target_id::text order by target_id), '{}') from relations where source_id = $1) as related,
      (select coalesce(array_agg(card_id::text order by card_id), '{}') from bpm_relations where process_id = $1) as remembered`,
    [process.cardId, version],
  );
  return row!;
}

t.test(`${KILLS} kills while a flow is published`, async (t) => {
  let before = await submitted(0);
  const began = performance.now();
  t.equal((await process.move(now(admin), before, 'approve')).status, 200);
  const took = performance.now() - began;
  t.strictSame((await stored(before)).related, linksOf(0).sort());
  let wholes = 0;
  for (let round = 1; round <= KILLS; round++) {
    const id = await submitted(round);
    const answer = process.move(now(admin), id, 'approve').catch(() => undefined);
    await delay((took * round) / KILLS);
    await node.kill9();
    const answered = (await answer)?.status === 200;
    // PostgreSQL rolls back transactions of the killed node when it detects the closed connections.
    node = await start();
    const after = await stored(id);
    const isWhole = after.states[id] === 'published';
    const expected = [...linksOf(isWhole ? round : round - 1)].sort();
    t.equal(after.states[id], isWhole ? 'published' : 'pending', `round ${round}`);
    t.equal(after.states[before], isWhole ? 'archived' : 'published', `round ${round}`);
    t.equal(after.links, LINKED, `round ${round}: links`);
    t.strictSame(after.related, expected, `round ${round}: relations`);
    t.strictSame(after.remembered, expected, `round ${round}: what the module remembers`);
    if (answered) t.ok(isWhole, `round ${round}: what was answered is stored`);
    wholes += Number(isWhole);
    if (!isWhole)
      t.equal((await process.move(now(admin), id, 'approve')).status, 200, 'it can be published afterwards');
    before = id;
  }
  t.comment(`${wholes} of ${KILLS} publications were stored before the kill; one takes ${Math.round(took)} ms`);
});
