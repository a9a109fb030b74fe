import t from 'tap';
import { testApp, type TestUser } from '@lintel/sdk/testing';
import { SaxesParser } from 'saxes';
import module from '../index.js';
import { gantt } from '../reports/gantt.js';
import { resourceLoad } from '../reports/resource-load.js';

const app = await testApp({
  module,
  settings: { exchange_rates: [{ currency: 'USD', date: '2026-01-01', rate: '0.5' }] },
});
t.teardown(app.close);
const [viewer, member] = [await app.asUser('viewer'), await app.asUser('member')];

interface Counts {
  created: number;
  updated: number;
  unchanged: number;
  removed: number;
  kept: number;
}
interface Imported {
  items: Counts;
  dependencies: Counts;
  calendar_changed: boolean;
  start_date_changed: boolean;
  changes: { line: number | null; outcome: string; id: string | null; title: string; changed: string[] }[];
  notes: string[];
  code?: string;
  problems?: { line: number; reason: string }[];
}
interface Row {
  id: string;
  title: string;
  outline: string;
  start_date: string;
  finish_date: string;
  total_float: number;
  free_float: number;
  critical: boolean;
  duration_days: number;
  completion: number;
  baseline: { start_date: string; finish_date: string } | null;
}
type Query = Record<string, string | number | boolean>;

let made = 0;
/** A new initiative with the plan of a CSV file. */
async function plan(csv?: string) {
  const { body: card } = await app.admin.post('/cards', { type: 'Initiative', name: `Move ${++made}` });
  const path = `${app.prefix}/initiatives/${card.id}`;
  const importer = (
    by: TestUser,
    body: string | Uint8Array,
    query: Query = {},
    type = 'text/csv',
    headers: Record<string, string> = {},
  ) => by.send<Imported>('POST', `${path}/plan/import`, body, { query, headers: { 'content-type': type, ...headers } });
  if (csv !== undefined) {
    const { status, body } = await importer(member, csv);
    if (status !== 200) throw new Error(JSON.stringify(body));
  }
  const rows = async (what: string, query: Query = {}): Promise<Map<string, Row>> => {
    const { body } = await viewer.get<{ items?: Row[]; rows?: Row[] }>(`${path}/${what}`, { query });
    return new Map((body.items ?? body.rows)!.map((row) => [row.title, row]));
  };
  return { id: card.id as string, path, importer, rows };
}

const PLAN = [
  'number,outline,title,milestone,start_date,end_date,duration_days,completion,constraint_type,constraint_date,predecessors,planned_cost,planned_currency,description',
  '1,1,Prepare,,,,,,,,,,,"Two\nlines, ""quoted"""',
  '2,1.1,Gather,,2026-03-02,2026-03-06,,100,,,,1000.00,EUR,',
  '3,1.2,Select,,,,8,33.33,,,2,2500.50,USD,',
  '4,1.3,Signed,true,2026-03-20,,,,,,3,,,',
  '5,2,Build,,,,,,start_no_earlier_than,2026-03-16,,,,',
  '6,2.1,=Interfaces,,,,10,,,,4FS+2d,0.00,EUR,',
  "7,2.2,''=Data,,,,7,,must_start_on,2026-03-17,4;6FF+1d,,,",
  '8,2.3,Train,,,,4,,as_late_as_possible,,,,,',
  '9,3,Go-live,true,,,,,finish_no_later_than,2026-04-01,6;7;8SS-1d,,,',
  '10,4,Öffnen & <prüfen>,,2026-04-07,,,,,,9SF+3d,,,',
].join('\r\n');
const XML = 'application/xml';

t.test('a plan is imported, and its own exports change nothing', async (t) => {
  const { id, path, importer } = await plan();
  const preview = await importer(member, PLAN, { dry_run: true });
  t.equal(preview.status, 200, JSON.stringify(preview.body));
  t.match(preview.body, {
    items: { created: 10 },
    dependencies: { created: 9 },
    changes: [{ line: 2, outcome: 'created', id: null, title: 'Prepare' }],
  });
  t.equal((await viewer.get(`${path}/wbs`)).body['total'], 0, 'a preview stores nothing');
  t.match((await importer(member, PLAN)).body.items, { created: 10, updated: 0 });
  const calendar = {
    exceptions: [
      { date: '2026-03-28', working: true, name: 'Move' },
      { date: '2026-03-10', working: false },
    ],
  };
  t.equal((await member.patch(`${path}/plan`, { calendar })).status, 200);
  t.equal((await member.post(`${app.prefix}/holidays`, { date: '2026-04-03', name: 'Good Friday' })).status, 201);

  const before = await app.query('select * from ppm_wbs where card_id = $1 order by id', [id]);
  for (const [format, type] of [
    ['csv', 'text/csv'],
    ['xml', XML],
  ] as const) {
    const file = await member.get<string>(`${path}/plan.${format}`);
    t.equal(file.status, 200);
    t.match(file.headers.get('content-type'), type);
    t.match(file.headers.get('content-disposition'), /attachment; filename\*=UTF-8''Move%20\d+\.(csv|xml)/);
    for (const query of [{ dry_run: true, remove_missing: true }, { remove_missing: true }] as Query[]) {
      const again = await importer(member, file.body, query, type);
      t.equal(again.status, 200, JSON.stringify(again.body));
      t.match(
        again.body,
        {
          items: { created: 0, updated: 0, unchanged: 10, removed: 0, kept: 0 },
          dependencies: { created: 0, updated: 0, unchanged: 9, removed: 0, kept: 0 },
          calendar_changed: false,
          start_date_changed: false,
          changes: [],
        },
        `${format} ${JSON.stringify(again.body)}`,
      );
    }
  }
  t.strictSame(
    await app.query('select * from ppm_wbs where card_id = $1 order by id', [id]),
    before,
    'no row was written',
  );
  t.match(
    before.find((row) => row['title'] === '=Interfaces'),
    { planned_cost: '0.00' },
  );
  t.ok(before.some((row) => row['title'] === "'=Data"));

  // In another plan the same files make the same plan, and find it again.
  for (const [format, type] of [
    ['csv', 'text/csv'],
    ['xml', XML],
  ] as const) {
    const other = await plan();
    const { body: file } = await member.get<string>(`${path}/plan.${format}`);
    t.match((await other.importer(member, file, {}, type)).body.items, { created: 10 }, format);
    const again = await other.importer(member, file, {}, type);
    t.match(
      again.body,
      { items: { created: 0, updated: 0, unchanged: 10 }, dependencies: { unchanged: 9 }, changes: [] },
      JSON.stringify(again.body),
    );
    const titles = async (of: string) =>
      await app.query(
        'select title, completion, duration_days, start_date::text, constraint_type, planned_cost from ppm_wbs where card_id = $1 order by title',
        [of],
      );
    const same = await titles(other.id);
    t.strictSame(
      same.map((row) => ({ ...row, completion: Math.round(Number(row['completion'])) })),
      (await titles(id)).map((row) => ({ ...row, completion: Math.round(Number(row['completion'])) })),
      format,
    );
  }
});

t.test('an import creates, changes, moves, reorders and removes', async (t) => {
  const { id, path, importer } = await plan(PLAN);
  const { body: file } = await member.get<string>(`${path}/plan.csv`);
  const lines = file.trimEnd().split('\r\n');
  // The description of the first item has a line break within quotes.
  const title = (text: string): number => lines.findIndex((line) => line.includes(text));
  lines[title(',Select,')] = lines[title(',Select,')]!.replace(',Select,', ',Choose,').replace('33.33', '50');
  const [train] = lines.splice(title(',Train,'), 1);
  lines.splice(title(',Build,'), 0, train!.replace(',2.3,', ',1.4,'));
  lines.push('11,,,5,Review,,,,,3,0,,,10,,,');
  const preview = await importer(member, lines.join('\r\n'), { dry_run: true });
  t.equal(preview.status, 200, JSON.stringify(preview.body));
  const applied = await importer(member, lines.join('\r\n'));
  for (const { body } of [preview, applied]) {
    t.match(body.items, { created: 1, updated: 2, unchanged: 8, removed: 0, kept: 0 }, JSON.stringify(body.changes));
    t.strictSame(
      body.changes.map(({ outcome, title, changed }) => [outcome, title, changed]),
      [
        ['updated', 'Choose', ['title', 'completion']],
        ['updated', 'Train', ['parent_id']],
        ['created', 'Review', []],
      ],
    );
  }
  const wbs = async () =>
    (
      await viewer.get<{
        items: { id: string; title: string; outline: string; version: number; completion: number }[];
      }>(`${path}/wbs`, { query: { page_size: 200 } })
    ).body.items;
  const now = await wbs();
  t.strictSame(
    now.map(({ outline, title }) => `${outline} ${title}`),
    [
      '1 Prepare',
      '1.1 Gather',
      '1.2 Choose',
      '1.3 Signed',
      '1.4 Train',
      '2 Build',
      '2.1 =Interfaces',
      "2.2 '=Data",
      '3 Go-live',
      '4 Öffnen & <prüfen>',
      '5 Review',
    ],
  );
  t.strictSame(
    now.filter(({ version }) => version === 2).map(({ title }) => title),
    ['Choose', 'Train'],
  );
  const progress = await app.query<{ completion: string }>(
    'select p.completion from ppm_progress p join ppm_wbs w on w.id = p.wbs_id where w.card_id = $1 and w.title = $2',
    [id, 'Choose'],
  );
  t.strictSame(
    progress.map(({ completion }) => Number(completion)),
    [50],
  );
  const choose = now.find(({ title }) => title === 'Choose')!;
  const { body: history } = await viewer.get(`${path}/wbs/${choose.id}/history`);
  t.match(history['items'], [
    {
      type: 'ppm_wbs.updated',
      version: 2,
      changes: [{ field: 'title', old: 'Select', new: 'Choose' }, { field: 'completion' }],
    },
  ]);

  // What a file lacks is kept unless it is to be removed.
  const few =
    'outline,title,id,predecessors,number\r\n' +
    [`1,Prepare,${now[0]!.id},,1`, `1.1,Gather,${now[1]!.id},,2`, `2,Go-live,${now[8]!.id},2,3`].join('\r\n');
  const kept = await importer(member, few, { dry_run: true });
  t.match(kept.body.items, { kept: 8, removed: 0 }, JSON.stringify(kept.body));
  await member.post(`${path}/tasks`, { title: 'Ask', wbs_id: choose.id });
  const removed = await importer(member, few, { remove_missing: true });
  t.match(removed.body.items, { kept: 0, removed: 8 });
  t.strictSame(
    (await wbs()).map(({ outline, title }) => `${outline} ${title}`),
    ['1 Prepare', '1.1 Gather', '2 Go-live'],
  );
  t.equal((await viewer.get(`${path}/dependencies`)).body['total'], 1);
  t.match((await viewer.get<{ items: object[] }>(`${path}/tasks`)).body.items, [{ title: 'Ask', wbs_id: null }]);
});

t.test('refused imports store nothing and name the lines', async (t) => {
  const { path, importer } = await plan('outline,title,duration_days\n1,A,3\n2,B,2');
  const cases: [string, number, RegExp][] = [
    ['number,title,predecessors\n1,A,2\n2,B,1', 2, /cycle/],
    ['number,outline,title,predecessors\n1,1,A,2\n2,1.1,B,', 2, /above/],
    ['number,title,predecessors\n1,A,1', 2, /itself/],
    ['outline,title\n1,A\n1.1.1,B', 3, /one level/],
    ['title,start_date,end_date\nA,2026-03-03,2026-03-02', 2, /before start_date/],
    ['title,start_date,end_date,duration_days\nA,2026-03-02,2026-03-06,9', 2, /is 5 by/],
    ['title,constraint_type\nA,must_start_on', 2, /constraint_date/],
    ['title,planned_cost,planned_currency\nA,5,CHF', 2, /CHF/],
    ['title,planned_cost,planned_currency\nA,5,QQQ', 2, /ISO 4217/],
    ['outline,title,milestone\n1,A,true\n1.1,B,', 2, /milestone/],
    ['title,external_id\nA,x\nB,x', 3, /line 2/],
  ];
  for (const [csv, line, reason] of cases) {
    const { status, body } = await importer(member, csv);
    t.strictSame([status, body.code], [422, 'ppm_file_refused'], csv);
    t.ok(reason.test(body.problems![0]!.reason), JSON.stringify(body.problems));
    t.equal(body.problems![0]!.line, line, csv);
  }
  t.match((await importer(member, '<!DOCTYPE a>\n<Project/>', {}, XML)).body, {
    code: 'ppm_file_refused',
    problems: [{ line: 1 }],
  });
  t.equal((await importer(member, PLAN, {}, 'image/png')).status, 415);
  t.equal(
    (await member.send('POST', `${path}/plan/import`, '', { headers: { 'content-type': 'text/csv' } })).status,
    422,
  );
  t.equal((await importer(member, PLAN, { bogus: 1 })).status, 422);
  t.equal((await viewer.get(`${path}/wbs`)).body['total'], 2);
  t.equal((await importer(viewer, PLAN)).status, 403);
  t.equal((await importer(member, PLAN, {}, 'text/csv', { 'if-match': '"99"' })).status, 412);
  // Two imports of one file at once create its items once.
  const file = 'title,external_id\nA,1\nB,2\nC,3';
  const both = await Promise.all([importer(member, file), importer(member, file)]);
  t.strictSame(
    both.map(({ status }) => status),
    [200, 200],
  );
  t.equal(
    both.reduce((sum, { body }) => sum + body.items.created, 0),
    3,
  );
  const key = { 'idempotency-key': 'once' };
  const first = await importer(member, 'title\nOnce', {}, 'text/csv', key);
  const second = await importer(member, 'title\nOnce', {}, 'text/csv', key);
  t.strictSame([first.status, second.status, second.headers.get('idempotent-replayed')], [200, 200, 'true']);
  t.equal((await app.query('select 1 from ppm_wbs where title = $1', ['Once'])).length, 1);
});

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
  t.notMatch(JSON.stringify(withheld), /planned_cost|2500|2250/);

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

t.test('earned value of an initiative', async (t) => {
  // As the fence of the unit test, in two currencies.
  const { id, path } = await plan(
    [
      'title,start_date,end_date,planned_cost,planned_currency',
      ...['02', '03', '04', '05'].map(
        (day, i) => `Side ${i + 1},2026-03-${day},2026-03-${day},${i === 1 ? '2000,USD' : '1000,EUR'}`,
      ),
    ].join('\n'),
  );
  for (const [title, day, completion] of [
    ['Side 1', '2026-03-02', 100],
    ['Side 2', '2026-03-04', 100],
    ['Side 3', '2026-03-04', 50],
  ])
    await app.query(
      'insert into ppm_progress (wbs_id, day, completion) select id, $2, $3 from ppm_wbs where card_id = $1 and title = $4',
      [id, day, completion, title],
    );
  for (const [date, actual, currency] of [
    ['2026-03-02', 1000, 'EUR'],
    ['2026-03-03', 2400, 'USD'],
    ['2026-03-04', 600, 'EUR'],
    ['2026-03-05', 77, 'EUR'],
  ])
    t.equal((await member.post(`${path}/costs`, { date, actual, currency, category: 'opex' })).status, 201);
  const get = (query: Query) => member.get(`${path}/earned-value`, { query });
  const { body } = await get({ date: '2026-03-04' });
  t.match(
    body,
    {
      bac: 4000,
      pv: 3000,
      ev: 2500,
      ac: 2800,
      sv: -500,
      cv: -300,
      spi: 0.8333,
      cpi: 0.8929,
      eac: 4480,
      etc: 1680,
      vac: -480,
      currency: 'EUR',
      eac_formula: 'EAC = BAC / CPI',
      items_without_cost: 0,
      missing_rates: [],
      series: { interval: 'week', points: [{ date: '2026-03-05', pv: 4000, ev: null, ac: null }] },
    },
    JSON.stringify(body),
  );
  t.match((await get({ date: '2026-03-04', eac: 'remaining' })).body, {
    eac: 4300,
    eac_formula: 'EAC = AC + (BAC − EV)',
  });
  t.match((await get({ date: '2020-01-01' })).body, {
    pv: 0,
    ev: 0,
    ac: 0,
    spi: null,
    cpi: null,
    eac: null,
    etc: null,
    vac: null,
  });
  const baseline = (await member.post(`${path}/baselines`, { name: 'Fence' })).body.id;
  await app.query(`update ppm_wbs set start_date = '2026-04-01', end_date = '2026-04-01' where card_id = $1`, [id]);
  t.equal((await get({ date: '2026-03-04' })).body['pv'], 0);
  t.match((await get({ date: '2026-03-04', baseline_id: baseline })).body, {
    pv: 3000,
    bac: 4000,
    baseline_id: baseline,
  });
  t.equal((await get({ date: '2026-03-04', baseline_id: id })).status, 404);
  t.equal((await viewer.get(`${path}/earned-value`)).status, 403);
});

t.test('load by week', async (t) => {
  const { path } = await plan('title,start_date,end_date\nItem,2026-03-09,2026-03-13');
  const item = (await viewer.get<{ items: { id: string }[] }>(`${path}/wbs`)).body.items[0]!.id;
  const assignee_id = member.user.id;
  for (const task of [
    { title: 'A', start_date: '2026-03-05', due_date: '2026-03-10', effort_hours: 40 },
    { title: 'B', wbs_id: item, effort_hours: 30.5 },
    { title: 'C', effort_hours: 7 },
    { title: 'D', start_date: '2026-03-05', due_date: '2026-03-10', effort_hours: 99, status: 'done' },
  ])
    t.equal((await member.post(`${path}/tasks`, { assignee_id, ...task })).status, 201);
  const { body } = await viewer.get(`${path}/resource-load`, { query: { from: '2026-03-04', weeks: 2 } });
  t.match(body, {
    from: '2026-03-02',
    to: '2026-03-15',
    weeks: [{ week: '2026-W10', capacity_hours: 40 }, { week: '2026-W11' }],
    people: [
      {
        user_id: assignee_id,
        hours: [20, 50.5],
        overload: [0, 10.5],
        total_hours: 70.5,
        undated_hours: 7,
        overloaded_weeks: 1,
      },
    ],
  });
  t.equal((await viewer.get(`${path}/resource-load`, { query: { weeks: 1_000 } })).status, 422);
  t.equal((await viewer.get(`${path}/resource-load`, { query: { from: '9999-12-31' } })).status, 422);
});

t.test('reports over all initiatives', async (t) => {
  const { id, path } = await plan(PLAN);
  await member.post(`${path}/status-reports`, {
    report_date: '2026-03-05',
    schedule_health: 'at_risk',
    cost_health: 'on_track',
    scope_health: 'on_track',
  });
  const { body: undated } = await app.admin.post('/cards', {
    type: 'Initiative',
    name: 'Later',
    attributes: { startDate: '2031-02-01', endDate: '2031-03-01' },
  });
  interface Bar {
    id: string;
    start_date: string;
    end_date: string;
    health: string | null;
    milestones: { title: string }[];
  }
  type Answer = { total: number; initiatives: Bar[] };
  const read = async (query: Query, by = viewer) =>
    (await by.get<Answer>(`${app.prefix}/reports/gantt`, { query })).body;
  const all = await read({ most: 500 });
  t.equal(all.total, all.initiatives.length);
  t.match(
    all.initiatives.find((one) => one.id === id),
    {
      start_date: '2026-03-02',
      end_date: '2026-04-07',
      health: 'at_risk',
      milestones: [{ title: 'Signed', date: '2026-03-20', reached: false }],
    },
  );
  t.match(
    all.initiatives.find((one) => one.id === undated.id),
    { start_date: '2031-02-01', end_date: '2031-03-01', milestones: [] },
  );
  t.strictSame(
    (await read({ from: '2030-01-01', to: '2031-02-01' })).initiatives.map((one) => one.id),
    [undated.id],
  );
  t.match(await read({ most: 1 }), { total: all.total, truncated: true });
  t.strictSame(
    (await read({ search: 'Later' })).initiatives.map((one) => one.id),
    [undated.id],
  );
  const item = (await viewer.get<{ items: { id: string; title: string }[] }>(`${path}/wbs`)).body.items[1]!;
  await member.post(`${path}/tasks`, { title: 'Much', assignee_id: member.user.id, wbs_id: item.id, effort_hours: 90 });
  const load = await viewer.get(`${app.prefix}/reports/resource-load`, { query: { from: '2026-03-02', weeks: 4 } });
  // The tasks of this plan, and those of the test of the load.
  t.match(
    load.body,
    { people: [{ display_name: member.user.display_name, hours: [110, 50.5, 0, 0], overloaded_weeks: 2 }] },
    JSON.stringify(load.body),
  );
  await app.admin.post('/roles', {
    key: 'narrow',
    label: 'Narrow',
    permissions: ['cards.view', 'ppm.view'],
    types: { Initiative: { 'cards.view': false } },
  });
  const narrow = await app.asUser('narrow');
  t.match(await read({}, narrow), { total: 0, initiatives: [] });
  t.match((await narrow.get(`${app.prefix}/reports/resource-load`, { query: { from: '2026-03-02' } })).body, {
    people: [],
  });
  const request = { parameters: {}, lang: 'de' } as never;
  for (const [report, answer] of [
    [gantt, all],
    [resourceLoad, load.body],
  ] as const) {
    t.ok(
      report.tables(answer, request).every(({ columns, rows }) => rows.every((row) => row.length === columns.length)),
    );
    t.ok(report.picture!(answer, request).description.length > 10);
  }
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
