/** Values of relations that rules of modules set (`cardRules`), for every way in which relations are written. */
import t, { type Test } from 'tap';
import { makeUser, registerAdmin, sql, testApp, type AnyBody } from '../support/app.js';
import { applied, lines, rowsOf, staged } from '../support/imports.js';
import { moduleFolder } from '../support/module-folder.js';
import { noRules, rules, writeRuleModule, type RelationsRule } from '../support/rule-modules.js';
import { watchStatements } from '../support/statements.js';
import { runs } from '../support/unit-modules.js';

const folder = await moduleFolder(t);
await writeRuleModule(folder, 'zoning');
await writeRuleModule(folder, 'audit', { more: `requires: ['zoning'],` });
const watch = watchStatements();
t.teardown(() => watch.stop());
const { origin, database, app, close } = await testApp({ config: { pluginsDir: folder, logLevel: 'silent' } });
t.teardown(close);
const admin = await registerAdmin(origin);
const { api } = admin;
let n = 0;
const name = (word: string): string => `${word} ${++n}`;
const card = async (type: string): Promise<string> =>
  (await api.post<AnyBody & { id: string }>('/cards', { type, name: name(type) })).body.id;
const TYPE = 'applicationToITComponent';
await api.post('/metamodel/relation-types', {
  key: 'checked',
  label: 'Checked',
  source_type: '*',
  target_type: '*',
  fields: [
    { key: 'by', kind: 'user' },
    { key: 'after', kind: 'card_reference' },
    { key: 'level', kind: 'single_select', options: [{ key: 'low' }, { key: 'high' }], default: 'low' },
    { key: 'note', kind: 'text' },
  ],
});
const ends = async (type = 'checked') => ({
  type,
  source_id: await card('Application'),
  target_id: await card('ITComponent'),
});
t.beforeEach(noRules);

/** A rule that sets the same values in all relations. */
const sets =
  (set: object): RelationsRule =>
  async (_host, { changes }) =>
    changes.map((change) => ({ change, set }));
const SET = { attributes: { level: 'high', note: 'set' }, description: 'Set by a rule.', valid_to: '2031-12-31' };
const events = async (id: string) => (await api.get('/events', { query: { subject_id: id } })).body.items as AnyBody[];

await t.test('values that the caller did not send are set, and part of the version and of the event', async (t) => {
  const given: unknown[] = [];
  const seen: unknown[] = [];
  rules('zoning', { relations: sets({ ...SET, valid_from: '2030-01-01' }) });
  rules('audit', {
    async relations(_host, { changes }) {
      given.push(...changes.map((change) => change.given));
      seen.push(...changes.map(({ after }) => after?.description));
      return changes.map((change) => ({ change, set: { description: 'Replaced.', attributes: { note: 'replaced' } } }));
    },
  });
  const relation = { ...(await ends()), attributes: { note: 'sent' }, valid_from: null };
  const made = await api.post<AnyBody & { id: string }>('/relations', relation);
  t.match(made, {
    status: 201,
    body: { ...SET, attributes: { level: 'high', note: 'sent' }, valid_from: null, version: 1 },
  });
  t.strictSame(given, [['attributes.note', 'valid_from', 'attributes.level', 'description', 'valid_to']]);
  t.strictSame(seen, ['Set by a rule.'], 'a module sees the values of those that it requires, and cannot replace them');
  const { id } = made.body;
  t.match((await api.get(`/relations/${id}`)).body, { ...made.body });
  t.match(await events(id), [{ type: 'relation.created', data: { valid_to: '2031-12-31' } }]);

  rules('audit', {});
  rules('zoning', { relations: sets({ attributes: { note: 'later', level: null }, valid_to: '2032-01-01' }) });
  const patched = await api.patch(`/relations/${id}`, { valid_to: null });
  t.match(patched, { status: 200, body: { attributes: { note: 'later' }, valid_to: null, version: 2 } });
  t.equal((patched.body['attributes'] as AnyBody)['level'], undefined, 'a rule may also remove a value');
  const changes = [
    { field: 'valid_to', old: '2031-12-31', new: null },
    { field: 'attributes.note', old: 'sent', new: 'later' },
    { field: 'attributes.level', old: 'high', new: null },
  ];
  const byField = (all: { field: string }[]) => [...all].sort((a, b) => a.field.localeCompare(b.field));
  const [event] = (await events(id)).filter(({ type }) => type === 'relation.updated');
  t.strictSame(byField((event!['data'] as { changes: { field: string }[] }).changes), byField(changes));
  const [version] = await sql<{ changes: { field: string }[] }>(
    database,
    'select changes from relation_versions where id = $1 and version = 2',
    [id],
  );
  t.strictSame(byField(version!.changes), byField(changes));

  const called: unknown[] = [];
  rules('zoning', {
    async relations(host, batch) {
      called.push(...batch.changes.map(({ kind }) => kind));
      return await sets({ description: 'Never.' })(host, batch);
    },
  });
  t.match(await api.patch(`/relations/${id}`, { valid_to: null }), { status: 200, body: { version: 2 } });
  t.strictSame(called, [], 'a write that changes nothing is no change');
  t.equal((await api.del(`/relations/${id}`)).status, 204, 'values of a deleted relation are ignored');
  t.strictSame(called, ['delete']);
});

await t.test('bulk requests, relations in operations on cards, and modules', async (t) => {
  rules('zoning', { relations: sets(SET) });
  const [one, two, three] = [await ends(), await ends(), await ends()];
  const of = async ({ source_id }: { source_id: string }) =>
    (await api.get('/relations', { query: { source_id } })).body.items;
  const bulk = await api.post('/relations/bulk', {
    operations: [
      { op: 'create', ...one },
      { op: 'upsert', ...two, attributes: { note: 'first' } },
      // One relation with two operations is one change; both have sent its values.
      { op: 'upsert', ...two, description: 'second' },
    ],
  });
  t.match(bulk, { status: 200, body: { summary: { created: 2, updated: 1 } } });
  t.match(await of(one), [{ ...SET, version: 1 }]);
  t.match(await of(two), [{ ...SET, attributes: { note: 'first' }, description: 'second', version: 1 }]);
  rules('zoning', { relations: sets({ attributes: { note: 'again' } }) });
  await api.post('/relations/bulk', {
    operations: [
      { op: 'upsert', ...one, description: 'sent' },
      { op: 'upsert', ...two, attributes: { note: 'first' } },
    ],
  });
  t.match(await of(one), [{ description: 'sent', attributes: { level: 'high', note: 'again' }, version: 2 }]);
  t.match(await of(two), [{ attributes: { note: 'first' }, version: 1 }], 'an unchanged row remains unchanged');

  rules('zoning', {
    relations: async (_host, { changes }) =>
      changes.map((change) => ({ change, set: { attributes: { after: change.after!.target.id! } } })),
  });
  const inCards = await api.post('/cards/bulk', {
    operations: [
      { op: 'create', ref: 'a', card: { type: 'ITComponent', name: name('A') } },
      {
        op: 'create',
        card: { type: 'Application', name: name('B') },
        relations: [{ type: 'checked', target: { ref: 'a' } }],
      },
    ],
  });
  const [a, b] = inCards.body['results'] as unknown as { id: string }[];
  t.match(await of({ source_id: b!.id }), [{ attributes: { after: a!.id } }], 'a card of the same request');

  rules('zoning', { relations: sets(SET) });
  runs('audit', (ctx, host) =>
    host.transactions.run(ctx, async (uow) => ({
      ...(await host.relations.bulkIn(uow, [{ op: 'create', ...three }])),
    })),
  );
  t.match(await api.post('/audit/run', {}), { status: 200, body: { summary: { created: 1 } } });
  t.match(await of(three), [SET], 'of a module');
});

await t.test('invalid values are errors of the row that name the module', async (t) => {
  const relation = await ends();
  const gone = '0198f3a0-7c1e-7a52-9d3c-5f0f6b3f4e21';
  const wrong = async (t: Test, set: object, fields: string[], more: object = {}): Promise<void> => {
    rules('zoning', { relations: sets(set) });
    const single = await api.post('/relations', { ...relation, ...more });
    const errorsOf = (body: AnyBody) => body.errors as { field: string; reason: string }[];
    t.match(single, { status: 422, body: { code: 'validation_failed' } }, JSON.stringify(set).slice(0, 100));
    t.strictSame(
      errorsOf(single.body)
        .map(({ field }) => field)
        .sort(),
      fields,
    );
    t.ok(errorsOf(single.body).every(({ reason }) => reason.endsWith('(set by the module zoning)')));
    const bulk = await api.post('/relations/bulk', {
      mode: 'per_row',
      operations: [
        { op: 'create', ...relation, ...more },
        { op: 'delete', id: gone },
      ],
    });
    const [row] = bulk.body['results'] as unknown as AnyBody[];
    t.equal(row!['outcome'], 'failed');
    t.strictSame(
      errorsOf(row!)
        .map(({ field }) => field)
        .sort(),
      fields.map((field) => `/operations/0${field}`),
    );
  };
  await wrong(
    t,
    { attributes: { level: 'highest', nothing: 1, note: 5 }, description: 'x'.repeat(10_001), valid_from: 'soon' },
    ['/attributes/level', '/attributes/note', '/attributes/nothing', '/description', '/valid_from'],
  );
  await wrong(t, { valid_to: '2029-12-31' }, ['/valid_to'], { valid_from: '2030-01-01' });
  await wrong(t, { attributes: { by: gone, after: gone } }, ['/attributes/after', '/attributes/by']);

  rules('zoning', { relations: sets({ attributes: { level: 'highest' } }) });
  const inCards = await api.post('/cards/bulk', {
    mode: 'per_row',
    operations: [
      { op: 'update', id: relation.source_id, relations: [{ type: 'checked', target: { id: relation.target_id } }] },
    ],
  });
  t.match(inCards.body['results'], [{ errors: [{ field: '/operations/0/relations/0/attributes/level' }] }]);
  t.equal((await sql(database, `select id from relations where source_id = $1`, [relation.source_id])).length, 0);

  const bad: object[] = [{ name: 'x' }, { valid_to: 5 }, { attributes: [] }];
  for (const set of bad) {
    rules('zoning', { relations: sets(set) });
    const broken = await api.post('/relations', relation);
    t.match(broken, { status: 503, body: { code: 'unavailable', detail: /rule own of the module zoning/ } });
    Object.assign(app.services.modules.get('zoning')!.faults, { times: [] });
  }
});

await t.test('an import shows the values of rules, which set them again when it is applied', async (t) => {
  const [changed, made] = [await ends(), await ends()];
  const { id } = (await api.post('/relations', { ...changed, attributes: { note: 'old' } })).body;
  rules('zoning', {
    relations: async (_host, { changes, isPreview }) =>
      changes.map((change) => ({
        change,
        set: {
          attributes: { level: 'high', note: 'set' },
          valid_from: '2030-01-01',
          description: isPreview ? 'Previewed.' : 'Applied.',
        },
      })),
  });
  const file = lines([
    {
      relation: {
        type: 'checked',
        source: { id: made.source_id },
        target: { id: made.target_id },
        valid_to: '2031-12-31',
      },
    },
    { relation: { id, type: 'checked', attributes: { note: 'sent' } } },
  ]);
  const preview = await staged(api, 'ndjson', file);
  const rows = await rowsOf(api, preview.id);
  const byField = (row: number) => [...rows[row]!.diff].sort((a, b) => a.field.localeCompare(b.field));
  const set_by = 'zoning';
  t.strictSame(byField(0), [
    { field: 'attributes.level', old: null, new: 'high', set_by },
    { field: 'attributes.note', old: null, new: 'set', set_by },
    { field: 'description', old: null, new: 'Previewed.', set_by },
    { field: 'valid_from', old: null, new: '2030-01-01', set_by },
    { field: 'valid_to', old: null, new: '2031-12-31' },
  ]);
  t.strictSame(byField(1), [
    { field: 'attributes.level', old: 'low', new: 'high', set_by },
    { field: 'attributes.note', old: 'old', new: 'sent' },
    { field: 'description', old: null, new: 'Previewed.', set_by },
    { field: 'valid_from', old: null, new: '2030-01-01', set_by },
  ]);

  const byHand = { description: 'By hand.', attributes: { note: 'old' } };
  t.equal((await api.patch(`/relations/${id}`, byHand)).status, 200);
  t.match((await applied(api, preview.id)).counts.relation, { create: 1, update: 1 });
  t.match(
    (await api.get(`/relations/${id}`)).body,
    { description: 'Applied.', attributes: { level: 'high', note: 'sent' }, valid_from: '2030-01-01' },
    'a change by others to what a rule sets is no conflict',
  );
  t.match((await api.get('/relations', { query: { source_id: made.source_id } })).body.items, [
    {
      description: 'Applied.',
      attributes: { level: 'high', note: 'set' },
      valid_from: '2030-01-01',
      valid_to: '2031-12-31',
    },
  ]);

  rules('zoning', { relations: sets({ attributes: { level: 'highest' } }) });
  const other = await ends();
  const refused = await staged(
    api,
    'ndjson',
    lines([{ relation: { type: 'checked', source: { id: other.source_id }, target: { id: other.target_id } } }]),
  );
  t.match(await rowsOf(api, refused.id), [
    { verdict: 'invalid', errors: [{ field: 'attributes.level', reason: /\(set by the module zoning\)$/ }] },
  ]);
});

await t.test('costs that a rule sets are shown to who may see them only', async (t) => {
  rules('zoning', { relations: sets({ attributes: { costTotalAnnual: 4711 } }) });
  await api.post('/roles', {
    key: 'importer',
    label: 'Importer',
    permissions: ['cards.view', 'relations.view', 'relations.manage', 'cards.import'],
  });
  const importer = await makeUser(admin, 'importer');
  const single = await importer.api.post<AnyBody & { id: string }>('/relations', await ends(TYPE));
  t.match(single, { status: 201, body: { attributes: {} } });
  t.notMatch(JSON.stringify(single.body), /(?<![\w-])4711(?![\w-])/);
  t.match((await api.get(`/relations/${single.body.id}`)).body, { attributes: { costTotalAnnual: 4711 } });
  const { source_id, target_id } = await ends(TYPE);
  const preview = await staged(
    api,
    'ndjson',
    lines([{ relation: { type: TYPE, source: { id: source_id }, target: { id: target_id } } }]),
  );
  const cost = { field: 'attributes.costTotalAnnual', old: null, new: 4711, set_by: 'zoning' };
  t.strictSame((await rowsOf(api, preview.id))[0]!.diff, [cost]);
  t.strictSame((await rowsOf(importer.api, preview.id))[0]!.diff, []);
  t.match(
    (await applied(importer.api, preview.id)).counts.relation,
    { create: 1 },
    'no permission for costs is needed',
  );
});

await t.test('the number of statements does not depend on that of the relations', async (t) => {
  const user = admin.user.id;
  rules('zoning', { relations: sets({ attributes: { by: user, note: 'set' } }) });
  const statements = async (size: number): Promise<number> => {
    const targets = await Promise.all(Array.from({ length: size }, () => card('ITComponent')));
    const source_id = await card('Application');
    const operations = targets.map((target_id) => ({ op: 'create', type: 'checked', source_id, target_id }));
    const done = await watch.during(() => api.post('/relations/bulk', { operations }));
    t.equal(done.answer.status, 200);
    return done.statements.length;
  };
  await statements(2);
  t.equal(await statements(40), await statements(2));
});
