/** Runs beside what people do meanwhile: locks, decisions, settings, rights, and the module itself. */
import t from 'tap';
import { testApp, until, type AnyBody } from '@lintel/sdk/testing';
import { ANALYSES } from '../analyses/index.js';
import { announceFindings } from '../findings/store-repository.js';
import module from '../index.js';
import type { Host } from '../basics.js';

const app = await testApp({ module });
t.teardown(app.close);
const { admin } = app;
const PATH = app.prefix;
const architect = await app.asUser('architect');
const host = app.host() as Host;
const make = async (name: string, more = {}): Promise<string> =>
  String((await architect.post('/cards', { type: 'Application', name, ...more })).body.id);

/** Stores findings about a card whose ids are in the order opposite to that of their keys. @returns run and ids, in the order of the keys */
async function opposite(card: string, n: number): Promise<{ run: string; ids: string[] }> {
  const run = host.newId();
  await app.query(
    `insert into insightlens_runs (id, kind, state, is_current, finished_at) values ($1, 'security', 'done', true, now())`,
    [run],
  );
  const ids = Array.from({ length: n }, () => host.newId()).reverse();
  await app.query(
    `insert into insightlens_findings (id, kind, rule, key, state)
      select id, 'security', 'owner-missing', 'race:' || lpad(i::text, 4, '0'), 'new' from unnest($1::uuid[]) with ordinality g(id, i)`,
    [ids],
  );
  await app.query(
    `insert into insightlens_results (run_id, finding_id, phase, severity, evidence, needs, card_count, types)
      select $1, id, 0, 1, '{}', '{}', 1, '{Application}' from unnest($2::uuid[]) id`,
    [run, ids],
  );
  await app.query(
    `insert into insightlens_result_cards (run_id, finding_id, card_id, role) select $1, id, $3, 'subject' from unnest($2::uuid[]) id`,
    [run, ids, card],
  );
  return { run, ids };
}
const forget = async (run: string): Promise<void> => {
  await app.query('delete from insightlens_runs where id = $1', [run]);
  await app.query(`delete from insightlens_findings where key like 'race:%'`);
};
const FREE = `select id from insightlens_findings where id = any($1::uuid[]) for no key update skip locked`;

t.test('events of new findings lock them in the order of the keys, as decisions do', async (t) => {
  const { run, ids } = await opposite(await make('Locked'), 3);
  let announcing: Promise<unknown> | undefined;
  await host.transactions.run(host.systemContext('test'), async (uow) => {
    await uow.query({ name: 'test-first', text: 'select from insightlens_findings where id = $1 for no key update' }, [
      ids[0],
    ]);
    announcing = host.transactions.run(host.systemContext('test'), async (other) => {
      return { n: (await announceFindings(other, run, 500)).length };
    });
    // It waits for the first key, and has locked none after it.
    for (let waits = 0; waits === 0; )
      [{ n: waits } = { n: 0 }] = await app.query<{ n: number }>(
        `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
    t.equal((await app.query(FREE, [ids.slice(1)])).length, 2);
  });
  t.match(await announcing, { n: 3 });
  await forget(run);
});

t.test('decisions about the same findings in different orders, and their events, all succeed at once', async (t) => {
  const { run, ids } = await opposite(await make('Contended'), 40);
  const deadlocks = async (): Promise<number> => {
    await app.query('select pg_stat_force_next_flush()');
    const [row] = await app.query<{ n: number }>(
      'select deadlocks::int as n from pg_stat_database where datname = current_database()',
    );
    return row!.n;
  };
  const before = await deadlocks();
  const bulk = (order: string[], to: string) =>
    architect.post(`${PATH}/findings/bulk-transition`, {
      mode: 'per_row',
      // One that fails makes the rows of a part run on their own.
      operations: order.flatMap((id, i) => (i === 20 ? [{ id, to: 'verified' }] : [{ id, to }])),
    });
  const answers = await Promise.all([
    ...[ids, ids.toReversed(), [...ids.slice(20), ...ids.slice(0, 20)]].map((order) => bulk(order, 'in_review')),
    host.transactions.run(host.systemContext('test'), async (uow) => ({
      status: (await announceFindings(uow, run, 500)).length === 40 ? 200 : 0,
    })),
  ]);
  for (const { status } of answers) t.ok(status < 300, `${status}`);
  const [row] = await app.query<{ n: number }>(
    `select count(*)::int as n from insightlens_findings where key like 'race:%' and announced_at is not null and state = 'in_review'`,
  );
  t.equal(row!.n, 40);
  t.equal((await deadlocks()) - before, 0);
  await forget(run);
});

const PAUSED = 4_711;
/** Runs wait where their phase begins, as long as a lock is held. */
await app.query(`create function test_pause() returns trigger language plpgsql as $$
  begin perform pg_advisory_xact_lock_shared(${PAUSED} + new.phase); return new; end $$`);
await app.query(`create trigger test_pause before update on insightlens_runs for each row
  when (new.state = 'running' and (old.state = 'queued' or new.phase <> old.phase)) execute function test_pause()`);

/** Lets runs wait at the begin of a phase. @returns when one does so, and what lets it continue */
async function pause(phase = 0): Promise<{ reached: () => Promise<unknown>; release: () => Promise<void> }> {
  let isReleased = false;
  let tell!: () => void;
  const isLocked = new Promise<void>((resolve) => (tell = resolve));
  const lock = host.transactions.run(host.systemContext('test'), async (uow) => {
    await uow.query({ name: `test-pause-${phase}`, text: `select pg_advisory_xact_lock(${PAUSED + phase})` });
    tell();
    // A transaction that is idle for some seconds is ended by the database.
    while (!isReleased) await uow.query({ name: 'test-hold', text: 'select pg_sleep(0.02)' });
    return {};
  });
  await isLocked;
  const waiting = `select from pg_locks where locktype = 'advisory' and objid = ${PAUSED + phase} and not granted
    and database = (select oid from pg_database where datname = current_database())`;
  return {
    reached: async () => await until(async () => (await app.query(waiting)).length > 0, 20_000),
    release: async () => {
      isReleased = true;
      await lock;
    },
  };
}
const start = async (kind: string, who = architect): Promise<string> => {
  const { status, body } = await who.post(`${PATH}/${kind}/analyse`);
  t.equal(status, 201, JSON.stringify(body));
  return String(body.id);
};
const ended = async (id: string): Promise<AnyBody> =>
  await until(async () => {
    const { body } = await admin.get(`${PATH}/runs/${id}`);
    return ['done', 'failed', 'cancelled'].includes(String(body['state'])) && body;
  }, 30_000);
const shown = async (kind: string): Promise<string[]> =>
  (await admin.get(`${PATH}/findings`, { query: { kind, page_size: 200 } })).body.items
    .map(({ rule, cards }) => `${String(rule)} ${(cards as { name: string }[]).map(({ name }) => name).join()}`)
    .sort();

for (const name of ['Payroll system', 'Payroll systems', 'Archive'])
  await make(name, { attributes: { technicalSuitability: 'inappropriate', costTotalAnnual: 10 } });
for (const { kind, phases } of ANALYSES.filter(({ kind: one }) => one !== 'suppliers'))
  t.test(`a run of ${kind} is cancelled at the begin of each of its ${phases.length} phases`, async (t) => {
    t.match(await ended(await start(kind)), { state: 'done' });
    const before = await shown(kind);
    t.ok(before.length > 0);
    for (let phase = 0; phase < phases.length; phase++) {
      const held = await pause(phase);
      const id = await start(kind);
      await held.reached();
      const cancelled = architect.post(`${PATH}/runs/${id}/cancel`);
      await held.release();
      const { status } = await cancelled;
      const run = await ended(id);
      // Only a last phase that is short may end before.
      t.equal(run['state'], status === 200 ? 'cancelled' : 'done', `phase ${phase}: ${status}`);
      if (phase < phases.length - 1) t.equal(status, 200, `phase ${phase}`);
      t.strictSame(await shown(kind), before, `phase ${phase}`);
    }
    t.match(await ended(await start(kind)), { state: 'done', is_current: true }, 'another one can run');
    t.strictSame(await shown(kind), before);
  });

t.test('settings that change during a run hold from its next phase on, and it ends', async (t) => {
  const set = async (settings: object): Promise<void> => {
    t.equal((await admin.patch('/settings/modules/insightlens', { settings })).status, 200);
  };
  for (const [kind, settings] of [
    ['security', { rules: [{ id: 'owner-missing', is_enabled: false }] }],
    ['modernisation', { modernisation_quality: 0 }],
    ['duplicates', { duplicate_types: ['ITComponent'] }],
    ['suppliers', { supplier_types: ['Nothing'], supplier_fields: ['attributes.none'] }],
  ] as const) {
    const held = await pause();
    const id = await start(kind);
    await held.reached();
    await set(settings);
    await held.release();
    t.match(await ended(id), { state: 'done', is_current: true }, kind);
    t.match(await ended(await start(kind)), { state: 'done' }, `${kind}, again`);
  }
  t.strictSame(
    (await shown('security')).filter((one) => one.startsWith('owner-missing')),
    [],
  );
  t.strictSame(await shown('duplicates'), []);
  const defaults = Object.fromEntries(
    ['rules', 'modernisation_quality', 'duplicate_types', 'supplier_types', 'supplier_fields'].map((key) => [
      key,
      null,
    ]),
  );
  await set(defaults);
});

t.test('a run whose user loses all rights, or is deactivated, ends as it would have', async (t) => {
  const expected = await (async () => {
    await ended(await start('security'));
    return await shown('security');
  })();
  const permissions = ['cards.view', 'insightlens.view', 'insightlens.manage'];
  for (const [key, change] of [
    ['demoted', { role: 'viewer' }],
    ['deactivated', { is_active: false }],
  ] as const) {
    await admin.post('/roles', { key, label: key, permissions });
    const user = await app.asUser(key);
    const held = await pause();
    const id = await start('security', user);
    await held.reached();
    const { status, body } = await admin.patch(`/users/${user.user.id}`, change);
    t.equal(status, 200, JSON.stringify(body));
    t.ok(
      [401, 403].includes((await user.post(`${PATH}/runs/${id}/cancel`)).status),
      'it is not cancelled by this user',
    );
    await held.release();
    t.match(await ended(id), { state: 'done', is_current: true }, JSON.stringify(change));
    t.strictSame(await shown('security'), expected);
  }
});

t.test('a run waits while the module is disabled, and ends after that', async (t) => {
  const held = await pause();
  const id = await start('modernisation');
  await held.reached();
  t.equal((await admin.patch('/settings/modules/insightlens', { enabled: false })).status, 200);
  await until(async () => (await admin.get(`${PATH}/runs`)).status === 404);
  await held.release();
  const stateOf = async (): Promise<{ state: string; attempts: number }> =>
    (
      await app.query<{ state: string; attempts: number }>(
        `select j.state, j.attempts from jobs j join insightlens_runs r on r.job_id = j.id where r.id = $1`,
        [id],
      )
    )[0]!;
  await until(async () => (await stateOf()).state !== 'running', 20_000);
  t.equal((await admin.patch('/settings/modules/insightlens', { enabled: true })).status, 200);
  await until(async () => (await admin.get(`${PATH}/runs`)).status === 200);
  t.match(await ended(id), { state: 'done', is_current: true });
});
