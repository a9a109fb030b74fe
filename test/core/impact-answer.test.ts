/** Responses of impact are serialised without JSON.stringify: they match the database and the permissions of each reader. */
import fc from 'fast-check';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import t from 'tap';
import { Piece, Writer } from '../../core/inventory/impact/writer.js';
import { idOf } from '../../core/inventory/impact/records.js';
import { client, expectStatus, registerAdmin, testApp } from '../support/app.js';
import { requestText, sendRaw } from '../support/raw.js';
import { inMemory, unordered, type Impact } from '../support/impact.js';

const LARGE = 300 * 1024;

t.test('the writer concatenates its pieces', async (t) => {
  const word = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
  const step = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 20 }), fc.tuple(word, word, word, word));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), fc.boolean(), (steps, isPiece) => {
      const texts = steps.map((one) => {
        if (typeof one === 'string') return one;
        const hex = one.map((n) => (n >>> 0).toString(16).padStart(8, '0')).join('');
        return `"${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}"`;
      });
      const expected = Buffer.from(texts.join(''));
      // A size that fits exactly.
      const writer = new Writer(expected.length);
      for (const [i, one] of steps.entries()) {
        const bytes = Buffer.from(texts[i]!);
        if (typeof one !== 'string') writer.uuid(Int32Array.from([0, ...idOf(texts[i]!.slice(1, -1))]), 1);
        else if (isPiece) writer.put(new Piece(one));
        else writer.copy(new DataView(bytes.buffer, bytes.byteOffset, bytes.length), 0, bytes.length);
      }
      return writer.end().equals(expected);
    }),
    { numRuns: 500 },
  );
  t.pass('any texts and ids');
});

const CARDS = 950;
const memory = await testApp();
const bare = await testApp({ database: memory.database, config: { impactGraphMaxRelations: 0 } });
t.teardown(async () => {
  await memory.close();
  await bare.close();
});
const admin = await registerAdmin(memory.origin);
const hubs: string[] = [];
for (const hub of ['one', 'two', 'three']) {
  const operations = Array.from({ length: CARDS }, (_, i) => ({
    op: 'create',
    ref: `${hub} ${i}`,
    card: { type: 'Application', name: `${hub} "ü" ${'long '.repeat(30)}${i}` },
  }));
  const spokes = Array.from({ length: CARDS }, (_, i) => ({ type: 'related', target: { ref: `${hub} ${i}` } }));
  const answer = expectStatus(
    await admin.api.post<{ results: { ref?: string; id: string }[] }>('/cards/bulk', {
      operations: [
        ...operations,
        { op: 'create', ref: 'hub', card: { type: 'Application', name: hub }, relations: spokes },
      ],
    }),
    200,
    'a hub',
  );
  hubs.push(answer.body.results.at(-1)!.id);
}
const path = (hub: string): string => `/api/v1/cards/${hub}/impact?depth=1`;

t.test('concurrent readers, some of whom disconnect: each gets its own response', async (t) => {
  const viaSql = client(bare.origin, admin.token);
  const expected = await Promise.all(hubs.map(async (hub) => unordered((await viaSql.get<Impact>(path(hub))).body)));
  await inMemory(memory, admin.api, hubs[0]!);
  const { answered } = memory.app.services.impact;
  const before = answered.memory;
  const leave = async (hub: string): Promise<void> => {
    const request = httpRequest(`${memory.origin}${path(hub)}`, {
      headers: { authorization: `Bearer ${admin.token}` },
      agent: false,
    }).end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.destroy();
  };
  const read = async (n: number): Promise<boolean> => {
    const hub = n % hubs.length;
    const encoding = n % 4 === 0 ? 'gzip' : 'identity';
    const answer = await fetch(`${memory.origin}${path(hubs[hub]!)}`, {
      headers: { authorization: `Bearer ${admin.token}`, 'accept-encoding': encoding },
    });
    const text = await answer.text();
    t.ok(text.length > LARGE, 'large');
    const { nodes, edges, truncated } = unordered(JSON.parse(text) as Impact);
    return JSON.stringify({ nodes, edges, truncated }) === JSON.stringify(expected[hub]);
  };
  for (let round = 0; round < 4; round++) {
    const found = await Promise.all(
      Array.from({ length: 12 }, async (_, n) =>
        n % 5 === 4 ? leave(hubs[n % 3]!).then(() => true) : await read(n + round),
      ),
    );
    t.ok(found.every(Boolean), `round ${round}`);
  }
  t.ok(answered.memory - before >= 48, 'all from memory');
  // Pipelined requests: answers wait for the previous one on the same connection.
  const order = [0, 1, 2, 2, 1, 0, 1, 0, 2];
  const text = order
    .map((hub, n) =>
      requestText('GET', path(hubs[hub]!), { authorization: `Bearer ${admin.token}` }).replace(
        'Connection: close',
        `Connection: ${n < order.length - 1 ? 'keep-alive' : 'close'}`,
      ),
    )
    .join('');
  const { body } = await sendRaw(memory.origin, text, 20_000);
  const bodies = Buffer.from(body, 'latin1')
    .toString()
    .split(/HTTP\/1\.1 200 OK.*?\r\n\r\n/s);
  t.equal(bodies.length, order.length);
  for (const [n, one] of bodies.entries()) {
    const { nodes, edges, truncated } = unordered(JSON.parse(one.replace(/\r\n$/, '')) as Impact);
    t.ok(
      JSON.stringify({ nodes, edges, truncated }) === JSON.stringify(expected[order[n]!]),
      `answer ${n} of one connection`,
    );
  }
});
