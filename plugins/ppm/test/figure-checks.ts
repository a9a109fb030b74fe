import type { Test } from 'tap';
import { gantt } from '../reports/gantt.js';
import { resourceLoad } from '../reports/resource-load.js';
import { planIn, PLAN, type Query, type World } from './schedule-support.js';

/** Earned value, load and reports over HTTP. */
export function figureChecks(t: Test, world: World): void {
  const { app, member, viewer } = world;
  const plan = (csv?: string) => planIn(world, csv);

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

  t.test('earned value without planned costs says so', async (t) => {
    const { path } = await plan('title,start_date,end_date,completion\nItem,2026-03-02,2026-03-06,50');
    const get = async (query: Query = {}) =>
      (await member.get(`${path}/earned-value`, { query: { date: '2026-03-04', ...query } })).body;
    const none = { basis: 'none', bac: 0, pv: 0, ev: 0, spi: null, cpi: null, eac: null, etc: null, vac: null };
    t.match(await get(), { ...none, budget: null, ac: 0 });
    for (const [amount, currency] of [
      [10_000, 'EUR'],
      [2_000, 'USD'],
    ])
      t.equal(
        (await member.post(`${path}/budgets`, { fiscal_year: 2026, category: 'opex', amount, currency })).status,
        201,
      );
    const cost = { date: '2026-03-03', actual: 600, currency: 'EUR', category: 'opex' };
    t.equal((await member.post(`${path}/costs`, cost)).status, 201);
    for (const eac of ['cpi', 'remaining', 'cpi_spi'])
      t.match(await get({ eac }), { ...none, budget: 11_000, ac: 600, items_without_cost: 1 }, eac);
    // A cost of 0 is no basis either; any other one is.
    const item = (await viewer.get<{ items: { id: string }[] }>(`${path}/wbs`)).body.items[0]!.id;
    const price = async (planned_cost: number) =>
      t.equal((await member.patch(`${path}/wbs/${item}`, { planned_cost })).status, 200);
    await price(0);
    t.match(await get(), { ...none, items_without_cost: 0 });
    await price(1_000);
    t.match(await get(), { basis: 'planned_costs', budget: 11_000, bac: 1_000, pv: 600 });
    t.type((await get())['cpi'], 'number', 'with a basis, an index of 0 is one');
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
    // Tasks without an effort are counted: those of these weeks, and those without dates.
    const other = viewer.user.id;
    for (const task of [
      { title: 'E', start_date: '2026-03-05', due_date: '2026-03-10' },
      { title: 'F', effort_hours: 0 },
      { title: 'G', wbs_id: item },
      { title: 'H', start_date: '2026-04-01', due_date: '2026-04-02' },
      { title: 'I', status: 'done' },
    ])
      t.equal((await member.post(`${path}/tasks`, { assignee_id: other, ...task })).status, 201);
    const idle = { user_id: other, hours: [0, 0], overload: [0, 0], total_hours: 0, undated_hours: 0 };
    const read = async (place: string) =>
      (
        await viewer.get<{ people: { user_id: string; tasks_without_effort: number }[] }>(place, {
          query: { from: '2026-03-04', weeks: 2 },
        })
      ).body.people;
    for (const people of [await read(`${path}/resource-load`), await read(`${app.prefix}/reports/resource-load`)]) {
      t.match(people, [
        { user_id: assignee_id, tasks_without_effort: 0 },
        { ...idle, tasks_without_effort: 3 },
      ]);
      t.equal(people.length, 2);
    }
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
        end_date: '2026-03-20',
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
    await member.post(`${path}/tasks`, {
      title: 'Much',
      assignee_id: member.user.id,
      wbs_id: item.id,
      effort_hours: 90,
    });
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
    t.match(
      JSON.stringify(gantt.picture!(all as never, request)),
      /\{"from":"2026-03-20","to":"2026-03-20","label":"Signed","color":"#\w+","isPoint":true\}/,
      'milestones are points, with their names beside them',
    );
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
}
