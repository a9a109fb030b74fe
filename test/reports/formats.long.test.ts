/** What all reports of the catalogue have in common: formats, caching, hostile parameters, and a disabled module. */
import t from 'tap';
import { fillWorld } from '../../plugins/reports/test/relations-landscape.js';
import { registerAdmin, testApp } from '../support/app.js';
import { readXlsx } from '../support/xlsx.js';
import { ask, plainQueries, type Format } from './queries.js';

const { origin, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const world = await fillWorld(admin);
const queries = plainQueries(world.applications[1]!);
const FORMATS: readonly Format[] = ['json', 'csv', 'xlsx', 'svg', 'png'];
const TYPES: Readonly<Record<Format, string>> = {
  json: 'application/json',
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  svg: 'image/svg+xml',
  png: 'image/png',
};
const HOSTILE = [
  "'; drop table cards; --",
  '"><script>alert(1)</script>',
  '\u0000',
  '%',
  '9'.repeat(400),
  '-1',
  '💥[]',
];

interface Entry {
  id: string;
  formats: Format[];
  parameters: { properties: Record<string, unknown> };
}
const { body: catalogue } = await admin.api.get<{ items: Entry[] }>('/reports', { query: { page_size: 200 } });

t.test('every report has all formats, each with a tag', async (t) => {
  for (const { id, formats } of catalogue.items) {
    const [query] = queries[id]!;
    t.same([...formats].sort(), [...FORMATS].sort(), id);
    for (const format of formats) {
      const at = `${id} as ${format}`;
      const { status, headers, bytes } = await ask(admin, `/reports/${id}`, query!, format);
      t.equal(status, 200, at);
      t.equal(headers.get('content-type')!.split(';')[0], TYPES[format], at);
      const tag = headers.get('etag')!;
      t.ok(tag, at);
      const again = await ask(admin, `/reports/${id}`, query!, format, { 'if-none-match': tag });
      t.same([again.status, again.bytes.length], [304, 0], at);
      const url = new URL(`/api/v1/reports/${id}`, origin);
      for (const [name, value] of Object.entries({ ...query!, format })) url.searchParams.set(name, String(value));
      const head = await fetch(url, { method: 'HEAD', headers: { authorization: `Bearer ${admin.token}` } });
      t.same([head.status, (await head.arrayBuffer()).byteLength], [200, 0], `HEAD of ${at}`);
      if (format === 'xlsx') {
        const { sheets } = readXlsx(bytes);
        t.ok(sheets.length > 0 && sheets.every(({ rows }) => rows[0]!.every((title) => title !== '')), at);
        t.ok(
          sheets.every(({ name }) => name.length <= 31),
          at,
        );
        const [header] = (await ask(admin, `/reports/${id}`, query!, 'csv')).text.split('\r\n');
        t.equal(header, sheets[0]!.rows[0]!.map((one) => (/[",]/.test(one) ? `"${one}"` : one)).join(), at);
      }
    }
  }
});

t.test('an unknown report is not found', async (t) => {
  for (const id of ['nothing', 'risks.nothing', 'nothing.heat-map', 'reports.dashboard', '__proto__', '%00'])
    t.ok([404, 400, 422].includes((await ask(admin, `/reports/${id}`, {})).status), id);
});

t.test('hostile values of any parameter are refused or harmless', async (t) => {
  const common = Object.keys(catalogue.items.find(({ id }) => id === 'dashboard')!.parameters.properties);
  for (const { id, parameters } of catalogue.items) {
    const own = Object.keys(parameters.properties).filter((name) => id === 'dashboard' || !common.includes(name));
    for (const name of own)
      for (const value of HOSTILE) {
        const { status } = await ask(admin, `/reports/${id}`, { ...queries[id]![0]!, [name]: value });
        if (status >= 500 || status === 401) t.fail(`${id} ${name}=${value} gave ${status}`);
      }
    t.pass(`${own.length} parameters of ${id}`);
  }
});

t.test('without the module there are no reports', async (t) => {
  const { status } = await admin.api.patch('/settings/modules/reports', { enabled: false });
  t.equal(status, 200);
  for (const path of ['', ...catalogue.items.map(({ id }) => `/${id}`), '/saved', '/nothing'])
    t.equal((await admin.api.get(`/reports${path}`)).status, 404, path);
});
