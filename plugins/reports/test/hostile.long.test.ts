/** Hostile values in parameters of reports and in bodies of saved ones are refused or harmless: never an error of the server. */
import t from 'tap';
import { expectStatus, makeUser, registerAdmin, testApp } from '../../../test/support/app.js';

const { origin, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const viewer = await makeUser(admin, 'viewer');
const lifecycle = { active: '2020-01-01', endOfLife: '2022-01-01' };
const card = { type: 'Application', name: 'A', lifecycle, attributes: { costTotalAnnual: 5 } };
const { id } = expectStatus(await admin.api.post('/cards', card), 201, 'a card').body;

/** Values as they stand in a query. */
const VALUES =
  "|%20|'|%00|%ED%A0%80|%25|%5C|1e400|-1|,,,|%5B|%7B%7D|constructor|__proto__|..%2F..|NaN|2026-02-30|0000-01-01|9999-12-31|999999999999999999|*|none|attributes.constructor".split(
    '|',
  );
/** Only some of them are languages, of which `Intl` does not accept all that look like one. */
const LANGUAGES = 'aaaa|de-1|i-klingon|x-private|en-u-nu-foo|zz|DE-at|zh-Hant-TW|es-419|toString|en-GB-oed'.split('|');
const REPORTS: Record<string, string> = {
  dashboard: '',
  'data-quality': '',
  stakeholders: '',
  cost: 'field=costTotalAnnual',
  portfolio: 'type=Application&x=subtype&y=approval_status',
  matrix: 'row_type=Application&col_type=ITComponent&relation_type=applicationToITComponent',
  landscape: 'type=Application&parent_type=BusinessCapability',
  lifecycle: 'type=Application',
  'end-of-life': '',
  dependencies: `card_id=${id}`,
};
const COMMON = ['format', 'width', 'theme', 'as_of'];
const OTHER = ['attributes.timeModel', 'attributes.constructor[gte]', 'lifecycle.endOfLife[lt]', '__proto__', '', '['];

const { body } = await admin.api.get<{ items: { id: string; parameters: { properties: object } }[] }>('/reports', {
  query: { page_size: 100 },
});
const parametersOf = (report: string): string[] =>
  Object.keys(body.items.find((one) => one.id === report)!.parameters.properties);
const filters = parametersOf('dashboard');

/** The statuses of a report with a value of a parameter, each with one of its requests. */
async function statuses(report: string, format: string, values: readonly (readonly [string, string])[]) {
  const found = new Map<number, string>();
  for (let at = 0; at < values.length; at += 8)
    await Promise.all(
      values.slice(at, at + 8).map(async ([name, value]) => {
        const query = new URLSearchParams(REPORTS[report]);
        query.set('format', format);
        query.delete(name);
        const path = `/api/v1/reports/${report}?${query.toString()}&${encodeURIComponent(name)}=${value}`;
        const answer = await fetch(origin + path, { headers: { authorization: `Bearer ${admin.token}` } });
        await answer.arrayBuffer();
        found.set(answer.status, path);
      }),
    );
  return found;
}
const REFUSED = [200, 404, 422];

for (const report of Object.keys(REPORTS))
  t.test(`${report} refuses what it does not understand`, async (t) => {
    const own = parametersOf(report).filter((name) => !filters.includes(name));
    const names = report === 'dashboard' ? [...filters, ...OTHER] : own;
    const some = names.flatMap((name, i) =>
      VALUES.filter((_, k) => report !== 'dashboard' || COMMON.includes(name) || (i + k) % 5 === 0).map(
        (value) => [name, value] as const,
      ),
    );
    for (const [status, path] of await statuses(report, 'json', some))
      t.ok(REFUSED.includes(status), `${status} ${path}`);
    const languages = LANGUAGES.map((lang) => ['lang', lang] as const);
    const found = await statuses(report, report === 'dashboard' ? 'svg' : 'csv', languages);
    t.strictSame([...found.keys()].sort(), [200, 422], 'languages');
  });

t.test('a language that Intl does not accept is refused by its name', async (t) => {
  const { status, body: refused } = await admin.api.get('/reports/end-of-life', { query: { lang: 'de-1' } });
  t.equal(status, 422);
  t.strictSame(
    refused.errors.map(({ field }) => field),
    ['lang'],
  );
});

t.test('bodies of saved reports', async (t) => {
  const good = { name: 'N', report: 'portfolio', parameters: { type: 'Application', x: 'subtype', y: 'subtype' } };
  const deep = (depth: number): unknown => (depth === 0 ? 'x' : { x: deep(depth - 1) });
  const bodies: unknown[] = [
    null,
    [],
    'text',
    { ...good, parameters: { ...good.parameters, lang: 'de-1' } },
    { ...good, parameters: null },
    { ...good, parameters: [] },
    { ...good, parameters: { ...good.parameters, x: { deep: deep(60) } } },
    { ...good, parameters: { ...good.parameters, x: '\u0000' } },
    { ...good, parameters: { ...good.parameters, search: 'x'.repeat(9_000) } },
    { ...good, parameters: Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`p${i}`, 'x'])) },
    { ...good, parameters: { ...good.parameters, 'a~b/c': 'x', 'attributes.y[zz]': '1' } },
    { ...good, parameters: { ...good.parameters, format: 'png', width: 1e9 } },
    { ...good, report: '../dashboard' },
    { ...good, report: 'constructor' },
    { ...good, name: '\u202e\u0000' },
    { ...good, name: ' '.repeat(50) },
    { ...good, visibility: 'public' },
    { ...good, visibility: 'constructor' },
    { ...good, shared_with: { users: Array.from({ length: 201 }, () => id), roles: [] } },
    { ...good, shared_with: { users: ['x'], roles: ['__proto__'] } },
    { ...good, owner: admin.user, created_by: admin.user.id },
    { ...good, was_hidden: false },
  ];
  for (const [i, given] of bodies.entries()) {
    const { status, body: refused } = await viewer.api.post('/reports/saved', given as object);
    t.ok(status >= 400 && status < 500, `${i}: ${status} ${JSON.stringify(refused).slice(0, 200)}`);
  }
  const list = await admin.api.get('/reports/saved', { query: { owner: viewer.user.id } });
  t.equal((list.body as { total: number }).total, 0, 'nothing is stored');
  const raw = await fetch(`${origin}/api/v1/reports/saved`, {
    method: 'POST',
    headers: { authorization: `Bearer ${viewer.token}`, 'content-type': 'application/json' },
    body: '{"name":"N","report":"dashboard","parameters":{"__proto__":{"type":"Application"}}}',
  });
  t.ok(raw.status >= 400 && raw.status < 500, String(raw.status));
});
