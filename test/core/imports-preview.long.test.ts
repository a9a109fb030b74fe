import t from 'tap';
import { registerAdmin, makeUser, testApp } from '../support/app.js';
import { brief, filler, lines, previewer, rowsOf, staged } from '../support/imports.js';

const { origin, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const { api } = admin;
const NOBODY = '01900000-0000-7000-8000-00000000dead';
const TREE = 'BusinessCapability';
const TREE_LEVELS = 6;
/** Number of random imports; their seed is the same in each run. */
const ROUNDS = 4;
const SEED = 20_261;

const { make, previewed } = previewer(api);

const chain: { id: string }[] = [];
for (let i = 0; i < TREE_LEVELS; i++)
  chain.push(
    await make({
      type: TREE,
      name: `Chain ${i}`,
      external_id: `chain-${i}`,
      ...(i > 0 && { parent_id: chain[i - 1]!.id }),
    }),
  );
const short = [await make({ type: TREE, name: 'Short 0' })];
short.push(
  await make({ type: TREE, name: 'Short 1', parent_id: short[0]!.id }),
  await make({ type: TREE, name: 'Below short', parent_id: short[0]!.id }),
);
const typed = await api.post('/metamodel/types', {
  key: 'Service',
  label: 'Service',
  has_hierarchy: true,
  allowed_parent_types: ['Service', 'Application'],
  sections: [
    {
      key: 'main',
      label: 'Main',
      fields: [
        { key: 'owner', label: 'Owner', kind: 'user' },
        { key: 'successor', label: 'Successor', kind: 'card_reference' },
      ],
    },
  ],
});
const one = await api.post('/metamodel/relation-types', {
  key: 'runsOne',
  label: 'runs',
  reverse_label: 'is run by',
  source_type: 'Service',
  target_type: 'Application',
  cardinality: '1:1',
  fields: [{ key: 'contact', label: 'Contact', kind: 'user' }],
});

t.test('references of a row must exist, already in the preview', async (t) => {
  t.equal(typed.status, 201, JSON.stringify(typed.body));
  const { id: app } = await make({ type: 'Application', name: 'Named' });
  const rows = await previewed(
    t,
    [
      { type: 'Service', name: 'A', attributes: { owner: NOBODY } },
      { type: 'Service', name: 'B', attributes: { successor: NOBODY } },
      { type: 'Service', name: 'C', attributes: { owner: app } },
      { type: 'Service', name: 'D', attributes: { owner: admin.user.id, successor: app } },
      { type: 'Service', name: 'E', attributes: { owner: 'nobody', successor: 7 } },
      { type: 'Service', name: 'Below A', parent: { type: 'Service', name: 'A', path: [] } },
      { type: 'Service', name: 'F', parent: { id: app } },
      { type: 'Application', name: 'G', parent: { type: 'Service', name: 'D', path: [] } },
      { type: 'Application', name: 'H', parent_id: short[0]!.id },
      { type: 'Provider', name: 'I', parent_id: NOBODY },
    ],
    'references',
  );
  t.strictSame(brief(rows), [
    'invalid attributes.owner',
    'invalid attributes.successor',
    'invalid attributes.owner',
    'create',
    'invalid attributes.owner attributes.successor',
    'invalid parent',
    'create',
    'invalid parent',
    'invalid parent',
    'invalid parent',
  ]);
});

t.test('trees: cycles and levels, with rows in any order and transaction', async (t) => {
  const [a, b, c] = chain as [{ id: string }, { id: string }, { id: string }];
  const circle = await previewed(
    t,
    [
      { type: TREE, id: a.id, parent_id: c.id },
      { type: TREE, id: b.id, parent_id: b.id },
    ],
    'circles',
  );
  t.strictSame(brief(circle), ['invalid parent', 'invalid parent']);
  const two = [await make({ type: TREE, name: 'Two 0' }), await make({ type: TREE, name: 'Two 1' })] as const;
  const far = await previewed(
    t,
    [
      { type: TREE, id: two[0].id, parent_id: two[1].id },
      ...filler(2_001, 'Far'),
      { type: TREE, id: two[1].id, parent_id: two[0].id },
    ],
    'a circle of two transactions',
  );
  t.strictSame(brief([far[0]!, far.at(-1)!]), ['update', 'invalid parent']);

  const deep = await previewed(
    t,
    [
      { type: TREE, name: 'Too deep', parent: { type: TREE, external_id: 'chain-5' } },
      { type: TREE, name: 'Too', parent: { type: TREE, external_id: 'chain-4' } },
      {
        type: TREE,
        name: 'Below too',
        parent: { type: TREE, name: 'Too', path: Array.from({ length: 5 }, (_, i) => `Chain ${i}`) },
      },
    ],
    'levels of new cards',
  );
  t.strictSame(brief(deep), ['invalid parent', 'create', 'invalid parent']);
  const subtree = await previewed(
    t,
    [
      { type: TREE, id: short[0]!.id, parent_id: chain[4]!.id },
      { type: TREE, name: 'On the last', parent_id: chain[4]!.id },
    ],
    'a card below a moved card',
  );
  t.strictSame(brief(subtree), ['invalid parent', 'create']);
  t.match(subtree[0]!.errors, [{ reason: /would put a card below it on level 7; BusinessCapability has 6/ }]);
  const later = await previewed(
    t,
    [
      { type: TREE, name: 'New below short', parent_id: short[1]!.id },
      ...filler(2_001, 'Later'),
      { type: TREE, id: short[0]!.id, parent_id: chain[3]!.id },
    ],
    'a card that an earlier row moves below a moved card',
  );
  t.strictSame(brief([later[0]!, later.at(-1)!]), ['create', 'invalid parent']);
  const along = await previewed(
    t,
    [
      { type: TREE, id: short[0]!.id, parent_id: chain[2]!.id },
      ...filler(2_001, 'Along'),
      { type: TREE, name: 'One more', parent: { id: later[0]!.id ?? short[2]!.id } },
    ],
    'where earlier rows would have moved it',
  );
  t.strictSame(brief([along[0]!, along.at(-1)!]), ['update', 'create']);
});

t.test('relations: references, cardinality, and permissions', async (t) => {
  t.equal(one.status, 201, JSON.stringify(one.body));
  const [s1, s2, s3] = [
    await make({ type: 'Service', name: 'S1' }),
    await make({ type: 'Service', name: 'S2' }),
    await make({ type: 'Service', name: 'S3' }),
  ];
  const [a1, a2, a3] = [
    await make({ type: 'Application', name: 'A1' }),
    await make({ type: 'Application', name: 'A2' }),
    await make({ type: 'Application', name: 'A3' }),
  ];
  t.equal((await api.post('/relations', { type: 'runsOne', source_id: s1.id, target_id: a1.id })).status, 201);
  const runs = (source_id: string, target_id: string, more = {}) => ({
    relation: { type: 'runsOne', source_id, target_id, ...more },
  });
  const rows = await previewed(
    t,
    [
      runs(s1.id, a2.id),
      runs(s2.id, a1.id),
      runs(s2.id, a2.id, { attributes: { contact: NOBODY } }),
      runs(s2.id, a2.id, { attributes: { contact: 'nobody' } }),
      runs(s2.id, a2.id, { attributes: { contact: admin.user.id } }),
      runs(s2.id, a3.id),
      runs(s3.id, a3.id),
      { type: 'Service', name: 'S new' },
      { relation: { type: 'runsOne', source: { type: 'Service', name: 'S new' }, target_id: a3.id } },
    ],
    'relations',
  );
  t.strictSame(brief(rows), [
    'invalid source',
    'invalid target',
    'invalid attributes.contact',
    'invalid attributes.contact',
    'create',
    'invalid source',
    'create',
    'create',
    'invalid target',
  ]);
  const { body: role } = await api.post<{ key: string }>('/roles', {
    key: 'cards_only',
    label: 'Cards only',
    permissions: ['cards.view', 'cards.import', 'cards.create', 'cards.edit'],
  });
  const limited = await makeUser(admin, role.key);
  const read = await staged(
    limited.api,
    'ndjson',
    lines([
      { type: 'Service', name: 'S own' },
      { relation: { type: 'runsOne', source: { type: 'Service', name: 'S own' }, target_id: a1.id } },
    ]),
  );
  t.strictSame(brief(await rowsOf(api, read.id)), ['create', 'invalid ']);
});

t.test('random imports: no row fails that the preview accepted', async (t) => {
  let seed = SEED;
  const random = (n: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor(seed / 65_536) % n;
  };
  const pick = <T>(list: readonly T[]): T => list[random(list.length)]!;
  for (let round = 0; round < ROUNDS; round++) {
    const cards: { id: string; external_id: string }[] = [];
    for (let i = 0; i < 14; i++) {
      const parent = i > 3 && random(3) > 0 ? pick(cards) : undefined;
      const { status, body } = await api.post<{ id: string }>('/cards', {
        type: TREE,
        name: `R${round} ${i}`,
        external_id: `r${round}-${i}`,
        ...(parent && { parent_id: parent.id }),
      });
      if (status === 201) cards.push({ id: body.id, external_id: `r${round}-${i}` });
    }
    const rows = Array.from({ length: 40 }, (_, i): Record<string, unknown> => {
      const parents = [
        undefined,
        null,
        { id: pick(cards).id },
        { id: pick(cards).id },
        { type: TREE, external_id: pick(cards).external_id },
        { type: TREE, external_id: `r${round}-new-${random(40)}` },
      ];
      const parent = pick(parents);
      const own =
        random(3) === 0
          ? { external_id: `r${round}-new-${i}`, name: `R${round} ${pick(['', 'new '])}${random(20)}` }
          : {
              ...(random(2) === 0
                ? { id: pick(cards).id, ...(random(4) === 0 && { external_id: pick(cards).external_id }) }
                : { external_id: pick(cards).external_id }),
              ...(random(2) === 0 && { name: `R${round} ${random(20)}` }),
            };
      return { type: TREE, ...own, ...(parent !== undefined && { parent }) };
    });
    const spread =
      round % 2 === 0 ? rows : [...rows.slice(0, 20), ...filler(2_001, `Round ${round}`), ...rows.slice(20)];
    const before = await previewed(t, spread, `round ${round}`);
    t.ok(
      before.some(({ verdict, type }) => verdict === 'update' && type === TREE),
      `round ${round} writes something`,
    );
    t.ok(
      before.some(({ verdict }) => verdict === 'invalid'),
      `round ${round} refuses something`,
    );
  }
});
