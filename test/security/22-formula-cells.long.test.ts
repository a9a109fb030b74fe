/**
 * No cell of any CSV or XLSX file is a formula. The files are found by the media types of the OpenAPI document and by the
 * catalogue of reports; one without a row here fails.
 */
import { parse } from 'csv-parse/sync';
import t, { type Test } from 'tap';
import { expectStatus, registerAdmin, testApp, type Answer } from '../support/app.js';
import { readXlsx } from '../support/xlsx.js';
import { Flow, flow } from '../../plugins/bpm/test/support.js';
import { SOURCE_FOLDER, SourceServer, Synchronisation } from '../host/cmdbsync-support.js';

const source = await new SourceServer().listen();
const node = await testApp({ config: { pluginsDir: SOURCE_FOLDER, outboundAllow: ['127.0.0.1'], logLevel: 'fatal' } });
t.teardown(async () => {
  await node.close();
  await source.close();
});
const { origin, database } = node;
const admin = await registerAdmin(origin);
const { api } = admin;

const SIGNS = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];
const BEFORE = ['', ' ', '"', "'", "''", '\u00a0', '\u3000'];
/** All texts that the test stores; names have no control characters, and no white space at their ends. */
const TEXTS = SIGNS.flatMap((sign) => BEFORE.map((before) => `${before}${sign}1+1`));
const NAMES = [...new Set(TEXTS.map((text) => text.trim()))]
  .filter((text) => !/\p{Cc}/u.test(text))
  .map((text, i) => `${text}${i}`);
const HOSTILE = new Set([...TEXTS, ...NAMES]);

/** Written apart from the service: what a spreadsheet may run, if it removes white space and quotation marks first. */
const runs = (cell: string): boolean =>
  !cell.startsWith("'") && /^[=+\-@\t\r\n＝＋－＠]/.test(cell.replace(/^[ "'\v\f\u00a0\u200b\u3000\ufeff]+/, ''));
const isNumber = (cell: string): boolean => /^-?\d[\d.,]*%?$/.test(cell);

async function made(path: string, body: object): Promise<string> {
  const answer: Answer = await api.post(path, body);
  return expectStatus(answer, 201, `POST ${path} ${JSON.stringify(answer.body)}`).body.id;
}

// The landscape: everything has a hostile name.
const [name] = NAMES as [string];
const today = new Date();
const year = today.getUTCFullYear();
const lifecycle = { plan: `${year - 2}-01-01`, active: `${year - 1}-01-01`, endOfLife: `${year + 1}-01-01` };
const cards: Record<string, string[]> = {};
for (const type of [
  'Application',
  'BusinessCapability',
  'BusinessProcess',
  'Organization',
  'ITComponent',
  'Initiative',
]) {
  cards[type] = [];
  const operations = TEXTS.map((text, i) => ({
    op: 'create',
    card: {
      type,
      name: NAMES[i] ?? `Card ${i}`,
      description: text,
      alias: text,
      external_id: `${text}${i}`,
      ...(['Application', 'ITComponent'].includes(type) && { lifecycle }),
      ...(type === 'Application' && { attributes: { productName: text, costTotalAnnual: 5 } }),
    },
  }));
  const answer = await api.post('/cards/bulk', { operations });
  expectStatus(answer, 200, JSON.stringify(answer.body).slice(0, 500));
  for (const { id } of answer.body['results'] as { id: string }[]) cards[type].push(id);
}
const applications = cards['Application']!;
const process = cards['BusinessProcess']![0]!;
await made('/relations', {
  type: 'businessProcessToBusinessProcess',
  source_id: process,
  target_id: cards['BusinessProcess']![1],
});
const initiative = cards['Initiative']![0]!;
for (const [i, id] of applications.slice(0, NAMES.length).entries()) {
  await made('/relations', {
    type: 'applicationToBusinessCapability',
    source_id: id,
    target_id: cards['BusinessCapability']![i],
  });
  await made('/relations', {
    type: 'businessProcessToBusinessCapability',
    source_id: process,
    target_id: cards['BusinessCapability']![i],
  });
  await made('/relations', { type: 'organizationToApplication', source_id: cards['Organization']![i], target_id: id });
}
// A process with elements of hostile names, of which one is linked with an application.
const bpm = new Flow(process);
expectStatus(await api.patch('/settings/modules/bpm', { settings: { four_eyes: false } }), 200, 'one pair of eyes');
const steps = Object.fromEntries(['=1+1', '＝1+1', '@SUM(1)', '-1+1', ' +1'].map((text, i) => [`Step${i}`, text]));
const draft = expectStatus(await bpm.upload(admin, flow(steps)), 201, 'a flow').body.id;
for (const { id } of (await bpm.elements(admin, { version_id: draft })).filter(({ bpmn_id }) =>
  bpmn_id.startsWith('Step'),
))
  await api.put(`${bpm.path}/elements/${id}/links`, { links: [{ card_id: applications[0] }] });
for (const action of ['submit', 'approve']) expectStatus(await bpm.move(admin, draft, action), 200, action);
await made(`${bpm.path}/assessments`, { assessed_on: `${year}-01-01`, overall: 3 });

// Plans, risks, decisions, a label of a type, a stakeholder.
const plan = `/ppm/initiatives/${initiative}`;
const descriptions = [...TEXTS, 'nothing to guard'];
for (const [i, description] of descriptions.entries())
  await made(`${plan}/wbs`, {
    title: NAMES[i] ?? `Item ${i}`,
    description,
    start_date: `${year}-03-02`,
    end_date: `${year}-03-13`,
    assignee_id: admin.user.id,
  });
await made(`${plan}/tasks`, {
  title: name,
  assignee_id: admin.user.id,
  effort_hours: 8,
  start_date: `${year}-03-02`,
  due_date: `${year}-03-13`,
});
await made(`${plan}/costs`, { category: 'opex', planned: 5, date: `${year}-03-02`, description: name });
await made('/risks', { title: name, category: 'technology', initial_probability: 'high', initial_impact: 'critical' });
await made('/adr', { title: name });
expectStatus(await api.patch('/auth/me', { display_name: name }), 200, 'a hostile display name');
await made(`/cards/${applications[0]}/stakeholders`, { user_id: admin.user.id, role: 'responsible' });
const saved = await made('/reports/saved', { name, report: 'lifecycle', parameters: { type: 'Application' } });

// A synchronisation that has read hostile values.
const sync = await Synchronisation.make(database, admin, source.url);
for (const [i, text] of TEXTS.entries())
  source.put(`${NAMES[i] ?? i}`, { name: NAMES[i] ?? `Server ${i}`, note: text });
const { id: run } = await sync.run(await sync.mapping());

/** Each file by operation; of reports by the id in the catalogue. Hostile texts appear in all that show names. */
const REPORTS: Record<string, { query?: Record<string, string>; shows?: 'numbers' | 'names in XLSX' }> = {
  'adr.decisions': { shows: 'numbers' },
  'bpm.capability-process-matrix': {},
  'bpm.dashboard': { shows: 'numbers' },
  'bpm.dependencies': {},
  'bpm.element-application-map': {},
  'bpm.heatmap': {},
  'bpm.process-application-matrix': {},
  'bpm.process-map': {},
  cost: { query: { field: 'costTotalAnnual', type: 'Application' }, shows: 'numbers' },
  dashboard: { shows: 'numbers' },
  'data-quality': { shows: 'names in XLSX' },
  dependencies: { query: { card_id: applications[0]! } },
  'end-of-life': {},
  landscape: { query: { type: 'Application', parent_type: 'BusinessCapability' } },
  lifecycle: { query: { type: 'Application' } },
  matrix: {
    query: {
      relation_type: 'applicationToBusinessCapability',
      row_type: 'Application',
      col_type: 'BusinessCapability',
    },
  },
  portfolio: { query: { type: 'Application', x: 'lifecycle_phase', y: 'data_quality' }, shows: 'numbers' },
  'ppm.budget-vs-actual': {},
  'ppm.dashboard': {},
  'ppm.gantt': {},
  'ppm.resource-load': { query: { from: `${year}-03-02` } },
  'risks.heat-map': { shows: 'numbers' },
  stakeholders: { shows: 'names in XLSX' },
};
const query = (values: Record<string, string>): string => new URLSearchParams(values).toString();
const FILES: Record<string, string> = {
  exportCards: '/cards/export?type=Application',
  getCmdbsyncRunReport: `/cmdbsync/runs/${run}/report?`,
  getPpmPlanCsv: `${plan}/plan.csv?`,
  getSavedReportResult: `/reports/saved/${saved}/result?`,
};
const CSV = 'text/csv';
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
type Described = { operationId: string; responses: Record<string, { content?: Record<string, unknown> }> };
const document = (await (await fetch(`${origin}/api/openapi.json`)).json()) as {
  paths: Record<string, Record<string, Described>>;
};
const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
const typesOf = ({ responses }: Described): string[] => Object.keys(responses['200']?.content ?? {});
const files = operations.filter((operation) => typesOf(operation).some((type) => type === CSV || type === XLSX));
const catalogue = (await api.get('/reports', { query: { page_size: 200 } })).body.items as unknown as {
  id: string;
  formats: string[];
  href: string;
}[];

async function bytesOf(path: string, accept: string): Promise<Uint8Array> {
  const headers = { authorization: `Bearer ${admin.token}`, accept };
  const answer = await fetch(`${origin}/api/v1${path}`, { headers });
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return new Uint8Array(await answer.arrayBuffer());
}
/** The cells of a file. @throws if a cell of XLSX is a formula */
function cellsOf(type: string, bytes: Uint8Array): { text: string; isText: boolean }[] {
  if (type === CSV) {
    const rows = parse(Buffer.from(bytes).toString('utf8'), { bom: true, relax_column_count: true }) as string[][];
    return rows.flat().map((text) => ({ text, isText: !runs(text) || isNumber(text) }));
  }
  return readXlsx(bytes).sheets.flatMap(({ xml, cells }) => {
    if (/<f[\s>/]/.test(xml)) throw new Error('a cell is a formula');
    return [...cells.values()].map(({ type, value }) => ({
      text: value,
      isText: !runs(value) || isNumber(value) || type === 'inlineStr',
    }));
  });
}

t.test('each CSV and XLSX file has a row, and each row a file', async (t) => {
  const own = files.filter(({ operationId }) => !/^get\w+Report$/.test(operationId) || operationId in FILES);
  t.strictSame(own.map(({ operationId }) => operationId).sort(), Object.keys(FILES).sort());
  const reports = catalogue.filter(({ formats }) => formats.includes('csv') || formats.includes('xlsx'));
  t.strictSame(reports.map(({ id }) => id).sort(), Object.keys(REPORTS).sort());
  t.ok(files.length > 10);
});

async function check(t: Test, path: string, type: string, showsNames: boolean): Promise<void> {
  const cells = cellsOf(type, await bytesOf(path, type));
  t.ok(cells.length > 1);
  t.strictSame(
    cells.filter(({ isText }) => !isText).map(({ text }) => text),
    [],
    'no cell is run',
  );
  if (showsNames)
    t.ok(
      cells.some(({ text }) => HOSTILE.has(type === CSV ? text.slice(1) : text)),
      'hostile texts are in it',
    );
}
for (const { operationId, ...operation } of files.filter((file) => file.operationId in FILES)) {
  for (const type of typesOf({ operationId, ...operation }).filter((one) => one === CSV || one === XLSX))
    t.test(`${operationId}: ${type}`, async (t) => {
      const format = operationId === 'getPpmPlanCsv' ? '' : `&format=${type === CSV ? 'csv' : 'xlsx'}`;
      await check(t, `${FILES[operationId]}${format}`, type, true);
    });
}
for (const { id, href, formats } of catalogue) {
  const { query: values = {}, shows } = REPORTS[id] ?? {};
  for (const [format, type] of Object.entries({ csv: CSV, xlsx: XLSX }))
    if (formats.includes(format))
      t.test(`report ${id}: ${format}`, (t) =>
        check(
          t,
          `${href.replace('/api/v1', '')}?${query({ ...values, format })}`,
          type,
          shows === undefined || (shows === 'names in XLSX' && type === XLSX),
        ),
      );
}

t.test('a plan is read back as it was', async (t) => {
  const file = await bytesOf(`${plan}/plan.csv`, CSV);
  const other = cards['Initiative']![1]!;
  const answer = await api.send('POST', `/ppm/initiatives/${other}/plan/import`, Buffer.from(file), {
    headers: { 'content-type': CSV },
  });
  expectStatus(answer, 200, JSON.stringify(answer.body));
  const itemsOf = async (card: string): Promise<unknown[]> =>
    (await api.get(`/ppm/initiatives/${card}/wbs`, { query: { page_size: 200 } })).body.items.map(
      ({ title, description }) => [title, description],
    );
  t.strictSame(await itemsOf(other), await itemsOf(initiative));
});
