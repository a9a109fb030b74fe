import { Agent as HttpAgent, type AgentOptions } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Duplex } from 'node:stream';
import type { Address } from './resolve.js';

/** Shorter than the 5 seconds after which servers on Node.js end idle connections. */
const IDLE_MS = 4_000;
const IDLE_PER_ORIGIN = 16;
const IDLE = 128;
const OPTIONS: AgentOptions = { keepAlive: true, timeout: IDLE_MS, maxFreeSockets: IDLE_PER_ORIGIN };

/** The options of a request that uses kept connections. */
interface Pinned {
  /** The addresses that are allowed for the request. */
  pinned: string;
}

/**
 * Connections that stay open for some seconds after a request. A request only gets one that was opened to the same origin when
 * the same addresses were allowed as are now: it leads nowhere that the request itself could not connect to.
 */
export class KeptConnections {
  private readonly http = pinning(new HttpAgent(OPTIONS));
  private readonly https = pinning(new HttpsAgent(OPTIONS));

  /** @returns options of a request to these addresses */
  options({ protocol }: URL, addresses: readonly Address[]): Pinned & { agent: HttpAgent } {
    return {
      agent: protocol === 'https:' ? this.https : this.http,
      pinned: addresses
        .map(({ address }) => address)
        .sort()
        .join(),
    };
  }
}

/** Makes an agent keep connections apart by the addresses of their requests, and bounds the number of idle ones. */
function pinning(agent: HttpAgent): HttpAgent {
  const [nameOf, keeps] = [agent.getName.bind(agent), agent.keepSocketAlive.bind(agent)];
  return Object.assign(agent, {
    getName: (options: Parameters<typeof nameOf>[0]) => `${nameOf(options)} ${(options as unknown as Pinned).pinned}`,
    keepSocketAlive(socket: Duplex): boolean {
      const idle = Object.values(agent.freeSockets).reduce((sum, sockets = []) => sum + sockets.length, 0);
      return idle < IDLE && Boolean(keeps(socket));
    },
  });
}
