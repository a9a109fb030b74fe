import t from 'tap';
import { makeUser, registerAdmin, sql, testApp, type AnyBody } from '../support/app.js';

const { origin, database, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const viewer = await makeUser(admin, 'viewer');
const { api } = admin;

const NOWHERE = '01900000-0000-7000-8000-00000000dead';
let n = 0;
const card = async (type: string, more: object = {}): Promise<AnyBody> =>
  (await api.post('/cards', { type, name: `${type} ${++n}`, ...more })).body;
const relate = (type: string, source: AnyBody, target: AnyBody, more: object = {}, as = api) =>
  as.post('/relations', { type, source_id: source.id, target_id: target.id, ...more });
/** The expected members of an error of PostgreSQL. */
const refusal = (want: object) => want as Error;
const fields = (body: AnyBody) => body.errors.map((e) => e.field).sort();

await t.test('a relation is returned as documented', async (t) => {
  const [app, capability] = [await card('Application'), await card('BusinessCapability')];
  const { status, headers, body } = await relate('applicationToBusinessCapability', app, capability, {
    attributes: { supportType: 'leading' },
    description: 'why',
    valid_from: '2025-01-01',
    valid_to: '2025-12-31',
  });
  t.equal(status, 201, JSON.stringify(body));
  t.equal(headers.get('etag'), '"1"');
  t.match(body, {
    type: 'applicationToBusinessCapability',
    source: { id: app.id, type: 'Application', name: app.name },
    target: { id: capability.id },
    attributes: { supportType: 'leading' },
    valid_from: '2025-01-01',
    valid_to: '2025-12-31',
    version: 1,
  });
  t.strictSame((await api.get(`/relations/${body.id}`)).body, body);
  t.match(await relate('applicationToBusinessCapability', app, capability), {
    status: 409,
    body: { code: 'relation_exists' },
  });
  const changed = await api.patch(
    `/relations/${body.id}`,
    { attributes: { supportType: null }, valid_to: null },
    { headers: { 'if-match': '"1"' } },
  );
  t.match(changed, { status: 200, body: { attributes: {}, valid_to: null, version: 2 } });
  t.match(await api.patch(`/relations/${body.id}`, { description: 'y' }, { headers: { 'if-match': '"1"' } }), {
    status: 412,
    body: { current_version: 2 },
  });
  t.equal((await api.get(`/relations/${body.id}`, { headers: { 'if-none-match': '"2"' } })).status, 304);
  t.equal((await api.del(`/relations/${body.id}`)).status, 204);
  t.equal((await api.del(`/relations/${body.id}`)).status, 404);
  t.strictSame(
    await sql(database, 'select version, changes from relation_versions where id = $1 order by version', [body.id]),
    [
      { version: 1, changes: null },
      {
        version: 2,
        changes: [
          { field: 'valid_to', old: '2025-12-31', new: null },
          { field: 'attributes.supportType', old: 'leading', new: null },
        ],
      },
    ],
  );
  t.match(await sql(database, 'select version, doc from relation_deletions where id = $1', [body.id]), [
    { version: 2, doc: { id: body.id, type: body['type'], valid_from: '2025-01-01', valid_to: null } },
  ]);
});

await t.test('ends, values and dates are checked, and all errors are reported', async (t) => {
  const [app, capability] = [await card('Application'), await card('BusinessCapability')];
  const type = 'applicationToBusinessCapability';
  t.strictSame(fields((await relate(type, capability, app)).body), ['/source_id', '/target_id'], 'the wrong way round');
  t.strictSame(fields((await relate('nope', app, capability)).body), ['/type']);
  t.strictSame(
    fields(
      (
        await api.post('/relations', {
          type,
          source_id: app.id,
          target_id: NOWHERE,
          attributes: { supportType: 'x', nope: 1 },
          valid_from: '2025-02-01',
          valid_to: '2025-01-01',
        })
      ).body,
    ),
    ['/attributes/nope', '/attributes/supportType', '/target_id', '/valid_to'],
  );
  t.strictSame(
    fields(
      (await api.post('/relations', { type, source_id: app.id, target_id: 'abc', bogus: 1, valid_from: '2025-02-30' }))
        .body,
    ),
    ['/bogus', '/target_id', '/valid_from'],
  );
  t.equal((await relate('related', app, app)).status, 422, 'no link to itself');
  await api.post(`/cards/${capability.id}/archive`);
  t.strictSame(fields((await relate(type, app, capability)).body), ['/target_id'], 'an archived end');
});

await t.test('the database itself refuses invalid relations', async (t) => {
  const [app, provider] = [await card('Application'), await card('Provider')];
  const insert = (
    type: string,
    source: AnyBody,
    target: AnyBody,
    rule: [string, string] = [source.type, target.type],
    sourceType = source.type,
  ) =>
    sql(
      database,
      `insert into relations (id, type, source_id, target_id, source_type, target_type, rule_source, rule_target, one_source, one_target, allow_self, created_at, updated_at, version)
    values (gen_random_uuid(), $1, $2, $3, $4, $5, $6, $7, false, false, false, now(), now(), 1)`,
      [type, source.id, target.id, sourceType, target.type, ...rule],
    );
  await insert('providerToApplication', provider, app);
  await t.rejects(
    insert('providerToApplication', app, provider),
    refusal({ constraint: 'relations_rule' }),
    'ends of other types than the rule',
  );
  await t.rejects(
    insert('providerToApplication', app, provider, ['Provider', 'Application']),
    refusal({ constraint: /relations_(source|target)_type/ }),
    'a rule the ends do not keep',
  );
  await t.rejects(
    insert('providerToApplication', app, app, ['Provider', 'Application'], 'Provider'),
    refusal({ code: /23503|23514/ }),
    'a type the card does not have',
  );
  await t.rejects(insert('related', app, app, ['*', '*']), refusal({ constraint: 'relations_self' }));
  await t.rejects(insert('nope', provider, app), refusal({ constraint: 'relations_rule' }));
  await t.rejects(
    sql(database, 'delete from cards where id = $1', [app.id]),
    refusal({ code: '23503' }),
    'an end cannot be deleted before its relations',
  );
});

await t.test('filters, direction, archived ends', async (t) => {
  const [a, b, c] = [await card('Application'), await card('Application'), await card('ITComponent')];
  await relate('applicationSuccessor', a, b);
  await relate('applicationToITComponent', a, c);
  await relate('related', b, a);
  const total = async (query: Record<string, string>) => (await api.get('/relations', { query })).body.total;
  t.strictSame(
    [
      await total({ card_id: a.id }),
      await total({ source_id: a.id }),
      await total({ target_id: a.id }),
      await total({ card_id: a.id, direction: 'outgoing' }),
      await total({ card_id: a.id, direction: 'incoming' }),
      await total({ card_id: a.id, type: 'related,applicationSuccessor' }),
    ],
    [3, 2, 1, 2, 1, 2],
  );
  await api.post(`/cards/${c.id}/archive`);
  t.equal(await total({ card_id: a.id }), 2, 'hidden while an end is archived');
  await api.post(`/cards/${c.id}/restore`);
  t.equal(await total({ card_id: a.id }), 3);
  for (const query of [{ page: 0 }, { page_size: 201 }, { bogus: 1 }, { sort_by: 'nope' }, { source_id: 'abc' }])
    t.equal((await api.get('/relations', { query: query as never })).status, 422, JSON.stringify(query));
});

await t.test('permissions: a stakeholder of an end may relate it, a viewer may not; costs are hidden', async (t) => {
  const [app, component] = [await card('Application'), await card('ITComponent')];
  t.equal((await relate('applicationToITComponent', app, component, {}, viewer.api)).status, 403);
  await api.post(`/cards/${app.id}/stakeholders`, { user_id: viewer.user.id, role: 'technical_owner' });
  const made = await relate('applicationToITComponent', app, component, {}, viewer.api);
  t.equal(made.status, 201, JSON.stringify(made.body));
  t.equal(
    (await relate('related', component, await card('ITComponent'), {}, viewer.api)).status,
    403,
    'neither end is theirs',
  );
  await api.patch(`/relations/${made.body.id}`, { attributes: { costTotalAnnual: 99 } });
  t.strictSame((await viewer.api.get<{ attributes: object }>(`/relations/${made.body.id}`)).body.attributes, {});
  t.strictSame((await api.get<{ attributes: object }>(`/relations/${made.body.id}`)).body.attributes, {
    costTotalAnnual: 99,
  });
});

await t.test('bulk: a second upsert changes nothing; per_row stores the valid rows', async (t) => {
  const [a, b] = [await card('Application', { external_id: 'app' }), await card('Provider', { external_id: 'prov' })];
  const operations = [
    {
      op: 'upsert',
      type: 'providerToApplication',
      source: { type: 'Provider', external_id: 'prov' },
      target: { type: 'Application', external_id: 'app' },
    },
    { op: 'upsert', type: 'related', source_id: a.id, target_id: b.id, attributes: { kind: 'x' } },
  ];
  const summary = async (body: object) => (await api.post<{ summary: object }>('/relations/bulk', body)).body.summary;
  t.strictSame(await summary({ operations }), { created: 2 });
  t.strictSame(await summary({ operations }), { unchanged: 2 });
  const mixed = [
    ...operations,
    { op: 'create', type: 'related', source_id: b.id, target_id: a.id },
    { op: 'create', type: 'related', source_id: a.id, target_id: b.id },
    { op: 'delete', id: NOWHERE },
  ];
  t.equal((await api.post('/relations/bulk', { operations: mixed })).status, 422);
  t.equal((await api.get('/relations', { query: { card_id: a.id } })).body.total, 2, 'nothing stored');
  t.strictSame(await summary({ mode: 'per_row', operations: mixed }), { unchanged: 2, created: 1, failed: 2 });
});

await t.test('deleting a card ends its relations, each with an event', async (t) => {
  const [a, b] = [await card('Application'), await card('Application')];
  const { body } = await relate('related', a, b);
  t.equal((await api.del(`/cards/${a.id}`)).status, 204);
  t.equal((await api.get(`/relations/${body.id}`)).status, 404);
  const events = await sql<{ type: string }>(
    database,
    'select type from (select type, subject_id from events union all select type, subject_id from event_outbox) e where subject_id = any($1) order by type',
    [[a.id, body.id]],
  );
  t.strictSame(
    events.map((e) => e.type),
    ['card.created', 'card.deleted', 'relation.created', 'relation.deleted'],
  );
});

await t.test('attribute filters: as for cards, every operator, faults named', async (t) => {
  const fields = [
    { key: 'strength', label: 'Strength', kind: 'integer' },
    { key: 'note', label: 'Note', kind: 'text' },
    { key: 'since', label: 'Since', kind: 'date' },
  ];
  t.equal(
    (
      await api.post('/metamodel/relation-types', {
        key: 'filtered',
        label: 'f',
        reverse_label: 'f',
        source_type: 'Application',
        target_type: 'BusinessCapability',
        fields,
      })
    ).status,
    201,
  );
  const source = (await api.post('/cards', { type: 'Application', name: 'Filter source' })).body;
  const values = [
    { strength: 2, note: 'Größe eins', since: '2025-01-01' },
    { strength: 9, note: 'zwei' },
    { since: '2026-01-01' },
    {},
  ];
  for (const [i, attributes] of values.entries()) {
    const target = (await api.post('/cards', { type: 'BusinessCapability', name: `Filter target ${i}` })).body;
    t.equal(
      (await api.post('/relations', { type: 'filtered', source_id: source.id, target_id: target.id, attributes }))
        .status,
      201,
    );
  }
  const found = async (query: Record<string, string>) =>
    (await api.get('/relations', { query: { type: 'filtered', ...query } })).body.items.map((r) =>
      Number((r['target'] as AnyBody).name.slice(-1)),
    );
  for (const [query, expected] of [
    [{ 'attributes.strength': '9' }, [1]],
    [{ 'attributes.strength': '2,9' }, [0, 1]],
    [{ 'attributes.strength[ne]': '9' }, [0, 2, 3]],
    [{ 'attributes.strength[gt]': '1', 'attributes.strength[lt]': '9' }, [0]],
    [{ 'attributes.since[lte]': '2025-12-31' }, [0]],
    [{ 'attributes.note[contains]': 'GROSSE E' }, [0]],
    [{ 'attributes.note[empty]': 'true' }, [2, 3]],
    [{ 'attributes.note[empty]': 'false', 'attributes.strength[gte]': '3' }, [1]],
  ] as [Record<string, string>, number[]][]) {
    t.strictSame(await found(query), expected, JSON.stringify(query));
  }
  const { status, body } = await api.get('/relations', {
    query: {
      type: 'filtered',
      'attributes.nope': '1',
      'attributes.strength': 'x',
      'attributes.note[gt]': '1',
      'attributes.since[lt]': '30.1.2025',
    },
  });
  t.strictSame(
    [status, body.errors.map((e) => e.field).sort()],
    [422, ['attributes.nope', 'attributes.note[gt]', 'attributes.since[lt]', 'attributes.strength']],
  );
  t.equal((await api.get('/relations', { query: { bogus: '1' } })).status, 422);
});

await t.test('the entity tag covers the names of the ends', async (t) => {
  const [source, target] = [
    (await api.post('/cards', { type: 'Application', name: 'Tagged source' })).body,
    (await api.post('/cards', { type: 'BusinessCapability', name: 'Tagged target' })).body,
  ];
  const { id } = (
    await api.post('/relations', {
      type: 'applicationToBusinessCapability',
      source_id: source.id,
      target_id: target.id,
    })
  ).body;
  const get = (etag?: string) =>
    api.get(`/relations/${id}`, etag === undefined ? {} : { headers: { 'if-none-match': etag } });
  const fresh = (await get()).headers.get('etag')!;
  t.equal(fresh, '"1"');
  t.equal((await get(fresh)).status, 304);
  await api.patch(`/cards/${target.id}`, { name: 'Tagged anew' });
  const renamed = await get(fresh);
  t.strictSame([renamed.status, (renamed.body['target'] as AnyBody).name], [200, 'Tagged anew']);
  t.equal((await get(renamed.headers.get('etag')!)).status, 304);
  t.equal(
    (
      await api.patch(
        `/relations/${id}`,
        { description: 'd' },
        { headers: { 'if-match': renamed.headers.get('etag')! } },
      )
    ).status,
    200,
    'it is a condition nevertheless',
  );
});

await t.test('ids of users and cards are stored in lower case', async (t) => {
  const fields = [
    { key: 'owner', label: 'Owner', kind: 'user' },
    { key: 'next', label: 'Next', kind: 'card_reference' },
  ];
  t.equal(
    (
      await api.post('/metamodel/types', {
        key: 'Naming',
        label: 'Naming',
        sections: [{ key: 'main', label: 'Main', fields }],
      })
    ).status,
    201,
  );
  const me = (await api.get('/auth/me')).body.id;
  const card = (await api.post('/cards', { type: 'Naming', name: 'N', attributes: { owner: me.toUpperCase() } })).body;
  t.strictSame(card['attributes'], { owner: me });
  t.equal(
    (await api.patch(`/cards/${card.id}`, { attributes: { owner: me.toUpperCase(), next: card.id.toUpperCase() } }))
      .body.version,
    2,
  );
  t.equal(
    (await api.patch(`/cards/${card.id}`, { attributes: { owner: me, next: card.id } })).body.version,
    2,
    'which changes nothing',
  );
  t.equal(
    (await api.patch(`/cards/${card.id}`, { attributes: { next: '01900000-0000-7000-8000-00000000dead' } })).body
      .errors[0]!.field,
    '/attributes/next',
  );
});

await t.test('an attribute that is not an id is an error of its field, in bulk as well', async (t) => {
  const type = {
    key: 'contacted',
    label: 'c',
    reverse_label: 'c',
    source_type: 'Application',
    target_type: 'Application',
    fields: [{ key: 'contact', label: 'Contact', kind: 'user' }],
  };
  t.equal((await api.post('/metamodel/relation-types', type)).status, 201);
  const [from, to, other] = [await card('Application'), await card('Application'), await card('Application')];
  const single = await relate('contacted', from, to, { attributes: { contact: 'x' } });
  t.equal(single.status, 422);
  t.strictSame(fields(single.body), ['/attributes/contact']);
  const { body } = await api.post('/relations/bulk', {
    mode: 'per_row',
    operations: [
      { op: 'create', type: type.key, source_id: from.id, target_id: to.id, attributes: { contact: 'x' } },
      { op: 'create', type: type.key, source_id: from.id, target_id: other.id },
    ],
  });
  t.match(body, {
    results: [{ outcome: 'failed', errors: [{ field: '/operations/0/attributes/contact' }] }, { outcome: 'created' }],
  });
});
