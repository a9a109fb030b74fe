import type { OutboundPort } from '@lintel/sdk';
import type { HostServices } from '../services.js';

/** Outgoing requests, with the same rules for modules as for the core. */
export function outboundPort({ outbound }: HostServices): OutboundPort {
  return { request: (url, request) => outbound.request(url, request) };
}
