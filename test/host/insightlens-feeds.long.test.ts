/**
 * The feeds against the demo landscape and the FedRAMP marketplace: findings equal those of a computation that shares no code with
 * the module, and decisions are kept over ten runs with changed data.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { DemoClient } from '../../config/demo/client.js';
import { storeLandscape } from '../../config/demo/demo.js';
import { buildLandscape } from '../../config/demo/landscape.js';
import { Progress } from '../../config/demo/progress.js';
import { BulkClient } from '../e2e/client.js';
import { loadFedramp } from '../e2e/load-fedramp.js';
import {
  DATA_DIR,
  dataAbsent,
  expectStatus,
  makeUser,
  registerAdmin,
  sql,
  testApp,
  type AnyBody,
  type Session,
  type TestApp,
} from '../support/app.js';
import { all, analyse, upload } from '../../plugins/insightlens/test/support/uploads.js';
import { expectedOf, type Expected, type PlainCard } from '../../plugins/insightlens/test/support/independent-feeds.js';

const withData = { skip: dataAbsent };
interface World {
  origin: string;
  database: TestApp['database'];
  admin: Session;
  viewer: Session;
}
// Two landscapes, since both have providers of the same names.
async function world(): Promise<World> {
  const { origin, database, close } = await testApp();
  t.teardown(close);
  const admin = await registerAdmin(origin);
  return { origin, database, admin, viewer: await makeUser(admin, 'viewer') };
}
const [demo, fedramp] = [await world(), await world()];

/** Cards with their suppliers, read from the tables directly. */
async function cardsNow({ database }: World): Promise<PlainCard[]> {
  return await sql<PlainCard>(
    database,
    `select c.id::text, c.type, coalesce(nullif(c.attributes->>'productName', ''), c.name) as name, c.attributes->>'version' as version,
        array(select p.name from relations r join cards p on p.id = r.source_id and p.status = 'ACTIVE'
          where r.target_id = c.id and r.type in ('providerToApplication', 'providerToITComponent') order by p.id) as suppliers
      from card_rows c where c.type in ('Application', 'ITComponent') and c.status = 'ACTIVE' order by c.id`,
  );
}

async function foundNow({ viewer }: World): Promise<Expected> {
  const of = async (rule: string): Promise<AnyBody[]> =>
    await all(viewer.api, '/insightlens/findings', { kind: 'security', rule });
  const subject = ({ cards }: AnyBody): string =>
    (cards as { id: string; role: string }[]).find(({ role }) => role === 'subject')!.id;
  const evidence = (finding: AnyBody): AnyBody => finding['evidence'] as AnyBody;
  return {
    ended: (await of('release-ended'))
      .map((f) => `${subject(f)} ${String(evidence(f)['product'])} ${String(evidence(f)['support'])}`)
      .sort(),
    exploited: (await of('known-exploited')).map((f) => `${subject(f)} ${String(evidence(f)['cve'])}`).sort(),
  };
}

const folder = join(DATA_DIR, 'lifecycles-endoflife');
const kevText = dataAbsent
  ? ''
  : readFileSync(join(DATA_DIR, 'vulnerabilities-kev/known_exploited_vulnerabilities.json'), 'utf8');
const pages = dataAbsent
  ? []
  : readdirSync(folder)
      .filter((name) => name.endsWith('.md') && name !== 'README.md')
      .map((name) => ({ name, content: readFileSync(join(folder, name), 'utf8') }));

// Components whose exploited or ended products are known, with and without their supplier.
const MADE = [
  ['Microsoft Exchange Server', '2016', null],
  ['WebLogic Server', '12.2', 'Oracle'],
  ['PAN-OS', '10.1', 'Palo Alto Networks'],
  ['PAN-OS', '10.1', 'Palo Alto Networks, Inc.'],
  ['FortiOS', '7.0', null],
  ['Ubuntu 16.04 LTS', null, null],
  ['Node.js v14.21.3', null, null],
  ['python 2.7.18', null, null],
  ['Oracle Database', '12.1', null],
  ['Redis', '7:1', null],
  ['macOS', 'Ventura', null],
  ['RabbitMQ', 'nightly build', null],
] as const;

async function checkFeeds(t: Test, at: World): Promise<AnyBody[]> {
  const { api } = at.admin;
  for (const [name, version, supplier] of MADE) {
    const attributes = version === null ? {} : { version };
    const [provider] = await sql<{ id: string }>(
      at.database,
      `select id from cards where type = 'Provider' and name = $1`,
      [supplier],
    );
    if (supplier !== null && !provider) continue;
    const card = expectStatus(await api.post('/cards', { type: 'ITComponent', name, attributes }), 201, name).body.id;
    if (!provider) continue;
    const relation = { type: 'providerToITComponent', source_id: provider.id, target_id: card };
    expectStatus(await api.post('/relations', relation), 201, name);
  }
  expectStatus(await upload(api, 'kev', [{ name: 'kev.json', content: kevText }]), 200, 'vulnerabilities');
  t.equal(expectStatus(await upload(api, 'endoflife', pages), 200, 'dates').body['entries'], pages.length);
  const run = await analyse(api);
  const cards = await cardsNow(at);
  const expected = expectedOf(cards, pages, kevText, String(run['created_at']).slice(0, 10));
  const found = await foundNow(at);
  const names = new Map(cards.map(({ id, name }) => [id, name]));
  const named = (lines: readonly string[]): string[] =>
    lines.map((line) => `${names.get(line.slice(0, 36))!}${line.slice(36)}`).sort();
  t.strictSame(named(found.ended), named(expected.ended), 'release-ended');
  t.strictSame(named(found.exploited), named(expected.exploited), 'known-exploited');
  t.ok(found.ended.length >= 4 && found.exploited.length >= 30);
  const unmatched = await all(at.viewer.api, '/insightlens/feeds/unmatched', {
    reason: 'imprecise_version,odd_version,unknown_version,no_version',
  });
  t.comment(`${cards.length} cards, ended: ${named(found.ended).join('; ')}; exploited: ${found.exploited.length}`);
  t.comment(unmatched.map(({ name, slug, release, reasons }) => [name, slug, release, reasons].join(' | ')).join('\n'));
  return unmatched;
}

t.test('findings of the demo equal an independent computation', withData, async (t) => {
  const client = new DemoClient(demo.origin);
  await client.logIn(demo.admin.user.email, demo.admin.password);
  const { refused } = await storeLandscape(client, buildLandscape(), new Progress({ write: () => true }, 1));
  t.strictSame(refused, []);
  const unmatched = await checkFeeds(t, demo);
  t.ok(
    unmatched.some(({ name }) => name === 'Kong Gateway'),
    'a version less exact than the releases is listed',
  );
  const odd = await all(demo.viewer.api, '/insightlens/feeds/odd-versions');
  for (const slug of ['apple-watch', 'iphone', 'nvidia-gpu', 'anthropic-claude'])
    t.ok(
      odd.some((one) => one['slug'] === slug),
      slug,
    );
});

t.test('findings of FedRAMP equal an independent computation', withData, async (t) => {
  await loadFedramp(new BulkClient(fedramp.origin, fedramp.admin.token), join(DATA_DIR, 'inventory-fedramp'));
  const unmatched = await checkFeeds(t, fedramp);
  t.ok(
    unmatched.some(({ name }) => name === 'RabbitMQ'),
    'a version without an order is listed',
  );
});

t.test('decisions are kept over ten runs with changed data', withData, async (t) => {
  const { viewer, database } = demo;
  const { api } = demo.admin;
  const findings = await all(viewer.api, '/insightlens/findings', {
    kind: 'security',
    rule: 'release-ended,known-exploited,owner-missing,single-point',
  });
  const decided = new Map<string, string>();
  const states = ['in_review', 'accepted', 'not_applicable', 'risk_tracked'];
  const operations = findings.slice(0, 200).map(({ id }, i) => {
    const to = states[i % states.length]!;
    decided.set(String(id), to);
    return { id, to, note: `Decision ${i}.` };
  });
  expectStatus(await api.post('/insightlens/findings/bulk-transition', { operations }), 200, 'decisions');
  const cards = await cardsNow(demo);
  const kev = JSON.parse(kevText) as { vulnerabilities: unknown[] };
  for (let i = 0; i < 10; i++) {
    const some = cards.filter((_, k) => k % 10 === i).slice(0, 15);
    for (const { id } of some)
      expectStatus(await api.patch(`/cards/${id}`, { name: `Renamed ${i} ${id.slice(-6)}` }), 200, 'renamed');
    const vulnerabilities = kev.vulnerabilities.filter((_, k) => k % 10 !== i);
    expectStatus(
      await upload(api, 'kev', [{ name: 'kev.json', content: JSON.stringify({ ...kev, vulnerabilities }) }]),
      200,
      'kev',
    );
    expectStatus(
      await upload(
        api,
        'endoflife',
        pages.filter((_, k) => k % 10 !== i),
      ),
      200,
      'dates',
    );
    await analyse(api);
  }
  const after = await sql<{ id: string; state: string; note: string }>(
    database,
    'select id::text, state, note from insightlens_findings where id = any($1::uuid[])',
    [[...decided.keys()]],
  );
  t.equal(after.length, decided.size);
  t.strictSame(
    after.filter(({ id, state, note }) => decided.get(id) !== state || !note.startsWith('Decision')),
    [],
  );
  for (const { id, name } of cards)
    if ((await sql(database, `select from cards where id = $1 and name like 'Renamed %'`, [id])).length > 0)
      await api.patch(`/cards/${id}`, { name });
  expectStatus(await upload(api, 'kev', [{ name: 'kev.json', content: kevText }]), 200, 'vulnerabilities');
  expectStatus(await upload(api, 'endoflife', pages), 200, 'dates');
  await analyse(api);
  const back = await all(viewer.api, '/insightlens/findings', {
    kind: 'security',
    rule: 'release-ended,known-exploited,owner-missing,single-point',
  });
  t.strictSame(
    back.map(({ id }) => id).sort(),
    findings.map(({ id }) => id).sort(),
    'the same findings, by the same ids',
  );
  t.ok(back.every(({ id, state }) => !decided.has(String(id)) || decided.get(String(id)) === state));
});

t.test('a viewer sees nothing about what is hidden', withData, async (t) => {
  const { admin, database } = demo;
  const { api } = admin;
  await api.post('/roles', {
    key: 'narrow',
    label: 'Narrow',
    permissions: ['cards.view', 'insightlens.view', 'relations.view'],
    types: { ITComponent: { 'cards.view': false }, Provider: { 'cards.view': false } },
  });
  const narrow = await makeUser(admin, 'narrow');
  const hidden = new Set(
    (await sql<{ id: string }>(database, `select id::text from cards where type in ('ITComponent', 'Provider')`)).map(
      ({ id }) => id,
    ),
  );
  const seen = [
    ...(await all(narrow.api, '/insightlens/findings')),
    ...(await all(narrow.api, '/insightlens/feeds/matched')),
    ...(await all(narrow.api, '/insightlens/feeds/unmatched')),
    ...(await all(narrow.api, '/insightlens/modernisation')),
  ];
  t.ok(seen.length > 100);
  const ids = JSON.stringify(seen).match(/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g) ?? [];
  t.strictSame(
    ids.filter((id) => hidden.has(id)),
    [],
  );
  t.notOk(
    seen.some(({ rule }) => rule === 'owner-missing'),
    'stakeholders are hidden',
  );
});
