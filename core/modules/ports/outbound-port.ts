import type { OutboundPort } from '@lintel/sdk';
import type { Services } from '../../container.js';

/** The way out, for modules as for the core. */
export function outboundPort({ outbound }: Services): OutboundPort {
  return { request: (url, request) => outbound.request(url, request) };
}
