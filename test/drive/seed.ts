/** The initial data of the drive: callers, and objects of every kind. */
import { expectStatus, login, makeUser, PASSWORD, registerAdmin, type AnyBody, type Session } from '../support/app.js';
import type { RawDocument } from './document.js';
import {
  createDecision,
  createDiagram,
  createFlows,
  createPlan,
  createRisk,
  createStatement,
  createProposal,
  prepareFeeds,
  runAnalysis,
} from './seed-modules.js';
import type { FieldInfo, Fields } from './values.js';
import { World } from './world.js';

export interface SeededWorkspace {
  admin: Session;
  viewer: Session;
  /** Sessions used only for calls that end sessions. */
  spare: Session[];
  world: World;
  fields: Fields;
}

interface TypeView {
  key: string;
  has_hierarchy?: boolean;
  sections?: { fields: RawField[] }[];
  fields?: RawField[];
}
interface RawField {
  key: string;
  kind: string;
  options?: { key: string }[];
}

const infoOf = ({ key, kind, options = [] }: RawField): FieldInfo => ({
  key,
  kind,
  options: options.map((o) => o.key),
});
const SPARE_USERS = 3;
const SESSIONS_EACH = 4;
const INVITATIONS = 6;
const PROPOSALS = 4;

/** Creates cards, relations and tags to replace deleted ones. */
export async function replenish(
  { admin, world }: Pick<SeededWorkspace, 'admin' | 'world'>,
  round: number,
): Promise<void> {
  const cards: string[] = [];
  for (const type of ['Application', 'BusinessCapability', 'ITComponent', 'BusinessProcess']) {
    const answer = await admin.api.post('/cards', { type, name: `Again ${round} ${type}` });
    if (answer.status !== 201) continue;
    cards.push(answer.body.id);
    world.collectIds('/api/v1/cards', '/api/v1/cards', answer.body);
  }
  for (const [i, target_id] of cards.slice(1).entries()) {
    const { body } = await admin.api.post('/relations', { type: 'related', source_id: cards[i], target_id });
    world.collectIds('/api/v1/relations', '/api/v1/relations', body);
  }
  const group = await admin.api.post('/metamodel/tag-groups', { name: `Again ${round}`, mode: 'multi' });
  if (group.status !== 201) return;
  world.collectIds('/api/v1/metamodel/tag-groups', '/api/v1/metamodel/tag-groups', group.body);
  const tags = `/metamodel/tag-groups/${group.body.id}/tags`;
  world.collectIds(
    '/api/v1/metamodel/tag-groups/{id}/tags',
    `/api/v1${tags}`,
    (await admin.api.post(tags, { name: 'one' })).body,
  );
  // A concurrent call may have deleted the card; the next round creates another one.
  await createDecision({ admin, world }, `Again ${round}`, []).catch(() => undefined);
  if (cards[0] !== undefined) {
    await createRisk({ admin, world }, `Again ${round}`, cards[0]).catch(() => undefined);
    await createDiagram({ admin, world }, `Again ${round}`, cards[0]).catch(() => undefined);
  }
}

/** Creates the callers and the first objects of every kind, only by the API. */
export async function seed(origin: string, document: RawDocument): Promise<SeededWorkspace> {
  const admin = await registerAdmin(origin);
  const viewer = await makeUser(admin, 'viewer');
  const world = new World();
  /** @param path the path of the request @param template the same with its parameters as `{name}` */
  const make = async (path: string, body: unknown, template = path): Promise<string> => {
    const answer = expectStatus(await admin.api.post(path, body), 201, `POST ${path}`);
    world.collectIds(`/api/v1${template}`, `/api/v1${path}`, answer.body);
    return answer.body.id;
  };
  /** Creates an item of a card, if the service has this kind. */
  const addItem = async (card: string, kind: string, body: unknown): Promise<void> => {
    if (document.paths[`/api/v1/cards/{id}/${kind}`]?.['post'])
      await make(`/cards/${card}/${kind}`, body, `/cards/{id}/${kind}`);
  };

  const spare: Session[] = [];
  for (let i = 0; i < SPARE_USERS; i++) {
    const first = await makeUser(admin, 'member');
    world.add('users', first.user.id);
    world.add('emails', first.user.email);
    spare.push(first);
    for (let more = 1; more < SESSIONS_EACH; more++) spare.push(await login(origin, first.user.email, PASSWORD));
  }
  world.add('users', admin.user.id);
  world.add('users', viewer.user.id);
  const own = (await spare[0]!.api.get('/auth/sessions')).body.items;
  for (const session of own) world.add('sessions', session.id);

  const sso = expectStatus(await admin.api.get<AnyBody>('/settings/sso'), 200, 'single sign-on');
  // Only a service with PUBLIC_URL invites users and signs them in.
  if (sso.body['callback_url'] !== null) {
    // No mail arrives: nothing listens there.
    const smtp = { host: '127.0.0.1', port: 1, security: 'none', from_address: 'lintel@example.org' };
    expectStatus(await admin.api.patch('/settings/smtp', smtp), 200, 'the mail settings');
    for (let i = 0; i < INVITATIONS; i++)
      await make('/users/invitations', { email: `invited-${i}@example.org`, role: 'viewer' });
    const issuer = 'https://id.example.org';
    const company = { kind: 'oidc', label: 'Company', client_id: 'lintel', issuer };
    expectStatus(await admin.api.patch('/settings/sso', { providers: { company } }), 200, 'single sign-on');
    const linked = (await makeUser(admin, 'member')).user.id;
    world.add('users', linked);
    await make(`/users/${linked}/identities`, { issuer, subject: 'one' }, '/users/{user_id}/identities');
  }

  const types = (await admin.api.get<{ items: TypeView[] }>('/metamodel/types', { query: { page_size: 200 } })).body
    .items;
  const relationTypes = (
    await admin.api.get<{ items: TypeView[] }>('/metamodel/relation-types', { query: { page_size: 200 } })
  ).body.items;
  const fields: Record<string, FieldInfo[]> = {};
  for (const { key, sections = [] } of types) {
    world.add('types', key);
    fields[key] = sections.flatMap((s) => s.fields).map(infoOf);
  }
  for (const { key, fields: own = [] } of relationTypes) {
    world.add('relation-types', key);
    fields[key] = own.map(infoOf);
  }
  for (const role of ['viewer', 'member', 'architect', 'admin']) world.add('roles', role);
  for (const { id } of (await admin.api.get<{ items: AnyBody[] }>('/settings/modules')).body.items)
    world.add('modules', id);

  const cards: string[] = [];
  for (const { key, has_hierarchy: nests } of types) {
    const root = await make('/cards', {
      type: key,
      name: `Initial ${key}`,
      external_id: `initial-${key}`,
      lifecycle: { active: '2024-01-01' },
    });
    cards.push(root, await make('/cards', { type: key, name: `Second ${key}`, ...(nests && { parent_id: root }) }));
  }
  for (const [i, card] of cards.slice(1).entries())
    await make('/relations', {
      type: 'related',
      source_id: cards[i],
      target_id: card,
      attributes: { kind: 'initial' },
    });
  for (const card of cards.slice(0, 4)) {
    await addItem(card, 'stakeholders', { user_id: spare[0]!.user.id, role: 'responsible' });
    await addItem(card, 'comments', { body: 'A first word' });
    await addItem(card, 'documents', { name: 'Handbook', url: 'https://example.org/handbook' });
    await addItem(card, 'todos', { title: 'Look at it' });
  }
  if (document.paths['/api/v1/metamodel/tag-groups']) {
    const group = await make('/metamodel/tag-groups', { name: 'Initial', mode: 'multi' });
    for (const name of ['one', 'two'])
      await make(`/metamodel/tag-groups/${group}/tags`, { name }, '/metamodel/tag-groups/{id}/tags');
  }
  if (document.paths['/api/v1/webhooks'])
    for (const name of ['one', 'two'])
      await make('/webhooks', { name, url: `https://${name}.invalid/hook`, is_active: false });
  world.add('signatories', admin.user.id);
  const paths = Object.keys(document.paths);
  if (paths.includes('/api/v1/adr'))
    for (const steps of [[], [], ['request'], ['request'], ['request', 'sign']] as const)
      await createDecision({ admin, world }, `Initial ${steps.length}`, steps);
  if (paths.includes('/api/v1/soaw'))
    for (const [i, steps] of ([[], ['request'], ['request', 'sign']] as const).entries())
      await createStatement({ admin, world }, `Initial ${i}`, cards[i]!, steps);
  if (paths.includes('/api/v1/risks'))
    for (const card of cards.slice(0, 3)) await createRisk({ admin, world }, 'Initial', card);
  if (paths.includes('/api/v1/bpm/processes'))
    for (const name of ['One', 'Two']) await createFlows({ admin, world }, `Initial flows ${name}`);
  if (paths.includes('/api/v1/ppm/initiatives'))
    for (const [i, name] of ['One', 'Two'].entries())
      await createPlan({ admin, world }, `Initial plan ${name}`, `2026-12-2${i}`);
  if (paths.includes('/api/v1/diagrams'))
    for (const [i, card] of cards.slice(0, 3).entries()) await createDiagram({ admin, world }, `Initial ${i}`, card);
  if (paths.includes('/api/v1/reports/saved'))
    for (const name of ['One', 'Two', 'Three'])
      await make('/reports/saved', { name, report: 'cost', parameters: { field: 'attributes.costTotalAnnual' } });
  if (paths.includes('/api/v1/portals')) {
    const fields = ['description', 'subtype', 'attributes.businessCriticality'];
    // Not in the world, so that it is rarely deleted.
    const portal = { slug: 'drive', title: 'Initial', type: 'Application', fields, is_published: true };
    expectStatus(await admin.api.post('/portals', portal), 201, 'making a portal');
    world.add('public', 'drive');
  }
  if (paths.includes('/api/v1/insightlens/feeds')) await prepareFeeds({ admin, world }, cards.slice(6, 10));
  if (paths.includes('/api/v1/insightlens/runs'))
    for (const kind of ['security', 'suppliers', 'duplicates']) await runAnalysis({ admin, world }, kind);
  if (paths.includes('/api/v1/insightlens/architect/proposals'))
    for (let n = 0; n < PROPOSALS; n++) await createProposal({ admin, world });
  for (const key of ['own', 'gone'])
    await make('/roles', { key: `drive_${key}`, label: key, permissions: ['cards.view'] });
  for (const [kind, name] of [
    ['roles', 'drive_gone'],
    ['cards', cards[4]!],
    ['cards', cards[5]!],
  ] as const) {
    if ((await admin.api.post(`/${kind}/${name}/archive`, {})).status === 200) world.setState(kind, 'archived', name);
  }
  expectStatus(await admin.api.post('/metamodel/types', { key: 'DriveOwn', label: 'Own' }), 201, 'making a card type');
  world.setState('types', 'own', 'DriveOwn');
  for (let position = 1; position <= 5; position++) world.add('events', String(position));
  return { admin, viewer, spare, world, fields };
}
