import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { strToU8, unzipSync, zipSync } from 'fflate';
import t from 'tap';
import {
  DATA_DIR,
  dataAbsent,
  makeUser,
  registerAdmin,
  sql,
  testApp,
  type AnyBody,
  type Session,
} from '../../../test/support/app.js';

interface Verdict {
  file: string;
  outcome: string;
  id: string | null;
  number: string | null;
  reason: string | null;
  warnings: string[];
}
interface Result {
  summary: Record<string, number>;
  results: Verdict[];
}
interface Adr {
  id: string;
  number: string;
  title: string;
  status: string;
  version: number;
  context: string | null;
  decision: string | null;
  signed_at: string | null;
  content_hash: string | null;
  source: { collection: string; path: string; status: string | null } | null;
  related: { type: string; adr_id: string }[];
  related_by: { type: string; adr_id: string }[];
}

const { origin, database, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const [viewer, member] = await Promise.all([makeUser(admin, 'viewer'), makeUser(admin, 'member')]);

type Files = Record<string, string | Uint8Array>;
async function upload(
  files: Files,
  {
    by = admin,
    query = {},
    headers = {},
    field = 'files',
  }: { by?: Session; query?: Record<string, string>; headers?: Record<string, string>; field?: string } = {},
): Promise<{ status: number; headers: Headers; body: Result & AnyBody }> {
  const form = new FormData();
  for (const [name, content] of Object.entries(files)) form.append(field, new File([content as string], name));
  const answer = await fetch(`${origin}/api/v1/adr/import?${new URLSearchParams(query).toString()}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${by.token}`, ...headers },
    body: form,
  });
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Result & AnyBody };
}
const read = async (id: string | null) => (await viewer.api.get<Adr>(`/adr/${id}`)).body;
const zip = (files: Files): Uint8Array =>
  zipSync(
    Object.fromEntries(
      Object.entries(files).map(([name, content]) => [name, typeof content === 'string' ? strToU8(content) : content]),
    ),
  );
const exported = async (query = {}): Promise<Record<string, string>> => {
  const answer = await fetch(`${origin}/api/v1/adr/export.zip?${new URLSearchParams(query).toString()}`, {
    headers: { authorization: `Bearer ${viewer.token}` },
  });
  if (answer.status !== 200) throw new Error(await answer.text());
  return Object.fromEntries(
    Object.entries(unzipSync(new Uint8Array(await answer.arrayBuffer()))).map(([name, bytes]) => [
      name,
      Buffer.from(bytes).toString('utf8'),
    ]),
  );
};
const outcomes = ({ results }: Result) => Object.fromEntries(results.map(({ file, outcome }) => [file, outcome]));

t.test('every record of the public collections is exported unchanged', { skip: dataAbsent }, async (t) => {
  const root = join(DATA_DIR, 'adr');
  const folders = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  const sources: Record<string, string> = {};
  for (const folder of folders)
    for (const name of readdirSync(join(root, folder)))
      if (name.endsWith('.md')) sources[`${folder}/${name}`] = readFileSync(join(root, folder, name), 'utf8');
  const paths = Object.keys(sources).sort();
  const archive = { 'collections.zip': zip(sources) };
  const began = performance.now();
  const { status, body } = await upload(archive, { query: { source: 'public' } });
  t.comment(`${paths.length} records in ${Math.round(performance.now() - began)} ms`);
  t.equal(status, 200);
  t.equal(body.summary['created'], paths.length, JSON.stringify(body.results.filter((r) => r.outcome !== 'created')));
  t.strictSame(
    body.results.map((r) => r.file),
    paths,
  );
  const all = await exported({ source: 'public' });
  t.strictSame(
    Object.keys(all).sort(),
    paths.map((path) => `public/${path}`),
  );
  for (const path of paths) t.ok(all[`public/${path}`] === sources[path], path);
  for (const { file, id } of body.results.slice(0, 3))
    t.equal((await viewer.api.get<string>(`/adr/${id}.md`)).body, sources[file]!.replace('\uFEFF', ''));

  const again = await upload(archive, { query: { source: 'public' } });
  t.match(again.body.summary, { created: 0, updated: 0, conflict: 0, failed: 0, unchanged: paths.length });
  const byPath = new Map(body.results.map((r) => [r.file, r.id]));
  const states = await sql<{ status: string; n: number }>(
    database,
    'select status, count(*)::int as n from adr_decisions group by 1 order by 1',
  );
  t.match(Object.fromEntries(states.map((s) => [s.status, s.n])), { superseded: 3 });
  t.match(await read(byPath.get('moj-cloud-platform-nygard/007-Use-ECR-As-Container-Registry.md')!), {
    status: 'signed',
    title: 'Use ECR As Container Registry',
    signed_at: '2018-04-06T00:00:00.000Z',
    source: { status: 'Accepted' },
  });
  const old = byPath.get('semantic-kernel-madr/0006-open-api-dynamic-payload-and-namespaces.md')!;
  t.match(await read(old), {
    status: 'superseded',
    related_by: [{ type: 'supersedes', adr_id: byPath.get('semantic-kernel-madr/0062-open-api-payload.md') }],
  });
  const { body: graph } = await viewer.api.get<{
    nodes: { id: string }[];
    edges: { source: string; target: string; type: string }[];
  }>('/adr/graph');
  t.equal(graph.nodes.length, paths.length);
  t.ok(graph.edges.some(({ target, type }) => target === old && type === 'supersedes'));
  await sql(database, 'delete from adr_decisions');
});

t.test('a verdict for each file', async (t) => {
  const madr = (title: string, status = 'accepted', more = '') =>
    `---\nstatus: ${status}\n---\n# ${title}\n\n## Context and Problem Statement\n\nText of ${title}.\n${more}`;
  const first: Files = {
    '0001-one.md': madr('One'),
    '0002-two.md': madr('Two', 'superseded by [ADR-0003](0003-three.md)'),
    '0003-three.md': madr('Three'),
    '0004-four.md': madr('Four', '{in-progress}'),
    'README.md': '# Read me',
    '.hidden.md': '# H',
    'adr-template.md': '# T',
    'picture.png': 'x',
    'empty.md': ' \n',
    'latin.md': new Uint8Array([0x23, 0x20, 0xe9]),
    'nul.md': '# a\0b',
    'long.md': '# a\n'.repeat(20_001),
  };
  const dry = await upload(first, { query: { dry_run: 'true' } });
  t.match(dry.body, { summary: { created: 4, skipped: 4, failed: 4 } });
  t.ok(dry.body.results.every((r) => r.id === null && r.number === null));
  t.equal((await viewer.api.get('/adr')).body.total, 0, 'nothing is stored');
  const { body } = await upload(first);
  t.match(body.summary, { created: 4, updated: 0, unchanged: 0, conflict: 0, skipped: 4, failed: 4 });
  const ids = Object.fromEntries(body.results.map((r) => [r.file, r.id]));
  const numbers = body.results.flatMap((r) => r.number ?? []).map((number) => Number(number.slice(4)));
  t.strictSame(
    numbers,
    numbers.map((_, i) => numbers[0]! + i),
  );
  t.match(await read(ids['0001-one.md']!), {
    status: 'signed',
    content_hash: /^[0-9a-f]{64}$/,
    source: { path: '0001-one.md', status: 'accepted' },
  });
  t.match(await read(ids['0002-two.md']!), {
    status: 'superseded',
    related_by: [{ type: 'supersedes', adr_id: ids['0003-three.md'] }],
  });
  t.match(await read(ids['0004-four.md']!), { status: 'draft', content_hash: null, source: { status: 'in-progress' } });

  // Changed here; changed in the file; changed in both; out of force in the file.
  t.equal((await admin.api.patch(`/adr/${ids['0004-four.md']}`, { decision: 'Here.' })).status, 200);
  const changed: Files = {
    '0001-one.md': madr('One', 'superseded by [ADR-0005](0005-five.md)'),
    '0003-three.md': madr('Three', 'accepted', '\nMore.\n'),
    '0004-four.md': madr('Four', 'accepted'),
    '0005-five.md': madr('Five'),
    'renamed.md': first['0002-two.md']!,
  };
  const second = await upload(changed);
  t.strictSame(outcomes(second.body), {
    '0001-one.md': 'updated',
    '0003-three.md': 'conflict',
    '0004-four.md': 'conflict',
    '0005-five.md': 'created',
    'renamed.md': 'unchanged',
  });
  const five = second.body.results.find((r) => r.file === '0005-five.md')!.id;
  t.match(await read(ids['0001-one.md']!), { status: 'superseded', related_by: [{ adr_id: five }] });
  t.match(await read(ids['0003-three.md']!), { status: 'signed', version: 1 });
  t.match(outcomes((await upload(changed)).body), {
    '0001-one.md': 'unchanged',
    '0003-three.md': 'conflict',
    '0005-five.md': 'unchanged',
  });
  t.strictSame(
    outcomes((await upload({ '0001-one.md': madr('Another one') }, { query: { source: 'other' } })).body),
    { '0001-one.md': 'created' },
    'the same name in another collection',
  );

  const draft = await upload({ '0009-nine.md': madr('Nine', 'proposed') });
  const nine = draft.body.results[0]!.id;
  t.strictSame(outcomes((await upload({ '0009-nine.md': madr('Nine times', 'accepted') })).body), {
    '0009-nine.md': 'updated',
  });
  t.match(await read(nine), { title: 'Nine times', status: 'signed', version: 2 });
  const revised = await admin.api.post<Adr>(`/adr/${nine}/revise`);
  t.match(revised, { status: 201, body: { revision: 2, status: 'draft', source: { path: '0009-nine.md' } } });
  t.match(
    (await viewer.api.get<string>(`/adr/${revised.body.id}.md`)).body,
    /^---\nstatus: proposed\n---\n# Nine times/,
  );
  t.strictSame(
    outcomes((await upload({ '0009-nine.md': madr('Nine again') })).body),
    { '0009-nine.md': 'conflict' },
    'a revision is the work of those who revise',
  );
  const brief = (await upload({ 'brief.md': '# Brief\n' }, { query: { status: 'draft' } })).body.results[0]!;
  t.equal((await admin.api.del(`/adr/${brief.id}`)).status, 204);
  t.match(
    (await upload({ 'brief.md': '# Brief\n' })).body.results,
    [{ outcome: 'created' }],
    'what was deleted is new again',
  );
  const twice = new FormData();
  for (const content of ['# A', '# B']) twice.append('files', new File([content], 'same.md'));
  const answer = (await (
    await fetch(`${origin}/api/v1/adr/import`, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin.token}` },
      body: twice,
    })
  ).json()) as Result;
  t.strictSame(
    answer.results.map((r) => r.outcome),
    ['created', 'failed'],
  );
});

t.test('changes made here are merged into the imported text', async (t) => {
  const source =
    '---\nparent: Decisions\nnav_order: 3\nstatus: proposed\n---\n# Merge\n\n## Context and Problem Statement\n\nOld context with ![picture](a.png).\n\n## Custom section\n\n<details><summary>x</summary>\n\n| a | b |\n|---|---|\n\n</details>\n\n## Decision Outcome\n\nOld.\n';
  const { id } = (await upload({ 'merge.md': source }, { query: { source: 'merge' } })).body.results[0]!;
  t.equal((await member.api.patch(`/adr/${id}`, { decision: 'New.', consequences: 'Less work.' })).status, 200);
  const wanted = source.replace('Old.\n', 'New.\n\n### Consequences\n\nLess work.\n');
  t.equal((await viewer.api.get<string>(`/adr/${id}.md`)).body, wanted);
  t.equal((await exported({ source: 'merge' }))['merge/merge.md'], wanted);
  await admin.api.post(`/adr/${id}/request-signatures`, { user_ids: [admin.user.id] });
  t.equal((await admin.api.post(`/adr/${id}/sign`)).status, 200);
  const file = await viewer.api.get<string>(`/adr/${id}.md`);
  t.equal(file.body, wanted.replace('status: proposed', 'status: accepted'));
  t.equal(file.headers.get('content-type'), 'text/markdown; charset=utf-8');
  t.equal(
    (await viewer.api.get(`/adr/${id}.md`, { headers: { 'if-none-match': file.headers.get('etag')! } })).status,
    304,
  );
  t.equal((await viewer.api.get('/adr/nothing.md')).status, 404);
  t.equal((await viewer.api.get('/adr/0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b.md')).status, 404);
  t.match(
    (await viewer.api.get<{ items: Adr[] }>('/adr', { query: { search: 'custom details' } })).body.items,
    [{ id }],
    'sections that are no field are found too',
  );
});

t.test('statuses are imported by users who may sign, while four eyes are off', async (t) => {
  const file = (n: number) => ({ [`settled-${n}.md`]: `---\nstatus: accepted\n---\n# Settled ${n}\n` });
  const by = await upload(file(1), { by: member });
  t.match(by.body.results, [{ outcome: 'created', warnings: ['it is accepted in the file and a draft here'] }]);
  t.match(await read(by.body.results[0]!.id), { status: 'draft' });
  t.match(await read((await upload(file(2), { query: { status: 'draft' } })).body.results[0]!.id), { status: 'draft' });
  await admin.api.patch('/settings/modules/adr', { settings: { four_eyes: 'another' } });
  t.match(await read((await upload(file(3))).body.results[0]!.id), { status: 'draft' });
  await admin.api.patch('/settings/modules/adr', { settings: { four_eyes: null } });
  t.match(await upload(file(4), { by: viewer }), { status: 403, body: { required_permission: 'adr.manage' } });
});

t.test('imports at once and again', async (t) => {
  const files = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`race-${i}.md`, `# Race ${i}\n`]));
  const all = await Promise.all(Array.from({ length: 5 }, () => upload(files)));
  t.strictSame(
    all.map(({ status }) => status),
    [200, 200, 200, 200, 200],
  );
  t.equal(
    all.reduce((sum, { body }) => sum + body.summary['created']!, 0),
    20,
  );
  t.equal(
    all.reduce((sum, { body }) => sum + body.summary['unchanged']!, 0),
    80,
  );
  const headers = { 'idempotency-key': 'import-1' };
  const once = await upload({ 'once.md': '# Once\n' }, { headers });
  const replay = await upload({ 'once.md': '# Once\n' }, { headers });
  t.strictSame(replay.body, once.body);
  t.equal(replay.headers.get('idempotent-replayed'), 'true');
  t.match(await upload({ 'once.md': '# Twice\n' }, { headers }), {
    status: 422,
    body: { code: 'idempotency_key_reused' },
  });
});

t.test('forms and archives that are not what they should be', async (t) => {
  t.match(await upload({}, {}), { status: 422 });
  t.match(await upload({ 'a.md': '# A' }, { field: 'other' }), {
    status: 422,
    body: { errors: [{ field: '/other' }] },
  });
  t.match(await upload({ 'a.md': '# A' }, { query: { colour: 'red' } }), {
    status: 422,
    body: { errors: [{ field: 'colour' }] },
  });
  const raw = (type: string, body: string) =>
    admin.api.send('POST', '/adr/import', body, { headers: { 'content-type': type } });
  t.equal((await raw('multipart/form-data; boundary=x', 'rubbish')).status, 400);
  t.equal((await raw('multipart/form-data', 'rubbish')).status, 400);
  t.equal((await raw('application/json', '{}')).status, 415);
  t.equal(
    (await upload(Object.fromEntries(Array.from({ length: 1_001 }, (_, i) => [`f${i}.md`, `# F${i}`])))).status,
    413,
  );

  const evil = zip({
    '../../etc/passwd.md': '# Out',
    '/abs.md': '# Abs',
    'good/0001-fine.md': '# Fine',
    '__MACOSX/._x.md': 'x',
    'deep.zip': zip({ 'x.md': '# X' }),
    '__proto__.md': '# Proto',
  });
  const seen = outcomes((await upload({ 'evil.zip': evil })).body);
  t.match(seen, {
    '../../etc/passwd.md': 'failed',
    '/abs.md': 'failed',
    'good/0001-fine.md': 'created',
    '__MACOSX/._x.md': 'skipped',
    'deep.zip': 'skipped',
  });
  t.equal((await viewer.api.get('/adr', { query: { search: 'proto' } })).body.total, 1);

  const bomb = zip({
    'bomb.md': new Uint8Array(30 * 1024 * 1024).fill(35),
    'tight.md': new Uint8Array(1024 * 1024).fill(35),
  });
  t.strictSame(outcomes((await upload({ 'bomb.zip': bomb })).body), { 'bomb.md': 'failed', 'tight.md': 'failed' });
  const many = zip(Object.fromEntries(Array.from({ length: 2_001 }, (_, i) => [`${i}.md`, '# x'])));
  t.match((await upload({ 'many.zip': many })).body.results, [
    { file: 'many.zip', outcome: 'failed', reason: /more than 2000 files/ },
  ]);
  // A directory that states a smaller size than the actual one.
  const lying = Buffer.from(
    zip({ 'lie.md': new Uint8Array(500_000).map((_, i) => 97 + ((i * i) % 23)), 'true.md': '# True\n' }),
  );
  const at = lying.indexOf(Buffer.from('504b0102', 'hex'));
  lying.writeUInt32LE(10, at + 24);
  t.match(outcomes((await upload({ 'lie.zip': lying })).body), { 'lie.md': 'failed', 'true.md': 'created' });
  for (const cut of [30, 100, lying.length - 30])
    t.match((await upload({ 'cut.zip': lying.subarray(0, cut) })).body.results, [
      { file: 'cut.zip', outcome: 'failed' },
    ]);
  const wild = Buffer.from(zip({ 'wild.md': '# W\n' }));
  wild.writeUInt32LE(0xfffffff0, wild.length - 6);
  t.match((await upload({ 'wild.zip': wild })).body.results, [{ outcome: 'failed' }]);
});

const TRIALS = join(DATA_DIR, 'trials');
const trialsAbsent = existsSync(TRIALS) ? false : 'TEST_DATA_DIR is absent';

t.test('a status in the header decides, and is kept as it is written', { skip: trialsAbsent }, async (t) => {
  const expected: Record<string, [status: string, written: string]> = {
    '01-adr-header-status.md': ['signed', 'accepted'],
    '01b-adr-dash-superseded.md': ['superseded', 'superseded by [use-one-repository](01-adr-header-status.md)'],
    '01c-adr-bold-status.md': ['signed', 'Accepted'],
  };
  const files = Object.fromEntries(
    Object.keys(expected).map((name) => [name, readFileSync(join(TRIALS, name), 'utf8')]),
  );
  const { body } = await upload(files, { query: { source: 'trials' } });
  t.equal(body.summary['created'], 3);
  for (const { file, id, warnings } of body.results) {
    const adr = await read(id);
    t.strictSame([adr.status, adr.source?.status], expected[file], file);
    t.strictSame(warnings, [], file);
  }
  t.strictSame(
    await exported({ source: 'trials' }),
    Object.fromEntries(Object.entries(files).map(([name, text]) => [`trials/${name}`, text])),
  );
});

t.test('what a record says in another language, and what is not read of it', async (t) => {
  const { body } = await upload(
    {
      'de.md': '# A\n\n* Status: angenommen\n\n## Kontext\n\nWarum.\n\n## Notizen\n\nx\n',
      'fr.md': '---\nstatut: en limbo\ndeciders: @ann\n---\n# B\n\n## Décision\n\nOui.\n',
    },
    { query: { source: 'languages' } },
  );
  t.match(body.results, [
    { file: 'de.md', warnings: ['not read as parts of a record, and in the Markdown alone: "Notizen"'] },
    {
      file: 'fr.md',
      warnings: [
        'line 3 of the file could not be read as front matter',
        'the status "en limbo" is not known; it is read as a draft',
      ],
    },
  ]);
  t.match(await read(body.results[0]!.id), { status: 'signed', context: 'Warum.' });
  t.match(await read(body.results[1]!.id), { status: 'draft', decision: 'Oui.', source: { status: 'en limbo' } });
});
