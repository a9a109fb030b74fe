import { createHash } from 'node:crypto';
import t from 'tap';
import {
  expectStatus,
  makeUser,
  registerAdmin,
  sql,
  testApp,
  until,
  type Answer,
  type AnyBody,
  type Session,
} from '../../../test/support/app.js';
import {
  AMOUNTS,
  FILES,
  hashOf,
  KINDS,
  PNG,
  textOf,
  type Cell,
  type Soaw,
  type Stored,
  type Table,
  type Tables,
} from './signing-support.js';

const { origin, database, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const permissions = ['cards.view', 'relations.view', 'soaw.view', 'costs.view', 'risks.view', 'adr.view'];
const role = async (key: string, held: string[], types = {}) =>
  expectStatus(await admin.api.post('/roles', { key, label: key, permissions: held, types }), 201, key);
await role('blind', permissions, { ITComponent: { 'cards.view': false } });
await role('half', permissions, { Application: { 'costs.view': false } });
await role(
  'unrisky',
  permissions.filter((key) => key !== 'risks.view'),
);
const [author, viewer, blind, half, unrisky, ...signers] = await Promise.all(
  ['member', 'viewer', 'blind', 'half', 'unrisky', 'architect', 'architect', 'member'].map((key) =>
    makeUser(admin, key),
  ),
);
const [writer, reader, narrow, partly, careless] = [author!, viewer!, blind!, half!, unrisky!];
const setRule = async (four_eyes: string) =>
  expectStatus(await admin.api.patch('/settings/modules/soaw', { settings: { four_eyes } }), 200, 'the rule');
await setRule('others_only');

const card = async (type: string, name: string, cost: number, lifecycle = {}) =>
  expectStatus(
    await admin.api.post('/cards', { type, name, attributes: { costTotalAnnual: cost }, lifecycle }),
    201,
    name,
  ).body.id;
const shop = await card('Application', 'Shop', 48261735.25, { active: '2020-01-01', endOfLife: '2020-12-31' });
const ledger = await card('Application', 'Ledger', 73519284, { active: '2021-01-01', phaseOut: '2021-06-30' });
const server = await card('ITComponent', 'Secret Server', 61837452.5, { active: '2019-01-01' });
expectStatus(
  await admin.api.post('/risks', {
    title: 'Fire in the cellar',
    category: 'technology',
    cards: [shop, server].map((card_id) => ({ card_id, role: 'affected' })),
  }),
  201,
  'a risk',
);
expectStatus(await admin.api.post('/adr', { title: 'Leave the cellar', card_ids: [ledger, server] }), 201, 'an ADR');

const filter = { type: 'Application,ITComponent' };
const sections = [
  {
    key: 'overview',
    title: 'Overview',
    text: 'The cellar is left.',
    tables: KINDS.map((kind) => ({
      id: kind,
      kind,
      title: `Of ${kind}`,
      filter,
      ...(kind === 'cards' && { columns: ['lifecycle_phase', 'attributes.costTotalAnnual'] }),
    })),
  },
];
const create = async (more = {}, by = writer) =>
  expectStatus(
    await by.api.post<Soaw>('/soaw', {
      title: 'Leave the cellar',
      sections,
      cards: [
        { card_id: shop, role: 'in_scope' },
        { card_id: server, role: 'affected' },
      ],
      ...more,
    }),
    201,
    'a document',
  ).body;
const act = (by: Session, id: string, action: string, body?: object): Promise<Answer<Soaw & AnyBody>> =>
  by.api.post(`/soaw/${id}/${action}`, body);
const request = (id: string, by = writer) =>
  act(by, id, 'request-signatures', { user_ids: signers.map(({ user }) => user.id) });
const tablesOf = async (by: Session, id: string) => {
  const { body } = expectStatus(await by.api.get<Tables>(`/soaw/${id}/tables`), 200, 'tables');
  return { ...body, of: (kind: string) => body.tables.find((table) => table.id === kind)! };
};
const names = (table: Table, column = 0) => table.rows.map(({ cells }) => cells[column]);
const fetched = async (by: Session, path: string) => {
  const response = await fetch(`${origin}/api/v1${path}`, { headers: { authorization: `Bearer ${by.token}` } });
  if (response.status !== 200) throw new Error(`${path} gave ${response.status}`);
  return { bytes: Buffer.from(await response.arrayBuffer()), tag: response.headers.get('etag')! };
};
const stored = async (id: string) =>
  (
    await sql<Stored & Record<string, unknown>>(
      database,
      `select frozen, content_hash, jsonb_build_object('number', number, 'revision', revision, 'title', title, 'sections', sections, 'frozen', frozen) as content
      from soaw_documents where id = $1`,
      [id],
    )
  )[0]!;
const rendered = async (id: string) =>
  await until(async () => {
    const rows = await sql<{ kind: string; withheld: boolean; sha256: string }>(
      database,
      'select kind, withheld, sha256 from soaw_renditions where document_id = $1',
      [id],
    );
    return rows.length === 6 && rows;
  });

t.test('the tables of a draft are current, and each reader sees what the reader may see', async (t) => {
  const { id } = await create();
  const all = await tablesOf(writer, id);
  t.match(all, { frozen: false, nonce: null });
  t.strictSame(names(all.of('cards')), ['Ledger', 'Secret Server', 'Shop']);
  t.match(all.of('cards').rows[2]!.cells, ['Shop', 'Application', 'End of life', { money: '48261735.25' }]);
  t.strictSame(
    all.of('gaps').rows.map(({ cells }) => cells.slice(0, 4)),
    [
      ['Ledger', 'Application', 'Phased out before the target date', { date: '2021-06-30' }],
      ['Shop', 'Application', 'End of life without a successor', { date: '2020-12-31' }],
    ],
  );
  t.match(all.of('costs').footer, ['Sum', null, { money: '183618471.75', currency: 'EUR' }]);
  t.strictSame(names(all.of('risks'), 4).sort(), ['Secret Server', 'Shop']);
  t.match(all.of('risks').rows[0]!.cells, ['R-000001', 'Fire in the cellar', null, 'Identified']);
  t.strictSame(names(all.of('decisions'), 3).sort(), ['Ledger', 'Secret Server']);
  t.strictSame(names(all.of('roadmap')), ['Secret Server', 'Shop', 'Ledger']);
  const few = await tablesOf(narrow, id);
  t.strictSame(names(few.of('cards')), ['Ledger', 'Shop']);
  t.match(few.of('costs').footer, ['Sum', null, { money: '121781019.25' }]);
  t.strictSame(names(few.of('risks'), 4), ['Shop']);
  t.notMatch(JSON.stringify((await narrow.api.get(`/soaw/${id}`)).body), new RegExp(server));
  t.match((await tablesOf(careless, id)).of('risks'), { rows: [], note: 'not_permitted' });
  const some = (await tablesOf(partly, id)).of('costs');
  t.match(
    some.rows.map(({ cells }) => cells[2]),
    [{ withheld: true }, { money: '61837452.5' }, { withheld: true }],
  );
  t.match(some.footer, ['Sum', null, { withheld: true }]);
  const later = expectStatus(await admin.api.post('/cards', { type: 'Application', name: 'Newcomer' }), 201, 'a card')
    .body.id;
  t.ok(names((await tablesOf(writer, id)).of('cards')).includes('Newcomer'));
  expectStatus(await admin.api.post(`/cards/${later}/archive`, {}), 200, 'archiving');
  for (const [key, other] of [
    ['risks', 'decisions'],
    ['adr', 'risks'],
  ] as const) {
    expectStatus(await admin.api.patch(`/settings/modules/${key}`, { enabled: false }), 200, 'disabling');
    const off = await tablesOf(writer, id);
    t.match(off.of(key === 'adr' ? 'decisions' : 'risks'), { rows: [], note: 'module_disabled' });
    t.equal(off.of(other).note, null);
    expectStatus(await admin.api.patch(`/settings/modules/${key}`, { enabled: true }), 200, 'enabling');
  }
});

t.test('signed by three under four eyes; nothing that happens to a card changes what was signed', async (t) => {
  const { id } = await create();
  t.match(await act(writer, id, 'request-signatures', { user_ids: [writer.user.id] }), { status: 422 });
  const asked = expectStatus(await request(id), 200, 'requesting').body;
  t.match(asked, { status: 'in_review', signatories: [{}, {}, {}] });
  const content = await stored(id);
  t.equal(hashOf(content.content), asked.content_hash, 'the hash covers the text and the frozen tables');
  t.strictSame(
    content.frozen.tables.map((table) => table.id),
    KINDS,
  );
  t.match(await writer.api.patch(`/soaw/${id}`, { title: 'Other' }), { status: 409, body: { code: 'invalid_state' } });
  t.match(await writer.api.put(`/soaw/${id}/sections/overview`, { title: 'Other' }), { status: 409 });
  t.match(await writer.api.patch(`/soaw/${id}`, { title: 'Leave the cellar' }), { status: 200 }, 'no change');
  t.match(await act(writer, id, 'sign'), { status: 403 }, 'who is not named');

  expectStatus(
    await admin.api.patch(`/cards/${shop}`, { name: 'Bazaar', attributes: { costTotalAnnual: 1 } }),
    200,
    'x',
  );
  t.strictSame(names((await tablesOf(writer, id)).of('cards')), ['Ledger', 'Secret Server', 'Shop'], 'frozen');
  t.match((await tablesOf(writer, id)).nonce, content.frozen.nonce);
  t.equal((await tablesOf(reader, id)).nonce, null);

  await sql(
    database,
    `update soaw_documents set frozen = jsonb_set(frozen, '{tables,0,rows,0,cells,0}', '"Forged"') where id = $1`,
    [id],
  );
  t.match(await act(signers[0]!, id, 'sign'), { status: 409, body: { detail: /content is not what/ } });
  await sql(database, 'update soaw_documents set frozen = $2 where id = $1', [id, JSON.stringify(content.frozen)]);

  t.match(await act(signers[0]!, id, 'sign', { comment: 'Well done.' }), {
    status: 200,
    body: { status: 'in_review' },
  });
  const both = await Promise.all([act(signers[1]!, id, 'sign'), act(signers[2]!, id, 'sign')]);
  t.strictSame(
    both.map(({ status }) => status),
    [200, 200],
  );
  t.match((await reader.api.get(`/soaw/${id}`)).body, { status: 'signed', content_hash: asked.content_hash });
  t.equal(
    (await sql(database, `select from events where subject_id = $1 and type = 'soaw.signed'`, [id])).length,
    1,
    'of two last signatures one makes it signed',
  );
  await t.rejects(sql(database, `update soaw_documents set title = 'Forged' where id = $1`, [id]), /cannot be changed/);

  const files = await rendered(id);
  const now = async (by: Session) =>
    await Promise.all(FILES.map(async (kind) => await fetched(by, `/soaw/${id}.${kind}`)));
  const [whole, without] = [await now(writer), await now(reader)];
  const hashes = (withheld: boolean) =>
    FILES.map((kind) => files.find((file) => file.kind === kind && file.withheld === withheld)!.sha256);
  const sha = (all: { bytes: Buffer }[]) => all.map(({ bytes }) => createHash('sha256').update(bytes).digest('hex'));
  t.strictSame(sha(whole), hashes(false), 'as stored');
  t.strictSame(sha(without), hashes(true));
  for (const [i, kind] of FILES.entries()) {
    const [text, less] = [textOf(whole[i]!.bytes, kind), textOf(without[i]!.bytes, kind)];
    for (const word of ['Secret Server', 'Shop', 'Fire in the cellar', 'Well done.', 'SOAW-0002']) {
      t.match(text, word, kind);
      t.match(less, word, kind);
    }
    t.match(text, AMOUNTS[4], `${kind} has the sum`);
    t.match(text, /73,519,284\.00/, `${kind}: the amounts of a column have the same number of digits`);
    t.notMatch(text, 'Detail', `${kind}: no column without a value`);
    for (const amount of AMOUNTS) t.notMatch(less, amount, kind);
    const partial = textOf((await fetched(narrow, `/soaw/${id}.${kind}`)).bytes, kind);
    t.notMatch(partial, 'Secret Server', `${kind} without the hidden card`);
    t.match(partial, AMOUNTS[3], `${kind}: the sum of what is seen`);
    t.notMatch(textOf((await fetched(careless, `/soaw/${id}.${kind}`)).bytes, kind), 'Fire in the cellar', kind);
    const { bytes, tag } = whole[i]!;
    t.equal((await writer.api.get(`/soaw/${id}.${kind}`, { headers: { 'if-none-match': tag } })).status, 304);
    await sql(database, 'delete from soaw_renditions where document_id = $1 and kind = $2', [id, kind]);
    t.ok((await fetched(writer, `/soaw/${id}.${kind}`)).bytes.equals(bytes), `${kind}: rendered again, the same bytes`);
    t.ok((await fetched(reader, `/soaw/${id}.${kind}`)).bytes.equals(without[i]!.bytes), kind);
  }

  const next = expectStatus(await act(writer, id, 'revise'), 201, 'revising').body;
  t.match(next, { number: 'SOAW-0002', revision: 2, status: 'draft', cards: [{}, {}], content_hash: null });
  t.ok(
    names((await tablesOf(writer, next.id)).of('cards')).includes('Bazaar'),
    'a revision begins with current tables',
  );
  expectStatus(
    await writer.api.put(`/soaw/${next.id}/sections/overview`, { ...sections[0], key: undefined, text: 'It is left.' }),
    200,
    'x',
  );
  expectStatus(await request(next.id), 200, 'requesting');
  const diff = async (by: Session) =>
    expectStatus(await by.api.get<AnyBody>(`/soaw/${next.id}/diff`, { query: { with: id } }), 200, 'diff').body;
  const changes = await diff(writer);
  t.match(changes, {
    sections: [
      {
        key: 'overview',
        change: 'changed',
        lines: [
          { op: 'removed', lines: ['The cellar is left.'] },
          { op: 'added', lines: ['It is left.'] },
        ],
      },
    ],
  });
  const costs = (changes['tables'] as { id: string; rows: { changed: { before: Cell[]; after: Cell[] }[] } }[]).find(
    (table) => table.id === 'costs',
  )!;
  t.match(costs.rows.changed, [
    { before: ['Shop', 'Application', { money: '48261735.25' }], after: ['Bazaar', 'Application', { money: '1' }] },
  ]);
  const theirs = JSON.stringify(await diff(reader));
  for (const amount of AMOUNTS) t.notMatch(theirs, amount);
  t.notMatch(JSON.stringify(await diff(narrow)), 'Secret Server');
  for (const signer of signers) expectStatus(await act(signer, next.id, 'sign'), 200, 'signing');
  t.match((await reader.api.get(`/soaw/${id}`)).body, { status: 'superseded' });
  t.match((await reader.api.get<{ total: number }>('/soaw', { query: { number: 'SOAW-0002' } })).body.total, 2);
  expectStatus(
    await admin.api.patch(`/cards/${shop}`, { name: 'Shop', attributes: { costTotalAnnual: 48261735.25 } }),
    200,
    'x',
  );
});

t.test('costs that a stakeholder role permits, and the logo of the workspace', async (t) => {
  const { id } = (await reader.api.get<{ items: Soaw[] }>('/soaw', { query: { status: 'signed' } })).body.items[0]!;
  const costs = async () => (await tablesOf(partly, id)).of('costs').rows.map(({ cells }) => cells[2]);
  const withheld = { withheld: true };
  const money = { money: /61837452/ };
  t.match(await costs(), [withheld, withheld, money]);
  const roles = '/metamodel/types/Application/stakeholder-roles';
  const payer = { key: 'payer', label: 'Payer', permissions: ['card.view_costs'] };
  expectStatus(await admin.api.post(roles, payer), 201, 'a role');
  const stakeholder = { user_id: partly.user.id, role: 'payer' };
  expectStatus(await admin.api.post(`/cards/${ledger}/stakeholders`, stakeholder), 201, 'a stakeholder');
  t.match(await costs(), [withheld, { money: '73519284' }, money]);
  const text = textOf((await fetched(partly, `/soaw/${id}.html`)).bytes, 'html');
  t.match(text, AMOUNTS[1]);
  t.notMatch(text, AMOUNTS[4], 'no sum, from which the others would follow');

  const { id: draft } = await create();
  const before = await fetched(writer, `/soaw/${draft}.html`);
  t.notMatch(before.bytes.toString(), /data:image/);
  const put = await fetch(`${origin}/api/v1/settings/logo`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'image/png' },
    body: PNG,
  });
  t.equal(put.status, 200);
  const after = await until(async () => {
    const file = await fetched(writer, `/soaw/${draft}.html`);
    return /data:image\/png/.test(file.bytes.toString()) && file;
  });
  t.not(after.tag, before.tag);
  expectStatus(
    await admin.api.patch('/settings/modules/soaw', { settings: { show_logo: false, header: 'For all' } }),
    200,
    'x',
  );
  const without = (await fetched(writer, `/soaw/${draft}.html`)).bytes.toString();
  t.notMatch(without, /data:image/);
  t.match(without, 'For all');
  expectStatus(
    await admin.api.patch('/settings/modules/soaw', { settings: { show_logo: null, header: null } }),
    200,
    'x',
  );
});

t.test('the logo is frozen with the tables', async (t) => {
  const put = async (bytes: Buffer): Promise<void> => {
    const headers = { authorization: `Bearer ${admin.token}`, 'content-type': 'image/png' };
    const answer = await fetch(`${origin}/api/v1/settings/logo`, { method: 'PUT', headers, body: bytes });
    t.equal(answer.status, 200);
  };
  const logoOf = async (id: string): Promise<string | undefined> =>
    /data:image\/png;base64,[\w+/=]+/.exec((await fetched(narrow, `/soaw/${id}.html`)).bytes.toString())?.[0];
  await put(PNG);
  const [{ id }, { id: draft }] = [await create(), await create()];
  const before = await until(() => logoOf(draft));
  expectStatus(await request(id), 200, 'requesting');
  // A byte after the image makes it another file.
  await put(Buffer.concat([PNG, Buffer.from([0])]));
  await until(async () => (await logoOf(draft)) !== before);
  t.equal(await logoOf(id), before, 'also for a reader whose file is rendered when it is read');
  const { content_hash, content } = await stored(id);
  t.equal(hashOf(content), content_hash, 'the hash covers it');
  expectStatus(await act(writer, id, 'recall'), 200, 'recalling');
  t.not(await logoOf(id), before, 'a draft has the current one');
});

t.test('reject and recall make it a draft with current tables', async (t) => {
  const { id } = await create();
  for (const [by, action, body] of [
    [signers[0]!, 'reject', { reason: 'The dates are wrong.' }],
    [writer, 'recall', undefined],
  ] as const) {
    expectStatus(await request(id), 200, 'requesting');
    t.match(await act(by, id, action, body), { status: 200, body: { status: 'draft', content_hash: null } });
    t.equal((await tablesOf(writer, id)).frozen, false);
    t.equal((await stored(id)).frozen, null);
  }
  t.match(await act(writer, id, 'recall'), { status: 409 });
  const [one, two] = await Promise.all([request(id), request(id)]);
  t.strictSame([one.status, two.status].sort(), [200, 409], 'requested once');
});

t.test('what is signed is what was stored: changes at the same time as the request', async (t) => {
  const outcomes = new Set<string>();
  for (let round = 0; round < 8; round++) {
    const { id } = await create();
    const patch = { sections: [{ ...sections[0], tables: [{ id: 'other', kind: 'roadmap', title: 'Other' }] }] };
    const [changed, asked] = await Promise.all([
      writer.api.patch(`/soaw/${id}`, patch),
      new Promise<Awaited<ReturnType<typeof request>>>((resolve) => {
        setTimeout(() => resolve(request(id)), round * 4);
      }),
    ]);
    outcomes.add(`${changed.status} ${asked.status}`);
    t.ok([200, 409].includes(changed.status) && [200, 409].includes(asked.status), [...outcomes].join());
    const row = await stored(id);
    if (asked.status === 200) {
      t.equal(hashOf(row.content), row.content_hash);
      const { sections: kept } = (await writer.api.get<Soaw>(`/soaw/${id}`)).body;
      t.equal(row.frozen.tables.length, kept[0]!.tables.length, 'the frozen tables are those of the sections');
    } else t.equal(row.frozen, null, 'nothing half stored');
  }
});

t.test('who may not see costs finds no amount anywhere', async (t) => {
  const draft = await create({ title: 'Draft' });
  const review = await create({ title: 'In review' });
  expectStatus(await request(review.id), 200, 'requesting');
  const signed = (await reader.api.get<{ items: Soaw[] }>('/soaw', { query: { status: 'signed' } })).body.items[0]!;
  await rendered(signed.id).catch(() => undefined);
  expectStatus(await writer.api.post(`/soaw/${draft.id}/comments`, { text: 'Costs?' }), 201, 'a comment');
  const paths = ['/soaw', '/notifications', `/cards/${shop}/soaws`, `/cards/${shop}/history`];
  for (const { id } of [draft, review, signed])
    paths.push(
      ...[
        '',
        '/tables',
        '/history',
        '/revisions',
        '/comments',
        `/diff?with=${signed.id}`,
        ...FILES.map((kind) => `.${kind}`),
      ].map((end) => `/soaw/${id}${end}`),
    );
  for (const path of paths) {
    const kind = FILES.find((end) => path.endsWith(`.${end}`)) ?? 'json';
    const text = textOf((await fetched(reader, path)).bytes, kind);
    for (const amount of AMOUNTS) t.notMatch(text, amount, path);
    if (path.includes('/tables'))
      for (const amount of AMOUNTS.slice(1, 2)) t.match(textOf((await fetched(writer, path)).bytes, kind), amount);
  }
  const events = await sql<{ data: unknown }>(database, `select data from events where type like 'soaw%'`);
  for (const amount of AMOUNTS) t.notMatch(JSON.stringify(events), amount, 'events of the module');

  const whole = await Promise.all(FILES.map((kind) => fetched(writer, `/soaw/${signed.id}.${kind}`)));
  expectStatus(await admin.api.del(`/cards/${ledger}`), 204, 'deleting a card');
  for (const [i, kind] of FILES.entries())
    t.ok(
      (await fetched(writer, `/soaw/${signed.id}.${kind}`)).bytes.equals(whole[i]!.bytes),
      `${kind} of a deleted card`,
    );
  t.match((await tablesOf(writer, signed.id)).of('costs').rows[1]!.cells, [
    'Ledger',
    'Application',
    { money: '73519284' },
  ]);
  t.match((await tablesOf(reader, signed.id)).of('costs').rows[1]!.cells, [
    'Ledger',
    'Application',
    { withheld: true },
  ]);
  t.notMatch(JSON.stringify(await tablesOf(narrow, signed.id)), 'Ledger', 'it may have been a hidden one');
});

t.test('no sum where no amount is known', async (t) => {
  expectStatus(await admin.api.post('/cards', { type: 'Application', name: 'Priceless' }), 201, 'a card');
  const unknown = { id: 'costs', kind: 'costs', title: 'Costs', filter: { type: 'Application', search: 'Priceless' } };
  const { id } = await create({ sections: [{ key: 'overview', title: 'Overview', tables: [unknown] }], cards: [] });
  const costs = (await tablesOf(writer, id)).of('costs');
  t.strictSame([names(costs), costs.footer], [['Priceless'], ['Sum', null, null]]);
  t.match((await tablesOf(reader, id)).of('costs').footer, ['Sum', null, { withheld: true }], 'withheld all the same');
});
