/** A page of long texts is refused where its items are too large together, and what is read for a user counts for the user. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { availableParallelism } from 'node:os';
import t from 'tap';
import { makeUser, registerAdmin, testApp, until } from '../support/app.js';

const { origin, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const viewer = await makeUser(admin, 'viewer');

/** Texts that compression does not make much shorter. */
const long = (bytes: number): string => randomBytes((bytes / 4) * 3).toString('base64');
for (let n = 0; n < 4; n++)
  await admin.api.post('/cards/bulk', {
    operations: Array.from({ length: 50 }, (_, i) => ({
      op: 'create',
      card: { type: 'Application', name: `Long ${n * 50 + i}`, description: long(48_000) },
    })),
  });

t.test('a list of cards', async (t) => {
  const { status, body } = await viewer.api.get('/cards?page_size=200');
  t.match({ status, body }, { status: 422, body: { code: 'too_expensive', detail: /page_size/ } });
  t.equal((await viewer.api.get('/cards?page_size=200')).status, 422, 'also from memory');
  t.equal((await viewer.api.get('/cards?page_size=100')).body.items.length, 100);
});

t.test('the history of a card', async (t) => {
  const { id } = (await admin.api.post('/cards', { type: 'Application', name: 'Changed' })).body;
  for (let n = 0; n < 100; n++) await admin.api.patch(`/cards/${id}`, { description: long(48_000) });
  const { status, body } = await viewer.api.get(`/cards/${id}/history?page_size=200`);
  t.match({ status, body }, { status: 422, body: { code: 'too_expensive', detail: /page_size/ } });
  t.equal((await viewer.api.get(`/cards/${id}/history?page_size=50`)).body.items.length, 50);
});

t.test('while responses are being compressed, others are sent as they are', async (t) => {
  const agent = new Agent({ keepAlive: true });
  t.teardown(() => agent.destroy());
  const ask = async (): Promise<IncomingMessage> => {
    const headers = { authorization: `Bearer ${viewer.token}`, 'accept-encoding': 'gzip' };
    const sent = request(`${origin}/api/v1/cards?page_size=20`, { agent, headers }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.resume();
    await once(response, 'close');
    return response;
  };
  const answers = await Promise.all(Array.from({ length: 4 * availableParallelism() }, ask));
  const plain = answers.filter(({ headers }) => headers['content-encoding'] === undefined);
  t.ok(plain.length > 0, 'some are not compressed');
  t.ok(plain.length < answers.length, 'some are');
  for (const { headers } of plain) t.match(headers.vary, /accept-encoding/i);
  await until(async () => (await ask()).headers['content-encoding'] === 'gzip');
});
