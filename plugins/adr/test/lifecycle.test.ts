import { createHash } from 'node:crypto';
import t from 'tap';
import { canonicalJson } from '@lintel/sdk';
import {
  makeUser,
  registerAdmin,
  sql,
  testApp,
  until,
  type Answer,
  type AnyBody,
  type Session,
} from '../../../test/support/app.js';

interface Related {
  type: string;
  adr_id: string;
  number: string;
  title: string;
  status: string;
}
interface Adr {
  id: string;
  number: string;
  status: string;
  title: string;
  revision: number;
  revision_of: string | null;
  content_hash: string | null;
  related: Related[];
  related_by: Related[];
  card_ids: string[];
  version: number;
  signatories: { user_id: string; status: string }[];
}
interface Graph {
  nodes: { id: string; number: string; status: string; revision: number }[];
  edges: { source: string; target: string; type: string }[];
  statuses: Record<string, number>;
  is_truncated: boolean;
}

const { app, origin, database, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const [viewer, member, architect] = await Promise.all([
  makeUser(admin, 'viewer'),
  makeUser(admin, 'member'),
  makeUser(admin, 'architect'),
]);
const card = async (name: string) => (await admin.api.post('/cards', { type: 'Application', name })).body.id;
const [shop, ledger] = [await card('Shop'), await card('Ledger')];
const NOWHERE = '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b';

const create = async (body: object, by: Session = member) => (await by.api.post<Adr>('/adr', body)).body;
const read = async (id: string) => (await viewer.api.get<Adr>(`/adr/${id}`)).body;
const act = (by: Session, id: string, action: string, body?: object): Promise<Answer<Adr & AnyBody>> =>
  by.api.post(`/adr/${id}/${action}`, body);
const sign = async (id: string) => {
  t.equal((await act(member, id, 'request-signatures', { user_ids: [architect.user.id] })).status, 200);
  return await act(architect, id, 'sign');
};
const signed = async (body: object) => {
  const { id } = await create(body);
  await sign(id);
  return id;
};
const fields = (body: AnyBody) => body.errors.map((e) => e.field).sort();
const graph = async (query = {}) => (await viewer.api.get<Graph>('/adr/graph', { query })).body;

t.test('fifty at once, past a thousand: no gap and no double', async (t) => {
  const [{ last }] = (await sql<{ last: number }>(database, 'select last from adr_counter')) as [{ last: number }];
  await sql(database, 'update adr_counter set last = 1000');
  const all = await Promise.all(
    Array.from({ length: 50 }, (_, i) => member.api.post<Adr>('/adr', { title: `Parallel ${i}` })),
  );
  t.strictSame(
    all.map((a) => a.body.number).sort(),
    Array.from({ length: 50 }, (_, i) => `ADR-${1001 + i}`),
  );
  await sql(database, 'delete from adr_decisions where number > 1000');
  await sql(database, 'update adr_counter set last = $1', [last]);
});

t.test('a signature covers all that is decided', async (t) => {
  const other = await create({ title: 'Other' });
  const body = {
    title: 'Use PostgreSQL',
    context: 'Why.',
    drivers: ['known'],
    options: [{ title: 'A', pros: ['p'], cons: [] }],
    decision: 'A.',
    consequences: null,
    card_ids: [ledger, shop],
    related: [{ type: 'relates_to', adr_id: other.id.toUpperCase() }],
  };
  const { id } = await create(body);
  const asked = await act(member, id, 'request-signatures', { user_ids: [architect.user.id], message: 'Please.' });
  const content = {
    ...body,
    card_ids: [shop, ledger].sort(),
    related: [{ type: 'relates_to', adr_id: other.id }],
    markdown: null,
  };
  t.equal(asked.body.content_hash, createHash('sha256').update(canonicalJson(content)).digest('hex'));
  t.match(await member.api.patch(`/adr/${id}`, { decision: 'B.' }), {
    status: 409,
    body: { code: 'invalid_state', document_status: 'in_review', allowed: ['sign', 'reject', 'recall'] },
  });
  t.match(await member.api.patch(`/adr/${id}`, { related: [] }), { status: 409 });
  t.match(await architect.api.del(`/adr/${id}`), { status: 409 });
  t.match((await viewer.api.get<{ items: Adr[] }>('/adr', { query: { awaiting: architect.user.id } })).body.items, [
    { id },
  ]);
  t.match(
    await architect.api.del(`/adr/${other.id}`),
    { status: 409, body: { code: 'invalid_state', named_by: id } },
    'what is under review keeps what it names',
  );
  await sql(database, 'delete from adr_cards where adr_id = $1 and card_id = $2', [id, shop]);
  t.match(await act(architect, id, 'sign'), { status: 409, body: { detail: /content is not what/ } });
  await sql(database, 'insert into adr_cards (adr_id, card_id) values ($1, $2)', [id, shop]);
  const done = await architect.api.send<Adr>('POST', `/adr/${id}/sign`);
  t.match(
    done,
    { status: 200, body: { status: 'signed', content_hash: asked.body.content_hash } },
    'a body is not needed',
  );
  const document = (
    await viewer.api.get<{ paths: Record<string, { post: { requestBody: { required?: boolean } } }> }>(
      '/api/openapi.json',
    )
  ).body;
  t.not(document.paths['/api/v1/adr/{id}/sign']!.post.requestBody.required, true);
});

t.test('what supersedes another one puts it out of force when it is signed, and not before', async (t) => {
  const old = await signed({ title: 'Old way' });
  const next = await create({ title: 'New way', related: [{ type: 'supersedes', adr_id: old }] });
  t.match(next, { related: [{ type: 'supersedes', adr_id: old, title: 'Old way', status: 'signed' }] });
  const before = await viewer.api.get<Adr>(`/adr/${old}`);
  t.match(before.body, { status: 'signed', related_by: [{ adr_id: next.id, status: 'draft' }] });
  await sign(next.id);
  t.match(await read(old), {
    status: 'superseded',
    version: before.body.version + 1,
    related_by: [{ adr_id: next.id, status: 'signed' }],
  });
  t.equal(
    (await viewer.api.get(`/adr/${old}`, { headers: { 'if-none-match': before.headers.get('etag')! } })).status,
    200,
    'the tag knows what is told of others',
  );
  const event = await until(
    async () => (await admin.api.get('/events', { query: { type: 'adr.superseded' } })).body.items[0],
    2_000,
  );
  t.match(event, {
    subject: { id: old, name: 'Old way' },
    data: { superseded_by: next.id, changes: [{ field: 'status', old: 'signed', new: 'superseded' }] },
  });
  t.match(
    (await viewer.api.get(`/adr/${old}.md`)).body,
    /^---\nstatus: "superseded by \[ADR-\d{4}\]\(\d{4}-new-way\.md\)"/,
  );
  t.match(
    (await viewer.api.get(`/adr/${next.id}.md`)).body,
    /## More Information\n\n\* Supersedes \[ADR-\d{4}\]\(\d{4}-old-way\.md\)\n$/,
  );

  const revised = (await act(member, next.id, 'revise')).body;
  t.match(revised, { number: next.number, revision: 2, revision_of: next.id, related: [{ adr_id: old }] });
  const shown = await graph({ search: 'way' });
  t.strictSame(
    shown.nodes.map((n) => n.id),
    [old, next.id],
    'one node a number: the revision in force',
  );
  t.strictSame(shown.edges, [{ source: next.id, target: old, type: 'supersedes' }]);
  t.match(shown, { statuses: { draft: 0, signed: 1, superseded: 1 }, is_truncated: false });
  await sign(revised.id);
  t.match(await read(next.id), { status: 'superseded' });
  t.strictSame(
    (await graph({ search: 'way' })).nodes.map((n) => n.id),
    [old, revised.id],
  );
  t.strictSame((await graph({ search: 'way' })).edges, [{ source: revised.id, target: old, type: 'supersedes' }]);
  t.equal((await viewer.api.get(`/adr/${old}/revisions`)).body.total, 1);
  t.equal((await viewer.api.get(`/adr/${next.id}/revisions`)).body.total, 2);
});

t.test('relations are checked, compared and kept', async (t) => {
  const [a, b, c] = [await create({ title: 'A' }), await create({ title: 'B' }), await create({ title: 'C' })];
  const patch = (id: string, related: unknown, headers = {}) =>
    member.api.patch<Adr & AnyBody>(`/adr/${id}`, { related }, { headers });
  t.strictSame(
    fields(
      (
        await member.api.post('/adr', {
          title: 'x',
          related: [
            { type: 'supersedes', adr_id: a.id },
            { type: 'relates_to', adr_id: NOWHERE },
          ],
        })
      ).body,
    ),
    ['/related/1/adr_id'],
  );
  t.strictSame(fields((await patch(a.id, [{ type: 'relates_to', adr_id: a.id }])).body), ['/related/0/adr_id']);
  const twice = [b.id, b.id.toUpperCase()].map((adr_id) => ({ type: 'relates_to', adr_id }));
  t.strictSame(fields((await patch(a.id, twice)).body), ['/related/1'], 'ids are compared without regard to case');
  for (const wrong of [
    [{ type: 'hates', adr_id: b.id }],
    [{ type: 'supersedes' }],
    [{ type: 'supersedes', adr_id: 'x' }],
    'x',
    null,
  ])
    t.equal((await patch(a.id, wrong)).status, 422);
  t.match((await patch(a.id, [{ type: 'supersedes', adr_id: b.id }])).body, { version: 2 });
  t.match(
    (await patch(a.id, [{ type: 'supersedes', adr_id: b.id.toUpperCase() }])).body,
    { version: 2 },
    'the same is no change',
  );
  t.equal((await patch(b.id, [{ type: 'supersedes', adr_id: c.id }])).status, 200);
  t.strictSame(
    fields((await patch(c.id, [{ type: 'supersedes', adr_id: a.id }])).body),
    ['/related'],
    'none supersedes itself, over others',
  );
  t.match((await patch(c.id, [{ type: 'relates_to', adr_id: a.id }])).body, {
    related: [{ adr_id: a.id, number: a.number }],
  });
  t.strictSame(
    (await viewer.api.get<{ items: Adr[] }>('/adr', { query: { related_to: a.id, sort_by: 'title' } })).body.items.map(
      (i) => i.title,
    ),
    ['B', 'C'],
  );
  for (let i = 0; i < 5; i++) {
    const [x, y] = [await create({ title: `X${i}` }), await create({ title: `Y${i}` })];
    const answers = await Promise.all([
      patch(x.id, [{ type: 'supersedes', adr_id: y.id }]),
      patch(y.id, [{ type: 'supersedes', adr_id: x.id }]),
    ]);
    t.strictSame(
      answers.map((answer) => answer.status).sort(),
      [200, 422],
      'of two that would close a circle one is refused',
    );
  }
  t.equal((await architect.api.del(`/adr/${b.id}`)).status, 204);
  t.strictSame((await read(a.id)).related, []);
});

t.test('a stakeholder writes the decisions of the card, and no others', async (t) => {
  const types = (
    await admin.api.get<{
      stakeholder_roles: { key: string; permissions: Record<string, boolean>; version: number }[];
    }>('/metamodel/types/Application')
  ).body;
  const role = types.stakeholder_roles.find(({ key }) => key === 'responsible')!;
  t.equal(
    (
      await admin.api.patch('/metamodel/types/Application/stakeholder-roles/responsible', {
        permissions: { ...role.permissions, 'card.adr_manage': true },
      })
    ).status,
    200,
  );
  t.match(await viewer.api.post('/adr', { title: 'x', card_ids: [shop] }), {
    status: 403,
    body: { required_permission: 'adr.manage' },
  });
  t.equal(
    (await admin.api.post(`/cards/${shop}/stakeholders`, { user_id: viewer.user.id, role: 'responsible' })).status,
    201,
  );
  t.match(await viewer.api.post('/adr', { title: 'x', card_ids: [shop, ledger] }), {
    status: 403,
    body: { required_permission: 'adr.manage', or_card_permission: 'card.adr_manage' },
  });
  t.equal((await viewer.api.post('/adr', { title: 'x' })).status, 403);
  const own = await create({ title: 'Of the shop', card_ids: [shop] }, viewer);
  t.equal((await viewer.api.patch(`/adr/${own.id}`, { decision: 'Yes.' })).status, 200);
  t.equal((await viewer.api.patch(`/adr/${own.id}`, { card_ids: [shop, ledger] })).status, 403);
  const foreign = await create({ title: 'Of the ledger', card_ids: [ledger] });
  t.equal((await viewer.api.patch(`/adr/${foreign.id}`, { decision: 'Yes.' })).status, 403);
  t.equal((await act(viewer, foreign.id, 'request-signatures', { user_ids: [architect.user.id] })).status, 403);
  t.equal((await act(viewer, own.id, 'request-signatures', { user_ids: [architect.user.id] })).status, 200);
  t.equal((await act(viewer, own.id, 'recall')).status, 200);
  t.equal((await viewer.api.patch(`/adr/${NOWHERE}`, { decision: 'Yes.' })).status, 404);
  t.equal((await viewer.api.del(`/adr/${own.id}`)).status, 403);
});

t.test('four eyes, as the settings say', async (t) => {
  t.equal((await admin.api.patch('/settings/modules/adr', { settings: { four_eyes: 'others_only' } })).status, 200);
  const { id } = await create({ title: 'Not alone' }, architect);
  t.strictSame(fields((await act(architect, id, 'request-signatures', { user_ids: [architect.user.id] })).body), [
    '/user_ids',
  ]);
  t.equal((await act(architect, id, 'request-signatures', { user_ids: [admin.user.id] })).status, 200);
  await admin.api.patch('/settings/modules/adr', { settings: { four_eyes: null } });
});

t.test('another module begins decisions by a capability, with the rights of its caller', async (t) => {
  const offered = app.services.modules
    .get('adr')!
    .manifest!.provides!.find(({ capability }) => capability.id === 'adr.create@1')!;
  const { make } = offered as unknown as {
    make(services: unknown): { create(ctx: unknown, adr: object): Promise<Adr> };
  };
  const creator = make(app.services.modules.get('adr')!.services);
  const ctx = app.services.modules.get('adr')!.host.systemContext('test');
  await t.rejects(
    creator.create(
      { ...ctx, permissions: { has: (key: string) => key === 'cards.view', list: () => [] } },
      { title: 'Proposed', card_ids: [] },
    ),
    { code: 'forbidden' },
  );
  const made = await creator.create(ctx, { title: 'Proposed', card_ids: [shop] });
  t.match(await read(made.id), { number: made.number, status: 'draft', card_ids: [shop] });
});

t.test('signing, recalling and changing at once: one order or the other', async (t) => {
  for (let i = 0; i < 4; i++) {
    const [x, y] = [await signed({ title: `Target ${i}` }), await create({ title: `Rival ${i}` })];
    const rivals = [y, await create({ title: `Second rival ${i}` })];
    for (const rival of rivals) {
      await member.api.patch(`/adr/${rival.id}`, { related: [{ type: 'supersedes', adr_id: x }] });
      await act(member, rival.id, 'request-signatures', { user_ids: [architect.user.id] });
    }
    const answers = await Promise.all([
      ...rivals.map((rival) => act(architect, rival.id, 'sign')),
      act(member, x, 'revise'),
      member.api.patch(`/adr/${y.id}`, { title: 'Late' }),
    ]);
    t.ok(
      answers.every(({ status }) => [200, 201, 409].includes(status)),
      answers.map((a) => a.status).join(),
    );
    t.match(await read(x), { status: 'superseded' }, 'once, whoever came first');
    t.equal((await admin.api.get('/events', { query: { type: 'adr.superseded', subject_id: x } })).status < 500, true);
    for (const rival of rivals) t.match(await read(rival.id), { status: 'signed' });
  }
});
