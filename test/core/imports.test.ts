import { request as httpRequest } from 'node:http';
import t from 'tap';
import { makeUser, registerAdmin, sql, testApp, until, type Client } from '../support/app.js';
import { applied, rowsOf, settled, staged, upload, type ImportBody } from '../support/imports.js';

const { origin, database, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const { api } = admin;
const architect = await makeUser(admin, 'architect');
const viewer = await makeUser(admin, 'viewer');
const NOWHERE = '01900000-0000-7000-8000-00000000dead';

interface Card {
  id: string;
  name: string;
  type: string;
  path: string[];
  parent_id: string | null;
  attributes: Record<string, unknown>;
  lifecycle: Record<string, string>;
  description: string | null;
  external_id: string | null;
  version: number;
  updated_by: string;
}

const find = async (name: string, as: Client = api): Promise<Card> =>
  (await as.get<{ items: Card[] }>('/cards', { query: { search: name, page_size: 200 } })).body.items.find(
    (c) => c.name === name,
  )!;
const verdicts = async (id: string): Promise<string[]> => (await rowsOf(api, id)).map(({ verdict }) => verdict);
/** Waits until all events have their position. @returns the number of those about cards and relations */
const changes = async (): Promise<number> => {
  await until(async () => (await sql(database, 'select from event_outbox limit 1')).length === 0);
  return (
    await sql<{ n: number }>(
      database,
      `select count(*)::int as n from events where subject_kind in ('card', 'relation')`,
    )
  )[0]!.n;
};

t.test('a row reports all its errors', async (t) => {
  const csv =
    'type,name,subtype,lifecycle.active,attributes.businessCriticality,attributes.numberOfUsers,commercial\n' +
    'Application,Wrong,zzz,2026-02-30,nope,1.5,maybe\nApplication,,zzz,,,,maybe\n';
  const { id } = await staged(api, 'csv', csv);
  const [first, second] = await rowsOf(api, id);
  t.strictSame(first!.errors.map(({ field, column }) => [field, column]).sort(), [
    ['attributes.businessCriticality', 'attributes.businessCriticality'],
    ['attributes.commercial', 'commercial'],
    ['attributes.numberOfUsers', 'attributes.numberOfUsers'],
    ['lifecycle.active', 'lifecycle.active'],
    ['subtype', 'subtype'],
  ]);
  t.strictSame(
    second!.errors.map(({ field }) => field).sort(),
    ['attributes.commercial', 'subtype'],
    'a row may omit the name of its card',
  );
});

t.test('a table: read, shown as a diff, applied, and unchanged the second time', async (t) => {
  const csv =
    '\uFEFFtype;name;external_id;parent;lifecycle.active;businessCriticality;attributes.numberOfUsers;hasAiFeatures;description\r\n' +
    'Application;Core;t-core;;2020-01-01;missionCritical;120;yes;"First; with\r\na line end"\r\n' +
    'Application;Module;t-mod;Core;;;;no;"""Quoted"""\r\n' +
    'Application;Part;t-part;Core / Module;;;0;;\r\n';
  const { status, body, headers } = await upload(architect.api, 'csv', csv, { file_name: '../../apps.csv' });
  t.equal(status, 202);
  t.equal(headers.get('location'), `/api/v1/imports/${body.id}`);
  // Its job may have begun before the answer was made.
  t.match(body, { state: /^(uploaded|parsing)$/, format: 'csv', file_name: 'apps.csv', size: Buffer.byteLength(csv) });
  const read = await settled(api, body.id);
  t.match(read, {
    state: 'ready',
    counts: { card: { create: 3 }, relation: {} },
    progress: { done: 0, total: 3 },
    errors: [],
  });
  t.equal(await changes(), 0, 'nothing is changed by reading');
  const rows = await rowsOf(api, body.id);
  t.strictSame(
    rows.map(({ row, line, type, name, verdict, applied }) => ({ row, line, type, name, verdict, applied })),
    [
      { row: 1, line: 2, type: 'Application', name: 'Core', verdict: 'create', applied: false },
      { row: 2, line: 4, type: 'Application', name: 'Module', verdict: 'create', applied: false },
      { row: 3, line: 5, type: 'Application', name: 'Part', verdict: 'create', applied: false },
    ],
  );
  t.strictSame(
    rows[2]!.diff.find(({ field }) => field === 'parent_id'),
    { field: 'parent_id', old: null, new: { row: 2 } },
  );

  const done = await applied(architect.api, body.id);
  t.match(done, { state: 'applied', progress: { done: 3, total: 3 }, counts: { card: { create: 3 } } });
  const core = await find('Core');
  t.match(core, {
    description: 'First; with\r\na line end',
    external_id: 't-core',
    attributes: { businessCriticality: 'missionCritical', numberOfUsers: 120, hasAiFeatures: true },
    lifecycle: { active: '2020-01-01' },
    updated_by: architect.user.id,
  });
  t.match(await find('Part'), { path: ['Core', 'Module'], attributes: { numberOfUsers: 0 } });
  t.equal((await find('Module')).description, '"Quoted"');
  const [change] = await sql(database, 'select kind, origin, actor from changes where id = $1', [body.id]);
  t.strictSame(
    change,
    { kind: 'import', origin: 'import', actor: architect.user.id },
    'one change with the id of the import',
  );

  const before = await changes();
  const again = await staged(api, 'csv', csv);
  t.strictSame(again.counts, { card: { unchanged: 3 }, relation: {} });
  t.equal((await applied(api, again.id)).state, 'applied');
  t.equal(await changes(), before);

  const less = await staged(
    api,
    'csv',
    'name,type,attributes.numberOfUsers,parent\nCore,Application,121,\nModule,Application,,Core\n',
  );
  const diff = (await rowsOf(api, less.id)).map(({ verdict, id, diff: d }) => ({ verdict, id, d }));
  t.strictSame(
    diff[0],
    { verdict: 'update', id: core.id, d: [{ field: 'attributes.numberOfUsers', old: 120, new: 121 }] },
    'found by its path; an empty cell keeps the value',
  );
  t.equal(diff[1]!.verdict, 'unchanged');
  const clear = await staged(api, 'csv', 'name,type,attributes.numberOfUsers,description\nCore,Application,,\n', {
    empty: 'clear',
  });
  t.same(
    (await rowsOf(api, clear.id))[0]!.diff.map(({ field, new: n }) => [field, n]),
    [
      ['description', null],
      ['attributes.numberOfUsers', null],
    ],
  );
});

t.test('faults of cells and rows name their columns, and no row is without a verdict', async (t) => {
  const csv = [
    'type,name,external_id,attributes.numberOfUsers,commercial,lifecycle.active,parent,businessCriticality,progress',
    'Application,,x-1,,,,,,',
    'Nothing,A,x-2,,,,,,',
    'Application,B,x-3,many,perhaps,2020-13-01,,huge,',
    'Application,C,x-4,,,,Nowhere / Is,,',
    'Application,D,x-5,,,,,,5',
    'Application,E,x-6,,,,,,',
    'Application,E,x-7,,,,,,',
    'Application,F,x-6,,,,,,',
    'Application,short',
    'Application,H,x-8,,,,G,,',
    'Application,G,x-9,,,,H,,',
    'Interface,I,x-10,,,,Top,,',
    'Interface,Top,x-11,,,,,,',
  ].join('\n');
  const read = await staged(api, 'csv', csv);
  const rows = await rowsOf(api, read.id);
  t.equal(rows.length, 13);
  const faults = (n: number) =>
    rows[n - 1]!.errors.map(({ field, column }) => `${field}${column === undefined ? '' : `@${column}`}`);
  t.strictSame(
    rows.map(({ verdict }) => verdict),
    [
      'invalid',
      'invalid',
      'invalid',
      'invalid',
      'invalid',
      'create',
      'invalid',
      'duplicate',
      'invalid',
      'invalid',
      'invalid',
      'invalid',
      'create',
    ],
  );
  t.strictSame(faults(1), ['name@name']);
  t.strictSame(faults(2), ['type@type']);
  t.strictSame(
    faults(3),
    [
      'attributes.numberOfUsers@attributes.numberOfUsers',
      'attributes.commercial@commercial',
      'lifecycle.active@lifecycle.active',
      'attributes.businessCriticality@businessCriticality',
    ],
    'all of them',
  );
  t.strictSame(faults(4), ['parent@parent']);
  t.strictSame(faults(5), ['attributes.progress@progress']);
  t.match(rows[6]!.errors[0]!.reason, /same position as row 6/);
  t.match(rows[7]!.errors[0]!.reason, /same as row 6/);
  t.match(rows[8]!.errors[0]!.reason, /has 2 cells, but there are 9 headings/);
  t.match(rows[9]!.errors[0]!.reason, /names no card/);
  t.match(rows[11]!.errors[0]!.reason, /cannot be the parent/);
  const late = await staged(
    api,
    'csv',
    'type,name,lifecycle.active,businessCriticality\nApplication,B,2020-13-01,huge\n',
  );
  t.strictSame((await rowsOf(api, late.id))[0]!.errors.map(({ column }) => column).sort(), [
    'businessCriticality',
    'lifecycle.active',
  ]);

  const unknown = await staged(api, 'csv', 'type,name,colour,size,version\nApplication,Z,red,1,7\n');
  t.equal(unknown.state, 'failed');
  t.strictSame(
    unknown.errors.map(({ reason }) => reason),
    ['column "colour" is no field', 'column "size" is no field'],
  );
  t.equal((await api.post(`/imports/${unknown.id}/apply`)).body.code, 'invalid_state');
  const lenient = await staged(api, 'csv', 'type,name,colour,version\nApplication,Z,red,7\n', { ignore_unknown: true });
  t.match(lenient, { state: 'ready', ignored_columns: ['colour', 'version'] });
});

t.test('lines of JSON: cards, cards below them, and relations between them', async (t) => {
  const lines = [
    {
      relation: {
        type: 'applicationToITComponent',
        source: { type: 'Application', external_id: 'n-app' },
        target: { type: 'ITComponent', name: 'Server', path: ['Rack'] },
        attributes: { costTotalAnnual: 10 },
        description: 'Runs',
      },
    },
    { type: 'ITComponent', name: 'Server', parent: { type: 'ITComponent', name: 'Rack', path: [] } },
    {
      type: 'ITComponent',
      name: 'Rack',
      external_id: 'n-rack',
      attributes: { costTotalAnnual: 5.5 },
      lifecycle: { active: '2021-01-01' },
    },
    { type: 'Application', name: 'Ledger 帳簿', external_id: 'n-app', status: 'ACTIVE', tags: [] },
    {
      relation: {
        type: 'related',
        source: { type: 'Application', external_id: 'n-app' },
        target: { type: 'Application', external_id: 'n-app' },
      },
    },
    {
      relation: {
        type: 'applicationToITComponent',
        source: { type: 'ITComponent', external_id: 'n-rack' },
        target: { type: 'Application', external_id: 'n-app' },
      },
    },
    {
      relation: {
        type: 'applicationToITComponent',
        source: { type: 'Application', external_id: 'n-app' },
        target: { type: 'ITComponent', name: 'Server', path: 'Rack' },
      },
    },
    { type: 'Application', name: 'Bad', colour: 'red' },
    { type: 'Application', name: 'Deep', attributes: { __proto__: null } },
  ]
    .map((line) => JSON.stringify(line))
    .join('\n');
  const content = `${lines}\n{"type":"Application","name":"Polluted","attributes":{"__proto__":{"polluted":true}}}\nnot json\n[]\n{"type":"Application","name":"nul \\u0000"}\n`;
  const circle = await staged(
    api,
    'ndjson',
    ['a', 'b', 'c']
      .map((id, i) =>
        JSON.stringify({
          type: 'Application',
          name: id,
          external_id: `circle-${id}`,
          parent: { type: 'Application', external_id: `circle-${'bca'[i]!}` },
        }),
      )
      .join('\n'),
  );
  t.match(
    (await rowsOf(api, circle.id)).map(({ errors }) => errors),
    Array.from({ length: 3 }, () => [{ field: 'parent', reason: /below itself/ }]),
  );
  const read = await staged(api, 'ndjson', content);
  t.equal(read.state, 'ready', JSON.stringify(read.errors));
  t.strictSame(await verdicts(read.id), [
    'create',
    'create',
    'create',
    'create',
    'invalid',
    'invalid',
    'duplicate',
    'invalid',
    'create',
    'invalid',
    'invalid',
    'invalid',
    'invalid',
  ]);
  t.strictSame(read.ignored_columns, ['status', 'tags']);
  t.equal(({} as Record<string, unknown>)['polluted'], undefined);
  const done = await applied(api, read.id);
  t.equal(done.counts.card['failed'] ?? 0, 0);
  t.equal(done.counts.relation['failed'] ?? 0, 0, JSON.stringify(await rowsOf(api, read.id, { verdict: 'failed' })));
  const ledger = await find('Ledger 帳簿');
  const { items } = (
    await api.get<{
      items: { source_id: string; description: string; attributes: unknown; target: { name: string } }[];
    }>('/relations', { query: { card_id: ledger.id } })
  ).body;
  t.match(items, [
    { source_id: ledger.id, target: { name: 'Server' }, description: 'Runs', attributes: { costTotalAnnual: 10 } },
  ]);
  const again = await staged(api, 'ndjson', content);
  t.strictSame(await verdicts(again.id), [
    'unchanged',
    'unchanged',
    'unchanged',
    'unchanged',
    'invalid',
    'invalid',
    'duplicate',
    'invalid',
    'unchanged',
    'invalid',
    'invalid',
    'invalid',
    'invalid',
  ]);
});

t.test('a name that is too long is shown in part, also where a character has two halves', async (t) => {
  const name = `${'a'.repeat(499)}😀${'b'.repeat(100)}`;
  const { id } = await staged(api, 'ndjson', JSON.stringify({ type: 'Application', name }));
  t.match(await rowsOf(api, id), [
    { verdict: 'invalid', name: `${'a'.repeat(499)}\uFFFD`, errors: [{ field: 'name' }] },
  ]);
});

t.test('a name refers to the row of the file with this name, also the second time', async (t) => {
  const content = [
    {
      relation: {
        type: 'applicationToITComponent',
        source: { type: 'Application', name: 'Lone' },
        target: { type: 'ITComponent', name: 'Under' },
      },
    },
    { type: 'Application', name: 'Lone' },
    { type: 'ITComponent', name: 'Above' },
    { type: 'ITComponent', name: 'Under', parent: { type: 'ITComponent', name: 'Above' } },
    { type: 'ITComponent', name: 'Twin', parent: { type: 'ITComponent', name: 'Above' } },
    { type: 'ITComponent', name: 'Twin', parent: { type: 'ITComponent', name: 'Under' } },
    {
      relation: {
        type: 'applicationToITComponent',
        source: { type: 'Application', name: 'Lone' },
        target: { type: 'ITComponent', name: 'Twin' },
      },
    },
  ]
    .map((line) => JSON.stringify(line))
    .join('\n');
  const read = await staged(api, 'ndjson', content);
  t.strictSame(await verdicts(read.id), ['create', 'create', 'create', 'create', 'create', 'create', 'invalid']);
  await applied(api, read.id);
  t.strictSame((await find('Under'))['path'], ['Above']);
  t.strictSame(await verdicts((await staged(api, 'ndjson', content)).id), [
    'unchanged',
    'unchanged',
    'unchanged',
    'unchanged',
    'unchanged',
    'unchanged',
    'invalid',
  ]);
});

t.test('an archived card is unchanged, and a taken name remains taken', async (t) => {
  const { body: old } = await api.post('/cards', { type: 'Application', name: 'Retired', external_id: 'old-1' });
  await api.post(`/cards/${old.id}/archive`);
  await api.post('/cards', { type: 'Application', name: 'Held', external_id: 'held-1' });
  await api.post('/cards', { type: 'Application', name: 'Loose' });
  const read = await staged(
    api,
    'csv',
    'type,name,external_id\nApplication,Retired,old-1\nApplication,Held,other-1\nApplication,Loose,loose-1\n',
  );
  const rows = await rowsOf(api, read.id);
  t.strictSame(
    rows.map(({ verdict }) => verdict),
    ['archived', 'invalid', 'update'],
  );
  t.match(rows[1]!.errors, [{ field: 'name', reason: 'is taken by an active sibling' }]);
  t.strictSame(
    rows[2]!.diff,
    [{ field: 'external_id', old: null, new: 'loose-1' }],
    'a card without an external id gets that of the file',
  );
  // A change between preview and applying must be detected.
  await api.patch(`/cards/${(await find('Loose')).id}`, { external_id: 'taken-meanwhile' });
  await api.post('/cards', { type: 'Application', name: 'Sneaks in', external_id: 'sneak' });
  const late = await staged(
    api,
    'csv',
    'type,name,external_id\nApplication,Fresh,fresh-1\nApplication,Below,below-1\n',
  );
  await api.post('/cards', { type: 'Application', name: 'FRESH' });
  const done = await applied(api, late.id);
  t.match(done, { state: 'applied', counts: { card: { create: 1, failed: 1 } }, progress: { done: 2, total: 2 } });
  t.match(await rowsOf(api, late.id, { verdict: 'failed' }), [
    { name: 'Fresh', errors: [{ field: 'name', reason: 'is taken by an active sibling' }], applied: true },
  ]);
});

t.test('forms, options, and what is refused', async (t) => {
  const form = async (
    parts: Record<string, string | Blob>,
    type = 'text/csv',
  ): Promise<{ status: number; body: ImportBody & { code: string; errors: { field: string }[] } }> => {
    const data = new FormData();
    for (const [name, value] of Object.entries(parts))
      data.append(name, value instanceof Blob ? new File([value], 'list.csv', { type }) : value);
    const answer = await fetch(`${origin}/api/v1/imports`, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin.token}` },
      body: data,
    });
    return { status: answer.status, body: (await answer.json()) as never };
  };
  const file = new Blob(['name\nFrom a form\n']);
  const made = await form({ file, options: '{"type":"Provider"}' });
  t.match(made, { status: 202, body: { format: 'csv', file_name: 'list.csv' } });
  t.match(await rowsOf(api, (await settled(api, made.body.id)).id), [{ type: 'Provider', verdict: 'create' }]);
  t.equal(
    (await form({ options: '{"type":"Provider"}', format: 'csv', file }, 'application/octet-stream')).status,
    202,
    'fields may come first',
  );
  for (const [parts, field] of [
    [{ file, options: '{"colour":1}' }, '/options/colour'],
    [{ file, options: '{' }, '/options'],
    [{ file, format: 'xlsx' }, '/format'],
    [{ file, extra: 'x' }, '/extra'],
    [{ format: 'csv' }, '/file'],
    [{ file: new Blob([]) }, '/file'],
    [{ file: 'text' }, '/file'],
    [{ file, options: '{"__proto__":{"a":1}}' }, '/options/__proto__'],
  ] as [Record<string, string | Blob>, string][]) {
    const { status, body } = await form(parts);
    t.equal(status, 422, field);
    t.equal(body.errors[0]?.field, field);
  }
  const raw = (type: string | undefined, body: string, query = {}) =>
    api.send('POST', '/imports', body, { headers: type === undefined ? {} : { 'content-type': type }, query });
  t.equal((await raw('application/json', '{"a":1}')).status, 415);
  t.equal((await raw('text/csv', 'name\nX\n', { colour: 'red' })).status, 422);
  t.equal((await raw('text/csv', '')).status, 422);
  t.equal((await raw('multipart/form-data; boundary=x', 'rubbish')).status, 400);
  t.equal((await raw('multipart/form-data', 'rubbish')).status, 400);
  t.equal(
    (
      await api.send('POST', '/imports', 'name\n', {
        headers: { 'content-type': 'text/csv', 'content-encoding': 'gzip' },
      })
    ).status,
    415,
  );
  t.equal((await api.send('POST', '/imports', undefined)).status, 422);
  const tooLarge = await new Promise<number | undefined>((resolve, reject) => {
    const sent = httpRequest(
      `${origin}/api/v1/imports`,
      {
        method: 'POST',
        headers: {
          authorization: `Bearer ${admin.token}`,
          'content-type': 'text/csv',
          'content-length': 200 * 1024 * 1024,
        },
      },
      (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      },
    );
    sent.once('error', reject);
    sent.write('type,name\n');
  });
  t.equal(tooLarge, 413, 'a file with a too large Content-Length is not read');
  t.same(
    await sql(database, 'select id from files f where not exists (select from imports i where i.file_id = f.id)'),
    [],
    'refused files are not stored',
  );
});

t.test('permissions, versions, retries, and cancellation', async (t) => {
  for (const [method, path] of [
    ['POST', '/imports'],
    ['GET', '/imports'],
    ['GET', `/imports/${NOWHERE}`],
    ['GET', `/imports/${NOWHERE}/rows`],
    ['POST', `/imports/${NOWHERE}/apply`],
    ['DELETE', `/imports/${NOWHERE}`],
  ] as const) {
    t.match(
      await viewer.api.send(
        method,
        path,
        method === 'POST' ? 'name\n' : undefined,
        method === 'POST' ? { headers: { 'content-type': 'text/csv' } } : {},
      ),
      { status: 403, body: { required_permission: 'cards.import' } },
      `${method} ${path}`,
    );
    if (path !== '/imports') t.equal((await api.send(method, path)).status, 404);
  }
  t.equal((await api.get('/imports/nonsense')).status, 404);
  const send = (key: string, body: string) =>
    api.send<ImportBody & { code: string }>('POST', '/imports', body, {
      headers: { 'content-type': 'text/csv', 'idempotency-key': key },
    });
  const first = await send('import-1', 'type,name\nProvider,Once\n');
  const replay = await send('import-1', 'type,name\nProvider,Once\n');
  t.equal(replay.body.id, first.body.id);
  t.equal(replay.headers.get('idempotent-replayed'), 'true');
  t.match(await send('import-1', 'type,name\nProvider,Twice\n'), {
    status: 422,
    body: { code: 'idempotency_key_reused' },
  });
  const ready = await settled(api, first.body.id);
  t.match(await api.post(`/imports/${ready.id}/apply`, undefined, { headers: { 'if-match': '"1"' } }), {
    status: 412,
    body: { current_version: ready.version },
  });
  const etag = (await api.get(`/imports/${ready.id}`)).headers.get('etag')!;
  t.equal((await api.get(`/imports/${ready.id}`, { headers: { 'if-none-match': etag } })).status, 304);
  const sendForm = (options: string, name = 'p.csv') => {
    const data = new FormData();
    data.set('options', options);
    data.set('file', new Blob(['type,name\nProvider,Form\n']), name);
    return fetch(`${origin}/api/v1/imports`, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin.token}`, 'idempotency-key': 'import-form' },
      body: data,
    });
  };
  t.equal((await sendForm('{}')).status, 202);
  t.equal((await sendForm('{}')).headers.get('idempotent-replayed'), 'true');
  for (const other of [await sendForm('{"empty":"clear"}'), await sendForm('{}', 'q.csv')])
    t.match(await other.json(), { status: 422, code: 'idempotency_key_reused' }, 'the fields of the form count');
  t.equal(
    (
      await api.post(`/imports/${ready.id}/apply`, undefined, {
        headers: { 'if-match': etag, 'idempotency-key': 'apply-1' },
      })
    ).status,
    202,
  );
  t.equal(
    (
      await api.post(`/imports/${ready.id}/apply`, undefined, {
        headers: { 'if-match': etag, 'idempotency-key': 'apply-1' },
      })
    ).headers.get('idempotent-replayed'),
    'true',
  );
  t.equal((await settled(api, ready.id)).state, 'applied');
  t.equal((await api.post(`/imports/${ready.id}/apply`)).status, 409);
  t.equal((await api.del(`/imports/${ready.id}`)).status, 204);
  t.equal((await api.get(`/imports/${ready.id}`)).status, 404);
  t.ok(await find('Once'), 'applied rows are kept');

  const many = await staged(
    api,
    'csv',
    `type,name\n${Array.from({ length: 5_000 }, (_, i) => `Provider,Many ${i}`).join('\n')}\n`,
  );
  t.equal((await api.post(`/imports/${many.id}/apply`)).status, 202);
  t.equal((await api.del(`/imports/${many.id}`)).status, 204);
  const left = await settled(api, many.id);
  t.equal(left.state, 'cancelled');
  await until(
    async () =>
      (await sql(database, `select from jobs where type = 'imports.apply' and state in ('queued', 'running')`))
        .length === 0,
  );
  const [stored] = await sql<{ cards: number; marked: number }>(
    database,
    `select (select count(*)::int from cards where name like 'Many %') as cards, (select count(*)::int from import_rows where import_id = $1 and applied_at is not null) as marked`,
    [many.id],
  );
  t.equal(stored!.cards, stored!.marked);
  t.equal((await api.del(`/imports/${many.id}`)).status, 204);
  t.equal((await sql(database, 'select from import_rows where import_id = $1', [many.id])).length, 0);
  const expected = [
    'import.created',
    'import.parsed',
    'import.started',
    'import.applied',
    'import.failed',
    'import.cancelled',
    'import.deleted',
  ];
  // The events of the last change may still be in the outbox.
  const missing = async (): Promise<string[]> => {
    const written = await sql<{ type: string }>(
      database,
      `select distinct type from events where subject_kind = 'import'`,
    );
    return expected.filter((type) => !written.some((event) => event.type === type));
  };
  await until(async () => (await missing()).length === 0).catch(() => undefined);
  t.same(await missing(), []);
});

t.test('an import has only the permissions of the user who applies it', async (t) => {
  const { body: role } = await api.post<{ key: string }>('/roles', {
    key: 'importer',
    label: 'Importer',
    permissions: ['cards.view', 'cards.import', 'cards.edit'],
  });
  const importer = await makeUser(admin, role.key);
  const { body: card } = await api.post('/cards', {
    type: 'Application',
    name: 'Costly',
    external_id: 'c-1',
    attributes: { costTotalAnnual: 777 },
  });
  const read = await staged(
    importer.api,
    'csv',
    'type,name,external_id,attributes.costTotalAnnual,description\nApplication,Costly,c-1,888,Text\nApplication,New one,c-2,,\n',
  );
  const rows = await rowsOf(importer.api, read.id);
  t.strictSame(
    rows.map(({ verdict }) => verdict),
    ['invalid', 'invalid'],
  );
  t.match(rows[1]!.errors, [{ field: '', reason: /cards.create/ }], 'the preview knows the rights of who uploads');
  t.match(
    rows[0]!.errors,
    [{ field: 'attributes.costTotalAnnual', column: 'attributes.costTotalAnnual', reason: /costs.view/ }],
    'a user who may not see costs cannot guess them',
  );
  const open = await staged(
    api,
    'csv',
    'type,name,external_id,attributes.costTotalAnnual,description\nApplication,Costly,c-1,888,Text\n',
  );
  t.strictSame(
    (await rowsOf(importer.api, open.id))[0]!.diff,
    [{ field: 'description', old: null, new: 'Text' }],
    'or read them in the import of another user',
  );
  t.match((await rowsOf(api, open.id))[0]!.diff, [
    { field: 'description' },
    { field: 'attributes.costTotalAnnual', old: 777, new: 888 },
  ]);
  const others = await staged(
    api,
    'csv',
    'type,name,external_id,description\nApplication,Costly,c-1,Other text\nApplication,New one,c-2,\n',
  );
  t.strictSame(others.counts.card, { update: 1, create: 1 });
  t.match(
    await importer.api.post(`/imports/${others.id}/apply`),
    { status: 403, body: { required_permission: 'cards.create' } },
    'of the import of another all of it or nothing',
  );
  t.equal(await find('New one'), undefined, 'creating requires cards.create');
  t.equal(
    (
      await applied(
        importer.api,
        (
          await staged(api, 'csv', 'type,name,external_id,description\nApplication,Costly,c-1,Other text\n')
        ).id,
      )
    ).counts.card['update'],
    1,
  );
  t.ok(card.id);
});
