import { Agent, createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

const PROBE_MS = 200;
/** Long enough that a busy node is not taken for a stopped one. */
const PROBE_LIMIT_MS = 5_000;
/** Headers of one connection that are not forwarded to another. */
const HOP = ['connection', 'keep-alive', 'transfer-encoding', 'te', 'upgrade', 'proxy-connection'];

interface Node {
  origin: string;
  isReady: boolean;
  agent: Agent;
  /** Aborted when the node is replaced: ends its checks. */
  removed: AbortController;
}

/** Passes requests on to nodes in turn, as a load balancer in front of them does. */
export interface Balancer {
  /** Such as `http://127.0.0.1:40123`. */
  origin: string;
  /** Errors between the balancer and a node, as text. */
  faults: string[];
  /** Number of requests that were sent to another node because the first refused the connection. */
  refused(): number;
  /** Replaces a node by another process, which gets requests once it reports that it is ready. */
  replace(n: number, origin: string): void;
  /** Whether each node gets requests. */
  ready(): boolean[];
  close(): Promise<void>;
}

/**
 * Checks every 200 ms whether each node is ready and forwards requests to ready nodes, over keep-alive connections. It
 * sends a request to a second node only if the first refused the connection, so that no request is processed twice.
 */
export async function startBalancer(origins: string[]): Promise<Balancer> {
  const nodes = origins.map(newNode);
  const faults: string[] = [];
  let [turn, refused] = [0, 0];

  await Promise.all(nodes.map(startProbing));

  const handle = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const body = await buffer(incoming);
    for (const tried = new Set<Node>(); ; ) {
      const candidates = nodes.filter((of) => of.isReady && !tried.has(of));
      const to = candidates[turn++ % candidates.length];
      if (!to) {
        fail(outgoing, 503, 'no node is ready');
        return;
      }
      try {
        await forward(to, incoming, outgoing, body);
        return;
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code === 'ECONNREFUSED') {
          refused++;
          to.isReady = false;
          tried.add(to);
          continue;
        }
        // A disconnected caller gets no response.
        if (!outgoing.destroyed) fail(outgoing, 502, `${incoming.method} ${incoming.url}: ${code ?? String(error)}`);
        return;
      }
    }
  };
  const fail = (outgoing: ServerResponse, status: number, text: string): void => {
    faults.push(text);
    if (outgoing.headersSent) outgoing.destroy();
    else outgoing.writeHead(status).end(text);
  };

  const server = createServer((incoming, outgoing) => void handle(incoming, outgoing));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults,
    refused: () => refused,
    replace: (n, origin) => {
      end(nodes[n]!);
      void startProbing((nodes[n] = newNode(origin)));
    },
    ready: () => nodes.map((of) => of.isReady),
    close: async () => {
      nodes.forEach(end);
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

const newNode = (origin: string): Node => ({
  origin,
  isReady: false,
  agent: new Agent({ keepAlive: true }),
  removed: new AbortController(),
});

/** Checks whether a node is ready, now and periodically. */
async function startProbing(node: Node): Promise<void> {
  node.isReady = await isReady(node.origin);
  void (async () => {
    while (!node.removed.signal.aborted) {
      await delay(PROBE_MS, undefined, { signal: node.removed.signal }).catch(() => undefined);
      node.isReady = await isReady(node.origin);
    }
  })();
}

function end({ removed, agent }: Node): void {
  removed.abort();
  agent.destroy();
}

async function isReady(origin: string): Promise<boolean> {
  return await new Promise((resolve) => {
    const probe = httpRequest(`${origin}/api/ready`, { agent: false, timeout: PROBE_LIMIT_MS }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    probe
      .on('timeout', () => probe.destroy())
      .on('error', () => resolve(false))
      .end();
  });
}

/** Resolves when the response is forwarded completely, or its caller has disconnected. @throws errors of the connection */
async function forward(to: Node, incoming: IncomingMessage, outgoing: ServerResponse, body: Buffer): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const headers = Object.fromEntries(Object.entries(incoming.headers).filter(([name]) => !HOP.includes(name)));
    const upstream = httpRequest(`${to.origin}${incoming.url}`, { method: incoming.method, headers, agent: to.agent });
    upstream.on('error', reject);
    upstream.once('response', (answer) => {
      const kept = Object.entries(answer.headers).filter(([name]) => !HOP.includes(name));
      outgoing.writeHead(answer.statusCode ?? 502, Object.fromEntries(kept) as NodeJS.Dict<string | string[]>);
      // Without this the head of a stream is sent only with its first data.
      outgoing.flushHeaders();
      answer.once('error', reject);
      answer.pipe(outgoing);
    });
    outgoing.once('close', () => {
      upstream.destroy();
      resolve();
    });
    upstream.end(body);
  });
}
