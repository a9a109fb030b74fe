/** The log of calls of the language model: who sees prompts, answers and the words of providers, and for how long they are kept. */
import t from 'tap';
import type { ModelResult } from '@lintel/sdk';
import { systemContext } from '../../core/foundation/context.js';
import { cleanCalls } from '../../core/settings/index.js';
import { chat, says, startProvider } from '../../plugins/insightlens/test/provider.js';
import { makeUser, registerAdmin, sql, testApp } from '../support/app.js';

const provider = await startProvider();
const node = await testApp({ config: { outboundAllow: [`127.0.0.1:${provider.port}`] } });
t.teardown(async () => {
  await node.close();
  provider.close();
});
const session = await registerAdmin(node.origin);
const admin = session.api;
const viewer = await makeUser(session, 'viewer');
const set = async (settings: object): Promise<void> => {
  const { status, body } = await admin.patch('/settings/ai', settings);
  t.equal(status, 200, JSON.stringify(body));
};
const ask = async (): Promise<ModelResult> => {
  const call = { purpose: 'explain', system: 'Be short.', prompt: 'What is Lintel?' };
  return await node.app.services.languageModel.ask(systemContext('test'), 'insightlens', call, undefined);
};
const last = async (): Promise<Record<string, unknown>> =>
  (
    await sql<Record<string, unknown>>(
      node.database,
      'select * from ai_calls order by created_at desc, id desc limit 1',
    )
  )[0]!;
await set({ provider: 'openai', base_url: provider.base, model: 'small', api_key: 'sk', timeout_seconds: 5 });

t.test('the log is for those who audit, and its texts are deleted', async (t) => {
  provider.answers(chat('A long answer.'));
  await ask();
  const { items, total } = (await admin.get('/settings/ai/calls', { query: { state: 'done' } })).body;
  t.ok(Number(total) > 0);
  const path = `/settings/ai/calls/${String((items as { id: string }[])[0]!.id)}`;
  t.match((await admin.get(path)).body, { answer: 'A long answer.', prompt: /What is Lintel/ });
  for (const one of ['/settings/ai/calls', path, '/settings/ai/usage'])
    t.equal((await viewer.api.get(one)).status, 403, one);
  await admin.post('/roles', {
    key: 'auditor',
    label: 'Auditor',
    permissions: ['cards.view', 'events.audit'],
    types: { Application: { 'cards.view': false } },
  });
  const auditor = await makeUser(session, 'auditor');
  t.match((await auditor.api.get(path)).body, { state: 'done', prompt: null, answer: null });
  await sql(node.database, `update ai_calls set created_at = created_at - interval '31 days'`);
  t.ok((await cleanCalls(node.app.services.db, 30)) > 0);
  t.match((await admin.get(path)).body, { state: 'done', prompt: null, answer: null });
  await set({ log_retention_days: 0 });
  await ask();
  t.match(await last(), { state: 'done', prompt: null, answer: null });
});

t.test('the words of a provider are kept as long as prompts, and shown to those who see all cards', async (t) => {
  await set({ log_retention_days: 30 });
  const echo = says(400, { error: { message: 'cannot process: the secret project Alpha' } });
  provider.answers(echo);
  const refused = await ask();
  t.match(refused, { ok: false, reason: 'rejected' });
  t.notMatch(JSON.stringify(refused), /Alpha/);
  t.match((await last())['detail'], /Alpha/);
  await admin.post('/roles', { key: 'events', label: 'Events', permissions: ['events.audit'] });
  const auditors = await Promise.all(['auditor', 'events'].map((role) => makeUser(session, role)));
  const id = String((await last())['id']);
  for (const path of ['/settings/ai/calls', `/settings/ai/calls/${id}`]) {
    t.match(JSON.stringify((await admin.get(path)).body), /Alpha/, path);
    for (const { api } of auditors) {
      const { status, body } = await api.get(path);
      t.equal(status, 200);
      t.notMatch(JSON.stringify(body), /Alpha/, path);
    }
  }
  await set({ log_retention_days: 0 });
  await ask();
  t.notMatch(JSON.stringify(await last()), /Alpha/, 'nothing is kept');
  await sql(node.database, `update ai_calls set created_at = created_at - interval '31 days'`);
  await cleanCalls(node.app.services.db, 30);
  t.notMatch(JSON.stringify(await sql(node.database, 'select detail from ai_calls')), /Alpha/);
});
