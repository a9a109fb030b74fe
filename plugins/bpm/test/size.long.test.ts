/**
 * Reports over 300 processes with 10,000 linked elements, and a file of 5,000 elements. Runs in a process of its own, because it
 * measures the event loop. The times are printed, not asserted.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import t from 'tap';
import { registerAdmin, sql, testApp } from '../../../test/support/app.js';
import { largeBpmn } from './large-file.js';
import { Flow } from './support.js';

const PROCESSES = 300;
const LINKS = 10_000;
const RUNS = 5;

const { origin, database, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const card = (type: string, n: number) => ({ op: 'create', card: { type, name: `${type} ${n}` } });
const made = await admin.api.post<{ results: { id: string }[] }>('/cards/bulk', {
  operations: Array.from({ length: PROCESSES * 2 }, (_, i) => card(i % 2 ? 'Application' : 'BusinessProcess', i)),
});
const ids = made.body.results.map(({ id }) => id);
const [processes, applications] = [0, 1].map((rest) => ids.filter((_, i) => i % 2 === rest)) as [string[], string[]];

await sql(
  database,
  `insert into bpm_versions (id, card_id, revision, state, title, source, file_id, file_name, size, content_hash, frozen_hash, element_count, error_count,
      warning_count, has_interchange, diagrams, process_ids, created_at, updated_at)
    select uuidv7(), id, 1, 'published', 'Large', 'upload', uuidv7(), 'x.bpmn', 1, 'x', 'x', 40, 0, 0, true, '[]', '{}', now(), now() from unnest($1::uuid[]) as id`,
  [processes],
);
await sql(
  database,
  `insert into bpm_elements (id, version_id, bpmn_id, position, kind, type, name, name_folded, updated_at)
    select uuidv7(), v.id, 'Task_' || n, n, case when n % 10 = 0 then 'call_activity' else 'task' end, 'userTask', 'Task ' || n, 'task ' || n, now()
    from bpm_versions v cross join generate_series(1, 40) n`,
);
await sql(
  database,
  `insert into bpm_element_links (element_id, card_id)
    select e.id, (case when e.kind = 'task' then $1::uuid[] else $2::uuid[] end)[1 + (row_number() over (order by e.id) % $3)::int]
    from bpm_elements e order by e.id limit ${LINKS}`,
  [applications, processes, PROCESSES],
);
await sql(
  database,
  `insert into bpm_assessments (id, card_id, assessed_on, efficiency, overall, action_items, created_at, updated_at)
    select uuidv7(), id, date '2026-01-01' + n * 30, 1 + n % 5, 1 + (n + length(id::text)) % 5, '[]', now(), now()
    from unnest($1::uuid[]) as id cross join generate_series(1, 4) n`,
  [processes],
);
await sql(database, 'analyze bpm_versions, bpm_elements, bpm_element_links, bpm_assessments, cards');

const median = (times: number[]): number => times.sort((a, b) => a - b)[Math.floor(times.length / 2)]!;

t.test(`reports over ${PROCESSES} processes with ${LINKS} linked elements`, async (t) => {
  const total = await sql<{ n: number }>(database, 'select count(*)::int as n from bpm_element_links');
  t.equal(total[0]!.n, LINKS);
  const { items } = (await admin.api.get<{ items: { id: string }[] }>('/reports', { query: { page_size: 200 } })).body;
  const own = items.filter(({ id }) => id.startsWith('bpm.'));
  t.equal(own.length, 7);
  for (const path of [
    ...own.map(({ id }) => `/bpm/reports/${id.slice('bpm.'.length)}`),
    '/bpm/processes',
    `/bpm/processes/${processes[0]}`,
  ]) {
    const times: number[] = [];
    for (let run = 0; run < RUNS; run++) {
      const began = performance.now();
      t.equal((await admin.api.get(path)).status, 200, path);
      times.push(performance.now() - began);
    }
    t.comment(`${path.replace(/[0-9a-f-]{36}/, '{id}')}: ${median(times).toFixed(0)} ms`);
  }
  const dashboard = (await admin.api.get('/bpm/reports/dashboard')).body;
  t.match(dashboard['elements'], { linked: LINKS });
});

t.test('a file of 5,000 elements', async (t) => {
  const process = new Flow(processes[0]!);
  const file = Buffer.from(largeBpmn({ nodes: 2_400 }));
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  const began = performance.now();
  const { status, body } = await process.upload(admin, file);
  t.equal(status, 201, JSON.stringify(body));
  const read = performance.now() - began;
  const drawn = await admin.api.get<string>(`${process.versions}/${body.id}.svg`);
  t.equal(drawn.status, 200);
  delays.disable();
  const ms = performance.now() - began;
  t.comment(
    `read and stored in ${read.toFixed(0)} ms, drawn after ${ms.toFixed(0)} ms; ${drawn.body.length} characters of SVG`,
  );
  t.comment(`longest delay of the event loop of service and test: ${(delays.max / 1e6).toFixed(0)} ms`);
});
