/** The graph in memory gives the same answers as the database: after every kind of change, on every node, after every disturbance. */
import t, { type Test } from 'tap';
import { CARD, RELATION, type RelationGraph } from '../../core/inventory/impact/graph.js';
import { GraphMemory } from '../../core/inventory/impact/index.js';
import { registerAdmin, sql, testApp, until, type AnyBody, type Client } from '../support/app.js';
import { client } from '../support/http.js';
import { impactOf, inMemory, unordered, type ImpactQuery } from '../support/impact.js';

const SEED = 20_261_121;
const OPERATIONS = 300;
const DAY_MS = 86_400_000;
const TYPES = ['Application', 'ITComponent', 'DataObject', 'BusinessCapability'];

/** Pseudo-random numbers, the same in every run (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b_79f5) | 0;
    let x = Math.imul(state ^ (state >>> 15), 1 | state);
    x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x;
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
  };
}

const random = randomNumbers(SEED);
const below = (n: number): number => Math.floor(random() * n);
const pick = <T>(all: readonly T[]): T => all[below(all.length)]!;
const day = (offset: number): string => new Date(Date.now() + offset * DAY_MS).toISOString().slice(0, 10);

const memory = await testApp();
const { database } = memory;
const bare = await testApp({ database, config: { impactGraphMaxRelations: 0 } });
t.teardown(async () => {
  await memory.close();
  await bare.close();
});
const admin = await registerAdmin(memory.origin);
const viaMemory = admin.api;
const viaSql = client(bare.origin, admin.token);

/** Checks that both nodes have the same answer. @param from client of the node with a graph */
async function same(t: Test, id: string, query: ImpactQuery, from: Client = viaMemory): Promise<void> {
  const [found, expected] = [
    await from.get(`/cards/${id}/impact`, { query }),
    await viaSql.get(`/cards/${id}/impact`, { query }),
  ];
  const what = `${id} ${JSON.stringify(query)}`;
  if (found.status !== 200 || expected.status !== 200) {
    t.equal(found.status, expected.status, what);
    return;
  }
  t.strictSame(unordered(found.body as never), unordered(expected.body as never), what);
}

const world = { cards: [] as string[], relations: [] as string[], archived: [] as string[] };
let named = 0;
const ends = (): { source_id: string; target_id: string } => ({
  source_id: pick(world.cards),
  target_id: pick(world.cards),
});
const validity = (): object =>
  pick([{}, {}, { valid_to: day(-1) }, { valid_to: day(0) }, { valid_from: day(-9), valid_to: day(9) }]);
const kept = (answer: { status: number; body: AnyBody }, into: string[]): number => {
  if (answer.status === 201) into.push(answer.body.id);
  return answer.status;
};

/** Changes by either node, which may be refused. Each returns the status. */
const CHANGES: Record<string, (api: Client) => Promise<number>> = {
  relate: async (api) =>
    kept(await api.post('/relations', { type: 'related', ...ends(), ...validity() }), world.relations),
  'relate again': async (api) => kept(await api.post('/relations', { type: 'related', ...ends() }), world.relations),
  unrelate: async (api) => (await api.del(`/relations/${pick(world.relations)}`)).status,
  'change validity': async (api) =>
    (await api.patch(`/relations/${pick(world.relations)}`, { valid_to: pick([null, day(-1), day(0), day(30)]) }))
      .status,
  describe: async (api) =>
    (await api.patch(`/relations/${pick(world.relations)}`, { description: `d${below(3)}` })).status,
  archive: async (api) => {
    const id = pick(world.cards);
    const { status } = await api.post(`/cards/${id}/archive`);
    if (status === 200) world.archived.push(id);
    return status;
  },
  restore: async (api) => (await api.post(`/cards/${world.archived.pop() ?? pick(world.cards)}/restore`)).status,
  rename: async (api) => (await api.patch(`/cards/${pick(world.cards)}`, { name: `"é\n${++named}` })).status,
  approve: async (api) =>
    (await api.post(`/cards/${pick(world.cards)}/approval`, { action: pick(['approve', 'reset', 'reject']) })).status,
  comment: async (api) => (await api.post(`/cards/${pick(world.cards)}/comments`, { body: 'a word' })).status,
  create: async (api) => kept(await api.post('/cards', { type: pick(TYPES), name: `card ${++named}` }), world.cards),
  delete: async (api) => (await api.del(`/cards/${pick(world.cards)}`)).status,
  bulk: async (api) => {
    const answer = await api.post<{ results: { id?: string; outcome: string }[] }>('/cards/bulk', {
      mode: 'per_row',
      operations: [
        {
          op: 'create',
          ref: 'one',
          card: { type: 'Application', name: `card ${++named}` },
          relations: [
            { type: 'related', target: { id: pick(world.cards) } },
            { type: 'related', target: { ref: 'two' } },
          ],
        },
        {
          op: 'create',
          ref: 'two',
          card: { type: 'DataObject', name: `card ${++named}` },
          relations: [{ type: 'related', target: { id: pick(world.cards) } }],
        },
        { op: 'archive', id: pick(world.cards) },
        { op: 'delete', id: pick(world.cards) },
        { op: 'update', id: pick(world.cards), card: { name: `card ${++named}` } },
      ],
    });
    for (const { id, outcome } of answer.body.results ?? [])
      if (id !== undefined && outcome === 'created') world.cards.push(id);
    return answer.status;
  },
  'bulk of relations': async (api) => {
    const answer = await api.post<{ results: { id?: string; outcome: string }[] }>('/relations/bulk', {
      mode: 'per_row',
      operations: [
        { op: 'create', type: 'related', ...ends() },
        { op: 'create', type: 'related', ...ends(), valid_to: day(-1) },
        { op: 'delete', id: pick(world.relations) },
        { op: 'update', id: pick(world.relations), valid_to: day(below(3) - 1) },
        { op: 'upsert', type: 'related', ...ends(), valid_to: null },
      ],
    });
    for (const { id, outcome } of answer.body.results ?? [])
      if (id !== undefined && outcome === 'created') world.relations.push(id);
    return answer.status;
  },
};

/** The content of a graph in a defined order. */
function contents({ cards, relations, cardTypes, relationTypes, names }: RelationGraph): string[] {
  const idAt = (data: Int32Array, i: number): string =>
    [...data.subarray(i, i + 4)].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
  const all: string[] = [];
  for (let i = CARD.stride; i <= cards.last * CARD.stride; i += CARD.stride) {
    const [d, start] = [cards.data, cards.data[i + CARD.nameStart]!];
    if (d[i] !== 0)
      all.push(
        `${idAt(d, i)} ${cardTypes.texts[d[i + CARD.type]!]} ${d[i + CARD.active]} ${names.bytes.toString('utf8', start, start + d[i + CARD.nameLength]!)}`,
      );
    for (const [first, next] of [
      [CARD.firstOut, RELATION.nextOut],
      [CARD.firstIn, RELATION.nextIn],
    ] as const) {
      for (let n = d[i + first]!; n !== 0; n = relations.data[n * RELATION.stride + next]!) {
        const [r, j] = [relations.data, n * RELATION.stride];
        all.push(
          `${idAt(r, j)} ${relationTypes.texts[r[j + RELATION.type]!]} ${r[j + RELATION.validTo]} ${idAt(d, r[j + RELATION.source]! * CARD.stride)} ${idAt(d, r[j + RELATION.target]! * CARD.stride)}`,
        );
      }
    }
  }
  return all.sort();
}

for (let n = 0; n < 24; n++) await CHANGES['create']!(viaMemory);
for (let n = 0; n < 40; n++) await CHANGES['relate']!(viaMemory);
await inMemory(memory, viaMemory, world.cards[0]!);

t.test(`${OPERATIONS} changes by two nodes, each followed by requests`, async (t) => {
  const names = Object.keys(CHANGES);
  const done: Record<string, number> = {};
  const { answered } = memory.app.services.impact;
  const before = { ...answered };
  for (let n = 0; n < OPERATIONS; n++) {
    const name = names[n % names.length]!;
    const status = await CHANGES[name]!(random() < 0.5 ? viaMemory : viaSql);
    if (status < 300) done[name] = (done[name] ?? 0) + 1;
    if (status >= 500) t.fail(`${name} gave ${status}`);
    for (let ask = 0; ask < 3; ask++) {
      await same(t, pick(world.cards), {
        direction: pick(['downstream', 'upstream', 'both']),
        depth: 1 + below(6),
        ...(random() < 0.2 && {
          relation_type: pick(['related', 'applicationToDataObject', 'related,applicationToITComponent']),
        }),
      });
    }
    // Deleted cards remain in the list for some rounds, so that they are also requested.
    if (world.cards.length > 40) world.cards.splice(0, 8);
    if (world.relations.length > 80) world.relations.splice(0, 20);
  }
  for (const name of names) t.ok((done[name] ?? 0) >= 3, `${name} was done`);
  t.ok(answered.memory - before.memory >= OPERATIONS * 3 * 0.9, 'from memory');
});

t.test('a change is immediately visible to its author, also with concurrent changes', async (t) => {
  const [center] = [(await viaMemory.post('/cards', { type: 'Application', name: 'center' })).body.id];
  await Promise.all(
    Array.from({ length: 40 }, async (_, n) => {
      const api = n % 2 ? viaMemory : viaSql;
      const {
        body: { id },
      } = await api.post('/cards', { type: 'Application', name: `around ${n}` });
      await api.post('/relations', { type: 'related', source_id: center, target_id: id });
      t.ok((await impactOf(viaMemory, center, { depth: 1 })).nodes.some((node) => node.id === id));
      await api.post(`/cards/${id}/archive`);
      t.notOk((await impactOf(viaMemory, center, { depth: 1 })).nodes.some((node) => node.id === id));
    }),
  );
});

t.test('a node that starts later has the same', async (t) => {
  const later = await testApp({ database });
  t.teardown(later.close);
  const api = client(later.origin, admin.token);
  await inMemory(later, api, world.cards[0]!);
  for (const id of world.cards) await same(t, id, { direction: 'both', depth: 6 }, api);
});

t.test('after lost connections it recovers', async (t) => {
  for (let round = 0; round < 3; round++) {
    await sql(
      database,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    );
    await until(
      async () => (await viaMemory.get('/cards')).status === 200 && (await viaSql.get('/cards')).status === 200,
    );
    const id = await until(async () => {
      const answer = await viaMemory.post('/cards', { type: 'Application', name: `after break ${++named}` });
      return answer.status === 201 && answer.body.id;
    });
    world.cards.push(id);
    await until(
      async () =>
        (await viaMemory.post('/relations', { type: 'related', source_id: id, target_id: world.cards[0] })).status <
        500,
    );
    for (const card of world.cards.slice(-5)) await same(t, card, { direction: 'both', depth: 4 });
  }
  await inMemory(memory, viaMemory, world.cards.at(-1)!);
});

t.test('a graph read during writes and connection losses equals one read without', async (t) => {
  const { db, events } = memory.app.services;
  const log = memory.app.log.child({}, { level: 'silent' });
  let isOver = false;
  const writers = [viaMemory, viaSql, viaMemory, viaSql].map(async (api) => {
    while (!isOver)
      await CHANGES[
        pick([
          'relate',
          'unrelate',
          'change validity',
          'rename',
          'create',
          'delete',
          'archive',
          'restore',
          'bulk',
          'bulk of relations',
        ])
      ]!(api);
  });
  const graphs: GraphMemory[] = [];
  for (let n = 0; n < 12; n++) {
    const graph = new GraphMemory(db, events, log, { most: 100_000, retryMs: 1 });
    graphs.push(graph);
    await graph.fresh();
    if (n % 3 === 0)
      await sql(
        database,
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'lintel-impact' and datname = current_database()`,
      );
    await until(async () => {
      await graph.fresh();
      return graph.held > 0;
    });
  }
  isOver = true;
  await Promise.all(writers);
  const rested = new GraphMemory(db, events, log, { most: 100_000 });
  t.teardown(() => Promise.all([...graphs, rested].map((graph) => graph.close())));
  const expected = contents(await until(() => rested.fresh()));
  t.ok(expected.length > 50, `${expected.length} cards and relations`);
  for (const graph of graphs) t.strictSame(contents(await until(() => graph.fresh())), expected);
});

t.test('changes that cannot be applied cause the graph to be read again', async (t) => {
  const { db, events } = memory.app.services;
  const graph = new GraphMemory(db, events, memory.app.log.child({}, { level: 'silent' }), {
    most: 100_000,
    retryMs: 20,
  });
  t.teardown(() => graph.close());
  const isThere = async (): Promise<unknown> => await until(async () => await graph.fresh());
  const tell = (type: string, data: object, id: string = world.cards[0]!): Promise<unknown> =>
    sql(
      database,
      `insert into event_outbox (type, occurred_at, origin, subject_kind, subject_id, subject_type, subject_name, data)
    values ($1, now(), 'test', split_part($1, '.', 1), $2, 'Application', 'told', $3)`,
      [type, id, JSON.stringify(data)],
    );
  const NOWHERE = '01900000-0000-7000-8000-00000000dead';
  const first = await isThere();
  for (const [type, data, id] of [
    ['relation.turned', {}, NOWHERE],
    ['card.vanished', {}, world.cards[0]!],
    ['card.updated', {}, NOWHERE],
    ['card.archived', {}, NOWHERE],
    ['relation.updated', { changes: [] }, NOWHERE],
    ['relation.created', { source_id: NOWHERE, target_id: world.cards[0], valid_to: null }, NOWHERE],
    ['relation.created', { source_id: world.cards[0], target_id: world.cards[0] }, NOWHERE],
    ['card.updated', {}, 'no uuid'],
  ] as [string, object, string][]) {
    const before = await isThere();
    await tell(type, data, id);
    t.ok(
      (await until(async () => {
        const now = await graph.fresh();
        return now !== before && now;
      })) !== before,
      `${type} ${id}: another graph`,
    );
  }
  const before = await isThere();
  t.ok(before !== first);
  for (const type of ['card.comment_added', 'card.adr_linked', 'user.updated', 'widget.made', 'relation.deleted'])
    await tell(type, {}, NOWHERE);
  // Compared by identity, because the diff of two graphs would be huge.
  t.ok((await isThere()) === before, 'unrelated events do not affect it');
  await sql(database, 'update event_head set position = position - 1');
  t.equal(await graph.fresh(), undefined, 'a log that was set back');
  await sql(database, 'update event_head set position = position + 1');
});

t.test('too many relations, or disabled: never in memory', async (t) => {
  const { db, events, impact } = bare.app.services;
  t.equal(impact.answered.memory, 0);
  const graph = new GraphMemory(db, events, bare.app.log.child({}, { level: 'silent' }), { most: 1, retryMs: 1 });
  t.equal(await graph.fresh(), undefined);
  await graph.close();
  t.equal(await graph.fresh(), undefined);
  t.equal(graph.held, 0);
});

t.test('closing while it is read', async (t) => {
  const { db, events } = bare.app.services;
  const graph = new GraphMemory(db, events, bare.app.log.child({}, { level: 'silent' }), { most: 100_000 });
  t.equal(await graph.fresh(), undefined, 'begins to read');
  await graph.close();
  t.equal(graph.held, 0);
  t.equal(
    (
      await sql<{ n: number }>(
        database,
        `select count(*)::int as n from pg_stat_activity where application_name = 'lintel-impact' and datname = current_database() and state <> 'idle'`,
      )
    )[0]!.n,
    0,
  );
});
