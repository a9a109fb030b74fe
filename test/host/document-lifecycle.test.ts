import { createHash } from 'node:crypto';
import { join } from 'node:path';
import t from 'tap';
import { canonicalJson, contentHash, type ModuleMigration } from '@lintel/sdk';
import { makeUser, sql, until, type Answer, type AnyBody, type Session } from '../support/app.js';
import { libraryApp, NOWHERE } from '../support/library.js';

interface Charter {
  id: string;
  number: number;
  title: string;
  status: string;
  revision: number;
  revision_of: string | null;
  content_hash: string | null;
  signed_at: string | null;
  signatories: {
    user_id: string;
    display_name: string;
    status: string;
    signed_at: string | null;
    comment: string | null;
  }[];
  version: number;
}

const { app, database, close, root, admin, viewer, member, architect } = await libraryApp();
t.teardown(close);
const other = await makeUser(admin, 'member');
const CHARTERS = '/library/charters';
const ACTIONS = ['request-signatures', 'sign', 'reject', 'recall', 'revise'] as const;

const create = async (title: string, by: Session = member) =>
  (await by.api.post<Charter>(CHARTERS, { title, body: 'Be quiet.' })).body;
const read = async (id: string) => (await viewer.api.get<Charter>(`${CHARTERS}/${id}`)).body;
const act = (
  by: Session,
  id: string,
  action: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<Answer<Charter & AnyBody>> => by.api.post(`${CHARTERS}/${id}/${action}`, body, { headers });
const request = (by: Session, id: string, ...users: Session[]) =>
  act(by, id, 'request-signatures', { user_ids: users.map((u) => u.user.id) });
const fields = (body: AnyBody) => body.errors.map((e) => e.field).sort();
const rule = (four_eyes: string) => admin.api.patch('/settings/modules/library', { settings: { four_eyes } });
/** Creates a document signed by two users. @returns its id */
async function signed(title: string): Promise<string> {
  const { id } = await create(title);
  await request(member, id, member, other);
  await act(member, id, 'sign');
  t.match((await act(other, id, 'sign')).body, { status: 'signed' });
  return id;
}

t.test('a document is signed by all signatories', async (t) => {
  const { id } = await create('House rules');
  await sql(database, `insert into library_lines values ($1, 'one'), ($1, 'two')`, [id]);
  t.match(await read(id), {
    status: 'draft',
    revision: 1,
    revision_of: null,
    content_hash: null,
    signed_at: null,
    signatories: [],
  });
  const asked = await act(
    member,
    id,
    'request-signatures',
    { user_ids: [other.user.id.toUpperCase(), member.user.id], message: 'Please.' },
    { 'if-match': '"1"' },
  );
  t.match(asked, {
    status: 200,
    body: {
      status: 'in_review',
      version: 2,
      signatories: [
        { user_id: other.user.id, display_name: other.user.display_name, status: 'pending', signed_at: null },
        { user_id: member.user.id, status: 'pending' },
      ],
    },
  });
  const canonical = '{"body":"Be quiet.","lines":["one","two"],"title":"House rules"}';
  t.equal(asked.body.content_hash, createHash('sha256').update(canonical).digest('hex'));
  const first = await act(other, id, 'sign', { comment: 'Agreed.' });
  t.match(first, {
    status: 200,
    body: {
      status: 'in_review',
      version: 3,
      signed_at: null,
      signatories: [
        { status: 'signed', comment: 'Agreed.' },
        { status: 'pending', comment: null },
      ],
    },
  });
  t.match(first.body.signatories[0]!.signed_at, /^\d{4}-.*\.\d{3}Z$/);
  t.match(await act(other, id, 'sign'), { status: 409, body: { code: 'invalid_state' } }, 'a second signature');
  const last = await act(member, id, 'sign', {});
  t.match(last, {
    status: 200,
    body: {
      status: 'signed',
      version: 4,
      content_hash: asked.body.content_hash,
      signatories: [{ status: 'signed' }, { status: 'signed' }],
    },
  });
  t.match(last.body.signed_at, /^\d{4}-/);
  t.strictSame(
    (
      await sql<{ content_hash: string }>(
        database,
        'select distinct content_hash from library_charter_signatures where document_id = $1',
        [id],
      )
    ).map((r) => r.content_hash),
    [asked.body.content_hash],
  );
  t.strictSame(
    (await sql<{ moves: string[] }>(database, 'select moves from library_charters where id = $1', [id]))[0]!.moves,
    ['in_review', 'signed'],
  );
  const types = await until(async () => {
    const { body } = await viewer.api.get<{ items: { type: string; changes: unknown[] }[]; total: number }>(
      `${CHARTERS}/${id}/history`,
    );
    return body.total === 5 && body.items;
  }, 2_000);
  t.strictSame(
    types.map((e) => e.type.split('.')[1]),
    ['signed', 'signature_given', 'signature_given', 'signatures_requested', 'created'],
  );
  t.strictSame(types[0]!.changes, [{ field: 'status', old: 'in_review', new: 'signed' }]);
});

t.test('each state allows only its actions', async (t) => {
  const inReview = (await create('In review')).id;
  await request(member, inReview, member);
  const old = await signed('Old');
  const next = (await act(member, old, 'revise')).body.id;
  await request(member, next, member);
  await act(member, next, 'sign');
  const states = { draft: (await create('Draft')).id, in_review: inReview, signed: next, superseded: old };
  const allowed: Record<string, string[]> = {
    draft: ['request-signatures'],
    in_review: ['sign', 'reject', 'recall'],
    signed: ['revise'],
    superseded: [],
  };
  const bodies: Record<string, object | undefined> = {
    'request-signatures': { user_ids: [member.user.id] },
    reject: { reason: 'No.' },
  };
  for (const [state, id] of Object.entries(states)) {
    t.equal((await read(id)).status, state);
    const before = await read(id);
    for (const action of ACTIONS.filter((a) => !allowed[state]!.includes(a))) {
      t.match(
        await act(member, id, action, bodies[action]),
        { status: 409, body: { code: 'invalid_state', document_status: state } },
        `${action} of ${state}`,
      );
    }
    if (state === 'draft') continue;
    t.match(await member.api.patch(`${CHARTERS}/${id}`, { body: 'Be loud.' }), {
      status: 409,
      body: { code: 'invalid_state', document_status: state },
    });
    t.match(await member.api.del(`${CHARTERS}/${id}`), { status: 409 });
    t.strictSame(await read(id), before, 'the document is unchanged');
  }
  t.equal((await member.api.del(`${CHARTERS}/${states.draft}`)).status, 204);
  for (const action of ACTIONS) t.equal((await act(member, NOWHERE, action, bodies[action])).status, 404, action);
  for (const action of ACTIONS) t.equal((await act(member, 'x', action, bodies[action])).status, 404, action);
});

t.test('a rejected or recalled document is a draft again, without signatures', async (t) => {
  const { id } = await create('Back and forth');
  await request(member, id, other, architect);
  await act(other, id, 'sign');
  t.match(
    await act(other, id, 'reject', { reason: 'Too late.' }),
    { status: 409 },
    'a signatory who has signed cannot reject',
  );
  t.match(await act(architect, id, 'reject', { reason: 'Which house?' }), {
    status: 200,
    body: { status: 'draft', content_hash: null, signatories: [], version: 4 },
  });
  t.match((await member.api.patch(`${CHARTERS}/${id}`, { body: 'Ours.' })).body, { version: 5 });
  const hash = (await request(member, id, other)).body.content_hash;
  t.match(await act(member, id, 'recall'), { status: 200, body: { status: 'draft', signatories: [], version: 7 } });
  t.equal((await request(member, id, other)).body.content_hash, hash, 'the same content, the same hash');
  t.match((await act(other, id, 'sign')).body, { status: 'signed' });
  const { body } = await admin.api.get('/events', { query: { type: 'library_charter.rejected' } });
  t.match(body.items[0], { data: { reason: 'Which house?' } });
});

t.test('permissions', async (t) => {
  const { id } = await create('Guarded');
  t.match(await act(viewer, id, 'request-signatures', { user_ids: [member.user.id] }), {
    status: 403,
    body: { required_permission: 'library.manage' },
  });
  await request(member, id, other);
  t.match(await act(viewer, id, 'sign'), { status: 403, body: { required_permission: 'library.sign' } });
  t.match(await act(member, id, 'sign'), { status: 403, body: { code: 'forbidden' } }, 'a user who is no signatory');
  t.match(await act(architect, id, 'reject', { reason: 'x' }), { status: 403 });
  t.match(await act(viewer, id, 'recall'), { status: 403 });
  t.match(await act(viewer, id, 'revise'), { status: 403 });
  t.equal((await viewer.api.get(`${CHARTERS}/${id}/revisions`)).status, 200);
});

t.test('signatories are active users who may sign; errors are reported', async (t) => {
  const { id } = await create('Whom to ask');
  const gone = await makeUser(admin, 'member');
  t.equal((await admin.api.patch(`/users/${gone.user.id}`, { is_active: false })).status, 200);
  const wrong = await act(member, id, 'request-signatures', {
    user_ids: [other.user.id, NOWHERE, gone.user.id, viewer.user.id, other.user.id.toUpperCase()],
  });
  t.equal(wrong.status, 422);
  t.strictSame(fields(wrong.body), ['/user_ids/1', '/user_ids/2', '/user_ids/3', '/user_ids/4']);
  for (const body of [
    {},
    { user_ids: [] },
    { user_ids: ['x'] },
    { user_ids: [other.user.id], note: 'x' },
    { user_ids: [other.user.id], message: 'a\0' },
  ])
    t.equal((await act(member, id, 'request-signatures', body)).status, 422);
  await request(member, id, other);
  for (const body of [undefined, {}, { reason: ' ' }, { reason: 5 }])
    t.equal((await act(other, id, 'reject', body)).status, 422);
  t.equal((await act(other, id, 'sign', { comment: 5 })).status, 422);
  t.match(await read(id), { status: 'in_review', version: 2 });
});

t.test('a deleted signatory is removed by recalling the document', async (t) => {
  const { id } = await create('Leaving');
  const leaver = await makeUser(admin, 'member');
  await request(member, id, leaver, other);
  await act(other, id, 'sign');
  await admin.api.patch(`/users/${leaver.user.id}`, { is_active: false });
  t.equal((await act(leaver, id, 'sign')).status, 401);
  t.match(await read(id), { status: 'in_review' });
  await act(member, id, 'recall');
  await request(member, id, other);
  t.match((await act(other, id, 'sign')).body, { status: 'signed' });
});

t.test('a signature covers the content at the request for signatures, or is refused', async (t) => {
  const { id } = await create('Tampered');
  await request(member, id, other);
  await sql(database, `insert into library_lines values ($1, 'smuggled')`, [id]);
  t.match(await act(other, id, 'sign'), {
    status: 409,
    body: { code: 'invalid_state', detail: /content is not what/ },
  });
  t.match((await read(id)).signatories, [{ status: 'pending' }]);
  t.equal((await act(member, id, 'recall')).status, 200);
});

t.test('a revision supersedes the previous one when it is signed', async (t) => {
  const old = await signed('Statute');
  await sql(database, `insert into library_lines values ($1, 'kept')`, [old]);
  const before = await read(old);
  const revised = await act(other, old, 'revise', undefined, { 'if-match': `"${before.version}"` });
  t.match(revised, {
    status: 201,
    body: {
      number: before.number,
      title: 'Statute',
      body: 'Be quiet.',
      status: 'draft',
      revision: 2,
      revision_of: old,
      version: 1,
      created_by: other.user.id,
      signatories: [],
    },
  });
  const { id } = revised.body;
  t.equal(revised.headers.get('location'), `/api/v1${CHARTERS}/${id}`);
  t.strictSame(await sql(database, 'select line from library_lines where charter_id = $1', [id]), [{ line: 'kept' }]);
  t.match(await act(member, old, 'revise'), { status: 409, body: { code: 'invalid_state', open_revision: id } });
  t.match(await read(old), { status: 'signed', version: before.version }, 'the previous one is valid until then');
  await member.api.patch(`${CHARTERS}/${id}`, { body: 'Be very quiet.' });
  await request(member, id, member);
  t.match((await act(member, id, 'sign')).body, { status: 'signed', revision: 2 });
  t.match(await read(old), {
    status: 'superseded',
    version: before.version + 1,
    content_hash: before.content_hash,
    signed_at: before.signed_at,
  });
  const third = (await act(member, id, 'revise')).body;
  t.match(third, { revision: 3, revision_of: id });
  t.equal((await member.api.del(`${CHARTERS}/${third.id}`)).status, 204);
  t.match((await act(member, id, 'revise')).body, { revision: 3 });
  const list = await viewer.api.get<{ items: Charter[]; total: number; next_cursor: string }>(
    `${CHARTERS}/${old}/revisions`,
    { query: { page_size: 2 } },
  );
  t.strictSame(
    list.body.items.map((r) => [r.revision, r.status]),
    [
      [3, 'draft'],
      [2, 'signed'],
    ],
  );
  t.equal(list.body.total, 3);
  t.strictSame(
    (
      await viewer.api.get<{ items: Charter[] }>(`${CHARTERS}/${id}/revisions`, {
        query: { page_size: 2, cursor: list.body.next_cursor },
      })
    ).body.items.map((r) => r.id),
    [old],
  );
  t.equal((await viewer.api.get(`${CHARTERS}/${NOWHERE}/revisions`)).status, 404);
  t.strictSame(fields((await viewer.api.get(`${CHARTERS}/${id}/revisions`, { query: { status: 'draft' } })).body), [
    'status',
  ]);
});

t.test('four eyes', async (t) => {
  t.equal((await rule('another')).status, 200);
  const { id } = await create('Four eyes');
  t.strictSame(fields((await request(member, id, member)).body), ['/user_ids']);
  t.equal((await request(member, id, member, other)).status, 200);
  t.equal((await act(member, id, 'sign')).status, 200, 'the author may be one of several signatories');
  t.equal((await act(other, id, 'sign')).status, 200);
  await rule('others_only');
  const strict = (await create('Others only')).id;
  t.strictSame(fields((await request(member, strict, member, other)).body), ['/user_ids']);
  t.strictSame(
    fields((await request(other, strict, other)).body),
    ['/user_ids'],
    'the user who requests signatures counts as an author',
  );
  await rule('off');
  t.equal((await request(member, strict, member, other)).status, 200);
  await rule('others_only');
  t.match(await act(member, strict, 'sign'), { status: 409, body: { code: 'four_eyes' } }, 'the current rule applies');
  t.equal((await act(other, strict, 'sign')).status, 200);
  await rule('off');
  t.match((await act(member, strict, 'sign')).body, { status: 'signed' });
});

t.test('a retry gets the first answer, and an outdated version is refused', async (t) => {
  const { id } = await create('Retried');
  const headers = { 'idempotency-key': 'request-1' };
  const body = { user_ids: [other.user.id] };
  t.match(await act(member, id, 'request-signatures', body, { 'if-match': '"7"' }), {
    status: 412,
    body: { current_version: 1, changed_fields: ['status'] },
  });
  t.equal((await act(member, id, 'request-signatures', body, headers)).status, 200);
  const again = await act(member, id, 'request-signatures', body, headers);
  t.match(again, { status: 200, body: { version: 2 } });
  t.equal(again.headers.get('idempotent-replayed'), 'true');
  await act(other, id, 'sign', {}, { 'idempotency-key': 'sign-1' });
  t.match(await act(other, id, 'sign', {}, { 'idempotency-key': 'sign-1' }), {
    status: 200,
    body: { status: 'signed', version: 3 },
  });
  const made = await act(member, id, 'revise', undefined, { 'idempotency-key': 'revise-1' });
  t.equal((await act(member, id, 'revise', undefined, { 'idempotency-key': 'revise-1' })).body.id, made.body.id);
});

t.test('concurrent actions have the result of one order', async (t) => {
  const users = [member, other, architect, admin];
  for (let i = 0; i < 5; i++) {
    const { id } = await create(`Last ones ${i}`);
    await request(member, id, ...users);
    const answers = await Promise.all(users.map((u) => act(u, id, 'sign')));
    t.strictSame(
      answers.map((a) => a.status),
      [200, 200, 200, 200],
    );
    t.match(await read(id), { status: 'signed', version: 6 }, 'exactly one signature is the last');

    const recalled = (await create(`Recalled ${i}`)).id;
    await request(member, recalled, other);
    const pair = await Promise.all([
      act(other, recalled, 'sign'),
      act(member, recalled, 'recall'),
      member.api.patch(`${CHARTERS}/${recalled}`, { body: 'Other.' }),
    ]);
    t.equal(pair.slice(0, 2).filter((a) => a.status === 200).length, 1);
    const now = await read(recalled);
    t.equal(now.status, pair[0].status === 200 ? 'signed' : 'draft');

    const revisions = await Promise.all([member, other, architect, member, other].map((u) => act(u, id, 'revise')));
    t.equal(revisions.filter((a) => a.status === 201).length, 1);
    t.equal(revisions.filter((a) => a.status === 409).length, 4);
    const next = revisions.find((a) => a.status === 201)!.body.id;
    await request(member, next, other);
    const both = await Promise.all([
      act(other, next, 'sign'),
      act(member, id, 'revise'),
      act(architect, next, 'recall'),
    ]);
    t.ok(
      both.every((a) => [200, 409].includes(a.status)),
      JSON.stringify(both.map((a) => a.status)),
    );
    const [count] = await sql<{ in_force: string; open: string }>(
      database,
      `select count(*) filter (where status = 'signed') as in_force, count(*) filter (where status in ('draft', 'in_review')) as open from library_charters where number = $1`,
      [now.number - 1],
    );
    t.match(count, { in_force: '1' });
    t.ok(Number(count!.open) <= 1);

    const submitted = (await create(`Submitted ${i}`)).id;
    const [asked, patched] = await Promise.all([
      request(member, submitted, other),
      member.api.patch<Charter>(`${CHARTERS}/${submitted}`, { body: `Changed ${i}` }),
    ]);
    t.equal(asked.status, 200);
    t.ok([200, 409].includes(patched.status));
    t.equal(
      (await act(other, submitted, 'sign')).status,
      200,
      'the content at the request for signatures can be signed',
    );
  }
});

t.test('its migration can be reverted and run again', async (t) => {
  const { lifecycle } = (await import(join(root, 'test/fixtures/modules/library/library/charters.js'))) as {
    lifecycle: { migration: ModuleMigration };
  };
  const shape = async () =>
    await sql(
      database,
      `select table_name, column_name, data_type from information_schema.columns where table_name like 'library_charter%' order by 1, 2`,
    );
  const indexes = async () =>
    await sql(
      database,
      `select indexname, indexdef from pg_indexes where tablename like 'library_charter%' order by 1`,
    );
  const before = [await shape(), await indexes()];
  await sql(database, 'delete from library_charters where revision > 1');
  await lifecycle.migration.down(app.services.db.knex);
  const names = (await shape()).map((row) => `${String(row['table_name'])}.${String(row['column_name'])}`);
  t.strictSame(
    names.filter((name) => /signatures|revision|hash|signed|requested/.test(name)),
    [],
  );
  await sql(database, `update library_charters set status = 'draft'`);
  await lifecycle.migration.up(app.services.db.knex);
  t.strictSame([await shape(), await indexes()], before);
});

t.test('equal values have the same canonical JSON', async (t) => {
  t.equal(
    canonicalJson({ b: [1, { d: null, c: 'ü' }], a: undefined, '10': 1, '9': 2 }),
    '{"10":1,"9":2,"b":[1,{"c":"ü","d":null}]}',
  );
  t.equal(contentHash({ a: 1, b: { y: 1, x: 2 } }), contentHash({ b: { x: 2, y: 1 }, a: 1 }));
  t.not(contentHash({ a: [1, 2] }), contentHash({ a: [2, 1] }));
  t.equal(canonicalJson([new Date(0)]), '["1970-01-01T00:00:00.000Z"]');
});
