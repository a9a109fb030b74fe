/** The number of statements for plans does not depend on the number of items, tasks, costs and dependencies. */
import t from 'tap';
import { Plan } from '../../plugins/ppm/test/plan-support.js';
import { expectStatus, makeUser, registerAdmin, testApp } from '../support/app.js';
import { watchStatements } from '../support/statements.js';

const watch = watchStatements();
const { origin, close } = await testApp();
t.teardown(close);
const editor = await makeUser(await registerAdmin(origin), 'architect');

async function statementsOf(work: () => Promise<{ status: number }>): Promise<number> {
  const { answer, statements } = await watch.during(work);
  if (answer.status >= 300) throw new Error(`the request gave ${answer.status}`);
  // Whether a write queues the roll-up depends on when the one before it has run.
  return statements.filter(({ text }) => !/\bjobs?\b|job\.queued/.test(text)).length;
}

/** Numbers of statements of writes and reads of a plan. @param n items, each with a task, a cost line and a dependency */
async function plansOf(n: number, label = 'Second'): Promise<Record<string, number>> {
  const plan = await Plan.make(editor, `${label} with ${n}`);
  const parent = await plan.item(editor, 'Parent');
  const last = await plan.item(editor, 'Last');
  const dates = { start_date: '2026-03-02', end_date: '2026-03-06', planned_cost: 1 };
  const fill = async (): Promise<void> => {
    for (let i = 0; i < n; i++) {
      const { id } = await plan.item(editor, `Item ${i}`, { parent_id: parent.id, ...dates });
      await plan.task(editor, `Task ${i}`, { wbs_id: id });
      expectStatus(await plan.depend(editor, id, last.id), 201, 'dependency');
      const cost = { wbs_id: id, category: 'opex', date: '2026-03-02', actual: 1 };
      expectStatus(await editor.api.post(`${plan.path}/costs`, cost), 201, 'cost');
    }
  };
  await fill();
  const [first] = await plan.items(editor, { parent_id: parent.id });
  const [task] = await plan.tasks(editor);
  const path = `${plan.path}/wbs`;
  const counts = {
    listed: await statementsOf(() => editor.api.get(path, { query: { page_size: 200 } })),
    read: await statementsOf(() => editor.api.get(`${path}/${parent.id}`)),
    board: await statementsOf(() => editor.api.get(`${plan.path}/tasks`, { query: { page_size: 200 } })),
    changed: await statementsOf(() => editor.api.patch(`${path}/${first!.id}`, { completion: 10 })),
    moved: await statementsOf(() => plan.move(editor, 'wbs', first!.id, { parent_id: null, before_id: parent.id })),
    task: await statementsOf(() => plan.move(editor, 'tasks', task!.id, { status: 'done' })),
    calendar: await statementsOf(() =>
      editor.api.patch(`${plan.path}/plan`, { calendar: { working_days: [1, 2, 3] } }),
    ),
    raised: await statementsOf(() => editor.api.del(`${path}/${parent.id}`, { query: { strategy: 'reparent' } })),
  };
  const above = await plan.item(editor, 'Above');
  for (const { id } of await plan.items(editor, { parent_id: 'none' }))
    if (id !== above.id && id !== last.id)
      expectStatus(await plan.move(editor, 'wbs', id, { parent_id: above.id }), 200, 'move');
  const removed = await statementsOf(() => editor.api.del(`${path}/${above.id}`, { query: { strategy: 'cascade' } }));
  t.match(await plan.tasks(editor), [{ wbs_id: null }]);
  t.match((await editor.api.get(`${plan.path}/costs`)).body, { total: n, items: [{ wbs_id: null, version: 2 }] });
  return { ...counts, removed };
}

t.test('writes and reads of a plan', async (t) => {
  // The first round fills caches.
  await plansOf(2, 'First');
  const [few, many] = [await plansOf(2), await plansOf(20)];
  t.strictSame(many, few);
  t.comment(JSON.stringify(few));
});
