/** Initial decisions, risks, flows, diagrams and plans, and data that no request creates: waiting jobs and parked events. */
import { systemContext } from '../../core/foundation/context.js';
import { expectStatus, sql, type Session, type TestApp } from '../support/app.js';
import type { World } from './world.js';

interface Place {
  admin: Session;
  world: World;
}

/** Posts and collects the ids of the answer. @returns the id @throws unless it succeeds */
async function post({ admin, world }: Place, path: string, template: string, body: unknown): Promise<string> {
  const answer = await admin.api.post(path, body);
  if (answer.status >= 300) throw new Error(`POST ${path} gave ${answer.status}: ${JSON.stringify(answer.body)}`);
  world.collectIds(`/api/v1${template}`, `/api/v1${path}`, answer.body);
  return answer.body.id;
}

/** Creates a decision and takes the steps: without steps it is a draft, then in review, then signed. */
export async function createDecision(
  place: Place,
  title: string,
  steps: readonly ('request' | 'sign')[],
): Promise<void> {
  const id = await post(place, '/adr', '/adr', { title, context: 'Why', decision: 'What' });
  for (const step of steps) {
    if (step === 'request')
      await post(place, `/adr/${id}/request-signatures`, '/adr/{id}/request-signatures', {
        user_ids: [place.admin.user.id],
      });
    else await post(place, `/adr/${id}/sign`, '/adr/{id}/sign', {});
  }
}

/** Creates a statement of architecture work with a comment and takes the steps, and a template. */
export async function createStatement(
  place: Place,
  title: string,
  card: string,
  steps: readonly ('request' | 'sign')[],
): Promise<void> {
  const tables = ['cards', 'gaps', 'costs', 'risks', 'decisions', 'roadmap'].map((kind) => ({
    id: kind,
    kind,
    title: kind,
    filter: { type: 'Application' },
  }));
  const id = await post(place, '/soaw', '/soaw', {
    title,
    sections: [{ key: 'overview', title: 'Overview', text: 'Why', tables }],
    cards: [{ card_id: card, role: 'in_scope' }],
  });
  await post(place, `/soaw/${id}/comments`, '/soaw/{document_id}/comments', { section: 'overview', text: 'How?' });
  await post(place, '/soaw/templates/own', '/soaw/templates/own', {
    name: `${title} ${id}`,
    sections: [{ key: 'overview', title: 'Overview' }],
  });
  for (const step of steps) {
    const action = step === 'request' ? 'request-signatures' : 'sign';
    const body = step === 'request' ? { user_ids: [place.admin.user.id] } : {};
    await post(place, `/soaw/${id}/${action}`, `/soaw/{id}/${action}`, body);
  }
}

/** Creates a risk of the card, with a mitigation that has an occurrence to be completed. */
export async function createRisk(place: Place, title: string, card: string): Promise<void> {
  const { admin, world } = place;
  const risk = await post(place, '/risks', '/risks', {
    title,
    category: 'technology',
    initial_probability: 'high',
    initial_impact: 'high',
  });
  await post(place, `/risks/${risk}/cards`, '/risks/{id}/cards', { card_id: card, role: 'affected' });
  const mitigations = `/risks/${risk}/mitigations`;
  const mitigation = await post(place, mitigations, '/risks/{id}/mitigations', {
    title,
    due_date: '2026-03-31',
    recurrence: 'quarterly',
  });
  const occurrences = `${mitigations}/${mitigation}/occurrences`;
  world.collectIds(
    '/api/v1/risks/{id}/mitigations/{mitigation_id}/occurrences',
    `/api/v1${occurrences}`,
    (await admin.api.get(occurrences)).body,
  );
}

/** Creates a process with drafts and a pending version of its flow, and a template. */
export async function createFlows(place: Place, name: string): Promise<void> {
  const { admin, world } = place;
  const process = await post(place, '/cards', '/cards', { type: 'BusinessProcess', name });
  const template = '/bpm/processes/{card_id}/flow/versions';
  const versions = `/bpm/processes/${process}/flow/versions`;
  for (const title of ['First', 'Second']) await post(place, versions, template, { from: 'nothing', title });
  const pending = await post(place, versions, template, { from: 'nothing', title: 'Pending' });
  expectStatus(await admin.api.post(`${versions}/${pending}/submit`), 200, 'submitting a flow');
  await post(place, '/bpm/templates', '/bpm/templates', { name });
  for (const [path, part] of [
    ['/bpm/processes', '/bpm/processes'],
    [`/bpm/processes/${process}/elements`, '/bpm/processes/{card_id}/elements'],
  ] as const)
    world.collectIds(`/api/v1${part}`, `/api/v1${path}`, (await admin.api.get(path)).body);
}

/** Creates a diagram with a shape of the card in a group, and a second version of it. */
export async function createDiagram(place: Place, name: string, card: string): Promise<void> {
  const group_id = await post(place, '/diagrams/library/groups', '/diagrams/library/groups', { name });
  const content = (label: string): string =>
    `<mxGraphModel><root><mxCell id="0"/><mxCell id="1" parent="0"/><object id="a" label="${label}" cardId="${card}"><mxCell vertex="1" parent="1"/></object></root></mxGraphModel>`;
  const id = await post(place, '/diagrams', '/diagrams', { name, group_id, content: content('First') });
  await place.admin.api.patch(`/diagrams/${id}`, { content: content('Second') });
}

/** Creates an initiative with a plan: items in two levels, a dependency, tasks with a comment, a status report, money and a risk. */
export async function createPlan(place: Place, name: string, holiday: string): Promise<void> {
  const card = await post(place, '/cards', '/cards', { type: 'Initiative', name });
  const [path, template] = [`/ppm/initiatives/${card}`, '/ppm/initiatives/{card_id}'];
  place.world.add('initiatives', card);
  const add = (part: string, body: unknown): Promise<string> =>
    post(place, `${path}/${part}`, `${template}/${part}`, body);
  const phase = await add('wbs', { title: 'Phase' });
  const dates = { start_date: '2026-03-02', end_date: '2026-03-13', planned_cost: 1_000, completion: 50 };
  const first = await add('wbs', { title: 'First', parent_id: phase, ...dates });
  const second = await add('wbs', { title: 'Second', parent_id: phase, duration_days: 5 });
  await add('wbs', { title: 'End', is_milestone: true, start_date: '2026-03-31' });
  await add('dependencies', { predecessor_id: first, successor_id: second });
  const assignee_id = place.admin.user.id;
  const task = await add('tasks', {
    title: 'Begin',
    wbs_id: first,
    assignee_id,
    effort_hours: 8,
    due_date: '2026-03-04',
  });
  await add('tasks', { title: 'Continue', status: 'blocked' });
  await post(place, `${path}/tasks/${task}/comments`, `${template}/tasks/{id}/comments`, { text: 'Begun' });
  await add('status-reports', {
    report_date: '2026-03-06',
    schedule_health: 'on_track',
    cost_health: 'at_risk',
    scope_health: 'on_track',
  });
  await add('budgets', { fiscal_year: 2026, category: 'capex', amount: 5_000 });
  await add('costs', { category: 'opex', date: '2026-03-06', planned: 800, actual: 700, wbs_id: first });
  await add('risks', { title: 'Delay', probability: 3, impact: 4 });
  await add('baselines', { name: 'As planned' });
  await post(place, '/ppm/holidays', '/ppm/holidays', { date: holiday, name: 'Holiday' });
}

/** Creates a connection to a system that does not exist, a mapping and a run, which fails. */
export async function createSync(place: Place, name: string): Promise<void> {
  const account = { email: `${name}@example.org`, display_name: name, role: 'viewer', kind: 'service' };
  const runs_as = await post(place, '/users', '/users', account);
  const connection_id = await post(place, '/cmdbsync/connections', '/cmdbsync/connections', {
    name,
    connector: 'netbox',
    config: { url: 'https://netbox.invalid' },
    secrets: { token: 'drive' },
  });
  const mapping = await post(place, '/cmdbsync/mappings', '/cmdbsync/mappings', {
    name,
    connection_id,
    card_type: 'ITComponent',
    table: 'dcim.devices',
    fields: [{ source: 'name', target: 'name', owner: 'cmdb', transform: { kind: 'direct' } }],
    runs_as,
  });
  await post(place, `/cmdbsync/mappings/${mapping}/runs`, '/cmdbsync/runs', {});
}

const WAITING_JOBS = 4;
const PARKED = 6;

/** Inserts data that no call creates: jobs without a handler, and parked events of a module. */
export async function insertServiceData({ app, database }: Pick<TestApp, 'app' | 'database'>): Promise<void> {
  for (let i = 0; i < WAITING_JOBS; i++) await app.services.jobs.submit(systemContext('drive'), 'drive.waits', {});
  await sql(
    database,
    `insert into parked_events (module, subscription, position, error, attempts)
    select 'risks', 'matrix', n, 'failed', 5 from generate_series(1, ${PARKED}) n`,
  );
}
