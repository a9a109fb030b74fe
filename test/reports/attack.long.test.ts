/**
 * What a caller may not see changes nothing that any report answers to him: neither a byte nor an ETag, whatever the
 * parameters. The requests are generated from the catalogue, so that a new report or parameter is attacked as well.
 */
import { createHash } from 'node:crypto';
import t from 'tap';
import { fillWorld } from '../../plugins/reports/test/relations-landscape.js';
import { allCards } from '../../plugins/reports/test/support.js';
import { expectStatus, makeUser, registerAdmin, testApp, type Session } from '../support/app.js';
import { takeSnapshot } from './data-sets.js';
import { baseOf, catalogueOf, requestsFor, SHOWN, type Known } from './generated-requests.js';
import { ask, type Format, type Query, type Sent } from './queries.js';

const AT_ONCE = 6;
const app = await testApp();
t.teardown(app.close);
const admin = await registerAdmin(app.origin);
const { applications, viewer, member, desks } = await fillWorld(admin);

async function patch(path: string, body: object): Promise<void> {
  const { body: one } = await admin.api.get(path);
  expectStatus(await admin.api.patch(path, body, { headers: { 'if-match': `"${one.version}"` } }), 200, path);
}
const make = async (path: string, body: object): Promise<string> =>
  expectStatus(await admin.api.post(path, body), 201, path).body.id;

const MODULES = ['reports.view', 'adr.view', 'risks.view', 'bpm.view', 'ppm.view'];
const noVaults = { Vault: { 'cards.view': false } };
/** Sees no costs and no cards of one type; the second one neither relations nor stakeholders. */
async function callerOf(key: string, permissions: string[]): Promise<Session> {
  await make('/roles', { key, label: key, permissions: ['cards.view', ...MODULES, ...permissions], types: noVaults });
  return await makeUser(admin, key);
}
const blind = await callerOf('blind', ['relations.view', 'stakeholders.view']);
const bare = await callerOf('bare', []);
const vaults = (await allCards(admin.api, { type: 'Vault' })).map(({ id }) => id);
const [component] = await allCards(admin.api, { type: 'ITComponent' });
const paid = [applications[20]!, applications[21]!, applications[22]!] as const;
const relation = await make('/relations', {
  type: 'applicationToITComponent',
  source_id: applications[59],
  target_id: component!.id,
  attributes: { costTotalAnnual: 7_777_777 },
});
await make('/risks', {
  title: 'A risk',
  category: 'security',
  initial_probability: 'high',
  initial_impact: 'high',
  cards: [{ card_id: vaults[0], role: 'affected' }],
});
await make('/adr', { title: 'A decision', context: 'None.', card_ids: [vaults[0]] });

const known: Known = {
  ids: [applications[1]!, vaults[0]!, desks.root, desks.deep, member.user.id],
  types: ['Application', 'Vault', 'Desk', 'Application,Vault'],
  relationTypes: ['related', 'sits', 'applicationToITComponent'],
  fields: ['costTotalAnnual', 'attributes.costTotalAnnual', 'numberOfUsers', 'timeModel', 'subtype', 'data_quality'],
  searches: ['vault', 'application 1'],
  externalIds: ['vault-1'],
};
await patch(`/cards/${vaults[0]}`, { external_id: 'vault-1' });
const catalogue = await catalogueOf(admin);
const filters = catalogue.find(({ id }) => id === 'dashboard')!.parameters.properties;

interface Request {
  report: string;
  query: Query;
  format: Format;
}
/** Every generated query as JSON, from which the other formats are made; the base in all of them. */
const REQUESTS: Request[] = catalogue.flatMap((entry) =>
  requestsFor(entry, known).flatMap((query, i) =>
    (i === 0 ? (entry.formats as Format[]) : (['json'] as const)).map((format) => ({
      report: entry.id,
      query,
      format,
    })),
  ),
);
const nameOf = ({ report, query, format }: Request): string => `${report} ${JSON.stringify(query)} as ${format}`;

/** Runs for all items, several at once. */
async function each<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items];
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
    }),
  );
}

/** The time of a change is shown to those who see the card, and the id of a request to all. */
const TIMES =
  /"(?:request_id|instance|before|updated_at|computed_at|at)":"[^"]*"|\b20\d\d-\d\d-\d\d[T ]\d\d:\d\d[:.\dZ]*/g;
const digest = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('base64url');

/** What of an answer must not change: its ETag and its bytes, unless it shows times. */
function steady({ report, format }: Request, { status, headers, text, bytes }: Sent): string {
  if (status !== 200) return `${status} ${bytes.toString().replaceAll(TIMES, '')}`;
  // The dashboard lists the last changes with their times.
  if (report === 'dashboard') return digest(text.replaceAll(TIMES, ''));
  // A workbook contains the time at which it was made.
  return `${headers.get('etag')} ${digest(format === 'xlsx' ? text : bytes)}`;
}

async function answers(caller: Session): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  await each(REQUESTS, async (request) => {
    const sent = await ask(caller, `/reports/${request.report}`, request.query, request.format);
    if (sent.status >= 500) throw new Error(`${nameOf(request)} gave ${sent.status}`);
    found.set(nameOf(request), steady(request, sent));
  });
  return found;
}
const changed = (before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] =>
  [...before]
    .filter(([at, text]) => after.get(at) !== text)
    .map(([at, text]) => `${at}: ${text.slice(0, 200)} became ${after.get(at)?.slice(0, 200)}`);

/** Changes something and compares all answers with those before. */
async function compare(
  t: Tap,
  callers: Readonly<Record<string, Session>>,
  change: () => Promise<unknown>,
): Promise<void> {
  await takeSnapshot(app, admin);
  const before = new Map<string, Map<string, string>>();
  for (const [name, caller] of Object.entries({ ...callers, admin })) before.set(name, await answers(caller));
  await change();
  await takeSnapshot(app, admin);
  for (const [name, caller] of Object.entries(callers))
    t.same(changed(before.get(name)!, await answers(caller)), [], `nothing changes for ${name}`);
  t.ok(changed(before.get('admin')!, await answers(admin)).length > 5, 'but it does for those who see it');
}
type Tap = Pick<typeof t, 'same' | 'ok'>;

t.test('the requests answer, so that they can betray something', async (t) => {
  t.ok(REQUESTS.length > 900, `${REQUESTS.length} requests`);
  for (const entry of catalogue) {
    const { status } = await ask(admin, `/reports/${entry.id}`, baseOf(entry, known));
    t.equal(status, 200, entry.id);
  }
  const first = await answers(bare);
  t.same(changed(first, await answers(bare)), [], 'and nothing changes by itself');
});

t.test('costs of cards and relations', async (t) => {
  // They are the last ones that were changed, before and after.
  for (const id of paid) await patch(`/cards/${id}`, { attributes: { costTotalAnnual: 1_234_567 } });
  await compare(t, { viewer, blind, bare }, async () => {
    for (const [i, value] of [null, 98_765_432.1, 0].entries())
      await patch(`/cards/${paid[i]}`, { attributes: { costTotalAnnual: value } });
    await patch(`/relations/${relation}`, { attributes: { costTotalAnnual: 2.5 } });
  });
});

t.test('cards of a hidden type', async (t) => {
  const leaf = await make('/cards', { type: 'Vault', name: 'Vault without others' });
  await compare(t, { blind, bare }, async () => {
    const lifecycle = { active: '2019-01-01', endOfLife: '2024-01-01' };
    const inner = await make('/cards', { type: 'Vault', name: 'AAA vault', lifecycle });
    await make('/cards', { type: 'Vault', name: 'Vault below', parent_id: inner });
    await make('/cards', { type: 'Vault', name: 'Vault below a desk', parent_id: desks.leaf });
    for (const id of [applications[1], applications[40], component!.id, desks.alone])
      await make('/relations', { type: 'related', source_id: id, target_id: inner });
    await make(`/cards/${inner}/stakeholders`, { user_id: member.user.id, role: 'observer' });
    await patch(`/cards/${vaults[0]}`, { name: 'Another vault', external_id: 'vault-2' });
    expectStatus(await admin.api.post(`/cards/${leaf}/archive`, {}), 200, 'archiving');
  });
});

t.test('relations and stakeholders', (t) =>
  compare(t, { bare }, async () => {
    // The application has both, so that its score, which is the same for all callers, stays.
    await make('/relations', { type: 'related', source_id: applications[7], target_id: applications[8] });
    await make('/relations', { type: 'sits', source_id: applications[1], target_id: desks.leaf });
    await make(`/cards/${applications[1]}/stakeholders`, { user_id: viewer.user.id, role: 'responsible' });
  }),
);

/** Texts that no parameter means, as they stand in an address. */
const HOSTILE = [
  '%00',
  '%ED%A0%80',
  "'%3B--",
  '%25%5C_',
  '1e400',
  '-1',
  ',,,',
  '%7B%7D',
  '__proto__',
  'constructor',
  'NaN',
  '2026-02-30',
  '99999999999999999999',
  'attributes.__proto__',
  '%E2%80%AE',
  'x'.repeat(9_000),
];

/** Every value for the parameters of a report; for those that many reports share, every third one. */
const hostile = catalogue.flatMap((entry) => {
  const base = baseOf(entry, known);
  const names = [...Object.keys(entry.parameters.properties), 'attributes.timeModel', 'lifecycle.active[lt]'];
  return [...names, 'unknown', '__proto__'].flatMap((name, i) => {
    const isShared = entry.id !== 'dashboard' && name in filters && !(name in base);
    return HOSTILE.filter((_, k) => !isShared || (i + k) % 3 === 0).map((value) => ({ entry, base, name, value }));
  });
});

t.test('hostile texts are refused by the name of their parameter', async (t) => {
  const wrong: string[] = [];
  let refused = 0;
  await each(hostile, async ({ entry, base, name, value }) => {
    const query = new URLSearchParams(Object.entries(base).map(([key, one]): [string, string] => [key, String(one)]));
    query.delete(name);
    const path = `/api/v1/reports/${entry.id}?${query.toString()}&${encodeURIComponent(name)}=${value}`;
    // Sees costs, so that no report is refused for that.
    const answer = await fetch(app.origin + path, { headers: { authorization: `Bearer ${member.token}` } });
    const text = await answer.text();
    if (answer.status === 200) return;
    refused++;
    const { errors = [] } = JSON.parse(text) as { errors?: { field: string }[] };
    // A field of the base may not be one of the types that are sent.
    const isNamed = errors.some(({ field }) => field === name || (name === 'type' && field in base));
    if (answer.status !== 422 || !isNamed) wrong.push(`${answer.status} ${path.slice(0, 200)} ${text.slice(0, 500)}`);
  });
  t.same(wrong, []);
  t.ok(refused > hostile.length / 2, `${refused} of ${hostile.length}`);
});

t.test('parameters of pictures are those of the catalogue', async (t) => {
  for (const { id, parameters } of catalogue)
    t.ok(
      SHOWN.every((name) => name in parameters.properties),
      id,
    );
});
