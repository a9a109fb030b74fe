/** Work in the background that an API token started has the permissions of the token, and ends with it. */
import t from 'tap';
import { client, makeUser, registerAdmin, testApp, until, type Client } from '../support/app.js';
import { ApiTokens } from '../support/api-tokens.js';
import { jobsAt, registerJob } from '../support/jobs.js';
import { settled, staged, type ImportRow } from '../support/imports.js';
import { uuidv7 } from '../../core/foundation/ids.js';

const node = await testApp();
t.teardown(node.close);
const { origin, app } = node;
const admin = await registerAdmin(origin);
const architect = await makeUser(admin, 'architect');
const tokens = new ApiTokens(origin);
const jobs = jobsAt(node);

/** Queues a job on behalf of the user of a token, as a request of the token does. */
async function queued(token: string, type: string): Promise<string> {
  const identity = await app.services.auth.identify({
    headers: { authorization: `Bearer ${token}` },
    ip: '127.0.0.1',
  } as Parameters<typeof app.services.auth.identify>[0]);
  const id = uuidv7();
  return (await app.services.jobs.submit(
    {
      ...identity!,
      requestId: id,
      changeId: id,
      origin: 'api',
      ifMatch: undefined,
      idempotency: undefined,
      dryRun: false,
    },
    type,
    {},
    { onBehalf: true },
  ))!;
}

t.test('a job on behalf of the user has the permissions of the token', async (t) => {
  const seen: unknown[] = [];
  registerJob(t, [node], 'test.tokens', {
    handler: async ({ ctx, guard }) => {
      await app.services.transactions.run(ctx, async (uow) => {
        await guard(uow);
        seen.push(ctx.permissions.list(), ctx.permissions.has('cards.delete'), ctx.actor?.token?.name);
        uow.emit({ type: 'probe.noticed', subject: { kind: 'probe', id: 'by-job' } });
      });
    },
  });
  const made = await tokens.made(architect, ['cards.view', 'cards.edit']);
  const id = await queued(made.token, 'test.tokens');
  await jobs.inState(id, 'done');
  t.same(seen, [['cards.edit', 'cards.view'], false, made.name]);
  const event = await until(async () => {
    const { items } = (await admin.api.get('/events', { query: { subject_id: 'by-job' } })).body;
    return items[0];
  });
  t.match(event, { actor: { id: architect.user.id, token: { id: made.id } } });

  const status = async (api: Client) => (await api.get(`/jobs/${id}`)).status;
  t.equal(await status(client(origin, made.token)), 200, 'its status for the token');
  t.equal(await status(architect.api), 200, 'and for the user');
  t.equal(await status(await tokens.of(architect, ['cards.view'])), 404, 'not for another token');
});

t.test('it ends when the token is revoked, and is not retried', async (t) => {
  let started!: () => void;
  const working = new Promise<void>((resolve) => {
    started = resolve;
  });
  registerJob(t, [node], 'test.revoked', {
    handler: async ({ signal }) => {
      started();
      await new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      });
    },
  });
  const made = await tokens.made(architect, ['cards.view']);
  const running = await queued(made.token, 'test.revoked');
  await working;
  await architect.api.del(`/auth/tokens/${made.id}`);
  t.match(await jobs.inState(running, 'failed'), { attempts: 1, error: /token has ended/ });

  const next = await tokens.made(architect, ['cards.view']);
  const later = await app.services.jobs.submit(
    {
      requestId: uuidv7(),
      changeId: uuidv7(),
      origin: 'api',
      actor: { ...architectActor(), token: { id: next.id, name: next.name } },
      permissions: app.services.rbac.permissionsOf('viewer'),
      ifMatch: undefined,
      idempotency: undefined,
      dryRun: false,
    },
    'test.revoked',
    {},
    { onBehalf: true, runAt: new Date(Date.now() + 1_500) },
  );
  await architect.api.del(`/auth/tokens/${next.id}`);
  t.match(await jobs.inState(later!, 'failed'), { attempts: 1, error: /token has ended/ }, 'before it begins');
});

const architectActor = () => ({
  id: architect.user.id,
  displayName: architect.user.display_name,
  email: architect.user.email,
  role: 'architect',
  sessionId: '',
});

t.test('an import has the permissions of the token that reads or applies it', async (t) => {
  const provider = await admin.api.post('/cards', { type: 'Provider', name: 'Vendor', external_id: 'v1' });
  t.equal(provider.status, 201);
  const file = 'type,name,external_id,attributes.costTotalAnnual\nApplication,New one,n1,5\n';
  const all = ['cards.view', 'cards.import', 'cards.create', 'cards.edit', 'relations.view', 'costs.view'];
  const verdicts = async (api: Client, id: string) =>
    (await api.get<{ items: ImportRow[] }>(`/imports/${id}/rows`)).body.items.map(({ verdict }) => verdict);

  const blind = await tokens.of(
    architect,
    all.filter((key) => key !== 'costs.view'),
  );
  const refused = await staged(blind, 'csv', file);
  t.same(await verdicts(blind, refused.id), ['invalid'], 'a cost, without costs.view');
  const full = await staged(await tokens.of(architect, all), 'csv', file);
  t.same(await verdicts(architect.api, full.id), ['create'], 'the same file, with it');

  const importing = await tokens.of(architect, ['cards.view', 'cards.import']);
  const { body } = await importing.post(`/imports/${full.id}/apply`);
  t.match(body, { code: 'forbidden' }, 'a token that may not create cards');
  const staging = await staged(architect.api, 'csv', 'type,name,external_id\nApplication,By import,n2\n');
  const creating = await tokens.made(architect, ['cards.view', 'cards.import', 'cards.create', 'relations.view']);
  const api = client(origin, creating.token);
  t.equal((await api.post(`/imports/${staging.id}/apply`)).status, 202);
  t.match(await settled(architect.api, staging.id), { state: 'applied' });
  const [card] = (await admin.api.get('/cards', { query: { external_id: 'n2' } })).body.items;
  t.match((await admin.api.get(`/cards/${card!.id}/history`)).body.items, [
    { origin: 'import', actor: { id: architect.user.id, token: { id: creating.id } } },
  ]);
});
