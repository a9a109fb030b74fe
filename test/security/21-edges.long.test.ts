/** What a request must not achieve by its form: a second request in one message, another user's answer, SQL by the name of a field. */
import t from 'tap';
import type { Document } from '../../core/foundation/http/openapi-document.js';
import { client, makeUser, registerAdmin, testApp, type Session } from '../support/app.js';
import { requestText, sendRaw } from '../support/raw.js';

const node = await testApp();
t.teardown(node.close);
const { origin } = node;
const admin = await registerAdmin(origin);
const { api } = admin;

t.test('a message whose end is ambiguous is refused, and its connection is closed', async (t) => {
  const second = 'GET /api/health HTTP/1.1\r\nHost: test\r\n\r\n';
  const cases: [what: string, headers: string, body: string][] = [
    ['a length and chunks', 'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n', `0\r\n\r\n${second}`],
    ['two lengths', `Content-Length: 0\r\nContent-Length: ${second.length}\r\n`, second],
    ['a list of lengths', `Content-Length: 0, ${second.length}\r\n`, second],
    ['a length with a sign', 'Content-Length: +0\r\n', second],
    ['an unknown encoding', 'Transfer-Encoding: chunked, identity\r\n', `0\r\n\r\n${second}`],
    ['a space before the colon', 'Transfer-Encoding : chunked\r\n', `0\r\n\r\n${second}`],
    ['a folded header', 'Transfer-Encoding:\r\n chunked, x\r\n', `0\r\n\r\n${second}`],
    ['a line feed alone', 'X-A: b\nTransfer-Encoding: chunked\r\n', `0\r\n\r\n${second}`],
    ['a chunk size that is no number', 'Transfer-Encoding: chunked\r\n', `0x0\r\n\r\n${second}`],
  ];
  for (const [what, headers, body] of cases) {
    const text = `POST /api/v1/auth/login HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\n${headers}\r\n${body}`;
    const answer = await sendRaw(origin, text);
    t.equal(answer.status, 400, what);
    t.notMatch(answer.body, 'HTTP/1.1', `${what}: one answer`);
  }
});

t.test('TRACE and unknown methods return nothing of the request', async (t) => {
  for (const method of ['TRACE', 'TRACK', 'DEBUG', 'PROPFIND']) {
    const { status, body } = await sendRaw(origin, requestText(method, '/api/v1/cards', { 'X-Secret': 's3cr3t' }));
    t.ok([400, 404, 405, 501].includes(status), `${method}: ${status}`);
    t.notMatch(body, 's3cr3t', method);
  }
});

t.test('200 parallel requests of 20 users: each answer shows its own user', async (t) => {
  const users: Session[] = [];
  // One after another: few passwords are hashed at once.
  for (let n = 0; n < 20; n++) users.push(await makeUser(admin, n % 2 ? 'viewer' : 'member'));
  const answers = await Promise.all(
    Array.from({ length: 200 }, async (_, n) => {
      const { user, api: own } = users[n % 20]!;
      const { body } =
        n % 3
          ? await own.get('/auth/me')
          : await own.get(`/users/${user.id}/permissions`).then(() => own.get('/auth/me'));
      return body.id === user.id && body['email'] === user.email && body['role'] === user.role;
    }),
  );
  t.equal(answers.filter(Boolean).length, 200);
});

t.test('no name of a sort, filter or field becomes SQL, in any list', async (t) => {
  const { body: document } = await client(origin).get<Document>('/api/openapi.json');
  const names = [
    "name') ; select pg_sleep(5)--",
    "attributes:a'} , (select pg_sleep(5))]",
    'name nulls first); x',
    'users.*',
    'name as x',
    'k?',
    '__proto__',
  ];
  let lists = 0;
  for (const [path, { get }] of Object.entries(
    document.paths as Record<string, { get?: { parameters?: { name: string }[] } }>,
  )) {
    if (!get || path.includes('{') || !get.parameters?.some(({ name }) => name === 'sort_by')) continue;
    lists++;
    const name = names[lists % names.length]!;
    const began = performance.now();
    const queries: Record<string, string>[] = [{ sort_by: name }, { sort_dir: name }, { [name]: 'x' }];
    for (const query of queries) {
      const { status, body } = await api.get(path.replace(/^\/api\/v1/, ''), { query });
      t.equal(status, 422, `${path} ${JSON.stringify(query)}: ${JSON.stringify(body).slice(0, 200)}`);
    }
    t.ok(performance.now() - began < 5_000, `${path} ran no statement of the client`);
  }
  t.ok(lists > 20, `${lists} lists`);
  for (const key of names.slice(0, 6))
    for (const attempt of [
      () => api.get('/cards', { query: { [`attributes.${key}`]: 'x' } }),
      () => api.get('/cards', { query: { fields: key } }),
      () => api.get('/cards/facets', { query: { fields: key } }),
      () => api.post('/cards', { type: 'Application', name: 'Key', attributes: { [key]: 1 } }),
    ]) {
      const { status } = await attempt();
      t.equal(status, 422, key);
    }
});
