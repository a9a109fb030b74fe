/** Several modules in one transaction (`host.join`), and locks of modules (`host.lock`). */
import { capability, type UnitOfWork } from '@lintel/sdk';
import t from 'tap';
import { client, lockWaiters, registerAdmin, sql, testApp, until } from '../support/app.js';
import { moduleFolder } from '../support/module-folder.js';
import { note, runs, writeUnitModule, type Work } from '../support/unit-modules.js';
import type { AdrCreator } from '../../plugins/adr/capability.js';
import type { PrepareRisk } from '../../plugins/risks/capability.js';

const NOTE = capability<(uow: UnitOfWork, name: string) => Promise<void>>('ledger.note@1');
const RISK = capability<PrepareRisk>('risks.prepare@1');
const ADR = capability<AdrCreator>('adr.create@1');

const folder = await moduleFolder(t);
await writeUnitModule(
  folder,
  'stock',
  `uses: [capability('ledger.note@1'), capability('risks.prepare@1'), capability('adr.create@1')],`,
);
await writeUnitModule(
  folder,
  'ledger',
  `provides: [provide(capability('ledger.note@1'), (host) => async (unit, name) => {
    const uow = host.join(unit);
    if (host.join(uow) !== uow) throw new Error('joined twice');
    await uow.query({ name: 'ledger-note', text: 'insert into ledger_rows (name) values ($1)' }, [name]);
    uow.emit({ type: name === 'Wrong' ? 'stock.noted' : 'ledger.noted', subject: { kind: name === 'Wrong' ? 'stock' : 'ledger', id: name }, data: { name } });
    await host.jobs.enqueue(uow, 'ledger.count', { name });
    await globalThis[Symbol.for('lintel.test.joined')]?.(name);
  })],
  activate(module) { module.job('ledger.count', { handler: async () => ({}) }); },`,
);
const config = { pluginsDir: folder, logLevel: 'silent' as const };
const one = await testApp({ config });
const two = await testApp({ config, database: one.database });
t.teardown(() => Promise.all([one.close(), two.close()]));
const { database, origin } = one;
const { api, token } = await registerAdmin(origin);
const there = client(two.origin, token);
const run = async (work: Work) => {
  runs('stock', work);
  return await api.post('/stock/run', {});
};
const count = async (text: string) =>
  (await sql<{ n: number }>(database, `select count(*)::int as n from ${text}`))[0]!.n;
const stored = async (name: string) => ({
  stock: await count(`stock_rows where name = '${name}'`),
  ledger: await count(`ledger_rows where name = '${name}'`),
  jobs: await count(`jobs where payload ->> 'name' = '${name}'`),
  events: await count(
    `(select subject_id from events union all select subject_id from event_outbox) e where subject_id = '${name}'`,
  ),
});
const joins =
  (name: string, after: () => void = () => undefined): Work =>
  (ctx, host) =>
    host.transactions.run(ctx, async (uow) => {
      await note(uow, 'stock', name);
      await host.capability(NOTE)!(uow, name);
      after();
      return {};
    });

await t.test('rows, events and jobs of both modules commit together', async (t) => {
  t.match(await run(joins('Both')), { status: 200 });
  t.strictSame(await stored('Both'), { stock: 1, ledger: 1, jobs: 1, events: 2 });
});

await t.test('an error of the caller afterwards reverts those of both', async (t) => {
  const failed = await run(
    joins('Neither', () => {
      throw new Error('afterwards');
    }),
  );
  t.equal(failed.status, 500);
  t.strictSame(await stored('Neither'), { stock: 0, ledger: 0, jobs: 0, events: 0 });
});

await t.test('the events of each module are checked against its own manifest', async (t) => {
  t.equal((await run(joins('Wrong'))).status, 500, 'ledger emitted an event of stock');
  const caught = await run((ctx, host) =>
    host.transactions.run(ctx, async (uow) => {
      await note(uow, 'stock', 'Wrong');
      await host.capability(NOTE)!(uow, 'Wrong').catch(() => undefined);
      return {};
    }),
  );
  t.equal(caught.status, 500, 'the transaction cannot commit without the event');
  t.strictSame(await stored('Wrong'), { stock: 0, ledger: 0, jobs: 0, events: 0 });
});

await t.test('a module that is switched off meanwhile does not write', async (t) => {
  const global = globalThis as unknown as Record<symbol, unknown>;
  global[Symbol.for('lintel.test.joined')] = async () => {
    await api.patch('/settings/modules/ledger', { enabled: false });
  };
  t.match(await run(joins('Off')), { status: 409, body: { code: 'conflict' } });
  global[Symbol.for('lintel.test.joined')] = undefined;
  t.strictSame(await stored('Off'), { stock: 0, ledger: 0, jobs: 0, events: 0 });
  t.match(await run(joins('Off')), { status: 500 }, 'the capability is undefined');
  await api.patch('/settings/modules/ledger', { enabled: true });
});

await t.test('risks and decisions are created in the transaction of another module', async (t) => {
  const card = (await api.post('/cards', { type: 'Application', name: 'At risk' })).body['id'] as string;
  const work =
    (fails: boolean): Work =>
    async (ctx, host) => {
      const risk = await host.capability(RISK)!(ctx, { title: 'Together', category: 'operational' } as never);
      const adr = await host.capability(ADR)!.prepare(ctx, { title: 'Together', card_ids: [card] });
      return await host.transactions.run(ctx, async (uow) => {
        await note(uow, 'stock', 'Created');
        const made = { risk: await risk(uow), adr: await adr(uow) };
        if (fails) throw new Error('after all');
        return made;
      });
    };
  t.equal((await run(work(true))).status, 500);
  t.equal(await count(`risks_register where title = 'Together'`), 0);
  const made = await run(work(false));
  t.match(made, { status: 200, body: { risk: { reference: 'R-000001' }, adr: { number: /-0001$/, version: 1 } } });
  const { risk, adr } = made.body as unknown as Record<'risk' | 'adr', { id: string }>;
  t.match(await api.get(`/risks/${risk.id}`), { status: 200, body: { reference: 'R-000001' } });
  t.match(await api.get(`/adr/${adr.id}`), { status: 200, body: { card_ids: [card] } });
});

const locks = (id: string, within: (uow: UnitOfWork) => Promise<void>, waitMs?: number): void =>
  runs(id, (ctx, host) =>
    host.transactions.run(ctx, async (uow) => {
      await host.lock(uow, 'counter', waitMs === undefined ? {} : { waitMs });
      await within(uow);
      return {};
    }),
  );

await t.test('a lock serialises transactions on two nodes', async (t) => {
  // Without the lock both would read the same number of rows.
  locks('stock', async (uow) => {
    const [{ n }] = (await uow.query({
      name: 'stock-count',
      text: `select count(*)::int as n from stock_rows where name like 'Numbered%'`,
    })) as [{ n: number }];
    await uow.query({ name: 'stock-sleep', text: 'select pg_sleep(0.02)' });
    await note(uow, 'stock', `Numbered ${n}`);
  });
  const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => (n % 2 ? api : there).post('/stock/run', {})));
  t.ok(answers.every(({ status }) => status === 200));
  t.equal(
    (await sql(database, `select distinct name from stock_rows where name like 'Numbered%'`)).length,
    12,
    'each transaction saw the rows of those before it',
  );
});

await t.test(
  'a wait that is too long is 409, other modules have their own names, the timeout ends with the lock',
  async (t) => {
    let release!: () => void;
    const held = new Promise<void>((resolve) => (release = resolve));
    let isHeld!: () => void;
    const holding = new Promise<void>((resolve) => (isHeld = resolve));
    locks('stock', async () => {
      isHeld();
      await held;
    });
    const first = api.post('/stock/run', {});
    await holding;
    const timeouts: unknown[] = [];
    locks(
      'ledger',
      async (uow) => {
        timeouts.push(
          ...(await uow.query({ name: 'ledger-timeout', text: `select current_setting('lock_timeout') as is` })),
        );
      },
      100,
    );
    t.equal((await there.post('/ledger/run', {})).status, 200, 'the same name of another module');
    t.strictSame(timeouts, [{ is: '0' }]);
    locks('stock', async () => undefined, 100);
    const refused = await there.post('/stock/run', {});
    t.match(refused, { status: 409, body: { code: 'conflict', detail: /another request/i } });
    t.equal(refused.headers.get('retry-after'), '1');
    locks('stock', async () => undefined);
    const waiting = there.post('/stock/run', {});
    await until(async () => (await lockWaiters(database)) > 0);
    release();
    t.strictSame([(await first).status, (await waiting).status], [200, 200]);
  },
);
