/**
 * Scores, approvals and filters by emptiness are computed from what the reader sees: whether something that is hidden is there makes
 * no difference, and no writer replaces or removes it.
 */
import t from 'tap';
import { expectStatus, registerAdmin, testApp, type Answer, type AnyBody, type Session } from '../support/app.js';
import type { Document } from '../../core/foundation/http/openapi-document.js';
import { HIDES_VAULT, hiddenWorld, MARK, NOWHERE } from '../support/hidden.js';
import { settled, staged, type ImportRow } from '../support/imports.js';
import { makeRoleUser } from '../support/roles.js';

const test = await testApp();
const { origin, close } = test;
t.teardown(close);
const admin = await registerAdmin(origin);
const blind = await makeRoleUser(test, admin, 'blind', { like: 'architect', types: HIDES_VAULT });
const unrelated = await makeRoleUser(test, admin, 'unrelated', { like: 'architect', without: ['relations.view'] });
const unheld = await makeRoleUser(test, admin, 'unheld', { like: 'architect', without: ['stakeholders.view'] });
const poor = await makeRoleUser(test, admin, 'poor', { like: 'architect', without: ['costs.view'] });
const { vault, desk, inner, below, make } = await hiddenWorld(admin, blind);
await make('/metamodel/relation-types', {
  key: 'guards',
  label: 'guards',
  source_type: 'Desk',
  target_type: '*',
  source_mandatory: true,
});

type Items = { items: AnyBody[]; total: number };
const view = async ({ api }: Session, id: string): Promise<AnyBody> =>
  expectStatus(await api.get(`/cards/${id}`), 200, 'a card').body;
const patch = (session: Session, id: string, body: object): Promise<Answer> => session.api.patch(`/cards/${id}`, body);
let count = 0;
const card = (more: object = {}): Promise<string> => make('/cards', { type: 'Desk', name: `Card ${++count}`, ...more });
const guard = (source_id: string, target_id: string): Promise<string> =>
  make('/relations', { type: 'guards', source_id, target_id });

/** Two cards that are the same for one reader, of which the second one has something more that is hidden from this reader. */
type Pair = [empty: string, filled: string];
const pairs: { what: string; reader: Session; pair: Pair }[] = [];
const pairOf = async (what: string, reader: Session, fill: (id: string) => Promise<unknown>): Promise<void> => {
  const pair: Pair = [await card({ attributes: { note: 'x' } }), await card({ attributes: { note: 'x' } })];
  await fill(pair[1]);
  pairs.push({ what, reader, pair });
};
await pairOf('a relation to a hidden card', blind, (id) => guard(id, vault));
await pairOf('a reference to a hidden card', blind, (id) => patch(admin, id, { attributes: { twin: vault } }));
await pairOf('a relation', unrelated, (id) => guard(id, desk));
await pairOf('a stakeholder', unheld, (id) =>
  make(`/cards/${id}/stakeholders`, { user_id: admin.user.id, role: 'responsible' }),
);
const score = async (session: Session, id: string): Promise<number> =>
  (await view(session, id))['data_quality'] as number;

t.test('the score is the same whether or not something hidden counts in it', async (t) => {
  for (const { what, reader, pair } of pairs) {
    const [empty, filled] = pair;
    t.ok((await score(admin, filled)) > (await score(admin, empty)), `${what} counts for an administrator`);
    const shown = await score(reader, empty);
    t.equal(await score(reader, filled), shown, what);
    const list = async (query: object): Promise<string[]> =>
      (await reader.api.get<Items>('/cards', { query: { type: 'Desk', ids: pair.join(), ...query } })).body.items.map(
        ({ id }) => id,
      );
    t.strictSame(await list({ 'data_quality[gte]': shown }), pair, `${what}: filter`);
    t.strictSame(await list({ 'data_quality[lt]': shown }), [], `${what}: filter`);
    for (const sort_dir of ['asc', 'desc'])
      t.strictSame(
        await list({ sort_by: 'data_quality', sort_dir }),
        sort_dir === 'asc' ? pair : pair.toReversed(),
        `${what}: sort ${sort_dir}, by id`,
      );
    const listed = await reader.api.get<Items>('/cards', { query: { ids: pair.join() } });
    t.strictSame(
      listed.body.items.map(({ data_quality }) => data_quality),
      [shown, shown],
      `${what}: list`,
    );
    const facets = await reader.api.get<{ total: number }>('/cards/facets', {
      query: { ids: pair.join(), 'data_quality[gte]': shown },
    });
    t.equal(facets.body.total, 2, `${what}: facets`);
    const report = async (id: string): Promise<unknown> => {
      const { body } = expectStatus(
        await reader.api.get('/reports/data-quality', { query: { ids: id } }),
        200,
        'report',
      );
      return JSON.stringify(body)
        .replaceAll(id, '')
        .replace(/Card \d+/g, '');
    };
    t.equal(await report(filled), await report(empty), `${what}: report`);
    for (const format of ['json', 'ndjson', 'csv']) {
      const text = async (id: string): Promise<string> => {
        const { body } = await reader.api.get<unknown>('/cards/export', { query: { ids: id, format } });
        return (typeof body === 'string' ? body : JSON.stringify(body))
          .replaceAll(id, '')
          .replace(
            /Card \d+|"(created|updated)_at":"[^"]+"|"version":\d+|"stakeholders":\[.*?\]|\d{4}-\d\d-\d\dT[^,]+,[^,]+,\d+/g,
            '',
          );
      };
      if (what !== 'a stakeholder') t.equal(await text(filled), await text(empty), `${what}: ${format}`);
    }
  }
});

t.test('the score counts what is visible, and changes neither entity tag nor order with what is not', async (t) => {
  const id = await card();
  const before = await score(blind, id);
  await patch(admin, id, { description: 'Visible' });
  t.ok((await score(blind, id)) > before);
  const tags = new Set<string>();
  for (let n = 0; n < 2; n++) {
    tags.add(String((await blind.api.get(`/cards/${id}`)).headers.get('etag')));
    const relation = await guard(id, inner);
    tags.add(String((await blind.api.get(`/cards/${id}`)).headers.get('etag')));
    expectStatus(await admin.api.del(`/relations/${relation}`), 204, 'a relation');
  }
  t.equal(tags.size, 1);
  const all = expectStatus(
    await blind.api.get<Items>('/cards', { query: { sort_by: 'data_quality', page_size: 200 } }),
    200,
    'a list of all types',
  ).body.items.map(({ data_quality }) => data_quality as number);
  t.strictSame(
    all,
    [...all].sort((a, b) => a - b),
  );
  const application = await make('/cards', { type: 'Application', name: 'Not concerned', description: 'x' });
  t.equal(await score(blind, application), await score(admin, application), 'nothing hidden counts for this type');
  const trend = await blind.api.get<{ trend: { average_quality: unknown }[] | null }>('/reports/dashboard');
  t.ok((trend.body.trend ?? []).every(({ average_quality }) => average_quality === null));
});

const comparable = ({ status, body }: Answer, pair: Pair): string =>
  JSON.stringify([status, body], (key, value: unknown) =>
    ['instance', 'request_id', 'change_id'].includes(key) ? undefined : value,
  ).replace(new RegExp(pair.join('|'), 'g'), '');

t.test('an approval is refused in the same way whether or not something hidden is there', async (t) => {
  const fields = [
    { key: 'twin', kind: 'card_reference', label: 'Twin', required: true },
    { key: 'fee', kind: 'cost', label: 'Fee', required: true },
  ];
  await make('/metamodel/types', {
    key: 'Gate',
    label: 'Gate',
    sections: [{ key: 'main', label: 'Main', fields: [fields[0]] }],
  });
  await make('/metamodel/types', {
    key: 'Toll',
    label: 'Toll',
    sections: [{ key: 'main', label: 'Main', fields: [fields[1]] }],
  });
  const gate = (attributes: object): Promise<string> =>
    make('/cards', { type: 'Gate', name: `Gate ${++count}`, attributes });
  const toll = (attributes: object): Promise<string> =>
    make('/cards', { type: 'Toll', name: `Toll ${++count}`, attributes });
  const cases: [string, Session, Pair][] = [
    ...pairs
      .filter(({ what }) => what.includes('relation'))
      .map(({ what, reader, pair }) => [what, reader, pair] as never),
    ['a required reference', blind, [await gate({}), await gate({ twin: vault })]],
    ['a required cost', poor, [await toll({}), await toll({ fee: 7 })]],
  ];
  for (const [what, reader, pair] of cases) {
    const single = await Promise.all(pair.map((id) => reader.api.post(`/cards/${id}/approval`, { action: 'approve' })));
    t.match(single[0], { status: 409, body: { code: 'approval_blocked' } }, what);
    t.equal(comparable(single[1]!, pair), comparable(single[0]!, pair), what);
    t.equal((await view(admin, pair[1]))['approval_status'], 'DRAFT');
  }
});

t.test('an approval is decided by what the approver sees', async (t) => {
  const approve = (session: Session, id: string): Promise<Answer> =>
    session.api.post(`/cards/${id}/approval`, { action: 'approve' });
  const [one, other, third] = [await card(), await card(), await card()];
  for (const id of [one, other]) await guard(id, desk);
  await guard(third, vault);
  t.equal((await approve(blind, one)).status, 200, 'a visible relation');
  for (const id of [other, third]) t.equal((await approve(admin, id)).status, 200, 'with all rights');
  const bare = await card();
  t.match(await approve(admin, bare), { status: 409, body: { missing: [{ kind: 'relation', key: 'guards' }] } });
});

t.test('a hidden target counts as empty in filters of cards and relations', async (t) => {
  const [none, hidden, seen] = [
    await card(),
    await card({ attributes: { twin: inner } }),
    await card({ attributes: { twin: desk } }),
  ];
  const ids = [none, hidden, seen];
  const found = async (session: Session, query: object): Promise<string[]> =>
    (await session.api.get<Items>('/cards', { query: { type: 'Desk', ids: ids.join(), ...query } })).body.items.map(
      ({ id }) => id,
    );
  const expected: [object, string[]][] = [
    [{ 'attributes.twin[empty]': true }, [none, hidden]],
    [{ 'attributes.twin[empty]': false }, [seen]],
    [{ 'attributes.twin[ne]': desk }, [none, hidden]],
    [{ 'attributes.twin[ne]': inner }, ids],
    [{ 'attributes.twin': inner }, []],
    [{ 'attributes.twin': desk }, [seen]],
  ];
  for (const [query, wanted] of expected) t.strictSame(await found(blind, query), wanted, JSON.stringify(query));
  t.strictSame(await found(admin, { 'attributes.twin[empty]': true }), [none]);
  t.strictSame(await found(admin, { 'attributes.twin[ne]': inner }), [none, seen]);

  const touch = (target_id: string, attributes: object): Promise<string> =>
    make('/relations', { type: 'touches', source_id: none, target_id, attributes });
  const relations = [await touch(seen, {}), await touch(hidden, { twin: vault }), await touch(desk, { twin: seen })];
  const related = async (session: Session, query: object): Promise<string[]> =>
    (
      await session.api.get<Items>('/relations', { query: { source_id: none, type: 'touches', ...query } })
    ).body.items.map(({ id }) => id);
  for (const [query, wanted] of [
    [{ 'attributes.twin[empty]': true }, [relations[0], relations[1]]],
    [{ 'attributes.twin[empty]': false }, [relations[2]]],
    [{ 'attributes.twin[ne]': vault }, relations],
    [{ 'attributes.twin': vault }, []],
  ] as const)
    t.strictSame((await related(blind, query)).sort(), [...wanted].sort(), JSON.stringify(query));
  t.strictSame(await related(admin, { 'attributes.twin': vault }), [relations[1]]);

  const lone = await card();
  await guard(lone, vault);
  for (const query of [{ has_relation: 'none' }, { lacks_relation: 'guards' }] as Record<string, string>[])
    t.strictSame(
      (await blind.api.get<Items>('/cards', { query: { ids: lone, ...query } })).body.items.map(({ id }) => id),
      [lone],
      JSON.stringify(query),
    );
  const usage = await blind.api.get<{ fields: { key: string; cards: unknown }[] }>('/metamodel/types/Desk/usage');
  t.equal(usage.body.fields.find(({ key }) => key === 'twin')!.cards, null);
  const roles = await unheld.api.get<{ stakeholder_roles: unknown[] }>('/metamodel/types/Desk/usage');
  t.strictSame(roles.body.stakeholder_roles, []);
});

const READ_ONLY = /is read-only for you/;

t.test('a reference to a hidden card is neither replaced nor removed, and no answer tells of it', async (t) => {
  const ways: [string, (id: string, twin: string | null) => Promise<Answer>][] = [
    ['merge patch', (id, twin) => patch(blind, id, { attributes: { twin } })],
    [
      'JSON Patch',
      (id, twin) =>
        blind.api.send(
          'PATCH',
          `/cards/${id}`,
          JSON.stringify([{ op: 'add', path: '/attributes/twin', value: twin }]),
          { headers: { 'content-type': 'application/json-patch+json' } },
        ),
    ],
    [
      'JSON Patch of all attributes',
      (id, twin) =>
        blind.api.send(
          'PATCH',
          `/cards/${id}`,
          JSON.stringify([{ op: 'replace', path: '/attributes', value: twin === null ? {} : { twin } }]),
          { headers: { 'content-type': 'application/json-patch+json' } },
        ),
    ],
    [
      'bulk update',
      (id, twin) =>
        blind.api.post('/cards/bulk', {
          mode: 'per_row',
          operations: [{ op: 'update', id, card: { attributes: { twin } } }],
        }),
    ],
    [
      'bulk upsert, twice',
      (id, twin) =>
        blind.api.post('/cards/bulk', {
          mode: 'per_row',
          operations: [null, twin].map((value) => ({ op: 'upsert', id, card: { attributes: { twin: value } } })),
        }),
    ],
    [
      'dry run',
      (id, twin) =>
        blind.api.post(
          '/cards/bulk',
          { mode: 'per_row', operations: [{ op: 'update', id, card: { attributes: { twin } } }] },
          { query: { dry_run: true } },
        ),
    ],
  ];
  for (const [way, send] of ways)
    for (const twin of [null, desk, inner, NOWHERE]) {
      const pair: Pair = [await card(), await card({ attributes: { twin: inner } })];
      const [none, hidden] = [await send(pair[0], twin), await send(pair[1], twin)];
      const about = `${way}: ${twin === null ? 'null' : 'a value'}`;
      const plain = (answer: Answer): string => comparable(answer, pair).replace(/Card \d+|"\w+_at":"[^"]+"/g, '');
      t.equal(plain(hidden), plain(none), about);
      t.equal(READ_ONLY.test(JSON.stringify(hidden.body)), twin !== null, about);
      t.match(await view(admin, pair[1]), { attributes: { twin: inner }, version: 1 }, about);
      t.notOk('twin' in ((await view(admin, pair[0]))['attributes'] as object), about);
    }
  const seen = await card({ attributes: { twin: desk } });
  t.equal((await patch(blind, seen, { attributes: { twin: below } })).status, 200, 'a visible value is replaced');
  t.equal((await patch(blind, seen, { attributes: { twin: null } })).status, 200, 'and removed');
  t.equal(
    (await blind.api.post('/cards', { type: 'Desk', name: 'With a twin', attributes: { twin: desk } })).status,
    201,
    'a new card gets a value',
  );
  t.equal(
    (await patch(unrelated, seen, { attributes: { twin: vault } })).status,
    200,
    'by a writer who sees all cards',
  );
  const stale = await blind.api.patch(`/cards/${seen}`, { alias: 'x' }, { headers: { 'if-match': '"1"' } });
  t.match(stale, { status: 412 });
  t.notMatch(JSON.stringify(stale.body), /twin/);
});

t.test('an import neither replaces nor removes it', async (t) => {
  for (const twin of [null, desk, inner]) {
    const pair: Pair = [await card(), await card({ attributes: { twin: inner } })];
    const rows: unknown[] = [];
    for (const id of pair) {
      const { name } = await view(admin, id);
      const file = `${JSON.stringify({ id, type: 'Desk', name, attributes: { twin } })}\n`;
      const made = await staged(blind.api, 'ndjson', file);
      const [row] = (await blind.api.get<{ items: ImportRow[] }>(`/imports/${made.id}/rows`)).body.items;
      rows.push([row!.verdict, row!.diff, row!.errors]);
      if (row!.verdict === 'unchanged') continue;
      t.match(row, { verdict: 'invalid', errors: [{ field: 'attributes.twin', reason: READ_ONLY }] });
    }
    t.strictSame(rows[1], rows[0], String(twin));
    t.match(await view(admin, pair[1]), { attributes: { twin: inner }, version: 1 });
  }
  const id = await card({ attributes: { twin: inner } });
  const { name } = await view(admin, id);
  const csv = await staged(
    blind.api,
    'csv',
    `id,type,name,attributes.twin,attributes.note\n${id},Desk,${name},,noted\n`,
  );
  expectStatus(await blind.api.post(`/imports/${csv.id}/apply`, {}), 202, 'apply');
  t.match(await settled(blind.api, csv.id), { state: 'applied' });
  t.match(await view(admin, id), { attributes: { twin: inner, note: 'noted' } }, 'an empty cell leaves it as it is');
});

t.test('the same for attributes of relations', async (t) => {
  const ends = [await card(), await card(), await card()] as const;
  const touch = (target_id: string, attributes: object): Promise<string> =>
    make('/relations', { type: 'touches', source_id: ends[0], target_id, attributes });
  const pair: Pair = [await touch(ends[1], {}), await touch(ends[2], { twin: vault })];
  const [none, hidden] = pair;
  for (const twin of [null, desk, vault]) {
    const single = await Promise.all(pair.map((id) => blind.api.patch(`/relations/${id}`, { attributes: { twin } })));
    const bulk = await Promise.all(
      pair.map((id) =>
        blind.api.post('/relations/bulk', {
          mode: 'per_row',
          operations: [{ op: 'update', id, attributes: { twin } }],
        }),
      ),
    );
    const outcome = (answer: Answer): unknown => [answer.status, answer.body.errors];
    t.strictSame(outcome(single[1]!), outcome(single[0]!), `${twin}`);
    t.equal(single[1]!.status, twin === null ? 200 : 422);
    t.equal(comparable(bulk[1]!, pair), comparable(bulk[0]!, pair), `${twin}, in bulk`);
    const rows: unknown[] = [];
    for (const id of pair) {
      const file = `${JSON.stringify({ relation: { id, type: 'touches', attributes: { twin } } })}\n`;
      const made = await staged(blind.api, 'ndjson', file);
      const [row] = (await blind.api.get<{ items: ImportRow[] }>(`/imports/${made.id}/rows`)).body.items;
      rows.push([row!.verdict, row!.diff, row!.errors]);
    }
    t.match(rows[0], twin === null ? ['unchanged'] : ['invalid', [], [{ reason: READ_ONLY }]], `${twin}`);
    t.strictSame(rows[1], rows[0], `${twin}, by an import`);
  }
  t.match((await admin.api.get(`/relations/${hidden}`)).body, { attributes: { twin: vault }, version: 1 });
  t.strictSame((await admin.api.get(`/relations/${none}`)).body['attributes'], {});
});

t.test('a card is not moved away from a hidden parent', async (t) => {
  const id = await card({ parent_id: vault });
  t.match(await view(blind, id), { path: [null], parent_id: null });
  const answers = [
    await patch(blind, id, { parent_id: desk }),
    await patch(blind, id, { parent_id: NOWHERE }),
    await patch(blind, id, { parent_id: vault }),
  ];
  for (const answer of answers) {
    t.match(answer, { status: 422, body: { errors: [{ reason: /not visible to you/ }] } });
    t.notMatch(JSON.stringify(answer.body), new RegExp(`${MARK}|Vault`));
  }
  const bulk = await blind.api.post<{ results: AnyBody[] }>('/cards/bulk', {
    mode: 'per_row',
    operations: [
      { op: 'update', id, card: { parent_id: null } },
      { op: 'update', id, card: { parent_id: desk } },
    ],
  });
  t.match(bulk.body.results, [{ outcome: 'unchanged' }, { outcome: 'failed' }]);
  const { name } = await view(admin, id);
  const file = `${JSON.stringify({ id, type: 'Desk', name, parent: { id: desk } })}\n`;
  const made = await staged(blind.api, 'ndjson', file);
  t.match((await blind.api.get<{ items: ImportRow[] }>(`/imports/${made.id}/rows`)).body.items, [
    { verdict: 'invalid', errors: [{ field: 'parent', reason: /not visible to you/ }] },
  ]);
  t.equal((await view(admin, id))['parent_id'], vault);
  t.equal((await patch(admin, id, { parent_id: desk })).status, 200);
  t.equal((await patch(blind, id, { parent_id: null })).status, 200, 'a visible parent is removed');
});

t.test(
  'an upsert of a relation is refused in the same way whether or not there is one that the writer does not see',
  async (t) => {
    const ends = [await card(), await card(), await card()] as const;
    const pair: Pair = [ends[1], ends[2]];
    await guard(ends[0], pair[1]);
    const without = async (key: string, permissions: string[]): Promise<Session> =>
      await makeRoleUser(test, admin, key, { like: 'architect', without: permissions });
    const nothing = ['relations.view', 'relations.manage'];
    for (const reader of [unrelated, await without('unrelated_too', nothing)]) {
      const ways: Record<string, (target: string) => Promise<Answer>> = {
        'a bulk of relations': (target_id) =>
          reader.api.post(
            '/relations/bulk',
            { mode: 'per_row', operations: [{ op: 'upsert', type: 'guards', source_id: ends[0], target_id }] },
            { query: { dry_run: true } },
          ),
        'a bulk of cards': (id) =>
          reader.api.post(
            '/cards/bulk',
            {
              mode: 'per_row',
              operations: [{ op: 'update', id: ends[0], card: {}, relations: [{ type: 'guards', target: { id } }] }],
            },
            { query: { dry_run: true } },
          ),
      };
      for (const [way, send] of Object.entries(ways)) {
        const [absent, existing] = [await send(pair[0]), await send(pair[1])];
        if (absent.status !== 403) t.match(absent.body, { results: [{ outcome: 'failed' }] }, way);
        t.equal(comparable(existing, pair), comparable(absent, pair), way);
      }
    }
  },
);

t.test('no GET fails for readers from whom something is hidden', async (t) => {
  const { paths } = (await admin.api.get<Document>('/api/openapi.json')).body;
  const gets = Object.keys(paths).filter((path) => paths[path]!.get && !/[{]|\/stream$/.test(path));
  t.ok(gets.length > 100, `${gets.length} operations`);
  for (const reader of [blind, unrelated, unheld, poor])
    for (const path of gets) {
      const { status } = await reader.api.get(path);
      if (status >= 500) t.fail(`${reader.user.email} ${path}: ${status}`);
    }
});
