/** The connector `rest`: authentication, writing, and answers that are broken or hostile. */
import t, { type Test } from 'tap';
import type { Connector } from '@lintel/sdk';
import { rest } from '../connectors/rest/index.js';
import { restTable } from './contracts.js';
import { RestServer } from './simulators/rest.js';
import { idsOf, openConnector } from './support/connection.js';

const server = await RestServer.start();
t.teardown(() => server.close());
t.beforeEach(() => {
  server.before = () => false;
  server.accepts = undefined;
  server.fault = undefined;
  server.most = 1_000;
  server.fill(0);
  server.requests = [];
});

type Kind = Parameters<typeof restTable>[0];
const open = (kind: Kind, more: object = {}, settings: object = {}, secrets = {}): Connector =>
  openConnector(
    rest,
    { url: `${server.origin}/api`, auth: 'none', tables: [restTable(kind, more)], ...settings },
    { secrets },
  );
const ids = (): string[] => server.items.map(({ id }) => String(id));
const rejects = async (t: Test, work: Promise<unknown>, fault: string, text: RegExp, what: string) =>
  await t.rejects(work, { fault, message: text }, what);

t.test('answers of the wrong shape', async (t) => {
  const answer = (body: unknown): void => {
    server.before = (_url, response) => {
      server.send(response, 200, body);
      return true;
    };
  };
  const read = (more: object = {}) => idsOf(open('cursor', { total: '', ...more }), 'items');
  for (const [body, text] of [
    [null, /list/],
    ['text', /list/],
    [[], /list/],
    [{}, /list/],
    [{ data: null }, /list/],
    [{ data: {} }, /list/],
    [{ data: [1] }, /object/],
    [{ data: [{}] }, /Record 1 of a page has no id in id/],
    [{ data: [{ id: 1 }, { id: null }] }, /Record 2/],
    [{ data: [{ id: '' }] }, /no id/],
    [{ data: [{ id: true }] }, /no id/],
    [{ data: [{ id: 1.5 }] }, /no id/],
    [{ data: [{ id: 9_007_199_254_740_993 }] }, /no id/],
    [{ data: [{ id: {} }] }, /no id/],
  ] as const) {
    answer(body);
    await rejects(t, read(), 'invalid_answer', text, JSON.stringify(body));
  }
  answer({
    data: [
      { id: 7, key: { uid: 'a.b' } },
      { id: 8, key: { uid: 3 } },
    ],
  });
  t.strictSame(await read({ id: 'key.uid' }), ['a.b', '3'], 'ids are texts or integers, also of inner objects');
  for (const total of [null, 'many', -1, 1.5]) {
    answer({ data: [], meta: { total } });
    await rejects(t, read({ total: 'meta.total' }), 'invalid_answer', /number of records/, `total ${String(total)}`);
  }
  answer({ data: [], meta: { total: '12' } });
  t.equal((await open('cursor').read({ table: 'items', fields: [], limit: 5 })).total, 12);
});

t.test('a filter changes neither paging nor order, and paths do not leave the address', async (t) => {
  server.fill(4);
  const read = (filter: string, more: object = {}) =>
    open('page', more).read({ table: 'items', fields: [], limit: 2, filter });
  t.equal((await read('status=active&status=planned')).records.length, 2);
  t.match(server.requests, [/status=active&status=planned/]);
  for (const filter of ['page=9', 'LIMIT=1', 'updated_since=x', 'a=1&Page=2'])
    await rejects(t, read(filter), 'invalid_settings', /filter must not/, filter);
  await rejects(t, read('sort=name', { query: 'sort=id' }), 'invalid_settings', /filter must not/, 'order');
  await rejects(t, read('', { query: 'page=2' }), 'invalid_settings', /query must not/, 'query of the table');
  const requests = server.requests.length;
  for (const path of ['/../secret', '/a/../../secret', '/%2e%2e/secret', '/..'])
    await rejects(t, read('', { path }), 'invalid_settings', /not below/, path);
  const writing = open('page');
  for (const id of ['.', '..', '', '\ud800'])
    await rejects(t, writing.update!('items', id, {}), 'not_found', /no record/, JSON.stringify(id));
  t.equal(server.requests.length, requests, 'nothing was sent');
  await rejects(t, writing.update!('items', '../page?x#y', {}), 'not_found', /404/, 'an id is one segment');
  t.match(server.requests.at(-1), '/api/records/..%2Fpage%3Fx%23y');
});

t.test('authentication', async (t) => {
  server.fill(1);
  const seen: string[] = [];
  server.accepts = ({ headers }) => {
    seen.push(String(headers.authorization ?? headers['x-api-key']));
    return true;
  };
  const read = async (settings: object, secrets: object): Promise<unknown> =>
    await idsOf(open('all', {}, settings, secrets), 'items');
  await read({ auth: 'none' }, {});
  await read({ auth: 'bearer' }, { token: 'abc' });
  await read({ auth: 'basic', username: 'ann' }, { password: 'p:w' });
  await read({ auth: 'header', header: 'X-Api-Key' }, { token: 'key' });
  t.strictSame(seen, ['undefined', 'Bearer abc', `Basic ${btoa('ann:p:w')}`, 'key']);
  for (const auth of ['bearer', 'basic', 'header', 'oauth2'])
    await rejects(t, read({ auth, header: 'X-Api-Key', username: 'ann' }, {}), 'invalid_settings', /needs/, auth);
});

t.test('client credentials: one token for all requests, and another one when it ends', async (t) => {
  server.fill(200);
  let tokens = 0;
  let valid = '';
  server.before = (url, response, request) => {
    if (url.pathname !== '/token') return false;
    if (request.headers.authorization !== `Basic ${btoa('client%3A1:secret%2Fof%20client')}`)
      server.send(response, 401, { error: 'invalid_client', error_description: 'secret/of client' });
    else server.send(response, 200, { access_token: (valid = `token-${++tokens}`), expires_in: 3_600 });
    return true;
  };
  server.accepts = ({ headers }) => headers.authorization === `Bearer ${valid}`;
  const settings = { auth: 'oauth2', token_url: `${server.origin}/token`, client_id: 'client:1' };
  const connector = open('cursor', {}, settings, { client_secret: 'secret/of client' });
  const first = await connector.read({ table: 'items', fields: [], limit: 50 });
  await Promise.all([connector.read({ table: 'items', fields: [], limit: 50, cursor: first.next }), connector.test()]);
  t.equal(tokens, 1);
  valid = 'revoked';
  t.equal((await connector.read({ table: 'items', fields: [], limit: 50 })).records.length, 50);
  t.equal(tokens, 2, 'a token that is refused is replaced once');
  server.accepts = () => false;
  await rejects(t, connector.test(), 'authentication', /401/, 'a token that is refused again');
  const wrong = open('cursor', {}, settings, { client_secret: 'wrong' });
  await t.rejects(
    wrong.test(),
    { fault: 'authentication', message: /^((?!secret).)*$/ },
    'without the secret in the text',
  );
});

t.test('a refusal that repeats the credentials does not show them', async (t) => {
  server.before = (_url, response, request) => {
    server.send(response, 400, { message: `Bad token ${String(request.headers.authorization)}` });
    return true;
  };
  const error: unknown = await open('all', {}, { auth: 'bearer' }, { token: 'very-secret-token' })
    .test()
    .catch((error: unknown) => error);
  t.match(error, { fault: 'refused', message: /Bad token Bearer \*\*\*/ });
  t.notMatch(String(error), 'very-secret-token');
});

t.test('marks of the time', async (t) => {
  server.fill(1);
  const mark = async (since: object) =>
    (
      await open('cursor', {
        since: { param: 'updated_since', field: '', format: 'iso', margin_seconds: 60, ...since },
      }).read({
        table: 'items',
        fields: [],
        limit: 5,
      })
    ).watermark;
  const iso = Date.parse((await mark({}))!);
  t.ok(Math.abs(Date.now() - 60_000 - iso) < 10_000, 'a minute before the header Date');
  t.match(await mark({ format: 'epoch_seconds', margin_seconds: 0 }), /^\d{10}$/);
  t.match(await mark({ format: 'epoch_milliseconds' }), /^\d{13}$/);
  const now = Math.floor(Date.now() / 1_000);
  const seconds = Number(await mark({ field: 'meta.now', format: 'epoch_seconds', margin_seconds: 100 }));
  t.ok(Math.abs(now - 100 - seconds) <= 5, 'of a member of the answer');
  t.match(await mark({ field: 'meta.now', format: 'opaque' }), /^\d{10}$/, 'an opaque mark is returned as it came');
  await rejects(t, mark({ field: 'meta.none' }), 'invalid_answer', /mark/, 'a member that is not there');
  const since = '2020-01-01T00:00:00.000Z';
  await open('cursor').read({ table: 'items', fields: [], limit: 5, since });
  t.match(server.requests.at(-1), /updated_since=2020-01-01T00%3A00%3A00.000Z/);
});

t.test('fields of a sample, and those that are declared', async (t) => {
  server.put({
    name: 'A',
    count: 3,
    on: true,
    site: { id: 1, name: 'S' },
    tags: ['a'],
    day: '2024-01-02',
    mixed: 1,
    none: null,
  });
  server.put({
    name: null,
    mixed: 'x',
    at: '2024-01-02T10:00:00Z',
    owners: [{ id: 2 }],
    deep: { a: { b: { c: { d: 1 } } } },
  });
  const found = new Map((await open('all').fields('items')).map(({ key, type }) => [key, type]));
  const expected = {
    name: 'text',
    count: 'number',
    on: 'boolean',
    site: 'reference',
    'site.name': 'text',
    tags: 'list',
    day: 'date',
    mixed: 'text',
    none: 'text',
    at: 'datetime',
    owners: 'references',
    deep: 'object',
    'deep.a.b': 'object',
  };
  for (const [key, type] of Object.entries(expected)) t.equal(found.get(key), type, key);
  t.notOk(found.has('deep.a.b.c'));
  const declared = [{ key: 'site', type: 'reference', table: 'sites', writable: true }];
  t.strictSame(await open('all', { fields: declared }).fields('items'), [
    { key: 'site', label: 'site', type: 'reference', table: 'sites', isWritable: true },
  ]);
});

t.test('members that are left out are unknown, or empty where the table omits empty ones', async (t) => {
  const id = server.put({ name: 'Sparse' });
  t.teardown(() => server.remove(String(id)));
  const fields = ['name', 'note', 'site.name'].map((key) => ({ key, type: 'text', writable: true }));
  const read = async (more: object) => {
    const { records } = await open('all', { fields, ...more }).read({ table: 'items', fields: [], limit: 10_000 });
    const { values } = records.find((record) => record.id === String(id))!;
    return [values['name'], values['note'], values['site.name']];
  };
  t.strictSame(await read({}), ['Sparse', undefined, undefined]);
  t.strictSame(await read({ omits_empty: true }), ['Sparse', null, null]);
});

t.test('writing: nested fields, whole records, and what is not written blindly', async (t) => {
  server.fill(2);
  const [id] = ids();
  const patched = await open('all').update!('items', id!, { 'place.city.name': 'Rome', name: 'B' });
  t.match(patched, { id, values: { name: 'B', place: { city: { name: 'Rome' } } } });
  const whole = open('all', { update: { method: 'PUT', path: '/records/{id}' } });
  t.match(await whole.update!('items', id!, { 'place.city.zip': '1' }), {
    values: { name: 'B', place: { city: { name: 'Rome', zip: '1' } } },
  });
  await open('all').update!('items', id!, { '__proto__.polluted': 1 });
  t.equal(({} as Record<string, unknown>)['polluted'], undefined);
  const create = { path: '/all', id: '', correlation: 'external_ref', find_param: 'other' };
  const ignoring = open('all', { create });
  await rejects(
    t,
    ignoring.findCreated!('items', 'x'),
    'invalid_answer',
    /other records/,
    'a parameter that is ignored',
  );
  const blind = open('all', { create: { ...create, find_param: '' } });
  t.equal(blind.findCreated, undefined, 'without a way to find it');
  t.type(blind.create, 'function');
  const reading = open('all', { create: undefined, update: undefined, record: undefined });
  t.strictSame(
    [reading.create, reading.update, reading.get, reading.findCreated],
    [undefined, undefined, undefined, undefined],
  );
});

t.test('a position is valid for the settings it was made with', async (t) => {
  server.fill(10);
  const { next } = await open('cursor').read({ table: 'items', fields: [], limit: 2 });
  for (const cursor of [next, 'x', '[]', '{"at":1}'])
    await rejects(
      t,
      open('page').read({ table: 'items', fields: [], limit: 2, cursor }),
      'invalid_settings',
      /have changed/,
      cursor!,
    );
});
