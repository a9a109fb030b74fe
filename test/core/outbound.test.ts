/** Runs in a process of its own: it measures memory. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import {
  connect,
  createServer as createTcpServer,
  type AddressInfo,
  type Server as TcpServer,
  type Socket,
} from 'node:net';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import t from 'tap';
import { Problem } from '../../core/foundation/errors.js';
import { Outbound, isPublic, type Address } from '../../core/foundation/outbound/index.js';
import { checkedUrl } from '../../core/foundation/outbound/url.js';
import { until } from '../support/app.js';

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const tls = (name: string): string => join(root, 'test/fixtures/tls', name);

interface Listener {
  port: number;
  sockets: Set<Socket>;
  count: number;
}

/** Starts a server and counts its connections. */
async function listen(server: TcpServer | Server, host: string, port = 0): Promise<Listener> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  const listener: Listener = { port: (server.address() as AddressInfo).port, sockets: new Set(), count: 0 };
  server.on('connection', (socket: Socket) => {
    listener.count++;
    listener.sockets.add(socket.on('error', () => undefined));
  });
  t.teardown(() => {
    for (const socket of listener.sockets) socket.destroy();
    server.close();
  });
  return listener;
}

const routes: Record<string, (...sent: Parameters<RequestListener>) => unknown> = {
  '/echo': async (request, response) => {
    response.setHeader('set-cookie', ['a=1', 'b=2']);
    response.end(JSON.stringify({ method: request.method, headers: request.headers, body: await text(request) }));
  },
  '/teapot': (_request, response) => {
    response.writeHead(418).end('no coffee');
  },
  '/text': (_request, response) => {
    response.end('no JSON');
  },
  '/gzip': (_request, response) => {
    response.setHeader('content-encoding', 'gzip').end(gzipSync(Buffer.alloc(1_000_000)));
  },
  '/silent': () => undefined,
  '/slow': (_request, response) => {
    response.writeHead(200).write('a');
    const timer = setInterval(() => response.write('a'), 20);
    response.on('close', () => clearInterval(timer));
  },
  '/long': (_request, response) => {
    response.end(Buffer.alloc(2_000, 'x'));
  },
  '/endless': (_request, response) => {
    response.writeHead(200);
    const more = (): void => {
      if (!response.destroyed) response.write(Buffer.alloc(65_536, 'x'), more);
    };
    more();
  },
  '/broken': (request, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('half');
    setImmediate(() => request.socket.destroy());
  },
  '/no-answer': (request) => {
    request.socket.destroy();
  },
  '/many-headers': (_request, response) => {
    response.setHeader('x-long', 'x'.repeat(40_000)).end();
  },
  '/to': (request, response) => {
    const { searchParams } = new URL(request.url!, 'http://x');
    response
      .writeHead(Number(searchParams.get('status') ?? 302), { location: searchParams.get('at')! })
      .end('the body of a redirect');
  },
  '/loop': (_request, response) => {
    response.writeHead(302, { location: '/loop' }).end();
  },
  '/nowhere': (_request, response) => {
    response.writeHead(302).end('nowhere');
  },
};

// Two addresses of this machine: requests to the outside one are allowed, the inside one must get no connection.
const outside = await listen(
  createServer((request, response) => void routes[request.url!.split('?')[0]!]?.(request, response)),
  '127.0.0.2',
);
const inside = await listen(createTcpServer(), '127.0.0.1', outside.port);
const inside6 = await listen(createTcpServer(), '::1', outside.port).catch(() => undefined);
const { port } = outside;
const at = (path: string): string => `http://127.0.0.2:${port}${path}`;
const open = new Outbound(['127.0.0.2']);
const closed = new Outbound([]);

async function failure(work: Promise<unknown>): Promise<{ code: string; detail: string; status: number }> {
  try {
    await work;
  } catch (error) {
    if (error instanceof Problem) return { code: error.code, detail: error.detail, status: error.status };
    throw error;
  }
  throw new Error('it did not fail');
}
const code = async (work: Promise<unknown>): Promise<string> => (await failure(work)).code;
const insideConnections = (): number => inside.count + (inside6?.count ?? 0);

t.test('addresses that are not public are refused in every notation', async (t) => {
  const hosts = [
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '0177.0.0.1',
    '0x7f.0.0.1',
    '0x7f.1',
    '2130706433',
    '0x7f000001',
    '017700000001',
    '127.0.0.1.',
    '127.255.255.254',
    '%31%32%37.0.0.1',
    '１２７.０.０.１',
    '①②⑦.⓪.⓪.①',
    '127。0。0。1',
    'localhost',
    'LOCALHOST',
    'ｌocalhost',
    '0',
    '0.0.0.0',
    '0.1.2.3',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b::a00:1]',
    '[64:ff9b:1::7f00:1]',
    '[2002:7f00:1::]',
    '[2002:a00:1::1]',
    '[2001:0:4136:e378:8000:63bf:3fff:fdd2]',
    '[2001:db8::1]',
    '[3fff::1]',
    '[100::1]',
    '[5f00::1]',
    '[fe80::1]',
    '[febf::1]',
    '[fec0::1]',
    '[fc00::1]',
    '[fd12:3456::1]',
    '[ff02::1]',
    '[ff0e::1]',
    '[4000::1]',
    '10.0.0.1',
    '10.255.255.255',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '100.127.255.255',
    '192.0.0.1',
    '192.0.2.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '192.88.99.1',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
  ];
  for (const host of hosts)
    t.match(await failure(closed.request(`http://${host}:${port}/`)), { code: 'outbound_refused', status: 422 }, host);
  t.equal(insideConnections(), 0, 'the inside servers got no connection');
  t.equal(outside.count, 0);
});

t.test('public addresses are distinguished from others at the borders of their ranges', async (t) => {
  for (const address of [
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '191.255.255.255',
    '192.0.1.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2606:4700::1111',
    '2a00:1450::1',
    '2001:4860::8888',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
  ])
    t.ok(isPublic(address), address);
  for (const address of [
    '',
    'x',
    '1.1.1',
    '127.0.0.1',
    '::ffff:10.0.0.1',
    '::ffff:0:8.8.8.8',
    '64:ff9b::7f00:1',
    '2001:1ff::1',
    '2002::1',
    'fe80::1%eth0',
    '2606:4700::1111%eth0',
    '1fff::1',
    '4000::1',
  ])
    t.notOk(isPublic(address), address);
});

t.test('names are checked by the addresses they resolve to, and looked up once', async (t) => {
  const asked: string[] = [];
  const answers = (lists: string[][], allow: string[]) => {
    let turn = 0;
    return new Outbound(allow, async (host) => {
      asked.push(host);
      return lists[Math.min(turn++, lists.length - 1)]!.map(
        (address): Address => ({ address, family: address.includes(':') ? 6 : 4 }),
      );
    });
  };
  for (const list of [
    ['127.0.0.1'],
    ['10.0.0.1', '127.0.0.1'],
    ['::ffff:127.0.0.1'],
    ['::1', '64:ff9b::7f00:1'],
    ['fe80::1%lo'],
    [],
  ]) {
    t.equal(await code(answers([list], []).request(`http://evil.example:${port}/`)), 'outbound_refused', list.join());
  }
  asked.length = 0;
  // The first look-up gives an allowed address, a second one would give an internal address.
  const rebinding = answers([['127.0.0.2'], ['127.0.0.1']], ['127.0.0.2']);
  const { headers } = (await rebinding.request(`http://evil.example:${port}/echo`)).json() as {
    headers: { host: string };
  };
  t.equal(headers.host, `evil.example:${port}`);
  t.same(asked, ['evil.example']);
  t.equal(
    await code(rebinding.request(`http://evil.example:${port}/echo`)),
    'outbound_refused',
    'the next request is judged by the next answer',
  );
  const mixed = answers([['127.0.0.1', '127.0.0.2']], ['127.0.0.2']);
  for (let i = 0; i < 3; i++)
    t.equal(
      (await mixed.request(`http://both.example:${port}/teapot`)).status,
      418,
      'only the address that may be called is',
    );
  t.equal(insideConnections(), 0, 'the inside servers got no connection');
  const failing = new Outbound([], async () => {
    throw Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' });
  });
  t.match(await failure(failing.request('https://nobody.example/?token=secret')), {
    code: 'outbound_failed',
    status: 424,
    detail: 'nobody.example has no address.',
  });
});

t.test('only targets configured by the operator are allowed', async (t) => {
  const to = async (allow: string, host = '127.0.0.2') => {
    const outbound = new Outbound([allow], async () => [{ address: '127.0.0.2', family: 4 }]);
    return await outbound.request(`http://${host}:${port}/teapot`).then(
      ({ status }) => status,
      (error: Problem) => error.code,
    );
  };
  for (const allow of ['127.0.0.2', `127.0.0.2:${port}`, '127.0.0.0/8', '127.0.0.2/32', '0.0.0.0/0'])
    t.equal(await to(allow), 418, allow);
  for (const allow of [
    '127.0.0.3',
    `127.0.0.2:${port + 1}`,
    '127.0.0.3/32',
    '10.0.0.0/8',
    'fd00::/8',
    '::/0',
    'wiki.intern',
  ])
    t.equal(await to(allow), 'outbound_refused', allow);
  t.equal(await to('127.0.0.2', '[::ffff:127.0.0.2]'), 418, 'the same address in another notation');
  for (const [allow, host] of [
    ['wiki.intern', 'wiki.intern'],
    ['Wiki.Intern', 'WIKI.intern.'],
    [`wiki.intern:${port}`, 'wiki.intern'],
  ] as const)
    t.equal(await to(allow, host), 418, allow);
  for (const [allow, host] of [
    ['wiki.intern', 'wiki.intern.evil.example'],
    ['wiki.intern', 'a.wiki.intern'],
    [`wiki.intern:${port + 1}`, 'wiki.intern'],
  ] as const)
    t.equal(await to(allow, host), 'outbound_refused', `${allow} ${host}`);
});

t.test('only valid requests are sent', async (t) => {
  const before = outside.count;
  for (const url of [
    '',
    'x',
    '//127.0.0.2',
    'ftp://127.0.0.2/',
    'file:///etc/passwd',
    'gopher://127.0.0.2/',
    'data:text/plain,x',
    'javascript:1',
    'http://',
    'http://a b/',
    `http://user@127.0.0.2:${port}/`,
    `http://:p@127.0.0.2:${port}/`,
    `http://127.0.0.2:${port}/${'x'.repeat(9_000)}`,
    'http://[::1',
    'http://127.0.0.2:99999/',
    undefined as unknown as string,
    {} as string,
  ])
    t.equal(await code(open.request(url)), 'outbound_refused', String(url).slice(0, 40));
  for (const method of ['CONNECT', 'TRACE', 'GET /x HTTP/1.1\r\nx:', '', 'get x'])
    t.equal(await code(open.request(at('/echo'), { method })), 'outbound_refused', method);
  for (const [name, value] of [
    ['host', 'x'],
    ['Content-Length', '5'],
    ['transfer-encoding', 'chunked'],
    ['Connection', 'upgrade'],
    ['proxy-authorization', 'x'],
    ['accept-encoding', 'gzip'],
    ['x\r\ny', 'z'],
    ['x', 'a\r\nb: c'],
    ['x', 'a\0'],
    ['x', '\ud800'],
    ['x', 'ж'],
    ['', 'x'],
  ] as const) {
    t.equal(
      await code(open.request(at('/echo'), { headers: { [name]: value } })),
      'outbound_refused',
      JSON.stringify([name, value]),
    );
  }
  t.equal(outside.count, before);
  const sent = await open.request(at('/echo'), {
    method: 'post',
    headers: { 'Content-Type': 'text/plain', Authorization: 'Bearer x' },
    body: 'grüße',
  });
  t.match(sent, { status: 200, url: at('/echo'), headers: { 'set-cookie': 'a=1, b=2' } });
  t.match(sent.json(), {
    method: 'POST',
    body: 'grüße',
    headers: {
      'content-type': 'text/plain',
      authorization: 'Bearer x',
      'content-length': '7',
      'accept-encoding': 'identity',
      connection: 'close',
    },
  });
  t.match((await open.request(at('/echo'), { method: 'DELETE', body: Buffer.from('x') })).json(), {
    method: 'DELETE',
    body: 'x',
  });
  t.match(await open.request(at('/echo'), { method: 'HEAD' }), { status: 200, body: Buffer.alloc(0) });
  const teapot = await open.request(at('/teapot'));
  t.equal(teapot.text(), 'no coffee', 'a status is an answer');
  t.match(await failure((async () => (await open.request(at('/text'))).json())()), { code: 'outbound_failed' });
});

t.test('each redirect is checked before it is followed', async (t) => {
  const to = (target: string, status = 302): string => at(`/to?status=${status}&at=${encodeURIComponent(target)}`);
  for (const target of [
    `http://127.0.0.1:${port}/`,
    `//127.0.0.1:${port}/`,
    `http://2130706433:${port}/`,
    `http://[::1]:${port}/`,
    `http://localhost:${port}/`,
    'file:///etc/passwd',
    `http://u:p@127.0.0.2:${port}/`,
    'http://[',
  ]) {
    for (const status of [301, 302, 303, 307, 308])
      t.equal(await code(open.request(to(target, status))), 'outbound_refused', target);
  }
  t.equal(insideConnections(), 0, 'the inside servers got no connection');
  const hop = await open.request(to('/echo'), { headers: { authorization: 'x', cookie: 'y' } });
  t.match(hop, { status: 200, url: at('/echo') });
  t.match(hop.json(), { headers: { authorization: 'x', cookie: 'y' } }, 'of one origin');
  const both = new Outbound(['127.0.0.2', 'other.example'], async () => [{ address: '127.0.0.2', family: 4 }]);
  const other = (
    await both.request(to(`http://other.example:${port}/echo`), {
      headers: { authorization: 'x', cookie: 'y', 'x-api-key': 'z', accept: 'text/html' },
    })
  ).json() as { headers: Record<string, string> };
  t.equal(other.headers['accept'], 'text/html');
  for (const name of ['authorization', 'cookie', 'x-api-key'])
    t.equal(other.headers[name], undefined, `${name} is not sent to another origin`);
  const post = { method: 'POST', body: 'b', headers: { 'content-type': 'text/plain' } };
  for (const status of [301, 302, 303]) {
    const asked = (await open.request(to('/echo', status), post)).json() as {
      method: string;
      body: string;
      headers: Record<string, string>;
    };
    t.match(asked, { method: 'GET', body: '' }, String(status));
    t.same([asked.headers['content-type'], asked.headers['content-length']], [undefined, undefined]);
  }
  for (const status of [307, 308])
    t.match(
      (await open.request(to('/echo', status), post)).json(),
      { method: 'POST', body: 'b', headers: { 'content-type': 'text/plain' } },
      String(status),
    );
  t.match((await open.request(to('/echo', 301), { ...post, method: 'PUT' })).json(), { method: 'PUT', body: 'b' });
  const before = outside.count;
  t.match(await failure(open.request(at('/loop'))), { code: 'outbound_failed', detail: /redirects more than 5 times/ });
  t.equal(outside.count, before + 6);
  t.match(await open.request(at('/loop'), { maxRedirects: 0 }), { status: 302, headers: { location: '/loop' } });
  t.equal((await open.request(at('/nowhere'))).status, 302, 'a redirect to nowhere is an answer');
  t.throws(
    () => checkedUrl('http://a.example/', new URL('https://a.example/')),
    { code: 'outbound_refused' },
    'from https there is no way to http',
  );
  t.equal(checkedUrl('/b', new URL('https://a.example/a')).href, 'https://a.example/b');
});

t.test('time and size of an answer are limited', async (t) => {
  for (const path of ['/silent', '/slow']) {
    const began = performance.now();
    t.match(
      await failure(open.request(at(path), { timeoutMs: 200 })),
      { code: 'outbound_failed', detail: /did not answer: the timeout expired/ },
      path,
    );
    t.ok(performance.now() - began < 1_500);
  }
  const never = new Outbound([], () => new Promise(() => undefined));
  t.equal(
    await code(never.request('http://slow.example/', { timeoutMs: 50 })),
    'outbound_failed',
    'the look-up counts',
  );
  const given = new AbortController();
  const going = code(open.request(at('/silent'), { signal: given.signal }));
  const sockets = outside.sockets.size;
  await until(() => outside.sockets.size > sockets);
  given.abort();
  t.equal(await going, 'outbound_failed');
  t.equal(await code(open.request(at('/echo'), { signal: AbortSignal.abort() })), 'outbound_failed');
  t.equal((await open.request(at('/long'), { maxBytes: 2_000 })).body.length, 2_000);
  t.match(await failure(open.request(at('/long'), { maxBytes: 1_999 })), {
    code: 'outbound_failed',
    detail: 'The answer has more than 1999 bytes.',
  });
  const memory = process.memoryUsage().rss;
  t.match(await failure(open.request(at('/endless'))), { code: 'outbound_failed' });
  t.ok(process.memoryUsage().rss - memory < 60 * 1024 * 1024, 'no more bytes are kept');
  for (const path of ['/gzip', '/broken', '/no-answer', '/many-headers'])
    t.equal(await code(open.request(at(path))), 'outbound_failed', path);
  await until(() => [...outside.sockets].every((socket) => socket.destroyed), 2_000);
  t.pass('no connection is left open');
  const gone = createTcpServer();
  const { port: free } = await listen(gone, '127.0.0.2');
  await new Promise((resolve) => gone.close(resolve));
  t.match(await failure(open.request(`http://127.0.0.2:${free}/`)), {
    code: 'outbound_failed',
    detail: `127.0.0.2:${free} refuses the connection.`,
  });
});

/** Requests a URL in a process that trusts the certificate of the tests, which can only be set when a process starts. */
async function overTls(url: string): Promise<{ status?: number; text?: string; code?: string; detail?: string }> {
  const script = `
    import { Outbound } from ${JSON.stringify(pathToFileURL(join(root, 'dist/core/foundation/outbound/index.js')).href)};
    const outbound = new Outbound(['127.0.0.2'], async () => [{ address: '127.0.0.2', family: 4 }]);
    const told = await outbound.request(${JSON.stringify(url)}).then((a) => ({ status: a.status, text: a.text() }), ({ code, detail }) => ({ code, detail }));
    console.log(JSON.stringify(told));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    env: { NODE_EXTRA_CA_CERTS: tls('cert.pem') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(await text(child.stdout)) as Awaited<ReturnType<typeof overTls>>;
}

t.test('the certificate must have the requested name', async (t) => {
  const names: (string | false)[] = [];
  const server = createTlsServer(
    {
      key: readFileSync(tls('key.pem')),
      cert: readFileSync(tls('cert.pem')),
      SNICallback: (name, done) => {
        names.push(name);
        done(null);
      },
    },
    (request, response) => {
      if (request.url === '/down') response.writeHead(302, { location: `http://127.0.0.2:${port}/echo` }).end();
      else response.end(request.headers.host);
    },
  );
  const { port: secure } = await listen(server, '127.0.0.2');
  const [sound, foreign, down] = await Promise.all([
    overTls(`https://outside.example:${secure}/`),
    overTls(`https://other.example:${secure}/`),
    overTls(`https://outside.example:${secure}/down`),
  ]);
  t.same(sound, { status: 200, text: `outside.example:${secure}` });
  t.ok(names.includes('outside.example'), 'the name is sent in the handshake');
  t.match(foreign, { code: 'outbound_failed', detail: /has no certificate that can be trusted/ });
  t.match(down, { code: 'outbound_refused', detail: /redirects from https to http/ });
  const untrusting = new Outbound(['127.0.0.2'], async () => [{ address: '127.0.0.2', family: 4 }]);
  t.match(await failure(untrusting.request(`https://outside.example:${secure}/`)), {
    code: 'outbound_failed',
    detail: /has no certificate that can be trusted/,
  });
});

t.test('the servers of this test count connections', async (t) => {
  t.equal(insideConnections(), 0, 'the inside servers got no connection');
  for (const [host, listener] of [['127.0.0.1', inside], ...(inside6 ? [['::1', inside6] as const] : [])] as const) {
    const before = listener.count;
    connect(port, host).on('error', () => undefined);
    await until(() => listener.count > before);
  }
});
