/**
 * Diagrams of 9,900 shapes of cards and as many lines are imported and compared without the service standing still. The service is a
 * process of its own, which measures itself, because a test in the same process would measure its own work too.
 */
import t from 'tap';
import { createDatabase, expectStatus, registerAdmin } from '../support/app.js';
import { urlOf } from '../support/database.js';
import { LoopWatch } from '../support/loop-watch.js';
import { dataFolder, startService } from '../support/service.js';

const ROUNDS = 8;
const CELLS = 9_900;
const CARDS = 600;

const database = await createDatabase();
const folder = await dataFolder();
const watch = await LoopWatch.in(folder.path);
const service = await startService({
  dataDir: folder.path,
  env: {
    DATABASE_URL: urlOf(database),
    LINTEL_SECRET_KEY: Buffer.alloc(32, 'diagrams').toString('base64'),
    ...watch.env,
  },
});
t.teardown(async () => {
  await service.stop();
  await folder.remove();
});
const admin = await registerAdmin(service.origin);
const { api, token } = admin;
const made = await api.post<{ results: { id: string }[] }>('/cards/bulk', {
  operations: Array.from({ length: CARDS }, (_, i) => ({
    op: 'create',
    card: { type: 'Application', name: `Application ${i}` },
  })),
});
const cards = expectStatus(made, 200, 'cards').body.results.map(({ id }) => id);

function file(): string {
  const shapes = Array.from(
    { length: CELLS },
    (_, i) =>
      `<UserObject label="c" cardId="${cards[i % CARDS]}" id="s${i}"><mxCell vertex="1" parent="1"><mxGeometry x="${(i % 100) * 150}" y="${Math.floor(i / 100) * 90}" width="120" height="60" as="geometry"/></mxCell></UserObject>`,
  );
  const lines = Array.from(
    { length: CELLS },
    (_, i) =>
      `<mxCell id="e${i}" value="${'l'.repeat(100)}" edge="1" parent="1" source="s${(i * 7) % CELLS}" target="s${(i * 13 + 5) % CELLS}"><mxGeometry relative="1" as="geometry"/></mxCell>`,
  );
  return `<mxfile><diagram id="p1" name="P"><mxGraphModel><root><mxCell id="0"/><mxCell id="1" parent="0"/>${[...shapes, ...lines].join('')}</root></mxGraphModel></diagram></mxfile>`;
}

async function importFile(): Promise<string> {
  const form = new FormData();
  form.append('files', new File([file()], 'large.drawio'));
  const got = await fetch(`${service.origin}/api/v1/diagrams/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  });
  if (got.status !== 200) throw new Error(await got.text());
  return ((await got.json()) as { diagrams: { id: string }[] }).diagrams[0]!.id;
}
const path = `/diagrams/${await importFile()}`;

/** Asserts the longest round of the event loop: the least one of several, because the first ones are slow and some collect garbage. */
function check(what: string, most: number, work: () => Promise<unknown>): void {
  void t.test(what, async (t) => {
    const longest: number[] = [];
    for (let run = 0; run < ROUNDS; run++) {
      await watch.take(service.pid);
      await work();
      longest.push((await watch.take(service.pid)).cpu);
    }
    t.comment(`${what}: longest round ${longest.map((ms) => ms.toFixed(0)).join(' ')} ms of processor time`);
    t.ok(Math.min(...longest) <= most, `${Math.min(...longest).toFixed(0)} ms of processor time`);
  });
}

check('versions compared', 12, async () => expectStatus(await api.get(`${path}/diff?with=1`), 200, 'a comparison'));
check('relations proposed', 18, async () =>
  expectStatus(await api.post(`${path}/propose-relations`, {}), 200, 'proposals'),
);
check('a file imported', 20, importFile);
