/** Runs beside what people do meanwhile: locks, decisions, settings, rights, and the module itself. */
import t from 'tap';
import { testApp } from '@lintel/sdk/testing';
import { announceFindings } from '../findings/store-repository.js';
import module from '../index.js';
import type { Host } from '../basics.js';

const app = await testApp({ module });
t.teardown(app.close);
const PATH = app.prefix;
const architect = await app.asUser('architect');
const host = app.host() as Host;
const make = async (name: string): Promise<string> =>
  String((await architect.post('/cards', { type: 'Application', name })).body.id);

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
