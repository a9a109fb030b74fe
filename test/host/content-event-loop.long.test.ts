/**
 * Files, archives and answers of other systems that are as costly as their limits allow are read and written without the service
 * standing still. The service is a process of its own, which measures itself, because a test in the same process would measure its own
 * work too.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { zipSync } from 'fflate';
import t from 'tap';
import { createDatabase, expectStatus, registerAdmin } from '../support/app.js';
import { urlOf } from '../support/database.js';
import { LoopWatch } from '../support/loop-watch.js';
import { dataFolder, startService } from '../support/service.js';

/** Processor time of one round of the event loop, in milliseconds. */
const MOST_CPU_MS = 150;
const MIB = 1_048_576;
/** Records of an archive of the largest size. */
const RECORDED = 26;

const database = await createDatabase();
const folder = await dataFolder();
const watch = await LoopWatch.in(folder.path);
const service = await startService({
  dataDir: folder.path,
  env: {
    DATABASE_URL: urlOf(database),
    LINTEL_SECRET_KEY: Buffer.alloc(32, 'content').toString('base64'),
    OUTBOUND_ALLOW: '127.0.0.1',
    ...watch.env,
  },
});
let answer = '';
let media = 'application/json';
const other = createServer((_request, response: ServerResponse) =>
  response.setHeader('content-type', media).end(answer),
);
await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
t.teardown(async () => {
  other.close();
  await service.stop();
  await folder.remove();
});
const admin = await registerAdmin(service.origin);
const { api } = admin;

/** Measures requests, the first time to warm the code up, and asserts the longest round of the event loop of the second time. */
function check(what: string, work: (run: number) => Promise<unknown>, most = MOST_CPU_MS): void {
  void t.test(what, async (t) => {
    const [cpu, wall, times]: [number[], number[], number[]] = [[], [], []];
    for (let run = 0; run < 2; run++) {
      await watch.take(service.pid);
      const began = performance.now();
      await work(run);
      times.push(performance.now() - began);
      const longest = await watch.take(service.pid);
      cpu.push(longest.cpu);
      wall.push(longest.wall);
    }
    const list = (values: number[]): string => values.map((value) => value.toFixed(0)).join(' ');
    t.comment(`${what}: ms ${list(times)}; longest round: processor ${list(cpu)}, elapsed ${list(wall)}`);
    t.ok(cpu[1]! <= most, `${list(cpu)} ms of processor time`);
  });
}

/** Digits that compress as text does: archives of what compresses better are refused. */
let state = 1;
const noise = (length: number): string => {
  let text = '';
  while (text.length < length)
    text += ((state = (state * 16_807) % 2_147_483_647) / 2_147_483_647).toString(36).slice(2);
  return text.slice(0, length);
};
/** So many lines, of about 1 MiB. */
const lines = (count: number, begin: string): string => {
  const width = Math.floor((MIB - 60_000) / count) - 1;
  return Array.from({ length: count }, () => `${begin}${noise(width - begin.length)}\n`).join('');
};
const many = (count: number, link: string): string =>
  Array.from({ length: count }, () => `${link}${noise(2)}`).join('');
/** Records of a megabyte that take long to parse. */
const RECORDS: readonly (() => string)[] = [
  () => lines(19_900, '## '),
  () => `## Considered Options\n${lines(19_800, '* ')}`,
  () => `## Links\n${Array.from({ length: 240 }, () => `* ${many(390, '[a](b.md)')}\n`).join('')}`,
  () =>
    `## Considered Options\n${Array.from({ length: 50 }, () => `* ${many(250, '[a](b)')}\n`).join('')}` +
    `## Pros and Cons of the Options\n${Array.from({ length: 380 }, () => `### ${many(250, '[b](c)')}\n`).join('')}`,
  () => `## Context\n${lines(90, '')}\n## Decision\n${'ﷺ '.repeat(10_000)}`,
];
const recordOf = (n: number): string => `# Record ${n}\n${RECORDS[n % RECORDS.length]!()}`;
function archiveOf(run: number): Buffer {
  const entries = Array.from({ length: RECORDED }, (_, i): [string, Buffer] => [
    `${i}.md`,
    Buffer.from(recordOf(run * 100 + i)),
  ]);
  return Buffer.from(zipSync(Object.fromEntries(entries), { level: 1 }));
}
async function importAdrs(run: number, source: string): Promise<Record<string, number>> {
  const form = new FormData();
  form.append('files', new File([new Uint8Array(archiveOf(run))], 'records.zip'));
  const got = await fetch(`${service.origin}/api/v1/adr/import?source=${source}&status=draft`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin.token}` },
    body: form,
  });
  const body = (await got.json()) as { summary: Record<string, number> };
  if (got.status !== 200) throw new Error(JSON.stringify(body));
  return body.summary;
}
check('decisions from an archive', async (run) => {
  const summary = await importAdrs(run, `new-${run}`);
  if (summary['created'] !== RECORDED) throw new Error(JSON.stringify(summary));
});
check('decisions that were imported before', async (run) => {
  const summary = await importAdrs(run + 2, 'new-0');
  if (summary['updated'] !== RECORDED) throw new Error(JSON.stringify(summary));
});
const numbers = Array.from({ length: 1_000 }, (_, i) => i);
check('decisions that refer to one another', async (run) => {
  const form = new FormData();
  for (const i of numbers) {
    const links = Array.from({ length: 200 }, (_, n) => `* [x](${(i + n * 3 + run) % 1_000}.md)\n`).join('');
    form.append('files', new File([`# R ${i}\n## Links\n${links}`], `${i}.md`));
  }
  const got = await fetch(`${service.origin}/api/v1/adr/import?source=links-${run}&status=draft`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin.token}` },
    body: form,
  });
  const body = await got.text();
  if (got.status !== 200) throw new Error(body);
});
check('decisions as an archive', async () => {
  const got = await fetch(`${service.origin}/api/v1/adr/export.zip`, {
    headers: { authorization: `Bearer ${admin.token}` },
  });
  if (got.status !== 200) throw new Error(await got.text());
  await got.arrayBuffer();
});
check('a decision as Markdown', async () => {
  const { body } = await api.get<{ items: { id: string }[] }>('/adr', { query: { page_size: 62 } });
  for (const { id } of body.items.slice(0, 10)) expectStatus(await api.get(`/adr/${id}.md`), 200, id);
});

const ITEMS = 10_000;
let plan = '';
function planCsv(run: number): string {
  const rows = ['number,outline,title,description,duration_days,completion,predecessors'];
  for (let i = 1; i <= ITEMS; i++) {
    const place = (i - 1) % 10;
    const stage = Math.floor((i - 1) / 10) + 1;
    const before = place < 3 ? '' : `${i - 1};${i - 2}`;
    rows.push(
      place === 0
        ? `${i},${stage},Stage ${stage} ${run},,,,`
        : `${i},${stage}.${place},Task ${i} ${run},${`text ${run}&<> `.repeat(180)},3,50,${before}`,
    );
  }
  return rows.join('\n');
}
async function importPlan(file: string, type: string, query = ''): Promise<unknown> {
  const got = await fetch(`${service.origin}/api/v1${plan}/plan/import${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin.token}`, 'content-type': type },
    body: file,
  });
  const body = await got.json();
  if (got.status !== 200) throw new Error(JSON.stringify(body).slice(0, 1_000));
  return body;
}
check('a plan from CSV', async (run) => {
  const card = expectStatus(await api.post('/cards', { type: 'Initiative', name: `Plan ${run}` }), 201, 'a card');
  plan = `/ppm/initiatives/${card.body.id}`;
  await importPlan(planCsv(run), 'text/csv');
});
check('a plan from CSV again, with other texts', async (run) => {
  await importPlan(planCsv(run + 2), 'text/csv', '?remove_missing=true');
});
const files: Record<string, string> = {};
for (const [format, type] of [
  ['csv', 'text/csv'],
  ['xml', 'application/xml'],
] as const) {
  check(`a plan as ${format}`, async () => {
    const got = await fetch(`${service.origin}/api/v1${plan}/plan.${format}`, {
      headers: { authorization: `Bearer ${admin.token}` },
    });
    files[format] = await got.text();
    if (got.status !== 200) throw new Error(files[format]);
  });
  check(`its ${format} compared`, async () => {
    // More than 20 MB may be written, but not read.
    const file = files[format]!.replaceAll(/(text \d(&amp;|&)[^ ]* ){100,}/g, 'text ');
    await importPlan(file, type, '?dry_run=true');
  });
}
check('the schedule of a plan', async () => {
  expectStatus(await api.get(`${plan}/schedule`), 200, 'the schedule');
});
check('its chart', async () => {
  expectStatus(await api.get(`${plan}/gantt`, { query: { rows: 1_000 } }), 200, 'the chart');
  expectStatus(await api.get(`${plan}/gantt`, { query: { format: 'svg' } }), 200, 'the picture');
});
let baseline = '';
check('its baseline', async (run) => {
  baseline = expectStatus(await api.post(`${plan}/baselines`, { name: `B ${run}` }), 201, 'a baseline').body.id;
});
check('a comparison with its baseline', async () => {
  expectStatus(await api.get(`${plan}/baselines/${baseline}/compare`), 200, 'a comparison');
});

let connection = '';
const HOSTILE: Record<string, string> = {
  'empty arrays': `[${'[],'.repeat(6.6 * MIB)}[]]`,
  'other keys': `[${Array.from({ length: 1_300_000 }, (_, i) => `{"k${i}":1}`).join()}]`,
  'one object of other keys': `{${Array.from({ length: 1_400_000 }, (_, i) => `"k${i}":1`).join()}}`,
  numbers: `[${'1,'.repeat(9.9 * MIB)}1]`,
  nesting: `${'['.repeat(9.9 * MIB)}${']'.repeat(9.9 * MIB)}`,
  records: `[${Array.from({ length: 150_000 }, (_, i) => `{"id":${i},"name":"${'n'.repeat(80)}","state":"active"}`).join()}]`,
  text: `["${'\\u0041'.repeat(3.2 * MIB)}"]`,
};
for (const [kind, text] of Object.entries(HOSTILE))
  check(`an answer of ${(text.length / MIB).toFixed(0)} MiB: ${kind}`, async () => {
    if (connection === '') {
      const { port } = other.address() as AddressInfo;
      const body = {
        name: 'Hostile',
        connector: 'rest',
        config: {
          url: `http://127.0.0.1:${port}`,
          auth: 'none',
          tables: [{ key: 'items', path: '/items', list: '', id: 'id' }],
        },
        secrets: {},
      };
      connection = expectStatus(await api.post('/cmdbsync/connections', body), 201, 'a connection').body.id;
    }
    [answer, media] = [text, 'application/json'];
    expectStatus(await api.post(`/cmdbsync/connections/${connection}/test`), 200, 'a test');
  });

// One character of them becomes eighteen when a name is folded for the search.
const steps = Array.from({ length: 400 }, (_, i) => `<bpmn:userTask id="Step${i}" name="${'ﷺ'.repeat(500)}" />`);
const flow = `<?xml version="1.0" encoding="UTF-8"?><bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" id="D" targetNamespace="http://example.org"><bpmn:process id="P" name="P">${steps.join('')}</bpmn:process></bpmn:definitions>`;
check('a process with long names', async (run) => {
  const card = expectStatus(await api.post('/cards', { type: 'BusinessProcess', name: `Long ${run}` }), 201, 'a card');
  const upload = await api.send('POST', `/bpm/processes/${card.body.id}/flow/versions`, flow, {
    headers: { 'content-type': 'application/xml' },
  });
  expectStatus(upload, 201, 'a version');
});
