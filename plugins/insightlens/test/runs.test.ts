/** Runs of an analysis and their findings: one at a time, cancelled, interrupted, disabled; and what each reader sees. */
import t from 'tap';
import { migrationContract, testApp, until, type AnyBody } from '@lintel/sdk/testing';
import { KINDS } from '../analyses/index.js';
import type { Host } from '../basics.js';
import module from '../index.js';
import { RunEngine } from '../runs/engine.js';
import { RULE_IDS } from '../security/rules.js';

const others = RULE_IDS.filter((id) => id !== 'owner-missing').map((id) => ({ id, is_enabled: false }));
const app = await testApp({ module, settings: { rules: others } });
t.teardown(app.close);
const { admin } = app;
const PATH = app.prefix;
const [architect, viewer] = await Promise.all([app.asUser('architect'), app.asUser('viewer')]);

const make = async (type: string, name: string, more = {}): Promise<string> =>
  String((await architect.post('/cards', { type, name, ...more })).body.id);
const ended = async (id: string): Promise<AnyBody> =>
  await until(async () => {
    const { body } = await viewer.get(`${PATH}/runs/${id}`);
    return ['done', 'failed', 'cancelled'].includes(String(body['state'])) && body;
  }, 20_000);
const run = async (): Promise<AnyBody> => await ended((await architect.post(`${PATH}/security/analyse`)).body.id);
const list = async (who = viewer, query = {}): Promise<AnyBody> =>
  (await who.get(`${PATH}/findings`, { query: { page_size: 200, ...query } })).body;
const subjects = async (who = viewer, query = {}): Promise<string[]> => {
  const { items, total } = await list(who, query);
  t.equal(total, items.length, 'the total is that of the caller');
  return items.map(({ cards }) => (cards as { name: string }[])[0]!.name).sort();
};
const ofCard = async (card: string): Promise<AnyBody> => (await list(viewer, { card_id: card })).items[0]!;

const [shop, kiosk, owned, planned, server] = await Promise.all([
  make('Application', 'Shop'),
  make('Application', 'Kiosk'),
  make('Application', 'Owned'),
  make('Application', 'Planned', { lifecycle: { plan: '2020-01-01' } }),
  make('ITComponent', 'Server'),
]);
await architect.post(`/cards/${owned}/stakeholders`, { user_id: viewer.user.id, role: 'responsible' });
await architect.post(`/cards/${shop}/stakeholders`, { user_id: viewer.user.id, role: 'observer' });

t.test('an analysis finds the applications in use without an owner, and announces each once', async (t) => {
  const { status, body, headers } = await architect.post(`${PATH}/security/analyse`);
  t.equal(status, 201);
  t.equal(headers.get('location'), `/api/v1${PATH}/runs/${body.id}`);
  t.match(await ended(body.id), { state: 'done', is_current: true, percent: 100, started_by: architect.user.id });
  t.strictSame(await subjects(), ['Kiosk', 'Shop']);
  t.match(await ofCard(shop), { rule: 'owner-missing', state: 'new', severity: 'medium', run_id: body.id });
  const types = await app.query('select types from insightlens_results');
  t.strictSame(types, [{ types: ['Application'] }, { types: ['Application'] }], 'stored with the types of its cards');
  await run();
  const found = await until(async () => {
    const events = await app.query("select subject_id from events where type = 'insightlens_finding.found'");
    return events.length >= 2 && events;
  });
  t.equal(found.length, 2, 'an event for each finding, by the first run only');
  t.strictSame(
    await subjects(viewer, { run_id: body.id }),
    ['Kiosk', 'Shop'],
    'the results of the run before are kept',
  );
  t.equal((await architect.post(`${PATH}/none/analyse`)).status, 404);
});

t.test('a decision is kept when the card is renamed and the analysis runs again', async (t) => {
  const { id, version } = await ofCard(kiosk);
  const path = `${PATH}/findings/${id}/transition`;
  t.match((await architect.post(path, { to: 'verified' })).body, { code: 'invalid_state' });
  t.match((await architect.post(path, { to: 'accepted' })).body.errors, [{ field: '/note' }]);
  t.equal((await viewer.post(path, { to: 'in_review' })).status, 403);
  const moved = await architect.post(path, { to: 'accepted', note: 'Retired soon.' });
  t.match(moved.body, { state: 'accepted', note: 'Retired soon.', state_by: architect.user.id, version: version + 1 });
  const again = { headers: { 'idempotency-key': 'decided' } };
  const back = [
    await architect.post(path, { to: 'in_review' }, again),
    await architect.post(path, { to: 'in_review' }, again),
  ];
  t.match(
    back,
    [
      { status: 200, body: { state: 'in_review' } },
      { status: 200, body: { version: version + 2 } },
    ],
    'a repeated request decides once',
  );
  await architect.post(path, { to: 'accepted', note: 'Retired soon.' });
  await architect.patch(`/cards/${kiosk}`, { name: 'Booth' });
  await run();
  t.match(await ofCard(kiosk), { id, state: 'accepted', note: 'Retired soon.', cards: [{ name: 'Booth' }] });
  await architect.patch(`/cards/${kiosk}`, { name: 'Kiosk' });
  t.strictSame(await subjects(viewer, { state: 'accepted' }), ['Kiosk']);
});

t.test('a reader sees the findings whose cards and stakeholders this reader sees', async (t) => {
  const seen = ['cards.view', 'insightlens.view', 'insightlens.manage'];
  await admin.post('/roles', {
    key: 'blind',
    label: 'Blind',
    permissions: [...seen, 'stakeholders.view'],
    types: { Application: { 'cards.view': false } },
  });
  await admin.post('/roles', { key: 'alone', label: 'Alone', permissions: seen });
  const { id } = await ofCard(shop);
  for (const role of ['blind', 'alone']) {
    const user = await app.asUser(role);
    t.strictSame(await subjects(user), [], role);
    t.strictSame(await subjects(user, { card_id: shop }), [], role);
    t.equal((await user.get(`${PATH}/findings/${id}`)).status, 404, role);
    t.equal((await user.post(`${PATH}/findings/${id}/transition`, { to: 'in_review' })).status, 404, role);
  }
});

t.test('a finding about several cards is shown to those who see all of them and what it needs', async (t) => {
  const store = async (needs: string): Promise<string> => {
    const id = app.host().newId();
    await app.query(
      `insert into insightlens_findings (id, kind, rule, key, state) values ($1, 'security', 'pair', $2, 'new')`,
      [id, `pair:${id}`],
    );
    await app.query(
      `insert into insightlens_results (run_id, finding_id, phase, severity, evidence, needs, card_count)
        select id, $1, 0, 4, '{}', $2::text[], 2 from insightlens_runs where is_current`,
      [id, needs],
    );
    await app.query(
      `insert into insightlens_result_cards (run_id, finding_id, card_id, role)
        select r.id, $1, c, 'pair' from insightlens_runs r, unnest($2::uuid[]) c where r.is_current`,
      [id, [shop, server]],
    );
    return id;
  };
  const [plain, costs, relations] = [await store('{}'), await store('{costs}'), await store('{relations}')];
  const all = ['cards.view', 'relations.view', 'costs.view', 'insightlens.view'];
  for (const [key, permissions, types, expected] of [
    ['all', all, {}, [plain, costs, relations]],
    ['half', all, { ITComponent: { 'cards.view': false } }, []],
    ['poor', all.filter((one) => one !== 'costs.view'), {}, [plain, relations]],
    ['cheap', all, { ITComponent: { 'costs.view': false } }, [plain, relations]],
    ['loose', all.filter((one) => one !== 'relations.view'), {}, [plain, costs]],
    // Of other types than those of its cards: relations that do not exist are concluded from those, too.
    ['elsewhere', all, { Provider: { 'cards.view': false } }, [plain, costs]],
    ['unrelated', all, { Provider: { 'relations.view': false } }, [plain, costs]],
  ] as const) {
    await admin.post('/roles', { key, label: key, permissions, types });
    const user = await app.asUser(key);
    const { items, total } = await list(user, { rule: 'pair' });
    t.strictSame([total, items.map(({ id }) => id).sort()], [expected.length, [...expected].sort()], key);
    for (const id of [plain, costs, relations]) {
      const { status } = await user.get(`${PATH}/findings/${id}`);
      t.equal(status, (expected as readonly string[]).includes(id) ? 200 : 404, key);
    }
  }
  await app.query(`delete from insightlens_findings where rule = 'pair'`);
});

t.test(
  'a long list is counted up to 10,000, in the order of each sort, and without what its reader does not see',
  async (t) => {
    const [n, hidden] = [10_050, 1_000];
    await app.query(
      `insert into insightlens_findings (id, kind, rule, key, state, found_at)
      select gen_random_uuid(), 'security', 'many', 'many:' || i, 'new', now() - i * interval '1 second' from generate_series(1, $1::int) i`,
      [n],
    );
    // The types are those of its cards, or not known, as of a run of an earlier version.
    await app.query(
      `insert into insightlens_results (run_id, finding_id, phase, severity, score, evidence, needs, card_count, types)
      select u.id, f.id, 0, 1 + g.i % 4, case when g.i % 3 > 0 then g.i % 101 end, '{}', '{}', 1,
        case when g.i % 2 = 0 then '{}' when g.i <= $1 then '{ITComponent}' else '{Application}' end::text[]
      from insightlens_findings f cross join lateral (select substr(f.key, 6)::int as i) g join insightlens_runs u on u.is_current and u.kind = f.kind
      where f.rule = 'many'`,
      [hidden],
    );
    await app.query(
      `insert into insightlens_result_cards (run_id, finding_id, card_id, role)
      select r.run_id, f.id, case when substr(f.key, 6)::int <= $3 then $2 else $1 end::uuid, 'subject' from insightlens_findings f
        join insightlens_results r on r.finding_id = f.id where f.rule = 'many'`,
      [shop, server, hidden],
    );
    await admin.post('/roles', {
      key: 'landless',
      label: 'Landless',
      permissions: ['cards.view', 'insightlens.view'],
      types: { ITComponent: { 'cards.view': false } },
    });
    const landless = await app.asUser('landless');
    const totals = async (who: typeof viewer, query: object): Promise<unknown[]> => {
      const { items, total, total_relation } = await list(who, { rule: 'many', page_size: 1, ...query });
      return [items.length, total, total_relation];
    };
    t.strictSame(await totals(viewer, {}), [1, 10_000, 'gte']);
    t.strictSame(await totals(viewer, { total: 'exact' }), [1, n, 'eq']);
    t.strictSame(await totals(viewer, { total: 'none' }), [1, null, 'none']);
    t.strictSame(await totals(landless, {}), [1, n - hidden, 'eq']);
    for (const sort_by of ['severity', 'score', 'found_at'])
      for (const sort_dir of ['asc', 'desc']) {
        const seen = new Set<unknown>();
        const values: unknown[] = [];
        for (let cursor: string | null | undefined; cursor !== null; ) {
          const { items, next_cursor } = await list(landless, {
            ...{ rule: 'many', sort_by, sort_dir, severity: 'critical', total: 'none', ...(cursor && { cursor }) },
          });
          for (const item of items) {
            seen.add(item.id);
            values.push(item[sort_by]);
          }
          cursor = next_cursor as string | null;
        }
        const name = `by ${sort_by} ${sort_dir}`;
        t.equal(seen.size, values.length, `${name}: each once`);
        t.equal(seen.size, Math.ceil((n - 2) / 4) - hidden / 4, `${name}: all that the reader sees`);
        const known = values.filter((value) => value !== null) as (string | number)[];
        t.strictSame(
          values.slice(known.length),
          values.filter((value) => value === null),
          `${name}: nothing is last`,
        );
        const sorted = [...known].sort((x, y) => (x < y ? -1 : x > y ? 1 : 0));
        t.strictSame(known, sort_by === 'severity' || sort_dir === 'asc' ? sorted : sorted.reverse(), name);
      }
    await app.query(`delete from insightlens_findings where rule = 'many'`);
  },
);

t.test(
  'findings of archived cards are not shown until they are restored, and those of deleted cards never',
  async (t) => {
    await architect.post(`/cards/${planned}/archive`);
    await architect.post(`/cards/${shop}/archive`);
    t.strictSame(await subjects(), ['Kiosk']);
    await architect.post(`/cards/${shop}/restore`);
    t.strictSame(await subjects(), ['Kiosk', 'Shop']);
    await app.query('delete from cards where id = $1', [shop]);
    t.strictSame(await subjects(), ['Kiosk']);
  },
);

t.test('of 10 starts at once one succeeds, and a cancelled run changes nothing that is shown', async (t) => {
  const before = await list();
  // The job waits for this transaction when it reads who is responsible, and holds no row of its run meanwhile.
  let isReleased = false;
  let tellLocked!: () => void;
  const locked = new Promise<void>((resolve) => (tellLocked = resolve));
  const lock = app.host().transactions.run(app.host().systemContext('test'), async (uow) => {
    await uow.query({ name: 'test-lock', text: 'lock table card_stakeholders in access exclusive mode' });
    tellLocked();
    // A transaction that is idle for some seconds is ended by the database.
    while (!isReleased) await uow.query({ name: 'test-hold', text: 'select pg_sleep(0.05)' });
  });
  await locked;
  const answers = await Promise.all(Array.from({ length: 10 }, () => architect.post(`${PATH}/security/analyse`)));
  t.strictSame(answers.map(({ status, body }) => body.code ?? status).sort(), [
    201,
    ...Array.from({ length: 9 }, () => 'insightlens_run_active'),
  ]);
  const { id } = answers.find(({ status }) => status === 201)!.body;
  const waits = `select from pg_locks l join pg_database d on d.oid = l.database
    where d.datname = current_database() and l.relation = 'card_stakeholders'::regclass and not l.granted`;
  await until(async () => (await app.query(waits)).length > 0);
  t.match(
    (await architect.post(`${PATH}/runs/${id}/cancel`, undefined, { headers: { 'idempotency-key': 'ended' } })).body,
    { state: 'cancelled', is_current: false },
  );
  t.equal((await architect.post(`${PATH}/runs/${id}/cancel`)).body.code, 'invalid_state');
  isReleased = true;
  await lock;
  await until(
    async () =>
      (await app.query(`select from jobs where type = 'insightlens.run' and state in ('queued', 'running')`)).length ===
      0,
    20_000,
  );
  t.match(await ended(id), { state: 'cancelled' });
  t.strictSame(await list(), before);
  t.match(await run(), { state: 'done' }, 'another one can run');
});

t.test(
  'a run continues from where a crash has interrupted it, and its phase starts again without a position',
  async (t) => {
    await Promise.all(['A', 'B', 'C'].map((name) => make('Application', `Late ${name}`)));
    const expected = ['Kiosk', 'Late A', 'Late B', 'Late C'];
    for (const position of [null, 'the last card'])
      await t.test(String(position), async (t) => {
        // As a run that was under way on a node that is gone: its phase has begun, and has stored a finding that is not true any more.
        const [last] = await app.query<{ id: string }>('select id from cards order by id desc limit 1');
        const [finding] = await app.query<{ id: string }>('select id from insightlens_findings limit 1');
        const run = app.host().newId();
        await app.query(
          `insert into insightlens_runs (id, kind, state, phase, position, started_at) values ($1, 'security', 'running', 0, $2, now())`,
          [run, position && JSON.stringify({ rule: 'owner-missing', after: [last!.id] })],
        );
        await app.query(
          `insert into insightlens_results (run_id, finding_id, phase, severity, evidence, needs, card_count) values ($1, $2, 0, 1, '{}', '{}', 1)`,
          [run, finding!.id],
        );
        await app.query(
          'insert into insightlens_result_cards (run_id, finding_id, card_id, role) values ($1, $2, $3, $4)',
          [run, finding!.id, owned, 'subject'],
        );
        t.strictSame(await app.runJob('insightlens.run', { run_id: run }), { state: 'done' });
        t.strictSame(await subjects(), position === null ? expected : ['Owned']);
      });
    await run();
    t.strictSame(await subjects(), expected);
  },
);

t.test('a job that fails ends its run', async (t) => {
  const id = app.host().newId();
  const job = app.host().newId();
  await app.query(`insert into insightlens_runs (id, kind, state, job_id) values ($1, 'security', 'running', $2)`, [
    id,
    job,
  ]);
  await app.host().transactions.run(app.host().systemContext('test'), async (uow) => {
    const end = {
      id: job,
      payload: { run_id: id },
      state: 'failed' as const,
      result: null,
      error: 'x',
      queuedBy: null,
    };
    await new RunEngine(app.host() as Host).ended({ ...end, uow });
  });
  t.match(await ended(id), { state: 'failed', error: { code: 'job_failed' } });
});

t.test('old runs are deleted with their results, and decisions stay', async (t) => {
  await admin.patch('/settings/modules/insightlens', { settings: { keep_runs: 1 } });
  await until(async () => app.host().settings()['keep_runs' as never] === 1);
  await app.runJob('insightlens.clean_up');
  t.strictSame((await viewer.get(`${PATH}/runs`)).body.items.filter(({ state }) => state === 'done').length, 1);
  t.match(await ofCard(kiosk), { state: 'accepted' });
});

t.test('every night all analyses run, if the module is set to, and nothing runs while it is disabled', async (t) => {
  t.strictSame(await app.runJob('insightlens.nightly'), { started: 0 });
  await admin.patch('/settings/modules/insightlens', { settings: { nightly: true } });
  await until(async () => app.host().settings()['nightly' as never] === true);
  t.strictSame(await app.runJob('insightlens.nightly'), { started: KINDS.length });
  await until(
    async () => (await viewer.get(`${PATH}/runs`, { query: { state: 'queued,running' } })).body.total === 0,
    20_000,
  );
  await admin.patch('/settings/modules/insightlens', { enabled: false });
  await until(async () => (await viewer.get(`${PATH}/runs`)).status === 404);
  await admin.patch('/settings/modules/insightlens', { enabled: true });
  await until(async () => (await viewer.get(`${PATH}/runs`)).status === 200);
  t.match(await ofCard(kiosk), { state: 'accepted' });
});

for (const { name, run } of migrationContract({ module })) t.test(name, (t) => t.resolves(run()));
