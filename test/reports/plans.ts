/** Plans of initiatives and flows of processes for the demo, so that the reports about them have something to show. */
import { Flow, flow } from '../../plugins/bpm/test/support.js';
import { Plan } from '../../plugins/ppm/test/plan-support.js';
import { expectStatus, makeUser, type Session } from '../support/app.js';

const PLANS = 8;
const FLOWS = 12;
const ASSESSED = 24;
const PHASES = ['Concept', 'Procurement', 'Building and integration', 'Roll-out to all depots and regions'];
const HEALTHS = ['on_track', 'at_risk', 'off_track', 'on_track'];
const DAY = 86_400_000;
const dayAfter = (days: number): string => new Date(Date.now() + days * DAY).toISOString().slice(0, 10);

async function cardsOf({ api }: Session, type: string): Promise<string[]> {
  const { body } = await api.get('/cards', { query: { type, page_size: 100, sort_by: 'name' } });
  return body.items.map(({ id }) => id);
}

/** A plan with phases, milestones, money, tasks and a status report; the later ones are behind theirs. */
async function addPlan(admin: Session, id: string, n: number, people: readonly string[]): Promise<void> {
  const { api } = admin;
  const plan = new Plan(id);
  const year = new Date().getUTCFullYear();
  let begin = -120 + n * 20;
  for (const [i, title] of PHASES.entries()) {
    const length = 40 + ((n * 17 + i * 29) % 60);
    const dates = { start_date: dayAfter(begin), end_date: dayAfter(begin + length) };
    const { id: item } = await plan.item(admin, title, { ...dates, completion: Math.max(0, 100 - i * 30 - n * 5) });
    await plan.item(admin, `${title}: accepted`, { is_milestone: true, end_date: dates.end_date });
    const assignee_id = people[(n * 3 + i) % people.length]!;
    const due = { start_date: dayAfter(i * 14), due_date: dayAfter(i * 14 + 20) };
    await plan.task(admin, `Prepare: ${title}`, {
      wbs_id: item,
      assignee_id,
      effort_hours: 30 + ((n * 31 + i * 47) % 150),
      ...due,
    });
    begin += length + 5;
  }
  for (const [i, category] of ['capex', 'opex'].entries()) {
    const amount = (n + 2) * 140_000 + i * 90_000;
    expectStatus(await api.post(`${plan.path}/budgets`, { fiscal_year: year, category, amount }), 201, 'a budget');
    const cost = {
      category,
      date: dayAfter(-30),
      planned: amount * 0.8,
      actual: Math.round(amount * (0.3 + n * 0.11)),
    };
    expectStatus(await api.post(`${plan.path}/costs`, cost), 201, 'costs');
  }
  const health = HEALTHS[n % HEALTHS.length]!;
  const states = { schedule_health: health, cost_health: 'on_track', scope_health: 'on_track' };
  const report = { report_date: dayAfter(-7), summary: 'See the plan.', ...states };
  expectStatus(await api.post(`${plan.path}/status-reports`, report), 201, 'a status report');
}

/** Fills plans, flows and assessments of the demo. */
export async function addPlans(admin: Session): Promise<void> {
  const { api } = admin;
  const { body: users } = await api.get('/users', { query: { page_size: 50 } });
  const people = users.items.map(({ id }) => id).slice(0, 9);
  const initiatives = await cardsOf(admin, 'Initiative');
  for (const [n, id] of initiatives.slice(0, PLANS).entries()) await addPlan(admin, id, n, people);
  const approver = await makeUser(admin, 'architect');
  const [processes, applications] = [await cardsOf(admin, 'BusinessProcess'), await cardsOf(admin, 'Application')];
  for (const [n, id] of processes.slice(0, FLOWS).entries()) {
    const process = new Flow(id);
    const steps = { Receive: 'Receive the order', Check: 'Check it against the contract', Settle: 'Settle' };
    const { body } = await process.upload(admin, flow(steps, { processId: `Process_${n}` }));
    for (const [i, step] of ['Receive', 'Check'].entries())
      await process.link(admin, await process.element(admin, step, body.id), [applications[(n * 2 + i) % 15]!]);
    // Some stay drafts, and some are submitted.
    if (n % 4 === 1) continue;
    if (n % 4 === 2) await process.move(admin, body.id, 'submit');
    else await process.release(admin, approver, body.id);
  }
  for (const [n, id] of processes.slice(0, ASSESSED).entries()) {
    const score = (of: number): number => 1 + ((n * 7 + of * 3) % 5);
    const scores = { efficiency: score(1), effectiveness: score(2), compliance: score(3), automation: score(4) };
    const assessment = { assessed_on: '2026-03-10', overall: score(0), ...scores };
    expectStatus(await api.post(`/bpm/processes/${id}/assessments`, assessment), 201, 'an assessment');
  }
}
