import t from 'tap';
import { testApp } from '@lintel/sdk/testing';
import { SaxesParser } from 'saxes';
import module from '../index.js';

import { exchangeChecks } from './exchange-checks.js';
import { figureChecks } from './figure-checks.js';
import { planIn, PLAN, type Query } from './schedule-support.js';

const app = await testApp({
  module,
  settings: { exchange_rates: [{ currency: 'USD', date: '2026-01-01', rate: '0.5' }] },
});
t.teardown(app.close);
const [viewer, member] = [await app.asUser('viewer'), await app.asUser('member')];

const world = { app, member, viewer };
const plan = (csv?: string) => planIn(world, csv);

exchangeChecks(t, world);
figureChecks(t, world);

t.test('the schedule', async (t) => {
  const { path, rows } = await plan(PLAN);
  const all = await rows('schedule');
  const dates = (title: string) => [all.get(title)!.start_date, all.get(title)!.finish_date];
  t.strictSame(dates('Gather'), ['2026-03-02', '2026-03-06']);
  t.strictSame(dates('Select'), ['2026-03-09', '2026-03-18']);
  // The milestone is planned after its predecessor has finished.
  t.strictSame(dates('Signed'), ['2026-03-20', '2026-03-20']);
  // Two working days later; Good Friday is a holiday of the organisation.
  t.strictSame(dates('=Interfaces'), ['2026-03-25', '2026-04-08']);
  t.strictSame(dates("'=Data"), ['2026-03-31', '2026-04-09']);
  t.match(all.get('Prepare'), { outline: '1', start_date: '2026-03-02', finish_date: '2026-03-20', is_summary: true });
  const { body } = await viewer.get(`${path}/schedule`);
  t.match(body['conflicts'], [
    {
      title: "'=Data",
      constraint_type: 'must_start_on',
      wanted: '2026-03-17',
      computed: '2026-03-31',
      driven_by: { title: '=Interfaces', type: 'FF' },
    },
    {
      title: 'Go-live',
      constraint_type: 'finish_no_later_than',
      wanted: '2026-04-01',
      computed: '2026-04-09',
      driven_by: { title: "'=Data" },
    },
  ]);
  t.ok(all.get('Go-live')!.total_float < 0);
  const loose = await plan('number,title,duration_days,predecessors\n1,A,3,\n2,B,5,1\n3,C,1,1');
  t.strictSame([...(await loose.rows('schedule', { critical: true })).keys()], ['A', 'B']);
  t.match(
    [...(await loose.rows('schedule', { critical: false })).values()],
    [{ title: 'C', total_float: 4, free_float: 4 }],
  );
  const late = await rows('schedule', { finish_by: '2026-12-31' });
  t.ok(late.get('Öffnen & <prüfen>')!.total_float > all.get('Öffnen & <prüfen>')!.total_float);
  t.equal((await viewer.get(`${path}/schedule`, { query: { finish_by: 'soon' } })).status, 422);
  t.match(await viewer.get(`${path}/schedule`, { query: { finish_by: '0001-01-01' } }), {
    status: 422,
    body: { errors: [{ field: 'finish_by', in: 'query' }] },
  });
  const empty = await plan();
  t.match((await viewer.get(`${empty.path}/schedule`)).body, { finish_date: null, items: [], duration_days: 0 });
  const far = await plan('title,start_date,duration_days\nA,9999-12-30,200');
  t.strictSame(
    [
      (await viewer.get(`${far.path}/schedule`)).status,
      (await viewer.get(`${far.path}/gantt`, { query: { format: 'svg' } })).status,
    ],
    [409, 409],
  );
});

/** The elements of an SVG by name; throws if it is not well-formed. */
function elementsOf(svg: string): Map<string, number> {
  const found = new Map<string, number>();
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ local }) => found.set(local, (found.get(local) ?? 0) + 1));
  parser.write(svg).close();
  return found;
}

t.test('the Gantt chart, and baselines', async (t) => {
  const { id, path, importer, rows } = await plan(PLAN);
  const created = await member.post(`${path}/baselines`, { name: 'Approved' });
  t.equal(created.status, 201, JSON.stringify(created.body));
  const baseline = created.body.id;
  t.equal(created.body['items_count'], 10);
  const same = await viewer.get(`${path}/baselines/${baseline}/compare`);
  t.match(same.body, {
    summary: { added: 0, removed: 0, changed: 0, unchanged: 10, finish_difference: 0 },
    items: [],
    amounts_withheld: true,
  });
  const { body: file } = await member.get<string>(`${path}/plan.csv`);
  await importer(
    member,
    `${file.replace(',Select,,false,,,8,', ',Select,,false,,,13,').trimEnd()}\r\n11,,,5,Review,,,,,3,0,,,10,,,`,
  );
  const { body: compared } = await member.get<{ summary: Record<string, unknown>; items: Record<string, unknown>[] }>(
    `${path}/baselines/${baseline}/compare`,
  );
  t.match(
    compared.summary,
    {
      added: 1,
      removed: 0,
      changed: 9,
      unchanged: 1,
      baseline_planned_cost: 2250.25,
      planned_cost: 2250.25,
      missing_rates: [],
    },
    JSON.stringify(compared.summary),
  );
  t.match(
    compared.items.find(({ outline }) => outline === '1.2'),
    {
      difference: 'changed',
      changed: ['finish_date', 'duration_days'],
      start_difference: 0,
      finish_difference: 5,
      before: { planned_cost: 2500.5 },
    },
  );
  t.match(compared.items.at(-1), { difference: 'added', before: null, now: { title: 'Review' } });
  const { body: withheld } = await viewer.get(`${path}/baselines/${baseline}/compare`);
  t.notMatch(JSON.stringify(withheld), /planned_cost|(?<![\w-])(2500|2250)(?![\w-])/);

  const shown = await rows('gantt', { baseline_id: baseline });
  t.equal(shown.get('Select')!.baseline!.finish_date, '2026-03-18');
  t.equal(shown.get('Select')!.finish_date, '2026-03-25');
  t.equal(shown.get('Review')!.baseline, null);
  // Gather 5 days at 100 %, Select 13 at 33.33 %, a milestone.
  t.equal(shown.get('Prepare')!.completion, 51.85);
  t.equal((await rows('gantt', { from_row: 6, rows: 2 })).size, 2);
  t.equal((await rows('gantt', { from_row: 100 })).size, 0);

  for (const query of [
    {},
    { theme: 'dark', lang: 'de', width: 700 },
    { from_row: 3, rows: 4, lang: 'ja' },
    { baseline_id: baseline },
  ] as Query[]) {
    const svg = await viewer.get<string>(`${path}/gantt`, { query: { format: 'svg', ...query } });
    t.equal(svg.status, 200);
    t.match(svg.headers.get('content-type'), 'image/svg+xml');
    t.match(svg.headers.get('content-security-policy'), /sandbox/);
    const elements = elementsOf(svg.body);
    t.ok(
      elements.get('title')! > 1 && elements.get('desc') === 1 && elements.get('text')! > 10,
      JSON.stringify([...elements]),
    );
    t.notMatch(svg.body, /2500|planned/);
    const again = await viewer.get(`${path}/gantt`, {
      query: { format: 'svg', ...query },
      headers: { 'if-none-match': svg.headers.get('etag')! },
    });
    t.equal(again.status, 304);
  }
  t.equal((await viewer.get(`${path}/gantt`, { query: { format: 'svg', lang: 'x"y' } })).status, 422);
  t.equal((await viewer.get(`${path}/gantt`, { query: { baseline_id: id } })).status, 404);

  t.equal((await viewer.post(`${path}/baselines`, { name: 'Mine' })).status, 403);
  t.equal((await member.post(`${path}/baselines`, { name: ' ' })).status, 422);
  t.equal((await member.patch(`${path}/baselines/${baseline}`, { items_count: 1 })).status, 422);
  t.match((await member.patch(`${path}/baselines/${baseline}`, { name: 'Approved by the board' })).body, {
    name: 'Approved by the board',
    items_count: 10,
    version: 2,
  });
  const other = await plan('title\nA');
  t.equal((await viewer.get(`${other.path}/baselines/${baseline}`)).status, 404);
  t.equal((await viewer.get(`${other.path}/baselines/${baseline}/compare`)).status, 404);
  t.equal((await member.delete(`${path}/baselines/${baseline}`)).status, 204);
  t.strictSame(await app.query('select 1 from ppm_baseline_items where baseline_id = $1', [baseline]), []);
});

t.test('a large chart is drawn in a thread', async (t) => {
  const lines = Array.from({ length: 300 }, (_, i) => `${i + 1},Task ${i + 1},3,${i === 0 ? '' : i}`);
  const { path } = await plan(['number,title,duration_days,predecessors', ...lines].join('\n'));
  const svg = await viewer.get<string>(`${path}/gantt`, { query: { format: 'svg' } });
  t.equal(svg.status, 200);
  t.ok(elementsOf(svg.body).get('text')! > 900);
});

t.test('hidden and other cards have no plan', async (t) => {
  const { body: application } = await app.admin.post('/cards', { type: 'Application', name: 'Shop' });
  const archived = await plan('title\nA');
  const { body: baseline } = await member.post(`${archived.path}/baselines`, { name: 'Before' });
  await app.admin.post(`/cards/${archived.id}/archive`, {});
  await app.admin.post('/roles', {
    key: 'blind',
    label: 'Blind',
    permissions: ['cards.view', 'ppm.view', 'ppm.manage'],
    types: { Initiative: { 'cards.view': false } },
  });
  const blind = await app.asUser('blind');
  const paths = [
    'schedule',
    'gantt',
    'gantt?format=svg',
    'earned-value',
    'resource-load',
    'baselines',
    'plan.csv',
    'plan.xml',
    `baselines/${baseline.id}/compare`,
  ];
  for (const path of paths) {
    t.equal((await viewer.get(`${app.prefix}/initiatives/${application.id}/${path}`)).status, 404, path);
    t.equal((await blind.get(`${archived.path}/${path}`)).status, 404, path);
    t.equal((await viewer.get(`${app.prefix}/initiatives/nonsense/${path}`)).status, 404, path);
    t.equal((await app.anonymous.get(`${archived.path}/${path}`)).status, 401, path);
  }
  t.equal((await archived.importer(blind, PLAN)).status, 404);
  t.equal((await archived.importer(member, PLAN)).status, 409);
  t.equal((await member.post(`${archived.path}/baselines`, { name: 'After' })).status, 409);
  t.equal((await member.delete(`${archived.path}/baselines/${baseline.id}`)).status, 409);
  t.equal((await viewer.get(`${archived.path}/schedule`)).status, 200);
});
