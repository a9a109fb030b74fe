import t from 'tap';
import { expectStatus, makeUser, registerAdmin, sql, testApp, until, type AnyBody } from '../../../test/support/app.js';
import { Plan, type Item, type Task } from './plan-support.js';

const { origin, database, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const [architect, viewer, member] = await Promise.all(['architect', 'viewer', 'member'].map((r) => makeUser(admin, r)));
const problem = (answer: { status: number; body: unknown }) => {
  const { code, errors } = answer.body as { code?: string; errors?: { field: string; reason: string }[] };
  return [answer.status, code, errors?.map(({ field }) => field)];
};

t.test('the tree is listed in order, with outline numbers and computed summaries', async (t) => {
  const plan = await Plan.make(architect!, 'Tree');
  const build = await plan.item(architect!, 'Build');
  // Monday to Friday, and Monday to Tuesday of the week after: 5 and 2 working days.
  const code = await plan.item(architect!, 'Code', {
    parent_id: build.id,
    start_date: '2026-03-02',
    end_date: '2026-03-06',
    completion: 100,
    planned_cost: 1000.5,
  });
  await plan.item(architect!, 'Check', {
    parent_id: build.id,
    start_date: '2026-03-09',
    end_date: '2026-03-10',
    completion: 12.5,
    planned_cost: 99.99,
  });
  const go = await plan.item(architect!, 'Go', { parent_id: build.id, is_milestone: true, start_date: '2026-03-11' });
  await plan.item(architect!, 'Plan', { before_id: build.id, duration_days: 3 });
  t.match(go, { end_date: '2026-03-11', duration_days: 0, outline: '1.3' });
  t.match(code, { duration_days: 5, planned_currency: 'EUR' });
  t.strictSame(await plan.outline(architect!), ['1 Plan', '2 Build', '2.1 Code', '2.2 Check', '2.3 Go']);
  const [, summary] = await plan.items(architect!);
  t.match(summary, {
    depth: 0,
    children_count: 3,
    start_date: '2026-03-02',
    end_date: '2026-03-11',
    duration_days: 8,
    // (5 × 100 + 2 × 12.5 + 0 × 0) / 7
    completion: 75,
    planned_cost: 1100.49,
    planned_currency: 'EUR',
    missing_rates: [],
  });
  t.match(await architect!.api.get(`${plan.path}/wbs/${build.id}`), { body: summary! });
  t.strictSame(
    (await plan.items(architect!, { parent_id: build.id, is_milestone: 'false' })).map(({ title }) => title),
    ['Code', 'Check'],
  );
  t.strictSame(
    (await plan.items(architect!, { search: 'chec' })).map(({ outline }) => outline),
    ['2.2'],
  );
  const { body: first } = await architect!.api.get<AnyBody>(`${plan.path}/wbs`, { query: { page_size: '2' } });
  const { body: second } = await architect!.api.get<AnyBody & { items: Item[] }>(`${plan.path}/wbs`, {
    query: { page_size: '2', cursor: first['next_cursor'] as string },
  });
  t.strictSame([first['total'], second.items.map(({ title }) => title)], [5, ['Code', 'Check']]);
  for (const patch of [{ completion: 1 }, { start_date: '2026-01-01' }, { planned_cost: 1 }, { is_milestone: true }])
    t.strictSame(
      problem(await architect!.api.patch(`${plan.path}/wbs/${build.id}`, patch)),
      [422, 'validation_failed', [`/${Object.keys(patch)[0]}`]],
      'computed',
    );
  t.equal((await architect!.api.patch(`${plan.path}/wbs/${build.id}`, { title: 'Make' })).status, 200);
  t.strictSame(
    await sql(
      database,
      `select count(*)::int as n, max(completion)::text as c from ppm_progress where wbs_id = '${code.id}'`,
    ),
    [{ n: 1, c: '100.00' }],
  );
});

t.test('an item of centuries is refused by its end, and a calendar with more working days is not', async (t) => {
  const plan = await Plan.make(architect!, 'Centuries');
  const dates = { title: 'Cathedral', start_date: '1800-01-01', end_date: '2000-01-01' };
  t.strictSame(problem(await architect!.api.post(`${plan.path}/wbs`, dates)), [
    422,
    'validation_failed',
    ['/end_date'],
  ]);
  const item = await plan.item(architect!, 'Tower', { start_date: '1900-01-01', end_date: '1976-01-01' });
  t.equal(item['duration_days'], 19_829);
  const week = await architect!.api.patch(`${plan.path}/plan`, { calendar: { working_days: [1, 2, 3, 4, 5, 6, 7] } });
  t.equal(week.status, 200, JSON.stringify(week.body));
});

t.test('dates, durations, milestones and constraints of an item agree', async (t) => {
  const plan = await Plan.make(architect!, 'Dates');
  const refused: [object, string[]][] = [
    [{ start_date: '2026-03-06', end_date: '2026-03-02' }, ['/end_date']],
    [{ start_date: '2026-03-02', end_date: '2026-03-06', duration_days: 4 }, ['/duration_days']],
    [{ duration_days: 0 }, ['/duration_days']],
    [{ is_milestone: true, start_date: '2026-03-02', end_date: '2026-03-03' }, ['/end_date']],
    [{ is_milestone: true, duration_days: 2 }, ['/duration_days']],
    [{ constraint_type: 'must_start_on' }, ['/constraint_date']],
    [{ constraint_type: 'as_late_as_possible', constraint_date: '2026-03-02' }, ['/constraint_date']],
    [{ planned_currency: 'EUR' }, ['/planned_currency']],
    [{ planned_cost: 1, planned_currency: 'USD' }, ['/planned_currency']],
    [{ completion: 1.234, planned_cost: 0.001 }, ['/completion', '/planned_cost']],
    [{ parent_id: plan.id }, ['/parent_id']],
    [{ after_id: plan.id }, ['/after_id']],
    [{ assignee_id: plan.id }, ['/assignee_id']],
  ];
  for (const [body, fields] of refused)
    t.strictSame(
      problem(await architect!.api.post(`${plan.path}/wbs`, { title: 'Wrong', ...body })),
      [422, 'validation_failed', fields],
      JSON.stringify(body),
    );
  t.strictSame(await plan.items(architect!), []);
  const { id } = await plan.item(architect!, 'Work', { start_date: '2026-03-02', duration_days: 4 });
  const patch = async (body: object) =>
    expectStatus(await architect!.api.patch<Item>(`${plan.path}/wbs/${id}`, body), 200, JSON.stringify(body)).body;
  t.match(await patch({ end_date: '2026-03-06' }), { duration_days: 5 }, 'follows from the dates');
  t.match(await patch({ end_date: '2026-03-09' }), { duration_days: 6 });
  t.match(await patch({ end_date: null }), { duration_days: 6, end_date: null });
  t.match(await patch({ is_milestone: true }), { duration_days: 0, end_date: '2026-03-02' });
  t.match(await patch({ end_date: '2026-03-04' }), { start_date: '2026-03-04', end_date: '2026-03-04' });
  t.match(await patch({ is_milestone: false }), { duration_days: 1 });

  // The calendar of the plan works four days, and on one Friday.
  const calendar = { working_days: [1, 2, 3, 4], exceptions: [{ date: '2026-03-06', working: true }] };
  await patch({ start_date: '2026-03-02', end_date: '2026-03-13' });
  expectStatus(await architect!.api.patch(`${plan.path}/plan`, { calendar }), 200, 'calendar');
  t.match((await plan.items(architect!))[0], { duration_days: 9 });
  const twice = [calendar.exceptions[0], calendar.exceptions[0]];
  t.equal((await architect!.api.patch(`${plan.path}/plan`, { calendar: { exceptions: twice } })).status, 422);
  const stale = { headers: { 'if-match': '"1"' } };
  t.equal((await architect!.api.patch(`${plan.path}/plan`, { start_date: '2026-03-02' }, stale)).status, 412);
  // A holiday is counted by a job.
  expectStatus(await architect!.api.post('/ppm/holidays', { date: '2026-03-03', name: 'Carnival' }), 201, 'holiday');
  t.equal((await architect!.api.post('/ppm/holidays', { date: '2026-03-03', name: 'Again' })).status, 409);
  t.ok(await until(async () => (await plan.items(architect!))[0]!.duration_days === 8, 15_000), 'holiday');
  t.match(
    await sql(
      database,
      `select count(*)::int as n from events where type = 'ppm_plan.recounted' and data->>'card_id' = '${plan.id}'`,
    ),
    [{ n: 1 }],
  );
});

t.test('moves in the tree make no cycles, and deletions say what becomes of children', async (t) => {
  const plan = await Plan.make(architect!, 'Moves');
  const ids: Record<string, string> = {};
  for (const [title, parent] of ['A', 'B', 'C', 'A1 A', 'A2 A', 'A11 A1'].map((line) => line.split(' ')))
    ids[title!] = (await plan.item(architect!, title!, { parent_id: parent === undefined ? null : ids[parent] })).id;
  const { A, B, C, A1, A2, A11 } = ids as Record<string, string>;
  t.strictSame(problem(await plan.move(architect!, 'wbs', A!, { parent_id: A11 })), [
    422,
    'validation_failed',
    ['/parent_id'],
  ]);
  t.strictSame(problem(await plan.move(architect!, 'wbs', A!, { parent_id: A })), [
    422,
    'validation_failed',
    ['/parent_id'],
  ]);
  t.strictSame(problem(await plan.move(architect!, 'wbs', B!, { parent_id: A, before_id: C })), [
    422,
    'validation_failed',
    ['/before_id'],
  ]);
  t.strictSame(problem(await plan.move(architect!, 'wbs', B!, { parent_id: A, before_id: A1, after_id: A1 })), [
    422,
    'validation_failed',
    ['/after_id'],
  ]);
  t.match(await plan.move(architect!, 'wbs', B!, { parent_id: A, after_id: A1 }), {
    status: 200,
    body: { outline: '1.2', version: 2 },
  });
  t.match(
    await plan.move(architect!, 'wbs', B!, { parent_id: A, after_id: A1 }),
    { body: { version: 2 } },
    'there already',
  );
  t.match(await plan.move(architect!, 'wbs', C!, { parent_id: null, before_id: A }), { body: { outline: '1' } });
  t.strictSame(await plan.outline(architect!), ['1 C', '2 A', '2.1 A1', '2.1.1 A11', '2.2 B', '2.3 A2']);
  // Each move halves the gap, so that siblings have to be renumbered at some time.
  for (let i = 0; i < 25; i++) {
    const [first, second] = i % 2 === 0 ? [A2, B] : [B, A2];
    expectStatus(await plan.move(architect!, 'wbs', first!, { parent_id: A, before_id: second }), 200, `move ${i}`);
    expectStatus(await plan.move(architect!, 'wbs', first!, { parent_id: A, after_id: A1 }), 200, `move ${i}`);
  }
  t.match(await plan.outline(architect!), ['1 C', '2 A', '2.1 A1', '2.1.1 A11', '2.2 A2', '2.3 B']);

  const task = await plan.task(architect!, 'Part of A11', { wbs_id: A11 });
  expectStatus(await plan.depend(architect!, A11!, C!), 201, 'dependency');
  const refused = await architect!.api.del(`${plan.path}/wbs/${A}`);
  t.match(refused, { status: 409, body: { code: 'ppm_has_children', children: 3 } });
  t.equal((await architect!.api.del(`${plan.path}/wbs/${A}`, { query: { strategy: 'reparent' } })).status, 204);
  t.strictSame(await plan.outline(architect!), ['1 C', '2 A1', '2.1 A11', '3 A2', '4 B']);
  t.equal((await architect!.api.del(`${plan.path}/wbs/${A1}`, { query: { strategy: 'cascade' } })).status, 204);
  t.strictSame(await plan.outline(architect!), ['1 C', '2 A2', '3 B']);
  t.match(await plan.tasks(architect!), [{ id: task.id, wbs_id: null, version: 2 }]);
  t.match(await architect!.api.get(`${plan.path}/dependencies`), { body: { total: 0 } });
  const types = await sql<{ type: string; n: number }>(
    database,
    `select type, count(*)::int as n from events where data->>'card_id' = '${plan.id}' and type like '%.deleted' group by type order by type`,
  );
  t.strictSame(types, [
    { type: 'ppm_dependency.deleted', n: 1 },
    { type: 'ppm_wbs.deleted', n: 3 },
  ]);

  let parent: string | null = null;
  for (let depth = 0; depth < 20; depth++)
    parent = (await plan.item(architect!, `Deep ${depth}`, { parent_id: parent })).id;
  t.strictSame(problem(await architect!.api.post(`${plan.path}/wbs`, { title: 'Too deep', parent_id: parent })), [
    422,
    'validation_failed',
    ['/parent_id'],
  ]);
  const tall = await plan.item(architect!, 'Tall');
  await plan.item(architect!, 'Top', { parent_id: tall.id });
  const nearEnd = (await plan.items(architect!)).find(({ title }) => title === 'Deep 18')!;
  t.equal(
    (await plan.move(architect!, 'wbs', tall.id, { parent_id: nearEnd.id })).status,
    422,
    'with what is below it',
  );
});

t.test('20 parallel moves in the tree and on the board lose nothing', async (t) => {
  const plan = await Plan.make(architect!, 'Races');
  const items = await Promise.all(
    Array.from({ length: 8 }, (_, i) =>
      plan.item(architect!, `Item ${i}`, { duration_days: i + 1, completion: i * 10 }),
    ),
  );
  // Each item is moved below another one: some of these contradict each other.
  const moves = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      plan.move(architect!, 'wbs', items[i % 8]!.id, { parent_id: items[(i * 3 + 1) % 8]!.id }),
    ),
  );
  t.ok(
    moves.every(({ status }) => status === 200 || status === 422),
    'no other answer',
  );
  t.ok(moves.some(({ status }) => status === 200));
  const after = await plan.items(architect!);
  t.equal(after.length, 8, 'all are in the tree, so that none is in a cycle');
  const parents = new Map(after.map(({ id, parent_id }) => [id, parent_id]));
  for (const { id } of items) {
    let steps = 0;
    for (let at = parents.get(id) ?? null; at !== null; at = parents.get(at) ?? null) if (++steps > 8) break;
    t.ok(steps <= 8, 'no cycle');
  }
  const rollUp = async () =>
    expectStatus(await architect!.api.get<{ completion: number; counts: object }>(plan.path), 200, 'the roll-up').body;
  const rolledUp = await rollUp();
  const lowest = items.flatMap(({ id }, i) => ([...parents.values()].includes(id) ? [] : i));
  const days = lowest.reduce((sum, i) => sum + i + 1, 0);
  const done = lowest.reduce((sum, i) => sum + (i + 1) * i * 10, 0);
  t.ok(Math.abs(rolledUp.completion - done / days) < 0.01, `${rolledUp.completion} is ${done} / ${days}`);
  t.match(rolledUp, { items: lowest.length, counts: { wbs: 8 } });
  const tasks = await Promise.all(Array.from({ length: 10 }, (_, i) => plan.task(architect!, `Task ${i}`)));
  const boardMoves = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      plan.move(architect!, 'tasks', tasks[i % 10]!.id, {
        status: ['todo', 'in_progress', 'done'][i % 3],
      }),
    ),
  );
  t.strictSame([...new Set(boardMoves.map(({ status }) => status))], [200]);
  const boardRollUp = await rollUp();
  const board = await plan.tasks(architect!);
  t.strictSame(board.map(({ title }) => title).sort(), tasks.map(({ title }) => title).sort());
  const open = board.filter(({ status }) => status !== 'done').length;
  t.match(boardRollUp.counts, { tasks: 10, open_tasks: open, wbs: 8 });
  t.equal(boardRollUp.completion, rolledUp.completion, 'tasks do not count');
  t.ok(board.every(({ status, completed_at }) => (status === 'done') === (completed_at !== null)));
  const order = 'select count(*)::int as n, count(distinct (status, position))::int as places from ppm_tasks';
  t.strictSame(await sql(database, `${order} where card_id = '${plan.id}'`), [{ n: 10, places: 10 }]);

  // A move against a deletion of the new parent: one of them wins, and no item is lost.
  const [goal, moved] = [await plan.item(architect!, 'Goal'), await plan.item(architect!, 'Moved')];
  const [move, removal] = await Promise.all([
    plan.move(architect!, 'wbs', moved.id, { parent_id: goal.id }),
    architect!.api.del(`${plan.path}/wbs/${goal.id}`),
  ]);
  t.match([move.status, removal.status], move.status === 200 ? [200, 409] : [422, 204]);
  t.ok((await plan.items(architect!)).some(({ id }) => id === moved.id));
  // Two dependencies that together are a cycle.
  const [one, two] = [await plan.item(architect!, 'One'), await plan.item(architect!, 'Two')];
  const both = await Promise.all([plan.depend(architect!, one.id, two.id), plan.depend(architect!, two.id, one.id)]);
  t.strictSame(both.map(({ status }) => status).sort(), [201, 422]);
  // The same dependency twice.
  const [three, four] = [await plan.item(architect!, 'Three'), await plan.item(architect!, 'Four')];
  const same = await Promise.all([1, 2].map(() => plan.depend(architect!, three.id, four.id)));
  t.strictSame(same.map(({ status }) => status).sort(), [201, 409]);
});

t.test('dependencies that contradict each other are refused, also through summaries', async (t) => {
  const plan = await Plan.make(architect!, 'Cycles');
  const [a, b, c, sum] = await Promise.all(['A', 'B', 'C', 'Sum'].map((title) => plan.item(architect!, title)));
  const below = await plan.item(architect!, 'Below', { parent_id: sum!.id });
  expectStatus(await plan.depend(architect!, a!.id, b!.id, { type: 'SS', lag_days: -2 }), 201, 'A B');
  expectStatus(await plan.depend(architect!, b!.id, c!.id), 201, 'B C');
  const cycle = await plan.depend(architect!, c!.id, a!.id, { type: 'FF' });
  t.match(problem(cycle), [422, 'validation_failed', ['/successor_id']]);
  t.strictSame((cycle.body as AnyBody & { cycle: { title: string }[] }).cycle.map(({ title }) => title).sort(), [
    'A',
    'B',
    'C',
  ]);
  t.equal((await plan.depend(architect!, sum!.id, below.id)).status, 422, 'an item and the one above it');
  t.equal((await plan.depend(architect!, a!.id, a!.id)).status, 422);
  t.strictSame(problem(await plan.depend(architect!, plan.id, admin.user.id)), [
    422,
    'validation_failed',
    ['/predecessor_id', '/successor_id'],
  ]);
  expectStatus(await plan.depend(architect!, c!.id, sum!.id), 201, 'C Sum');
  t.equal((await plan.depend(architect!, below.id, a!.id)).status, 422, 'what is below a summary');
  // A move can make a cycle too.
  t.match(problem(await plan.move(architect!, 'wbs', a!.id, { parent_id: sum!.id })), [
    422,
    'validation_failed',
    ['/parent_id'],
  ]);
  t.match(problem(await plan.move(architect!, 'wbs', sum!.id, { parent_id: c!.id })), [
    422,
    'validation_failed',
    ['/parent_id'],
  ]);
  t.strictSame((await plan.items(architect!)).find(({ id }) => id === a!.id)?.parent_id, null);
  const other = await Plan.make(architect!, 'Other plan');
  const far = await other.item(architect!, 'Far');
  t.equal((await plan.depend(architect!, far.id, a!.id)).status, 422, 'of another plan');
});

t.test('the board keeps its order, and tells assignees', async (t) => {
  const plan = await Plan.make(architect!, 'Board');
  const tasks: Task[] = [];
  for (const title of ['A', 'B', 'C'])
    tasks.push(await plan.task(architect!, title, { tags: ['x'], effort_hours: 2.5 }));
  const [a, b, c] = tasks;
  const column = async (status: string) =>
    (await plan.tasks(architect!, { status })).map(({ title }) => title).join('');
  await plan.move(architect!, 'tasks', c!.id, { status: 'todo', before_id: a!.id });
  t.equal(await column('todo'), 'CAB');
  await plan.move(architect!, 'tasks', b!.id, { status: 'done' });
  await plan.move(architect!, 'tasks', a!.id, { status: 'done', before_id: b!.id });
  t.strictSame([await column('todo'), await column('done')], ['C', 'AB']);
  t.strictSame(problem(await plan.move(architect!, 'tasks', a!.id, { status: 'todo', after_id: b!.id })), [
    422,
    'validation_failed',
    ['/after_id'],
  ]);
  const { body: undone } = await architect!.api.patch<Task>(`${plan.path}/tasks/${a!.id}`, { status: 'todo' });
  t.match([undone.completed_at, await column('todo')], [null, 'CA']);
  const stale = await plan.move(architect!, 'tasks', a!.id, { status: 'todo' }, { 'if-match': '"1"' });
  t.equal(stale.status, 412);

  const assign = (id: string | null) => architect!.api.patch(`${plan.path}/tasks/${a!.id}`, { assignee_id: id });
  expectStatus(await assign(member!.user.id), 200, 'assigned');
  const told = async (who: typeof member, kind: string) =>
    (await who!.api.get<AnyBody>(`/notifications?kind=${kind}`)).body.total;
  t.equal(await told(member, 'ppm.task_assigned'), 1);
  t.match(await member!.api.get('/ppm/tasks?assignee_id=me'), {
    body: { total: 1, items: [{ title: 'A', initiative: { name: 'Board' }, assignee: { id: member!.user.id } }] },
  });
  t.match(await viewer!.api.get('/ppm/tasks?assignee_id=me'), { body: { total: 0 } });
  const comments = `${plan.path}/tasks/${a!.id}/comments`;
  const { body: comment } = expectStatus(await architect!.api.post(comments, { text: 'Done?' }), 201, 'comment');
  t.equal(await told(member, 'ppm.task_commented'), 1);
  t.equal((await member!.api.patch(`${comments}/${comment.id}`, { text: 'Forged' })).status, 403, 'of another author');
  t.match(await architect!.api.get(`${plan.path}/tasks/${a!.id}`), { body: { comment_count: 1 } });
  expectStatus(await member!.api.patch(`${plan.path}/tasks/${c!.id}`, { assignee_id: member!.user.id }), 200, 'self');
  t.equal(await told(member, 'ppm.task_assigned'), 1, 'nobody is told what they did themselves');
  t.equal(
    (await architect!.api.get(`${plan.path}/tasks/${b!.id}/comments/${comment.id}`)).status,
    404,
    'of another task',
  );
  t.strictSame(
    problem(
      await architect!.api.patch(`${plan.path}/tasks/${a!.id}`, { start_date: '2026-02-01', due_date: '2026-01-01' }),
    ),
    [422, 'validation_failed', ['/due_date']],
  );
  await architect!.api.patch(`${plan.path}/tasks/${a!.id}`, { due_date: '2020-01-01' });
  t.strictSame(
    (await plan.tasks(architect!, { is_overdue: 'true' })).map(({ title }) => title),
    ['A'],
  );
  // A user who may not see plans is not told about them.
  await admin.api.post('/roles', {
    key: 'outsider',
    label: 'Outsider',
    permissions: ['cards.view', 'notifications.own'],
  });
  const outsider = await makeUser(admin, 'outsider');
  expectStatus(await assign(outsider.user.id), 200, 'outsider');
  t.equal(await told(outsider, 'ppm.task_assigned'), 0);
});

t.test('rights: viewers read, managers of the project write, and hidden initiatives do not exist', async (t) => {
  const plan = await Plan.make(architect!, 'Rights');
  const item = await plan.item(architect!, 'Secret work', { planned_cost: 4711 });
  const next = await plan.item(architect!, 'Next');
  const task = await plan.task(architect!, 'Secret task', { assignee_id: viewer!.user.id });
  const report = {
    report_date: '2026-01-31',
    schedule_health: 'on_track',
    cost_health: 'on_track',
    scope_health: 'at_risk',
  };
  const writes = (by: typeof viewer) => [
    () => by!.api.post(`${plan.path}/wbs`, { title: 'New' }),
    () => by!.api.patch(`${plan.path}/wbs/${item.id}`, { title: 'Changed' }),
    () => plan.move(by!, 'wbs', item.id, { parent_id: null }),
    () => by!.api.post(`${plan.path}/tasks`, { title: 'New' }),
    () => plan.move(by!, 'tasks', task.id, { status: 'done' }),
    () => by!.api.post(`${plan.path}/tasks/${task.id}/comments`, { text: 'Hello' }),
    () => plan.depend(by!, item.id, next.id),
    () => by!.api.post(`${plan.path}/status-reports`, report),
    () => by!.api.patch(`${plan.path}/plan`, { start_date: '2026-01-05' }),
  ];
  for (const write of writes(viewer)) t.equal((await write()).status, 403);
  t.equal((await viewer!.api.del(`${plan.path}/wbs/${item.id}`)).status, 403);
  const lead = await makeUser(admin, 'viewer');
  const named = { user_id: lead.user.id, role: 'project_manager' };
  expectStatus(await architect!.api.post(`/cards/${plan.id}/stakeholders`, named), 201, 'project manager');
  for (const [i, write] of writes(lead).entries()) t.ok([200, 201].includes((await write()).status), `write ${i}`);
  const other = await Plan.make(architect!, 'Of others');
  t.equal((await lead.api.post(`${other.path}/wbs`, { title: 'New' })).status, 403, 'of this card only');

  // No amounts for who may not see the costs of the card.
  const made = await admin.api.post('/roles', {
    key: 'planner',
    label: 'Planner',
    permissions: ['cards.view', 'ppm.view', 'ppm.manage'],
  });
  expectStatus(made, 201, 'role');
  const planner = await makeUser(admin, 'planner');
  const [seen] = await plan.items(planner, { search: 'changed' });
  t.match(seen, { planned_cost: null, planned_currency: null, amounts_withheld: true });
  for (const path of ['', `/${item.id}`, `/${item.id}/history`])
    t.notMatch(JSON.stringify((await planner.api.get(`${plan.path}/wbs${path}`)).body), /(?<![\w-])4711(?![\w-])/);
  t.equal((await planner.api.patch(`${plan.path}/wbs/${item.id}`, { planned_cost: 1 })).status, 403);
  t.equal((await planner.api.patch(`${plan.path}/wbs/${item.id}`, { completion: 30 })).status, 200);
  t.strictSame(
    await sql(
      database,
      `select count(*)::int as n from events where data::text ~ '[^0-9a-f-]4711[^0-9a-f-]' and type like 'ppm%'`,
    ),
    [{ n: 0 }],
  );
  t.match(await sql(database, `select planned_cost::text as c from ppm_wbs where id = '${item.id}'`), [
    { c: '4711.00' },
  ]);

  // Without the type, nothing exists.
  await admin.api.post('/roles', {
    key: 'narrow',
    label: 'Narrow',
    permissions: ['cards.view', 'ppm.view', 'ppm.manage'],
    types: { Initiative: { 'cards.view': false } },
  });
  const narrow = await makeUser(admin, 'narrow');
  const paths = ['wbs', `wbs/${item.id}`, 'tasks', `tasks/${task.id}`, 'dependencies', 'status-reports', 'plan'];
  for (const path of paths) t.equal((await narrow.api.get(`${plan.path}/${path}`)).status, 404, path);
  for (const [i, write] of writes(narrow).entries()) t.equal((await write()).status, 404, `write ${i}`);
  t.match(await narrow.api.get('/ppm/tasks'), { body: { total: 0, items: [] } });
  const { body: application } = await architect!.api.post('/cards', { type: 'Application', name: 'No initiative' });
  t.equal((await architect!.api.get(`/ppm/initiatives/${application.id}/wbs`)).status, 404, 'of another type');
  t.equal((await architect!.api.get(`${other.path}/wbs/${item.id}`)).status, 404, 'of another initiative');
  t.equal((await architect!.api.patch(`${other.path}/wbs/${item.id}`, { title: 'X' })).status, 404);
  t.equal((await plan.move(architect!, 'wbs', other.id, { parent_id: null })).status, 404);
});

t.test('plans of archived initiatives are read only, and are deleted with their cards', async (t) => {
  const plan = await Plan.make(architect!, 'Ends');
  const parent = await plan.item(architect!, 'Work');
  await plan.item(architect!, 'Part', { parent_id: parent.id });
  const task = await plan.task(architect!, 'Task', { wbs_id: parent.id });
  await architect!.api.post(`${plan.path}/tasks/${task.id}/comments`, { text: 'Hello' });
  expectStatus(await architect!.api.post(`/cards/${plan.id}/archive`), 200, 'archived');
  const writes = [
    () => architect!.api.post(`${plan.path}/wbs`, { title: 'New' }),
    () => architect!.api.patch(`${plan.path}/wbs/${parent.id}`, { title: 'New' }),
    () => architect!.api.del(`${plan.path}/wbs/${parent.id}`),
    () => plan.move(architect!, 'wbs', parent.id, { parent_id: null }),
    () => plan.move(architect!, 'tasks', task.id, { status: 'done' }),
    () => architect!.api.patch(`${plan.path}/tasks/${task.id}`, { title: 'New' }),
    () => architect!.api.post(`${plan.path}/tasks/${task.id}/comments`, { text: 'New' }),
    () => architect!.api.patch(`${plan.path}/plan`, { start_date: '2026-01-05' }),
  ];
  for (const [i, write] of writes.entries())
    t.match(await write(), { status: 409, body: { code: 'invalid_state' } }, `write ${i}`);
  t.equal((await plan.items(architect!)).length, 2);
  expectStatus(await admin.api.del(`/cards/${plan.id}`), 204, 'deleted');
  t.equal((await architect!.api.get(`${plan.path}/wbs`)).status, 404);
  const left = `select (select count(*) from ppm_wbs where card_id = '${plan.id}') + (select count(*) from ppm_tasks where card_id = '${plan.id}') as n`;
  t.strictSame(
    (await sql<{ n: string }>(database, left)).map(({ n }) => Number(n)),
    [0],
  );
});

t.test('limits of a plan, and unusual texts', async (t) => {
  const plan = await Plan.make(architect!, 'Limits');
  await plan.item(architect!, '<script>alert(1)</script> 🦦 \u202e');
  const fill = (table: string, columns: string, values: string, n: number) =>
    sql(
      database,
      `insert into ${table} (id, created_at, updated_at, card_id, search_text, title, ${columns})
        select gen_random_uuid(), now(), now(), '${plan.id}', '', 'Filled', ${values} from generate_series(2, ${n}) i`,
    );
  await fill('ppm_wbs', 'position, is_milestone, completion', 'i::bigint * 1048576, false, 0', 10_000);
  await fill('ppm_tasks', 'position, status, priority, tags', "i::bigint * 1048576, 'todo', 'low', '{}'", 20_001);
  for (const part of ['wbs', 'tasks'])
    t.match(
      problem(await architect!.api.post(`${plan.path}/${part}`, { title: 'One more' })),
      [422, 'validation_failed', ['']],
      part,
    );
  const { body } = await architect!.api.get<AnyBody>(`${plan.path}/wbs?page=50&page_size=200`);
  t.match([body['total'], (body as unknown as { items: Item[] }).items.at(-1)?.outline], [10_000, '10000']);
  for (const title of ['a\u0000b', 'a\nb', ' ', 'x'.repeat(301)])
    t.equal(
      (await architect!.api.post(`${plan.path}/tasks`, { title })).status,
      422,
      JSON.stringify(title.slice(0, 5)),
    );
});
