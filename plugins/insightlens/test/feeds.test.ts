/** Feeds: uploaded and fetched, whole or not at all, and hostile ones refused. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import pg from 'pg';
import t from 'tap';
import {
  expectStatus,
  lockWaiters,
  makeUser,
  registerAdmin,
  sql,
  testApp,
  until,
  type AnyBody,
} from '../../../test/support/app.js';
import { kevFile, upload } from './support/uploads.js';

const { origin, database, close } = await testApp({ config: { outboundAllow: ['127.0.0.1'] } });
let answer: (request: IncomingMessage, response: ServerResponse) => void = (_request, response) => response.end();
const server = createServer((request, response) => answer(request, response));
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/feed.json`;
t.teardown(async () => {
  await close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
const admin = await registerAdmin(origin);
const { api } = admin;
const viewer = await makeUser(admin, 'viewer');
const feed = async (name = 'kev', who = api): Promise<AnyBody> => (await who.get(`/insightlens/feeds/${name}`)).body;
const cves = async (): Promise<string[]> =>
  (await sql<{ cve: string }>(database, 'select cve from insightlens_vulnerabilities order by cve')).map(
    ({ cve }) => cve,
  );
const OLD = 'CVE-2021-44228';

t.test('a valid file is stored in place of the one before, and its age is shown', async (t) => {
  t.match(await feed(), { state: 'empty', loaded_at: null, age_days: null, entries: 0, is_scheduled: false });
  expectStatus(
    await upload(api, 'kev', [{ name: 'kev.json', content: kevFile(['CVE-2020-0001', 'Acme', 'Anvil']) }]),
    200,
    'first',
  );
  const { body } = expectStatus(
    await upload(api, 'kev', [
      { name: 'kev.json', content: kevFile([OLD, 'Apache', 'Log4j'], ['CVE-2022-0001', 'Acme', 'Anvil']) },
    ]),
    200,
    'second',
  );
  t.match(body, { state: 'current', source: 'upload', published: '2025.08.25', age_days: 0, entries: 2 });
  t.strictSame(await cves(), [OLD, 'CVE-2022-0001']);
  await sql(database, `update insightlens_feeds set loaded_at = now() - interval '20 days' where feed = 'kev'`);
  t.match(await feed(), { state: 'stale', age_days: 20 });
  t.equal((await upload(viewer.api, 'kev', [{ name: 'kev.json', content: '{}' }])).status, 403);
});

t.test('everything that is not valid is reported at once, and nothing is stored', async (t) => {
  const before = await feed();
  const refused = async (name: string, content: string | Buffer, fields: string[], kind = 'kev'): Promise<void> => {
    const { status, body } = await upload(api, kind, [{ name, content }]);
    t.equal(status, 422, name);
    t.strictSame(
      body.errors.map(({ field }) => field),
      fields,
      name,
    );
  };
  const bad = JSON.parse(
    kevFile(['CVE-1', 'Acme', ''], [OLD, 'Acme', 'A\0'], [OLD, 'Acme', 'B', { dateAdded: '2025-02-30' }]),
  ) as AnyBody;
  const at = (i: number, member: string): string => `/files/0/vulnerabilities/${i}/${member}`;
  await refused('bad.json', JSON.stringify(bad), [
    at(0, 'cveID'),
    at(0, 'product'),
    at(1, 'product'),
    at(1, 'vulnerabilityName'),
    at(2, 'dateAdded'),
  ]);
  await refused('twice.json', kevFile([OLD, 'A', 'B'], [OLD, 'A', 'C']), [at(1, 'cveID')]);
  await refused('text.json', 'no', ['/files/0']);
  await refused('latin.json', Buffer.from([0x22, 0xff, 0x22]), ['/files/0']);
  await refused('empty.json', '{"vulnerabilities":[]}', ['/files/0/vulnerabilities']);
  await refused('deep.json', '['.repeat(200_000), ['/files/0']);
  await refused('proto.json', '{"__proto__":{"vulnerabilities":[1]}}', [
    '/files/0/vulnerabilities',
    '/files/0/vulnerabilities',
  ]);
  await refused('list.json', '[1]', ['/files/0', '/files/0/vulnerabilities', '/files/0/vulnerabilities']);
  const product = '---\ntitle: X\nreleases:\n  - releaseCycle: "1"\n    eol: soon\n  - releaseCycle: "1"\n---\n';
  await refused('x.md', product, ['/files/0/releases/0/eol', '/files/0/releases/1'], 'endoflife');
  await refused('deep.md', `---\nreleases: ${'['.repeat(5_000)}\n---\n`, ['/files/0', '/files'], 'endoflife');
  const bomb = `---\na: &a [x,x,x,x,x,x,x,x,x,x]\n${[...'bcdefghi'].map((k, i) => `${k}: &${k} [${Array(10).fill(`*${'abcdefgh'[i]!}`).join(',')}]`).join('\n')}\n---\n`;
  await refused('bomb.md', bomb, ['/files/0', '/files'], 'endoflife');
  t.equal(
    (
      await upload(api, 'kev', [
        { name: 'a', content: '{}' },
        { name: 'b', content: '{}' },
      ])
    ).status,
    422,
  );
  t.strictSame(await feed(), before);
  t.strictSame(await cves(), [OLD, 'CVE-2022-0001']);
});

t.test('end-of-life dates are read in each of their forms', async (t) => {
  const files = [
    {
      name: 'one.md',
      content:
        '---\ntitle: One\nalternate_urls:\n  - /uno\nreleases:\n  - releaseCycle: 1.10\n    releaseLabel: "One __RELEASE_CYCLE__ <b>LTS</b>"\n    eol: 2025-01-31\n---\nText',
    },
    { name: 'two.json', content: '[{"cycle":"2","eol":false,"latest":"2.3"},{"cycle":"1","eol":true}]' },
    {
      name: 'full.json',
      content:
        '{"generated_at":"2026-01-01","result":[{"name":"three","label":"Three","aliases":["drei"],"releases":[{"name":"3","label":"3","isEol":false,"eolFrom":"2027-01-01","latest":{"name":"3.1"}}]}]}',
    },
  ];
  expectStatus(await upload(api, 'endoflife', files), 200, 'three forms');
  const rows = await sql(
    database,
    'select slug, cycle, label, eol, latest from insightlens_releases order by slug, place',
  );
  t.strictSame(rows, [
    { slug: 'one', cycle: '1.10', label: 'One 1.10 LTS', eol: '2025-01-31', latest: null },
    { slug: 'three', cycle: '3', label: '3', eol: '2027-01-01', latest: '3.1' },
    { slug: 'two', cycle: '2', label: null, eol: false, latest: '2.3' },
    { slug: 'two', cycle: '1', label: null, eol: true, latest: null },
  ]);
  t.strictSame(
    await sql(database, `select aliases from insightlens_products where slug in ('one', 'three') order by slug`),
    [{ aliases: ['uno'] }, { aliases: ['drei'] }],
  );
  expectStatus(
    await upload(api, 'endoflife', [{ name: 'w.json', content: '[{"cycle":"2"},{"cycle":"ultra"}]' }]),
    200,
    'one',
  );
  t.match((await viewer.api.get('/insightlens/feeds/odd-versions')).body, {
    total: 1,
    items: [{ slug: 'w', cycles: ['ultra'] }],
  });
});

t.test('a feed is fetched, and a failed fetch keeps its content and says why', async (t) => {
  t.equal((await api.post('/insightlens/feeds/kev/fetch')).body.code, 'invalid_state', 'without a URL');
  const set = (settings: object) => api.patch('/settings/modules/insightlens', { settings });
  expectStatus(await set({ kev_url: url, kev_authorization: 'Bearer key' }), 200, 'a URL');
  await until(async () => (await feed())['is_scheduled'] === true);
  const seen: IncomingMessage['headers'][] = [];
  const fetched = async (respond: typeof answer): Promise<AnyBody> => {
    const before = Number((await feed())['version']);
    answer = (request, response) => {
      seen.push(request.headers);
      respond(request, response);
    };
    const { body, headers } = expectStatus(await api.post('/insightlens/feeds/kev/fetch'), 202, 'a fetch');
    t.ok(headers.get('location')!.endsWith(String(body['job_id'])));
    return await until(async () => {
      const now = await feed();
      return Number(now['version']) > before && now;
    });
  };
  const send =
    (status: number, body: string | Buffer, headers = {}): typeof answer =>
    (_request, response) =>
      response.writeHead(status, headers).end(body);

  const loaded = await fetched(
    send(200, kevFile(['CVE-2023-0001', 'Acme', 'Anvil']), {
      etag: '"one"',
      'last-modified': 'Tue, 13 Jan 2026 10:00:00 GMT',
    }),
  );
  t.match(loaded, { source: 'fetch', state: 'current', failure: null, entries: 1 });
  t.equal(seen[0]!.authorization, 'Bearer key');
  t.strictSame(await cves(), ['CVE-2023-0001']);
  const unchanged = await fetched(send(304, ''));
  t.match(seen[1], { 'if-none-match': '"one"', 'if-modified-since': 'Tue, 13 Jan 2026 10:00:00 GMT' });
  t.equal(unchanged['loaded_at'], loaded['loaded_at']);
  t.ok(unchanged['checked_at']! > loaded['checked_at']!);
  for (const [code, respond] of [
    ['unexpected_status', send(404, 'gone')],
    ['invalid_feed', send(200, '{"vulnerabilities":[{"cveID":"x"}]}')],
    ['invalid_feed', send(200, '['.repeat(500_000))],
    ['outbound_failed', send(200, Buffer.alloc(17 * 1024 * 1024, ' '))],
    [
      'outbound_failed',
      (_request, response) => response.writeHead(200, { 'content-length': '9' }).end('{', () => response.destroy()),
    ],
    ['outbound_refused', send(302, '', { location: 'http://10.0.0.1/feed.json' })],
  ] as [string, typeof answer][]) {
    const failed = await fetched(respond);
    t.match(failed, { failure: { code }, entries: 1, loaded_at: loaded['loaded_at'] }, code);
    t.strictSame(await cves(), ['CVE-2023-0001'], code);
  }
  t.match(
    await feed('kev', viewer.api),
    { failure: { code: 'outbound_refused', detail: null } },
    'servers are for managers',
  );
  t.match(await fetched(send(304, '')), { failure: null, failed_at: null });
  await upload(api, 'kev', [{ name: 'kev.json', content: kevFile([OLD, 'Apache', 'Log4j']) }]);
  t.match(await fetched(send(304, '')), { failure: { code: 'unexpected_status' } }, 'what it has is not from there');
  t.equal(seen.at(-1)!['if-none-match'], undefined);
  t.equal((await set({ kev_url: `${url}?other` })).status, 422, 'a secret is not sent to another URL');
  expectStatus(await set({ kev_url: `${url}?other`, kev_authorization: null }), 200, 'another server');
  await fetched(send(200, kevFile(['CVE-2024-0001', 'Acme', 'Anvil'])));
  t.equal(seen.at(-1)!.authorization, undefined);
  t.strictSame(await cves(), ['CVE-2024-0001']);
});

t.test('a fetch under way begins anew with a new URL, and ends without one', async (t) => {
  const set = (settings: object) => api.patch('/settings/modules/insightlens', { settings });
  const seen: string[] = [];
  const ended: Promise<unknown>[] = [];
  answer = (request, response) => {
    seen.push(request.url!.split('?')[1]!);
    if (request.url!.endsWith('second')) response.end(kevFile(['CVE-2024-0002', 'Acme', 'Anvil']));
    // Never answered: the connection ends when the request is given up.
    else ended.push(new Promise((resolve) => response.once('close', () => resolve(response.writableFinished))));
  };
  const begin = async (): Promise<string> => {
    const { body } = expectStatus(await api.post('/insightlens/feeds/kev/fetch'), 202, 'a fetch');
    return String(body['job_id']);
  };
  const done = async (job: string): Promise<AnyBody> =>
    await until(async () => {
      const { body } = await api.get(`/jobs/${job}`);
      return body['state'] === 'done' && body;
    });
  expectStatus(await set({ kev_url: `${url}?first`, kev_authorization: null }), 200, 'a URL');
  const job = await begin();
  await until(() => seen.length === 1);
  expectStatus(await set({ kev_url: `${url}?second` }), 200, 'another URL');
  t.equal(await ended[0], false, 'the former request was given up');
  t.match(await done(job), { attempt: 1, result: { kev: 'loaded' } });
  t.strictSame(seen, ['first', 'second']);
  t.strictSame(await cves(), ['CVE-2024-0002']);
  expectStatus(await set({ kev_url: `${url}?third`, kev_authorization: 'Bearer key' }), 200, 'a third URL');
  const last = await begin();
  await until(() => seen.length === 3);
  expectStatus(await set({ kev_url: null, kev_authorization: null }), 200, 'no URL');
  t.equal(await ended[1], false);
  t.strictSame((await done(last))['result'], {});
  t.strictSame(await cves(), ['CVE-2024-0002']);
  t.match(await feed(), { failure: null });
});

t.test('content from a former URL is not stored where the URL changes while it is written', async (t) => {
  const set = (settings: object) => api.patch('/settings/modules/insightlens', { settings });
  answer = (request, response) =>
    response.end(kevFile([request.url!.endsWith('former') ? 'CVE-2024-0003' : 'CVE-2024-0004', 'Acme', 'Anvil']));
  expectStatus(await set({ kev_url: `${url}?former` }), 200, 'a URL');
  const holder = new pg.Client(database);
  await holder.connect();
  t.teardown(() => holder.end());
  await holder.query('begin; lock table insightlens_vulnerabilities in share mode');
  const { body } = expectStatus(await api.post('/insightlens/feeds/kev/fetch'), 202, 'a fetch');
  await until(async () => (await lockWaiters(database)) > 0);
  expectStatus(await set({ kev_url: `${url}?next` }), 200, 'another URL');
  await holder.query('commit');
  const job = await until(async () => {
    const { body: seen } = await api.get(`/jobs/${body['job_id'] as string}`);
    return seen['state'] === 'done' && seen;
  });
  t.match(job, { attempt: 1, result: { kev: 'loaded' } });
  t.strictSame(await cves(), ['CVE-2024-0004']);
  expectStatus(await set({ kev_url: null }), 200, 'no URL');
});

t.test(
  'files that are large, compressed, or have odd values are stored or refused, and never an error of the service',
  async (t) => {
    const send = async (name: string, files: Parameters<typeof upload>[2], status: number): Promise<AnyBody> => {
      const { body, status: is } = await upload(api, name, files);
      t.equal(is, status, JSON.stringify(body).slice(0, 300));
      return body;
    };
    const before = await cves();
    const one = (dateAdded: string) => [
      { name: 'kev.json', content: kevFile([OLD, 'Apache', 'Log4j', { dateAdded }]) },
    ];
    for (const day of [
      '0000-01-01',
      '-000001-01-01',
      '+010000-01-01',
      '2025-13-01',
      '２０２５-01-01',
      '2025-01-01T00:00:00Z',
      '',
    ])
      t.match((await send('kev', one(day), 422))['errors'], [{ field: '/files/0/vulnerabilities/0/dateAdded' }], day);
    await send('kev', [{ name: 'many.json', content: `{"vulnerabilities":[${'{},'.repeat(199_999)}{}]}` }], 422);
    const zeros = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    await send('kev', [{ name: 'bomb.json', content: zeros }], 422);
    await send('kev', [{ name: 'large.json', content: Buffer.alloc(17 * 1024 * 1024, ' ') }], 413);
    // A compressed body is not taken, whatever it would become.
    const packed = await api.post('/insightlens/feeds/kev/upload', zeros, {
      headers: { 'content-type': 'multipart/form-data; boundary=x', 'content-encoding': 'gzip' },
    });
    t.equal(packed.status, 415, JSON.stringify(packed.body));
    t.strictSame(await cves(), before);
    for (const day of ['0001-01-01', '9999-12-31']) await send('kev', one(day), 200);
    const releases = (n: number, at: number): object[] =>
      Array.from({ length: n }, (_, i) => ({ name: `${at}.${i}`, isEol: i % 2 === 0 }));
    const products = (n: number): string =>
      JSON.stringify({
        result: Array.from({ length: n }, (_, i) => ({ name: `p${i}`, releases: releases(1_000, i) })),
      });
    t.match((await send('endoflife', [{ name: 'full.json', content: products(101) }], 422))['errors'], [
      { field: '/files' },
    ]);
    await send('endoflife', [{ name: 'full.json', content: products(2) }], 200);
    t.match(await feed('endoflife'), { entries: 2 });
    t.match(
      (
        await send(
          'endoflife',
          ['a', 'a'].map(() => ({ name: 'a.json', content: '[{"cycle":"1"}]' })),
          422,
        )
      )['errors'],
      [{ field: '/files/1' }],
    );
    const label = '__CODENAME__'.repeat(25);
    const page = `---\ntitle: X\nreleases:\n  - releaseCycle: "1"\n    releaseLabel: "${label}"\n    codename: "${'c'.repeat(15_000_000)}"\n---\n`;
    t.ok([200, 422].includes((await upload(api, 'endoflife', [{ name: 'x.md', content: page }])).status));
    const money = `---\ntitle: X\nreleases:\n  - releaseCycle: "$&1"\n    releaseLabel: "v __RELEASE_CYCLE__"\n---\n`;
    await send('endoflife', [{ name: 'x.md', content: money }], 200);
    t.strictSame(await sql(database, 'select label from insightlens_releases'), [{ label: 'v $&1' }]);
    // As the answer of a server, with a header that says how to expand it.
    expectStatus(await api.patch('/settings/modules/insightlens', { settings: { kev_url: url } }), 200, 'a URL');
    const { version } = await feed();
    answer = (_request, response) =>
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(zeros);
    await until(async () => (await api.post('/insightlens/feeds/kev/fetch')).status === 202);
    const failed = await until(async () => {
      const now = await feed();
      return Number(now['version']) > Number(version) && now;
    });
    t.ok(['outbound_failed', 'invalid_feed'].includes(String((failed['failure'] as { code?: string } | null)?.code)));
    t.strictSame(await cves(), [OLD]);
  },
);
