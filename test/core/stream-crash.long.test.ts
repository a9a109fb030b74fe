import t from 'tap';
import { client, createDatabase, openStream, registerAdmin, sql, until, type EventStream } from '../helper.js';
import { urlOf } from '../helper-database.js';
import { dataFolder, startService } from '../helper-service.js';

const WRITERS = 16;
const SECONDS = 30;
const SECRET = Buffer.alloc(32, 'crash').toString('base64');

type Service = Awaited<ReturnType<typeof startService>>;

const database = await createDatabase();
const folders = [await dataFolder(), await dataFolder()];
const start = (n: number): Promise<Service> => startService({
  dataDir: folders[n]!.path, env: { DATABASE_URL: urlOf(database), LINTEL_SECRET_KEY: SECRET, DATABASE_POOL_MAX: '16' },
});
const nodes = [await start(0), await start(1)];
t.teardown(async () => {
  await Promise.all(nodes.map((node) => node.stop()));
  await Promise.all(folders.map((folder) => folder.remove()));
});
const { token, user } = await registerAdmin(nodes[0]!.origin);

/** A node that hangs keeps its callers waiting; they go elsewhere. */
const PATIENCE_MS = 1_000;

class Hangs extends Error {}
const inTime = <T>(work: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => { timer = setTimeout(() => reject(new Hangs()), PATIENCE_MS); });
  work.catch(() => undefined);
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
};
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const random = (n: number) => Math.floor(Math.random() * n);
const seen = new Map<Service, number>();
/** Which node said last that it numbers the events. */
function holder(): number {
  nodes.forEach((node) => {
    const times = node.output().match(/this node numbers the events/g)?.length ?? 0;
    if (times > (seen.get(node) ?? 0)) { seen.set(node, times); last = node; }
  });
  return Math.max(nodes.indexOf(last!), 0);
}
let last: Service | undefined;

let writing = true;
/** Latest version of each card that a node confirmed. */
const confirmed = new Map<string, number>();
let failures = 0;

async function write(writer: number): Promise<void> {
  const mine: string[] = [];
  for (let i = 0; writing; i++) {
    const api = client(nodes[random(2)]!.origin, token);
    try {
      const isNew = mine.length < 3 || random(4) === 0;
      const id = mine[random(mine.length)];
      const answer = await inTime(isNew
        ? api.post<{ id: string; version: number }>('/cards', { type: 'Application', name: `Writer ${writer}, card ${i}` })
        : api.patch<{ id: string; version: number }>(`/cards/${id!}`, { description: `change ${i}` }));
      if (answer.status === 201) mine.push(answer.body.id);
      if (answer.status === 200 || answer.status === 201) confirmed.set(answer.body.id, Math.max(answer.body.version, confirmed.get(answer.body.id) ?? 0));
      else if (answer.status < 500) throw new Error(`a write gave ${answer.status}: ${JSON.stringify(answer.body)}`);
      else failures++;
    } catch (error) {
      // A node that was killed answers nothing; whether it wrote, the log will tell.
      if (!(error instanceof TypeError || error instanceof Hangs)) throw error;
      failures++;
      await pause(20);
    }
  }
}

interface Received { id: number; type: string; subject: string; version: number | undefined }
const received: Received[] = [];
let resumed = 0;
let open: EventStream | undefined;

/** Reads the log from its beginning, over whichever node answers, and resumes wherever it was cut. */
async function receive(done: () => Promise<boolean>): Promise<void> {
  for (; ;) {
    try {
      open = await inTime(openStream(nodes[random(2)]!.origin, token, { lastEventId: received.at(-1)?.id ?? 0 }));
      if (open.status === 200) {
        const ended = open.ended.then(() => true);
        let over = false;
        while (!over) {
          over = await Promise.race([ended, pause(100).then(() => false)]);
          for (const event of open.events.splice(0)) {
            const { subject, data } = event.data as { subject: string; data: { version?: number } };
            received.push({ id: Number(event.id), type: event.event, subject, version: data.version });
          }
          if (await done()) { open.close(); return; }
        }
        resumed++;
      } else await pause(100);
    } catch {
      await pause(50);
    }
  }
}

await t.test(`one node of two is killed and stopped under ${WRITERS} writers: the stream is the log`, async (t) => {
  const head = async () => Number((await sql<{ position: string }>(database, 'select position from event_head'))[0]!.position);
  const receiving = receive(async () => !writing && received.at(-1)?.id === await head() && (await sql(database, 'select from event_outbox')).length === 0);
  const writers = Array.from({ length: WRITERS }, (_, i) => write(i));
  const ends = performance.now() + SECONDS * 1_000;
  let kills = 0;
  let holderKills = 0;
  let stops = 0;

  t.teardown(() => { writing = false; });
  while (performance.now() < ends) {
    await pause(3_000);
    const numbering = holder();
    if (kills > 0 && stops === 0) {
      // A node that hangs: its sessions live on, and so does its lock.
      const hung = nodes[numbering]!;
      process.kill(hung.pid, 'SIGSTOP');
      try {
        const before = await head();
        await until(async () => await head() > before + 50, 20_000);
      } finally {
        process.kill(hung.pid, 'SIGCONT');
      }
      await until(() => holder() !== numbering, 10_000);
      stops++;
      continue;
    }
    const victim = kills === 0 ? numbering : random(2);
    if (victim === numbering) holderKills++;
    await nodes[victim]!.kill9();
    kills++;
    // A random while longer nobody cuts the other one's connections.
    if (random(2) === 0) open?.close();
    nodes[victim] = await start(victim);
  }
  writing = false;
  await Promise.all(writers);
  await receiving;

  t.ok(kills >= 2 && holderKills >= 1 && stops === 1);
  t.ok(resumed >= 2, `the stream was resumed ${resumed} times`);
  t.ok(confirmed.size > 50, `${confirmed.size} cards were made`);

  const log = await sql<{ position: string; type: string; subject_id: string; version: number | null }>(
    database, `select position, type, subject_id, (data->>'version')::int as version from events order by position`,
  );
  t.strictSame(log.map((e) => Number(e.position)), log.map((_, i) => i + 1), 'positions are dense');
  const same = received.length === log.length && received.every((e, i) => {
    const row = log[i]!;
    return e.id === Number(row.position) && e.type === row.type && e.subject === row.subject_id && (e.version ?? null) === row.version;
  });
  t.ok(same, `${received.length} events were received of ${log.length}: nothing lost, doubled or out of order`);

  const versions = new Map<string, number[]>();
  for (const e of log) if (e.type === 'card.created' || e.type === 'card.updated') versions.set(e.subject_id, [...versions.get(e.subject_id) ?? [], e.version!]);
  const stored = await sql<{ id: string; versions: number[] }>(database, 'select id, array_agg(version order by version) as versions from card_versions group by id');
  t.equal(versions.size, stored.length);
  const disordered = stored.filter(({ id, versions: all }) => JSON.stringify(versions.get(id)) !== JSON.stringify(all));
  t.strictSame(disordered, [], 'of each card the log has every version, in order');
  const lost = [...confirmed].filter(([id, version]) => !versions.get(id)?.includes(version));
  t.strictSame(lost, [], 'every write that was confirmed is in the log');
  t.ok(user.id);
  t.comment(`${log.length} events, ${kills} kills (${holderKills} of the one that numbers), ${resumed} resumes, ${failures} writes without an answer`);
});
