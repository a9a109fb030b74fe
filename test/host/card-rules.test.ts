/** Rules of modules for cards and relations (`cardRules`), for every way in which these are written. */
import t, { type Test } from 'tap';
import { client, makeUser, registerAdmin, sql, testApp, until, type AnyBody } from '../support/app.js';
import { applied, lines, rowsOf, staged } from '../support/imports.js';
import { moduleFolder } from '../support/module-folder.js';
import {
  noRules as none,
  rules,
  writeRuleModule,
  type CardsRule,
  type RelationsRule,
} from '../support/rule-modules.js';
import { watchStatements } from '../support/statements.js';
import { runs } from '../support/unit-modules.js';

const folder = await moduleFolder(t);
// Named so that the order of requirements differs from that of the names.
await writeRuleModule(folder, 'zoning');
await writeRuleModule(folder, 'audit', {
  types: `['Application']`,
  more: `requires: ['zoning'], errors: { audit_forbidden: [409, 'Forbidden by audit', 'For tests.'] },`,
});
const watch = watchStatements();
t.teardown(() => watch.stop());
const { origin, database, app, close } = await testApp({ config: { pluginsDir: folder, logLevel: 'silent' } });
t.teardown(close);
const admin = await registerAdmin(origin);
const { api } = admin;
let n = 0;
const name = (word: string): string => `${word} ${++n}`;
const card = async (word: string, more: object = {}) =>
  (await api.post('/cards', { type: 'Application', name: name(word), ...more })).body as AnyBody & { id: string };
const count = async (text: string) =>
  (await sql<{ n: number }>(database, `select count(*)::int as n from ${text}`))[0]!.n;
t.beforeEach(none);

/** Refuses cards whose product name begins with `bad`. */
const noBad: CardsRule = async (_host, { changes }) =>
  changes
    .filter(({ after }) => String(after?.attributes['productName'] ?? '').startsWith('bad'))
    .map((change) => ({ change, errors: [{ field: '/attributes/productName', reason: 'must not be bad' }] }));
const bad = { attributes: { productName: 'bad' } };
const FAULT = { field: '/attributes/productName', reason: 'must not be bad', in: 'body' };

await t.test('a single write is refused like one with an invalid field', async (t) => {
  rules('audit', { cards: noBad });
  const refused = await api.post('/cards', { type: 'Application', name: name('Single'), ...bad });
  t.match(refused, { status: 422, body: { code: 'validation_failed', errors: [FAULT] } });
  const { id } = await card('Single');
  t.match(await api.patch(`/cards/${id}`, bad), { status: 422, body: { errors: [FAULT] } });
  const patch = [{ op: 'add', path: '/attributes/productName', value: 'bad' }];
  const jsonPatch = { headers: { 'content-type': 'application/json-patch+json' } };
  t.match(await api.patch(`/cards/${id}`, patch, jsonPatch), { status: 422, body: { errors: [FAULT] } });
  t.equal((await api.patch(`/cards/${id}`, { attributes: { productName: 'good' } })).status, 200);
  t.equal((await api.post('/cards', { type: 'Provider', name: name('Other type') })).status, 201);
});

await t.test('a bulk request: all_or_nothing stores nothing, per_row fails only that row', async (t) => {
  rules('audit', { cards: noBad });
  const operations = [
    { op: 'create', card: { type: 'Application', name: name('Bulk') } },
    { op: 'create', card: { type: 'Application', name: name('Bulk'), ...bad } },
  ];
  const before = await count('cards');
  const all = await api.post('/cards/bulk', { operations });
  const errors = [{ ...FAULT, field: '/operations/1/card/attributes/productName' }];
  t.match(all, { status: 422, body: { errors, results: [{ index: 1, outcome: 'failed' }] } });
  t.equal(await count('cards'), before);
  const each = await api.post('/cards/bulk', { mode: 'per_row', operations });
  t.match(each, { status: 200, body: { results: [{ outcome: 'created' }, { outcome: 'failed', errors }] } });
  t.equal(await count('cards'), before + 1);
  runs('audit', (ctx, host) =>
    host.transactions.run(ctx, async (uow) => ({
      ...(await host.cards.bulkIn(uow, operations.slice(1) as never, { mode: 'per_row' })),
    })),
  );
  t.match(await api.post('/audit/run', {}), { status: 200, body: { summary: { failed: 1 } } }, 'of a module');
});

await t.test('several operations on one card are one change, and fail together', async (t) => {
  const seen: (readonly string[])[] = [];
  rules('audit', {
    async cards(host, batch) {
      seen.push(...batch.changes.map(({ kinds }) => kinds));
      return await noBad(host, batch);
    },
  });
  const { id } = await card('Twice');
  seen.length = 0;
  const answer = await api.post('/cards/bulk', {
    mode: 'per_row',
    operations: [
      { op: 'update', id, card: bad },
      { op: 'archive', id },
    ],
  });
  t.strictSame(seen, [['update', 'archive']]);
  t.match(answer.body, { summary: { failed: 2 } });
});

await t.test('a problem with a code of the module, also for archiving and deleting, and for cards below', async (t) => {
  const parent = await card('Kept parent');
  const child = await card('Kept', { parent_id: parent.id });
  rules('audit', {
    cards: async (host, { changes }) =>
      changes
        .filter(({ before, kinds }) => before?.id === child.id && kinds.some((k) => ['archive', 'delete'].includes(k)))
        .map((change) => ({
          change,
          problem: Object.assign(host.problem('conflict', { detail: 'It is kept.' }), { code: 'audit_forbidden' }),
        })),
  });
  for (const [path, body] of [
    [`/cards/${child.id}/archive`, {}],
    [`/cards/${parent.id}/archive`, { child_strategy: 'cascade' }],
  ] as const)
    t.match(await api.post(path, body), { status: 409, body: { code: 'audit_forbidden', detail: 'It is kept.' } });
  t.match(await api.del(`/cards/${child.id}`), { status: 409, body: { code: 'audit_forbidden' } });
  const bulk = await api.post('/cards/bulk', { mode: 'per_row', operations: [{ op: 'delete', id: child.id }] });
  t.match(bulk.body, {
    results: [{ outcome: 'failed', errors: [{ code: 'audit_forbidden', reason: 'It is kept.' }] }],
  });
});

await t.test('values that the caller did not send are set, checked, and part of the history', async (t) => {
  const given: unknown[] = [];
  rules('zoning', {
    cards: async (_host, { changes }) =>
      changes.map((change) => ({
        change,
        set: { attributes: { productName: 'set', numberOfUsers: 7 }, description: 'Set by a rule.' },
      })),
  });
  rules('audit', {
    async cards(_host, { changes }) {
      given.push(...changes.map(({ after }) => after?.attributes['numberOfUsers']));
      return changes.map((change) => ({ change, set: { attributes: { numberOfUsers: 8 } } }));
    },
  });
  const made = await card('Set', { attributes: { productName: 'sent' } });
  t.match(made, { attributes: { productName: 'sent', numberOfUsers: 7 }, description: 'Set by a rule.', version: 1 });
  t.strictSame(given, [7], 'a module sees the values of those that it requires, and cannot replace them');
  await api.patch(`/cards/${made.id}`, { description: 'Sent.', attributes: { numberOfUsers: null } });
  const now = (await api.get(`/cards/${made.id}`)).body;
  t.match(now, { attributes: { productName: 'set' }, description: 'Sent.', version: 2 });
  t.equal((now['attributes'] as AnyBody)['numberOfUsers'], undefined, 'a removed value is sent, too');
  const history = (await api.get(`/cards/${made.id}/history`)).body['items'] as unknown as {
    changes: { field: string }[];
  }[];
  t.ok(history[0]!.changes.some(({ field }) => field === 'attributes.productName'));
  const [created] = await sql<{ n: number }>(
    database,
    `select count(*)::int as n from cards join card_contents using (id) where id = $1 and attributes ->> 'productName' = 'set'`,
    [made.id],
  );
  t.equal(created!.n, 1);
  rules('zoning', {
    cards: async (_h, { changes }) =>
      changes.map((change) => ({ change, set: { attributes: { numberOfUsers: 'many', nothing: 1 } } })),
  });
  const invalid = await api.post('/cards', { type: 'Application', name: name('Invalid') });
  t.match(invalid, { status: 422 });
  t.ok((invalid.body.errors as { reason: string }[]).every(({ reason }) => /set by the module zoning/.test(reason)));
  none();
});

/** Refuses relations with a card of a description that contains `no relations`. */
const noRelations: RelationsRule = async (_host, { changes, cards }) => {
  const ids = changes.flatMap(({ after }) =>
    [after?.source.id, after?.target.id].filter((id) => typeof id === 'string'),
  );
  const ends = await cards(ids);
  const closed = (id: string | null | undefined) => id != null && ends.get(id)?.description === 'no relations';
  return changes
    .filter(({ after }) => closed(after?.source.id) || closed(after?.target.id))
    .map((change) => ({ change, errors: [{ field: '/target_id', reason: 'takes no relations' }] }));
};

await t.test('relations: single, bulk, and in operations on cards', async (t) => {
  const [from, to] = [await card('From'), await card('To', { description: 'no relations' })];
  rules('audit', { relations: noRelations });
  const relation = { type: 'related', source_id: from.id, target_id: to.id };
  const errors = [{ field: '/target_id', reason: 'takes no relations' }];
  t.match(await api.post('/relations', relation), { status: 422, body: { errors } });
  const bulk = await api.post('/relations/bulk', {
    mode: 'per_row',
    operations: [
      { op: 'create', ...relation },
      { op: 'create', type: 'related', source_id: to.id, target_id: from.id },
      { op: 'create', type: 'applicationSuccessor', source_id: from.id, target_id: (await card('Open')).id },
    ],
  });
  t.match(bulk.body, {
    results: [
      { outcome: 'failed', errors: [{ field: '/operations/0/target_id' }] },
      { outcome: 'failed' },
      { outcome: 'created' },
    ],
  });
  const inCard = await api.post('/cards/bulk', {
    mode: 'per_row',
    operations: [
      { op: 'create', ref: 'a', card: { type: 'Application', name: name('A'), description: 'no relations' } },
      {
        op: 'create',
        card: { type: 'Application', name: name('B') },
        relations: [{ type: 'related', target: { ref: 'a' } }],
      },
    ],
  });
  t.match(inCard.body, {
    results: [
      { outcome: 'created' },
      { outcome: 'failed', errors: [{ field: '/operations/1/relations/0/target_id' }] },
    ],
  });
  t.equal(await count(`relations where type = 'related'`), 0);
});

await t.test('an import shows the refusal at the row, and its rows are refused when they are applied', async (t) => {
  const stored = await card('To', { description: 'no relations' });
  rules('audit', { cards: noBad, relations: noRelations });
  const [good, wrong, ends] = [name('Import'), name('Import'), name('Import')];
  const file = lines([
    { type: 'Application', name: good },
    { type: 'Application', name: wrong, ...bad },
    { relation: { type: 'related', source: { type: 'Application', name: good }, target: { id: stored.id } } },
  ]);
  const preview = await staged(api, 'ndjson', file);
  const rows = await rowsOf(api, preview.id);
  t.match(
    rows.map(({ verdict, errors }) => [verdict, errors]),
    [
      ['create', []],
      ['invalid', [{ field: 'attributes.productName', reason: 'must not be bad' }]],
      ['invalid', [{ field: 'target_id', reason: 'takes no relations' }]],
    ],
  );
  const late = await staged(
    api,
    'ndjson',
    lines([{ type: 'Application', name: ends, attributes: { productName: 'late' } }]),
  );
  rules('audit', {
    cards: async (_host, { changes, isPreview }) =>
      isPreview ? [] : changes.map((change) => ({ change, errors: [{ field: '/name', reason: 'is refused now' }] })),
  });
  await applied(api, late.id);
  t.match(await rowsOf(api, late.id), [{ verdict: 'failed', errors: [{ field: 'name', reason: 'is refused now' }] }]);
  t.equal(await count(`cards where name = '${ends}'`), 0);
});

await t.test('an import shows what rules set, which is written by the rules when it is applied', async (t) => {
  const updated = await card('Updated', { attributes: { numberOfUsers: 1 } });
  const renamed = await card('Renamed', { external_id: name('key') });
  const [made, once] = [name('Import'), name('Import')];
  let timesOnce = 0;
  rules('zoning', {
    cards: async (_host, { changes }) =>
      changes.map((change) =>
        change.after?.name === once && timesOnce++ > 1
          ? { change }
          : { change, set: { attributes: { productName: 'set', numberOfUsers: 7 } } },
      ),
  });
  rules('audit', {
    cards: async (_host, { changes, isPreview }) =>
      changes.map((change) =>
        change.after?.name === once
          ? { change }
          : change.after?.attributes['productName'] === 'bad'
            ? { change, errors: [{ field: '/attributes/productName', reason: 'must not be bad' }] }
            : { change, set: { description: isPreview ? 'Previewed.' : 'Applied.' } },
      ),
  });
  const preview = await staged(
    api,
    'ndjson',
    lines([
      { type: 'Application', name: made, lifecycle: { active: '2030-01-01' }, attributes: { numberOfUsers: 3 } },
      { id: updated.id, type: 'Application', name: updated['name'], attributes: { productName: 'sent' } },
      // The name of the last row is not released, because the row before it is refused: all rows are checked again.
      { id: renamed.id, type: 'Application', name: name('Renamed'), ...bad },
      { type: 'Application', name: renamed['name'], external_id: name('key') },
      { type: 'Application', name: once },
    ]),
  );
  const rows = await rowsOf(api, preview.id);
  t.strictSame(rows[0]!.diff, [
    { field: 'name', old: null, new: made },
    { field: 'lifecycle.active', old: null, new: '2030-01-01' },
    { field: 'attributes.numberOfUsers', old: null, new: 3 },
    { field: 'attributes.productName', old: null, new: 'set', set_by: 'zoning' },
    { field: 'description', old: null, new: 'Previewed.', set_by: 'audit' },
  ]);
  t.strictSame(rows[1]!.diff, [
    { field: 'attributes.productName', old: null, new: 'sent' },
    { field: 'attributes.numberOfUsers', old: 1, new: 7, set_by: 'zoning' },
    { field: 'description', old: null, new: 'Previewed.', set_by: 'audit' },
  ]);
  t.match(rows.slice(2, 4), [
    { verdict: 'invalid', diff: [], errors: [{ field: 'attributes.productName' }] },
    { verdict: 'invalid', diff: [], errors: [{ field: 'name', reason: 'is taken by an active sibling' }] },
  ]);
  t.equal(timesOnce, 3, 'twice in the first check, because a row is refused, and once in the second');
  t.strictSame(rows[4]!.diff, [{ field: 'name', old: null, new: once }], 'what a rule sets no more is not shown');

  const byHand = { description: 'By hand.', attributes: { numberOfUsers: 9, productName: null } };
  t.equal((await api.patch(`/cards/${updated.id}`, byHand)).status, 200);
  const done = await applied(api, preview.id);
  t.match(done.counts.card, { create: 2, update: 1 });
  t.match(
    (await api.get(`/cards/${updated.id}`)).body,
    { description: 'Applied.', attributes: { productName: 'sent', numberOfUsers: 7 }, version: 3 },
    'a change by others to what a rule sets is no conflict',
  );
  t.match((await api.get(`/cards/${(await rowsOf(api, preview.id))[0]!.id}`)).body, {
    name: made,
    description: 'Applied.',
    attributes: { productName: 'set', numberOfUsers: 3 },
  });
});

await t.test(
  'costs that a rule sets are shown in the preview to who may see them, and need no permission',
  async (t) => {
    rules('zoning', {
      cards: async (_host, { changes }) =>
        changes.map((change) => ({ change, set: { attributes: { costTotalAnnual: 4711 } } })),
    });
    await api.post('/roles', {
      key: 'importer',
      label: 'Importer',
      permissions: ['cards.view', 'cards.create', 'cards.edit', 'cards.import'],
    });
    const importer = await makeUser(admin, 'importer');
    const preview = await staged(api, 'ndjson', lines([{ type: 'Application', name: name('Costly') }]));
    const cost = { field: 'attributes.costTotalAnnual', old: null, new: 4711, set_by: 'zoning' };
    t.strictSame((await rowsOf(api, preview.id))[0]!.diff.slice(1), [cost]);
    t.strictSame((await rowsOf(importer.api, preview.id))[0]!.diff.slice(1), []);
    t.match((await applied(importer.api, preview.id)).counts.card, { create: 1 });
    const { id } = (await rowsOf(api, preview.id))[0]!;
    t.match((await api.get(`/cards/${id}`)).body, { attributes: { costTotalAnnual: 4711 } });
  },
);

await t.test('rules see complete cards, and callers learn nothing of hidden ones', async (t) => {
  await api.post('/roles', {
    key: 'narrow',
    label: 'Narrow',
    permissions: ['cards.view', 'cards.edit', 'cards.create', 'cards.bulk', 'audit.use'],
    types: { Provider: { 'cards.view': false } },
  });
  const narrow = await makeUser(admin, 'narrow');
  const hidden = (await api.post('/cards', { type: 'Provider', name: name('Hidden') })).body['id'] as string;
  const own = await card('Own');
  const seen: string[] = [];
  const called: string[] = [];
  rules('zoning', {
    async cards(_host, { changes, cards, query }) {
      called.push(...changes.map(({ after }) => after!.id));
      seen.push(...(await cards([hidden])).keys());
      await query({ name: 'zoning-read', text: 'select count(*) from cards where id = $1' }, [hidden]);
      return [];
    },
  });
  t.equal((await narrow.api.patch(`/cards/${own.id}`, { description: 'Edited.' })).status, 200);
  t.strictSame(seen, [hidden]);
  t.equal((await narrow.api.patch(`/cards/${hidden}`, { description: 'Edited.' })).status, 404);
  t.strictSame(called, [own.id], 'a rule is not called for what the caller may not do');
});

/** Calls that must be refused with 503, without a trace of the card. */
const fails = async (t: Test, what: string, cards: CardsRule): Promise<void> => {
  rules('audit', { cards });
  const refused = name('Refused');
  const answer = await api.post('/cards', { type: 'Application', name: refused });
  t.match(answer, { status: 503, body: { code: 'unavailable', detail: /rule own of the module audit/ } }, what);
  const bulk = await api.post('/cards/bulk', {
    mode: 'per_row',
    operations: [{ op: 'create', card: { type: 'Application', name: refused } }],
  });
  t.equal(bulk.status, 503, `${what}, in a bulk request`);
  t.equal(await count(`cards where name = '${refused}'`), 0);
  // Its faults would switch it off in the middle of the tests.
  const module = app.services.modules.get('audit')!;
  Object.assign(module.faults, { times: [] });
};

await t.test('an error, an invalid result, a write, or an overrun refuses the write', async (t) => {
  await fails(t, 'an error', async () => {
    throw new Error('broken');
  });
  await fails(t, 'no list', async () => undefined as never);
  await fails(t, 'another change', async (_h, { changes }) => [{ change: { ...changes[0]! }, errors: [] }]);
  await fails(t, 'an unknown member', async (_h, { changes }) => [{ change: changes[0]!, error: 'x' } as never]);
  await fails(t, 'a server error', async (host, { changes }) => [
    { change: changes[0]!, problem: host.problem('unavailable') },
  ]);
  await fails(t, 'a statement that writes', async (_h, { query }) => {
    await query({ name: 'audit-write', text: `insert into audit_rows (name) values ('of a rule')` });
    return [];
  });
  t.equal(await count(`audit_rows where name = 'of a rule'`), 0);
  await fails(t, 'a write of cards', async (host, { ctx }) => {
    await host.cards.bulk(ctx, [{ op: 'create', card: { type: 'Application', name: 'Recursive' } }]);
    return [];
  });
  await fails(t, 'a transaction', async (host, { ctx }) => {
    await host.transactions.run(ctx, async () => undefined);
    return [];
  });
  t.equal(await count(`cards where name = 'Recursive'`), 0);
  await fails(t, 'an overrun', async (_h, { query }) => {
    await query({ name: 'audit-sleep', text: 'select pg_sleep(20)' });
    return [];
  });
  none();
  t.equal((await api.post('/cards', { type: 'Application', name: name('After') })).status, 201);
});

await t.test('two clients at once: the rule decides on what is stored', async (t) => {
  // At most one card of each product.
  rules('audit', {
    async cards(_host, { changes, query, lock }) {
      const wanted = changes.filter(({ after }) => after?.external_id?.startsWith('only-one-'));
      if (wanted.length === 0) return [];
      await lock('products');
      const [{ n }] = (await query({
        name: 'audit-count',
        text: `select count(*)::int as n from cards where external_id like 'only-one-%'`,
      })) as [{ n: number }];
      return n === 0 ? [] : wanted.map((change) => ({ change, errors: [{ field: '', reason: 'there is one' }] }));
    },
  });
  const made = await Promise.all(
    Array.from({ length: 8 }, () =>
      api.post('/cards', { type: 'Application', name: name('One'), external_id: name('only-one-') }),
    ),
  );
  t.strictSame(made.map(({ status }) => status).sort(), [201, ...Array.from({ length: 7 }, () => 422)]);
  const { id } = await card('Both');
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, i) => api.patch(`/cards/${id}`, { attributes: { numberOfUsers: i + 1 } })),
  );
  t.ok(answers.every(({ status }) => status === 200));
  t.equal(((await api.get(`/cards/${id}`)).body as AnyBody)['version'], 7, 'every attempt was checked and stored');
});

await t.test('a rule that has locked reads a parent as it is stored', async (t) => {
  const parent = await card('Parent');
  let users = 0;
  const seen: unknown[] = [];
  rules('audit', {
    async cards(_host, { changes, cards, lock }) {
      if (!changes.some(({ after }) => after?.parent_id === parent.id)) return [];
      // Another request changes the parent after this write has read it.
      await api.patch(`/cards/${parent.id}`, { attributes: { numberOfUsers: ++users } });
      await lock('parents');
      seen.push((await cards([parent.id])).get(parent.id)?.attributes['numberOfUsers']);
      return [];
    },
  });
  const below = () => ({ type: 'Application', name: name('Below'), parent_id: parent.id });
  t.equal((await api.post('/cards', below())).status, 201);
  t.strictSame(seen.splice(0), [1], 'in a single write');
  t.equal((await api.post('/cards/bulk', { operations: [{ op: 'create', card: below() }] })).status, 200);
  t.strictSame(seen, [2], 'in a bulk request');
});

await t.test(
  'the number of statements does not depend on that of the cards; without rules there are no more',
  async (t) => {
    const statements = async (size: number) => {
      const operations = Array.from({ length: size }, () => ({
        op: 'create',
        card: { type: 'Application', name: name('Many') },
      }));
      const done = await watch.during(() => api.post('/cards/bulk', { operations }));
      t.equal(done.answer.status, 200);
      return done.statements.filter(({ name: of }) => of !== 'cards-page').length;
    };
    await statements(2);
    const without = await statements(2);
    rules('audit', {
      async cards(_host, { changes, query, cards }) {
        await query({ name: 'audit-one', text: 'select 1' });
        await cards(changes.map(({ after }) => after!.id));
        return changes.map((change) => ({ change, set: { attributes: { numberOfUsers: 1 } } }));
      },
    });
    await statements(2);
    const few = await statements(2);
    t.equal(await statements(300), few);
    t.ok(few > without);
  },
);

await t.test('rules of a disabled module do not apply, and a fifth fault switches a module off', async (t) => {
  const wrong = { type: 'Application', ...bad };
  let inside!: () => void;
  const running = new Promise<void>((resolve) => (inside = resolve));
  let release!: () => void;
  const released = new Promise<void>((resolve) => (release = resolve));
  rules('audit', {
    async cards(host, batch) {
      inside();
      await released;
      return await noBad(host, batch);
    },
  });
  const during = api.post('/cards', { ...wrong, name: name('During') });
  await running;
  t.equal((await api.patch('/settings/modules/audit', { enabled: false })).status, 200);
  release();
  t.equal((await during).status, 422, 'what it has begun to check');
  t.equal((await api.post('/cards', { ...wrong, name: name('Disabled') })).status, 201);
  t.equal((await api.patch('/settings/modules/audit', { enabled: true })).status, 200);
  t.equal((await api.post('/cards', { ...wrong, name: name('Enabled') })).status, 422);
  rules('audit', {
    cards: async () => {
      throw new Error('always');
    },
  });
  const statuses: number[] = [];
  for (let i = 0; i < 5; i++)
    statuses.push(
      (await client(origin, admin.token).post('/cards', { type: 'Application', name: name('Fault') })).status,
    );
  t.strictSame(statuses, [503, 503, 503, 503, 503]);
  await until(async () => (await api.post('/cards', { type: 'Application', name: name('Off') })).status === 201);
  t.match((await api.get('/settings/modules/audit')).body, { state: 'failed' });
});
