/**
 * What a user is shown is the same whether cards exist that are hidden from this user, or not: all GET operations of the core and of all
 * modules, with the parameters that sort, limit, search and filter. A world with hidden cards is compared with the one before they were added.
 */
import t from 'tap';
import { expectStatus, registerAdmin, testApp, until, type AnyBody, type Session } from '../support/app.js';
import { makeRoleUser } from '../support/roles.js';

const test = await testApp();
const { app, origin, close } = test;
t.teardown(close);
const admin = await registerAdmin(origin);
const make = async (path: string, body: object): Promise<string> => {
  const answer = await admin.api.post(path, body);
  if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body.id;
};
const blind = await makeRoleUser(test, admin, 'blind', {
  like: 'architect',
  types: Object.fromEntries(['ITComponent', 'Provider', 'Organization'].map((type) => [type, { 'cards.view': false }])),
});

const card = (type: string, name: string, more = {}): Promise<string> => make('/cards', { type, name, ...more });
const relate = (type: string, source_id: string, target_id: string): Promise<string> =>
  make('/relations', { type, source_id, target_id });
const ended = { lifecycle: { active: '2019-01-01', endOfLife: '2021-01-01' } };
const cost = (amount: number) => ({ attributes: { costTotalAnnual: amount } });

/** Visible cards with something of the modules. */
const text = { description: 'Sells goods of the harbour to customers of the city' };
const apps = [
  await card('Application', 'Web shop', { ...ended, ...cost(100), ...text }),
  await card('Application', 'Webshop', { ...cost(200), ...text }),
  await card('Application', 'Ledger', cost(300)),
  await card('Application', 'Archive', ended),
  // Alike, and with relations to cards of another kind each.
  await card('Application', 'Parking permits', text),
  await card('Application', 'Parking permit', text),
];
const [shop, twin, ledger, archive, permits, permit] = apps as [string, string, string, string, string, string];
const capability = await card('BusinessCapability', 'Selling');
const initiative = await card('Initiative', 'Renewal');
const processes: string[] = [];
for (let i = 0; i < 6; i++) processes.push(await card('BusinessProcess', `Process ${i}`));
const platform = await card('Platform', 'Cloud');
for (const id of [shop, twin, ledger]) await relate('applicationToBusinessCapability', id, capability);
for (const id of processes) await relate('businessProcessToApplication', id, ledger);
await make('/risks', { title: 'Damp', category: 'technology', cards: [{ card_id: shop, role: 'affected' }] });
await make('/adr', { title: 'Move the shop', card_ids: [shop, ledger] });
const tables = ['cards', 'gaps', 'costs', 'risks', 'decisions', 'roadmap'].map((kind) => ({
  ...{ id: kind, kind, title: kind, limit: 2 },
}));
const sections = [{ key: 'overview', title: 'Overview', tables }];
await make('/soaw', { title: 'Leave', sections });
await make(`/cards/${shop}/comments`, { body: 'Visible' });
await make(`/cards/${shop}/todos`, { title: 'Visible', assignee_id: blind.user.id });
await make(`/cards/${shop}/stakeholders`, { user_id: blind.user.id, role: 'responsible' });

async function analyse(): Promise<void> {
  for (const kind of ['suppliers', 'duplicates', 'security', 'modernisation']) {
    const { id } = expectStatus(await admin.api.post(`/insightlens/${kind}/analyse`), 201, kind).body;
    await until(async () => {
      const { state } = (await admin.api.get<{ state: string }>(`/insightlens/runs/${id}`)).body;
      if (state === 'failed') throw new Error(kind);
      return state === 'done';
    });
  }
}

/** Words that are in hidden cards, in visible ones, in both. */
const WORDS = ['secret', 'harbour', 'shop'];
/** Values of parameters of the query by name; a route is read once with each of them that it has. */
const VALUES: Record<string, readonly string[]> = {
  page_size: ['1', '2'],
  search: WORDS,
  q: WORDS,
  sort_by: ['name', '-name', 'created_at', 'score', 'data_quality'],
  type: ['Application', 'ITComponent', 'Application,ITComponent'],
  has_relation: ['applicationToITComponent', 'none'],
  lacks_relation: ['applicationToITComponent'],
  related_to: [shop],
  root_id: [shop],
  parent_id: ['null'],
  'stakeholder_role[empty]': ['any'],
  card_id: [shop],
  card_ids: [shop],
  limit: ['1'],
  depth: ['3'],
  direction: ['both'],
  format: ['csv', 'svg'],
  kind: ['duplicates', 'security'],
  group_by: ['type', 'subtype', 'attributes.businessCriticality'],
  col_type: ['ITComponent'],
  parent_type: ['Organization'],
  relation_type: ['applicationToITComponent'],
};
/** Parameters without which a route is not answered. */
const NEEDED: Record<string, string> = {
  q: 'shop',
  ids: shop,
  card_id: shop,
  card_ids: shop,
  type: 'Application',
  relation_type: 'applicationToBusinessCapability',
  row_type: 'Application',
  col_type: 'BusinessCapability',
  parent_type: 'BusinessCapability',
  x: 'attributes.costTotalAnnual',
  y: 'data_quality',
  field: 'attributes.costTotalAnnual',
};
/** Reports that need one of several parameters. */
const ONE_OF: Record<string, Record<string, string>> = { '/reports/dependencies': { type: 'Application' } };
/** Operations that tell of the service or of the requests themselves, or do not end. */
const APART =
  /\/(health|ready|metrics|events\/stream|events$|openapi|docs|jobs|sessions|audit|webhooks|me\/|settings\/modules|status|permissions\/|insightlens\/runs)/;

const itemOf = new Map<string, string | undefined>();
/** The path with an item of each list; undefined where there is none. */
async function filled(by: Session, url: string): Promise<string | undefined> {
  const at = url.indexOf('/:');
  if (at === -1) return url;
  const list = url.slice(0, at);
  const known: Record<string, string> = {
    '/cards': shop,
    '/metamodel/types': 'Application',
    '/ppm/initiatives': initiative,
  };
  if (!itemOf.has(list)) {
    const { body } = await by.api.get<AnyBody & { items?: { id?: string; key?: string }[] }>(list);
    itemOf.set(list, known[list] ?? body.items?.[0]?.id ?? body.items?.[0]?.key);
  }
  const item = itemOf.get(list);
  return item === undefined ? undefined : await filled(by, `${list}/${item}${url.slice(at).replace(/^\/:\w+/, '')}`);
}

interface Read {
  path: string;
  query: Record<string, string>;
  /** Without further parameters than those that are required. */
  isBare?: boolean;
}
const keyOf = ({ path, query }: Read): string => `${path}?${new URLSearchParams(query).toString()}`;

async function reads(): Promise<{ all: Read[]; without: string[] }> {
  const [all, without]: [Read[], string[]] = [[], []];
  for (const { method, url, schema } of app.routeTable) {
    if (method !== 'GET' || APART.test(url) || url.includes('*')) continue;
    const path = await filled(blind, url.replace(/^\/api\/v1/, ''));
    if (path === undefined) {
      without.push(url);
      continue;
    }
    const { properties = {}, required = [] } = (schema.querystring ?? {}) as {
      properties?: Record<string, unknown>;
      required?: string[];
    };
    const needed = {
      ...Object.fromEntries(required.flatMap((name) => (NEEDED[name] ? [[name, NEEDED[name]]] : []))),
      ...ONE_OF[path],
    };
    all.push({ path, query: needed, isBare: true });
    for (const [name, values] of Object.entries(VALUES))
      if (Object.hasOwn(properties, name))
        for (const value of values) all.push({ path, query: { ...needed, [name]: value } });
  }
  return { all, without };
}

/** An answer without ids and times, which each world has of its own. */
function comparable(text: string): string {
  const numbers = new Map<string, string>();
  return text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) => {
      if (!numbers.has(id)) numbers.set(id, `id${numbers.size}`);
      return numbers.get(id)!;
    })
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/"(took_ms|age_seconds|request_id|next_cursor|prev_cursor)":("[^"]*"|[\d.]+)/g, '"$1":0');
}

async function look(all: readonly Read[]): Promise<Map<string, string>> {
  const seen = new Map<string, string>();
  for (const { path, query } of all) {
    const key = keyOf({ path, query });
    const address = `${origin}/api/v1${key.replace(/\?$/, '')}`;
    // Pictures are refused while the thread that draws them is busy.
    const answer = await until(async () => {
      const found = await fetch(address, { headers: { authorization: `Bearer ${blind.token}` } });
      return found.status !== 503 && found;
    }, 60_000);
    const bytes = Buffer.from(await answer.arrayBuffer());
    const isText = /json|text|xml|csv/.test(answer.headers.get('content-type') ?? '');
    const shown = comparable(isText ? bytes.toString() : String(bytes.length));
    // The order of the relations of the impact is that in which they were read into memory.
    const answered = path.endsWith('/impact') ? [...shown].sort().join('') : shown;
    seen.set(key, `${answer.status} ${answered}`);
  }
  return seen;
}

t.test('every answer is the same with and without hidden cards', async (t) => {
  await analyse();
  const { all, without } = await reads();
  const before = await look(all);

  const hidden: string[] = [];
  for (const [i, name] of ['Aa secret', 'Web shop', 'Secret harbour server', 'Harbour Software', 'Zz'].entries())
    hidden.push(
      await card('ITComponent', name, { ...ended, ...cost(1_000 * (i + 1)), description: 'A secret of the harbour' }),
    );
  for (const [i, id] of apps.entries()) await relate('applicationToITComponent', id, hidden[i % 2]!);
  await relate('initiativeToITComponent', initiative, hidden[0]!);
  await relate('businessProcessToITComponent', processes[0]!, hidden[0]!);
  await relate('platformToITComponent', platform, hidden[1]!);
  for (const id of [permits, permit, shop, archive]) {
    await relate('providerToApplication', await card('Provider', `Supplier of ${id}`), id);
    await relate('organizationToApplication', await card('Organization', `User of ${id}`), id);
  }
  await make(`/cards/${hidden[0]}/comments`, { body: 'secret' });
  await make(`/cards/${hidden[0]}/todos`, { title: 'secret', assignee_id: blind.user.id });
  await make(`/cards/${hidden[0]}/stakeholders`, { user_id: blind.user.id, role: 'responsible' });
  await analyse();

  const after = await look(all);
  for (const [key, shown] of before) {
    const now = after.get(key)!;
    if (now === shown) continue;
    const at = [...shown].findIndex((character, i) => now[i] !== character);
    t.equal(now.slice(Math.max(0, at - 200), at + 300), shown.slice(Math.max(0, at - 200), at + 300), key);
  }
  const answered = [...before.values()].filter((shown) => shown.startsWith('200')).length;
  t.ok(answered > 500, `${answered} answers were compared`);
  const refused = all.filter(
    ({ path, query, isBare }) =>
      isBare && /^\/(reports|insightlens)\//.test(path) && before.get(keyOf({ path, query }))!.startsWith('422'),
  );
  t.strictSame(refused, [], 'the reports are computed');
  t.comment(`nothing to read for ${without.length} operations`);
});
