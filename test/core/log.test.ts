/** The log of the service, read from the output of a real process. */
import t from 'tap';
import { readTraceparent } from '../../core/pipeline/logging.js';
import { PASSWORD, client, nextAddress, registerAdmin, until } from '../support/app.js';
import { requestText, sendRaw } from '../support/raw.js';
import { dataFolder, startService, type LogLine } from '../support/service.js';

interface RequestLine extends LogLine {
  request_id: string;
  method: string;
  path: string;
  status: number;
  ms: number;
  address: string;
  user_id?: string;
  traceparent?: string;
  aborted?: boolean;
}

const folder = await dataFolder();
const service = await startService({ dataDir: folder.path, env: { LOG_LEVEL: 'info' } });
t.teardown(async () => {
  await service.stop();
  await folder.remove();
});
const { origin } = service;
const admin = await registerAdmin(origin);
const TRACE = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

/** Waits for the log line of a request. */
const lineOf = (id: string): Promise<RequestLine> =>
  until(() => (service.log() as RequestLine[]).find((line) => line.request_id === id && line.msg === 'request'));

t.test('a request for a new password that cannot be mailed is logged without the address', async (t) => {
  const { status } = await client(origin).post(
    '/auth/forgot-password',
    { email: admin.user.email },
    { from: nextAddress() },
  );
  t.equal(status, 204);
  const line = await until(() => service.log().find(({ msg }) => /a new password was requested/.test(msg)));
  t.match(line, { level: 40, missing: ['PUBLIC_URL', '/settings/smtp'] });
  t.notMatch(JSON.stringify(line), admin.user.email);
});

t.test('one line per request describes it, without secrets', async (t) => {
  await admin.api.get('/cards?search=s3cr3t-search&page_size=1', {
    headers: { 'x-request-id': 'list', traceparent: TRACE },
  });
  const list = await lineOf('list');
  t.match(list, {
    level: 30,
    method: 'GET',
    path: '/api/v1/cards',
    status: 200,
    ms: Number,
    address: /127\.0\.0\.1$/,
    user_id: admin.user.id,
    traceparent: TRACE,
  });
  t.notOk('aborted' in list);

  await client(origin).get('/events/stream?ticket=s3cr3t-ticket', { headers: { 'x-request-id': 'refused' } });
  const refused = await lineOf('refused');
  t.match(refused, { path: '/api/v1/events/stream', status: 401 }, 'also for refused requests');
  t.notOk('user_id' in refused);
  await client(origin).post(
    '/auth/login',
    { email: 'admin@example.org', password: 's3cr3t-password' },
    { headers: { 'x-request-id': 'login' }, from: nextAddress() },
  );
  t.match(await lineOf('login'), { status: 401 });
  await sendRaw(origin, requestText('GET', '/api/v1/cards/%zz?s3cr3t', { 'X-Request-Id': 'unreadable' }));
  t.match(await lineOf('unreadable'), { status: 400 });
  for (const traceparent of [
    'garbage',
    '"},{"level":60',
    `${TRACE}\u0009`,
    'ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  ])
    t.equal(readTraceparent(traceparent), undefined, traceparent);

  // Text that would end the line or begin another one stays text within it.
  const forged = '","level":60,"msg":"forged';
  await sendRaw(
    origin,
    requestText('GET', `/api/v1/cards/%0d%0a%7b%22level%22:60%7d${encodeURIComponent(forged)}`, {
      'X-Request-Id': 'injected',
      'User-Agent': forged,
    }),
  );
  t.match(await lineOf('injected'), { level: 30, msg: 'request' });
  t.strictSame(
    (service.log() as RequestLine[]).filter(({ level, msg }) => level === 60 || msg === 'forged'),
    [],
  );

  const output = service.output();
  for (const secret of ['s3cr3t', PASSWORD, admin.token, admin.refreshToken])
    t.notOk(output.includes(secret), `${secret.slice(0, 8)}… is not in the log`);
  t.doesNotThrow(() => service.log(), 'every line is JSON');
});

t.test('a client that disconnects before its response is logged as well', async (t) => {
  const stop = new AbortController();
  const stream = await fetch(new URL('/api/v1/events/stream', origin), {
    headers: { authorization: `Bearer ${admin.token}`, 'x-request-id': 'stream' },
    signal: stop.signal,
  });
  t.equal(stream.status, 200);
  t.notOk(
    (service.log() as RequestLine[]).some((line) => line.request_id === 'stream'),
    'not while it is open',
  );
  stop.abort();
  t.match(await lineOf('stream'), { status: 200, aborted: true, user_id: admin.user.id });
});

t.test('lines written last are not lost when the process ends', async (t) => {
  await client(origin).get('/api/health', { headers: { 'x-request-id': 'last' } });
  t.equal((await service.stop()).code, 0);
  t.ok((service.log() as RequestLine[]).some((line) => line.request_id === 'last'));
});
