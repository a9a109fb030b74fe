/** The rules by which names and cards are compared, in tables of cases. */
import { TimeSlice } from '@lintel/sdk';
import t from 'tap';
import { clustersOf, type ClusterPair } from '../duplicates/clusters.js';
import type { CardInput } from '../duplicates/definition.js';
import { PairFinder } from '../duplicates/finder.js';
import { recommendationOf, type CardFigures } from '../duplicates/recommendation.js';
import { fold, soundOf } from '../matching/fold.js';
import { Keyed } from '../matching/keyed.js';
import { editDistance, jaroWinkler } from '../matching/similarity.js';
import { groupKeys, NameLinks } from '../suppliers/grouping.js';
import { lockInOf } from '../suppliers/lock-in.js';
import { readName, sameName } from '../suppliers/names.js';
import { namedPairs, ownedPairs, treeOf } from '../suppliers/tree.js';

t.test('texts are folded, and distances counted', (t) => {
  for (const [text, folded] of [
    ['Ærø Straße', 'aero strasse'],
    ['Łódź', 'lodz'],
    ['Газпром Нефть', 'gazprom neft'],
    ['Ελληνικά Πετρέλαια', 'ellinika petrelaia'],
    ['ＡＣＭＥ ﬁnance', 'acme finance'],
    ['東京', '東京'],
  ] as const)
    t.equal(fold(text), folded);
  t.equal(soundOf('tchaikovskii'), soundOf('chaikovsky'));
  for (const [a, b, n] of [
    ['abc', 'abc', 0],
    ['abcd', 'acbd', 1],
    ['abcd', 'abxcd', 1],
    ['abcd', 'wxyz', 3],
  ] as const)
    t.equal(editDistance(a, b, 2), n);
  // Winkler's own examples.
  for (const [a, b, value] of [
    ['martha', 'marhta', 0.961],
    ['dwayne', 'duane', 0.84],
    ['dixon', 'dicksonx', 0.813],
  ] as const)
    t.equal(Math.round(jaroWinkler(a, b) * 1_000) / 1_000, value);
  t.end();
});

t.test('the key of a supplier has no legal form, country, article and accents', (t) => {
  for (const [key, names] of Object.entries({
    acme: [
      'Acme',
      'ACME Inc.',
      'Acme, Inc',
      'The Acme Corporation',
      'Acme S.p.A.',
      'Acme GmbH & Co. KG',
      'Acme Deutschland GmbH',
      'Acme Sp. z o.o.',
      'Acme (UK) Ltd',
      'Acme S.A. de C.V.',
      'acme.com',
      'Acme Pty Ltd',
      'Acme, a Globex company',
    ],
    akme: ['ООО «Акме»', 'Акме'],
    'air france': ['Air France', 'Air France S.A.'],
    'bank america': ['Bank of America', 'Bank of America N.A. Corp'],
    'at t': ['AT&T', 'AT & T Inc.'],
    'globex technology': ['Globex Technologies', 'Globex Tech'],
  }))
    for (const name of names) {
      const read = readName(name)?.key;
      // "N.A." is a part of the name.
      t.equal(read, name.includes('N.A.') ? 'bank america na' : key, name);
    }
  for (const name of ['', ' - ', 'n/a', 'Unknown', 'In-house', '?']) t.equal(readName(name), undefined, name);
  for (const [name, other] of [
    ['AINS dba OPEXUS', 'opexus'],
    ['SMX (Formerly Smartronix)', 'smartronix'],
    ['Ontario Systems, LLC d/b/a Finvi', 'finvi'],
    ['Center for Translational Data Science (CTDS)', 'ctds'],
  ] as const)
    t.ok(readName(name)!.others.includes(other), `${name}: ${readName(name)!.others.join()}`);
  t.end();
});

const link = (a: string, b: string): string | undefined =>
  new NameLinks([['Initech', 'Initrode']]).link(readName(a)!, readName(b)!)?.reason;

t.test('two names are one supplier, or two', (t) => {
  for (const [a, b, reason] of [
    ['IBM', 'International Business Machines Corp.', 'alias'],
    ['Initrode Ltd', 'Initech', 'alias'],
    ['Mule Soft', 'MuleSoft, Inc.', 'same_words'],
    ['Systems Globex', 'Globex Systems', 'word_order'],
    ['Microsfot', 'Microsoft Corporation', 'misspelling'],
    ['Globex Logistics', 'Globex Logsitics', 'misspelling'],
    ['Smartronix Inc', 'SMX (formerly Smartronix)', 'stated'],
    ['Chaikovskiy', 'Tchaikovskii', 'romanisation'],
    ['Qlik Technologies Inc.', 'Qlik', 'descriptor'],
  ] as const)
    t.equal(link(a, b), reason, `${a} = ${b}`);
  for (const [a, b] of [
    ['Delta Air Lines', 'Delta Faucet'],
    ['Akamai', 'Akamas'],
    ['Okta', 'Okra'],
    ['Microsoft', 'Microsoft Azure'],
    ['United Solutions', 'United Airlines'],
    ['Area 51', 'Area 52'],
    ['General Electric', 'General Motors'],
    ['Tanium', 'Titanium'],
    ['American Express', 'American Airlines'],
  ] as const)
    t.equal(link(a, b), undefined, `${a} ≠ ${b}`);
  t.equal(sameName('globex', 'globex')!.score, 1);
  t.end();
});

t.test('names are grouped by complete linkage, and never across decisions', async (t) => {
  const group = async (names: readonly (readonly [string, string?])[]) =>
    (
      await groupKeys(
        names.map(([key, supplier]) => ({ key, others: [], count: 1, supplier: supplier ?? null })),
        new NameLinks([]),
        new TimeSlice(),
      )
    )
      .map(({ keys }) => keys.join(', '))
      .sort();
  t.strictSame(await group([['marketlogic'], ['marketlogik'], ['other']]), ['marketlogic, marketlogik', 'other']);
  // Each is alike to the next one only.
  t.strictSame(await group([['abcdefgh'], ['abcdefgx'], ['abcdefyx']]), ['abcdefgh, abcdefgx', 'abcdefyx']);
  t.strictSame(
    await group([
      ['marketlogic', 'a'],
      ['marketlogik', 'b'],
    ]),
    ['marketlogic', 'marketlogik'],
  );
  t.strictSame(await group([['alpha', 'a'], ['omega', 'a'], ['alphas']]), ['alpha, omega', 'alphas']);
});

t.test('values are sorted by keys of more than 32 bits, and stay in their order', (t) => {
  const keyed = new Keyed();
  const keys = [2 ** 45 + 3, 7, 2 ** 33, 0, 7, 2 ** 45 + 3, 65_536, 1];
  for (const [i, key] of keys.entries()) keyed.push(key, i);
  t.strictSame(
    [...keyed.sort().groups()].map((group) => [...group]),
    [[3], [7], [1, 4], [6], [2], [0, 5]],
  );
  t.strictSame([...keyed.at(7)], [1, 4]);
  t.strictSame([...keyed.at(8)], []);
  t.strictSame([...new Keyed().sort().groups()], []);
  t.end();
});

/** Records the processor time between two portions of work, in milliseconds. */
class WatchedSlice extends TimeSlice {
  most = 0;
  private last = process.cpuUsage();

  override async next(): Promise<void> {
    this.most = Math.max(this.most, process.cpuUsage(this.last).user / 1_000);
    await super.next();
    this.last = process.cpuUsage();
  }
}

t.test('names are grouped in portions that others do not notice', async (t) => {
  const syllables = ['ba', 'ce', 'di', 'fo', 'gu', 'ha', 'je', 'ki', 'lo', 'mu', 'na', 'pe', 'ri', 'so', 'tu', 'va'];
  const nameOf = (i: number): string => {
    const part = (n: number): string => syllables[Math.floor(n) % 16]!;
    return `${part(i)}${part(i / 16)}${part(i / 256)} ${part(i * 7)}${part(i / 4_096)}${part(i / 31)}`;
  };
  const input = Array.from({ length: 20_000 }, (_, i) => ({
    ...{ key: nameOf(i), others: [], count: 1 + (i % 5), supplier: null },
  }));
  const slice = new WatchedSlice();
  await groupKeys(input, new NameLinks([]), slice);
  t.ok(slice.most > 0);
  // 370 ms when all keys of the index were computed and sorted at once.
  t.ok(slice.most < 150, `${slice.most} ms`);
});

t.test('suppliers are a tree by evidence, without circles', (t) => {
  const row = (id: string, key: string) => ({ id, name: key, keys: [key], dependants: 1, spend: null, share: null });
  const rows = [
    row('1', 'microsoft'),
    row('2', 'microsoft azure'),
    row('3', 'github'),
    row('4', 'delta'),
    row('5', 'delta air'),
  ];
  t.strictSame(ownedPairs(rows), [
    { child: '3', parent: '1' },
    { child: '2', parent: '1' },
  ]);
  t.strictSame(namedPairs(rows), [
    { child: '2', parent: '1' },
    { child: '5', parent: '4' },
  ]);
  const tree = treeOf(rows, [
    ['hierarchy', [{ child: '1', parent: '3' }]],
    ['known_owner', ownedPairs(rows)],
  ]);
  t.strictSame(
    tree.map(({ id, parent_id, evidence }) => [id, parent_id, evidence]),
    [
      ['3', null, null],
      ['1', '3', 'hierarchy'],
      ['2', '1', 'known_owner'],
      ['4', null, null],
      ['5', null, null],
    ],
  );
  t.end();
});

t.test('the lock-in is that of the formula', (t) => {
  const options = ['high', 'low'].map((key) => ({ key, label: key }));
  const card = (id: string, criticality: string | null, replaceable: number) => ({
    ...{ id, name: id, type: 'Application', criticality, replaceable, cost: null },
  });
  const { lock_in, shown } = lockInOf([card('a', null, 1), card('b', 'high', 0), card('c', 'low', 0.5)], options);
  // (1 · 0 + 2 · 1 + 1 · 0.5) / 4
  t.equal(lock_in.score, 62.5);
  t.strictSame(
    shown.map(({ id }) => id),
    ['b', 'c', 'a'],
  );
  t.match(lock_in.by_criticality, [
    { key: 'high', count: 1, irreplaceable: 1 },
    { key: 'low' },
    { key: null, irreplaceable: 0 },
  ]);
  t.equal(lockInOf([], options).lock_in.score, null);
  t.end();
});

/** The score of two cards in a landscape with many others. */
function compare(a: Partial<CardInput>, b: Partial<CardInput>) {
  const finder = new PairFinder();
  const card = (id: string, more: Partial<CardInput>): CardInput => ({
    ...{ id, name: '', alias: null, text: null, parent: null, related: [], linked: [] },
    ...more,
  });
  finder.add([
    card('a', a),
    card('b', b),
    ...['Alpha Desk', 'Beta Planner', 'Gamma Store'].map((name, i) => card(`z${i}`, { name })),
  ]);
  return finder.match(0, finder.size)[0];
}

t.test('cards with these names are one', (t) => {
  for (const [a, b, reason] of [
    ['Zentora Invoice Archive', 'Zentora Invoice Archive', 'same_name'],
    ['Zentora Invoice Archive', 'Archive Zentora Invoices', 'same_words'],
    ['Zentora Planner', 'Zentroa Planner', 'misspelling'],
    ['Zentora Contract Management', 'Zentora Contract Mgmt', 'same_name'],
    ['Zentora Distribution', 'Zentora Distr', 'same_name'],
    ['Zentora Lohnabrechnung', 'Zentora Payroll', 'same_name'],
    ['Zentora Gestion des Fournisseurs', 'Zentora Supplier Administration', 'same_words'],
    ['Склад Запчастей', 'Sklad Zapchastej', 'misspelling'],
    ['DataHarbour Portal', 'Dataharbour Portal', 'compound'],
    ['Zentora Customer Relationship Management', 'Zentora CRM', 'same_name'],
    ['Zentora GmbH Payroll', 'Zentora Payroll', 'same_name'],
    ['OpenHarbour', 'Opnharbour', 'misspelling'],
  ] as const) {
    const pair = compare({ name: a }, { name: b });
    t.ok(pair, `${a} = ${b}`);
    t.ok(pair?.evidence.reasons.includes(reason), `${a} = ${b}: ${pair?.evidence.reasons.join()}`);
  }
  t.ok(compare({ name: 'Zentora Desk', alias: 'Ticket Hub, ZD' }, { name: 'Ticket Hub' }), 'by an alias');
  t.end();
});

t.test('cards that look alike are two, whatever they share', (t) => {
  const text = 'Plans the maintenance of machines in halls and orders spare parts at suppliers in time';
  const related = [{ id: 'c', group: 'capabilities' as const }];
  for (const [a, b] of [
    ['Zentora 2019', 'Zentora 2022'],
    ['Zentora v1', 'Zentora v2'],
    ['Zentora II', 'Zentora III'],
    ['Zentora 10.1', 'Zentora 10.2'],
    ['Zentora', 'Zentora Test'],
    ['Zentora DEV', 'Zentora PROD'],
    ['Zentora (Abnahme)', 'Zentora'],
    ['Zentora Germany', 'Zentora France'],
    ['Zentora DE', 'Zentora FR'],
    ['Zentora EMEA', 'Zentora'],
    ['Plant Control Kassel', 'Plant Control Reims'],
    ['Node 01', 'Node 02'],
    ['Zentora SP1', 'Zentora SP2'],
    ['Zentora Legacy', 'Zentora'],
    ['Inbound Gateway', 'Outbound Gateway'],
    ['Zentora Pro', 'Zentora Pro Max'],
  ] as const)
    t.equal(compare({ name: a, text, related }, { name: b, text, related }), undefined, `${a} ≠ ${b}`);
  const same = { name: 'Zentora Planner', text };
  t.equal(compare(same, { ...same, parent: 'a' }), undefined, 'one above the other');
  t.equal(compare(same, { ...same, linked: ['a'] }), undefined, 'with a relation');
  t.ok(compare(same, same));
  t.end();
});

t.test('descriptions and shared relations make cards alike, and are named', (t) => {
  const text = 'Books rooms and parking places, prints badges for visitors and informs the reception about arrivals';
  const related = [
    { id: 'c1', group: 'capabilities' as const },
    { id: 'u1', group: 'users' as const },
  ];
  const [a, b] = [
    { name: 'Zentora', text },
    { name: 'Kalmivo', text },
  ];
  t.equal(compare(a, b), undefined, 'a description alone is not enough');
  t.equal(compare({ ...a, related }, { ...b, related: [{ id: 'c2', group: 'capabilities' }] }), undefined);
  const pair = compare({ ...a, related }, { ...b, related });
  t.match(pair, {
    evidence: { relations: 1, text: 1, reasons: ['alike_text', 'shared_capabilities', 'shared_users'] },
  });
  t.strictSame(pair!.shared.map(({ id }) => id).sort(), ['c1', 'u1'], 'cards without which it would be no finding');
  t.strictSame(compare({ name: 'Zentora Planner', related }, { name: 'Zentora Planner', related })!.shared, []);
  t.end();
});

t.test('clusters are no chains, and have no dismissed pair', (t) => {
  const pair = (a: string, b: string, score = 90, state = 'pending'): ClusterPair => ({
    id: a + b,
    a,
    b,
    score,
    state,
  });
  const cards = (pairs: ClusterPair[]): string[] =>
    clustersOf(pairs)
      .map((cluster) => cluster.cards.join(''))
      .sort();
  t.strictSame(cards([pair('a', 'b'), pair('b', 'c'), pair('a', 'c')]), ['abc']);
  t.strictSame(cards([pair('a', 'b', 95), pair('b', 'c', 90), pair('c', 'd', 94), pair('d', 'e', 80)]), ['ab', 'cd']);
  t.strictSame(cards([pair('a', 'b', 95), pair('c', 'd', 94), pair('b', 'c', 80, 'confirmed')]), ['abcd']);
  t.strictSame(cards([pair('a', 'b'), pair('b', 'c'), pair('a', 'c', 99, 'dismissed')]), ['ab']);
  t.strictSame(cards([pair('a', 'b', 99, 'dismissed')]), []);
  t.end();
});

t.test('the card to keep has the most reasons', (t) => {
  const card = (id: string, more: Partial<CardFigures> = {}): CardFigures => ({
    ...{ id, phase: 'active', approval_status: 'DRAFT', data_quality: 50, relations: 1, users: null, cost: null },
    ...more,
  });
  t.strictSame(recommendationOf([card('b'), card('a')]), { keep: 'a', reasons: [] });
  t.strictSame(recommendationOf([card('a', { phase: 'endOfLife' }), card('b')]), { keep: 'b', reasons: ['in_use'] });
  t.strictSame(
    recommendationOf([card('a', { users: 5, relations: 4 }), card('b', { users: 50, cost: 10 }), card('c')]),
    { keep: 'b', reasons: ['most_users'] },
    'costs count only where all are known',
  );
  t.strictSame(recommendationOf([card('a', { cost: 20 }), card('b', { cost: 10 })]).reasons, ['lowest_cost']);
  t.end();
});
