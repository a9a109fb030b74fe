/** Connections kept open between requests lead to no address that a new connection could not lead to. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath, pathToFileURL } from 'node:url';
import t from 'tap';
import { Problem } from '../../core/foundation/errors.js';
import { Outbound } from '../../core/foundation/outbound/index.js';
import { until } from '../support/app.js';

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const tls = (name: string): string => join(root, 'test/fixtures/tls', name);

/** Starts a server. @returns its port, and the sockets of its connections in their order */
async function listen(server: Server, host: string, port = 0): Promise<{ port: number; sockets: Socket[] }> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  const sockets: Socket[] = [];
  server.on('connection', (socket) => sockets.push(socket.on('error', () => undefined)));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, sockets };
}

const answering: RequestListener = (_request, response) => {
  response.writeHead(204).end();
};
const codeOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
  } catch (error) {
    if (error instanceof Problem) return error.code;
    throw error;
  }
  throw new Error('it did not fail');
};

t.test('a connection is used again while the name leads to the same allowed addresses', async (t) => {
  const first = await listen(createServer(answering), '127.0.0.1');
  const second = await listen(createServer(answering), '127.0.0.2', first.port);
  let addresses = ['127.0.0.1'];
  let lookups = 0;
  const outbound = new Outbound(['127.0.0.1', '127.0.0.2'], async () => {
    lookups++;
    return addresses.map((address) => ({ address, family: 4 }));
  });
  const ask = async (host = 'one.example', keepsConnection = true): Promise<number> =>
    (await outbound.request(`http://${host}:${first.port}/`, { method: 'POST', body: 'x', keepsConnection })).status;
  for (let n = 0; n < 3; n++) t.equal(await ask(), 204);
  t.equal(first.sockets.length, 1);
  t.equal(lookups, 3, 'the name is resolved for each request');
  addresses = ['127.0.0.2'];
  await ask();
  t.strictSame([first.sockets.length, second.sockets.length], [1, 1], 'another address gets another connection');
  addresses = ['127.0.0.3'];
  t.equal(await codeOf(ask()), 'outbound_refused', 'an idle connection does not outlive the check');
  addresses = ['127.0.0.3', '127.0.0.1'];
  await ask();
  t.strictSame([first.sockets.length, second.sockets.length], [1, 1], 'only the allowed addresses count');
  await ask('two.example');
  t.equal(first.sockets.length, 2, 'another name gets another connection');
  await ask('one.example', false);
  await until(() => first.sockets[2]?.destroyed);
  t.equal(first.sockets.length, 3, 'other requests get a new one, which is closed');
  await until(() => [...first.sockets, ...second.sockets].every((socket) => socket.destroyed), 8_000);
  t.pass('idle ones are closed after some seconds');
});

t.test('a request on a connection that the receiver has ended is sent over a new one, once', async (t) => {
  const served = new Map<Socket, number>();
  let most = 1;
  const { port, sockets } = await listen(
    createServer((request, response) => {
      const nth = (served.get(request.socket) ?? 0) + 1;
      served.set(request.socket, nth);
      if (nth > most) request.socket.destroy();
      else response.end('x'.repeat(2_000));
    }),
    '127.0.0.1',
  );
  const outbound = new Outbound(['127.0.0.1']);
  const ask = async (maxBytes = 5_000) =>
    (await outbound.request(`http://127.0.0.1:${port}/`, { maxBytes, cut: true, keepsConnection: true })).body.length;
  for (let n = 0; n < 3; n++) t.equal(await ask(), 2_000);
  t.equal(sockets.length, 3, 'the second request failed on the first one; that of its repetition is not kept');
  most = 0;
  t.equal(await codeOf(ask()), 'outbound_failed', 'a new connection is no reason to send it again');
  most = Infinity;
  const before = sockets.length;
  t.equal(await ask(100), 100);
  await ask();
  t.equal(sockets.length - before, 2, 'a connection with an unread rest of an answer is closed');
});

t.test('a name that the certificate does not have gets no connection of another name', async (t) => {
  const server = createTlsServer(
    { key: readFileSync(tls('key.pem')), cert: readFileSync(tls('cert.pem')) },
    answering,
  ) as unknown as Server;
  const { port, sockets } = await listen(server, '127.0.0.2');
  // A process of its own, because certificates are trusted only when a process starts.
  const script = `
    import { Outbound } from ${JSON.stringify(pathToFileURL(join(root, 'dist/core/foundation/outbound/index.js')).href)};
    const outbound = new Outbound(['127.0.0.2'], async () => [{ address: '127.0.0.2', family: 4 }]);
    const told = [];
    for (const name of ['outside', 'outside', 'other', 'outside'])
      told.push(await outbound.request('https://' + name + '.example:${port}/', { keepsConnection: true }).then((a) => a.status, (e) => e.detail));
    console.log(JSON.stringify(told));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    env: { NODE_EXTRA_CA_CERTS: tls('cert.pem') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const told = JSON.parse(await text(child.stdout)) as unknown[];
  t.strictSame(told, [204, 204, `other.example:${port} has no certificate that can be trusted.`, 204]);
  t.equal(sockets.length, 2, 'one of each name');
});
