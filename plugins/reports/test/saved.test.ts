import t from 'tap';
import { makeUser, openStream, registerAdmin, sql, testApp, until, type Session } from '../../../test/support/app.js';

interface Saved {
  id: string;
  name: string;
  description: string | null;
  report: string;
  parameters: Record<string, unknown>;
  visibility: string;
  shared_with: { users: string[]; roles: string[] };
  owner: { id: string; display_name: string } | null;
  version: number;
  [member: string]: unknown;
}
interface Page {
  items: Saved[];
  total: number;
}

const { origin, database, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const [member, other, viewer, architect] = await Promise.all(
  ['member', 'member', 'viewer', 'architect'].map((role) => makeUser(admin, role)),
);
const users = { admin, member: member!, other: other!, viewer: viewer!, architect: architect! };
await admin.api.post('/roles', { key: 'blind', label: 'Blind', permissions: ['cards.view'] });
const blind = await makeUser(admin, 'blind');
for (const name of ['Shop', 'Ledger']) await admin.api.post('/cards', { type: 'Application', name });

const PARAMETERS = { type: 'Application', x: 'subtype', y: 'approval_status' };
const PATH = '/reports/saved';
const NOWHERE = '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b';
let count = 0;
async function save(body: object = {}, by: Session = users.member): Promise<Saved> {
  const given = { name: `Report ${++count}`, report: 'portfolio', parameters: PARAMETERS, ...body };
  const answer = await by.api.post<Saved>(PATH, given);
  if (answer.status !== 201) throw new Error(`saving gave ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}
const change = (id: string, body: object, by: Session, version: number) =>
  by.api.patch<Saved & { code: string; errors: { field: string }[] }>(`${PATH}/${id}`, body, {
    headers: { 'if-match': `"${version}"` },
  });
const remove = (id: string, by: Session, version: number) =>
  by.api.del(`${PATH}/${id}`, { headers: { 'if-match': `"${version}"` } });
const idsOf = async (by: Session, query: Record<string, string> = {}) =>
  (await by.api.get<Page>(PATH, { query: { page_size: '200', ...query } })).body.items.map(({ id }) => id);

await t.test('a report is saved, read, changed, computed and deleted', async (t) => {
  const { api, user } = users.member;
  const key = { headers: { 'idempotency-key': 'save-one-report' } };
  const body = { name: 'By subtype', report: 'portfolio', parameters: PARAMETERS };
  const made = await api.post<Saved>(PATH, body, key);
  t.equal(made.status, 201);
  t.equal(made.headers.get('location'), `/api/v1/reports/saved/${made.body.id}`);
  t.match(made.body, {
    ...body,
    description: null,
    visibility: 'private',
    shared_with: { users: [], roles: [] },
    owner: { id: user.id, display_name: user.display_name },
    version: 1,
  });
  t.notOk('was_hidden' in made.body, 'internal members are not shown');
  t.equal((await api.post<Saved>(PATH, body, key)).body.id, made.body.id, 'the key saves it once');
  const one = `${PATH}/${made.body.id}`;
  const read = await api.get<Saved>(one);
  t.same(read.body, made.body);
  t.equal((await api.get(one, { headers: { 'if-none-match': read.headers.get('etag')! } })).status, 304);

  const changed = await change(
    made.body.id,
    { parameters: { size: 'data_quality', y: 'lifecycle_phase' } },
    users.member,
    1,
  );
  t.equal(changed.status, 200, JSON.stringify(changed.body));
  t.same(
    changed.body.parameters,
    { ...PARAMETERS, y: 'lifecycle_phase', size: 'data_quality' },
    'parameters are merged',
  );
  t.equal((await change(made.body.id, { name: 'x' }, users.member, 1)).status, 412);
  t.same(
    (await change(made.body.id, { parameters: { size: null } }, users.member, 2)).body.parameters,
    { ...PARAMETERS, y: 'lifecycle_phase' },
    'null removes a parameter',
  );

  const direct = await api.get('/reports/portfolio', { query: { ...PARAMETERS, y: 'lifecycle_phase' } });
  const result = await api.get(`${one}/result`);
  t.equal(result.status, 200);
  t.same(result.body, direct.body, 'the result is that of the report');
  t.equal(result.body.total, 2);
  const csv = await api.get<string>(`${one}/result`, { query: { format: 'csv' } });
  t.match(csv.headers.get('content-type'), /^text\/csv/);
  t.match(csv.body, /^Subtype,/);
  t.equal((await api.get(`${one}/result`, { query: { format: 'pdf' } })).status, 422);
  for (const format of ['xlsx', 'svg', 'png'])
    t.equal((await api.get(`${one}/result`, { query: { format } })).status, 200, format);

  const history = await api.get<{ items: { type: string; version: number }[] }>(`${one}/history`);
  t.same(
    history.body.items.map(({ type, version }) => [type, version]),
    [
      ['reports_saved.updated', 3],
      ['reports_saved.updated', 2],
      ['reports_saved.created', 1],
    ],
  );
  t.equal((await remove(made.body.id, users.member, 3)).status, 204);
  t.equal((await api.get(one)).status, 404);
  t.equal((await api.get(`${one}/result`)).status, 404);
});

await t.test('all invalid fields are told', async (t) => {
  const fields = async (body: object, by = users.member) => {
    const answer = await by.api.post(PATH, { name: 'N', report: 'portfolio', parameters: PARAMETERS, ...body });
    return [answer.status, answer.body.errors?.map(({ field }) => field).sort()];
  };
  t.same(await fields({ report: 'nothing' }), [422, ['/report']]);
  t.same(await fields({ parameters: { type: 'Application', x: 'subtype' } }), [422, ['/parameters/y']]);
  t.same(await fields({ parameters: { ...PARAMETERS, format: 'csv', nothing: 1 } }), [
    422,
    ['/parameters/format', '/parameters/nothing'],
  ]);
  const shared_with = { users: [NOWHERE, users.other.user.id], roles: ['viewer', 'nobodys'] };
  t.same(await fields({ shared_with, report: 'nothing' }), [
    422,
    ['/report', '/shared_with/roles/1', '/shared_with/users/0'],
  ]);
  t.same(await fields({ name: ' ', visibility: 'all', more: 1 }), [422, ['/more', '/name', '/visibility']]);
  t.same(await fields({ parameters: { type: 'Application', x: { a: 1 }, y: 'subtype' } }), [422, ['/parameters/x']]);
});

await t.test('a report is visible to its owner, those it is shared with, or all', async (t) => {
  const { user: otherUser } = users.other;
  const mine = await save();
  const toUser = await save({ visibility: 'shared', shared_with: { users: [otherUser.id.toUpperCase()], roles: [] } });
  const toRole = await save({ visibility: 'shared', shared_with: { users: [], roles: ['viewer'] } });
  const unshared = await save({ shared_with: { users: [otherUser.id], roles: ['viewer'] } });
  const open = await save({ visibility: 'public' });
  const all = { mine, toUser, toRole, unshared, open };
  const seen: Record<string, (keyof typeof all)[]> = {
    member: ['mine', 'toUser', 'toRole', 'unshared', 'open'],
    other: ['toUser', 'open'],
    viewer: ['toRole', 'open'],
    architect: ['open'],
    admin: ['open'],
  };
  for (const [name, visible] of Object.entries(seen)) {
    const by = users[name as keyof typeof users];
    const ids = await idsOf(by);
    for (const [key, { id, version }] of Object.entries(all)) {
      const isSeen = visible.includes(key as never);
      t.equal(ids.includes(id), isSeen, `${name} finds ${key} in the list: ${isSeen}`);
      for (const path of ['', '/result'])
        t.equal((await by.api.get(`${PATH}/${id}${path}`)).status, isSeen ? 200 : 404, `${name} ${key}${path}`);
      t.equal(
        (await by.api.get(`${PATH}/${id}/history`)).status,
        name === 'member' ? 200 : isSeen ? 403 : 404,
        `${name} ${key} history`,
      );
      if (name === 'member') continue;
      const manages = name === 'admin' || name === 'architect';
      const refused = isSeen ? 403 : 404;
      const patched = await change(id, { description: 'x' }, by, version);
      t.equal(patched.status, isSeen && manages ? 200 : refused, `${name} changes ${key}`);
      if (patched.status === 200) all[key as keyof typeof all].version = patched.body.version;
      else t.equal((await remove(id, by, version)).status, refused, `${name} deletes ${key}`);
    }
    const { body } = await by.api.get<Page>(PATH);
    t.equal(body.total, ids.length, `the total of ${name} has no others`);
  }
  t.equal((await blind.api.get(PATH)).status, 403);
  t.equal((await blind.api.get(`${PATH}/${open.id}`)).status, 403);
  t.equal((await remove(open.id, users.architect, all.open.version)).status, 204);
});

await t.test('making a report public needs a permission', async (t) => {
  const { id } = await save({}, users.viewer);
  const refused = await change(id, { visibility: 'public' }, users.viewer, 1);
  t.equal(refused.status, 403);
  t.equal(refused.body['required_permission'], 'reports.share');
  t.equal(
    (
      await users.viewer.api.post(PATH, {
        name: 'N',
        report: 'portfolio',
        parameters: PARAMETERS,
        visibility: 'public',
      })
    ).status,
    403,
  );
  t.equal(
    (await change(id, { visibility: 'shared', shared_with: { roles: ['member'] } }, users.viewer, 1)).status,
    200,
  );
  t.ok((await idsOf(users.member)).includes(id));
});

await t.test('the list is filtered, sorted and searched', async (t) => {
  const a = await save({ name: 'Zürich sites', description: 'Quarterly' }, users.other);
  const b = await save({ name: 'aachen sites', report: 'dashboard', parameters: {} }, users.other);
  t.same(await idsOf(users.other, { owner: 'me' }), [b.id, a.id]);
  t.same(await idsOf(users.other, { owner: 'me', sort_dir: 'desc' }), [a.id, b.id]);
  t.same(await idsOf(users.other, { report: 'dashboard' }), [b.id]);
  t.same(await idsOf(users.other, { search: 'zurich quarter' }), [a.id]);
  t.same(await idsOf(users.other, { owner: users.other.user.id, visibility: 'public' }), []);
  t.same(await idsOf(users.member, { owner: users.other.user.id, visibility: 'private' }), []);
  t.same(await idsOf(users.member, { search: 'zurich' }), []);
});

await t.test('events of reports that are not public reach their owner only', async (t) => {
  const streams = new Map<string, Awaited<ReturnType<typeof openStream>>>();
  for (const [name, { token }] of Object.entries(users)) {
    const stream = await openStream(origin, token);
    t.teardown(() => stream.close());
    streams.set(name, stream);
  }
  const hidden = await save({
    name: 'Secret plan',
    visibility: 'shared',
    shared_with: { users: [], roles: ['viewer'] },
  });
  await change(hidden.id, { name: 'Secret plan 2' }, users.member, 1);
  const published = await change(hidden.id, { visibility: 'public', name: 'Open plan' }, users.member, 2);
  t.equal(published.status, 200);
  await change(hidden.id, { name: 'Open plan 2' }, users.member, 3);
  const marker = await save({ visibility: 'public' });
  const idOf = (data: unknown) => (data as { subject: string }).subject;
  for (const [name, stream] of streams) {
    await stream.waitFor(({ data }) => idOf(data) === marker.id);
    const versions = stream.events
      .filter(({ data }) => idOf(data) === hidden.id)
      .map(({ data }) => (data as { data: { version: number } }).data.version);
    t.same(versions, name === 'member' ? [1, 2, 3, 4] : [4], `events of ${name}`);
    if (name !== 'member') t.notMatch(JSON.stringify(stream.events), /Secret plan/, name);
  }

  const log = { query: { type: 'reports_saved.', subject_id: hidden.id, page_size: '200' } };
  const { body } = await admin.api.get(`/events`, log);
  t.equal(body.items.length, 1, 'an auditor gets only what is public');
  t.equal(body.total, 1);
  const [secret] = await sql<{ id: number }>(
    database,
    `select position::int as id from events where subject_id = $1 order by position limit 1`,
    [hidden.id],
  );
  t.equal((await admin.api.get(`/events/${secret!.id}`)).status, 404);
  const [{ everything } = { everything: 0 }] = await sql<{ everything: number }>(
    database,
    `select count(*)::int as everything from events e where not (e.subject_kind = 'reports_saved' and e.data->>'only' is not null) and e.subject_kind <> 'notification'`,
  );
  t.equal((await admin.api.get('/events')).body.total, everything, 'the total has no events of others');
});

await t.test('reports of deleted users', async (t) => {
  const leaving = await makeUser(admin, 'member');
  const own = await save({}, leaving);
  const shared = await save({ visibility: 'shared', shared_with: { users: [], roles: ['viewer'] } }, leaving);
  const open = await save({ visibility: 'public' }, leaving);
  const addressed = await save({ visibility: 'shared', shared_with: { users: [leaving.user.id], roles: [] } });
  const { version } = (await admin.api.get(`/users/${leaving.user.id}`)).body;
  const gone = await admin.api.del(`/users/${leaving.user.id}`, { headers: { 'if-match': `"${version}"` } });
  t.equal(gone.status, 204, JSON.stringify(gone.body));
  await until(async () => (await sql(database, 'select from reports_saved where id = $1', [own.id])).length === 0);
  t.equal((await users.viewer.api.get<Saved>(`${PATH}/${shared.id}`)).body.owner, null);
  t.equal((await users.viewer.api.get<Saved>(`${PATH}/${open.id}`)).body.owner, null);
  const renamed = await change(open.id, { name: 'Taken over' }, users.architect, 1);
  t.equal(renamed.status, 200, 'a manager changes what is public');
  const kept = await change(addressed.id, { shared_with: { roles: ['viewer'] } }, users.member, 1);
  t.equal(kept.status, 200, 'a deleted user may remain among those it is shared with');
});

await t.test('a report that is no longer valid is a conflict with the reason', async (t) => {
  await admin.api.post('/metamodel/types', { key: 'Shortlived', label: 'Shortlived' });
  const { id } = await save({ parameters: { ...PARAMETERS, type: 'Shortlived' }, visibility: 'public' });
  t.equal((await users.viewer.api.get(`${PATH}/${id}/result`)).status, 200);
  await sql(database, `update reports_saved set parameters = parameters || '{"type": "Nothing"}' where id = $1`, [id]);
  const answer = await users.viewer.api.get(`${PATH}/${id}/result`);
  t.equal(answer.status, 409);
  t.equal(answer.body.code, 'reports_saved_invalid');
  t.same(
    answer.body.errors.map(({ field }) => field),
    ['parameters.type'],
  );
  await sql(database, `update reports_saved set parameters = '{"old": 1}' where id = $1`, [id]);
  t.equal((await users.viewer.api.get(`${PATH}/${id}/result`)).status, 409, 'a parameter that was removed');
  await sql(database, `update reports_saved set report = 'gone.report' where id = $1`, [id]);
  t.match((await users.viewer.api.get(`${PATH}/${id}/result`)).body, { code: 'reports_saved_invalid' });
  t.equal((await change(id, { name: 'Renamed' }, users.member, 1)).status, 200, 'it can still be renamed');
});
