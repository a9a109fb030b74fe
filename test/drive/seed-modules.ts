/** Initial decisions, risks, flows, diagrams and plans, and data that no request creates: waiting jobs and parked events. */
import { systemContext } from '../../core/foundation/context.js';
import { expectStatus, sql, until, type Session, type TestApp } from '../support/app.js';
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

/** Runs an analysis, so that there are findings. */
export async function runAnalysis(place: Place, kind: string): Promise<void> {
  const id = await post(place, `/insightlens/${kind}/analyse`, '/insightlens/runs', {});
  await until(async () => (await place.admin.api.get(`/insightlens/runs/${id}`)).body['state'] === 'done', 20_000);
  place.world.add('insightlens', kind);
  const { body } = await place.admin.api.get('/insightlens/findings');
  place.world.collectIds('/api/v1/insightlens/findings', '/api/v1/insightlens/findings', body);
  if (kind !== 'suppliers') return;
  const suppliers = await place.admin.api.get('/insightlens/suppliers');
  place.world.collectIds('/api/v1/insightlens/suppliers', '/api/v1/insightlens/suppliers', suppliers.body);
}

/** Sets the URL of a feed, which leads to no server, decides which product the cards are, and collects the runs, some of which wait. */
export async function prepareFeeds({ admin, world }: Place, cards: readonly string[]): Promise<void> {
  const settings = { kev_url: 'https://feeds.invalid/kev.json' };
  expectStatus(await admin.api.patch('/settings/modules/insightlens', { settings }), 200, 'the URL of a feed');
  world.add('feeds', 'kev');
  world.add('compliance', 'gdpr');
  for (const card of cards) {
    const product = { vendor: 'Apache', product: 'Log4j2' };
    expectStatus(await admin.api.put(`/insightlens/card-products/${card}`, product), 200, 'a product');
    world.add('card-products', card);
  }
  const { body } = await admin.api.get('/insightlens/runs');
  world.collectIds('/api/v1/insightlens/runs', '/api/v1/insightlens/runs', body);
}

/** Asks for a proposal without a model. */
export async function createProposal(place: Place): Promise<void> {
  const path = '/insightlens/architect/proposals';
  const id = await post(place, path, path, { requirement: 'Sell online', use_model: false });
  await until(async () => (await place.admin.api.get(`${path}/${id}`)).body['state'] === 'ready', 20_000);
}

/** Inserts connections that reach no other system, each with a mapping and a run whose records wait: what they would read is tested elsewhere. */
async function insertSync(database: TestApp['database']): Promise<void> {
  const [table] = await sql<{ found: boolean }>(
    database,
    "select to_regclass('cmdbsync_connections') is not null as found",
  );
  if (!table!.found) return;
  await sql(
    database,
    `with made as (
       insert into cmdbsync_connections (id, name, name_key, connector, config, max_requests_per_second)
       select gen_random_uuid(), 'Drive ' || n, 'drive ' || n, 'none', '{}', 1 from generate_series(1, ${CONNECTIONS}) n returning id, name
     )
     insert into cmdbsync_mappings (id, connection_id, name, name_key, card_type, table_name, direction, fields, identity, relations,
       creates_remote, delete_policy, delete_ratio, proposes_matches, auto_apply, time_zone, is_enabled)
     select gen_random_uuid(), id, name, lower(name), 'Application', 'none', 'pull',
       '[{"source":"name","target":"name","owner":"cmdb","transform":{"kind":"direct"}}]', '[]', '[]', false, 'ignore', 0, false, false,
       'UTC', true from made`,
  );
  await sql(
    database,
    `with runs as (
       insert into cmdbsync_runs (id, mapping_id, state, direction, is_full, dry_run, auto_apply)
       select gen_random_uuid(), id, 'review', 'pull', true, false, false from cmdbsync_mappings returning id
     )
     insert into cmdbsync_records (id, run_id, external_id, card_type, name, action, side, state, diff)
     select gen_random_uuid(), r.id, n::text, 'Application', 'Record ' || n, case when n % 2 = 0 then 'create' else 'conflict' end, 'card', 'pending',
       case when n % 2 = 0 then '[]'::jsonb else '[{"field":"name","base":"a","cmdb":"b","ea":"c","take":"conflict"}]' end
     from runs r, generate_series(1, ${RECORDS}) n`,
  );
}

const CONNECTIONS = 4;
const RECORDS = 6;
const WAITING_JOBS = 4;
const PARKED = 6;
const WAITING_RUNS = 8;

/** Inserts runs of analyses that wait and have no job: those of jobs have ended before they could be cancelled. */
async function insertRuns(database: TestApp['database']): Promise<void> {
  const [table] = await sql<{ found: boolean }>(
    database,
    "select to_regclass('insightlens_runs') is not null as found",
  );
  if (!table!.found) return;
  await sql(
    database,
    `insert into insightlens_runs (id, kind, state) select gen_random_uuid(), 'drive_' || n, 'queued' from generate_series(1, ${WAITING_RUNS}) n`,
  );
}

/** Inserts data that no call creates: jobs without a handler, and parked events of a module. */
export async function insertServiceData({ app, database }: Pick<TestApp, 'app' | 'database'>): Promise<void> {
  for (let i = 0; i < WAITING_JOBS; i++) await app.services.jobs.submit(systemContext('drive'), 'drive.waits', {});
  await insertSync(database);
  await insertRuns(database);
  await sql(
    database,
    `insert into parked_events (module, subscription, position, error, attempts)
    select 'risks', 'matrix', n, 'failed', 5 from generate_series(1, ${PARKED}) n`,
  );
}
