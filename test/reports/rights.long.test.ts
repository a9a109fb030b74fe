/** No report in any format tells costs, or cards of hidden types, to callers who may not see them. */
import t from 'tap';
import { expectStatus, registerAdmin, testApp, type AnyBody, type Session } from '../support/app.js';
import { takeSnapshot } from './data-sets.js';
import { fillWorld } from '../../plugins/reports/test/relations-landscape.js';
import { ask, COST_QUERIES, plainQueries, TEXT_FORMATS, type Format, type Query } from './queries.js';
import { allCards } from '../../plugins/reports/test/support.js';

const app = await testApp();
t.teardown(app.close);
const admin = await registerAdmin(app.origin);
const world = await fillWorld(admin);
const { applications, viewer, outsider, narrow } = world;
const [first, second] = [applications[21]!, applications[22]!];

async function patch(path: string, body: object): Promise<void> {
  const { body: one } = await admin.api.get(path);
  expectStatus(await admin.api.patch(path, body, { headers: { 'if-match': `"${one.version}"` } }), 200, path);
}
const make = async (path: string, body: object): Promise<string> =>
  expectStatus(await admin.api.post(path, body), 201, path).body.id;
// A report does not exist for callers without its permission: with it, they are refused because of the costs.
const views = ['adr.view', 'bpm.view', 'ppm.view', 'risks.view'];
for (const key of ['narrow', 'outsider']) {
  const { permissions } = expectStatus(
    await admin.api.get<AnyBody & { permissions: string[] }>(`/roles/${key}`),
    200,
    key,
  ).body;
  await patch(`/roles/${key}`, { permissions: [...permissions, ...views] });
}
const components = (await allCards(admin.api, { type: 'ITComponent' })).map(({ id }) => id);
await patch(`/cards/${first}`, { attributes: { costTotalAnnual: 7_654_321.09 } });
await patch(`/cards/${second}`, { attributes: { costTotalAnnual: 3_217_654.27 } });
const paid = await make('/relations', {
  type: 'related',
  source_id: first,
  target_id: components[0],
}).then(async () => {
  const { body } = await admin.api.get('/relations', {
    query: { type: 'applicationToITComponent', source_id: first, target_id: components[0]! },
  });
  const [there] = body.items;
  return (
    there?.id ??
    (await make('/relations', { type: 'applicationToITComponent', source_id: first, target_id: components[0] }))
  );
});
await patch(`/relations/${paid}`, { attributes: { costTotalAnnual: 7_654_321.09 } });
const vaults = (await allCards(admin.api, { type: 'Vault' })).map(({ id }) => id);
await make('/risks', {
  title: 'A risk',
  category: 'security',
  initial_probability: 'high',
  initial_impact: 'high',
  cards: [{ card_id: vaults[0], role: 'affected' }],
});
await make('/adr', { title: 'A decision', context: 'None.', card_ids: [vaults[0]] });
await takeSnapshot(app, admin);

/** The values above and their sum with others, in full, grouped, compact and rounded. */
const MONEY = [
  /(?<![\w.])7[.,’'\s]?654[.,’'\s]?321(?![\da-f])/,
  /(?<![\w.])3[.,’'\s]?217[.,’'\s]?654(?![\da-f])/,
  // In thousands.
  /(?<![\w.])(?:7[.,’'\s]?654[.,]3|3[.,’'\s]?217[.,]7)(?!\d)/,
  /(?<![\d.,])(?:7[.,](?:65\d*|7)|8|3[.,]2\d*)[\s]?(?:M|Mio)(?![a-z])/,
];
const HIDDEN = [/vault/i, ...vaults.map((id) => new RegExp(id))];
const plain = plainQueries(applications[1]!);
const pathOf = (report: string): string => `/reports/${report}`;
/** With the place of the query among those of its report. */
const all = (queries: Readonly<Record<string, readonly Query[]>>): [string, Query, number][] =>
  Object.entries(queries).flatMap(([report, own]) =>
    own.map((query, place): [string, Query, number] => [report, query, place]),
  );
/** All formats for the first query of a report; a picture has what a table does not, so that the others are drawn too. */
const formatsOf = (caller: Session, place: number): readonly Format[] =>
  place === 0 && caller !== narrow ? [...TEXT_FORMATS, 'png'] : ['json', 'svg'];
const found = (text: string, patterns: readonly RegExp[]): string | undefined =>
  patterns.map((pattern) => pattern.exec(text)?.[0]).find((one) => one !== undefined);

t.test('there are queries for every report of the catalogue', async (t) => {
  const { body } = await admin.api.get('/reports', { query: { page_size: 200 } });
  t.same(body.items.map(({ id }) => id).sort(), Object.keys(plain).sort());
});

t.test('costs are shown to those who may see them, so that the following tests can find them', async (t) => {
  const [sum, grouped] = [COST_QUERIES['cost']![0]!, COST_QUERIES['matrix']![0]!];
  for (const format of ['json', 'csv', 'xlsx', 'svg'] as const) {
    const byMatrix = await ask(admin, '/reports/matrix', grouped, format);
    t.ok(found(byMatrix.text, MONEY), `matrix as ${format}`);
    const byCards = await ask(admin, '/reports/cost', { ...sum, group_by: 'parent' }, format);
    t.ok(found(byCards.text, MONEY), `cost as ${format}`);
  }
  const { text } = await ask(admin, '/reports/dependencies', { card_id: vaults[0]!, direction: 'both' });
  t.ok(found(text, HIDDEN));
});

for (const [name, caller, patterns] of [
  ['a viewer without costs', viewer, MONEY],
  ['a role without costs and capabilities', narrow, [...MONEY, /capability \d/i]],
  ['a role that hides a card type', outsider, HIDDEN],
] as [string, Session, RegExp[]][]) {
  t.test(`reports without costs tell nothing else to ${name}`, async (t) => {
    for (const [report, query, place] of all(plain)) {
      for (const format of formatsOf(caller, place)) {
        const { status, text } = await ask(caller, pathOf(report), query, format);
        const at = `${report} ${JSON.stringify(query)} as ${format}`;
        t.ok([200, 403, 422, 404].includes(status), `${at} gave ${status}`);
        t.equal(found(text, patterns), undefined, at);
      }
    }
  });

  t.test(`reports about costs tell nothing else to ${name}`, async (t) => {
    for (const [report, query, place] of all(COST_QUERIES)) {
      const saved = await make('/reports/saved', {
        name: `${report} ${name}`,
        report,
        parameters: query,
        visibility: 'public',
      });
      for (const path of [pathOf(report), `/reports/saved/${saved}/result`])
        for (const format of path.includes('saved') ? (['json', 'svg'] as const) : formatsOf(caller, place)) {
          const { status, text } = await ask(caller, path, path.includes('saved') ? {} : query, format);
          const at = `${path} ${JSON.stringify(query)} as ${format}`;
          if (patterns.includes(MONEY[0]!)) t.ok([403, 409, 422].includes(status), `${at} gave ${status}`);
          t.ok(status < 500, `${at} gave ${status}`);
          t.equal(found(text, patterns), undefined, at);
        }
    }
  });
}

t.test('filters by costs tell nothing about them', async (t) => {
  for (const [report, query] of all(plain)) {
    if (report.includes('.') || query['card_id'] !== undefined) continue;
    const of = async (least: string): Promise<string> => {
      const { status, text } = await ask(viewer, pathOf(report), {
        ...query,
        type: 'Application',
        'attributes.costTotalAnnual[gte]': least,
      });
      return `${status} ${text.replaceAll(least, '').replaceAll(/"(?:request_id|before|updated_at)":"[^"]*"/g, '')}`;
    };
    t.equal(await of('7000000'), await of('8000000'), `${report} ${JSON.stringify(query)}`);
  }
  const { status } = await ask(viewer, '/cards', { type: 'Application', sort_by: 'attributes.costTotalAnnual' });
  t.not(status, 200);
});

/** All answers to a caller as JSON, from which the other formats are made, without what changes with time. */
async function answers(caller: Session): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const [report, query] of [...all(plain), ...all(COST_QUERIES)]) {
    const { status, text } = await ask(caller, pathOf(report), query);
    const steady = text
      .replaceAll(/"recent":\[[^\]]*\]/g, '')
      .replaceAll(/"(?:request_id|before|updated_at|computed_at)":"[^"]*"/g, '');
    texts.set(`${report} ${JSON.stringify(query)}`, `${status} ${steady}`);
  }
  return texts;
}
const changed = (before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] =>
  [...before].filter(([at, text]) => after.get(at) !== text).map(([at]) => at);

t.test('no answer changes with a cost that the caller may not see', async (t) => {
  const before = { viewer: await answers(viewer), narrow: await answers(narrow), admin: await answers(admin) };
  await patch(`/cards/${first}`, { attributes: { costTotalAnnual: 1.5 } });
  await patch(`/relations/${paid}`, { attributes: { costTotalAnnual: 2.5 } });
  t.same(changed(before.viewer, await answers(viewer)), []);
  t.same(changed(before.narrow, await answers(narrow)), []);
  t.ok(changed(before.admin, await answers(admin)).length > 5, 'but those to others do');
});

t.test('no answer changes with cards of a type that is hidden from the caller', async (t) => {
  // Costs were changed since the figures of the day were stored.
  await takeSnapshot(app, admin);
  const before = { outsider: await answers(outsider), admin: await answers(admin) };
  const inner = await make('/cards', {
    type: 'Vault',
    name: 'Vault with all',
    lifecycle: { active: '2019-01-01', endOfLife: '2024-01-01' },
  });
  await make('/cards', { type: 'Vault', name: 'Vault below', parent_id: inner });
  await make('/cards', { type: 'Vault', name: 'Vault below a desk', parent_id: world.desks.leaf });
  for (const id of [applications[1], applications[40], components[3], world.desks.alone])
    await make('/relations', { type: 'related', source_id: id, target_id: inner });
  await make('/relations', { type: 'related', source_id: inner, target_id: applications[41] });
  await make(`/cards/${inner}/stakeholders`, { user_id: world.member.user.id, role: 'observer' });
  await takeSnapshot(app, admin);
  t.same(changed(before.outsider, await answers(outsider)), []);
  t.ok(changed(before.admin, await answers(admin)).length > 5, 'but those to others do');
  const { body } = await outsider.api.get<{ total: number; trend: { total: number }[] }>('/reports/dashboard');
  t.equal(body.trend.at(-1)!.total, body.total, 'the figures of the day are those of the types that are seen');
});
