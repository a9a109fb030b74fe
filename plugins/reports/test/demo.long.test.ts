/** Reports about relations and dates on the demo landscape, against an independent computation. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { login, testApp } from '../../../test/support/app.js';
import type { Answer as Dependencies } from '../reports/dependencies-schemas.js';
import type { Answer as EndOfLife } from '../reports/end-of-life-schemas.js';
import type { Answer as Landscape, Box } from '../reports/landscape-schemas.js';
import type { Answer as Lifecycle } from '../reports/lifecycle-schemas.js';
import type { Answer as Matrix } from '../reports/matrix-schemas.js';
import { Seen } from './relations-landscape.js';
import { counted, wrongLinks } from './support.js';

const PROGRAM = fileURLToPath(new URL('../../../config/demo/run.js', import.meta.url));
const { origin, close } = await testApp();
t.teardown(close);
const printed = await new Promise<string>((resolve, reject) => {
  execFile(process.execPath, [PROGRAM, '--url', origin], { env: { PATH: process.env.PATH } }, (error, out, err) =>
    error ? reject(new Error(err)) : resolve(out),
  );
});
const [, email, password] = /Registered the administrator (\S+) with the password (\S+)/.exec(printed) ?? [];
const admin = await login(origin, email!, password);
const seen = await Seen.by(admin, admin);

type Query = Record<string, string | number | boolean>;
async function reportOf<T>(id: string, query: Query = {}): Promise<T> {
  const { status, body } = await admin.api.get<T>(`/reports/${id}`, { query });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body;
}
const ofType = (type: string) => seen.relations.filter((relation) => relation.type === type);
const sorted = (counts: ReadonlyMap<unknown, number>) => [...counts].map(([key, n]) => `${String(key)} ${n}`).sort();

t.test('the matrix of applications and capabilities, at two levels', async (t) => {
  const relation_type = 'applicationToBusinessCapability';
  const query = {
    row_type: 'Application',
    col_type: 'BusinessCapability',
    relation_type,
    col_level: 2,
    measure: 'supportType',
  };
  const body = await reportOf<Matrix>('matrix', query);
  const at = (id: string): string => seen.path(id)[1] ?? id;
  const cells = counted(ofType(relation_type), ({ source_id, target_id }) => [`${source_id} ${at(target_id)}`]);
  t.ok(cells.size > 50);
  t.same(body.cells.map(({ row_id, col_id, count }) => `${row_id} ${col_id} ${count}`).sort(), sorted(cells));
  t.equal(body.total, ofType(relation_type).length);
  t.ok(body.cells.every(({ count, values }) => values!.reduce((sum, one) => sum + one.count, 0) === count));
  t.same((await wrongLinks(admin.api, body, 120)).slice(0, 3), []);
});

t.test('the capability map', async (t) => {
  const body = await reportOf<Landscape>('landscape', {
    type: 'Application',
    parent_type: 'BusinessCapability',
    color_by: 'timeModel',
  });
  const flat = (boxes: readonly Box[]): Box[] => boxes.flatMap((box) => [box, ...flat(box.children)]);
  const related = ofType('applicationToBusinessCapability');
  const boxes = flat(body.boxes);
  t.equal(boxes.length, seen.ofType('BusinessCapability').length);
  for (const box of boxes) {
    const own = new Set(
      related.filter(({ target_id }) => seen.isIn(target_id, box.id)).map(({ source_id }) => source_id),
    );
    t.equal(box.count, own.size, box.name);
  }
  const placed = new Set(related.map(({ source_id }) => source_id));
  t.equal(body.unassigned.count, seen.ofType('Application').filter(({ id }) => !placed.has(id)).length);
  t.same((await wrongLinks(admin.api, body, 100)).slice(0, 3), []);
});

t.test('the graph of all applications, and around each one with most relations', async (t) => {
  const body = await reportOf<Dependencies>('dependencies', { type: 'Application', depth: 1 });
  const isApplication = (id: string): boolean => seen.cards.get(id)?.type === 'Application';
  const among = seen.relations.filter(
    ({ source_id, target_id }) => isApplication(source_id) && isApplication(target_id),
  );
  t.equal(body.nodes.length, seen.ofType('Application').length);
  t.same(body.edges.map(({ id }) => id).sort(), among.map(({ id }) => id).sort());
  const [busiest] = [...counted(seen.relations, ({ source_id }) => [source_id])].sort((a, b) => b[1] - a[1]);
  const around = await reportOf<Dependencies>('dependencies', { card_id: busiest![0]!, depth: 1 });
  t.equal(around.edges.length, busiest![1]);
  t.ok(around.nodes.slice(1).every(({ depth, layer }) => depth === 1 && layer === 1));
});

t.test('the roadmap and the end of life', async (t) => {
  const roadmap = await reportOf<Lifecycle>('lifecycle', { type: 'Application', group_by: 'hostingType' });
  const applications = seen.ofType('Application');
  t.equal(roadmap.total + roadmap.without.count, applications.length);
  t.equal(roadmap.items.length, roadmap.total);
  for (const { id, phases } of roadmap.items) {
    const now = phases.find(({ from, to }) => from <= roadmap.today && (to === null || roadmap.today < to));
    t.equal(now?.phase ?? null, seen.cards.get(id)!.lifecycle_phase);
  }
  t.same(await wrongLinks(admin.api, roadmap), []);
  const ends = await reportOf<EndOfLife>('end-of-life', { horizon_days: 1_000 });
  const past = [...seen.cards.values()].filter(({ lifecycle_phase }) => lifecycle_phase === 'endOfLife');
  t.equal(ends.past.count, past.length);
  t.ok(ends.items.length > 0 && ends.affected.length > 0);
  t.same((await wrongLinks(admin.api, ends, 100)).slice(0, 3), []);
});
