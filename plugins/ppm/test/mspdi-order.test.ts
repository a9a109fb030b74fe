/** The elements of a task in a file of Microsoft Project are a sequence in its schema (mspdi_pj12.xsd). */
import t from 'tap';
import { makeUser, registerAdmin, testApp } from '../../../test/support/app.js';
import { Plan } from './plan-support.js';

/** Those of the elements that are written, in the order of the schema. */
const TASK =
  'UID ID Name Type IsNull OutlineNumber OutlineLevel Start Finish Duration DurationFormat Estimated Milestone Summary Critical FixedCost PercentComplete Cost ConstraintType CalendarUID ConstraintDate Notes PredecessorLink ExtendedAttribute';

t.test('a task with all elements', async (t) => {
  const { origin, close } = await testApp();
  t.teardown(close);
  const architect = await makeUser(await registerAdmin(origin), 'architect');
  const plan = await Plan.make(architect, 'Order');
  const first = await plan.item(architect, 'First', { duration_days: 2 });
  const second = await plan.item(architect, 'Second', {
    start_date: '2026-03-09',
    duration_days: 3,
    completion: 50,
    planned_cost: 12.5,
    description: 'Notes',
  });
  t.equal((await plan.depend(architect, first.id, second.id, { type: 'FS' })).status, 201);
  const url = `${origin}/api/v1${plan.path}/plan.xml`;
  const file = await (await fetch(url, { headers: { authorization: `Bearer ${architect.token}` } })).text();
  const task = /<Task>(?:(?!<Task>).)*<Name>Second<.*?<\/Task>/s
    .exec(file)![0]
    .slice('<Task>'.length, -'</Task>'.length);
  const names = [...task.matchAll(/<(\w+)>.*?<\/\1>/gs)].map(([, name]) => name!);
  t.strictSame([...new Set(names)], TASK.split(' '));
});
