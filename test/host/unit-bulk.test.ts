/** `cards.bulkIn` and `relations.bulkIn`: cards and relations in the transaction of a module. */
import type { BulkOutcome, CardOutcome } from '@lintel/sdk';
import t from 'tap';
import { makeUser, registerAdmin, sql, testApp } from '../support/app.js';
import { concurrently } from '../support/concurrently.js';
import { moduleFolder } from '../support/module-folder.js';
import { note, runs, writeUnitModule, type Work } from '../support/unit-modules.js';

const folder = await moduleFolder(t);
await writeUnitModule(folder, 'stock');
const POOL = 8;
/** The connections that requests may hold; each user may hold a quarter of the pool. */
const HELD = 6;
const EACH = 2;
const { origin, database, close } = await testApp({
  config: { pluginsDir: folder, logLevel: 'silent', databasePoolMax: POOL },
});
t.teardown(close);
const admin = await registerAdmin(origin);
const { api } = admin;
const run = async (work: Work, as = api, headers: Record<string, string> = {}) => {
  runs('stock', work);
  return await as.post('/stock/run', {}, { headers });
};
const count = async (text: string, values: unknown[] = []) =>
  (await sql<{ n: number }>(database, `select count(*)::int as n from ${text}`, values))[0]!.n;
const stored = async (name: string) => ({
  cards: await count('cards where name = $1', [name]),
  rows: await count('stock_rows where name = $1', [name]),
  events: await count(
    `(select data, subject_id, subject_name from events union all select data, subject_id, subject_name from event_outbox) e
      where subject_name = $1 or subject_id = $1`,
    [name],
  ),
});
const app = (name: string, more: object = {}) => ({
  op: 'create' as const,
  card: { type: 'Application', name, ...more },
});

const roleUser = async (key: string, permissions: string[]) => {
  await api.post('/roles', { key, label: key, permissions });
  return await makeUser(admin, key);
};

await t.test('cards, relations, own rows and events commit together, once for an Idempotency-Key', async (t) => {
  const work: Work = (ctx, host) =>
    host.transactions.run(ctx, async (uow) => {
      await note(uow, 'stock', 'Together');
      const made = await host.cards.bulkIn(uow, [app('Together'), app('Beside')]);
      const [source_id, target_id] = made.results.map(({ id }) => id!);
      const related = await host.relations.bulkIn(uow, [
        { op: 'create', type: 'applicationSuccessor', source_id: source_id!, target_id: target_id! },
      ]);
      const outcomes: (CardOutcome | 'relation')[] = [...made.results.map(({ outcome }) => outcome), 'relation'];
      return { change: made.change_id, same: made.change_id === related.change_id, outcomes, summary: made.summary };
    });
  const answer = await run(work, api, { 'idempotency-key': 'together-1' });
  t.match(answer, {
    status: 200,
    body: { same: true, outcomes: ['created', 'created', 'relation'], summary: { created: 2 } },
  });
  t.match(await run(work, api, { 'idempotency-key': 'together-1' }), { status: 200, body: answer.body });
  t.strictSame(await stored('Together'), { cards: 1, rows: 1, events: 2 });
  t.equal(await count('relations'), 1);
  const changes = await sql<{ n: number }>(
    database,
    `select count(distinct change_id)::int as n from
      (select change_id, subject_name, subject_id, type from events union all select change_id, subject_name, subject_id, type from event_outbox) e
      where subject_name in ('Together', 'Beside') or subject_id = 'Together' or type = 'relation.created'`,
  );
  t.equal(changes[0]!.n, 1, 'one change');
});

await t.test('an error after the bulk reverts all of it', async (t) => {
  const answer = await run((ctx, host) =>
    host.transactions.run(ctx, async (uow) => {
      await note(uow, 'stock', 'Reverted');
      await host.cards.bulkIn(uow, [app('Reverted')]);
      throw host.problem('conflict', { detail: 'Changed its mind.' });
    }),
  );
  t.match(answer, { status: 409, body: { detail: 'Changed its mind.' } });
  t.strictSame(await stored('Reverted'), { cards: 0, rows: 0, events: 0 });
});

await t.test('a refused bulk that the module handles leaves nothing of itself', async (t) => {
  const answer = await run((ctx, host) =>
    host.transactions.run(ctx, async (uow) => {
      await note(uow, 'stock', 'Handled');
      const status = await host.cards.bulkIn(uow, [app('Handled'), app('Handled')]).then(
        () => 0,
        (error: unknown) => (error as { status: number }).status,
      );
      return { status };
    }),
  );
  t.match(answer, { status: 200, body: { status: 422 } });
  t.strictSame(await stored('Handled'), { cards: 0, rows: 1, events: 1 });
});

await t.test('per_row writes the valid operations, also beside one that does not match the schema', async (t) => {
  let outcome: BulkOutcome | undefined;
  const operations = [
    app('Row one'),
    { op: 'create' as const, card: { type: 'Application', name: 7 as unknown as string } },
    { op: 'create' as const, card: { type: 'Nothing', name: 'Row three' } },
  ];
  await run((ctx, host) =>
    host.transactions.run(ctx, async (uow) => {
      outcome = await host.cards.bulkIn(uow, operations, { mode: 'per_row' });
      await note(uow, 'stock', 'Row one');
      return {};
    }),
  );
  t.match(outcome, {
    summary: { created: 1, failed: 2 },
    results: [
      { index: 0, outcome: 'created' },
      { index: 1, outcome: 'failed', errors: [{ field: '/operations/1/card/name' }] },
      { index: 2, outcome: 'failed', errors: [{ field: '/operations/2/card/type', reason: 'is unknown' }] },
    ],
  });
  t.strictSame(await stored('Row one'), { cards: 1, rows: 1, events: 2 });
});

await t.test('a dry run stores nothing of the bulk, and the module goes on', async (t) => {
  const answer = await run((ctx, host) =>
    host.transactions.run(ctx, async (uow) => {
      const { summary } = await host.cards.bulkIn(uow, [app('Dry')], { dryRun: true });
      await note(uow, 'stock', 'Dry');
      return summary;
    }),
  );
  t.match(answer, { status: 200, body: { created: 1 } });
  t.strictSame(await stored('Dry'), { cards: 0, rows: 1, events: 1 });
});

await t.test('the permissions are those of the unit of work', async (t) => {
  const viewer = await roleUser('peeper', ['cards.view', 'stock.use']);
  for (const port of ['cards', 'relations'] as const)
    t.match(
      await run(
        (ctx, host) =>
          host.transactions.run(ctx, async (uow) => {
            if (port === 'cards') await host.cards.bulkIn(uow, [app('Refused')]);
            else await host.relations.bulkIn(uow, []);
            return {};
          }),
        viewer.api,
      ),
      { status: 403 },
    );
  t.equal(await count(`cards where name = 'Refused'`), 0);
});

await t.test('look-ups of permissions need no second connection', async (t) => {
  // Stakeholder roles decide, which are read from the database, while every connection that requests may hold is in a transaction.
  const first = await roleUser('owner', ['cards.view', 'cards.bulk', 'relations.view', 'stock.use']);
  const owners = [first, await makeUser(admin, 'owner'), await makeUser(admin, 'owner')];
  const ids: string[] = [];
  for (let n = 0; n < HELD; n++) {
    const { body } = await api.post(`/cards`, { type: 'Application', name: `Owned ${n}` });
    ids.push(body['id'] as string);
    for (const { user } of owners)
      t.equal((await api.post(`/cards/${ids[n]}/stakeholders`, { user_id: user.id, role: 'responsible' })).status, 201);
  }
  const attempt = async () => {
    const barrier = (): { pass(): Promise<void>; open(): void; passed(): boolean } => {
      let inside = 0;
      let open!: () => void;
      const all = new Promise<void>((resolve) => (open = resolve));
      return {
        open,
        passed: () => inside >= HELD,
        async pass() {
          if (++inside === HELD) open();
          await all;
        },
      };
    };
    const [before, within] = [barrier(), barrier()];
    let next = 0;
    runs('stock', async (ctx, host) => {
      const at = next++;
      // Authentication needs a connection, too.
      await before.pass();
      return await host.transactions
        .run(ctx, async (uow) => {
          await uow.query({ name: 'stock-one', text: 'select 1' });
          await within.pass();
          const card = { description: 'Changed.', attributes: {} };
          await host.cards.bulkIn(uow, [{ op: 'update', id: ids[at]!, card }]);
          await host.relations.bulkIn(uow, [
            { op: 'upsert', type: 'related', source_id: ids[at]!, target_id: ids[(at + 1) % HELD]! },
          ]);
          return {};
        })
        .finally(() => within.open());
    });
    const answers = await Promise.all(
      ids.map((_id, n) => owners[Math.floor(n / EACH)]!.api.post('/stock/run', {}).finally(() => before.open())),
    );
    return within.passed() ? answers.map(({ status }) => status) : undefined;
  };
  // On a busy machine the background work may hold a connection for too long; then nothing was tried.
  const statuses = (await attempt()) ?? (await attempt()) ?? (await attempt());
  t.strictSame(
    statuses,
    ids.map(() => 200),
  );
  t.equal(await count(`cards where description = 'Changed.'`), HELD);
});

await t.test('two units of work that write the same card: the second one is executed again', async (t) => {
  const { body } = await api.post('/cards', { type: 'Application', name: 'Raced', external_id: 'raced' });
  const id = body['id'] as string;
  let n = 0;
  runs('stock', (ctx, host) =>
    host.transactions.run(ctx, async (uow) => {
      const alias = `by ${++n}`;
      await host.cards.bulkIn(uow, [
        { op: 'upsert', card: { type: 'Application', name: 'Raced', external_id: 'raced', alias } },
        { op: 'upsert', card: { type: 'Application', name: 'New', external_id: 'new', alias } },
      ]);
      await note(uow, 'stock', 'Raced');
      return {};
    }),
  );
  const answers = await concurrently(database, `select from cards where id = '${id}' for update`, 2, () =>
    Promise.all([api.post('/stock/run', {}), api.post('/stock/run', {})]),
  );
  t.strictSame(
    answers.map(({ status }) => status),
    [200, 200],
  );
  t.strictSame(
    await sql(
      database,
      `select v.version from cards join card_contents v using (id) where name in ('Raced', 'New') order by name`,
    ),
    [{ version: 2 }, { version: 3 }],
  );
  t.equal((await stored('Raced')).rows, 2);
});

await t.test('with keepsApproval an update leaves the approval and the last editor alone', async (t) => {
  const { body } = await api.post('/cards', { type: 'Application', name: 'Approved' });
  const id = body['id'] as string;
  const edited = async () => await sql(database, 'select edited_by from card_contents where id = $1', [id]);
  const editor = await edited();
  t.match(editor, [{ edited_by: String }], 'the editor is known');
  await sql(database, `update cards set approval_status = 'APPROVED' where id = $1`, [id]);
  const set = (description: string, keepsApproval?: boolean): Work => {
    return (_ctx, host) =>
      host.transactions.run(host.systemContext('stock'), async (uow) => {
        const { results } = await host.cards.bulkIn(
          uow,
          [{ op: 'update', id, card: { description } }],
          keepsApproval === undefined ? {} : { keepsApproval },
        );
        return { results };
      });
  };
  t.match(await run(set('Computed.', true)), { status: 200, body: { results: [{ outcome: 'updated', version: 2 }] } });
  t.match((await api.get(`/cards/${id}`)).body, { description: 'Computed.', approval_status: 'APPROVED' });
  t.strictSame(await edited(), editor);
  t.match(await run(set('Computed.', true)), {
    status: 200,
    body: { results: [{ outcome: 'unchanged', version: 2 }] },
  });
  t.match(await run(set('Written.')), { status: 200, body: { results: [{ outcome: 'updated', version: 3 }] } });
  t.match((await api.get(`/cards/${id}`)).body, { approval_status: 'BROKEN' }, 'without it the approval is broken');
  t.match(await edited(), [{ edited_by: null }]);
});

await t.test('the cards whose costs a caller may see', async (t) => {
  const types = { Initiative: { 'costs.view': false }, Provider: { 'cards.view': false } };
  await api.post('/roles', {
    key: 'partly',
    label: 'Partly',
    permissions: ['cards.view', 'costs.view', 'stock.use'],
    types,
  });
  const user = await makeUser(admin, 'partly');
  const ids: string[] = [];
  for (const [type, name] of [
    ['Application', 'Paid'],
    ['Initiative', 'Secret'],
    ['Initiative', 'Led'],
    ['Provider', 'Hidden'],
  ] as const)
    ids.push((await api.post('/cards', { type, name })).body['id'] as string);
  const [paid, secret, led, hidden] = ids as [string, string, string, string];
  const { status } = await api.post(`/cards/${led}/stakeholders`, { user_id: user.user.id, role: 'responsible' });
  t.equal(status, 201);
  const asked: Work = async (ctx, host) => ({
    seen: [
      ...(await host.cards.seesCosts(ctx, [paid.toUpperCase(), secret, led, hidden, host.newId(), 'none'])),
    ].sort(),
    listed: await host.inventory.read(ctx, { lang: 'en' }, async (inventory) =>
      inventory.query('stock-costs', ({ cards, bind }) => {
        return `select c.id, c.costs_visible from ${cards()} c where c.id = any(${bind(ids)}::uuid[]) order by c.id`;
      }),
    ),
    some: await host.inventory.read(ctx, { lang: 'en' }, async (inventory) =>
      inventory.query('stock-costs-only', ({ cards, bind }) => {
        const listed = cards({}, {}, ['id', 'costs_visible']);
        return `select c.id from ${listed} c where c.costs_visible and c.id = any(${bind(ids)}::uuid[]) order by c.id`;
      }),
    ),
  });
  t.match(await run(asked, user.api), {
    status: 200,
    body: {
      seen: [paid, led].sort(),
      listed: [
        { id: paid, costs_visible: true },
        { id: secret, costs_visible: false },
        { id: led, costs_visible: true },
      ],
      some: [{ id: paid }, { id: led }],
    },
  });
  const all = (await run(asked)).body as unknown as { seen: string[]; listed: { costs_visible: boolean }[] };
  t.strictSame([all.seen, all.listed.map((card) => card.costs_visible)], [[...ids].sort(), ids.map(() => true)]);
});
