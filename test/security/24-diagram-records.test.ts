/**
 * What is recorded of a diagram besides its file, such as the lines between cards, is bounded by its size, and read only where it is
 * needed: no diagram makes requests that read it block the event loop. The service is a process of its own, which measures itself.
 */
import t from 'tap';
import { deflateRawSync } from 'node:zlib';
import { createDatabase, makeUser, registerAdmin, SECRET_KEY } from '../support/app.js';
import { sql, urlOf } from '../support/database.js';
import { LoopWatch } from '../support/loop-watch.js';
import { dataFolder, startService } from '../support/service.js';

/** Processor time of one round of the event loop in milliseconds. */
const MOST_CPU_MS = 100;
/** Characters of the JSON of all records of a version, with the spaces that PostgreSQL adds. */
const MOST_RECORDED = 7_500_000;
const CARDS = 50;

const database = await createDatabase();
const folder = await dataFolder();
const watch = await LoopWatch.in(folder.path);
const service = await startService({
  dataDir: folder.path,
  env: { DATABASE_URL: urlOf(database), LINTEL_SECRET_KEY: SECRET_KEY, LINTEL_MODULES: 'diagrams', ...watch.env },
});
t.teardown(async () => {
  await service.stop();
  await folder.remove();
});
const admin = await registerAdmin(service.origin);
const viewer = await makeUser(admin, 'viewer');
const { body } = await admin.api.post<{ results: { id: string }[] }>('/cards/bulk', {
  operations: Array.from({ length: CARDS }, (_, i) => ({
    op: 'create',
    card: { type: 'Application', name: `Application ${i}` },
  })),
});
const cards = body.results.map(({ id }) => id);

const shape = (id: string, card: string): string =>
  `<UserObject id="${id}" label="x" cardId="${card}"><mxCell vertex="1" parent="1"><mxGeometry width="80" height="40" as="geometry"/></mxCell></UserObject>`;
/** A file with compressed pages: hundreds of megabytes of equal text are some kilobytes. */
function fileOf(cells: string): string {
  const xml = `<mxGraphModel><root><mxCell id="0"/><mxCell id="1" parent="0"/>${cells}</root></mxGraphModel>`;
  const page = deflateRawSync(encodeURIComponent(xml)).toString('base64');
  return `<mxfile><diagram id="p" name="P">${page}</diagram></mxfile>`;
}
const many = (count: number, cell: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => cell(i)).join('');

/** Lines with long labels, within lines between all cards: each of them belongs to all. */
const nested = fileOf(
  many(CARDS, (i) => shape(`s${i}`, cards[i]!)) +
    many(
      CARDS / 2,
      (i) => `<mxCell id="c${i}" edge="1" parent="${i ? `c${i - 1}` : 1}" source="s${2 * i}" target="s${2 * i + 1}"/>`,
    ) +
    many(
      19_800,
      (i) =>
        `<mxCell id="e${i}" value="${'ab '.repeat(13)}" edge="1" parent="c24" source="s${i % 7}" target="s${7 + (i % 43)}"/>`,
    ),
);
/** As many shapes and lines as a file can have. */
const full = fileOf(
  many(9_990, (i) => shape(`shape-${i}`, cards[i % CARDS]!)) +
    many(
      9_990,
      (i) =>
        `<mxCell id="line-${i}" value="uses ${i}" edge="1" parent="1" source="shape-${i}" target="shape-${(i * 7) % 9_990}"/>`,
    ),
);

for (const [what, content] of Object.entries({ nested, full }))
  t.test(`${what}: the records are bounded, and reading them does not block the event loop`, async (t) => {
    await watch.take(service.pid);
    const made = await admin.api.post<{ id: string }>('/diagrams', { name: what, content });
    t.equal(made.status, 201);
    t.comment(`created: ${(await watch.take(service.pid)).cpu.toFixed(0)} ms`);
    const { id } = made.body;
    const [size] = await sql<{ n: number }>(
      database,
      `select length(pages::text) + length(shapes::text) + length(links::text) + length(held::text) + length(removed::text) as n
       from diagrams_versions where diagram_id = $1`,
      [id],
    );
    t.ok(size!.n <= MOST_RECORDED, `${size!.n} characters`);
    const get = async (path: string) => t.equal((await viewer.api.get(`/diagrams/${id}${path}`)).status, 200, path);
    const requests: [string, () => Promise<boolean>][] = [
      ...[
        '',
        '/versions',
        '/versions/1',
        '/cards',
        '/diff?with=1',
        ...(what === 'nested' ? ['.drawio', '/drawing'] : []),
      ].map((path): [string, () => Promise<boolean>] => [path, () => get(path)]),
      [
        '/propose-relations',
        async () => t.equal((await viewer.api.post(`/diagrams/${id}/propose-relations`, {})).status, 200, 'proposals'),
      ],
    ];
    for (const [path, work] of requests) {
      await work();
      await watch.take(service.pid);
      await Promise.all([work(), work(), work()]);
      const { cpu } = await watch.take(service.pid);
      t.ok(cpu <= MOST_CPU_MS, `GET ${path}: ${cpu.toFixed(0)} ms of processor time`);
    }
  });

t.test('labels of characters that are compared as eighteen others do not block the event loop', async (t) => {
  const label = (i: number): string => `${i} ${'\ufdfa'.repeat(180)}`;
  const content = fileOf(
    many(CARDS, (i) => shape(`s${i}`, cards[i]!)) +
      many(900, (i) => `<mxCell id="t${i}" value="${label(i)}" vertex="1" parent="1"/>`) +
      many(
        2_000,
        (i) => `<mxCell id="e${i}" value="${label(i)}" edge="1" parent="1" source="s0" target="s${1 + (i % 49)}"/>`,
      ),
  );
  const { status, body } = await admin.api.post<{ id: string }>('/diagrams', { name: 'Labels', content });
  t.equal(status, 201);
  for (const path of ['propose-relations', 'match-cards']) {
    const post = async () => (await admin.api.post(`/diagrams/${body.id}/${path}`, {})).status;
    t.equal(await post(), 200);
    await watch.take(service.pid);
    t.equal(await post(), 200);
    const { cpu } = await watch.take(service.pid);
    t.ok(cpu <= MOST_CPU_MS, `${path}: ${cpu.toFixed(0)} ms of processor time`);
  }
});

t.test('requests of one user that save and read many files at once wait, and are not refused', async (t) => {
  const content = fileOf(shape('s', cards[0]!));
  const made = await Promise.all(
    Array.from({ length: 24 }, (_, i) => admin.api.post<{ id: string }>('/diagrams', { name: `Small ${i}`, content })),
  );
  t.strictSame([...new Set(made.map(({ status }) => status))], [201]);
  const read = await Promise.all(made.map(({ body }) => viewer.api.get(`/diagrams/${body.id}.drawio`)));
  t.strictSame([...new Set(read.map(({ status }) => status))], [200]);
});

t.test('a file with more records is refused', async (t) => {
  const id = 'i'.repeat(400);
  const content = fileOf(
    shape(id, cards[0]!) +
      shape(`${id}2`, cards[1]!) +
      many(19_000, (i) => `<mxCell id="e${i}" edge="1" parent="1" source="${id}" target="${id}2"/>`),
  );
  const answer = await admin.api.post('/diagrams', { name: 'Ids', content });
  t.match(answer, { status: 422, body: { code: 'diagrams_file_refused', reason: 'too_large' } });
});
