import { login, PASSWORD, registerAdmin, until, type Session } from '../app.js';
import type { AnyBody } from '../http.js';
import { Writer } from './writer.js';

/** Users of a filled service besides the administrator; all have the password of tests. */
const USERS = { member: 'member@example.org', viewer: 'viewer@example.org', auditor: 'auditor@example.org' };
const ISSUER = 'https://sso.example.org';
/** Another administrator. */
const SECOND = 'second@example.org';

/** What was made, for the steps after it. */
interface Made {
  admin: Session;
  /** Another administrator. */
  second: Session;
  member: Session;
  /** Ids of cards by type: two of each, in trees the second one below the first. */
  cards: Record<string, [string, string]>;
  /** Ids of tags. */
  tags: string[];
}

/** What `fill` did. */
interface Filled {
  /** How often each operation was used. */
  written: ReadonlyMap<string, number>;
  /** An API token that may read cards; undefined where the version has none. */
  token: string | undefined;
}

/** Fills an empty service of any version with some rows of everything that can be stored through its API. */
export async function fill(origin: string): Promise<Filled> {
  const admin = await registerAdmin(origin);
  const to = await Writer.open(admin.api);
  await enableModules(to);
  await writeSettings(to);
  const users = await writeUsers(to, origin);
  const tags = await writeMetamodel(to);
  const cards = await writeCards(to);
  const made: Made = { admin, ...users, cards, tags };
  await writeParts(to, made);
  await writeRelations(to, made);
  await writeImport(to);
  await writeRisks(to, made);
  await writeDecisions(to, made);
  await writeStatements(to, made);
  await writeDiagrams(to, made);
  await writeProcesses(to, made);
  await writePlans(to, made);
  await writePublications(to, made);
  await writeConnections(to, made);
  await writeFindings(to, made);
  const token = await to.post('/auth/tokens', { name: 'Export', permissions: ['cards.view'] });
  if (to.refused.length > 0) throw new Error(`refused:\n${to.refused.join('\n')}`);
  await settled(to);
  return { written: to.written, token: token?.['token'] as string | undefined };
}

/** Jobs have ended, except for mails, which no server accepts; and events have positions: reads give the same later. */
async function settled({ api }: Writer): Promise<void> {
  await until(async () => {
    const { body } = await api.get('/settings/jobs', { query: { page_size: 100 } });
    return body.items.every(
      ({ type, state }) => String(type).includes('mail') || !['queued', 'running'].includes(String(state)),
    );
  });
  await until(async () => /^lintel_event_outbox_rows 0$/m.test((await api.get<string>('/api/metrics')).body));
}

async function enableModules(to: Writer): Promise<void> {
  const { body } = await to.api.get<{ items: { id: string; enabled: boolean }[] }>('/settings/modules');
  for (const { id, enabled } of body.items)
    if (!enabled) await to.patch('/settings/modules/{id}', { enabled: true }, { id });
}

/** The smallest PNG that there is: one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

async function writeSettings(to: Writer): Promise<void> {
  await to.patch('/settings', { app_title: 'Former state', currency: 'CHF', fiscal_year_start: 4, session_days: 20 });
  await to.patch('/settings/smtp', {
    host: 'mail.example.org',
    port: 2525,
    security: 'starttls',
    user: 'lintel',
    from_address: 'lintel@example.org',
    password: 'open-sesame-of-the-mail-server',
  });
  await to.patch('/settings/ai', {
    provider: 'openai',
    base_url: 'https://models.example.org/v1',
    model: 'large',
    api_key: 'sk-of-the-language-model',
  });
  if (to.has('PUT', '/settings/logo'))
    await to.send('PUT', '/settings/logo', {}, PIXEL, { 'content-type': 'image/png' });
  const { id } = (await to.post('/webhooks', {
    url: 'https://receiver.example.org/hook',
    name: 'A receiver',
    types: ['card.'],
    is_active: false,
  })) ?? { id: undefined };
  await to.patch('/webhooks/{id}', { types: ['card.', 'relation.'] }, { id });
}

async function writeUsers(to: Writer, origin: string): Promise<Pick<Made, 'second' | 'member'>> {
  await to.post('/roles', {
    key: 'auditor',
    label: 'Auditor',
    description: 'Reads everything',
    permissions: ['cards.view', 'comments.manage'],
    types: { Application: { 'cards.edit': true } },
  });
  await to.patch('/roles/{key}', { label: 'Internal auditor' }, { key: 'auditor' });
  for (const [role, email] of Object.entries(USERS))
    await to.post('/users', { email, password: PASSWORD, display_name: `The ${role}`, role });
  await to.post('/users', {
    email: SECOND,
    password: PASSWORD,
    display_name: 'Second admin',
    role: 'admin',
  });
  const gone = await to.post('/users', {
    email: 'gone@example.org',
    password: PASSWORD,
    display_name: 'Left the company',
    role: 'member',
  });
  await to.patch('/users/{id}', { is_active: false }, { id: gone?.id });
  const linked = await to.post('/users', {
    email: 'linked@example.org',
    display_name: 'By the provider',
    role: 'viewer',
  });
  await to.post('/users', { email: 'robot@example.org', display_name: 'A robot', role: 'member', kind: 'service' });
  await to.patch('/auth/me', { display_name: 'Ada the Admin', locale: 'de' });
  await to.patch('/settings/sso', {
    providers: {
      company: {
        kind: 'oidc',
        label: 'Company',
        is_enabled: true,
        issuer: ISSUER,
        client_id: 'lintel',
        client_secret: 'of-the-provider',
      },
    },
  });
  await to.post('/users/invitations', { email: 'invited@example.org', role: 'viewer' });
  await to.post('/users/{user_id}/identities', { issuer: ISSUER, subject: 'linked' }, { user_id: linked?.id });
  const { kinds } = (await to.api.get<{ kinds?: Record<string, unknown> }>('/notifications/preferences')).body;
  if (kinds) await to.patch('/notifications/preferences', { kinds: { [Object.keys(kinds)[0]!]: { in_app: false } } });
  return { second: await login(origin, SECOND), member: await login(origin, USERS.member) };
}

interface CardType extends AnyBody {
  key: string;
  has_hierarchy: boolean;
  subtypes: { key: string }[];
  sections: { key: string; label: string; fields: { key: string; kind: string; options?: { key: string }[] }[] }[];
}
interface RelationType extends AnyBody {
  key: string;
  source_type: string;
  target_type: string;
}

async function typesOf(to: Writer): Promise<CardType[]> {
  return (await to.api.get<{ items: CardType[] }>('/metamodel/types')).body.items;
}

async function writeMetamodel(to: Writer): Promise<string[]> {
  await to.post('/metamodel/types', {
    key: 'Vehicle',
    label: 'Vehicle',
    description: 'A type of the workspace',
    icon: 'directions_car',
    color: '#336699',
    has_hierarchy: true,
    subtypes: [{ key: 'train', label: 'Train' }],
    sections: [
      {
        key: 'figures',
        label: 'Figures',
        fields: [
          { key: 'seats', label: 'Seats', kind: 'integer', min: 0, filterable: true },
          { key: 'price', label: 'Price', kind: 'cost' },
          { key: 'built', label: 'Built', kind: 'date' },
          { key: 'electric', label: 'Electric', kind: 'boolean' },
          {
            key: 'gauge',
            label: 'Gauge',
            kind: 'single_select',
            options: [
              { key: 'normal', label: 'Normal', color: '#00aa00' },
              { key: 'narrow', label: 'Narrow', color: '#aa0000' },
            ],
          },
        ],
      },
    ],
  });
  const application = (await typesOf(to)).find(({ key }) => key === 'Application')!;
  await to.patch(
    '/metamodel/types/{key}',
    {
      sections: [
        ...application.sections,
        { key: 'own', label: 'Own fields', fields: [{ key: 'ownCode', label: 'Own code', kind: 'text', weight: 1 }] },
      ],
    },
    { key: 'Application' },
  );
  await to.post('/metamodel/relation-types', {
    key: 'vehicleToApplication',
    label: 'runs',
    reverse_label: 'runs on',
    source_type: 'Vehicle',
    target_type: 'Application',
    fields: [{ key: 'since', label: 'Since', kind: 'date' }],
  });
  await to.patch('/metamodel/relation-types/{key}', { label: 'runs with' }, { key: 'vehicleToApplication' });
  await to.post(
    '/metamodel/types/{key}/stakeholder-roles',
    { key: 'driver', label: 'Driver', permissions: ['card.edit'], inherited: true },
    { key: 'Vehicle' },
  );
  const group = await to.post('/metamodel/tag-groups', { name: 'Region', mode: 'multi', restrict_to_types: [] });
  const tags: string[] = [];
  for (const name of ['North', 'South']) {
    const tag = await to.post('/metamodel/tag-groups/{id}/tags', { name, color: '#123456' }, { id: group?.id });
    tags.push(tag!.id);
  }
  return tags;
}

/** A value of a field; undefined for kinds that need another object. */
function valueOf({ kind, options }: CardType['sections'][number]['fields'][number]): unknown {
  const values: Record<string, unknown> = {
    text: 'A text with ü and 漢',
    multiline: 'First line\nSecond line',
    number: 12.5,
    integer: 7,
    cost: 1234.56,
    percentage: 45,
    boolean: true,
    date: '2026-02-28',
    url: 'https://example.org/page',
    email: 'owner@example.org',
    single_select: options?.[0]?.key,
    multiple_select: options?.slice(0, 2).map(({ key }) => key),
  };
  return values[kind];
}

/** Two cards of each type, the first with all attributes and several versions. */
async function writeCards(to: Writer): Promise<Made['cards']> {
  const cards: Made['cards'] = {};
  for (const type of await typesOf(to)) {
    const fields = type.sections.flatMap((section) => section.fields);
    const attributes = Object.fromEntries(
      fields.map((field) => [field.key, valueOf(field)]).filter(([, value]) => value !== undefined),
    ) as Record<string, unknown>;
    const first = await to.post('/cards', {
      type: type.key,
      name: `First ${type.key}`,
      description: `Described in **Markdown**: ${type.key}.`,
      ...(type.subtypes[0] && { subtype: type.subtypes[0].key }),
      lifecycle: { plan: '2025-01-01', active: '2026-01-01' },
      external_id: `external-${type.key}`,
      alias: `alias of ${type.key}`,
    });
    // Some fields are computed by the service or for one subtype only.
    const { status, body } = await to.api.patch(`/cards/${first!.id}`, { attributes });
    if (status !== 200) {
      const refused = new Set(body.errors.map(({ field }) => field.split('/')[2]));
      const others = Object.fromEntries(Object.entries(attributes).filter(([key]) => !refused.has(key)));
      await to.patch('/cards/{id}', { attributes: others }, { id: first!.id });
    }
    await to.patch('/cards/{id}', { name: `First ${type.key}, renamed` }, { id: first!.id });
    const second = await to.post('/cards', {
      type: type.key,
      name: `Second ${type.key}`,
      ...(type.has_hierarchy && { parent_id: first!.id }),
    });
    cards[type.key] = [first!.id, second!.id];
  }
  const extra = async (name: string) => (await to.post('/cards', { type: 'Application', name }))!.id;
  const archived = await extra('Archived');
  await to.post('/cards/{id}/archive', {}, { id: archived });
  const restored = await extra('Archived and restored');
  await to.post('/cards/{id}/archive', {}, { id: restored });
  await to.post('/cards/{id}/restore', undefined, { id: restored });
  await to.send('DELETE', '/cards/{id}', { id: await extra('Deleted') });
  return cards;
}

/** Stakeholders, comments, links, to-dos, tags and approvals of the first application. */
async function writeParts(to: Writer, { admin, member, cards, tags }: Made): Promise<void> {
  const [id] = cards['Application']!;
  const { body } = await to.api.get<{ items: { key: string }[] }>('/metamodel/types/Application/stakeholder-roles');
  for (const [n, role] of body.items.entries())
    await to.post(
      '/cards/{id}/stakeholders',
      { user_id: n % 2 ? member.user.id : admin.user.id, role: role.key },
      { id },
    );
  const comment = await to.post('/cards/{id}/comments', { body: 'A first comment' }, { id });
  await to.post('/cards/{id}/comments', { body: 'An answer', parent_id: comment?.id }, { id });
  await to.patch('/cards/{id}/comments/{cid}', { body: 'A first comment, changed' }, { id, cid: comment?.id });
  await to.post('/cards/{id}/documents', { name: 'Manual', url: 'https://docs.example.org/manual' }, { id });
  await to.post(
    '/cards/{id}/todos',
    { title: 'Check the owner', assignee_id: member.user.id, due_date: '2026-12-24' },
    { id },
  );
  await to.post('/cards/{id}/todos', { title: 'Done already', status: 'done' }, { id });
  await to.put('/cards/{id}/tags', { tag_ids: tags }, { id });
  await to.post('/cards/{id}/approval', { action: 'approve', comment: 'Complete' }, { id });
  await to.post('/cards/{id}/approval', { action: 'approve' }, { id: cards['ITComponent']![0] });
  await to.patch('/cards/{id}', { description: 'Changed after its approval' }, { id: cards['ITComponent']![0] });
  await to.post('/cards/{id}/approval', { action: 'reject', comment: 'Incomplete' }, { id: cards['Interface']![0] });
}

/** One relation of each type, of which some have several versions. */
async function writeRelations(to: Writer, { cards }: Made): Promise<void> {
  const { body } = await to.api.get<{ items: RelationType[] }>('/metamodel/relation-types');
  const made: string[] = [];
  for (const { key, source_type, target_type } of body.items) {
    // A type for cards of any type has an asterisk.
    const of = (type: string): [string, string] => cards[type] ?? cards['Application']!;
    const [source_id] = of(source_type);
    const target_id = of(target_type)[of(source_type) === of(target_type) ? 1 : 0];
    const relation = await to.post('/relations', {
      type: key,
      source_id,
      target_id,
      description: `A relation ${key}`,
      valid_from: '2026-01-01',
      ...(key === 'vehicleToApplication' && { attributes: { since: '2026-03-01' } }),
    });
    made.push(relation!.id);
  }
  for (const id of made.slice(0, 3))
    await to.patch('/relations/{id}', { description: 'Changed', valid_to: '2030-12-31' }, { id });
  await to.send('DELETE', '/relations/{id}', { id: made.at(-2) });
}

async function writeImport(to: Writer): Promise<void> {
  const made = await to.upload('/imports', {
    field: 'file',
    name: 'cards.csv',
    type: 'text/csv',
    text: 'type,name,description\nApplication,Imported,From a file\nObjective,Imported too,\n',
  });
  const state = async () => (await to.api.get(`/imports/${made!.id}`)).body;
  await until(
    async () =>
      !['uploaded', 'parsing', 'queued', 'previewing'].includes(
        String((await state())['state'] ?? (await state())['status']),
      ),
  );
  await to.post('/imports/{id}/apply', undefined, { id: made?.id });
  await until(async () =>
    ['applied', 'done', 'completed', 'failed'].includes(String((await state())['state'] ?? (await state())['status'])),
  );
}

async function writeRisks(to: Writer, { member, cards }: Made): Promise<void> {
  const [card_id] = cards['Application']!;
  const risk = await to.post('/risks', {
    title: 'The provider stops',
    category: 'operational',
    description: 'Support ends',
    initial_probability: 'high',
    initial_impact: 'critical',
    owner_id: member.user.id,
    target_date: '2027-01-31',
    cards: [{ card_id, role: 'affected' }],
  });
  const id = risk?.id;
  await to.patch('/risks/{id}', { residual_probability: 'low', residual_impact: 'medium' }, { id });
  await to.post('/risks/{id}/transition', { to: 'analysed', comment: 'Looked at' }, { id });
  const mitigation = await to.post(
    '/risks/{id}/mitigations',
    { title: 'Find another one', due_date: '2026-12-31', recurrence: 'monthly' },
    { id },
  );
  await to.patch(
    '/risks/{id}/mitigations/{mitigation_id}',
    { description: 'Three offers' },
    { id, mitigation_id: mitigation?.id },
  );
  await to.upload(
    '/risks/{id}/files',
    { field: 'files', name: 'offer.txt', type: 'text/plain', text: 'An offer of 100 CHF' },
    { id },
  );
  await to.post('/risks', { title: 'Another one', category: 'security' });
}

async function writeDecisions(to: Writer, { admin, second, cards }: Made): Promise<void> {
  const first = await to.post('/adr', {
    title: 'Use PostgreSQL',
    context: 'A database is needed',
    drivers: ['Cost', 'Skills'],
    options: [{ title: 'PostgreSQL', pros: ['Known'], cons: ['None'] }],
    decision: 'PostgreSQL',
    consequences: 'Backups',
    card_ids: [cards['Application']![0]],
  });
  await to.post('/adr/{id}/request-signatures', { user_ids: [admin.user.id] }, { id: first?.id });
  await to.post('/adr/{id}/sign', { comment: 'Agreed' }, { id: first?.id });
  const other = await to.post('/adr', {
    title: 'Use it everywhere',
    related: first ? [{ type: 'relates_to', adr_id: first.id }] : [],
  });
  await to.patch('/adr/{id}', { context: 'One database', decision: 'Everywhere' }, { id: other?.id });
  await to.post(
    '/adr/{id}/request-signatures',
    { user_ids: [second.user.id], message: 'Please read' },
    { id: other?.id },
  );
  await to.as(second.api).post('/adr/{id}/reject', { reason: 'Not everywhere' }, { id: other?.id });
}

async function writeStatements(to: Writer, { admin, cards }: Made): Promise<void> {
  await to.post('/soaw/templates/own', {
    name: 'Short',
    sections: [{ key: 'scope', title: 'Scope', text: 'What is in scope' }],
  });
  const made = await to.post('/soaw', {
    title: 'Work on the shop',
    cards: [{ card_id: cards['Application']![0], role: 'in_scope' }],
    sections: [
      { key: 'scope', title: 'Scope', text: 'All **shops**' },
      {
        key: 'tables',
        title: 'Tables',
        tables: [{ id: 'all', kind: 'cards', title: 'Applications', filter: { type: 'Application' } }],
      },
    ],
  });
  await to.patch('/soaw/{id}', { title: 'Work on the shops' }, { id: made?.id });
  await to.post('/soaw/{document_id}/comments', { section: 'scope', text: 'Which ones?' }, { document_id: made?.id });
  await to.post('/soaw/{id}/request-signatures', { user_ids: [admin.user.id] }, { id: made?.id });
}

const DRAWING = `<mxfile><diagram id="p1" name="Page 1"><mxGraphModel><root><mxCell id="0"/><mxCell id="1" parent="0"/>
<mxCell id="2" value="A box" vertex="1" parent="1"><mxGeometry x="40" y="40" width="120" height="60" as="geometry"/></mxCell>
</root></mxGraphModel></diagram></mxfile>`;

async function writeDiagrams(to: Writer, { cards }: Made): Promise<void> {
  const group = await to.post('/diagrams/library/groups', { name: 'Overviews' });
  const diagram = await to.post('/diagrams', {
    name: 'Shop',
    content: DRAWING,
    card_ids: [cards['Application']![0]],
    ...(group && { group_id: group.id }),
  });
  await to.patch('/diagrams/{id}', { content: DRAWING.replace('A box', 'A larger box') }, { id: diagram?.id });
  await to.put('/diagrams/{id}/favourite', undefined, { id: diagram?.id });
}

const FLOW = `<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" id="Definitions_1" targetNamespace="http://example.org">
  <bpmn:process id="Process_1" name="Orders" isExecutable="false">
    <bpmn:startEvent id="Start"><bpmn:outgoing>Flow_1</bpmn:outgoing></bpmn:startEvent>
    <bpmn:userTask id="Task" name="Check the order"><bpmn:incoming>Flow_1</bpmn:incoming><bpmn:outgoing>Flow_2</bpmn:outgoing></bpmn:userTask>
    <bpmn:endEvent id="End"><bpmn:incoming>Flow_2</bpmn:incoming></bpmn:endEvent>
    <bpmn:sequenceFlow id="Flow_1" sourceRef="Start" targetRef="Task" />
    <bpmn:sequenceFlow id="Flow_2" sourceRef="Task" targetRef="End" />
  </bpmn:process>
</bpmn:definitions>
`;

async function writeProcesses(to: Writer, { second, cards }: Made): Promise<void> {
  const [card_id] = cards['BusinessProcess'] ?? [];
  const versions = '/bpm/processes/{card_id}/flow/versions';
  const xml = { 'content-type': 'application/xml' };
  const version = await to.send('POST', versions, { card_id }, FLOW, xml);
  await to.post(`${versions}/{version_id}/submit`, { comment: 'Ready' }, { card_id, version_id: version?.id });
  await to
    .as(second.api)
    .post(`${versions}/{version_id}/approve`, { comment: 'Good' }, { card_id, version_id: version?.id });
  await to.send('POST', versions, { card_id }, FLOW.replace('Check the order', 'Check all orders'), xml);
  const { items } = (await to.get('/bpm/processes/{card_id}/elements', { card_id })) ?? { items: [] };
  await to.put(
    '/bpm/processes/{card_id}/elements/{element_id}/links',
    { links: [{ card_id: cards['Application']![0] }] },
    { card_id, element_id: items.find(({ name }) => name === 'Check the order')?.id },
  );
  await to.post('/bpm/templates', { name: 'Plain' });
  await to.post(
    '/bpm/processes/{card_id}/assessments',
    {
      assessed_on: '2026-11-01',
      efficiency: 3,
      effectiveness: 4,
      compliance: 5,
      automation: 2,
      overall: 3,
      notes: 'As measured',
    },
    { card_id },
  );
}

async function writePlans(to: Writer, { member, cards }: Made): Promise<void> {
  const [card_id] = cards['Initiative']!;
  const at = '/ppm/initiatives/{card_id}';
  await to.patch(`${at}/plan`, { start_date: '2026-12-01' }, { card_id });
  const item = async (title: string, more: object = {}) =>
    (await to.post(`${at}/wbs`, { title, ...more }, { card_id }))?.id;
  const phase = await item('Phase');
  const [one, two] = [
    await item('One', { parent_id: phase, duration_days: 5 }),
    await item('Two', { parent_id: phase, duration_days: 3 }),
  ];
  await item('Over', { is_milestone: true });
  if (one)
    await to.post(
      `${at}/dependencies`,
      { predecessor_id: one, successor_id: two, type: 'FS', lag_days: 1 },
      { card_id },
    );
  await to.post(
    `${at}/status-reports`,
    {
      report_date: '2026-11-20',
      schedule_health: 'on_track',
      cost_health: 'at_risk',
      scope_health: 'off_track',
      summary: 'So so',
    },
    { card_id },
  );
  const task = await to.post(
    `${at}/tasks`,
    { wbs_id: one, title: 'Write', assignee_id: member.user.id, effort_hours: 8, tags: ['text'] },
    { card_id },
  );
  await to.post(`${at}/tasks/{id}/comments`, { text: 'Half of it' }, { card_id, id: task?.id });
  await to.post('/ppm/holidays', { date: '2026-12-25', name: 'Christmas' });
  await to.post(`${at}/budgets`, { fiscal_year: 2026, category: 'capex', amount: 10000.5 }, { card_id });
  await to.post(
    `${at}/costs`,
    { wbs_id: one, category: 'opex', planned: 200, actual: 150.25, date: '2026-12-02' },
    { card_id },
  );
  await to.post(`${at}/risks`, { title: 'Too late', probability: 3, impact: 4 }, { card_id });
  await to.post(`${at}/baselines`, { name: 'First plan' }, { card_id });
}

async function writePublications(to: Writer, { cards }: Made): Promise<void> {
  const portal = await to.post('/portals', {
    slug: 'applications',
    title: 'Our applications',
    type: 'Application',
    fields: ['description'],
    is_published: true,
  });
  await to.patch('/portals/{id}', { description: 'All of them' }, { id: portal?.id });
  await to.post('/reports/saved', {
    name: 'Life cycles',
    report: 'lifecycle',
    parameters: { type: 'Application' },
    visibility: 'public',
  });
  await to.get('/cards/{id}', { id: cards['Application']![0] });
}

async function writeConnections(to: Writer, { admin }: Made): Promise<void> {
  const connection = await to.post('/cmdbsync/connections', {
    name: 'A CMDB',
    connector: 'servicenow',
    config: { url: 'https://cmdb.example.org', user_name: 'reader' },
    secrets: { password: 'of-the-cmdb' },
  });
  if (!connection) return;
  await to.post('/cmdbsync/mappings', {
    name: 'Servers',
    connection_id: connection.id,
    card_type: 'ITComponent',
    table: 'cmdb_ci_server',
    direction: 'pull',
    fields: [{ source: 'name', target: 'name', owner: 'cmdb', transform: { kind: 'direct' } }],
    identity: [{ target: 'name' }],
    owner_id: admin.user.id,
    is_enabled: false,
  });
}

/** Runs of the rules, which need no other service. */
async function writeFindings(to: Writer, { cards }: Made): Promise<void> {
  for (const name of ['suppliers', 'duplicates', 'modernisation']) await to.post(`/insightlens/${name}/analyse`);
  await to.put(
    '/insightlens/card-products/{id}',
    { vendor: 'postgresql', product: 'postgresql', release: '15' },
    { id: cards['ITComponent']![0] },
  );
  await to.post('/insightlens/architect/proposals', {
    requirement: 'Customers see their orders on a phone.',
    use_model: false,
  });
}
