/**
 * Five hundred generated requests to portals, each compared with what a whitelist says that is computed from the cards of the
 * test, not from the service. Everything that must not be seen contains a marker; no answer may.
 */
import { createHash } from 'node:crypto';
import { request as send, type IncomingHttpHeaders } from 'node:http';
import t from 'tap';
import { registerAdmin, testApp, until } from '../../../test/support/app.js';
import { createPortal, PUBLIC } from './support.js';

const REQUESTS = 500;
const MARK = 'zq7hidden';
const { origin, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const make = async (path: string, body: object): Promise<string> => {
  const answer = await admin.api.post<{ id: string }>(path, body);
  if (answer.status !== 201) throw new Error(`POST ${path} gave ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body.id;
};

/** Numbers from 0 to 1 by a seed, so that a failure can be repeated. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
const random = numbers(Number(process.env['PORTALS_SEED'] ?? 20_261_124));
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;

await admin.api.post('/metamodel/types', {
  key: 'Thing',
  label: 'Thing',
  sections: [
    {
      key: 'main',
      label: 'Main',
      fields: [
        { key: 'size', kind: 'number' },
        { key: 'kind', kind: 'single_select', options: [{ key: 'big' }, { key: 'small' }] },
        { key: 'remark', kind: 'text' },
        { key: 'secret', kind: 'text' },
        { key: 'level', kind: 'number' },
        { key: 'price', kind: 'cost' },
        { key: 'state', kind: 'single_select', options: [{ key: 'open' }, { key: `${MARK}State` }] },
      ],
    },
  ],
});
await admin.api.post('/metamodel/types', { key: `Other${MARK}`, label: MARK });

/** A card of the test; `isShown` is written here, and not read from the service. */
interface Known {
  id: string;
  name: string;
  remark: string | null;
  size: number | null;
  kind: string | null;
  isShown: boolean;
}
const known: Known[] = [];
const WORDS = ['alpha', 'beta', 'Gämma', '<b>', '"x"', '100%', 'a_b', "o'clock", '\\', '𝒳', 'שלום', '\u202eend'];
for (let i = 0; i < 24; i++) {
  const card = {
    name: `${pick(WORDS)} ${i}`,
    remark: i % 3 === 0 ? null : `${pick(WORDS)} ${pick(WORDS)}`,
    size: i % 4 === 0 ? null : i,
    kind: i % 5 === 0 ? null : pick(['big', 'small']),
  };
  const isShown = i % 6 !== 0 && i % 7 !== 0;
  const id = await make('/cards', {
    type: 'Thing',
    name: isShown ? card.name : `${MARK} ${i}`,
    alias: `${MARK} alias`,
    description: `${MARK} description`,
    external_id: `${MARK}-${i}`,
    attributes: {
      size: card.size,
      kind: card.kind,
      remark: isShown ? card.remark : MARK,
      secret: `${MARK} ${i % 2 ? 'alpha' : 'omega'}`,
      level: i,
      price: 7_000_000 + i,
      // Those of another state are not part of the portal.
      state: i % 6 === 0 ? `${MARK}State` : 'open',
    },
  });
  known.push({ id, ...card, isShown });
  if (i % 7 === 0) await admin.api.post(`/cards/${id}/archive`, {});
}
const foreign = await make('/cards', { type: `Other${MARK}`, name: MARK });
const shown = known.filter(({ isShown }) => isShown);
const SHOWN = { type: 'Thing', fields: ['attributes.size', 'attributes.kind', 'attributes.remark'] };
await createPortal(admin, {
  slug: 'things',
  title: 'Things',
  ...SHOWN,
  filters: { 'attributes.state': 'open' },
  visitor_filters: ['attributes.size', 'attributes.kind'],
  search_fields: ['name', 'attributes.remark'],
  is_published: true,
});
await createPortal(admin, { slug: 'drafts', title: MARK, ...SHOWN });
const withdrawn = await createPortal(admin, { slug: 'removed', title: MARK, ...SHOWN, is_published: true });
await admin.api.del(`/portals/${withdrawn.id}`);

interface Raw {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}
/** Sends a request as it is: `fetch` would change paths and refuse headers. */
const raw = (method: string, path: string, headers: Record<string, string>, body?: string): Promise<Raw> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(origin);
    const request = send({ hostname, port, method, path, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () =>
        resolve({ status: answer.statusCode!, headers: answer.headers, text: Buffer.concat(chunks).toString() }),
      );
      answer.on('error', reject);
    });
    request.on('error', reject);
    request.end(body);
  });

const HIDDEN = ['secret', 'level', 'price', 'state', 'nothing'].map((key) => `attributes.${key}`);
const ODD = [
  '',
  '%00',
  '%ff',
  '%F0%9F%98%80',
  '../',
  '%2e%2e%2f',
  "'",
  '"',
  '%',
  '\\',
  '*',
  'null',
  '1e309',
  '-1',
  '%C0%80',
  '%0d%0aX-Y:%20z',
];
const OPERATORS = ['', '[ne]', '[gt]', '[gte]', '[lt]', '[lte]', '[contains]', '[empty]', '[]', '[gte][lte]'];

/** One parameter, right or wrong. */
const parameter = (): string =>
  pick<() => string>([
    () =>
      `sort_by=${pick([...HIDDEN, 'data_quality', 'updated_at', 'created_at', 'approval_status', 'external_id', 'id', 'name;drop', 'attributes.size', 'name'])}`,
    () =>
      `${pick(HIDDEN)}${encodeURIComponent(pick(OPERATORS))}=${pick(['open', MARK, '7000001', '1', 'true', ...ODD])}`,
    () =>
      `${pick(['attributes.size', 'attributes.kind', 'name'])}${encodeURIComponent(pick(OPERATORS))}=${pick(['5', 'big', 'big,small', MARK, ...ODD])}`,
    () =>
      `search=${pick([MARK, 'alpha', 'omega', 'g%C3%A4mma', 'GAMMA', '%25', '_', '%3Cb%3E', '7000001', 'a%20b%20c%20d%20e%20f%20g%20h%20i%20j%20k', 'x'.repeat(250), ...ODD])}`,
    () => `page=${pick(['0', '-1', '2', '9007199254740991', '1.5', '1e3', ...ODD])}`,
    () => `page_size=${pick(['0', '1', '100', '101', '1000000', ...ODD])}`,
    () => `total=${pick(['none', 'exact', 'estimate'])}`,
    () =>
      `cursor=${pick([Buffer.from(JSON.stringify({ v: MARK, i: foreign, p: 2, h: 'x' })).toString('base64url'), 'e30', ...ODD])}`,
    () =>
      `${pick(['status', 'type', 'fields', 'expand', 'stakeholder_id', 'tag', 'ids', 'root_id', 'related_to', 'lang', 'as_of', '__proto__', 'constructor', 'dry_run', 'filters', 'ticket'])}=${pick(['ARCHIVED', MARK, foreign, 'attributes.secret', 'true', ...ODD])}`,
  ])();

/** Parameters that are offered, with values that may be in no card. */
const offered = (): string =>
  pick([
    'sort_by=attributes.size&sort_dir=desc',
    'search=alpha',
    `search=${MARK}`,
    'search=omega',
    'search=7000001',
    'attributes.kind=big',
    `attributes.kind=${MARK}`,
    'attributes.size%5Bgte%5D=3',
    'page_size=100',
    'page=2&page_size=5',
    'total=none',
  ]);

const path = (): string => {
  const slug =
    random() < 0.75
      ? 'things'
      : pick(['drafts', 'removed', 'THINGS', 'things%00', 'things%2f..', '..%2fthings', '%74hings', ...ODD]);
  const id = random() < 0.7 ? pick(known).id : pick([foreign, foreign.toUpperCase(), `${foreign}%00`, 'cards', ...ODD]);
  const rest =
    random() < 0.85
      ? pick(['', '/cards', '/cards', '/cards', '/page', '/page', `/cards/${id}`, `/page/${id}`])
      : pick(['/history', `/cards/${id}/history`, '/cards/', '//cards', '/cards/..']);
  const kinds = random();
  const parts = Array.from({ length: 1 + Math.floor(random() * 3) }, kinds < 0.6 ? offered : parameter);
  return `${PUBLIC}/${slug}${rest}${kinds < 0.3 ? '' : `?${[...new Set(parts)].join('&')}`}`;
};
const headers = (): Record<string, string> => ({
  host: pick(['localhost', 'evil.example', '127.0.0.1:1', `${MARK}.example`]),
  ...(random() < 0.2 && { authorization: pick([`Bearer ${admin.token}`, 'Bearer x', 'Basic eDp4']) }),
  ...(random() < 0.2 && { accept: pick(['text/html', 'application/xml', '*/*', 'x']) }),
  ...(random() < 0.2 && { 'accept-language': pick(['de', MARK, 'x'.repeat(200)]) }),
  ...(random() < 0.3 && { 'if-none-match': pick(['*', '"1"', 'W/"1"', '"', ',', `"${MARK}"`]) }),
  ...(random() < 0.2 && { 'if-match': pick(['*', '"1"']) }),
  ...(random() < 0.1 && { 'if-modified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' }),
  ...(random() < 0.1 && { range: 'bytes=0-10' }),
  ...(random() < 0.2 && {
    'x-forwarded-host': 'evil.example',
    'x-forwarded-for': '10.0.0.1',
    forwarded: 'host=evil.example',
  }),
  ...(random() < 0.1 && { 'x-http-method-override': 'DELETE', 'x-original-url': '/api/v1/cards' }),
});

const fieldsOf = ({ size, kind, remark }: Known) => ({
  'attributes.size': size,
  'attributes.kind': kind,
  'attributes.remark': remark,
});
const viewOf = (card: Known) => ({ id: card.id, name: card.name, fields: fieldsOf(card) });
const byId = new Map(shown.map((card) => [card.id, JSON.stringify(viewOf(card))]));
const ABOUT = [
  'slug',
  'title',
  'description',
  'type',
  'fields',
  'filters',
  'sorts',
  'has_search',
  'page_size',
  'currency',
];
const PROBLEM = ['type', 'title', 'status', 'detail', 'instance', 'code', 'request_id', 'errors'];

/** Why an answer shows more than the whitelist permits; undefined if it does not. */
function faultOf({ status, headers: sent, text }: Raw, sentPath: string, sentHost: string): string | undefined {
  if (status >= 500) return `status ${status}`;
  // The request itself may be quoted: its path, and names of its parameters.
  const instance = sentPath.split('?')[0]!;
  const type = sent['content-type'] ?? '';
  if (Object.entries(sent).some(([name, value]) => name !== 'link' && String(value).includes(MARK))) return 'a header';
  if (String(sent['location'] ?? '').includes('evil') || text.includes('evil.example'))
    return 'the host of the request';
  if (sentHost.includes(MARK) && text.includes(sentHost)) return 'the host of the request';
  if (text === '' || status === 304) return undefined;
  if (type.startsWith('text/html')) {
    const asked = /(?:value="[^"]*|href="page\?[^"]*)/g;
    if (text.replace(asked, '').includes(MARK)) return 'a page with a marker';
    for (const { id } of known) if (!byId.has(id) && text.includes(id)) return `the id ${id}`;
    return undefined;
  }
  if (!type.includes('json')) return `the type ${type}`;
  const body = JSON.parse(text) as Record<string, unknown>;
  if (type.includes('problem')) {
    const more = Object.keys(body).filter((key) => !PROBLEM.includes(key));
    if (more.length > 0) return `members ${more.join()} of a problem`;
    const errors = (body['errors'] ?? []) as { field: string; reason: string }[];
    if (errors.some(({ reason }) => reason.includes(MARK))) return 'a reason';
    const { errors: _errors, instance: _instance, ...rest } = body;
    if (JSON.stringify(rest).includes(MARK)) return 'a problem';
    return body['instance'] !== undefined && body['instance'] !== instance ? 'the path of a problem' : undefined;
  }
  if (text.includes(MARK)) return 'a marker';
  if (Array.isArray(body['items'])) {
    const wrong = (body['items'] as { id: string }[]).find((item) => byId.get(item.id) !== JSON.stringify(item));
    if (wrong) return `the card ${JSON.stringify(wrong)}`;
    const more = Object.keys(body).filter(
      (key) => !['items', 'total', 'total_relation', 'page', 'page_size', 'next_cursor'].includes(key),
    );
    if (more.length > 0) return `members ${more.join()} of a page`;
    return body['total'] !== null && Number(body['total']) > shown.length ? `the total ${body['total']}` : undefined;
  }
  if ('id' in body) return byId.get(String(body['id'])) === text ? undefined : `the card ${text}`;
  return Object.keys(body).every((key) => ABOUT.includes(key)) ? undefined : `members ${Object.keys(body).join()}`;
}

t.test(`${REQUESTS} hostile requests show what the whitelist permits`, async (t) => {
  const statuses = new Map<number, number>();
  for (let i = 0; i < REQUESTS; i++) {
    const [where, sent] = [path(), headers()];
    const method = random() < 0.12 ? pick(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'TRACE']) : 'GET';
    const body = ['POST', 'PUT', 'PATCH'].includes(method)
      ? '{"is_published":true,"fields":["attributes.secret"]}'
      : undefined;
    const answer = await raw(method, where, { ...sent, ...(body && { 'content-type': 'application/json' }) }, body);
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    const fault = faultOf(answer, where, sent['host']!);
    if (fault !== undefined)
      t.fail(`${method} ${where} ${JSON.stringify(sent)} shows ${fault}: ${answer.text.slice(0, 500)}`);
    if (!['GET', 'HEAD'].includes(method) && answer.status < 400) t.fail(`${method} ${where} gave ${answer.status}`);
  }
  t.comment([...statuses].map(([status, count]) => `${status}: ${count}`).join(', '));
  t.ok((statuses.get(200) ?? 0) > 80, 'many are answered');
  t.ok((statuses.get(404) ?? 0) > 50, 'many find nothing');
  t.ok((statuses.get(422) ?? 0) > 20, 'many are refused');
  const { body } = await admin.api.get<{ items: { slug: string; version: number }[] }>('/portals');
  t.same(
    body.items.map(({ slug, version }) => [slug, version]),
    [
      ['things', 1],
      ['drafts', 1],
    ],
    'nothing has changed',
  );
});

t.test('filters, searches and sorts find what a computation over the whitelist finds', async (t) => {
  const fold = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  for (let i = 0; i < 60; i++) {
    const [word, kind, least] = [
      pick([...WORDS, MARK, 'omega', '7']),
      pick(['', 'big', 'small', 'big,small']),
      pick(['', '3', '15']),
    ];
    const query = new URLSearchParams({
      search: word,
      'attributes.kind': kind,
      'attributes.size[gte]': least,
      page_size: '100',
    });
    const expected = shown.filter(
      (card) =>
        [card.name, card.remark ?? ''].some((text) => fold(text).includes(fold(word))) &&
        (kind === '' || kind.split(',').includes(card.kind ?? '')) &&
        (least === '' || (card.size ?? -1) >= Number(least)),
    );
    const { status, text } = await raw('GET', `${PUBLIC}/things/cards?${query.toString()}`, {});
    t.equal(status, 200, text);
    const { items, total } = JSON.parse(text) as { items: { id: string }[]; total: number };
    t.same(items.map(({ id }) => id).sort(), expected.map(({ id }) => id).sort(), query.toString());
    t.equal(total, expected.length, query.toString());
  }
});

t.test('the answers for what is hidden and for what does not exist are the same', async (t) => {
  const plain = ({ status, text }: Raw, ...names: string[]): string =>
    names.reduce((all, name) => all.replaceAll(name, '…'), `${status} ${text.replace(/"request_id":"[^"]*"/, '')}`);
  const read = (rest: string) => raw('GET', `${PUBLIC}/${rest}`, { accept: 'text/html' });
  const unknown = '01900000-0000-7000-8000-00000000dead';
  const hidden = known.filter(({ isShown }) => !isShown).map(({ id }) => id);
  for (const id of [...hidden, foreign])
    for (const part of ['cards', 'page'])
      t.equal(
        plain(await read(`things/${part}/${id}`), id),
        plain(await read(`things/${part}/${unknown}`), unknown),
        part,
      );
  for (const rest of ['', '/cards', '/page', `/cards/${shown[0]!.id}`])
    for (const slug of ['drafts', 'removed'])
      t.equal(
        plain(await read(`${slug}${rest}`), slug),
        plain(await read(`nowhere${rest}`), 'nowhere'),
        `${slug}${rest}`,
      );
  for (const key of HIDDEN)
    for (const query of [`${key}=1`, `sort_by=${key}`, `${key}%5Bgte%5D=1`])
      t.equal(
        plain(await read(`things/cards?${query}`), key),
        plain(await read(`things/cards?${query.replace(key, 'attributes.unheard')}`), 'attributes.unheard'),
        query,
      );
  // What changes elsewhere changes no answer.
  const digest = async (): Promise<string> => {
    const all = await Promise.all(['things', 'things/cards', 'things/page', 'things/cards?search=alpha'].map(read));
    return createHash('sha256')
      .update(all.map(({ text, headers: { etag } }) => `${etag} ${text}`).join())
      .digest('hex');
  };
  const before = await digest();
  for (const { id } of shown.slice(0, 3))
    await admin.api.patch(`/cards/${id}`, {
      description: 'alpha',
      alias: 'alpha',
      attributes: { secret: 'alpha', price: 1 },
    });
  await admin.api.patch(`/cards/${shown[0]!.id}`, { attributes: { remark: 'alpha new' } });
  await until(async () => (await digest()) !== before);
  await admin.api.patch(`/cards/${shown[0]!.id}`, { attributes: { remark: shown[0]!.remark } });
  t.ok(await until(async () => (await digest()) === before), 'only what is shown counts');
});
