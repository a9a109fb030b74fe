/** Versions and cycles: their order, and which release a version belongs to. */
import t from 'tap';
import { commonSupport, findCycle, isBehind, type Release } from '../feeds/cycles.js';
import { compareVersions, parseVersion } from '../feeds/versions.js';

const compare = (a: string, b: string): number | undefined => {
  const [x, y] = [parseVersion(a), parseVersion(b)];
  return x && y ? compareVersions(x, y) : undefined;
};

t.test('versions are ordered as their products order them', async (t) => {
  for (const chain of [
    ['1.9', '1.10', '1.10.1', '2'],
    ['1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-beta', '1.0.0-rc.1', '1.0.0', '1.0.1'],
    ['1.0dev1', '1.0a1', '1.0b2', '1.0rc1', '1.0', '1.0.post1'],
    ['10.0.9.9', '10.0.19045.1', '10.0.19045.22'],
    ['1.0.2', '1.0.2a', '1.0.2k', '1.0.2z', '1.0.2za', '1.1.0'],
    ['2024-12-31', '2025-01-02', '2025-10-01'],
    ['22.04', '22.10', '24.04 LTS'],
    ['23H2', '24H1', '24H2'],
    ['2008', '2008 R2', '2012', '2012 R2', '2016'],
    ['9.9', '1:0.1', '1:0.2'],
    ['8u45', '8u202', '9'],
    ['12 SP4', '12 SP5', '15'],
    ['1.2-1', '1.2-2', '1.2-10'],
  ])
    for (const [i, low] of chain.entries())
      for (const high of chain.slice(i + 1)) {
        t.ok(compare(low, high)! < 0, `${low} < ${high}`);
        t.ok(compare(high, low)! > 0, `${high} > ${low}`);
      }
  for (const [a, b] of [
    ['1.0', '1.0.0'],
    ['v3.2', '3.2'],
    ['1.2+build.7', '1.2'],
    ['10.0.0.Final', '10'],
    ['22.04 LTS', '22.04'],
    ['Version 4', '4.0'],
  ] as const)
    t.equal(compare(a, b), 0, `${a} = ${b}`);
  for (const [a, b] of [
    ['2025-08-25', '20.4'],
    ['2019 LTSC', '2019 SAC'],
    ['24H2', '24.2'],
  ] as const)
    t.equal(compare(a, b), undefined, `${a} ? ${b}`);
  for (const odd of [
    '',
    'xenial',
    'Baseline 3.6',
    'LTSC',
    'R2',
    'ultra-3',
    '1.2-foo',
    '1'.repeat(16),
    '1.'.repeat(40),
    '１.２',
  ])
    t.equal(parseVersion(odd), undefined, odd);
});

const release = (cycle: string, more: Partial<Release> = {}): Release => ({
  cycle,
  label: null,
  eol: false,
  eoas: null,
  latest: null,
  ...more,
});
const found = (version: string | null, ...releases: Release[]): unknown => {
  const { releases: all, reason } = findCycle(version, releases);
  return reason ?? all[0]!.cycle;
};

t.test('a version belongs to the most exact release that contains it, or to none', async (t) => {
  const numbers = ['9', '9.4', '10', '1.1', '1.10'].map((cycle) => release(cycle));
  t.equal(found('9.4.2', ...numbers), '9.4');
  t.equal(found('9.3', ...numbers), '9');
  t.equal(found('1.10.3', ...numbers), '1.10');
  t.equal(found('1', ...numbers), 'imprecise_version');
  t.equal(found('11', ...numbers), 'unknown_version');
  t.equal(found('nightly', ...numbers), 'odd_version');
  t.equal(found(null, ...numbers), 'no_version');
  const windows = ['2025', '2012-R2', '2012', '2008-R2-SP1', '2019', '1909-sac'].map((cycle) => release(cycle));
  t.equal(found('2012 R2', ...windows), '2012-R2');
  t.equal(found('2012', ...windows), '2012');
  t.equal(found('2016 R2', release('2016')), 'unknown_version', 'R2 is a release of its own');
  t.equal(found('12 SP4', release('12')), 'unknown_version');
  t.equal(found('8u202', release('8')), '8');
  t.equal(found('19c', release('19', { label: '19c' }), release('21', { label: '21c' })), '19');
  t.equal(found('2019', release('15.0', { label: '2019' }), release('16.0', { label: "2022 'Dallas'" })), '15.0');
  t.equal(found('24H2', release('11-24h2-e'), release('11-24h2-w')), 'imprecise_version');
  t.equal(found('1.0.2k', release('1.0.2'), release('1.0')), '1.0.2');
});

t.test('support has ended after its last day, and of several releases if it has ended for all', async (t) => {
  const [day, soon] = ['2026-01-15', '2026-07-15'];
  const state = (...ends: Release['eol'][]): unknown =>
    commonSupport(
      ends.map((eol) => release('1', { eol })),
      day,
      soon,
    );
  t.equal(state('2026-01-14'), 'ended');
  t.equal(state('2026-01-15'), 'ending');
  t.equal(state('2026-07-15'), 'ending');
  t.equal(state('2026-07-16'), 'supported');
  t.equal(state(true, '2020-01-01'), 'ended');
  t.equal(state(true, false), undefined);
  t.equal(state(null), 'unknown');
  t.ok(isBehind('9.4.2', release('9.4', { latest: '9.4.10' })));
  t.notOk(isBehind('9.4.10', release('9.4', { latest: '9.4.10' })));
  t.notOk(isBehind('9.4', release('9.4', { latest: '9.4.10' })), 'the release, but no patch is named');
  t.notOk(isBehind('9.4.2', release('9.4', { latest: '10.1' })));
});
