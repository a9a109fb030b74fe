import t from 'tap';
import { makeUser, registerAdmin, sql, testApp, until, type AnyBody, type Session } from '../../../test/support/app.js';
import { MOVES, STATUSES, type Status } from '../moves.js';
import type { HistoryEntry, RiskView } from '../register/schemas.js';

interface Page {
  items: RiskView[];
  total: number;
  next_cursor: string | null;
}

const { app, origin, database, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const [viewer, member, architect] = await Promise.all([
  makeUser(admin, 'viewer'),
  makeUser(admin, 'member'),
  makeUser(admin, 'architect'),
]);
const card = async (name: string, type = 'Application') => (await admin.api.post('/cards', { type, name })).body.id;
const [shop, ledger] = [await card('Shop'), await card('Ledger')];
const NOWHERE = '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b';
const LATER = '2999-12-31';
const ACCEPT = { rationale: 'Cheaper to bear.', expires_on: LATER };

const create = async (body: object = {}, by: Session = member): Promise<RiskView> => {
  const answer = await by.api.post<RiskView>('/risks', { title: 'A risk', category: 'operational', ...body });
  if (answer.status !== 201) throw new Error(`POST /risks gave ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body;
};
const move = (id: string, to: string, more: object = {}, by: Session = architect) =>
  by.api.post<RiskView>(`/risks/${id}/transition`, { to, ...(to === 'accepted' && ACCEPT), ...more });
/** Adds a text file of 8 bytes to a risk. */
const upload = (id: string, name: string, by: Session) =>
  by.api.post(
    `/risks/${id}/files`,
    `--part\r\ncontent-disposition: form-data; name="files"; filename="${name}"\r\ncontent-type: text/plain\r\n\r\nChecked.\r\n--part--\r\n`,
    { headers: { 'content-type': 'multipart/form-data; boundary=part' } },
  );
const fields = (body: AnyBody) => body.errors.map((e) => e.field).sort();
const titles = async (query: Record<string, string | number>, by: Session = viewer) =>
  (await by.api.get<Page>('/risks', { query })).body.items.map((r) => r.title);

/** The shortest way from identified to each status. */
const WAYS: Record<Status, Status[]> = {
  identified: [],
  analysed: ['analysed'],
  mitigation_planned: ['analysed', 'mitigation_planned'],
  in_progress: ['analysed', 'mitigation_planned', 'in_progress'],
  mitigated: ['analysed', 'mitigation_planned', 'in_progress', 'mitigated'],
  monitoring: ['analysed', 'mitigation_planned', 'in_progress', 'mitigated', 'monitoring'],
  accepted: ['accepted'],
  closed: ['accepted', 'closed'],
};
async function at(status: Status, body: object = {}): Promise<RiskView> {
  let risk = await create(body);
  for (const to of WAYS[status]) {
    const answer = await move(risk.id, to);
    if (answer.status !== 200) throw new Error(`moving to ${to} gave ${answer.status}`);
    risk = answer.body;
  }
  return risk;
}

t.test('a risk is entered, read, changed and deleted', async (t) => {
  const body = {
    title: ' Unsupported database ',
    category: 'technology',
    description: 'Since *March*.',
    initial_probability: 'very_high',
    initial_impact: 'high',
    residual_probability: 'low',
    residual_impact: 'medium',
    owner_id: member.user.id.toUpperCase(),
    target_date: '2020-02-29',
    cards: [{ card_id: shop.toUpperCase(), role: 'affected' }],
  };
  const created = await member.api.post<RiskView>('/risks', body);
  t.match(created, {
    status: 201,
    body: {
      reference: 'R-000001',
      title: 'Unsupported database',
      status: 'identified',
      allowed_transitions: ['analysed', 'accepted'],
      initial_level: 'critical',
      residual_level: 'low',
      level: 'low',
      owner_id: member.user.id,
      owner: { display_name: member.user.display_name },
      target_date: '2020-02-29',
      is_overdue: true,
      acceptance: null,
      closed_at: null,
      cards: [{ card_id: shop, role: 'affected', card: { type: 'Application', name: 'Shop', status: 'ACTIVE' } }],
      mitigations: { total: 0, open: 0, overdue: 0 },
      created_by: member.user.id,
      version: 1,
    },
  });
  const path = `/risks/${created.body.id}`;
  t.equal(created.headers.get('location'), `/api/v1${path}`);
  const tag = created.headers.get('etag')!;
  t.match(tag, /^"1\..+"$/);
  t.strictSame((await viewer.api.get(path)).body, created.body);
  t.equal((await viewer.api.get(path, { headers: { 'if-none-match': tag } })).status, 304);
  const changed = await member.api.patch<RiskView>(
    path,
    { residual_impact: null, cards: [{ card_id: ledger, role: 'control_owner' }], description: null },
    { headers: { 'if-match': tag } },
  );
  t.match(changed, {
    status: 200,
    body: {
      residual_level: null,
      level: 'critical',
      description: null,
      cards: [{ card_id: ledger, role: 'control_owner' }],
      version: 2,
    },
  });
  t.equal(changed.body.cards.length, 1);
  t.ok(changed.body.updated_at > created.body.updated_at);
  t.match(
    (
      await member.api.patch(path, {
        title: 'Unsupported database',
        cards: [{ card_id: ledger.toUpperCase(), role: 'control_owner' }],
      })
    ).body,
    { version: 2 },
    'nothing changed',
  );
  t.match(await member.api.patch(path, { title: 'Other', description: null }, { headers: { 'if-match': '"1"' } }), {
    status: 412,
    body: { current_version: 2, changed_fields: ['title'] },
  });
  t.match(await member.api.del(path, { headers: { 'if-match': '"1"' } }), { status: 412 });
  t.equal((await member.api.del(path, { headers: { 'if-match': '"2"' } })).status, 204);
  for (const answer of [
    await member.api.get(path),
    await member.api.patch(path, { title: 'x' }),
    await member.api.del(path),
    await move(created.body.id, 'analysed'),
    await member.api.get(`${path}/history`),
    await member.api.get('/risks/1'),
  ])
    t.equal(answer.status, 404);
  const events = (await admin.api.get('/events', { query: { type: 'risks.' } })).body.items;
  t.strictSame(
    events.map((e) => e.type),
    ['risks.deleted', 'risks.updated', 'risks.created'],
  );
  t.match(events[1], {
    subject: { kind: 'risks', id: created.body.id, name: 'Unsupported database' },
    actor: { id: member.user.id },
    data: { reference: 'R-000001', version: 2 },
  });
  t.strictSame((events[1]!['data'] as { changes: { field: string }[] }).changes.map((c) => c.field).sort(), [
    'cards',
    'description',
    'residual_impact',
  ]);
});

t.test('the level of every pair of probability and impact', async (t) => {
  const rows = { very_high: 'CCHM', high: 'CHHM', medium: 'HHML', low: 'MMLL' };
  const levels: Record<string, string> = { C: 'critical', H: 'high', M: 'medium', L: 'low' };
  for (const [probability, row] of Object.entries(rows)) {
    for (const [i, impact] of ['critical', 'high', 'medium', 'low'].entries()) {
      const risk = await create({ initial_probability: probability, initial_impact: impact });
      t.match(
        risk,
        { initial_level: levels[row[i]!], residual_level: null, level: levels[row[i]!] },
        `${probability} ${impact}`,
      );
    }
  }
  t.match(await create({ initial_probability: 'high' }), { initial_level: null, level: null });
});

t.test('every move from every status', async (t) => {
  // Written out from the contract.
  const legal: Record<Status, string[]> = {
    identified: ['analysed', 'accepted'],
    analysed: ['mitigation_planned', 'accepted'],
    mitigation_planned: ['in_progress', 'accepted'],
    in_progress: ['mitigated', 'accepted'],
    mitigated: ['monitoring', 'in_progress'],
    monitoring: ['closed', 'in_progress', 'accepted'],
    accepted: ['in_progress', 'closed'],
    closed: ['in_progress'],
  };
  t.same(MOVES, legal);
  for (const from of STATUSES) {
    const risk = await at(from);
    t.match(risk, { status: from, allowed_transitions: legal[from] });
    for (const to of STATUSES.filter((status) => !legal[from].includes(status))) {
      const refused = await move(risk.id, to);
      t.match(
        refused,
        { status: 409, body: { code: 'risks_move_refused', from, to, allowed: legal[from] } },
        `${from} to ${to}`,
      );
    }
    t.match((await viewer.api.get(`/risks/${risk.id}`)).body, { status: from, version: risk.version });
    for (const to of legal[from] as Status[]) {
      const { id, version } = await at(from);
      const moved = await move(id, to, { comment: 'So be it' });
      t.match(
        moved,
        { status: 200, body: { status: to, version: version + 1, allowed_transitions: legal[to] } },
        `${from} to ${to}`,
      );
      t.equal(moved.body.acceptance !== null, to === 'accepted');
      t.equal(moved.body.closed_at !== null, to === 'closed');
    }
  }
});

t.test('accepting takes a permission, a rationale and a day to come', async (t) => {
  const { id } = await create();
  const today = new Date().toISOString().slice(0, 10);
  t.match(await move(id, 'accepted', {}, member), { status: 403, body: { required_permission: 'risks.accept' } });
  t.strictSame(fields((await architect.api.post(`/risks/${id}/transition`, { to: 'accepted' })).body), [
    '/expires_on',
    '/rationale',
  ]);
  for (const expires_on of [today, '2020-01-01', '2031-02-30', 'tomorrow', '0000-01-01'])
    t.strictSame(
      fields((await move(id, 'accepted', { expires_on })).body as unknown as AnyBody),
      ['/expires_on'],
      expires_on,
    );
  for (const rationale of ['', ' \n'])
    t.strictSame(fields((await move(id, 'accepted', { rationale })).body as unknown as AnyBody), ['/rationale']);
  t.strictSame(fields((await move(id, 'analysed', { expires_on: LATER })).body as unknown as AnyBody), ['/expires_on']);
  t.strictSame(fields((await move(id, 'nowhere', { extra: 1 })).body as unknown as AnyBody), ['/extra', '/to']);
  const accepted = await move(id, 'accepted');
  t.match(accepted.body, { status: 'accepted', acceptance: { ...ACCEPT, accepted_by: architect.user.id } });
  t.match((await move(id, 'in_progress', { comment: 'After all' }, member)).body, {
    status: 'in_progress',
    acceptance: null,
  });
  const history = await until(async () => {
    const { body } = await viewer.api.get<{ items: HistoryEntry[]; total: number }>(`/risks/${id}/history`);
    return body.total === 3 && body.items;
  }, 2_000);
  t.match(history, [
    { type: 'risks.transitioned', version: 3, comment: 'After all', rationale: null },
    { type: 'risks.transitioned', version: 2, rationale: ACCEPT.rationale, comment: null },
    { type: 'risks.created', version: 1 },
  ]);
});

t.test('what is closed is read-only, and can be opened again', async (t) => {
  const { id } = await create({ cards: [{ card_id: shop, role: 'affected' }] });
  const mitigation = (await member.api.post(`/risks/${id}/mitigations`, { title: 'Patch' })).body;
  const occurrence = (mitigation['open_occurrence'] as { id: string }).id;
  await move(id, 'accepted');
  const closed = (await move(id, 'closed')).body;
  const under = `/risks/${id}/mitigations/${mitigation.id}`;
  const refused = [
    await member.api.patch(`/risks/${id}`, { title: 'x' }),
    await member.api.del(`/risks/${id}`),
    await member.api.post(`/risks/${id}/cards`, { card_id: ledger, role: 'affected' }),
    await member.api.put(`/risks/${id}/cards/${shop}`, { role: 'contributing' }),
    await member.api.del(`/risks/${id}/cards/${shop}`),
    await member.api.post(`/risks/${id}/mitigations`, { title: 'x' }),
    await member.api.patch(under, { title: 'x' }),
    await member.api.del(under),
    await member.api.post(`${under}/occurrences/${occurrence}/complete`, {}),
  ];
  for (const [i, answer] of refused.entries())
    t.match(answer, { status: 409, body: { code: 'invalid_state' } }, String(i));
  t.match((await viewer.api.get(`/risks/${id}`)).body, { title: 'A risk', version: closed.version });
  t.match((await move(id, 'in_progress')).body, { closed_at: null });
  t.equal((await member.api.patch(`/risks/${id}`, { title: 'x' })).status, 200);
});

t.test('references have no gaps, with failures and concurrent requests', async (t) => {
  const last = async () => (await sql<{ last: number }>(database, 'select last from risks_counter'))[0]!.last;
  const from = await last();
  const all = await Promise.all(
    Array.from({ length: 30 }, (_, i) =>
      member.api.post<RiskView>('/risks', {
        title: `P${i}`,
        category: 'financial',
        cards: i % 3 === 0 ? [{ card_id: NOWHERE, role: 'affected' }] : [],
      }),
    ),
  );
  t.equal(all.filter((a) => a.status === 422).length, 10);
  t.strictSame(
    all
      .filter((a) => a.status === 201)
      .map((a) => Number(a.body.reference.slice(2)))
      .sort((a, b) => a - b),
    Array.from({ length: 20 }, (_, i) => from + 1 + i),
  );
  const body = { title: 'Once', category: 'financial' };
  const tries = await Promise.all(
    Array.from({ length: 8 }, () =>
      member.api.post<RiskView>('/risks', body, { headers: { 'idempotency-key': 'once' } }),
    ),
  );
  for (const { status } of tries) t.ok(status === 201 || status === 409, String(status));
  t.equal(new Set(tries.filter((a) => a.status === 201).map((a) => a.body.id)).size, 1);
  t.equal(await last(), from + 21);
  t.equal(
    (await member.api.post('/risks', { ...body, title: 'Other' }, { headers: { 'idempotency-key': 'once' } })).status,
    422,
  );
});

t.test('of two moves at once, one is made', async (t) => {
  for (let round = 0; round < 5; round++) {
    const { id } = await create();
    const moves = await Promise.all([
      move(id, 'analysed'),
      move(id, 'accepted'),
      move(id, 'analysed'),
      move(id, 'analysed'),
    ]);
    const made = moves.filter((a) => a.status === 200);
    for (const { status } of moves) t.ok(status === 200 || status === 409, String(status));
    const { version } = (await viewer.api.get<RiskView>(`/risks/${id}`)).body;
    t.equal(version, 1 + made.length, 'each move that was made counts once');
    t.ok(made.length <= 2 && moves.filter((a) => a.status === 200 && a.body.status === 'analysed').length <= 1);
  }
  const { id } = await create();
  const path = `/risks/${id}`;
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, i) =>
      i % 2
        ? member.api.patch(path, { title: `T${i}` }, { headers: { 'if-match': '"1"' } })
        : architect.api.post(`${path}/transition`, { to: 'analysed' }, { headers: { 'if-match': '"1"' } }),
    ),
  );
  t.equal(answers.filter((a) => a.status === 200).length, 1);
  t.equal(answers.filter((a) => a.status === 412).length, 7);
});

t.test('cards of a risk: linked, given roles and unlinked', async (t) => {
  const { id } = await create();
  const path = `/risks/${id}/cards`;
  const made = await member.api.post(path, { card_id: shop, role: 'affected' });
  t.match(made, {
    status: 201,
    body: { risk_id: id, card_id: shop, role: 'affected', card: { name: 'Shop', status: 'ACTIVE' }, version: 2 },
  });
  t.equal(made.headers.get('location'), `/api/v1${path}/${shop}`);
  t.match(await member.api.post(path, { card_id: shop, role: 'contributing' }), {
    status: 409,
    body: { code: 'risks_card_linked' },
  });
  t.match(await member.api.put(`${path}/${shop}`, { role: 'contributing' }, { headers: { 'if-match': '"1"' } }), {
    status: 412,
  });
  t.match(await member.api.put(`${path}/${shop}`, { role: 'contributing' }, { headers: { 'if-match': '"2"' } }), {
    status: 200,
    body: { role: 'contributing', version: 3 },
  });
  t.match((await member.api.put(`${path}/${ledger}`, { role: 'control_owner' })).body, { version: 4 });
  t.match(await member.api.put(`${path}/${NOWHERE}`, { role: 'control_owner' }), { status: 404 });
  t.strictSame(fields((await member.api.post(path, { card_id: NOWHERE, role: 'owner', extra: 1 })).body), [
    '/extra',
    '/role',
  ]);
  t.strictSame(fields((await member.api.post(path, { card_id: NOWHERE, role: 'affected' })).body), ['/card_id']);
  const list = await viewer.api.get(path, { query: { sort_by: 'role', page_size: 1 } });
  t.match(list.body, { total: 2, items: [{ card_id: shop, role: 'contributing' }] });
  t.match(
    (await viewer.api.get(path, { query: { sort_by: 'role', page_size: 1, cursor: list.body.next_cursor! } })).body,
    { items: [{ card_id: ledger }] },
  );
  t.match((await viewer.api.get(path, { query: { role: 'affected' } })).body, { total: 0 });
  t.match((await viewer.api.get<Page>(`/cards/${ledger}/risks`, { query: { card_role: 'control_owner' } })).body, {
    total: 1,
    items: [{ id }],
  });
  t.match((await viewer.api.get<Page>(`/cards/${ledger}/risks`, { query: { card_role: 'affected' } })).body, {
    total: 0,
  });
  t.equal((await viewer.api.get(`/cards/${NOWHERE}/risks`)).status, 404);
  t.equal((await viewer.api.get(`${path}/${shop}`)).status, 200);
  t.equal((await member.api.del(`${path}/${shop}`)).status, 204);
  for (const answer of [
    await member.api.del(`${path}/${shop}`),
    await viewer.api.get(`${path}/${shop}`),
    await viewer.api.get(`/risks/${NOWHERE}/cards`),
  ])
    t.equal(answer.status, 404);
  t.match((await viewer.api.get<RiskView>(`/risks/${id}`)).body, { version: 5, cards: [{ card_id: ledger }] });
  t.strictSame(
    fields(
      (
        await member.api.patch(`/risks/${id}`, {
          cards: [
            { card_id: shop, role: 'affected' },
            { card_id: shop.toUpperCase(), role: 'contributing' },
            { card_id: NOWHERE, role: 'affected' },
          ],
        })
      ).body,
    ),
    ['/cards/1/card_id', '/cards/2/card_id'],
  );
});

t.test('an archived card shows, a deleted one takes its link along', async (t) => {
  const [old, gone] = [await card('Old'), await card('Gone')];
  const { id } = await create({
    cards: [
      { card_id: old, role: 'affected' },
      { card_id: gone, role: 'contributing' },
    ],
  });
  const before = (await viewer.api.get(`/risks/${id}`)).headers.get('etag');
  t.equal((await admin.api.post(`/cards/${old}/archive`, {})).status, 200);
  t.equal((await admin.api.del(`/cards/${gone}`)).status, 204);
  const after = await viewer.api.get<RiskView>(`/risks/${id}`);
  t.match(after.body, { version: 1, cards: [{ card_id: old, card: { status: 'ARCHIVED' } }] });
  t.equal(after.body.cards.length, 1);
  t.not(after.headers.get('etag'), before);
});

t.test('every fault is named, and nothing is coerced', async (t) => {
  const wrong = await member.api.post('/risks', {
    title: ' ',
    category: 'x',
    description: 5,
    initial_probability: 'often',
    initial_impact: 4,
    residual_probability: [],
    residual_impact: 'none',
    owner_id: 'me',
    target_date: '2026-02-30',
    cards: 'x',
    status: 'closed',
    number: 3,
  });
  t.strictSame(fields(wrong.body), [
    '/cards',
    '/category',
    '/description',
    '/initial_impact',
    '/initial_probability',
    '/number',
    '/owner_id',
    '/residual_impact',
    '/residual_probability',
    '/status',
    '/target_date',
    '/title',
  ]);
  t.strictSame(fields((await member.api.post('/risks', {})).body), ['/category', '/title']);
  t.strictSame(
    fields(
      (
        await member.api.post('/risks', {
          title: 'x',
          category: 'security',
          owner_id: NOWHERE,
          cards: [{ card_id: NOWHERE, role: 'affected' }],
        })
      ).body,
    ),
    ['/cards/0/card_id', '/owner_id'],
  );
  const { id } = await create();
  const path = `/risks/${id}`;
  for (const body of [
    { title: 'a\0b' },
    { title: '\ud800' },
    { description: 'x\0' },
    { title: 'x'.repeat(301) },
    { title: null },
    { target_date: '0000-01-01' },
    { target_date: 20260101 },
    JSON.parse('{"__proto__": {"title": "x"}}') as object,
    { title: {} },
    {},
    [],
    null,
  ]) {
    t.equal((await member.api.patch(path, body)).status, 422, JSON.stringify(body));
  }
  t.equal((await member.api.post('/risks', '[', { headers: { 'content-type': 'application/json' } })).status, 400);
  const query = {
    page: 0,
    sort_by: 'search_text',
    status: 'open',
    category: 'security,',
    level: 'x',
    owner: 'you',
    card_id: 'x',
    overdue: 'maybe',
    created_from: 'x',
    nothing: 1,
    search: 'x'.repeat(201),
  };
  t.strictSame(fields((await viewer.api.get('/risks', { query })).body), [
    'card_id',
    'category',
    'created_from',
    'level',
    'nothing',
    'overdue',
    'owner',
    'page',
    'search',
    'sort_by',
    'status',
  ]);
  for (const created_to of ['9999-12-31', '0001-01-01'])
    t.equal((await viewer.api.get('/risks', { query: { created_to } })).status, 200, created_to);
  t.match(await viewer.api.get('/risks', { query: { cursor: 'nonsense' } }), {
    status: 422,
    body: { code: 'invalid_cursor' },
  });
  t.match((await viewer.api.get(path)).body, { title: 'A risk', version: 1 });
});

t.test('permissions', async (t) => {
  const { id } = await create();
  const path = `/risks/${id}`;
  t.equal((await fetch(`${origin}/api/v1/risks`)).status, 401);
  const body = { title: 'x', category: 'security' };
  for (const answer of [
    await viewer.api.post('/risks', body),
    await viewer.api.patch(path, { title: 'x' }),
    await viewer.api.del(path),
    await move(id, 'analysed', {}, viewer),
    await viewer.api.post('/risks/bulk', { operations: [{ op: 'create', risk: body }] }),
    await viewer.api.put(`${path}/cards/${shop}`, { role: 'affected' }),
    await viewer.api.post(`${path}/mitigations`, { title: 'x' }),
  ])
    t.match(answer, { status: 403, body: { required_permission: 'risks.manage' } });
  t.match((await viewer.api.get(path)).body, { title: 'A risk', version: 1 });
});

t.test('a stakeholder role on a card counts for the risks of that card', async (t) => {
  t.equal(
    (
      await admin.api.post('/metamodel/types/Application/stakeholder-roles', {
        key: 'risk_owner',
        label: 'Risk owner',
        permissions: { 'card.risks_manage': true },
      })
    ).status,
    201,
  );
  const [own, other] = [await card('Own'), await card('Other')];
  const owner = await makeUser(admin, 'viewer');
  t.equal(
    (await admin.api.post(`/cards/${own}/stakeholders`, { user_id: owner.user.id, role: 'risk_owner' })).status,
    201,
  );
  const body = { title: 'Mine', category: 'security' };
  const link = (card_id: string) => ({ card_id, role: 'affected' });
  const made = await owner.api.post<RiskView>('/risks', { ...body, cards: [link(own)] });
  t.equal(made.status, 201, JSON.stringify(made.body));
  const mine = `/risks/${made.body.id}`;
  t.equal((await owner.api.patch(mine, { title: 'Mine still' })).status, 200);
  t.equal((await move(made.body.id, 'analysed', {}, owner)).status, 200);
  t.match(await move(made.body.id, 'accepted', {}, owner), {
    status: 403,
    body: { required_permission: 'risks.accept' },
  });
  t.equal((await owner.api.post(`${mine}/mitigations`, { title: 'Do it' })).status, 201);
  t.equal((await upload(made.body.id, 'mine.txt', owner)).status, 201);
  const foreign = await create({ cards: [link(other)] });
  const loose = await create();
  const { items } = (await upload(foreign.id, 'foreign.txt', member)).body as AnyBody & { items: { id: string }[] };
  const shared = await create({ cards: [link(own), link(other)] });
  t.equal((await owner.api.patch(`/risks/${shared.id}`, { title: 'Ours' })).status, 200);
  const refused = [
    await owner.api.post('/risks', body),
    await owner.api.post('/risks', { ...body, cards: [link(own), link(other)] }),
    await owner.api.patch(`/risks/${foreign.id}`, { title: 'x' }),
    await owner.api.patch(`/risks/${loose.id}`, { title: 'x' }),
    await owner.api.patch(mine, { cards: [link(own), link(other)] }),
    await owner.api.post(`${mine}/cards`, link(other)),
    await owner.api.del(`/risks/${shared.id}/cards/${other}`),
    await owner.api.del(`/risks/${shared.id}`),
    await move(foreign.id, 'analysed', {}, owner),
    await owner.api.post(`/risks/${foreign.id}/mitigations`, { title: 'x' }),
    await upload(foreign.id, 'x.txt', owner),
    await owner.api.del(`/risks/${foreign.id}/files/${items[0]!.id}`),
  ];
  for (const [i, answer] of refused.entries())
    t.match(
      answer,
      { status: 403, body: { required_permission: 'risks.manage', or_card_permission: 'card.risks_manage' } },
      String(i),
    );
  const bulk = await owner.api.post('/risks/bulk', {
    mode: 'per_row',
    operations: [
      { op: 'update', id: made.body.id, risk: { title: 'By bulk' } },
      { op: 'update', id: foreign.id, risk: { title: 'x' } },
    ],
  });
  t.match(bulk.body, {
    summary: { updated: 1, failed: 1 },
    results: [{ outcome: 'updated' }, { outcome: 'failed', code: 'forbidden' }],
  });
  t.equal((await owner.api.del(mine)).status, 204);
  t.equal((await architect.api.del(`/risks/${foreign.id}`)).status, 204);
});

t.test('cards the caller does not see are not shown, and stay linked', async (t) => {
  const hidden = await card('Hidden', 'Provider');
  await sql(
    database,
    `insert into roles (key, label, permissions, types) select 'blind', 'blind', permissions, '{"Provider": {"cards.view": false}}' from roles where key = 'member'`,
  );
  await sql(database, `update revisions set revision = revision + 1 where kind = 'permissions'`);
  await until(() => app.services.rbac.permissionsOf('blind').list().length > 0, 1_000);
  const user = await makeUser(admin, 'blind');
  const { id } = await create({
    cards: [
      { card_id: hidden, role: 'affected' },
      { card_id: shop, role: 'affected' },
    ],
  });
  t.strictSame(
    (await user.api.get<RiskView>(`/risks/${id}`)).body.cards.map((c) => c.card_id),
    [shop],
  );
  t.match((await user.api.get(`/risks/${id}/cards`)).body, { total: 1, items: [{ card_id: shop }] });
  t.match((await user.api.get<Page>('/risks', { query: { card_id: hidden } })).body, { total: 0 });
  for (const answer of [
    await user.api.get(`/cards/${hidden}/risks`),
    await user.api.del(`/risks/${id}/cards/${hidden}`),
    await user.api.get(`/risks/${id}/cards/${hidden}`),
  ])
    t.equal(answer.status, 404);
  t.strictSame(
    fields(
      (
        await user.api.post('/risks', {
          title: 'x',
          category: 'security',
          cards: [{ card_id: hidden, role: 'affected' }],
        })
      ).body,
    ),
    ['/cards/0/card_id'],
  );
  t.equal((await user.api.patch(`/risks/${id}`, { cards: [] })).status, 200);
  t.strictSame(
    (await viewer.api.get<RiskView>(`/risks/${id}`)).body.cards.map((c) => c.card_id),
    [hidden],
  );
});

t.test('the list is filtered, sorted, searched and paged', async (t) => {
  const mark = { category: 'reputational' };
  await create({
    ...mark,
    title: 'Zebra 100%',
    description: 'Über die Straße',
    initial_probability: 'low',
    initial_impact: 'low',
    target_date: '2020-01-01',
    owner_id: viewer.user.id,
  });
  await create({
    ...mark,
    title: 'aardvark',
    initial_probability: 'very_high',
    initial_impact: 'critical',
    residual_probability: 'high',
    residual_impact: 'low',
    target_date: '2999-01-01',
  });
  await at('closed', { ...mark, title: 'Mole', target_date: '2020-01-01' });
  const only = (query: Record<string, string | number>) => titles({ ...mark, sort_by: 'title', ...query });
  t.strictSame(await only({}), ['aardvark', 'Mole', 'Zebra 100%']);
  t.strictSame(await only({ search: 'STRASSE über' }), ['Zebra 100%']);
  t.strictSame(await only({ search: '100% ZEBRA' }), ['Zebra 100%']);
  t.strictSame(await only({ search: 'zebra mole' }), []);
  t.strictSame(await only({ level: 'low' }), ['Zebra 100%']);
  t.strictSame(await only({ level: 'medium,none' }), ['aardvark', 'Mole']);
  t.strictSame(await only({ initial_level: 'critical' }), ['aardvark']);
  t.strictSame(await only({ residual_impact: 'low', residual_probability: 'high' }), ['aardvark']);
  t.strictSame(await only({ owner: 'me' }), ['Zebra 100%']);
  t.strictSame(await only({ owner: 'none' }), ['aardvark', 'Mole']);
  t.strictSame(await only({ owner: `${viewer.user.id.toUpperCase()},none` }), ['aardvark', 'Mole', 'Zebra 100%']);
  t.strictSame(await only({ overdue: 'true' }), ['Zebra 100%']);
  t.strictSame(await only({ overdue: 'false' }), ['aardvark', 'Mole']);
  t.strictSame(await only({ status: 'closed,analysed' }), ['Mole']);
  const today = new Date().toISOString().slice(0, 10);
  t.strictSame(await only({ closed_from: today, closed_to: today }), ['Mole']);
  t.strictSame(await only({ closed_to: '2020-01-01' }), []);
  t.strictSame(
    await only({ sort_by: 'level', sort_dir: 'desc' }),
    ['aardvark', 'Zebra 100%', 'Mole'],
    'what is not judged comes last',
  );
  for (const sort_by of [
    'reference',
    'title',
    'status',
    'category',
    'level',
    'target_date',
    'created_at',
    'updated_at',
  ]) {
    for (const sort_dir of ['asc', 'desc']) {
      const seen: string[] = [];
      let query: Record<string, string | number> = { sort_by, sort_dir, page_size: 23 };
      for (;;) {
        const { body } = await viewer.api.get<Page>('/risks', { query });
        seen.push(...body.items.map((r) => r.id));
        if (body.next_cursor === null) {
          t.equal(seen.length, body.total, `${sort_by} ${sort_dir}`);
          break;
        }
        query = { sort_by, sort_dir, page_size: 23, cursor: body.next_cursor };
      }
      t.equal(new Set(seen).size, seen.length, `${sort_by} ${sort_dir}: each once`);
    }
  }
  const first = (await viewer.api.get<Page>('/risks', { query: { page_size: 1 } })).body.items[0]!;
  t.strictSame(
    (await viewer.api.get<Page>('/risks', { query: { search: first.reference.toLowerCase() } })).body.items.map(
      (r) => r.id,
    ),
    [first.id],
  );
});

t.test('a card that is deleted while a risk is linked to it makes no 5xx', async (t) => {
  for (let round = 0; round < 5; round++) {
    const gone = await card(`Going ${round}`);
    const [linked] = await Promise.all([
      member.api.post('/risks', { title: 'x', category: 'security', cards: [{ card_id: gone, role: 'affected' }] }),
      admin.api.del(`/cards/${gone}`),
    ]);
    t.ok([201, 409, 422].includes(linked.status), String(linked.status));
  }
});

t.test('a deactivated owner is removed, and cannot become an owner again', async (t) => {
  const leaver = await makeUser(admin, 'member');
  const { id } = await create({ owner_id: leaver.user.id });
  t.equal((await admin.api.patch(`/users/${leaver.user.id}`, { is_active: false })).status, 200);
  t.match((await viewer.api.get<RiskView>(`/risks/${id}`)).body, { owner: { is_active: false } });
  t.equal(
    (await member.api.patch(`/risks/${id}`, { title: 'Renamed', owner_id: leaver.user.id })).status,
    200,
    'what was so stays so',
  );
  t.strictSame(
    fields((await member.api.post('/risks', { title: 'x', category: 'security', owner_id: leaver.user.id })).body),
    ['/owner_id'],
  );
});

t.test('another module may enter risks', async (t) => {
  const { host, manifest } = app.services.modules.get('risks')!;
  t.strictSame(
    manifest!.provides!.map(({ capability }) => capability.id),
    ['risks.create@1', 'risks.prepare@1', 'risks.of_cards@1'],
  );
  const services = app.services.modules.get('risks')!.services;
  const make = manifest!.provides![0]!.make(services) as (
    ctx: unknown,
    risk: object,
  ) => Promise<{ id: string; reference: string }>;
  const made = await make(host.systemContext('test'), { title: 'Promoted', category: 'operational' });
  t.match((await viewer.api.get(`/risks/${made.id}`)).body, {
    title: 'Promoted',
    reference: made.reference,
    created_by: null,
  });
});

t.test('files are evidence of a risk: they change with it, and are read-only when it is closed', async (t) => {
  const { id } = await create({ title: 'With evidence' });
  const path = `/risks/${id}/files`;
  const added = await upload(id, 'audit.txt', member);
  t.match(added, { status: 201, body: { items: [{ name: 'audit.txt', type: 'text/plain', size: 8 }] } });
  const { id: fileId } = (added.body['items'] as { id: string }[])[0]!;
  t.match(await upload(id, 'other.txt', viewer), { status: 403, body: { required_permission: 'risks.manage' } });
  t.equal((await viewer.api.get(`/risks/${id}`)).body['version'], 2);
  t.match((await viewer.api.get(`/risks/${id}/history`)).body, {
    items: [{ version: 2, changes: [{ field: 'files', old: null, new: { name: 'audit.txt' } }] }, { version: 1 }],
  });
  for (const to of ['accepted', 'closed']) t.equal((await move(id, to)).status, 200, to);
  t.match(await upload(id, 'late.txt', architect), { status: 409, body: { code: 'invalid_state' } });
  t.match(await architect.api.del(`${path}/${fileId}`), { status: 409, body: { code: 'invalid_state' } });
  t.match(await viewer.api.get(path), { status: 200, body: { total: 1, items: [{ id: fileId }] } });
  const read = await fetch(`${origin}/api/v1${path}/${fileId}`, {
    headers: { authorization: `Bearer ${viewer.token}` },
  });
  t.equal(await read.text(), 'Checked.');
  t.match(read.headers.get('content-disposition'), /^attachment; filename="audit.txt"/);
  const stored = async () => (await sql(database, `select from files where module = 'risks'`)).length;
  t.equal(await stored(), 1);
  t.equal((await move(id, 'in_progress')).status, 200);
  t.equal((await architect.api.del(`/risks/${id}`)).status, 204);
  t.equal(await stored(), 0);
});
