import t from 'tap';
import { ordered } from '../../core/inventory/imports/preview/order.js';
import { registerAdmin, testApp } from '../support/app.js';
import { brief, filler, previewer } from '../support/imports.js';

const { origin, close } = await testApp();
t.teardown(close);
const { api } = await registerAdmin(origin);
const { make, previewed } = previewer(api);

t.test('an order in which every row follows those it depends on', (t) => {
  const levels = (links: [number, number][], at: [number, number][] = []) =>
    Object.fromEntries(
      ordered(
        links.map(([n, on]) => ({ n, on })),
        new Map(at),
      ).map(({ n, level, grp }) => [n, grp === null ? level : `${level} with ${grp}`]),
    );
  t.same(
    levels([
      [1, 2],
      [2, 3],
    ]),
    { 1: 2, 2: 1, 3: 0 },
  );
  t.same(
    levels(
      [
        [1, 2],
        [2, 1],
        [3, 1],
        [2, 4],
      ],
      [[4, 5]],
    ),
    { 1: '6 with 1', 2: '6 with 1', 3: 7, 4: 5 },
  );
  t.same(
    levels([
      [1, 2],
      [1, 3],
      [2, 4],
      [3, 4],
    ]),
    { 1: 2, 2: 1, 3: 1, 4: 0 },
  );
  t.same(
    levels([
      [1, 2],
      [2, 3],
      [3, 1],
      [3, 4],
      [4, 5],
      [5, 4],
    ]),
    { 1: '1 with 1', 2: '1 with 1', 3: '1 with 1', 4: '0 with 4', 5: '0 with 4' },
  );
  const long = 200_000;
  const line = ordered(
    Array.from({ length: long }, (_, i) => ({ n: i, on: i + 1 })),
    new Map(),
  );
  t.equal(line.find(({ n }) => n === 0)!.level, long, 'a chain as long as a file');
  t.end();
});

t.test('cyclic exchanges of names and external ids, within a transaction and across several', async (t) => {
  const swap = async (name: string, between: number): Promise<void> => {
    const [x, y] = [
      await make({ type: 'Application', name: `${name} X`, external_id: `${name}-x` }),
      await make({ type: 'Application', name: `${name} Y`, external_id: `${name}-y` }),
    ];
    const rows = await previewed(
      t,
      [
        { type: 'Application', external_id: `${name}-x`, name: `${name} Y` },
        ...filler(between, name),
        { type: 'Application', external_id: `${name}-y`, name: `${name} X` },
      ],
      name,
    );
    t.strictSame(brief([rows[0]!, rows.at(-1)!]), ['update', 'update']);
    t.strictSame(
      [(await api.get(`/cards/${x.id}`)).body['name'], (await api.get(`/cards/${y.id}`)).body['name']],
      [`${name} Y`, `${name} X`],
    );
    t.equal((await api.get(`/cards/${x.id}`)).body['version'], 2, 'one version each');
    const keys = await previewed(
      t,
      [
        { type: 'Application', id: x.id, external_id: `${name}-y` },
        ...filler(between, `${name} keys`),
        { type: 'Application', id: y.id, external_id: `${name}-x` },
      ],
      `${name}, external ids`,
    );
    t.strictSame(brief([keys[0]!, keys.at(-1)!]), ['update', 'update']);
    t.equal((await api.get(`/cards/${x.id}`)).body['external_id'], `${name}-y`);
  };
  await swap('Near', 0);
  await swap('Across', 2_001);
});

t.test('a value kept by another card cannot be taken', async (t) => {
  const held = await make({ type: 'Application', name: 'Stays', external_id: 'stays' });
  const links = [
    await make({ type: 'Application', name: 'Link 0' }),
    await make({ type: 'Application', name: 'Link 1' }),
    await make({ type: 'Application', name: 'Link 2' }),
  ];
  const blocked = await previewed(
    t,
    [
      { type: 'Application', id: links[0]!.id, name: 'Link 1' },
      { type: 'Application', id: links[1]!.id, name: 'Link 2' },
      { type: 'Application', id: links[2]!.id, name: 'Stays' },
      { type: 'Application', name: 'Link 0' },
      { type: 'Application', name: 'Child', parent: { type: 'Application', name: 'Link 0', path: [] } },
      { type: 'Application', id: links[0]!.id.toUpperCase(), external_id: 'stays' },
    ],
    'a chain whose last name is used',
  );
  t.strictSame(brief(blocked).slice(0, 3), ['invalid name', 'invalid name', 'invalid name']);
  t.ok(held.id);
  const keyHeld = await previewed(
    t,
    [{ type: 'Application', id: links[0]!.id, external_id: 'stays' }],
    'an external id that is used',
  );
  t.strictSame(brief(keyHeld), ['invalid external_id']);
});

t.test('a file full of cards that exchange their names', async (t) => {
  const long = 1_400;
  const first = await previewed(
    t,
    Array.from({ length: long }, (_, i) => ({ type: 'Provider', name: `Queue ${i}`, external_id: `queue-${i}` })),
    'a queue',
  );
  t.equal(first.length, long);
  const shifted = await previewed(
    t,
    Array.from({ length: long }, (_, i) => ({ type: 'Provider', name: `Queue ${i + 1}`, external_id: `queue-${i}` })),
    'all move up by one',
  );
  t.strictSame(new Set(shifted.map(({ verdict }) => verdict)), new Set(['update']));
  const round = await previewed(
    t,
    Array.from({ length: long }, (_, i) => ({
      type: 'Provider',
      name: `Queue ${((i + 2) % long) + 1}`,
      external_id: `queue-${i}`,
    })),
    'and round in a circle',
  );
  t.strictSame(new Set(round.map(({ verdict }) => verdict)), new Set(['update']));
});

t.test('a card is moved below a new one that takes its name', async (t) => {
  const old = await make({ type: 'Application', name: 'ERP', external_id: 'erp-old' });
  await previewed(
    t,
    [
      { type: 'Application', name: 'ERP', external_id: 'erp-group' },
      ...filler(2_001, 'ERP'),
      { type: 'Application', external_id: 'erp-old', parent: { type: 'Application', external_id: 'erp-group' } },
    ],
    'the place of the child',
  );
  t.strictSame((await api.get(`/cards/${old.id}`)).body['path'], ['ERP']);
});
