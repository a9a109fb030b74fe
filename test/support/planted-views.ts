import { sql, until, type Session, type TestApp } from './app.js';
import { staged } from './imports.js';

/** What is planted of the kinds of data that have a permission to see them. */
export interface Planted {
  /** Words and ids of each kind, by the permission to see it. */
  marks: Record<string, string[]>;
  /** Two cards between which there is a relation and nothing else. */
  near: string;
  far: string;
  farName: string;
  /** A user who is a stakeholder of the first card: id and name. */
  holder: string[];
  /** The value of each parameter of a path, by the path up to it. */
  values: Record<string, string>;
}

const BPMN = `<?xml version="1.0"?><definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" id="d" targetNamespace="x">
<process id="p"><startEvent id="s"/><task id="t" name="zqbpmtask"/><sequenceFlow id="f" sourceRef="s" targetRef="t"/></process></definitions>`;
const DRAWING =
  '<mxfile><diagram id="p1" name="Page-1"><mxGraphModel><root><mxCell id="0"/><mxCell id="1" parent="0"/><mxCell id="2" value="zqdrawing" vertex="1" parent="1"><mxGeometry width="80" height="40" as="geometry"/></mxCell></root></mxGraphModel></diagram></mxfile>';

/** Creates an object, and returns its id. */
type Make = (path: string, body: unknown, type?: string) => Promise<string>;

/**
 * Plants recognisable data of every kind, all of it through the API where that is possible.
 * @param reader a user who gets notifications of it
 */
export async function plantViews({ database }: TestApp, admin: Session, reader: Session): Promise<Planted> {
  const { api } = admin;
  const make: Make = async (path, body, type = 'application/json') => {
    const text = type === 'application/json' ? JSON.stringify(body) : String(body);
    const answer = await api.send('POST', path, text, { headers: { 'content-type': type } });
    if (answer.status >= 300) throw new Error(`POST ${path} gave ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body.id;
  };
  const id = async (text: string, values: unknown[] = []): Promise<string> =>
    (await sql<{ id: string }>(database, text, values))[0]!.id;
  const marks: Planted['marks'] = {};
  const values: Planted['values'] = {};
  const at = (prefix: string, value: string): void => void (values[prefix] = value);

  const near = await make('/cards', {
    type: 'Application',
    name: 'zqnear',
    attributes: { costTotalAnnual: 918_273, technicalSuitability: 'unreasonable' },
    description: 'zqcard description',
  });
  const far = await make('/cards', { type: 'ITComponent', name: 'zqfar' });
  const process = await make('/cards', { type: 'BusinessProcess', name: 'zqprocess' });
  const initiative = await make('/cards', { type: 'Initiative', name: 'zqinitiative' });
  marks['cards.view'] = [near, far, process, initiative, 'zqnear', 'zqfar', 'zqprocess', 'zqinitiative', 'zqcard'];
  await make(`/cards/${near}/stakeholders`, { user_id: reader.user.id, role: 'observer' });

  const relation = await make('/relations', {
    type: 'applicationToITComponent',
    source_id: near,
    target_id: far,
    description: 'zqrelation',
    attributes: { costTotalAnnual: 827_364 },
  });
  marks['relations.view'] = [relation, 'zqrelation', '827364'];
  marks['costs.view'] = ['918273', '827364', '736455'];

  const holder = await make('/users', {
    email: 'zqholder@example.org',
    display_name: 'zqholder',
    role: 'viewer',
    password: 'correct horse battery staple',
  });
  const stakeholder = await make(`/cards/${near}/stakeholders`, { user_id: holder, role: 'responsible' });
  marks['stakeholders.view'] = [stakeholder];

  const comment = await make(`/cards/${near}/comments`, { body: 'zqcomment' });
  const document = await make(`/cards/${near}/documents`, {
    name: 'zqdocument',
    url: 'https://zqdocument.example.org/',
  });
  const todo = await make(`/cards/${near}/todos`, { title: 'zqtodo', assignee_id: reader.user.id });
  marks['comments.view'] = [comment, 'zqcomment'];
  marks['documents.view'] = [document, 'zqdocument'];
  const group = await make('/metamodel/tag-groups', { name: 'zqgroup', mode: 'multi' });
  const tag = await make(`/metamodel/tag-groups/${group}/tags`, { name: 'zqtag' });
  await api.put(`/cards/${near}/tags`, { tag_ids: [tag] });
  marks['cards.view'].push(todo, 'zqtodo');

  const adr = await make('/adr', { title: 'zqadr', decision: 'zqadr text', card_ids: [near] });
  marks['adr.view'] = [adr, 'zqadr'];

  const soaw = await make('/soaw', {
    title: 'zqsoaw',
    sections: [
      {
        key: 'deliverables',
        title: 'Deliverables',
        text: 'zqsoaw text',
        tables: [{ id: 'applications', kind: 'cards', title: 'Applications', filter: { type: 'Application' } }],
      },
    ],
    cards: [{ card_id: near, role: 'affected' }],
  });
  const remark = await make(`/soaw/${soaw}/comments`, { section: 'deliverables', text: 'zqsoaw remark' });
  const template = await make('/soaw/templates/own', { name: 'zqsoaw own', sections: [{ key: 'a', title: 'A' }] });
  marks['soaw.view'] = [soaw, remark, template, 'zqsoaw'];

  const versions = `/bpm/processes/${process}/flow/versions`;
  const flow = await make(versions, BPMN, 'application/xml');
  const [element] = (
    await api.get<{ items: { id: string; kind: string }[] }>(`/bpm/processes/${process}/elements?version_id=${flow}`)
  ).body.items.filter(({ kind }) => kind.toLowerCase().includes('task'));
  const assessment = await make(`/bpm/processes/${process}/assessments`, {
    assessed_on: '2026-01-15',
    efficiency: 3,
    effectiveness: 4,
    compliance: 5,
    automation: 2,
    overall: 3,
    notes: 'zqbpm notes',
  });
  const pattern = await make('/bpm/templates', { name: 'zqbpm template' });
  await api.send('PUT', `/bpm/templates/${pattern}.bpmn`, BPMN, { headers: { 'content-type': 'application/xml' } });
  marks['bpm.view'] = [flow, assessment, pattern, 'zqbpm', ...(element ? [element.id] : [])];

  const plan = `/ppm/initiatives/${initiative}`;
  const wbs = await make(`${plan}/wbs`, {
    title: 'zqppm package',
    start_date: '2026-03-02',
    end_date: '2026-03-13',
    planned_cost: 736_455,
    planned_currency: 'EUR',
  });
  const second = await make(`${plan}/wbs`, { title: 'zqppm second', start_date: '2026-03-16', end_date: '2026-03-20' });
  const dependency = await make(`${plan}/dependencies`, { predecessor_id: wbs, successor_id: second, type: 'FS' });
  const status = await make(`${plan}/status-reports`, {
    report_date: '2026-03-31',
    schedule_health: 'at_risk',
    cost_health: 'on_track',
    scope_health: 'on_track',
    percent_complete: 45,
    summary: 'zqppm summary',
  });
  const task = await make(`${plan}/tasks`, {
    title: 'zqppm task',
    assignee_id: reader.user.id,
    due_date: '2026-03-13',
  });
  const note = await make(`${plan}/tasks/${task}/comments`, { text: 'zqppm note' });
  const holiday = await make('/ppm/holidays', { date: '2026-12-25', name: 'zqppm holiday' });
  const budget = await make(`${plan}/budgets`, {
    fiscal_year: 2026,
    category: 'capex',
    amount: 736_455,
    currency: 'EUR',
    description: 'zqppm budget',
  });
  const cost = await make(`${plan}/costs`, {
    description: 'zqppm cost',
    category: 'opex',
    planned: 736_455,
    actual: 736_455,
    currency: 'EUR',
    date: '2026-01-31',
  });
  const threat = await make(`${plan}/risks`, { title: 'zqppm risk', probability: 3, impact: 4 });
  const baseline = await make(`${plan}/baselines`, { name: 'zqppm baseline' });
  marks['ppm.view'] = [wbs, second, dependency, status, task, note, holiday, budget, cost, threat, baseline, 'zqppm'];

  const risk = await make('/risks', {
    title: 'zqrisk',
    category: 'technology',
    initial_probability: 'high',
    initial_impact: 'critical',
    cards: [{ card_id: near, role: 'affected' }],
  });
  const mitigation = await make(`/risks/${risk}/mitigations`, {
    title: 'zqrisk mitigation',
    due_date: '2026-03-31',
    owner_id: reader.user.id,
    recurrence: 'quarterly',
  });
  await make(
    `/risks/${risk}/files`,
    '--part\r\ncontent-disposition: form-data; name="files"; filename="zqrisk.txt"\r\ncontent-type: text/plain\r\n\r\nzqrisk file\r\n--part--\r\n',
    'multipart/form-data; boundary=part',
  );
  const file = (await api.get<{ items: { id: string }[] }>(`/risks/${risk}/files`)).body.items[0]!.id;
  marks['risks.view'] = [risk, mitigation, file, 'zqrisk'];

  const diagram = await make('/diagrams', { name: 'zqdiagram', content: DRAWING, card_ids: [near] });
  const folder = await make('/diagrams/library/groups', { name: 'zqdiagram folder' });
  marks['diagrams.view'] = [diagram, folder, 'zqdiagram', 'zqdrawing'];

  const saved = await make('/reports/saved', {
    name: 'zqreport',
    report: 'dashboard',
    parameters: {},
    visibility: 'public',
  });
  marks['reports.view'] = [saved, 'zqreport'];

  const connection =
    await id(`insert into cmdbsync_connections (id, name, name_key, connector, config, max_requests_per_second)
    values (gen_random_uuid(), 'zqcmdb', 'zqcmdb', 'none', '{}', 1) returning id`);
  const mapping =
    await id(`insert into cmdbsync_mappings (id, connection_id, name, name_key, card_type, table_name, direction, fields, identity, relations,
      creates_remote, delete_policy, delete_ratio, proposes_matches, auto_apply, time_zone, is_enabled)
    select gen_random_uuid(), id, 'zqcmdb mapping', 'zqcmdb mapping', 'Application', 'none', 'pull', '[]', '[]', '[]', false, 'ignore', 0, false, false,
      'UTC', true from cmdbsync_connections returning id`);
  const run = await id(
    `insert into cmdbsync_runs (id, mapping_id, state, direction, is_full, dry_run, auto_apply)
    values (gen_random_uuid(), $1, 'review', 'pull', true, false, false) returning id`,
    [mapping],
  );
  const record = await id(
    `insert into cmdbsync_records (id, run_id, external_id, card_id, card_type, action, side, state, diff)
    values (gen_random_uuid(), $1, 'zqcmdb record', $2, 'Application', 'update', 'card', 'pending', '[]') returning id`,
    [run, near],
  );
  const identity = await id(
    `insert into cmdbsync_identities (mapping_id, external_id, id, card_id) values ($1, 'zqcmdb identity', gen_random_uuid(), $2) returning id`,
    [mapping, near],
  );
  marks['cmdbsync.view'] = [connection, mapping, run, record, identity, 'zqcmdb'];

  await make('/cards', { type: 'Provider', name: 'zqcard provider' });
  const analysed = async (kind: string): Promise<string> => {
    const run = await make(`/insightlens/${kind}/analyse`, {});
    await until(
      async () => (await api.get<{ state: string }>(`/insightlens/runs/${run}`)).body.state === 'done',
      30_000,
    );
    return run;
  };
  const [analysis] = [await analysed('modernisation'), await analysed('suppliers')];
  const first = async (path: string): Promise<string> =>
    (await api.get<{ items: { id: string }[] }>(path)).body.items[0]!.id;
  const finding = await first('/insightlens/findings');
  const supplier = await first('/insightlens/suppliers');
  await api.put(`/insightlens/card-products/${far}`, {
    slug: 'zqinsight',
    vendor: 'zqinsight',
    product: 'zqinsight',
    release: '1',
  });
  const proposal = await id(
    `insert into insightlens_proposals (id, state, asked_by, title, requirement) values (gen_random_uuid(), 'ready', $1, 'zqinsight', 'zqinsight') returning id`,
    [reader.user.id],
  );
  marks['insightlens.view'] = [analysis!, finding, supplier, proposal, 'zqinsight'];

  const portal = await make('/portals', {
    slug: 'planted',
    title: 'Planted',
    type: 'Application',
    is_published: true,
    fields: ['description'],
  });
  const hook = await make('/webhooks', { url: 'https://hooks.example.org/planted', is_active: false });
  const imported = await staged(api, 'csv', 'type,name,description\nApplication,zqnear,zqcard imported\n');
  const invitation = await id(`insert into invitations (id, email, email_key, role, expires_at)
    values (gen_random_uuid(), 'planted@example.org', 'planted@example.org', 'viewer', now() + interval '1 day') returning id`);
  const call = await id(`with months as (insert into ai_months (month) values ('2026-01-01') returning month)
    insert into ai_calls (id, month, module, purpose, provider, model, state, reserved, expires_at)
    select gen_random_uuid(), month, 'planted', 'planted', 'openai', 'planted', 'done', 0, now() from months returning id`);
  const job = await id('select id from jobs order by created_at limit 1');
  const notification = await until(
    async () =>
      (
        await sql<{ id: string }>(database, 'select id from notifications where user_id = $1 limit 1', [reader.user.id])
      )[0]?.id,
    20_000,
  );

  at('/cards/:id', near);
  at('/cards/:id/stakeholders/:sid', stakeholder);
  at('/cards/:id/comments/:cid', comment);
  at('/cards/:id/documents/:did', document);
  at('/cards/:id/todos/:tid', todo);
  at('/relations/:id', relation);
  at('/imports/:id', imported.id);
  at('/events/:id', '1');
  at('/webhooks/:id', hook);
  at('/notifications/:id', notification);
  at('/users/:id', holder);
  at('/users/:user_id', holder);
  at('/roles/:key', 'viewer');
  at('/metamodel/types/:key', 'Application');
  at('/metamodel/types/:key/stakeholder-roles/:role', 'responsible');
  at('/metamodel/relation-types/:key', 'applicationToITComponent');
  at('/metamodel/tag-groups/:id', group);
  at('/metamodel/tag-groups/:id/tags/:tag_id', tag);
  at('/settings/modules/:id', 'adr');
  at('/settings/jobs/:id', job);
  at('/jobs/:id', job);
  at('/settings/ai/calls/:id', call);
  at('/adr/:id', adr);
  at('/soaw/:id', soaw);
  at('/soaw/:document_id', soaw);
  at('/soaw/:document_id/comments/:id', remark);
  at('/soaw/templates/own/:id', template);
  at('/bpm/processes/:card_id', process);
  at('/bpm/processes/:card_id/flow/versions/:version_id', flow);
  at('/bpm/processes/:card_id/elements/:element_id', element!.id);
  at('/bpm/processes/:card_id/assessments/:id', assessment);
  at('/bpm/templates/:id', pattern);
  at('/ppm/initiatives/:card_id', initiative);
  at('/ppm/initiatives/:card_id/wbs/:id', wbs);
  at('/ppm/initiatives/:card_id/dependencies/:id', dependency);
  at('/ppm/initiatives/:card_id/status-reports/:id', status);
  at('/ppm/initiatives/:card_id/tasks/:id', task);
  at('/ppm/initiatives/:card_id/tasks/:id/comments/:comment_id', note);
  at('/ppm/initiatives/:card_id/budgets/:id', budget);
  at('/ppm/initiatives/:card_id/costs/:id', cost);
  at('/ppm/initiatives/:card_id/risks/:id', threat);
  at('/ppm/initiatives/:card_id/baselines/:id', baseline);
  at('/ppm/holidays/:id', holiday);
  at('/risks/:id', risk);
  at('/risks/:id/cards/:card_id', near);
  at('/risks/:id/files/:file_id', file);
  at('/risks/:id/mitigations/:mitigation_id', mitigation);
  at('/diagrams/:id', diagram);
  at('/diagrams/:id/versions/:number', '1');
  at('/diagrams/library/groups/:id', folder);
  at('/reports/saved/:id', saved);
  at('/reports/:report', 'risks.heat-map');
  at('/cmdbsync/connections/:id', connection);
  at('/cmdbsync/connections/:id/tables/:table', 'none');
  at('/cmdbsync/mappings/:id', mapping);
  at('/cmdbsync/runs/:id', run);
  at('/cmdbsync/records/:id', record);
  at('/insightlens/runs/:id', analysis);
  at('/insightlens/findings/:id', finding);
  at('/insightlens/suppliers/:id', supplier);
  at('/insightlens/compliance/:regulation', 'gdpr');
  at('/insightlens/feeds/:feed', 'kev');
  at('/insightlens/card-products/:id', far);
  at('/insightlens/architect/proposals/:id', proposal);
  at('/portals/:id', portal);
  at('/portals/public/:slug', 'planted');
  at('/portals/public/:slug/cards/:id', near);
  at('/portals/public/:slug/page/:id', near);
  at('/users/invitations/:id', invitation);
  at('/auth/tokens/:id', '01900000-0000-7000-8000-00000000dead');
  at('/auth/sso/:provider', 'none');
  at('/webhooks/:id/deliveries/:did', '01900000-0000-7000-8000-00000000dead');
  return { marks, near, far, farName: 'zqfar', holder: [holder, 'zqholder'], values };
}
