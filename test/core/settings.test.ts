import { isDeepStrictEqual } from 'node:util';
import t from 'tap';
import { client, makeUser, nextAddress, PASSWORD, registerAdmin, sql, testApp, until } from '../support/app.js';

const one = await testApp();
const two = await testApp({ database: one.database });
t.teardown(async () => {
  await Promise.all([one.close(), two.close()]);
});
const admin = await registerAdmin(one.origin);
const viewer = await makeUser(admin, 'viewer');

const PUBLIC = {
  app_title: 'Lintel',
  currency: 'EUR',
  date_format: 'YYYY-MM-DD',
  fiscal_year_start: 1,
  locales: ['en'],
  registration: { enabled: false },
  version: 1,
};

const RESTRICTED = {
  archive_retention_days: 30,
  event_retention_days: 0,
  require_if_match: false,
  session_days: 30,
  login_limits: { max_misses: 5, max_misses_unknown_addresses: 20, window_minutes: 15, lock_minutes: 15 },
  rate_limits: {
    login: 10,
    register: 5,
    refresh: 60,
    change_password: 5,
    forgot_password: 5,
    reset_password: 5,
    accept_invitation: 5,
    email_change: 5,
    email_change_links: 5,
    sso: 20,
  },
  card_limits: { comments: 10_000, documents: 1_000, todos: 1_000, stakeholders: 200, tags: 200 },
  write_limits: { per_minute: null },
  api_tokens: { max_days: 365 },
};

t.test('every caller gets the settings of a login page, managers get all', async (t) => {
  t.strictSame((await client(one.origin).get<object>('/settings')).body, PUBLIC);
  t.strictSame((await client(one.origin, 'no.such.token').get<object>('/settings')).body, PUBLIC);
  t.strictSame((await viewer.api.get<object>('/settings')).body, PUBLIC);
  const all = await admin.api.get<object>('/settings');
  t.strictSame(all.body, { ...PUBLIC, ...RESTRICTED });
  t.equal(all.headers.get('etag'), '"1"');
  const shared = await client(one.origin).get('/settings');
  t.not(shared.headers.get('etag'), '"1"', 'another view has another tag');
  t.match(shared.headers.get('vary'), /authorization/i);
});

t.test('only managers can change settings, and only to valid values', async (t) => {
  t.equal((await client(one.origin).patch('/settings', { currency: 'USD' })).status, 401);
  t.match(await viewer.api.patch('/settings', { currency: 'USD' }), {
    status: 403,
    body: { required_permission: 'settings.manage' },
  });
  const faults = await admin.api.patch('/settings', {
    app_title: ' ',
    currency: 'euro',
    date_format: 'yy',
    fiscal_year_start: 13,
    locales: [],
    archive_retention_days: -1,
    registration: { enabled: 'yes', open: true },
    require_if_match: null,
    unknown: 1,
  });
  t.equal(faults.status, 422);
  t.strictSame(faults.body.errors.map((e) => e.field).sort(), [
    '/app_title',
    '/archive_retention_days',
    '/currency',
    '/date_format',
    '/fiscal_year_start',
    '/locales',
    '/registration/enabled',
    '/registration/open',
    '/require_if_match',
    '/unknown',
  ]);
  t.equal((await admin.api.patch('/settings', {})).status, 422);
  t.strictSame((await client(one.origin).get<object>('/settings')).body, PUBLIC);
});

t.test('a change is merged, versioned and creates an event', async (t) => {
  const changed = await admin.api.patch(
    '/settings',
    { app_title: 'Architecture', registration: { enabled: true } },
    { headers: { 'if-match': '"1"' } },
  );
  t.match(changed, {
    status: 200,
    body: { app_title: 'Architecture', registration: { enabled: true }, currency: 'EUR', version: 2 },
  });
  t.match((await admin.api.patch('/settings', { app_title: 'Architecture' })).body, { version: 2 }, 'nothing changed');
  t.match((await admin.api.patch('/settings', { currency: 'CHF' })).body, {
    app_title: 'Architecture',
    registration: { enabled: true },
    currency: 'CHF',
    version: 3,
  });
  t.match(
    await admin.api.patch(
      '/settings',
      { currency: 'USD', app_title: 'Architecture' },
      { headers: { 'if-match': '"2"' } },
    ),
    { status: 412, body: { current_version: 3, changed_fields: ['currency'] } },
  );
  t.equal((await admin.api.get('/settings', { headers: { 'if-none-match': '"3"' } })).status, 304);
  const events = await sql(
    one.database,
    `select data from (select data, type from event_outbox union all select data, type from events) e where type = 'settings.updated'`,
  );
  t.ok(events.some((e) => isDeepStrictEqual(e['data'], { changes: [{ field: 'currency', old: 'EUR', new: 'CHF' }] })));
});

t.test('the other node applies a change within a second', async (t) => {
  const register = (n: number) =>
    client(two.origin).post(
      '/auth/register',
      { email: `two-${n}@example.org`, password: PASSWORD, display_name: 'Two' },
      { from: nextAddress() },
    );
  await admin.api.patch('/settings', { registration: { enabled: false } });
  await until(
    async () => (await client(two.origin).get<typeof PUBLIC>('/settings')).body.registration.enabled === false,
    1_000,
  );
  let n = 0;
  await until(async () => (await register(n++)).status === 403, 1_000);
  t.equal(
    (await admin.api.patch('/settings', { registration: { enabled: true }, require_if_match: true })).status,
    200,
  );
  await until(async () => (await register(n++)).status === 201, 1_000);
  const there = client(two.origin, admin.token);
  const refused = await there.patch('/settings', { currency: 'USD' });
  t.match(refused, { status: 428, body: { code: 'precondition_required' } });
  const { version } = (await there.get('/settings')).body;
  t.equal(
    (await there.patch('/settings', { require_if_match: false }, { headers: { 'if-match': `"${version}"` } })).status,
    200,
  );
});

t.test('concurrent changes are all kept', async (t) => {
  const patches = [
    { app_title: 'At once' },
    { currency: 'SEK' },
    { fiscal_year_start: 4 },
    { archive_retention_days: 7 },
    { locales: ['sv', 'en'] },
  ];
  await until(() => [one, two].every(({ app }) => !app.services.settings.current.require_if_match), 1_000);
  const before = (await admin.api.get('/settings')).body.version;
  const answers = await Promise.all(
    patches.map((patch, i) => client(i % 2 ? one.origin : two.origin, admin.token).patch('/settings', patch)),
  );
  t.ok(
    answers.every((a) => a.status === 200),
    JSON.stringify(answers.map((a) => a.body)),
  );
  t.match((await admin.api.get('/settings')).body, {
    ...(Object.assign({}, ...patches) as object),
    version: before + patches.length,
  });
});
