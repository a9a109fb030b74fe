/**
 * The service is killed while the language model answers a job: the job asks again after its lease of 15 s, what was reserved counts to the
 * spend cap from the kill on, first as reserved and then as spent, and nothing is counted twice or for ever.
 */
import t from 'tap';
import { chat, startProvider } from '../../plugins/insightlens/test/provider.js';
import { client, createDatabase, expectStatus, registerAdmin, sql, until, type AnyBody } from '../support/app.js';
import { urlOf } from '../support/database.js';
import { dataFolder, startService } from '../support/service.js';

const PATH = '/insightlens/architect/proposals';
const provider = await startProvider();
const database = await createDatabase();
const folder = await dataFolder();
const start = () =>
  startService({
    dataDir: folder.path,
    env: {
      DATABASE_URL: urlOf(database),
      LINTEL_SECRET_KEY: Buffer.alloc(32, 'crash').toString('base64'),
      OUTBOUND_ALLOW: `127.0.0.1:${provider.port}`,
    },
  });
let node = await start();
t.teardown(async () => {
  await node.stop();
  await folder.remove();
  provider.close();
});
const admin = await registerAdmin(node.origin);
const api = () => client(node.origin, admin.token);
const usage = async (): Promise<AnyBody> => (await api().get('/settings/ai/usage')).body;
const set = async (settings: object): Promise<void> => {
  expectStatus(await api().patch('/settings/ai', settings), 200, 'settings');
};
const ask = async (): Promise<string> =>
  String(expectStatus(await api().post(PATH, { requirement: 'Sell online' }), 201, 'a proposal').body.id);
const ready = async (id: string): Promise<AnyBody> =>
  await until(async () => {
    const { body } = await api().get(`${PATH}/${id}`);
    return body['state'] === 'ready' && body;
  }, 90_000);
const answer = chat(JSON.stringify({ summary: 'Ok.', options: [], risks: [] }));

t.test('a node is killed while the model answers', async (t) => {
  // At most 100 tokens of an answer for 1 dollar each; answers have 10.
  await set({
    provider: 'openai',
    base_url: provider.base,
    model: 'small',
    api_key: 'sk',
    timeout_seconds: 60,
    input_price: 0,
    output_price: 1_000,
    max_output_tokens: 100,
    monthly_spend_cap: 250,
  });
  let isAsked = false;
  provider.answers(() => (isAsked = true));
  const id = await ask();
  await until(() => Promise.resolve(isAsked), 20_000);
  t.match(await usage(), { spent: 0, reserved: 100 });
  await node.kill9();
  provider.answers(answer);
  node = await start();
  t.match(await usage(), { spent: 0, reserved: 100 }, 'not lost');
  t.match(await ready(id), { model: { used: true }, advice: { summary: 'Ok.' } }, 'the job asks again');
  t.equal(provider.calls.length, 1);
  t.match(await usage(), { spent: 10, reserved: 100, calls: 2 });
  await sql(database, `update ai_calls set expires_at = now() - interval '1 second' where state = 'open'`);
  t.match(await usage(), { spent: 110, reserved: 0 }, 'not reserved for ever');
  t.match((await api().get('/settings/ai/calls', { query: { state: 'failed' } })).body.items, [{ cost: 100 }]);
  t.match(await ready(await ask()), { model: { used: true } });
  t.match(await usage(), { spent: 120, reserved: 0 });
  await set({ monthly_spend_cap: 200 });
  t.match(await ready(await ask()), { advice: null, model: { used: false, reason: 'cap_reached' } });
  t.match(await usage(), { spent: 120, reserved: 0, calls: 3 });
});
