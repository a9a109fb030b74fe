/** With what requests to ServiceNow are authorized, and that credentials stay where they belong. */
import t from 'tap';
import { testApp } from '@lintel/sdk/testing';
import type { ConnectorFault } from '@lintel/sdk';
import module from '../index.js';
import { ServiceNowServer } from './simulators/servicenow.js';
import { clientSecrets, connectionTo, open, readAll, reopen } from './servicenow-support.js';

const instance = await ServiceNowServer.start();
const app = await testApp({ module, environment: { OUTBOUND_ALLOW: '127.0.0.1' } });
t.teardown(async () => {
  await app.close();
  await instance.close();
});
const { oauth, tables } = instance;
tables.fill(25);
t.afterEach(() => {
  instance.fail();
  oauth.rotates = false;
  oauth.told = undefined;
  for (const grant of Object.keys(oauth.issued)) delete oauth.issued[grant];
});
const servers = { table: 'cmdb_ci_server' };
const failed = (fault: ConnectorFault, message: RegExp) => ({ fault, message });
const credentials = { config: { authentication: 'client_credentials' }, secrets: clientSecrets(instance) };
const refreshing = () => ({
  config: { authentication: 'refresh_token' },
  secrets: { ...clientSecrets(instance), refresh_token: oauth.refreshToken },
});

await t.test('a user with a password that is not ASCII', async (t) => {
  const { connector } = await open(app, instance);
  t.equal((await readAll(connector, servers)).records.length, 25);
  const wrong = await open(app, instance, { secrets: { password: 'another-secret' } });
  const before = instance.requests.length;
  await t.rejects(
    wrong.connector.test(),
    failed('authentication', /^ServiceNow does not accept the credentials \(401\)\.$/),
  );
  t.equal(instance.requests.length, before + 1, 'and is not repeated');
});

await t.test('missing settings are told', async (t) => {
  for (const [options, missing] of [
    [{ config: { user_name: undefined } }, 'user_name'],
    [{ secrets: {} }, 'password'],
    [{ config: { authentication: 'client_credentials' }, secrets: {} }, 'client_secret'],
    [{ config: { authentication: 'refresh_token' }, secrets: clientSecrets(instance) }, 'refresh_token'],
  ] as const) {
    const { connector } = await open(app, instance, options as never);
    await t.rejects(connector.test(), failed('invalid_settings', new RegExp(`no ${missing}`)), missing);
  }
});

await t.test('client credentials: one token for all requests', async (t) => {
  const { connector } = await open(app, instance, credentials);
  await Promise.all([connector.test(), connector.tables(), readAll(connector, servers)]);
  t.strictSame(oauth.issued, { client_credentials: 1 });
});

await t.test('a token that ends during a read is replaced once, by requests at once together', async (t) => {
  const { connector } = await open(app, instance, credentials);
  await connector.fields('cmdb_ci_server');
  instance.fail({ after: 1, times: 1, expireTokens: true });
  t.equal((await readAll(connector, servers)).records.length, 25);
  t.strictSame(oauth.issued, { client_credentials: 2 });
  oauth.expire();
  instance.fail();
  const reads = await Promise.all(Array.from({ length: 5 }, () => readAll(connector, servers)));
  t.ok(reads.every(({ records }) => records.length === 25));
  t.strictSame(oauth.issued, { client_credentials: 3 });
});

await t.test('a token is replaced before its end', async (t) => {
  // Less than the clock resolves: the token of one request has ended before the next one, also within the same millisecond.
  oauth.told = 1e-9;
  const { connector } = await open(app, instance, credentials);
  const before = instance.requests.length;
  await readAll(connector, servers);
  t.equal(oauth.issued['client_credentials'], instance.requests.length - before, 'without a request that is refused');
});

await t.test('a second refusal is an error of the credentials', async (t) => {
  const { connector } = await open(app, instance, credentials);
  await connector.fields('cmdb_ci_server');
  instance.fail({ expireTokens: true });
  const before = instance.requests.length;
  await t.rejects(readAll(connector, servers), failed('authentication', /401/));
  t.equal(instance.requests.length, before + 2);
  t.strictSame(oauth.issued, { client_credentials: 2 });
});

await t.test('a write whose token has ended is made once', async (t) => {
  const { connector } = await open(app, instance, credentials);
  await connector.fields('cmdb_ci_server');
  oauth.expire();
  await connector.create('cmdb_ci_server', { name: 'one' }, 'correlation-1');
  t.equal(instance.api.inserts.get('correlation-1'), 1);
});

await t.test('a refresh token that is replaced is stored', async (t) => {
  oauth.rotates = true;
  const { connector, id } = await open(app, instance, refreshing());
  await connector.test();
  oauth.expire();
  await Promise.all([readAll(connector, servers), readAll(connector, servers)]);
  t.strictSame(oauth.issued, { refresh_token: 2 });
  await (await reopen(app, id)).test();
  t.strictSame(oauth.issued, { refresh_token: 3 }, 'the stored one is the latest');
});

await t.test('refusals of the token endpoint tell no secret', async (t) => {
  const { connector } = await open(app, instance, {
    config: { authentication: 'refresh_token' },
    secrets: { ...clientSecrets(instance), refresh_token: 'secret-token' },
  });
  await t.rejects(connector.test(), failed('authentication', /^ServiceNow issues no token \(invalid_grant\)\.$/));
  const other = await open(app, instance, credentials);
  for (const [status, fault] of [
    [500, 'unreachable'],
    [429, 'rate_limited'],
    [302, 'authentication'],
  ] as const) {
    instance.fail({
      on: /oauth_token/,
      status,
      body: 'client-secret secret-token',
      headers: { location: `${instance.origin}/login` },
    });
    await t.rejects(other.connector.test(), failed(fault, new RegExp(`^(?!.*secret).*${status}`)), String(status));
  }
  instance.fail({ on: /oauth_token/, body: '{"access_token":"a\\r\\nx: y","expires_in":10}' });
  await t.rejects(other.connector.test(), failed('authentication', /no token/));
});

await t.test('no error shows what a request was authorized with', async (t) => {
  const { connector } = await open(app, instance);
  const { name, password } = oauth.user;
  const basic = Buffer.from(`${name}:${password}`).toString('base64');
  instance.fail({
    on: /./,
    status: 403,
    body: JSON.stringify({ error: { message: `Denied ${password} ${basic}\u0000 now` } }),
  });
  await t.rejects(
    connector.test(),
    failed('forbidden', /^ServiceNow denies access \(403\): Denied \*\*\* \*\*\* now\.$/),
  );
  const stored = await app.admin.post<{ id: string }>(`${app.prefix}/connections`, connectionTo(instance));
  const tested = await app.admin.post(`${app.prefix}/connections/${stored.body.id}/test`);
  t.notMatch(JSON.stringify(tested.body), password);
  t.match(tested.body, { ok: false, detail: /Denied \*\*\*/ });
});

await t.test('credentials do not follow a redirect', async (t) => {
  const elsewhere = await ServiceNowServer.start();
  t.teardown(() => elsewhere.close());
  const { connector } = await open(app, instance);
  instance.fail({ on: /./, status: 302, headers: { location: `${elsewhere.origin}/api/now/table/sys_db_object` } });
  await t.rejects(connector.test(), failed('invalid_answer', /redirects \(302\)/));
  t.strictSame(elsewhere.requests, []);
});
