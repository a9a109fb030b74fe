/** Files of plans as Microsoft Project reads them, by its schema (mspdi_pj12.xsd). */
import t from 'tap';
import { expectStatus, makeUser, registerAdmin, testApp } from '../../../test/support/app.js';
import { Plan } from './plan-support.js';

const { origin, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const architect = await makeUser(admin, 'architect');
const authorization = `Bearer ${architect.token}`;
const fileOf = async ({ path }: Plan): Promise<string> =>
  await (await fetch(`${origin}/api/v1${path}/plan.xml`, { headers: { authorization } })).text();

/** Those of the elements that are written, in the order of the schema. */
const TASK =
  'UID ID Name Type IsNull OutlineNumber OutlineLevel Start Finish Duration DurationFormat Estimated Milestone Summary Critical FixedCost PercentComplete Cost ConstraintType CalendarUID ConstraintDate Notes PredecessorLink ExtendedAttribute';

t.test('the elements of a task are a sequence', async (t) => {
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
  const file = await fileOf(plan);
  const task = /<Task>(?:(?!<Task>).)*<Name>Second<.*?<\/Task>/s
    .exec(file)![0]
    .slice('<Task>'.length, -'</Task>'.length);
  const names = [...task.matchAll(/<(\w+)>.*?<\/\1>/gs)].map(([, name]) => name!);
  t.strictSame([...new Set(names)], TASK.split(' '));
});

t.test('the calendar of the tasks is a base calendar, and has the holidays itself', async (t) => {
  const plan = await Plan.make(architect, 'Calendar');
  await plan.item(architect, 'First', { duration_days: 2 });
  const holiday = { date: '2026-03-10', name: 'Founders' };
  expectStatus(await admin.api.post('/ppm/holidays', holiday), 201, 'a holiday');
  const move = { date: '2026-03-12', working: false, name: 'Move' };
  const patched = await architect.api.patch(`${plan.path}/plan`, { calendar: { exceptions: [move] } });
  expectStatus(patched, 200, 'a calendar');
  const file = await fileOf(plan);
  const used = /<CalendarUID>(\d+)<\/CalendarUID>/.exec(file)![1];
  const calendar = new RegExp(`<Calendar><UID>${used}</UID>.*?</Calendar>`, 's').exec(file)![0];
  // Only applicable if the calendar is not a base calendar, says the schema.
  t.match(calendar, '<IsBaseCalendar>1</IsBaseCalendar><BaseCalendarUID>-1</BaseCalendarUID>');
  t.equal(calendar.match(/<WeekDay>/g)?.length, 7);
  t.strictSame(
    [...calendar.matchAll(/<FromDate>(.{10}).*?<Name>(.*?)<\/Name>/g)].map(([, date, name]) => [date, name]),
    [
      [holiday.date, holiday.name],
      [move.date, move.name],
    ],
  );

  const imported = async (content: string): Promise<unknown> => {
    const response = await fetch(`${origin}/api/v1${plan.path}/plan/import`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/xml' },
      body: content,
    });
    t.equal(response.status, 200);
    return ((await response.json()) as { calendar_changed: unknown }).calendar_changed;
  };
  const stored = async (): Promise<unknown> =>
    expectStatus(await architect.api.get(`${plan.path}/plan`), 200, 'a plan').body['calendar'];
  const before = await stored();
  t.equal(await imported(file), false);
  t.strictSame(await stored(), before, 'holidays of the organisation do not become days of the plan');
  const more = calendar.replace('</Exceptions>', (end) => {
    const period =
      '<TimePeriod><FromDate>2026-03-13T00:00:00</FromDate><ToDate>2026-03-13T23:59:00</ToDate></TimePeriod>';
    return `<Exception>${period}<Name>Added</Name><Type>1</Type><DayWorking>0</DayWorking></Exception>${end}`;
  });
  t.equal(await imported(file.replace(calendar, more)), true);
  t.match(await stored(), { exceptions: [move, { date: '2026-03-13', working: false, name: 'Added' }] });
  t.equal(
    ((await stored()) as { exceptions: unknown[] }).exceptions.length,
    2,
    'only that of the plan and the new one',
  );
});
