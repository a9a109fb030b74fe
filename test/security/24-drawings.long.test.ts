/**
 * Drawings in native code that takes longer than any limit: one user's delay no other user, and end with their client, at the limit and
 * with the service.
 */
import { readdirSync, readFileSync } from 'node:fs';
import t from 'tap';
import { createDatabase, makeUser, registerAdmin, SECRET_KEY, until, type Session } from '../support/app.js';
import { urlOf } from '../support/database.js';
import { dataFolder, startService } from '../support/service.js';

const GRACE_S = 3;
/** Besides the grace period: aborted requests, the database, and the exit. */
const STOP_MS = GRACE_S * 1_000 + 3_000;
/** Of a viewer: eight wait, one is drawn. */
const MOST = 9;

const folder = await dataFolder();
const service = await startService({
  dataDir: folder.path,
  env: {
    DATABASE_URL: urlOf(await createDatabase()),
    LINTEL_SECRET_KEY: SECRET_KEY,
    LINTEL_MODULES: 'diagrams',
    SHUTDOWN_GRACE_SECONDS: String(GRACE_S),
  },
});
t.teardown(async () => {
  await service.stop();
  await folder.remove();
});
const admin = await registerAdmin(service.origin);
const [viewer, other] = [await makeUser(admin, 'viewer'), await makeUser(admin, 'viewer')];

const circle = (i: number, style: string): string =>
  `<mxCell id="c${i}" value="" style="shape=ellipse;fillColor=none;${style}" vertex="1" parent="1"><mxGeometry x="${i}" y="${i}" width="9000" height="9000" as="geometry"/></mxCell>`;
const diagram = async (count: number, style: string): Promise<string> => {
  const cells = Array.from({ length: count }, (_, i) => circle(i, style)).join('');
  const content = `<mxfile><diagram id="p" name="P"><mxGraphModel><root><mxCell id="0"/><mxCell id="1" parent="0"/>${cells}</root></mxGraphModel></diagram></mxfile>`;
  const answer = await admin.api.post<{ id: string }>('/diagrams', { name: `${count}`, content });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body.id;
};
/** Every circle has 140,000 dashes and takes a third of a second; all of them more than the limit of 30 s. */
const endless = await diagram(1_000, 'dashed=1;fixDash=1;dashPattern=0.1 0.1;strokeWidth=3;');
const simple = await diagram(1, '');
const png = async (by: Session, id: string, signal?: AbortSignal): Promise<Response> =>
  fetch(`${service.origin}/api/v1/diagrams/${id}.png`, {
    headers: { authorization: `Bearer ${by.token}` },
    ...(signal && { signal }),
  });

/** The processes of the service that draw, with their processor time in ms. */
function drawing(): Map<number, number> {
  const parents = new Map<number, number>();
  const times = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      parents.set(Number(name), Number(fields[1]));
      if (readFileSync(`/proc/${name}/cmdline`, 'latin1').includes('workers/process.js'))
        times.set(Number(name), (Number(fields[11]) + Number(fields[12])) * 10);
    } catch {
      /* it has just ended */
    }
  }
  const isOurs = (pid: number): boolean => parents.get(parents.get(pid)!) === service.pid;
  return new Map([...times].filter(([pid]) => isOurs(pid)));
}
const isBusy = (): Promise<number> => until(() => [...drawing()].find(([, ms]) => ms > 500)?.[0]);

t.test(
  'drawings of a viewer without end delay neither others nor what others draw, and end with their client',
  async (t) => {
    const gone = new AbortController();
    const started = Array.from({ length: MOST + 3 }, () => png(viewer, endless, gone.signal));
    const limited = await Promise.any(
      started.map(async (one) => {
        const answer = await one;
        return answer.status === 429 ? answer : Promise.reject(new Error(`${answer.status}`));
      }),
    );
    t.match(limited.headers.get('retry-after'), /^\d+$/);
    t.match(await limited.json(), { code: 'rate_limited' });
    const busy = await isBusy();
    t.equal((await png(other, simple)).status, 200);
    t.strictSame([drawing().has(busy), drawing().size], [true, 2], 'drawn by another process at the same time');
    gone.abort();
    await Promise.allSettled(started);
    t.ok(await until(() => !drawing().has(busy)), 'the process ends with its client');
    t.equal((await png(viewer, simple)).status, 200, 'the waiting ones have been dropped');
  },
);

t.test('the service ends in time while native code runs, and no process is left', async (t) => {
  const drawn = png(viewer, endless).then(
    ({ status }) => status,
    () => 0,
  );
  const busy = await isBusy();
  const began = performance.now();
  t.strictSame(await service.stop(), { code: 0, signal: null });
  const ms = performance.now() - began;
  t.ok(ms < STOP_MS, `${ms.toFixed(0)} ms`);
  t.not(await drawn, 200);
  t.throws(() => process.kill(busy, 0));
});
