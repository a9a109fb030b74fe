import type { OutboundPort } from '@lintel/sdk';
import type { HostServices } from '../services.js';

/** The way out, for modules as for the core. */
export function outboundPort({ outbound }: HostServices): OutboundPort {
  return { request: (url, request) => outbound.request(url, request) };
}
