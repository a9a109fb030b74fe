import type { Test } from 'tap';
import { planIn, PLAN, XML, type Query, type World } from './schedule-support.js';

/** Import and export over HTTP. */
export function exchangeChecks(t: Test, world: World): void {
  const { app, member, viewer } = world;
  const plan = (csv?: string) => planIn(world, csv);

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

  t.test('items are put into the order of the file', async (t) => {
    const { path, importer } = await plan('title,external_id\nA,a\nB,b\nC,c\nD,d');
    const order = async () =>
      (await viewer.get<{ items: { title: string }[] }>(`${path}/wbs`)).body.items.map(({ title }) => title).join('');
    const applied = await importer(member, 'title,external_id\nC,c\nA,a\nX,x\nB,b');
    t.match(applied.body, { items: { created: 1, updated: 2, unchanged: 1, kept: 1 } }, JSON.stringify(applied.body));
    t.strictSame(applied.body.changes.filter(({ changed }) => changed.includes('order')).length, 2);
    t.equal(await order(), 'CAXBD');
    // An item that the file does not have stays where it is, if the order of the others allows it.
    t.match((await importer(member, 'title,external_id\nC,c\nA,a\nB,b\nD,d')).body.items, {
      updated: 0,
      unchanged: 4,
      kept: 1,
    });
    t.equal(await order(), 'CAXBD');
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
}
