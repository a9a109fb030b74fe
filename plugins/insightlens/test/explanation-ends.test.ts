/** Explanations under way: they end with their client, its session and its permission, and what they may have cost is counted. */
import t from 'tap';
import { until } from '../../../test/support/app.js';
import { delta, startProvider, stream } from './provider.js';
import { billing } from './proposals.js';

const provider = await startProvider();
t.teardown(() => provider.close());
const { origin, admin, asUser, architect, query } = await billing({ outboundAllow: [`127.0.0.1:${provider.port}`] });
await admin.patch('/settings/ai', {
  provider: 'openai',
  base_url: provider.base,
  model: 'small',
  api_key: 'sk',
  timeout_seconds: 20,
  input_price: 0,
  output_price: 1,
  max_output_tokens: 300,
});
const run = (await architect.post('/insightlens/security/analyse')).body.id;
await until(async () => (await architect.get(`/insightlens/runs/${run}`)).body['state'] === 'done', 20_000);
const [finding] = (await architect.get('/insightlens/findings')).body.items;

t.test('a client that goes away ends the call of the model', async (t) => {
  for (const accept of ['application/json', 'text/event-stream']) {
    const seen = { isAsked: false, isClosed: false };
    provider.answers((response) => {
      seen.isAsked = true;
      response.on('close', () => (seen.isClosed = true));
    });
    const gone = new AbortController();
    const request = fetch(`${origin}/api/v1/insightlens/findings/${finding!.id}/explain`, {
      method: 'POST',
      headers: { authorization: `Bearer ${architect.token}`, accept },
      signal: gone.signal,
    })
      .then((response) => response.text())
      .catch(() => undefined);
    await until(() => seen.isAsked);
    gone.abort();
    await request;
    await until(() => seen.isClosed, 10_000);
    const call = await until(async () => {
      const [latest] = await query('select * from ai_calls order by created_at desc, id desc limit 1');
      return latest!['state'] === 'failed' && latest!['reason'] === 'cancelled' && latest;
    }, 10_000);
    t.ok(Number(call['cost']) > 0.2, 'what it may have cost is counted');
    t.pass(accept);
  }
});

t.test('a stream ends with its session, or with the permission', async (t) => {
  for (const end of ['session', 'permission'] as const) {
    const key = `explaining_${end}`;
    const permissions = [
      'cards.view',
      'stakeholders.view',
      'relations.view',
      'insightlens.view',
      'insightlens.explain',
    ];
    await admin.post('/roles', { key, label: key, permissions });
    const reader = await asUser(key);
    const seen = { isAsked: false, isClosed: false };
    provider.answers((response) => {
      seen.isAsked = true;
      stream(response).write(delta('Half of it is'));
      response.on('close', () => (seen.isClosed = true));
    });
    const ended = fetch(`${origin}/api/v1/insightlens/findings/${finding!.id}/explain`, {
      method: 'POST',
      headers: { authorization: `Bearer ${reader.token}`, accept: 'text/event-stream' },
    })
      .then((response) => response.text())
      .catch(() => 'cut off');
    await until(() => seen.isAsked);
    if (end === 'session') await reader.post('/auth/logout');
    else await admin.patch(`/roles/${key}`, { permissions: permissions.slice(0, 4) });
    t.notMatch(await ended, /event: end/, end);
    await until(() => seen.isClosed, 10_000);
    await until(async () => {
      const [call] = await query('select state, reason from ai_calls order by created_at desc, id desc limit 1');
      return call!['state'] === 'failed' && call!['reason'] === 'cancelled';
    }, 10_000);
  }
});
