/** The report of decisions over time, against the list. */
import t from 'tap';
import { makeUser, registerAdmin, sql, testApp, type Client, type Session } from '../../../test/support/app.js';

interface Counted {
  key: string;
  label?: string;
  count: number;
  href: string;
}
interface Report {
  from: string;
  to: string;
  total: number;
  href: string;
  statuses: Counted[];
  periods: (Counted & { from: string; to: string; statuses: Counted[] })[];
  errors: { field: string }[];
}

const { origin, database, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const viewer = await makeUser(admin, 'viewer');
await admin.api.post('/roles', { key: 'reader', label: 'Reader', permissions: ['reports.view', 'cards.view'] });
const reader = await makeUser(admin, 'reader');
await admin.api.post('/roles', {
  key: 'blind',
  label: 'Blind',
  permissions: ['reports.view', 'adr.view', 'cards.view'],
});
await sql(database, `update roles set types = '{"Provider": {"cards.view": false}}' where key = 'blind'`);
await sql(database, `update revisions set revision = revision + 1 where kind = 'permissions'`);

const card = async (type: string) => (await admin.api.post('/cards', { type, name: type })).body.id;
const [shop, provider] = [await card('Application'), await card('Provider')];
const WRITTEN: readonly (readonly [at: string, status: string, cards: string[]])[] = [
  ['2025-12-31T23:59:59.999Z', 'signed', [shop]],
  ['2026-01-01T00:00:00Z', 'draft', [shop, provider]],
  ['2026-01-31T23:59:59.999Z', 'signed', []],
  ['2026-02-28T12:00:00Z', 'superseded', [provider]],
  ['2026-04-01T00:00:00Z', 'in_review', [shop]],
  ['2026-06-30T23:00:00Z', 'draft', []],
];
for (const [at, status, card_ids] of WRITTEN) {
  const { id } = (await admin.api.post('/adr', { title: `Of ${at}`, card_ids })).body;
  await sql(database, 'update adr_decisions set created_at = $2 where id = $1', [id, at]);
  if (status !== 'draft') await admin.api.post(`/adr/${id}/request-signatures`, { user_ids: [admin.user.id] });
  if (status === 'signed' || status === 'superseded') await admin.api.post(`/adr/${id}/sign`);
  if (status === 'superseded')
    await sql(database, `update adr_decisions set status = 'superseded' where id = $1`, [id]);
}

const PATH = '/reports/adr.decisions';
const read = async (query: Record<string, string>, { api }: Session = viewer) => api.get<Report>(PATH, { query });
/** Links whose list has another total than the figure. */
async function wrongLinks(api: Client, { total, href, statuses, periods }: Report): Promise<string[]> {
  const figures = [{ count: total, href }, ...statuses, ...periods, ...periods.flatMap((period) => period.statuses)];
  const wrong: string[] = [];
  for (const figure of figures) {
    const { body } = await api.get(figure.href);
    if (body.total !== figure.count) wrong.push(`${figure.href}: ${String(body.total)}, not ${figure.count}`);
  }
  return wrong;
}

await t.test('months and quarters, with links to the decisions', async (t) => {
  const months = (await read({ from: '2025-12-01', to: '2026-06-30' })).body;
  t.same(
    months.periods.map(({ key, count }) => [key, count]),
    [
      ['2025-12', 1],
      ['2026-01', 2],
      ['2026-02', 1],
      ['2026-03', 0],
      ['2026-04', 1],
      ['2026-05', 0],
      ['2026-06', 1],
    ],
  );
  t.same(
    months.statuses.map(({ key, count }) => [key, count]),
    [
      ['draft', 2],
      ['in_review', 1],
      ['signed', 2],
      ['superseded', 1],
    ],
  );
  t.same(await wrongLinks(viewer.api, months), []);
  const quarters = (await read({ interval: 'quarter', from: '2026-01-15', to: '2026-06-29' })).body;
  t.same(
    quarters.periods.map(({ key, from, to, count }) => [key, from, to, count]),
    [
      ['2026-Q1', '2026-01-15', '2026-03-31', 2],
      ['2026-Q2', '2026-04-01', '2026-06-29', 1],
    ],
    'the first and the last are cut to the range',
  );
  t.same(await wrongLinks(viewer.api, quarters), []);
  const today = (await read({})).body;
  t.equal(today.periods.length, 12);
  t.equal(today.to, new Date().toISOString().slice(0, 10));
  t.equal(today.from.slice(-2), '01');
  t.same(await wrongLinks(viewer.api, today), []);
});

await t.test('of a card, for those who see it', async (t) => {
  const range = { from: '2025-01-01', to: '2026-12-31', interval: 'quarter' };
  const of = (await read({ ...range, card_id: shop })).body;
  t.equal(of.total, 3);
  t.same(await wrongLinks(viewer.api, of), []);
  t.equal((await read({ ...range, card_id: provider })).body.total, 2);
  const blind = await makeUser(admin, 'blind');
  t.equal((await read({ ...range, card_id: provider }, blind)).body.total, 0, 'a hidden card is like an unknown one');
  t.equal((await read(range, blind)).body.total, 6);
});

await t.test('formats, and invalid parameters', async (t) => {
  const csv = await viewer.api.get<string>(PATH, { query: { from: '2026-01-01', to: '2026-02-10', format: 'csv' } });
  t.equal(
    csv.body,
    'Period,From,To,Draft,In review,Signed,Superseded,Decisions\r\n2026-01,2026-01-01,2026-01-31,1,0,1,0,2\r\n2026-02,2026-02-01,2026-02-10,0,0,0,0,0\r\n',
  );
  for (const [format, type] of Object.entries({ xlsx: 'spreadsheetml', svg: 'image/svg+xml', png: 'image/png' })) {
    const { status, headers } = await viewer.api.get(PATH, { query: { from: '2026-01-01', format } });
    t.equal(status, 200, format);
    t.ok(headers.get('content-type')!.includes(type), format);
  }
  const fields = async (query: Record<string, string>) => {
    const { status, body } = await read(query);
    return [status, body.errors?.map(({ field }) => field).sort()];
  };
  t.same(await fields({ from: '2026-02-01', to: '2026-01-01', as_of: '2026-01-01T00:00:00Z' }), [
    422,
    ['as_of', 'from'],
  ]);
  t.same(await fields({ from: '1900-01-01' }), [422, ['from']]);
  t.same(await fields({ interval: 'week', card_id: 'x', more: '1' }), [422, ['card_id', 'interval', 'more']]);
  for (const [from, to] of [
    ['0000-01-01', '0000-02-01'],
    ['0001-01-01', '0001-02-01'],
    ['9999-11-01', '9999-12-31'],
  ] as const) {
    const { status } = await read({ from, to });
    t.ok(status === 200 || status === 422, `${from}: ${status}`);
    const list = await viewer.api.get('/adr', { query: { created_from: from, created_to: to } });
    t.ok(list.status === 200 || list.status === 422, `the list from ${from}: ${list.status}`);
  }
});

await t.test('texts are in the language of the request', async (t) => {
  const query = { from: '2025-12-01', to: '2026-06-30' };
  const EXPECTED: Readonly<Record<string, readonly string[]>> = {
    de: [
      'Architekturentscheidungen im Zeitverlauf',
      '6 Entscheidungen, begonnen vom 01.12.2025 bis',
      'Abgelöst',
      'Q1 2026',
      'Zeitraum',
    ],
    fr: ['Décisions d’architecture dans le temps', '6 décisions, du 1 déc. 2025 au', 'Remplacée', 'T1 2026', 'Période'],
    es: [
      'Decisiones de arquitectura en el tiempo',
      '6 decisiones, del 1 dic 2025 al',
      'Sustituida',
      'T1 2026',
      'Período',
    ],
    it: ['Decisioni di architettura nel tempo', '6 decisioni, dal 1 dic 2025 al', 'Sostituita', 'T1 2026', 'Periodo'],
  };
  for (const [lang, [title, subtitle, status, quarter, period]] of Object.entries(EXPECTED)) {
    const months = String((await viewer.api.get(PATH, { query: { ...query, format: 'svg', lang } })).body);
    for (const text of [title, subtitle, status]) t.ok(months.includes(text!), `${lang}: ${text}`);
    t.notMatch(
      months,
      /\b(Draft|In review|Signed|Superseded|decisions?|begun|by their|Architecture decisions)\b/,
      lang,
    );
    const quarters = { ...query, interval: 'quarter', format: 'svg', lang };
    t.ok(String((await viewer.api.get(PATH, { query: quarters })).body).includes(quarter!), `${lang}: ${quarter}`);
    const csv = await viewer.api.get<string>(PATH, { query: { ...query, format: 'csv', lang } });
    t.ok(csv.body.startsWith(`${period},`), csv.body.slice(0, 60));
    t.ok(csv.body.split('\r\n')[0]!.includes(`,${status},`), csv.body.slice(0, 60));
    t.equal((await read({ ...query, lang })).body.statuses.at(-1)!.label, status);
  }
  const one = { from: '2026-02-01', to: '2026-02-28', format: 'svg', lang: 'de-CH' };
  t.match((await viewer.api.get(PATH, { query: one })).body, /1 Entscheidung,/, 'one decision');
  t.match((await viewer.api.get(PATH, { query: { ...one, lang: 'ja' } })).body, /1 decision begun/, 'other languages');
});

await t.test('it is there for those who see decisions, while both modules are enabled', async (t) => {
  const listed = async ({ api }: Session) =>
    (await api.get('/reports', { query: { page_size: '200' } })).body.items.some(({ id }) => id === 'adr.decisions');
  t.equal(await listed(viewer), true);
  t.equal(await listed(reader), false);
  t.equal((await read({}, reader)).status, 404, 'it does not exist for others');
  const toggle = (enabled: boolean) => admin.api.patch('/settings/modules/adr', { enabled });
  t.equal((await toggle(false)).status, 200);
  t.equal(await listed(viewer), false);
  t.equal((await read({})).status, 404);
  t.equal((await toggle(true)).status, 200);
  t.equal((await read({})).status, 200);
});
