/** A page of long texts is refused where its items are too large together, and what is read for a user counts for the user. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { availableParallelism } from 'node:os';
import t from 'tap';
import { makeUser, registerAdmin, testApp } from '../support/app.js';

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
  const ask = async (token: string): Promise<IncomingMessage> => {
    const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip' };
    const sent = request(`${origin}/api/v1/cards?page_size=100`, { agent, headers }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return response.pause();
  };
  const unread: IncomingMessage[] = [];
  for (let n = 0; n < availableParallelism(); n++) unread.push(await ask(viewer.token));
  t.equal(unread[0]!.headers['content-encoding'], 'gzip');
  const last = unread.at(-1)!;
  t.equal(last.headers['content-encoding'], undefined);
  t.match(last.headers.vary, /accept-encoding/i);
  for (const response of unread) {
    response.resume();
    await once(response, 'close');
  }
  const again = await ask(viewer.token);
  t.equal(again.headers['content-encoding'], 'gzip', 'the places are free again');
  again.resume();
  await once(again, 'close');
});
